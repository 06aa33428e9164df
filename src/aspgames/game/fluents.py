"""The fluents of a game, as far as they can be known.

``base/1`` lists them. The list of a user's own game may lack some: for instance, its only
``base/1`` may be about whose turn it is, in an included file. So reachable fluents count, too.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence, Set
from functools import cached_property
from typing import TYPE_CHECKING

from ..asp.sources import encodings_folder
from ..asp.symbols import known_symbol
from ..gdl.rules import Rules
from .rule_names import RuleNames

if TYPE_CHECKING:
    from ..asp.rewrite.domains import Terms

_MOST_RULES = 200_000


class Fluents:
    """The fluents of one game."""

    def __init__(self, rules: Rules, names: RuleNames) -> None:
        encoding = self._encoding = rules.encoding
        self._constants, self._names = rules.constants, names
        # The built-in games list all their fluents (tests check it), and finding the reachable
        # ones of the largest takes seconds.
        folder = encodings_folder()
        self._trusted = all(source.path.is_relative_to(folder) for source in encoding.sources)
        self._endless = False
        self._around: Sequence[str] = ()

    def may_be(self, fluent: str) -> bool:
        """Whether a position may have a fluent: True unless the game is known to lack it."""
        if self._encoding.is_sheet:
            return self._domains[0].has(known_symbol(fluent))
        base = self._names.base
        if not base or fluent in base:
            return True
        if self._trusted:
            return False
        form, reached = _signature(fluent), self._reached
        is_listed = form in self._listed_forms
        if reached is None:
            return not is_listed
        return fluent in reached or (not is_listed and form in self._reached_forms)

    @property
    def all(self) -> Set[str] | None:
        """The listed and the reachable fluents; only the listed ones if there is no end of these.

        None if there is no end of them and none is listed.
        """
        base = self._names.base
        if self._trusted and base:
            return self._listed
        return self._reached or (self._listed if base else None)

    @property
    def are_known(self) -> bool:
        """Whether every fluent of every position is listed."""
        base = self._names.base
        if self._trusted or not base:
            return bool(base)
        return self._reached is not None and self._reached <= base

    def around(self, facts: Collection[str]) -> Sequence[str]:
        """The fluents that may hold in states near one with some facts, sorted.

        Some may be missing if there is no end of the reachable ones.
        """
        if self._trusted and self._names.base:
            self._around = self._around or sorted(self._names.base)
        elif not self._around or not set(facts) <= set(self._around):
            known = {*self._listed, *facts}
            self._around = sorted(known | (self._following(known) or set()))
        return self._around

    @property
    def moves(self) -> Terms:
        """The moves, bounded by the rules; each argument for itself."""
        return self._domains[1]

    @cached_property
    def _domains(self) -> tuple[Terms, Terms]:
        """The fluents and the moves, bounded by the rules; a sheet's ``base`` isn't used."""
        from ..asp.rewrite.domains import Domains
        from ..asp.statements import DOES, TRUE, rule_of

        domains = Domains(map(rule_of, self._encoding.statements("base")))
        return domains.of(TRUE)[0], domains.of(DOES)[1]

    @property
    def _listed(self) -> Set[str]:
        return {*self._names.initial, *self._names.base}

    @cached_property
    def _listed_forms(self) -> Set[tuple[str, int]]:
        return set(map(_signature, self._names.base))

    @cached_property
    def _reached_forms(self) -> Set[tuple[str, int]]:
        return set(map(_signature, self._reached or ()))

    @cached_property
    def _reached(self) -> Set[str] | None:
        """The listed fluents and all that follow from them; None if there is no end of them."""
        found = self._encoding.remembered(
            "fluents", self._constants, lambda: self._following(self._listed)
        )
        return None if found is None else frozenset(found)

    def _following(self, known: Iterable[str]) -> set[str] | None:
        """Fluents and all that follow from them; None if there is no end of them."""
        from ..propnet.open_grounding import OpenProgram
        from ..runtime.errors import LimitReached

        if self._endless:
            return None
        constants = self._constants
        program = OpenProgram(lambda: self._encoding.checked(constants, "base"), constants)
        try:
            rules = program.ground((), sorted(known), closed=True, most_rules=_MOST_RULES)
        except LimitReached:
            self._endless = True
            return None
        more = rules.shown["true"].arguments if "true" in rules.shown else ()
        return {*known, *(fluent for (fluent,) in more)}


def _signature(fluent: str) -> tuple[str, int]:
    """A fluent's name, and how many arguments it has; a number or string is its own name."""
    name, parenthesis, rest = fluent.partition("(")
    if not parenthesis:
        return fluent, 0
    inner = re.sub(r'"(?:\\.|[^"\\])*"', "", rest)
    while "(" in inner:
        inner = re.sub(r"\([^()]*\)", "", inner)
    return name, inner.count(",") + 1
