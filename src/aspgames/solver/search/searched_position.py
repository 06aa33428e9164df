"""Positions of a search, with the interface of ``puzzle.solved``."""

import math
from dataclasses import dataclass
from typing import NamedTuple

from ...propnet.gate_tables import places_of
from ...puzzle.problem import Puzzle
from ...puzzle.solved import Plan, Position
from .kernel_search import DEPTH_FIRST, UNBOUNDED, SearchState
from .prover import Prover

_WIDTHS = (8, 64)
"""Beam widths of the search for plans. They are small, because most positions have no plan."""

_UNDIVIDED_EFFORT = 500  # evaluations between looks at the clock


class SearchBounds(NamedTuple):
    """A search's results for a position."""

    lower: float
    upper: float
    """As in ``Position.bounds``."""
    proof: int
    disproof: int


@dataclass(frozen=True, slots=True)
class Searched(Position):
    """A prover's state as a position."""

    prover: Prover
    state: SearchState

    @property
    def puzzle(self) -> Puzzle:
        """The prover's puzzle."""
        return self.prover.puzzle

    @property
    def fluents(self) -> frozenset[str]:
        """The fluents whose bits are set in the state's key."""
        names = self.prover.net.fluents
        return frozenset(names[place] for place in places_of(self.state.key))

    def children(self) -> "list[tuple[str, Searched]]":
        """The moves, each with the position it leads to."""
        found = self.prover.children(self.state)
        return [(move, searched(self.prover, child)) for move, child in found]

    @property
    def bounds(self) -> tuple[float, float]:
        """The transposition table's bounds."""
        if self.goal_reached or self.over:
            value = 0.0 if self.goal_reached else math.inf
            return value, value
        lower, upper = self.prover.bounds(self.state)
        return _turns(lower), _turns(upper)

    def forced(self, turns: float) -> bool:
        """Whether the goal is forced; searches until that is known."""
        return self.prover.forces(self.state, _number(turns))

    @property
    def all_known(self) -> SearchBounds:
        """The bounds, with the proof and the disproof number."""
        return SearchBounds(*self.bounds, *self.prover.numbers(self.state))

    def look(self, turns: float, most: float, evaluations: float) -> None:
        """Search for ``evaluations`` evaluations, or until ``turns`` turns are decided.

        ``most`` is the limit on turns. Raises ``LimitReached``.
        """
        if not (self.goal_reached or self.over):
            self.prover.look(self.state, _number(turns), _number(most), evaluations)

    def decided(self, turns: float, effort: int, deep: bool = False) -> bool | None:
        """Whether the goal is forced; None if about ``effort`` evaluations don't decide that.

        Both searches take turns, without a look at the clock. With ``deep``, depth-first search is
        first: it expands more positions at once, which helps in chess problems.
        """
        prover, number = self.prover, _number(turns)
        while (known := self.known(turns)) is None and effort > 0:
            before = made = prover.made
            until = before + _UNDIVIDED_EFFORT
            while deep and self.known(turns) is None and made < until:
                prover.work(self.state, self._fewest(number), until - made, DEPTH_FIRST)
                made = until if prover.made == made else prover.made
            if self.known(turns) is None:
                won = prover.work_widely(self.state, number, _UNDIVIDED_EFFORT)
                if not won and not deep:
                    prover.work(self.state, self._fewest(number), _UNDIVIDED_EFFORT, DEPTH_FIRST)
            effort -= prover.made - before or effort
        return known

    def _fewest(self, number: int) -> int:
        """The fewest turns that may suffice, at most ``number``."""
        return min(number, self.prover.bounds(self.state)[0])

    def best_line(self, turns: float) -> list[str]:
        """The line that a planner has found, else one by the search."""
        planner = self.prover.planner
        line = planner.lines.get(self.state.key) if planner else None
        if line is not None and len(line) == turns + self.attacks:
            return list(line)
        return super(Searched, self).best_line(turns)

    def plan(self, attack: bool, turns: float) -> Plan | None:
        """A plan from searches with wider and wider beams; for a lone role, from a planner."""
        if self.puzzle.defender is None and not attack:
            planner = self.prover.planner
            return planner.refutation(turns + self.attacks) if planner else None
        for width in _WIDTHS:
            found = self.prover.plan(self.state, attack, _number(turns), width)
            if found is not None:
                return found
        return None


def searched(prover: Prover, state: SearchState) -> Searched:
    """A prover's state as a position."""
    return Searched(state.reached, state.over, state.attacks, prover, state)


def _number(turns: float) -> int:
    """A number of turns in the prover's form."""
    return int(min(turns, UNBOUNDED))


def _turns(bound: int) -> float:
    """A bound from the prover's form."""
    return bound if bound < UNBOUNDED else math.inf
