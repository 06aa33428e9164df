"""A planner for one role: clingo's solver looks for the shortest line of play to the goal.

It works beside the search, in small parts. The search is better where positions come back, the
planner where many moves can be made in any order.
"""

import math
import time
from collections.abc import Callable, Generator, Mapping

from ...propnet.circuit_program import finish
from ...propnet.net import Net
from ...puzzle.problem import Puzzle
from ...runtime.errors import LimitReached
from .unrolled_play import Line, UnrolledPlay


class Planner:
    """The shortest lines to a puzzle's goal, for one role."""

    def __init__(self, puzzle: Puzzle, net: Net) -> None:
        self._play = UnrolledPlay(puzzle, net)
        self._moves = [move for _, move in net.moves]
        self.refuted: float = self._play.fewest_moves - 1
        """The most moves that are known to be too few. Others may raise it."""
        self.line: Line | None = None
        """A shortest line, once it is found."""
        self._longest = math.inf
        """The most moves of any line, once they are known."""
        self._work = self._plan()

    def advance(self, seconds: float) -> bool:
        """Work for about so long; returns whether the planner has finished, or given up."""
        until = time.monotonic() + seconds
        try:
            for _ in self._work:
                if time.monotonic() > until:
                    return False
        except LimitReached:
            pass
        return True

    def close(self) -> None:
        """Stop clingo."""
        self._work.close()

    def _plan(self) -> Generator[None, None, None]:
        ply = 0
        while self.line is None and self.refuted < math.inf:
            yield from self._play.unroll(ply)
            if ply > self.refuted:
                self.line = yield from self._play.reach(ply)
            if self.line is None:
                self.refuted = max(self.refuted, ply)
                self._play.exclude(ply)
                if not (yield from self._play.continues(ply)):
                    self.refuted, self._longest = math.inf, ply
            ply += 1

    def refutation(self, moves: float) -> list[None] | None:
        """A place for each move of the lines that the planner has refuted; None if it has not."""
        most = min(moves, self._longest)
        return [None] * int(most) if self.refuted >= moves and most < math.inf else None

    def keys(self, distance: int, check: Callable[[], None]) -> Mapping[str, Line]:
        """Every first move of lines of the least length, sorted, each with such a line.

        The first key has the first line in the order of the terms. ``check`` is called now and
        then.
        """
        self.close()
        return finish(self._keys(distance), check)

    def _keys(self, distance: int) -> Generator[None, None, dict[str, Line]]:
        found: dict[str, Line] = {}
        yield from self._play.unroll(distance)
        while True:
            others = self._play.makes(0, [move for move in self._moves if move not in found])
            line = yield from self._play.reach(distance, wanted=[others])
            if line is None:
                break
            found[line[0]] = line
        least = min(found)
        found[least] = yield from self._first(found[least])
        return dict(sorted(found.items()))

    def _first(self, line: Line) -> Generator[None, None, Line]:
        """The first line, in the order of the terms, among those with the same first move."""
        made: list[int] = []
        for ply in range(len(line)):
            while ply > 0:
                smaller = self._play.makes(ply, [each for each in self._moves if each < line[ply]])
                better = yield from self._play.reach(len(line), wanted=[*made, smaller])
                if better is None:
                    break
                line = better
            made.append(self._play.makes(ply, [line[ply]]))
        return line
