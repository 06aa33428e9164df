"""The shortest line to a puzzle's goal if both sides cooperate.

A breadth-first search looks first, and clingo's solver where that becomes too wide.
"""

from collections.abc import Callable, Generator
from itertools import count

from ...propnet.circuit_program import finish
from ...propnet.net import net_for
from ...puzzle.problem import Puzzle
from ...puzzle.solution import Cooperation, line_texts
from ...runtime.budget import MOST_RULES, Budget
from ...runtime.errors import LimitReached
from .kernel_search import Row, SearchState
from .prover import Prover
from .unrolled_play import Line, UnrolledPlay

_WIDEST = 16_000_000  # positions evaluated in the breadth-first search

_Place = tuple[int, int]  # turns and plies
Progress = Callable[[int, int], None]
"""Takes the current numbers of turns and of plies."""


def together(
    puzzle: Puzzle, budget: Budget | None = None, progress: Progress = lambda _turns, _plies: None
) -> Cooperation:
    """Find the shortest line to a puzzle's goal if both sides cooperate.

    If a limit is reached, the verdict is ``unknown``. Raises ``BadRequest`` if the sides don't take
    turns, and ``RulesError`` if a state doesn't determine everything that follows from it.
    """
    budget = budget or Budget()
    try:
        net = net_for(puzzle.state.game.rules, puzzle.state.facts, MOST_RULES, budget)
        search = _BreadthFirst(Prover(puzzle, net, budget), progress)
        if search.run():
            found = search.found
        else:
            play = UnrolledPlay(puzzle, net)
            found = finish(_shortest(puzzle, play, progress, search.turns), budget.check)
    except LimitReached:
        return Cooperation("unknown", None, (), (), budget.seconds)
    if found is None:
        return Cooperation("impossible", None, (), (), budget.seconds)
    turns, line = found
    text = tuple(line_texts(puzzle.state, line))
    return Cooperation("possible", turns, line, text, budget.seconds)


class _BreadthFirst:
    """Visits the states with the fewest turns first, and among them those with the fewest plies."""

    def __init__(self, prover: Prover, progress: Progress) -> None:
        self._prover, self._progress = prover, progress
        self._way: dict[Row, tuple[Row, str]] = {}  # the state before, and the move, for each state
        self._waiting: dict[_Place, dict[Row, tuple[SearchState, Row, str]]] = {}
        self._best: tuple[_Place, SearchState] | None = None
        self.turns = 0
        """Fewer turns are refuted."""
        self.found: tuple[int, Line] | None = None
        """The fewest turns, and a line."""

    def run(self) -> bool:
        """Search; returns whether the answer is known. Raises ``LimitReached``."""
        prover, within = self._prover, self._prover.puzzle.within
        root = prover.state_of(prover.puzzle.state.facts)
        if root.reached:
            self.found = 0, ()
        elif not root.over:
            self._waiting[int(root.attacks), 0] = {root.key: (root, root.key, "")}
        while self._waiting:
            self.turns, plies = place = min(self._waiting)
            if within is not None and self.turns > within:
                break
            if self._best and (self.turns, plies + 1) >= self._best[0]:
                break
            self._progress(self.turns, plies)
            for state, before, move in self._waiting.pop(place).values():
                prover.budget.check()
                if prover.table.worker.evaluated > _WIDEST:
                    return False
                if state.key not in self._way:
                    self._way[state.key] = before, move
                    self._visit(state, place)
        if self._best:
            (turns, plies), last = self._best
            if within is None or turns <= within:
                self._progress(turns, plies)
                self.found = turns, tuple(self._line(last))
        return True

    def _visit(self, state: SearchState, place: _Place) -> None:
        turns, plies = place
        alone = self._prover.puzzle.defender is None
        for move, child in self._prover.children(state):
            later = turns + (child.attacks and (alone or not state.attacks)), plies + 1
            if child.reached:
                self._note((turns, plies + 1), child, state, move)
            elif child.attacks and child.at_once:
                self._note((later[0], plies + 2), child, state, move)
            elif not child.over and child.key not in self._way:
                self._waiting.setdefault(later, {}).setdefault(child.key, (child, state.key, move))

    def _note(self, place: _Place, child: SearchState, state: SearchState, move: str) -> None:
        if self._best is None or place < self._best[0]:
            self._best = place, child
            self._way[child.key] = state.key, move

    def _line(self, last: SearchState) -> list[str]:
        line = [move for move, child in self._prover.children(last) if child.reached][:1]
        key = last.key
        while self._way[key][1]:
            key, move = self._way[key]
            line.insert(0, move)
        return line


def _shortest(
    puzzle: Puzzle, play: UnrolledPlay, progress: Progress, fewest: int
) -> Generator[None, None, tuple[int, Line] | None]:
    """The fewest turns, and a line; None if no line reaches the goal within the turns allowed.

    Fewer turns than ``fewest`` are refuted.
    """
    for turns in count(fewest):
        if puzzle.within is not None and turns > puzzle.within:
            return None
        for ply in count():
            progress(turns, ply)
            line = yield from play.reach(ply, turns)
            if line is not None:
                return turns, line
            if not (yield from play.continues(ply, turns)):
                break
        if not (yield from play.continues(ply)):
            return None
    return None
