"""The shortest lines to a puzzle's goal for one role, found by clingo's solver."""

import math
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import suppress

from ...asp.solving import finish
from ...propnet.net import Net
from ...puzzle.problem import Puzzle
from ...runtime.errors import LimitReached
from .unrolled_play import Line, UnrolledPlay

_CONFLICTS = 2_000  # of clingo's, for each step towards the first line in the order of the terms


class Planner:
    """The shortest lines to a puzzle's goal, for one role: clingo's solver looks for them.

    It works beside the search, in small parts. The search is better where positions come back, the
    planner where many moves can be made in any order.
    """

    def __init__(self, puzzle: Puzzle, net: Net) -> None:
        self._play = UnrolledPlay(puzzle, net)
        self._moves = [move for _, move in net.moves]
        self.refuted: float = self._play.fewest_moves - 1
        """The most moves that are known to be too few. Others may raise it."""
        self.line: Line | None = None
        """A shortest line, once it is found."""
        self.found: dict[str, Line] = {}
        """Shortest lines by their first moves, as far as they are known."""
        self._longest = math.inf  # the most moves of any line, once they are known
        self.is_over = False
        """Whether the planner has finished, or given up."""
        self._work = self._plan()

    def advance(self, seconds: float) -> bool:
        """Work for about so long; returns whether the planner has finished, or given up."""
        until = time.monotonic() + seconds
        with suppress(LimitReached):
            for _ in self._work:
                if time.monotonic() > until:
                    return False
        self.is_over = True
        return True

    def close(self) -> None:
        """Stop clingo."""
        self._work.close()

    def _plan(self) -> Generator[None, None, None]:
        ply = 0
        yield from self._play.shorten_proofs()
        while self.line is None and self.refuted < math.inf:
            yield from self._play.unroll(ply)
            if ply > self.refuted:
                if line := (yield from self._play.reach(ply)):
                    self.line, self.found[line[0]] = line, line
                    return
                self.refuted = max(self.refuted, ply)
                if not (yield from self._play.continues(ply)):
                    self.refuted, self._longest = math.inf, ply
            self._play.exclude(ply)
            ply += 1

    def refutation(self, moves: float) -> list[None] | None:
        """A place for each move of the lines that the planner has refuted; None if it has not."""
        most = min(moves, self._longest)
        return [None] * int(most) if self.refuted >= moves and most < math.inf else None

    def keys(
        self, distance: int, reaches: Callable[[Line], bool], check: Callable[[], None]
    ) -> Mapping[str, Line]:
        """Every first move of lines of the least length, sorted, each with such a line.

        The first key has the first line in the order of the terms. ``reaches`` tells whether a line
        reaches the goal. ``check`` is called now and then.
        """
        self.close()
        return finish(self._keys(distance, reaches), check)

    def _keys(
        self, distance: int, reaches: Callable[[Line], bool]
    ) -> Generator[None, None, dict[str, Line]]:
        """Where moves can be made in any order, each move of a line is a key: this is tried."""
        found = self.found
        yield from self._play.shorten_proofs()
        yield from self._play.unroll(distance)
        while True:
            others = self._play.makes(0, [move for move in self._moves if move not in found])
            line = yield from self._play.reach(distance, wanted=[others])
            if line is None:
                break
            found[line[0]] = line
            for place in range(1, distance):
                other = (line[place], *line[:place], *line[place + 1 :])
                if other[0] not in found and reaches(other):
                    found[other[0]] = other
                yield
        least = min(found)
        key, *later = found[least]
        sorted_line = key, *sorted(later)
        found[least] = yield from self._first(sorted_line if reaches(sorted_line) else found[least])
        return dict(sorted(found.items()))

    def _first(self, line: Line) -> Generator[None, None, Line]:
        """The first line, in the order of the terms, among those with the same first move.

        Where clingo finds no earlier line soon, it is taken that there is none.
        """
        while True:
            earlier = self._play.before(line)
            try:
                better = yield from self._play.reach(
                    len(line), wanted=[earlier], conflicts=_CONFLICTS
                )
            except LimitReached:
                return line
            if better is None:
                return line
            line = better
