"""Invariants of play, proved by induction: how many of some fluents hold at once.

Candidates are the groups of fluents that differ in one argument, or in any: all ``step(_)``, all
``cell(2,3,_)``. For each group there are two claims: at least one of its fluents holds, and at most
one. Known states rule out some claims. Then clingo looks for a step from a state in which all
remaining claims hold to one in which some fail. It drops those, until there is no such step
(Flanagan and Leino 2001, *Houdini, an Annotation Assistant for ESC/Java*).
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from ..asp.clingo_api import SymbolType
from ..asp.symbols import known_symbol
from .transitions import Transitions

_MOST_GROUPS = 4000


@dataclass(frozen=True)
class Group:
    """Fluents of which at most one holds in each state of play."""

    fluents: tuple[str, ...]
    exactly: bool
    """Whether exactly one of them holds."""

    @cached_property
    def set(self) -> frozenset[str]:
        """The fluents as a set."""
        return frozenset(self.fluents)


@dataclass(frozen=True)
class _Claim:
    fluents: tuple[str, ...]
    least: bool  # whether the claim is "at least one"; else it is "at most one"

    @cached_property
    def _set(self) -> frozenset[str]:
        return frozenset(self.fluents)

    def holds(self, state: frozenset[str]) -> bool:
        held = len(self._set & state)
        return held >= 1 if self.least else held <= 1


def invariants(
    transitions: Transitions, states: Iterable[frozenset[str]], by_argument: bool
) -> list[Group]:
    """The groups with a proved claim, which ``transitions`` assumes from now on.

    ``states`` are known states of play, including the first; more leave fewer candidates. With
    ``by_argument`` a group's fluents differ in one argument, else they share a name. Raises
    ``LimitReached`` if the time is over; ``transitions`` is unchanged then.
    """
    groups = _groups(transitions.fluents, by_argument)
    claims = [_Claim(group, least) for group in groups for least in (False, True)]
    for state in states:
        claims = [claim for claim in claims if claim.holds(state)]
    if not claims:
        return []
    left = _inductive(transitions, claims, by_argument)
    lower = {claim.fluents for claim in left if claim.least}
    return [Group(c.fluents, c.fluents in lower) for c in left if not c.least]


def _inductive(transitions: Transitions, claims: list[_Claim], by_argument: bool) -> list[_Claim]:
    """The claims that hold after a step if all of them held before."""
    supposed: dict[_Claim, int] = {}
    bodies = []
    with transitions.writing():
        for claim in claims:
            supposed[claim] = transitions.choice()
            before, after = (
                transitions.at_least(1 if claim.least else 2, [(true[f], 1) for f in claim.fluents])
                for true in (transitions.holds, transitions.next)
            )
            sign = -1 if claim.least else 1
            transitions.never(supposed[claim], sign * before)
            bodies.append((supposed[claim], sign * after))
        broken = transitions.atom(bodies)
    order = -transitions.by_move if by_argument else transitions.by_move
    while step := transitions.example(order, *transitions.played, broken, *supposed.values()):
        for claim, literal in supposed.items():
            if literal > 0 and not claim.holds(step.after):
                supposed[claim] = -literal
    transitions.assumed += tuple(supposed.values())
    return [claim for claim, literal in supposed.items() if literal > 0]


def argument_groups(fluents: Iterable[str]) -> list[list[tuple[str, ...]]]:
    """For each name, the groups of its fluents that differ in the last argument only."""
    found: dict[object, dict[object, list[str]]] = defaultdict(lambda: defaultdict(list))
    for fluent in fluents:
        symbol = known_symbol(fluent)
        if symbol.type is SymbolType.Function and len(symbol.arguments) > 1:
            *fixed, _ = symbol.arguments
            found[symbol.name, len(fixed)][tuple(fixed)].append(fluent)
    return [list(map(tuple, groups.values())) for groups in found.values()]


def _groups(fluents: Iterable[str], by_argument: bool) -> list[tuple[str, ...]]:
    found: dict[tuple[object, ...], list[str]] = defaultdict(list)
    for fluent in fluents:
        symbol = known_symbol(fluent)
        if symbol.type is SymbolType.Function:
            arguments = symbol.arguments
            name = symbol.name, len(arguments)
            if not by_argument:
                found[name].append(fluent)
            for place in range(len(arguments) if by_argument and len(arguments) > 1 else 0):
                found[*name, place, *arguments[:place], *arguments[place + 1 :]].append(fluent)
    several = dict.fromkeys(tuple(group) for group in found.values() if len(group) > 1)
    return list(several)[:_MOST_GROUPS]
