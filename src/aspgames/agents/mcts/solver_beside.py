"""The solver beside a search of an engine: when it runs, and for how long."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from ...game.state import State
from ...runtime.budget import Budget
from ...runtime.errors import AspgamesError
from .forced_moves import ForcedMoves, ForcedSearch

_SOLVER_SHARE = 0.04  # the solver's part of the time in an even game ...
_MORE_SHARE = 0.3  # ... and how much more in a game that is nearly won or lost
_PORTION_SECONDS = 0.01  # the shortest portion of the solver [s]
_PORTIONS_LEFT = 2  # another portion begins if this many times the longest one is left
_STATES_A_POSITION = 5  # states of random games take as long as one position of the solver
_PORTION_POSITIONS = 5000  # the shortest portion of the solver if games are counted [positions]


class SolverBeside:
    """Runs the solver beside a search: decides when, and for how long.

    If random games are mostly won, a forced win is likely, and the solver gets more time. The pace
    follows the clock. If games are counted, it follows the number of states visited, so that runs
    are repeatable.
    """

    def __init__(
        self,
        forced: ForcedSearch | None,
        root: State,
        among: Sequence[str],
        budget: Budget,
        counted: bool,
    ) -> None:
        self._forced, self._root, self._among = forced, root, among
        self._budget, self._counted = budget, counted
        self._start, self._spent, self._due = self._used, 0.0, 0.0
        self._longest = 0.0

    @property
    def _used(self) -> float:
        """The time so far [s], or the number of states visited."""
        return self._budget.positions if self._counted else self._budget.seconds

    def is_due(self, mean: float) -> bool:
        """Whether to run the solver now; ``mean`` is the mean goal of the side on move."""
        if self._forced is None:
            return False
        share = _SOLVER_SHARE + _MORE_SHARE * (2 * mean - 1) ** 2
        passed = self._used - self._start
        self._began = self._used
        if self._counted:
            self._look = max(_PORTION_POSITIONS, passed * share / _STATES_A_POSITION)
            return passed >= self._due
        self._look = max(_PORTION_SECONDS, passed * share)
        if _PORTIONS_LEFT * self._longest > self._budget.seconds_left:
            return False  # a portion might take longer than the time left
        return self._spent + self._look / 2 <= share * passed

    def ask(self, mean: float) -> ForcedMoves | None:
        """Run the solver for a portion; None if it can't play the game. Checks the budget.

        ``best`` has only moves to choose from.
        """
        found, budget, forced = None, self._budget, self._forced
        assert forced is not None
        with suppress(AspgamesError, MemoryError):
            forced.begin(self._root, seconds_of(budget), budget)
            found = forced.look(self._root, self._portion(mean), self._portion(1 - mean))
        if self._counted:
            self._due = 2 * (self._used - self._start) + 1
        else:
            self._longest = max(self._longest, self._used - self._began)
            self._spent += self._used - self._began
        if not (found and found.best):
            budget.check()
        if found is None or found.exhausted:
            self._forced = None
        return found and replace(found, best=tuple(m for m in found.best if m in self._among))

    def _portion(self, part: float) -> Budget:
        """A budget for a part of a portion, from 0 to 1."""
        look = self._look * min(max(part, 0.1), 0.9)
        if self._counted:
            return Budget(None, round(look), self._budget)
        return Budget(look, None, self._budget)


def seconds_of(budget: Budget) -> float | None:
    """The time left [s]; None without a limit."""
    left = budget.seconds_left
    return None if left == float("inf") else max(left, 1e-3)
