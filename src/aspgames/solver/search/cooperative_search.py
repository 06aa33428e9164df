"""The shortest line to a puzzle's goal if both sides cooperate.

A breadth-first search looks first, and clingo's solver where that becomes too wide.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from itertools import count, islice, pairwise
from typing import TYPE_CHECKING

from ...propnet.gate_tables import row_bytes
from ...propnet.kernel import kernel
from ...propnet.net import Net
from ...puzzle.problem import Puzzle
from ...puzzle.solution import Cooperation, line_texts
from ...runtime.budget import MOST_RULES, Budget
from ...runtime.errors import LimitReached
from ..unfit_states import unfit
from .kernel_search import UNBOUNDED, SearchState, SearchThread
from .puzzle_tables import PuzzleTables

# Modules that import clingo are imported in functions.
if TYPE_CHECKING:
    from ..planner.unrolled_play import Line, UnrolledPlay
    from .puzzle_search import Search

_WIDEST = 200_000_000, 4 << 30  # states evaluated in the breadth-first search, and its bytes
_BRIEF_PLIES = 3  # plies of lines that are found without a look at the shortest one
_SLICE = 100_000  # states between looks at the clock

Progress = Callable[[int, int], None]
"""Takes the current numbers of turns and of plies."""


def together(
    puzzle: Puzzle, budget: Budget | None = None, progress: Progress = lambda _turns, _plies: None
) -> Cooperation:
    """Find the shortest line to a puzzle's goal if both sides cooperate.

    If a limit is reached, the verdict is ``unknown``. Raises ``BadRequest`` if the sides don't take
    turns, and ``RulesError`` if a state doesn't determine everything that follows from it.
    """
    from ...propnet.reachable_nets import net_for

    budget = budget or Budget()
    try:
        net = net_for(puzzle.state.game.rules, puzzle.state.facts, MOST_RULES, budget)
        search = _BreadthFirst(puzzle, net)
        if search.run(budget, progress):
            found = search.found
        else:
            from ...asp.solving import finish
            from ..planner.unrolled_play import UnrolledPlay

            play = UnrolledPlay(puzzle, net)
            found = finish(_shortest(puzzle, play, progress, search.turns), budget.check)
    except LimitReached:
        return Cooperation("unknown", None, (), (), budget.seconds)
    if found is None:
        return Cooperation("impossible", None, (), (), budget.seconds)
    turns, line = found
    text = tuple(line_texts(puzzle.state, line))
    return Cooperation("possible", turns, line, text, budget.seconds)


def shortest_lines(
    puzzle: Puzzle, net: Net, most: int, budget: Budget, widest: int
) -> tuple[int, list[Line]] | None:
    """The fewest turns to a puzzle's goal if both sides cooperate, and all shortest lines.

    At most ``most`` lines; none if the goal is out of reach. None if more than ``widest`` states
    must be evaluated. Raises ``LimitReached``, and as ``together`` does.
    """
    search = _BreadthFirst(puzzle, net, widest)
    if not search.run(budget, lambda _turns, _plies: None):
        return None
    return search.turns, search.lines(most, budget)


def lines_of_length(
    puzzle: Puzzle, search: Search, plies: int, most: int, budget: Budget, widest: int
) -> list[Line]:
    """All lines of exactly so many plies to a puzzle's goal if both sides cooperate.

    The attacker makes the last move. ``search`` has tables of the same goal.
    At most ``most`` lines; the goal isn't reached before the last ply. Raises ``LimitReached`` also
    if more than ``widest`` states must be evaluated, and as ``together`` does.
    """
    net, thread = search.prover.net, search.prover.table.worker
    known: dict[tuple[bytes, int], list[Line]] = {}

    def below(state: SearchState, plies: int) -> Iterator[Line]:
        for place, child in sorted(first.children(state), key=lambda pair: pair[0]):
            term = net.moves[place][1]
            if plies == 1:
                if child.reached:
                    yield (term,)
            elif not (child.reached or child.over):
                yield from ((term, *rest) for rest in lines(child, plies - 1))

    def lines(state: SearchState, plies: int) -> list[Line]:
        key = state.key, plies
        if key not in known:
            known[key] = found(state, plies)
        return known[key]

    def found(state: SearchState, plies: int) -> list[Line]:
        budget.check()
        if plies > _BRIEF_PLIES:
            later = replace(puzzle, within=(plies + state.attacks) // 2)
            widely = _BreadthFirst(later, net, widest, thread, state.key)
            if not widely.run(budget, lambda _turns, _plies: None):
                raise LimitReached(f"no answer within {widest:,} positions")
            if widely.found is None or len(widely.found[1]) > plies:
                return []
            if len(widely.found[1]) == plies:
                return widely.lines(most, budget)
        return list(islice(below(state, plies), most))

    first = _BreadthFirst(puzzle, net, widest, thread)
    state = first.start()
    return [] if state.reached or state.over else lines(state, plies)


class _BreadthFirst:
    """Visits the states with the fewest turns first, and among them those with the fewest plies."""

    def __init__(
        self,
        puzzle: Puzzle,
        net: Net,
        widest: int | None = None,
        thread: SearchThread | None = None,
        row: bytes | None = None,
    ) -> None:
        """With a ``thread`` of the same goal, the defender's moves after the last turn are left
        out, as none reaches the goal. ``row`` is the first state, if it isn't the puzzle's.
        """
        self._puzzle, self._net, self._given, self._row = puzzle, net, thread, row
        self._widest = _WIDEST[0] if widest is None else widest
        self.turns = 0
        """Fewer turns are refuted."""
        self.found: tuple[int, Line] | None = None
        """The fewest turns, and a line."""

    def run(self, budget: Budget, progress: Progress) -> bool:
        """Search; returns whether the answer is known. Raises ``LimitReached``."""
        puzzle, library, root = self._puzzle, kernel(), self.start()
        if root.reached or root.over:
            self.found = (0, ()) if root.reached else None
            return True
        within = UNBOUNDED if puzzle.within is None else puzzle.within
        row = library.array("uint8_t[]", root.key)
        given = self._tables.address, row, root.attacks, within
        self._owner = library.owned(library.together_new(*given), "together_free")
        self._search, spent = self._owner.pointer, 0
        report = library.ffi.new("struct together_report *")
        while report.evaluated <= self._widest and report.bytes <= _WIDEST[1]:
            budget.check()
            left = 1 + self._widest - report.evaluated
            status = library.together_run(self._search, min(_SLICE, left))
            library.together_report(self._search, report)
            budget.spend(report.evaluated - spent)
            spent, self.turns = report.evaluated, report.turns
            progress(report.turns, report.plies + report.found)
            if report.found:
                self._last = report.turns, report.plies
                self.found = report.turns, self._line(report.plies)
                return True
            if status == library.MIXED:
                raise unfit(puzzle)
            if status == library.LEFT_OUT:
                self._use(general=True)
                self._check(library.together_use(self._search, self._tables.address))
            elif status == library.DONE:
                if not report.late or self._given or self._is_quiet():
                    return True
                self._check(library.together_go_on(self._search))
            else:
                self._check(status == library.MORE)
        return False

    def start(self) -> SearchState:
        """The state in which the search begins. Raises ``BadRequest`` if the sides don't wait."""
        self._use(general=False)
        row = self._row
        if row is None:
            facts = set(self._puzzle.state.facts)
            bits = sum(1 << place for place, f in enumerate(self._net.fluents) if f in facts)
            row = bits.to_bytes(row_bytes(len(self._net.fluents)), "little")
        if not (root := self._thread.judge(row)):
            self._use(general=True)
            root = self._thread.judge(row)
            assert root
        self._root = root
        return root

    def children(self, state: SearchState) -> Sequence[tuple[int, SearchState]]:
        """The states after the moves, each with its move's place among the net's."""
        status, found = self._thread.expand(state.key)
        if status != kernel().LEFT_OUT:
            return found
        self._use(general=True)
        return self.children(state)

    def lines(self, most: int, budget: Budget) -> list[Line]:
        """After ``run``, all shortest lines, but at most ``most``."""
        library = kernel()
        if not self.found or not self.found[1]:
            return [()] if self.found else []
        while (status := library.together_mark(self._search, _SLICE)) != library.DONE:
            budget.check()
            if status == library.LEFT_OUT:
                self._use(general=True)
                self._check(library.together_use(self._search, self._tables.address))
            else:
                self._check(status == library.MORE)
        walk = self._walk(self._root, int(self._root.attacks), ())
        return list(islice(walk, most))

    def _walk(self, state: SearchState, turns: int, line: Line) -> Iterator[Line]:
        """The shortest lines from a state on one of them."""
        alone = self._puzzle.defender is None
        children = self._thread.expand(state.key)[1]
        for term, child in sorted((self._net.moves[move][1], child) for move, child in children):
            after = turns + (child.attacks and (alone or not state.attacks))
            row, plies = kernel().array("uint8_t[]", child.key), len(line) + 1
            if child.reached:
                if (turns, len(line)) == self._last:
                    yield (*line, term)
            elif kernel().together_is_marked(self._search, row, after, plies):
                yield from self._walk(child, after, (*line, term))

    def _use(self, general: bool) -> None:
        given = self._given
        if not given or (general and not given.tables.general):
            given = SearchThread(PuzzleTables(self._puzzle, self._net, general, lemmas=False))
        self._thread, self._tables = given, given.tables

    def _is_quiet(self) -> bool:
        """Whether it is proved that the defender's own moves never reach the goal."""
        return PuzzleTables(self._puzzle, self._net, self._tables.general, lemmas=True).quiet

    def _line(self, plies: int) -> Line:
        size = row_bytes(len(self._net.fluents))
        rows = bytearray((plies + 2) * size)
        kernel().together_way(self._search, kernel().array("uint8_t[]", rows))
        states = [bytes(rows[at : at + size]) for at in range(0, len(rows), size)]
        line = []
        for before, after in pairwise(states):
            _, children = self._thread.expand(before)
            moves = (self._net.moves[move][1] for move, child in children if child.key == after)
            line.append(min(moves))
        return tuple(line)

    @staticmethod
    def _check(is_well: bool) -> None:
        if not is_well:
            raise LimitReached("there is no memory to search with")


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
