"""Grounding the rules with the state left open: every fluent that may hold is a choice.

Certain fluents are facts and vanish from the ground rules; possible ones are left open. A grounding
is closed when the fluents of the next state are left open in turn: then it holds every state that
can be reached from the given fluents.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import clingo
from clingo import ast

from ..encoding import Constants
from ..errors import LimitReached, RulesError
from ..grounding import ground

_MOST_FLUENTS = 100_000
MOST_RULES = 2_000_000

_ADVICE = (
    "; if a counter counts without a bound, give it one (N < 60 in the body of its next/1 rule)"
)

_OPEN = """
true(F) :- F = @certain().
{ true(F) } :- F = @possible().
{ does(R,M) } :- legal(R,M).
#show true/1.
#show does/2.
#show legal/2.
#show next/1.
#show terminal/0.
#show goal/2.
#show to_move/1.
"""
_CLOSED = "{ true(F) } :- next(F), @admit(F) = 1."


@dataclass(frozen=True)
class GroundRules:
    """Ground rules, as clingo's grounder hands them over; atoms and literals are numbers."""

    rules: list[tuple[bool, list[int], list[int]]] = field(default_factory=list)
    """Whether it is a choice, the head's atoms, the body's literals."""
    sums: list[tuple[list[int], int, list[tuple[int, int]]]] = field(default_factory=list)
    """Head, lower bound, and weighted literals of rules with an aggregate."""
    shown: list[tuple[clingo.Symbol, int]] = field(default_factory=list)
    """The atoms of the game's own predicates; a fact has number 0."""


class _Recorder(clingo.Observer):
    """Writes down what the grounder says."""

    def __init__(self, into: GroundRules, most_rules: int) -> None:
        self._into = into
        self._most_rules = most_rules

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        if len(self._into.rules) == self._most_rules:
            raise LimitReached(f"there are more than {self._most_rules:,} ground rules{_ADVICE}")
        self._into.rules.append((choice, list(head), list(body)))

    def weight_rule(
        self, choice: bool, head: Sequence[int], lower_bound: int, body: Sequence[tuple[int, int]]
    ) -> None:
        if choice:
            raise RulesError("the rules choose with an aggregate: they settle no successor")
        self._into.sums.append((list(head), lower_bound, list(body)))

    def output_atom(self, symbol: clingo.Symbol, atom: int) -> None:
        self._into.shown.append((symbol, atom))


class _Given:
    """The grounding context: hands in the state, and watches over the fluents that are reached."""

    def __init__(self, certain: Iterable[str], possible: Iterable[str]) -> None:
        self._certain = [clingo.parse_term(fluent) for fluent in certain]
        self._possible = [clingo.parse_term(fluent) for fluent in possible]
        self._admitted = 0

    def certain(self) -> Sequence[clingo.Symbol]:
        return self._certain

    def possible(self) -> Sequence[clingo.Symbol]:
        return self._possible

    def admit(self, _fluent: clingo.Symbol) -> clingo.Symbol:
        self._admitted += 1
        if self._admitted > _MOST_FLUENTS:
            raise LimitReached(f"more than {_MOST_FLUENTS:,} fluents can be reached{_ADVICE}")
        return clingo.Number(1)


def ground_open(
    statements: Iterable[ast.AST],
    constants: Constants,
    certain: Iterable[str],
    possible: Iterable[str],
    closed: bool,
    most_rules: int = MOST_RULES,
) -> GroundRules:
    """The ground rules for all states that hold the certain fluents and any of the possible ones.

    Raises ``LimitReached`` where there are too many rules, or the reachable fluents seem to have no
    end.
    """
    found = GroundRules()
    ground(
        constants,
        statements,
        _Given(certain, possible),
        _OPEN + (_CLOSED if closed else ""),
        _Recorder(found, most_rules),
    )
    return found
