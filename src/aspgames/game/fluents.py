"""Which fluents a game has, as far as that can be known.

``base/1`` lists them. What a game of one's own lists may lack some, such as when all it has of
``base/1`` is what an included file says of whose turn it is: so what play can reach is one, too.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence, Set
from functools import cached_property
from typing import TYPE_CHECKING

from ..asp.sources import encodings_folder
from ..asp.symbols import known_symbol
from ..asp.terms import Constants
from ..gdl.encoding import Encoding
from ..gdl.memo import remembered
from .board import Vocabulary

if TYPE_CHECKING:
    from ..asp.rewrite.domains import Terms

_MOST_RULES = 200_000


class Fluents:
    """The fluents of one game."""

    def __init__(self, encoding: Encoding, constants: Constants, vocabulary: Vocabulary) -> None:
        self._encoding, self._constants = encoding, constants
        self._vocabulary = vocabulary
        # The lists of the games that come with aspgames are whole (their tests say so), and what
        # can be reached in the largest takes seconds.
        folder = encodings_folder()
        self._trusted = all(source.path.is_relative_to(folder) for source in encoding.sources)
        self._endless = False
        self._around: Sequence[str] = ()

    def may_be(self, fluent: str) -> bool:
        """Whether a position may have a fluent: not if it is known that the game has none such."""
        if self._encoding.is_sheet:
            return self._possible.has(known_symbol(fluent))
        base = self._vocabulary.base
        if not base or fluent in base:
            return True
        if self._trusted:
            return False
        reached = self._reached
        listed = _shape(fluent) in set(map(_shape, base))
        if reached is None:
            return not listed
        return fluent in reached or (not listed and _shape(fluent) in set(map(_shape, reached)))

    @property
    def all(self) -> Set[str] | None:
        """What is listed and all that play can reach, as far as there is an end to it.

        None if there is none and nothing is listed.
        """
        base = self._vocabulary.base
        if self._trusted and base:
            return self._listed
        return self._reached or (self._listed if base else None)

    @property
    def are_known(self) -> bool:
        """Whether no position holds any other than those that are listed."""
        base = self._vocabulary.base
        if self._trusted or not base:
            return bool(base)
        return self._reached is not None and self._reached <= base

    def around(self, facts: Collection[str]) -> Sequence[str]:
        """The fluents that may hold in a state like one that has some, sorted.

        If there is no end to what can be reached, these are not all.
        """
        if self._trusted and self._vocabulary.base:
            self._around = self._around or sorted(self._vocabulary.base)
        elif not self._around or not set(facts) <= set(self._around):
            known = {*self._listed, *facts}
            self._around = sorted(known | (self._following(known) or set()))
        return self._around

    @cached_property
    def _possible(self) -> Terms:
        """The fluents of a rule sheet, told from its rules alone: its ``base`` isn't asked."""
        from ..asp.rewrite.domains import Domains
        from ..asp.statements import TRUE, rule_of

        return Domains(map(rule_of, self._encoding.statements("base"))).of(TRUE)[0]

    @property
    def _listed(self) -> Set[str]:
        return {*self._vocabulary.initial, *self._vocabulary.base}

    @cached_property
    def _reached(self) -> Set[str] | None:
        """What is listed and all that can follow; None if there is no end to it."""
        arguments = self._encoding, "fluents", self._constants
        found = remembered(*arguments, lambda: self._following(self._listed))
        return None if found is None else frozenset(found)

    def _following(self, known: Iterable[str]) -> set[str] | None:
        """Fluents and all that can follow from them; None if there is no end to it."""
        from ..propnet.open_grounding import OpenProgram
        from ..runtime.errors import LimitReached

        if self._endless:
            return None
        program = OpenProgram(self._encoding.statements("base"), self._constants)
        try:
            rules = program.ground((), sorted(known), closed=True, most_rules=_MOST_RULES)
        except LimitReached:
            self._endless = True
            return None
        more = rules.shown["true"].arguments if "true" in rules.shown else ()
        return {*known, *(fluent for (fluent,) in more)}


def _shape(fluent: str) -> tuple[str, int]:
    """A fluent's name, and how many arguments it has; a name that is none is its own."""
    name, parenthesis, rest = fluent.partition("(")
    if not parenthesis:
        return fluent, 0
    inner, count, depth = re.sub(r'"(?:\\.|[^"\\])*"', "", rest), 1, 0
    for letter in inner:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        count += letter == "," and depth == 0
    return name, count
