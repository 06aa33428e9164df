"""Searches the positions of a match, for hints and for the solver."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from ...game.state import State
from ...puzzle.goal import Goal
from ...puzzle.problem import Puzzle
from ...puzzle.prospects import FOREVER, prospects
from ...puzzle.question import others
from ...puzzle.solution import Solution
from ...puzzle.solved import Solved
from ...runtime.budget import MOST_RULES_IN_PLAY, Budget
from ...runtime.errors import AspgamesError, Interrupted, LimitReached
from .match import Match, Point


class Study:
    """Puzzles about the points of one match: one net for all, one table for each attacker.

    Without a puzzle, each side's goal is to win in any number of turns. Results of one position
    serve all others.
    """

    def __init__(self, match: Match) -> None:
        self._match = match
        self.progress: Callable[[str], None] = lambda _text: None
        """Called with lines of text."""
        self._searches: dict[str, Solved] = {}
        self._origin: Point | None = None
        """In a game, the first point at which the searches are valid."""
        self._cost = 0.0  # the time spent on making them [s]

    def search(self, point: Point, attacker: str, seconds: float | None) -> Solved:
        """A search whether an attacker forces the goal from a point of the match.

        It may run for ``seconds``, without the time for a net. A new search of an attacker replaces
        the earlier one. Raises the errors of ``open_puzzle``.
        """
        if self._match.puzzle is None and self._outgrown(point, seconds):
            self._searches, self._origin, self._cost = {}, point, 0.0
        if attacker not in self._searches:
            start = time.monotonic()
            self._searches[attacker] = self._begin(point.state, attacker)
            self._cost += time.monotonic() - start
        known = self._searches[attacker]
        return known.at(point.state, self._match.left(point), Budget(seconds))

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

        def tell(text: str) -> None:
            self.progress(text)

        if self._match.puzzle is not None:
            return open_puzzle(self._match.puzzle, Budget(), progress=tell)
        for other in self._searches.values():
            return other.for_attacker(attacker)
        puzzle = Puzzle.of(state, attacker, "win")
        most = MOST_RULES_IN_PLAY
        try:
            return open_puzzle(puzzle, Budget(), most_rules=most, grounder=False, progress=tell)
        except LimitReached:
            raise LimitReached("the position is too large to be searched in seconds") from None


@dataclass(frozen=True, slots=True)
class Advice:
    """Advice for the person on move."""

    attacker: str
    goal: Goal
    solution: Solution
    """Whether the attacker forces the goal."""
    moves: tuple[str, ...]
    """The best moves as terms: all keys, or all defences."""
    losing: tuple[str, ...] = ()
    """In a game: the moves that provably lose."""
    lost_by: int | None = None
    """The ply with which the person gave away a forced result; None without such a ply."""


def advise(study: Study, match: Match, seconds: float | None) -> Advice:
    """Advice for the person, who must be on move; the search takes about ``seconds``."""
    puzzle, person = match.puzzle, match.person
    attacker = puzzle.attacker if puzzle else person
    search = study.search(match.point, attacker, seconds)
    solution = search.run()
    moves, losing, lost_by = solution.keys, tuple[str, ...](), None
    rivals = others(match.state.game.roles, person)
    if puzzle is None and rivals and solution.verdict != "forced":
        defence = study.search(match.point, rivals[0], seconds)
        defence.look_at_moves()
        found = prospects(defence)
        losing = tuple(each.move for each in found if each.most < FOREVER)
        moves = tuple(each.move for each in found if each.move not in losing)
    elif attacker != person:
        longest = max((turns or FOREVER for _, turns in solution.replies), default=0)
        moves = tuple(move for move, turns in solution.replies if (turns or FOREVER) == longest)
    wanted, other = ("forced", "not_forced")[:: 1 if attacker == person else -1]
    if puzzle and solution.verdict == other:
        lost_by = _given_away(study, match, wanted, seconds)
    return Advice(attacker, search.puzzle.goal, solution, moves, losing, lost_by)


def _given_away(study: Study, match: Match, wanted: str, seconds: float | None) -> int | None:
    """The person's latest ply before which the verdict was ``wanted``."""
    assert match.puzzle is not None
    for ply in reversed(range(len(match.moves))):
        if match.moves[ply].role == match.person:
            search = study.search(match.points[ply], match.puzzle.attacker, seconds)
            verdict = search.run(first=True).verdict
            if verdict == wanted:
                return ply
            if verdict == "unknown":
                return None
    return None


def review(study: Study, match: Match, seconds: float | None) -> tuple[int | None, int | None]:
    """For a finished puzzle: the fewest turns that force it, and the ply that gave it away.

    A result is None if it doesn't exist or wasn't found in about ``seconds``.
    """
    assert match.puzzle is not None
    attacker, person = match.puzzle.attacker, match.person
    try:
        least = study.search(match.points[0], attacker, seconds).run().distance
        wanted = "forced" if attacker == person else "not_forced"
        return least, _given_away(study, match, wanted, seconds) if match.lost else None
    except (AspgamesError, Interrupted):
        return None, None
