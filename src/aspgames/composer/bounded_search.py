"""A search for many positions, bounded by evaluations instead of time.

Its answers don't depend on a clock; a question beyond the bound has no answer.
"""

from dataclasses import replace

from ..game.state import State
from ..gdl.rules import Facts
from ..propnet.net import Net
from ..puzzle.problem import Puzzle
from ..puzzle.solved import Position
from ..runtime.budget import Budget
from ..runtime.errors import LimitReached
from ..solver.planner.cooperative_search import shortest_lines
from ..solver.search.puzzle_search import Search


class Undecided(Exception):
    """A question exceeded its number of evaluations."""


class BoundedSearch:
    """A search on one net, for one attacker and goal."""

    def __init__(self, puzzle: Puzzle, net: Net, effort: int, deep: bool = False) -> None:
        """The net must contain the puzzle's position. ``deep`` as for ``Position.decided``."""
        self.puzzle, self._net, self._effort, self._deep = puzzle, net, effort, deep
        self._certain = frozenset(net.certain)
        self._known = self._certain.union(net.fluents)
        self._budget = Budget()
        self.search = Search(puzzle, self._budget, net=net, threads=1)

    def knows(self, facts: Facts) -> bool:
        """Whether the net contains a position."""
        return self._certain.issubset(facts) and self._known.issuperset(facts)

    def at(self, facts: Facts, budget: Budget) -> Position:
        """A position of the net; ``budget`` is for all later questions."""
        self._budget = budget
        state = self.puzzle.state.game.state(facts)
        return self.search.at(state, self.puzzle.within, budget).root

    def state(self, position: Position) -> State:
        """A position as a state of the game."""
        return self.puzzle.state.game.state(tuple(sorted((*self._net.certain, *position.fluents))))

    def __call__(self, position: Position, turns: float, effort: int | None = None) -> bool:
        """Whether the goal is forced in some turns. Raises ``Undecided`` and ``LimitReached``."""
        self._budget.check()
        try:
            found = position.decided(turns, self._effort if effort is None else effort, self._deep)
        except LimitReached:
            self._budget.check()
            raise Undecided from None
        if found is None:
            raise Undecided
        return found

    def shortest_lines(
        self, state: State, within: int | None, most: int, widest: int
    ) -> tuple[int, list[tuple[str, ...]]] | None:
        """The fewest turns if both sides help, and at most ``most`` of the shortest lines.

        None if more than ``widest`` states must be evaluated. Raises ``LimitReached``.
        """
        puzzle = replace(self.puzzle, state=state, within=within)
        return shortest_lines(puzzle, self.search, most, self._budget, widest)

    def seems(self, position: Position, turns: float, effort: int) -> bool | None:
        """Whether the goal is forced within some turns; None if undecided."""
        try:
            return self(position, turns, effort)
        except Undecided:
            return None
