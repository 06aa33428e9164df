"""The shortest line to a puzzle's goal if both sides cooperate.

A breadth-first search looks first, and clingo's solver where that becomes too wide.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from itertools import count, islice
from typing import TYPE_CHECKING

from ...propnet.kernel import kernel
from ...puzzle.problem import Puzzle
from ...puzzle.solution import Cooperation, line_texts
from ...runtime.budget import MOST_RULES, Budget
from ...runtime.errors import LimitReached
from ..search.kernel_search import UNBOUNDED, KernelSearch, SearchState
from ..unfit_states import unfit

# Modules that import clingo are imported in functions.
if TYPE_CHECKING:
    from ..search.puzzle_search import Search
    from .unrolled_play import Line, UnrolledPlay

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
        search = _BreadthFirst(puzzle, KernelSearch(puzzle, net))
        if search.run(budget, progress):
            found = search.found
        else:
            from ...asp.solving import finish
            from .unrolled_play import UnrolledPlay

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
    puzzle: Puzzle, search: Search, most: int, budget: Budget, widest: int
) -> tuple[int, list[Line]] | None:
    """The fewest turns to a puzzle's goal if both sides cooperate, and all shortest lines.

    ``search`` has tables of the same goal. At most ``most`` lines; none if the goal is out of
    reach. None if more than ``widest`` states must be evaluated. Raises ``LimitReached``, and as
    ``together`` does.
    """
    found = _BreadthFirst(puzzle, search.table, widest)
    return (found.turns, found.lines(most, budget)) if found.run(budget) else None


class HelpLines:
    """All lines of given lengths to a puzzle's goal if both sides cooperate."""

    def __init__(self, puzzle: Puzzle, search: Search, budget: Budget, widest: int) -> None:
        """``search`` has tables of the same goal. ``widest`` limits the evaluated states."""
        self._puzzle, self._budget, self._widest = puzzle, budget, widest
        self._table = search.table
        self._root = search.table.state_of(puzzle.state.facts)
        self._first = self._search_of(puzzle, self._root)
        self._known: dict[tuple[bytes, int], list[Line]] = {}

    def lines(self, plies: int, most: int) -> list[Line]:
        """At most ``most`` lines of exactly so many plies; the attacker makes the last move.

        The goal isn't reached before the last ply. Raises ``LimitReached`` also if too many states
        must be evaluated, and as ``together`` does.
        """
        root = self._root
        if root.reached or root.over:
            return []
        longest = plies if self._puzzle.within is None else 2 * self._puzzle.within - root.attacks
        found = self._shortest(self._first, plies, most) if longest > _BRIEF_PLIES else None
        return list(islice(self._below(root, plies, most), most)) if found is None else found

    def _search_of(self, puzzle: Puzzle, state: SearchState) -> _BreadthFirst:
        return _BreadthFirst(puzzle, self._table, self._widest, state)

    def _shortest(self, search: _BreadthFirst, plies: int, most: int) -> list[Line] | None:
        """The lines of a length, if there are no shorter ones."""
        if not search.run(self._budget, turns=search.turns_in(plies)):
            raise LimitReached(f"no answer within {self._widest:,} positions")
        if search.found is None or len(search.found[1]) > plies:
            return []
        return search.lines(most, self._budget) if len(search.found[1]) == plies else None

    def _lines(self, state: SearchState, plies: int, most: int) -> list[Line]:
        key, found = (state.key, plies), None
        if key in self._known:
            return self._known[key]
        self._budget.check()
        if plies > _BRIEF_PLIES:
            later = replace(self._puzzle, within=(plies + state.attacks) // 2)
            found = self._shortest(self._search_of(later, state), plies, most)
        if found is None:
            found = list(islice(self._below(state, plies, most), most))
        self._known[key] = found
        return found

    def _below(self, state: SearchState, plies: int, most: int) -> Iterator[Line]:
        for term, child in self._table.children(state):
            if plies == 1:
                if child.reached:
                    yield (term,)
            elif not (child.reached or child.over):
                yield from ((term, *rest) for rest in self._lines(child, plies - 1, most))


class _BreadthFirst:
    """Visits the states with the fewest turns first, and among them those with the fewest plies."""

    def __init__(
        self,
        puzzle: Puzzle,
        table: KernelSearch,
        widest: int | None = None,
        state: SearchState | None = None,
    ) -> None:
        """``table`` has tables of the same goal.

        If the first ``state`` is given, the defender's moves after the last turn are left out, as
        none reaches the goal.
        """
        self._puzzle, self._table, self._is_brief = puzzle, table, state is not None
        self._root = state or table.state_of(puzzle.state.facts)
        self._widest = _WIDEST[0] if widest is None else widest
        self._search, self._is_done = None, False
        self.turns = 0
        """Fewer turns are refuted."""
        self.found: tuple[int, Line] | None = None
        """The fewest turns, and a line."""

    def run(
        self,
        budget: Budget,
        progress: Progress = lambda _turns, _plies: None,
        turns: int = UNBOUNDED,
    ) -> bool:
        """Search, or go on; returns whether the answer is known. Raises ``LimitReached``.

        With ``turns`` it is enough to know whether so many turns suffice.
        """
        puzzle, library, root = self._puzzle, kernel(), self._root
        if root.reached or root.over:
            self.found = (0, ()) if root.reached else None
            return True
        if not self._search:
            within = UNBOUNDED if puzzle.within is None else puzzle.within
            self._tables = self._table.tables
            given = self._tables.address, root.key, root.attacks, within
            self._owner = library.owned(library.together_new(*given), "together_free")
            self._search = self._owner.pointer
        report = library.ffi.new("struct together_report *")
        library.together_report(self._search, report)
        spent = report.evaluated
        while not self._is_done and self.turns <= turns:
            if report.evaluated > self._widest or report.bytes > _WIDEST[1]:
                return False
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
                self._is_done = True
                return True
            if status == library.MIXED:
                raise unfit(puzzle)
            if status == library.LEFT_OUT:
                self._use_general()
            elif status == library.DONE:
                self._is_done = not report.late or self._is_brief or self._table.is_quiet
                self._check(self._is_done or library.together_go_on(self._search))
            else:
                self._check(status == library.MORE)
        return True

    def turns_in(self, plies: int) -> int:
        """How many turns the attacker begins in lines of so many plies that end with its move."""
        return (plies + self._root.attacks) // 2

    def _use_general(self) -> None:
        """Continue with tables that have all phases."""
        self._table.make_general()
        self._tables = self._table.tables
        self._check(kernel().together_use(self._search, self._tables.address))

    def lines(self, most: int, budget: Budget) -> list[Line]:
        """After ``run``, all shortest lines, but at most ``most``."""
        library = kernel()
        if not self.found or not self.found[1]:
            return [()] if self.found else []
        while (status := library.together_mark(self._search, _SLICE)) != library.DONE:
            budget.check()
            if status == library.LEFT_OUT:
                self._use_general()
            else:
                self._check(status == library.MORE)
        walk = self._walk(self._root, int(self._root.attacks), ())
        return list(islice(walk, most))

    def _walk(self, state: SearchState, turns: int, line: Line) -> Iterator[Line]:
        """The shortest lines from a state on one of them."""
        alone = self._puzzle.defender is None
        for term, child in self._table.children(state):
            after = turns + (child.attacks and (alone or not state.attacks))
            if child.reached:
                if (turns, len(line)) == self._last:
                    yield (*line, term)
            elif kernel().together_is_marked(self._search, child.key, after, len(line) + 1):
                yield from self._walk(child, after, (*line, term))

    def _line(self, plies: int) -> Line:
        size = len(self._root.key)
        rows = bytearray((plies + 2) * size)
        kernel().together_way(self._search, kernel().array("uint8_t[]", rows))
        line, state = [], self._root
        for at in range(size, len(rows), size):
            row = bytes(rows[at : at + size])
            term, state = next(pair for pair in self._table.children(state) if pair[1].key == row)
            line.append(term)
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
