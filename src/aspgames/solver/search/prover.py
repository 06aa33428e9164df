"""The search itself: a growing transposition table, and questions about its states.

It uses proof-number search (Allis, van der Meulen and van den Herik 1994, *Proof-number search*),
depth first as df-pn (Nagai 2002), in C.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ...gdl.rules import Facts
from ...propnet.gate_tables import row_bytes
from ...propnet.kernel import Pointer, kernel
from ...propnet.net import Net
from ...puzzle.problem import Puzzle
from ...puzzle.question import turns_text
from ...puzzle.solved import MEMORY_BYTES, contradiction
from ...runtime.budget import Budget
from ...runtime.errors import LimitReached
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
from .puzzle_tables import PuzzleTables

if TYPE_CHECKING:
    from ..planner.planner import Planner

_FIRST_ROUND = 2000  # evaluations, of up to 512 positions each
_EVEN_EFFORT = 8000  # evaluations in a round; in longer rounds depth-first search gets more:
_FAVOUR_FACTOR = 3
_EASY_EFFORT = 20_000  # evaluations after which lemmas and several threads pay
_LEMMA_FACTOR = 100  # times as long as tables without lemmas, those with lemmas take at most
_SLICE_SECONDS = 0.1  # seconds of search between looks at the clock; at most so many evaluations:
_LONGEST_SLICE = 1 << 30


Aside = Callable[[float], bool]
"""Works beside the search for about so many seconds; returns whether the search should stop."""


def rounds() -> Iterator[tuple[float, float]]:
    """Pairs of evaluations, for proof-number search and for depth-first search.

    If proof-number search doesn't soon avoid most of the tree, it seldom does later. So depth-first
    search gets more from then on.
    """
    effort, spent = float(_FIRST_ROUND), 0.0
    while True:
        yield effort, effort if effort < _EVEN_EFFORT else _FAVOUR_FACTOR * effort
        spent += effort
        effort = max(effort, spent / 4)


class Prover:
    """Answers questions about one puzzle's states; each answer uses earlier results."""

    def __init__(
        self,
        puzzle: Puzzle,
        net: Net,
        budget: Budget,
        memory: float | None = None,
        progress: Callable[[str], None] | None = None,
        threads: int = 1,
        pause: Callable[[], None] | None = None,
    ) -> None:
        """``memory`` is in bytes, ``budget`` limits all questions together.

        ``pause`` is called now and then, between searches.
        """
        self.puzzle = puzzle
        """The puzzle; the questions are about many of its positions."""
        self.budget = budget
        """The limits on all further questions."""
        self.memory = memory
        """The limit on the transposition table [bytes]; None for the default."""
        self._threads = threads
        self._progress = progress or (lambda _text: None)
        self._pause = pause or (lambda: None)
        self.net = net
        self._bits = {fluent: 1 << place for place, fluent in enumerate(self.net.fluents)}
        self._slice = 200
        self.made = 0
        """The number of evaluations, including those of an earlier run."""
        self._spent = 0.0  # seconds of search in this run, and its evaluations:
        self._made_here = 0
        self.planner: Planner | None = None
        """The planner of the question, if there is one."""
        began = time.monotonic()
        self.tables = PuzzleTables(puzzle, self.net, general=False, lemmas=False)
        """The search's tables; they are made again when they lack something."""
        self._making = time.monotonic() - began  # the time for tables without lemmas [s]
        self.start_anew()

    def begin(self, budget: Budget) -> None:
        """Begin another question, which gets its own limits and planner."""
        self.budget, self.planner, self.pace = budget, None, Pace()

    def start_anew(self) -> None:
        """Clear the transposition table."""
        self.cyclic = False
        """Whether play may be cyclic; then breadth-first search replaces proof-number search."""
        self.roomy = True
        """Whether the table may have room for all reachable states."""
        self.pace = Pace()
        """The effort after which each number of turns was refuted at the root."""
        self._counted = 0
        self.earlier = 0, 0.0
        """The positions and the seconds of earlier runs, which a file has kept."""
        self.table = KernelSearch(self.tables, int(self.memory or MEMORY_BYTES))

    def _remake_tables(self, general: bool, lemmas: bool) -> None:
        self.tables = PuzzleTables(self.puzzle, self.net, general, lemmas)
        self.table.use(self.tables)

    def prove_lemmas(self) -> None:
        """Make tables with lemmas, unless they have some."""
        if not self.tables.lemmas:
            self._remake_tables(self.tables.general, lemmas=True)

    def make_general(self) -> None:
        """Make tables that have all phases, unless they have them."""
        if not self.tables.general:
            self._remake_tables(True, self.tables.lemmas)

    def state_of(self, facts: Facts) -> SearchState:
        """The search's form of a state that is reachable from the puzzle's position."""
        bits = 0
        for fact in facts:
            bits |= self._bits.get(fact, 0)
        row = bits.to_bytes(row_bytes(len(self._bits)), "little")
        if found := self.table.worker.judge(row):
            return found
        self.make_general()
        return self.state_of(facts)

    def children(self, state: SearchState) -> list[tuple[str, SearchState]]:
        """The moves of the side on move, sorted, each with the state after it."""
        if state.reached or state.over:
            return []
        status, children = self.table.worker.expand(state.key)
        if status == kernel().LEFT_OUT:
            self.make_general()
            return self.children(state)
        if status == kernel().MIXED:
            raise unfit(self.puzzle)
        moves = self.net.moves
        return sorted((moves[move][1], child) for move, child in children)

    def _known(self, state: SearchState) -> Pointer:
        return self.table.report(state.key, state.attacks)

    def bounds(self, state: SearchState) -> tuple[int, int]:
        """A lower and an upper bound of the fewest turns that suffice.

        The lower bound is above ``UNBOUNDED`` if no number suffices, the upper bound if no
        sufficient number is known.
        """
        known = self._known(state)
        return known.lower, known.upper

    def work(
        self,
        state: SearchState,
        turns: int,
        effort: float,
        mode: str = BY_NUMBERS,
        aside: Aside | None = None,
    ) -> bool:
        """Search for ``effort`` evaluations; returns whether ``turns`` turns are decided.

        ``aside`` works beside the search, in the same thread.
        Raises ``LimitReached``, and ``BadRequest`` if the sides don't take turns.
        """
        swept, library = False, kernel()
        while effort >= 1:
            self.budget.check()
            self._pause()
            left = self.budget.seconds_left
            if self.made >= _EASY_EFFORT and left > _LEMMA_FACTOR * self._making:
                self.prove_lemmas()
            node = self._known(state).node
            # An evaluation covers up to 512 positions.
            part = int(min(effort, self._slice, max(1, self.budget.positions_left / 1000)))
            start = time.monotonic()
            threads = self._threads if self.made >= _EASY_EFFORT and not aside else 1
            seconds = max(left, 1e-3) if left < math.inf else 0.0
            status = self.table.run(node, turns, part, seconds, mode, threads)
            spent = time.monotonic() - start
            known = self._known(state)
            self._spent += spent
            self._made_here += part - known.left
            self.made += part - known.left
            effort -= part - known.left
            self._count(known)
            if aside and aside(spent):
                return False
            if status == library.DONE:
                if known.lower <= turns < known.upper:
                    raise contradiction()
                return True
            if status == library.MORE:
                if part == self._slice:
                    self._slice = min(
                        _LONGEST_SLICE,
                        max(10, int(part * min(2.0, max(0.5, _SLICE_SECONDS / (spent + 1e-9))))),
                    )
                self._report(state, known, turns)
                if known.lower > turns or known.upper <= turns:
                    return True
                if known.left == part:
                    return False  # this search is stuck; the other may make progress
            elif status == library.FULL:
                self.table.sweep(enough=not swept or known.left < part)
                swept = True
                if mode == BREADTH_FIRST:
                    self.roomy = False
                    return False
            elif status == library.LEFT_OUT:
                self.make_general()
            elif status == library.MIXED:
                raise unfit(self.puzzle)
            else:
                assert status == library.DEEP
                if self.cyclic and not self.roomy:
                    raise LimitReached("a line of play is too long")
                self.cyclic = True
                return False
        return False

    def numbers(self, state: SearchState) -> tuple[int, int]:
        """The proof and the disproof number, for the last number of turns searched."""
        known = self._known(state)
        return known.proof, known.disproof

    def work_widely(
        self, state: SearchState, turns: int, effort: float, aside: Aside | None = None
    ) -> bool:
        """Search by proof numbers, or breadth first where play may be cyclic."""
        if not self.cyclic:
            return self.work(state, turns, effort, aside=aside)
        return self.roomy and self.work(state, turns, effort, BREADTH_FIRST, aside=aside)

    def _count(self, known: Pointer) -> None:
        evaluated = known.evaluated
        self.budget.spend(evaluated - self._counted)
        self._counted = evaluated

    @property
    def spent(self) -> tuple[int, float]:
        """The positions and the seconds of all runs."""
        positions, seconds = self.earlier
        return positions + self._counted, seconds + self.budget.seconds

    def _report(self, state: SearchState, known: Pointer, turns: int) -> None:
        (positions, seconds), pace = self.spent, self.pace
        speed = self._counted / max(self.budget.seconds, 1e-9)
        number = math.inf if turns >= UNBOUNDED else turns + state.attacks
        estimate = pace.text(self.made, self._made_here / max(self._spent, 1e-9))
        if estimate:
            number = pace.marks[-1][0] + 1
        else:
            estimate = f"proof number {known.proof:,}, disproof number {known.disproof:,}"
        self._progress(
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
            lower, upper = self.bounds(state)
            if upper <= turns or lower > turns:
                return upper <= turns
            if not self.work_widely(state, turns, by_numbers):
                self.work(state, min(turns, lower), depth_first, DEPTH_FIRST)
        raise AssertionError  # there is no last round

    def look(self, state: SearchState, turns: int, most: int, effort: float) -> None:
        """Search for ``effort`` evaluations, or until a state is decided for ``turns`` turns.

        Proof-number search uses ``most`` turns, as at the root.
        """
        until = self.made + effort
        for by_numbers, depth_first in rounds():
            before = self.made
            lower, upper = self.bounds(state)
            if upper <= turns or lower > turns:
                return
            self.work_widely(state, most, min(by_numbers, until - before))
            self.work(state, min(turns, lower), min(depth_first, until - self.made), DEPTH_FIRST)
            if until - self.made < 1 or self.made == before:
                return

    def plan(
        self, state: SearchState, attack: bool, turns: int, width: int
    ) -> list[str | None] | None:
        """A plan for one side by ply, with None for the other side's moves; None without a plan."""
        moves = self.table.worker.plan(state.key, attack, turns, width)
        if moves is None:
            return None
        return [self.net.moves[move][1] if move >= 0 else None for move in moves]
