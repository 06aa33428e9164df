"""Positions of a search, with the interface of ``puzzle.solved``."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from ...gdl.rules import Facts
from ...propnet.gate_tables import places_of
from ...puzzle.solved import Plan, Position
from .kernel_search import DEPTH_FIRST, UNBOUNDED, SearchState

if TYPE_CHECKING:
    from .puzzle_search import Search

_WIDTHS = (8, 64)
"""Beam widths of the search for plans. They are small, because most positions have no plan."""

_UNDIVIDED_EFFORT = 500  # evaluations between looks at the clock


@dataclass(frozen=True, slots=True)
class Searched(Position):
    """A state of a search as a position."""

    solved: Search = field(repr=False, compare=False)
    state: SearchState

    @classmethod
    def of(cls, search: Search, state: SearchState) -> Self:
        """The position of a search's state."""
        return cls(state.reached, state.over, state.attacks, search, state)

    @property
    def fluents(self) -> frozenset[str]:
        """The fluents whose bits are set in the state's key."""
        names = self.solved.table.net.fluents
        return frozenset(names[place] for place in places_of(self.state.key))

    @property
    def facts(self) -> Facts:
        """The facts of the state."""
        return tuple(sorted((*self.solved.table.net.certain, *self.fluents)))

    def children(self) -> list[tuple[str, Self]]:
        """The moves, each with the position it leads to."""
        found = self.solved.table.children(self.state)
        return [(move, self.of(self.solved, child)) for move, child in found]

    @property
    def bounds(self) -> tuple[float, float]:
        """The transposition table's bounds."""
        if self.goal_reached or self.over:
            value = 0.0 if self.goal_reached else math.inf
            return value, value
        lower, upper = self.solved.table.bounds(self.state)
        return _turns(lower), _turns(upper)

    def forced(self, turns: float) -> bool:
        """Whether the goal is forced; searches until that is known."""
        return self.solved.forces(self.state, _number(turns))

    @property
    def all_known(self) -> tuple[float, float, int, int]:
        """The bounds, with the proof and the disproof number for the last number of turns."""
        known = self.solved.table.report(self.state)
        return *self.bounds, known.proof, known.disproof

    def look(self, turns: float, most: float, evaluations: float) -> None:
        """Search for ``evaluations`` evaluations, or until ``turns`` turns are decided.

        ``most`` is the limit on turns. Raises ``LimitReached``.
        """
        if not (self.goal_reached or self.over):
            self.solved.look(self.state, _number(turns), _number(most), evaluations)

    def decided(self, turns: float, effort: int, deep: bool = False) -> bool | None:
        """Whether the goal is forced; None if about ``effort`` evaluations don't decide that.

        Both searches take turns, without a look at the clock. With ``deep``, depth-first search is
        first: it expands more positions at once, which helps in chess problems.
        """
        search, table, number = self.solved, self.solved.table, _number(turns)
        earlier, table.made = table.made, 0  # lemmas only if this question is hard
        try:
            while (known := self.known(turns)) is None and effort > 0:
                before = made = table.made
                until = before + _UNDIVIDED_EFFORT
                while deep and self.known(turns) is None and made < until:
                    search.work(self.state, self._fewest(number), until - made, DEPTH_FIRST)
                    made = until if table.made == made else table.made
                if self.known(turns) is None:
                    won = search.work_widely(self.state, number, _UNDIVIDED_EFFORT)
                    if not won and not deep:
                        fewest = self._fewest(number)
                        search.work(self.state, fewest, _UNDIVIDED_EFFORT, DEPTH_FIRST)
                effort -= table.made - before or effort
            return known
        finally:
            table.made += earlier

    def _fewest(self, number: int) -> int:
        """The fewest turns that may suffice, at most ``number``."""
        return min(number, self.solved.table.bounds(self.state)[0])

    def best_line(self, turns: float) -> list[str]:
        """The line that a planner has found, else one by the search."""
        line = self.solved.lines.get(self.state.key)
        if line is not None and len(line) == turns + self.attacks:
            return list(line)
        return super(Searched, self).best_line(turns)

    def plan(self, attack: bool, turns: float) -> Plan | None:
        """A plan from searches with wider and wider beams; for a lone role, from a planner."""
        if self.puzzle.defender is None and not attack:
            planner = self.solved.planner
            return planner.refutation(turns + self.attacks) if planner else None
        for width in _WIDTHS:
            found = self.solved.table.plan(self.state, attack, _number(turns), width)
            if found is not None:
                return found
        return None


def _number(turns: float) -> int:
    """A number of turns in the search's form."""
    return int(min(turns, UNBOUNDED))


def _turns(bound: int) -> float:
    """A bound from the search's form."""
    return bound if bound < UNBOUNDED else math.inf
