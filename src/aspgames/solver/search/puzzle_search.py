"""The answer to a puzzle: the verdict, the least distance, every key and a longest line."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ...game.state import State
from ...propnet.kernel import Pointer, kernel
from ...propnet.net import Net
from ...propnet.threads import number_of
from ...puzzle.problem import Puzzle, bounds_text
from ...puzzle.question import turns_text
from ...puzzle.solved import Solved, contradiction
from ...runtime.budget import MOST_RULES, Budget
from ...runtime.errors import Interrupted, LimitReached
from ..unfit_states import unfit
from .kernel_search import (
    BREADTH_FIRST,
    BY_NUMBERS,
    DEPTH_FIRST,
    UNBOUNDED,
    KernelSearch,
    SearchState,
)
from .pace import Pace, duration, in_short
from .searched_position import Searched

if TYPE_CHECKING:
    from ..planner.planner import Planner
    from ..planner.unrolled_play import Line
    from .saved_search import SavedSearch

_EASY_EFFORT = 20_000  # evaluations after which lemmas and several threads pay
_LEMMA_FACTOR = 100  # times as long as tables without lemmas, those with lemmas take at most
_SLICE_SECONDS = 0.1  # seconds of search between looks at the clock; at most so many evaluations:
_LONGEST_SLICE = 1 << 30

_PLANNED_EFFORT = 200  # evaluations after which a planner works beside the search for a lone role
_LEAST_SECONDS = 0.02  # the least time for the planner between two parts of the search [s]


def rounds() -> Iterator[tuple[int, int]]:
    """Pairs of evaluations, for proof-number search and for depth-first search."""
    library, spent = kernel(), 0
    while True:
        by_numbers, depth_first = (
            library.search_round(spent, mode) for mode in (library.BY_NUMBERS, library.DEPTH_FIRST)
        )
        yield by_numbers, depth_first
        spent += by_numbers


class Search(Solved):
    """One puzzle and its search; see ``Solved``."""

    root: Searched

    def __init__(
        self,
        puzzle: Puzzle,
        budget: Budget,
        progress: Callable[[str], None] | None = None,
        memory: float | None = None,
        most_rules: int = MOST_RULES,
        net: Net | None = None,
        threads: int | None = None,
        resume: Path | None = None,
    ) -> None:
        """Make the ``net`` for the puzzle's position, unless the caller gives one.

        Other arguments are those of ``open_puzzle``. Raises ``BadRequest`` if the sides don't take
        turns or the file ``resume`` is unusable, ``RulesError`` if no net can be made from the
        rules, and ``LimitReached`` if it would be too large.
        """
        self.progress = progress or (lambda _text: None)
        self._threads = number_of(threads)
        if net is None:
            from ...propnet.reachable_nets import net_for  # imports clingo

            net = net_for(puzzle.state.game.rules, puzzle.state.facts, most_rules, budget)
        self._saved: SavedSearch | None = None
        self.table = KernelSearch(puzzle, net, memory)
        """The positions' results, which all questions share."""
        self._ask(puzzle, budget)
        if resume is not None:
            from .saved_search import SavedSearch  # loaded only if necessary

            self._saved = SavedSearch(resume, self)

    def keep(self) -> None:
        """Write the search into its file, if it has one. Raises ``BadRequest``."""
        if self._saved:
            self._saved.keep()

    def close(self) -> None:
        """End an unfinished write of the search."""
        if self._saved:
            self._saved.close()

    def for_attacker(self, attacker: str) -> Search:
        """This puzzle for another attacker, with the same net."""
        puzzle = replace(self.puzzle, attacker=attacker)
        return Search(
            puzzle,
            Budget(),
            self.progress,
            self.table.memory,
            net=self.table.net,
            threads=self._threads,
        )

    def forget(self) -> None:
        """Clear the transposition table, so that results don't depend on earlier questions."""
        self.table.start_anew()
        self.table.made = 0

    @property
    def turns_left(self) -> float:
        """The number of turns that the attacker may begin after the position."""
        return math.inf if self.limit >= UNBOUNDED else self.limit - self.root.attacks

    @property
    def fluents(self) -> Sequence[str]:
        """The fluents that the net leaves open."""
        return self.table.net.fluents

    def _ask(self, puzzle: Puzzle, budget: Budget) -> None:
        self.puzzle, self.budget = puzzle, budget
        self.planner: Planner | None = None
        """The planner that works beside the search, if there is one."""
        self.lines: Mapping[bytes, Line] = {}
        """Shortest lines that it has found, by the rows of their first states."""
        self.pace = Pace()
        """The effort after which each number of turns was refuted."""
        self.earlier = 0, 0.0
        """The positions and the seconds of earlier runs, which a file has kept."""
        self._searched = 0, 0.0  # the evaluations for this question, and their time [s]
        self.limit = UNBOUNDED if puzzle.within is None else min(puzzle.within, UNBOUNDED)
        """The limit on turns, ``UNBOUNDED`` for any number."""
        self.refuted = -1  # the most turns that are known to be too few
        self.root = Searched.of(self, self.table.state_of(puzzle.state.facts))

    @property
    def bounds(self) -> tuple[float, float]:
        """The search's bounds, or the planner's if they are tighter."""
        refuted, most = super().bounds
        if planner := self.planner:
            refuted = max(refuted, planner.refuted)
            most = min(most, math.inf if planner.line is None else len(planner.line))
        return refuted, most

    def line_texts(self, line: Sequence[str]) -> Iterator[str]:
        """The moves of a line as people write them."""
        state, position = self.puzzle.state, self.root
        for move in line:
            yield state.move_text(move)
            position = dict(position.children())[move]
            state = State(state.game, position.facts)

    def _tell(self, text: str) -> None:
        """Report the progress, with the bounds of the distance."""
        refuted, most = self.bounds
        known = f"Not within {refuted:.0f}. " if 0 <= refuted < math.inf else ""
        if most < math.inf:
            known = f"Forced {bounds_text(most, refuted)}. "
        trouble = self._saved.trouble if self._saved else ""
        self.progress(trouble + known + text)

    # --- the search -------------------------------------------------------------------------------

    def work(
        self,
        state: SearchState,
        turns: int,
        effort: float,
        mode: str = BY_NUMBERS,
        planned: bool = False,
    ) -> bool:
        """Search for ``effort`` evaluations; returns whether ``turns`` turns are decided.

        If it is ``planned``, the planner works beside the search, in the same thread.
        Raises ``LimitReached``, and ``BadRequest`` if the sides don't take turns.
        """
        swept, library, table, budget = False, kernel(), self.table, self.budget
        while effort >= 1:
            budget.check()
            if self._saved:
                self._saved.keep_in_time()
            left = budget.seconds_left
            if table.made >= _EASY_EFFORT and left > _LEMMA_FACTOR * table.making:
                table.prove_lemmas()
            node = table.report(state).node
            # An evaluation covers up to 512 positions.
            part = int(min(effort, table.slice, max(1, budget.positions_left / 1000)))
            start = time.monotonic()
            threads = self._threads if table.made >= _EASY_EFFORT and not planned else 1
            seconds = max(left, 1e-3) if left < math.inf else 0.0
            status = table.run(node, turns, part, seconds, mode, threads)
            spent = time.monotonic() - start
            known = table.report(state)
            made = part - known.left
            table.made += made
            self._searched = self._searched[0] + made, self._searched[1] + spent
            effort -= made
            budget.spend(known.evaluated - table.counted)
            table.counted = known.evaluated
            if planned and self._plan(spent):
                return False
            if status == library.DONE:
                if known.lower <= turns < known.upper:
                    raise contradiction()
                return True
            if status == library.MORE:
                if part == table.slice:
                    table.slice = min(
                        _LONGEST_SLICE,
                        max(10, int(part * min(2.0, max(0.5, _SLICE_SECONDS / (spent + 1e-9))))),
                    )
                self._report(state, known, turns)
                if known.lower > turns or known.upper <= turns:
                    return True
                if known.left == part:
                    return False  # this search is stuck; the other may make progress
            elif status == library.FULL:
                table.sweep(enough=not swept or known.left < part)
                swept = True
                if mode == BREADTH_FIRST:
                    table.roomy = False
                    return False
            elif status == library.LEFT_OUT:
                table.make_general()
            elif status == library.MIXED:
                raise unfit(self.puzzle)
            else:
                assert status == library.DEEP
                if table.cyclic and not table.roomy:
                    raise LimitReached("a line of play is too long")
                table.cyclic = True
                return False
        return False

    def work_widely(
        self, state: SearchState, turns: int, effort: float, planned: bool = False
    ) -> bool:
        """Search by proof numbers, or breadth first where play may be cyclic."""
        if not self.table.cyclic:
            return self.work(state, turns, effort, planned=planned)
        return self.table.roomy and self.work(state, turns, effort, BREADTH_FIRST, planned=planned)

    @property
    def spent(self) -> tuple[int, float]:
        """The positions and the seconds of all runs."""
        positions, seconds = self.earlier
        return positions + self.table.counted, seconds + self.budget.seconds

    def _report(self, state: SearchState, known: Pointer, turns: int) -> None:
        (positions, seconds), pace, (made, spent) = self.spent, self.pace, self._searched
        speed = self.table.counted / max(self.budget.seconds, 1e-9)
        number = math.inf if turns >= UNBOUNDED else turns + state.attacks
        estimate = pace.text(self.table.made, made / max(spent, 1e-9))
        if estimate:
            number = pace.marks[-1][0] + 1
        else:
            estimate = f"proof number {known.proof:,}, disproof number {known.disproof:,}"
        self._tell(
            f"Searching {turns_text(number)}: {duration(seconds)}, "
            f"{in_short(positions)} positions, {in_short(speed)} a second, "
            f"{estimate}"
        )

    def forces(self, state: SearchState, turns: int) -> bool:
        """Whether the attacker forces the goal from a state within ``turns`` more turns."""
        if state.reached or state.over or turns < 0:
            return state.reached
        turns = min(turns, UNBOUNDED)
        for by_numbers, depth_first in rounds():
            lower, upper = self.table.bounds(state)
            if upper <= turns or lower > turns:
                return upper <= turns
            if not self.work_widely(state, turns, by_numbers):
                self.work(state, min(turns, lower), depth_first, DEPTH_FIRST)
        raise AssertionError  # there is no last round

    def look(self, state: SearchState, turns: int, most: int, effort: float) -> None:
        """Search for ``effort`` evaluations, or until a state is decided for ``turns`` turns.

        Proof-number search uses ``most`` turns, as at the root.
        """
        until = self.table.made + effort
        for by_numbers, depth_first in rounds():
            before = self.table.made
            lower, upper = self.table.bounds(state)
            if upper <= turns or lower > turns:
                return
            self.work_widely(state, most, min(by_numbers, until - before))
            left = until - self.table.made
            self.work(state, min(turns, lower), min(depth_first, left), DEPTH_FIRST)
            if until - self.table.made < 1 or self.table.made == before:
                return

    # --- the distance -----------------------------------------------------------------------------

    def find_distance(self, first: bool) -> int | None:
        """The least number of turns that suffice, or with ``first`` any such number; None if none.

        Proof-number search (Allis 1994) takes the most turns allowed, depth-first search with
        iterative deepening (Korf 1985) the fewest that may suffice. In cyclic play proof-number
        search might never end, and breadth-first search replaces it.
        """
        root = self.root.state
        if root.reached:
            return 0
        if root.over:
            return None
        # A limit on positions gives the same answer on any machine.
        beside = self.puzzle.defender is None and self.budget.positions_left == math.inf
        try:
            distance = self._bracket(first, beside)
        finally:
            if self.planner:
                self.planner.close()
        self.pace = Pace()
        return distance

    def _bracket(self, first: bool, beside: bool) -> int | None:
        """Search until the bounds of the distance meet, or with ``first`` until one is known."""
        root, begun, limit = self.root.state, int(self.root.attacks), self.limit
        for by_numbers, depth_first in rounds():
            refuted, suffices = self.bounds
            self.refuted = int(min(refuted, UNBOUNDED))
            self.pace.note(self.refuted, self.table.made)
            if self.refuted >= limit:
                return None
            if suffices <= limit and (first or suffices == self.refuted + 1):
                return int(suffices)
            most = int(min(suffices - 1, limit))
            left = most - begun if most < UNBOUNDED else most
            self.work_widely(root, left, by_numbers, planned=beside and self._is_planned)
            if not first or self.table.cyclic:
                fewest, planned = self.refuted + 1 - begun, beside and self._is_planned
                self.work(root, fewest, depth_first, DEPTH_FIRST, planned=planned)
        raise AssertionError  # there is no last round

    @property
    def _is_planned(self) -> bool:
        """Whether the planner hasn't finished, nor given up."""
        return not (self.planner and self.planner.is_over)

    def _plan(self, seconds: float) -> bool:
        """Let the planner work; returns whether it has finished, or given up."""
        if self.table.made < _PLANNED_EFFORT:
            return False
        if self.planner is None:
            from ..planner.planner import Planner  # loaded only if necessary

            self.table.prove_lemmas()
            self.planner = Planner(self.puzzle, self.table.net)
        planner, (lower, _) = self.planner, self.table.bounds(self.root.state)
        planner.refuted = max(planner.refuted, lower - 1 + self.root.attacks)
        return planner.advance(max(seconds, _LEAST_SECONDS)) or planner.refuted >= self.limit

    # --- keys ------------------------------------------------------------------------------------

    def find_keys(self, distance: int) -> list[str]:
        """The keys: by the planner, unless the search knows them."""
        root = self.root
        planner = self.planner
        if planner and any(c.known(distance - 1) is None for _, c in root.children()):
            found = planner.keys(distance, self._reaches, self.budget.check)
            self._note_lines(found)
            return list(found)
        return super().find_keys(distance)

    def _reaches(self, line: Line) -> bool:
        """Whether a line of the attacker's moves reaches the goal."""
        position: Searched | None = self.root
        for move in line:
            position = position and dict(position.children()).get(move)
        return position is not None and position.goal_reached

    def known_keys(self, most: int) -> list[str]:
        """The moves that are known to force the goal; the planner's line begins with one."""
        planner = self.planner
        if not planner or not planner.found:
            return super().known_keys(most)
        self._note_lines(planner.found)
        return sorted({*super().known_keys(most), *planner.found})

    def _note_lines(self, found: Mapping[str, Line]) -> None:
        """Keep shortest lines, by their first moves."""
        after = dict(self.root.children())
        lines = {after[move].state.key: line[1:] for move, line in found.items()}
        self.lines = {**lines, self.root.state.key: next(iter(found.values()))}

    def look_at_moves(self) -> None:
        """Search all children, with more effort each round."""
        effort = 1.0
        states = [child.state for _, child in self.root.children()]
        left = [state for state in states if not (state.reached or state.over)]
        try:
            while left and self.table.roomy:
                left = [s for s in left if not self.work_widely(s, UNBOUNDED, effort)]
                effort *= 4
        except (LimitReached, Interrupted):
            return
