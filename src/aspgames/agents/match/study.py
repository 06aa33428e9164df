"""Searches the positions of a match: one net for all, one table for each attacker."""

from __future__ import annotations

import time
from collections.abc import Callable

from ...game.game import State
from ...puzzle.problem import Puzzle
from ...puzzle.solved import Solved
from ...runtime.budget import MOST_RULES_IN_PLAY, Budget
from ...runtime.errors import LimitReached
from .match import Match, Point


class Study:
    """Puzzles about the points of one match.

    Without a puzzle, each side's goal is to win in any number of turns. Results of one position
    serve all others.
    """

    def __init__(self, match: Match, progress: Callable[[str], None] = lambda _text: None) -> None:
        """``progress`` gets lines of text."""
        self._match = match
        self.progress = progress
        """Called with lines of text."""
        self._searches: dict[str, Solved] = {}
        self._origin: Point | None = None
        """In a game, the first point at which the searches are valid."""
        self._cost = 0.0
        """The time spent on making them [s]."""

    def search(self, point: Point, attacker: str, seconds: float | None) -> Solved:
        """A search whether an attacker forces the goal from a point of the match.

        It may run for ``seconds``, without the time for a net. A new search of an attacker replaces
        the earlier one.

        Raises:
            LimitReached: The net would be too large.
            RulesError: The rules have no net.
            BadRequest: The game has no puzzles.
            Interrupted: The user stops it.
        """
        if self._match.puzzle is None and self._outgrown(point, seconds):
            self._searches, self._origin, self._cost = {}, point, 0.0
        if attacker not in self._searches:
            start = time.monotonic()
            self._searches[attacker] = self._begin(point.state, attacker)
            self._cost += time.monotonic() - start
        known = self._searches[attacker]
        return known.at(point.state, self._match.left(point), Budget(seconds))

    def _tell(self, text: str) -> None:
        self.progress(text)

    def _outgrown(self, point: Point, seconds: float | None) -> bool:
        """Whether a game needs a new net: the old one is too small, or a smaller one is cheap.

        Later in a game, fewer states are reachable, and a smaller net is faster.
        """
        passed = [id(each) for each in self._match.points]
        origin, here = id(self._origin), id(point)
        if origin not in passed or passed.index(origin) > passed.index(here):
            return True
        return origin != here and seconds is not None and self._cost < seconds

    def _begin(self, state: State, attacker: str) -> Solved:
        from ...solver.solvers import open_puzzle  # loaded only when needed

        if self._match.puzzle is not None:
            return open_puzzle(self._match.puzzle, Budget(), progress=self._tell)
        other = next(iter(self._searches.values()), None)
        if other:
            return other.for_attacker(attacker)
        puzzle = Puzzle.of(state, attacker, "win")
        try:
            return open_puzzle(
                puzzle,
                Budget(),
                most_rules=MOST_RULES_IN_PLAY,
                grounder=False,
                progress=self._tell,
            )
        except LimitReached:
            raise LimitReached("the position is too large to be searched in seconds") from None
