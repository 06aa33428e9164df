"""The check of positions against the encoding.

Encodings define the valid positions: ``base/1`` lists the fluents. In ``#program position``,
``refused/2`` has a sentence for each invalid combination, ``default/1`` the fluents that may be
left out, and ``read_as/2`` fluents that mean the same as others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ..asp.canonical import canonical
from ..asp.terms import shorten
from ..gdl.rules import Facts, Rules
from ..runtime.errors import BadPosition
from .rule_names import RuleNames

# Modules that import clingo are imported in methods: the start position needs none of them.
if TYPE_CHECKING:
    from ..asp.clingo_api import AST
    from ..asp.grounding import Query
    from .fluents import Fluents

_REFUSED = ("refused", 2)
_DEFAULT = ("default", 1)
_READ_AS = ("read_as", 2)
ASKED = _REFUSED, _DEFAULT, _READ_AS
"""What is asked about a position."""
_LARGE_NUMBER = re.compile(r"\d{5}|-")


def fluent_of(fact: str) -> str | None:
    """The fluent of a fact, canonical, without ``true(...)``; None for a malformed fact."""
    term = canonical(fact)
    if term is not None and term.startswith("true(") and term.endswith(")"):
        inside = canonical(term[len("true(") : -1])  # None for several arguments
        return term if inside is None else inside
    return term


class PositionCheck:
    """Checks positions of one game."""

    def __init__(self, rules: Rules, names: RuleNames) -> None:
        self._rules, self._names = rules, names

    def read_facts(self, facts: Iterable[str]) -> Facts:
        """The facts of a position, canonical and as ``check`` returns them.

        The words for whole positions are no facts.
        """
        words = {"startpos", "empty"} - self._names.base
        found = {fact: fluent_of(fact) for fact in facts}
        if not found:
            raise BadPosition("there is no position: give its facts")
        for fact, fluent in found.items():
            if fluent is None or fluent in words:
                raise BadPosition(f"{shorten(fact)!r} is no fact")
        return self.check(tuple(sorted(filter(None, found.values()))))

    def check(self, facts: Facts) -> Facts:
        """The facts, sorted, missing counters filled in. Raises ``BadPosition``."""
        if facts == self._names.initial:
            return facts
        from ..asp.symbols import known_symbol

        for fact in facts:
            if not self._fluents.may_be(fact):
                raise BadPosition(self.why_not_a_fluent(fact))
        self._check_numbers(facts)
        atoms = self._query([known_symbol(fact) for fact in facts])
        if atoms[_REFUSED]:
            from .phrases import sentence

            raise BadPosition(min(sentence(symbol) for symbol in atoms[_REFUSED]))
        missing = {str(symbol.arguments[0]) for symbol in atoms[_DEFAULT]}
        meant = {str(symbol.arguments[0]): str(symbol.arguments[1]) for symbol in atoms[_READ_AS]}
        return tuple(sorted(missing.union(meant.get(fact, fact) for fact in facts)))

    def _check_numbers(self, facts: Facts) -> None:
        """Refuse numbers so large that the rules may compute wrongly with them."""
        if self._rules.encoding.is_sheet or not any(map(_LARGE_NUMBER.search, facts)):
            return
        from ..asp.rewrite.overflow import beyond
        from ..asp.symbols import known_symbol

        statements = self._rules.encoding.statements("base", "board")
        if found := beyond(statements, self._rules.constants, map(known_symbol, facts)):
            fluent, number = map(str, found)
            raise BadPosition(f"{shorten(fluent)}: the rules never come to a number like {number}")

    @cached_property
    def _query(self) -> Query:
        from ..asp.grounding import Query

        return Query(self._statements(), self._rules.constants, ASKED)

    def _statements(self) -> Sequence[AST]:
        return self._rules.encoding.checked(self._rules.constants, "base", "board", "position")

    @cached_property
    def _fluents(self) -> Fluents:
        from .fluents import Fluents

        return Fluents(self._rules, self._names)

    def why_not_a_fluent(self, fact: str) -> str:
        """Why a position can't have a fact."""
        return f"the game has no fluent {shorten(fact)}"
