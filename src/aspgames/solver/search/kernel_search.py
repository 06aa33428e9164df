"""The search in C, from Python: one puzzle's transposition table, and its search threads.

It has proof-number search (Allis, van der Meulen and van den Herik 1994, *Proof-number search*),
depth first as df-pn (Nagai 2002), depth-first search by turns, and breadth-first search.
"""

import time
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from ...gdl.rules import Facts
from ...propnet.gate_tables import row_bytes
from ...propnet.kernel import Owned, Pointer, kernel
from ...propnet.net import Net
from ...puzzle.problem import Puzzle
from ...puzzle.solved import MEMORY_BYTES
from ...runtime.budget import unbroken
from ...runtime.errors import LimitReached
from ..unfit_states import unfit
from .puzzle_tables import PuzzleTables

BY_NUMBERS, DEPTH_FIRST, BREADTH_FIRST = "BY_NUMBERS", "DEPTH_FIRST", "BREADTH_FIRST"
"""The searches (``enum aspgames_mode`` in ``aspgames.h``)."""

UNBOUNDED = 30_000
"""Any number of turns."""

_NO_MEMORY = "there is no memory to search with"

Row = bytes
"""A state: a bit for each of the net's fluents, in whole words."""


class SearchState(NamedTuple):
    """A state in the search."""

    key: Row
    reached: bool
    over: bool
    """Whether the game ends here without the goal, or nobody can move."""
    attacks: bool
    """Whether the attacker is on move."""


class TableArray(NamedTuple):
    """An array of a transposition table (``native/parts.h``)."""

    item: int
    """The size of each item [bytes]."""
    data: memoryview
    """The used items; valid while the table doesn't grow."""


class KernelSearch:
    """A puzzle's states: a growing transposition table, which all questions share."""

    def __init__(self, puzzle: Puzzle, net: Net, memory: float | None = None) -> None:
        """Make an empty table of at most ``memory`` bytes.

        Raises ``LimitReached`` if memory runs out.
        """
        self.puzzle = puzzle
        """The puzzle; the questions are about many of its positions."""
        self.net = net
        self.memory = memory
        """The limit on the table [bytes]; None for the default."""
        self.made = 0
        """The number of evaluations, including those of an earlier run."""
        self.slice = 200
        """The most evaluations between two looks at the clock."""
        self._kernel, self._most_bytes = kernel(), int(memory or MEMORY_BYTES)
        self._bits = {fluent: 1 << place for place, fluent in enumerate(net.fluents)}
        began = time.monotonic()
        self.tables = PuzzleTables(puzzle, net, general=False, lemmas=False)
        """The tables of the goal; they are made again when they lack something."""
        self.making = time.monotonic() - began
        """The time for tables without lemmas [s]."""
        self.start_anew()

    def start_anew(self) -> None:
        """Clear the transposition table."""
        self.cyclic = False
        """Whether play may be cyclic; then breadth-first search replaces proof-number search."""
        self.roomy = True
        """Whether the table may have room for all reachable states."""
        self.counted = 0
        """The positions evaluated since."""
        search = self._kernel.search_new(self.tables.address, self._kernel.limit(self._most_bytes))
        self._owner = _owned(search, "search_free", self.tables)
        self._search = self._owner.pointer
        self._workers = [self._worker()]

    def _worker(self) -> Owned:
        """The data of one thread that searches or expands states."""
        return _owned(self._kernel.worker_new(self.tables.address), "worker_free", self.tables)

    def make_tables(self, general: bool, lemmas: bool) -> None:
        """Make the tables again. Results stay."""
        self.tables = PuzzleTables(self.puzzle, self.net, general, lemmas)
        self._kernel.search_use(self._search, self.tables.address)
        self._workers = [self._worker()]

    def prove_lemmas(self) -> None:
        """Make tables with lemmas, unless they have some."""
        if not self.tables.lemmas:
            self.make_tables(self.tables.general, lemmas=True)

    def make_general(self) -> None:
        """Make tables that have all phases, unless they have them."""
        if not self.tables.general:
            self.make_tables(True, self.tables.lemmas)

    @cached_property
    def is_quiet(self) -> bool:
        """Whether it is proved that the defender's own moves never reach the goal."""
        return PuzzleTables(self.puzzle, self.net, self.tables.general, lemmas=True).quiet

    def state_of(self, facts: Facts) -> SearchState:
        """The search's form of a state that is reachable from the puzzle's position."""
        bits = 0
        for fact in facts:
            bits |= self._bits.get(fact, 0)
        row = bits.to_bytes(row_bytes(len(self._bits)), "little")
        if found := self.judge(row):
            return found
        self.make_general()
        return self.state_of(facts)

    def judge(self, row: Row) -> SearchState | None:
        """A state; None if the tables lack its phase.

        Raises ``BadRequest`` if the sides don't move one at a time there.
        """
        library = self._kernel
        found = library.worker_judge(self._workers[0].pointer, row)
        if found < 0:
            return None
        if found & library.TOGETHER:
            raise unfit(self.puzzle)
        kinds = (library.REACHED, library.OVER, library.ATTACKS)
        return SearchState(row, *(bool(found & kind) for kind in kinds))

    def expand(self, row: Row) -> tuple[int, Sequence[tuple[int, SearchState]]]:
        """The kernel's status (``DONE``, ``MIXED`` or ``LEFT_OUT``), and the children of a state.

        Each child has its move's place among the net's. The game must not be over there. Raises
        ``LimitReached`` if memory runs out.
        """
        status = _check(self._kernel.worker_expand(self._workers[0].pointer, row))
        if status != self._kernel.DONE:
            return status, ()
        family = self._kernel.worker_family(self._workers[0].pointer)
        count, length = family.count, len(row)
        rows = bytes(self._kernel.ffi.buffer(family.rows, count * length))
        return status, [
            (
                family.moves[place],
                SearchState(
                    rows[place * length : (place + 1) * length],
                    bool(family.reached[place]),
                    bool(family.over[place]),
                    bool(family.attacks[place]),
                ),
            )
            for place in range(count)
        ]

    def children(self, state: SearchState) -> list[tuple[str, SearchState]]:
        """The moves of the side on move, sorted, each with the state after it."""
        if state.reached or state.over:
            return []
        status, children = self.expand(state.key)
        if status == self._kernel.LEFT_OUT:
            self.make_general()
            return self.children(state)
        if status == self._kernel.MIXED:
            raise unfit(self.puzzle)
        moves = self.net.moves
        return sorted((moves[move][1], child) for move, child in children)

    def plan(
        self, state: SearchState, attack: bool, turns: int, width: int
    ) -> list[str | None] | None:
        """A plan for one side by ply, with None for the other side's moves; None without a plan.

        ``turns`` is the number of turns that the attacker may still begin, ``width`` the beam
        width.
        """
        library, length = self._kernel, self._kernel.ints((0, 0))
        worker = self._workers[0].pointer
        plan = library.worker_plan(worker, state.key, attack, turns, width, length)
        if not plan:
            return None
        moves = library.numbers(plan, length[0])
        return [self.net.moves[move][1] if move >= 0 else None for move in moves]

    def report(self, state: SearchState) -> Pointer:
        """A state's ``struct node_report``. Raises ``LimitReached`` if the table is full."""
        report = self._kernel.ffi.new("struct node_report *")
        while self._kernel.search_report(self._search, state.key, state.attacks, report):
            self.sweep()
        return report

    def bounds(self, state: SearchState) -> tuple[int, int]:
        """A lower and an upper bound of the fewest turns that suffice.

        The lower bound is above ``UNBOUNDED`` if no number suffices, the upper bound if no
        sufficient number is known.
        """
        known = self.report(state)
        return known.lower, known.upper

    def sweep(self, enough: bool = True) -> None:
        """Remove the nodes with the least effort.

        Raises ``LimitReached`` if that frees too little, or if the last sweep wasn't ``enough``.
        """
        if not enough or self._kernel.search_sweep(self._search):
            limit = self._most_bytes / 2**20
            raise LimitReached(f"no answer within {limit:,.6g} MiB of memory")

    def parts(self, nodes: int = 0, edges: int = 0) -> list[TableArray]:
        """The table's arrays, with room for so many further nodes and edges.

        Raises ``LimitReached`` if memory runs out.
        """
        ffi = self._kernel.ffi
        found = ffi.new("struct table_part[5]")
        if self._kernel.search_parts(self._search, nodes, edges, found):
            limit = self._most_bytes / 2**20
            raise LimitReached(f"the saved search doesn't fit into {limit:,.6g} MiB of memory")
        return [
            TableArray(part.item, memoryview(ffi.buffer(part.at, part.item * part.count)))
            for part in found
        ]

    def adopt(self, nodes: int, edges: int) -> bool:
        """Use the data written into an empty table's arrays; returns whether it is consistent."""
        return bool(self._kernel.search_adopt(self._search, nodes, edges))

    def run(
        self, node: int, turns: int, evaluations: int, seconds: float, mode: str, threads: int
    ) -> int:
        """Search until a node is decided for ``turns`` turns, or limits end the search.

        ``evaluations`` and ``seconds`` are the most; 0 seconds are no limit.
        Breadth-first search continues until all nodes are decided. Returns the kernel's status
        (``search_run`` in ``aspgames.h``). Raises ``LimitReached`` if memory runs out.
        """
        library = self._kernel
        library.search_allow(self._search, evaluations, seconds)
        number = getattr(library, mode)

        def work(worker: Owned) -> int:
            return int(library.search_run(self._search, worker.pointer, node, turns, number))

        if threads == 1:
            return _check(work(self._workers[0]))
        from concurrent.futures import ThreadPoolExecutor  # easy puzzles don't need it

        while len(self._workers) < threads:
            self._workers.append(self._worker())
        with unbroken(), ThreadPoolExecutor(threads) as pool:
            found = set(pool.map(work, self._workers[:threads]))
        return library.DONE if library.DONE in found else max(map(_check, found))


def _owned(pointer: Pointer, free: str, tables: PuzzleTables) -> Owned:
    try:
        return kernel().owned(pointer, free, tables)
    except MemoryError:
        raise LimitReached(_NO_MEMORY) from None


def _check(status: int) -> int:
    if status == kernel().NO_MEMORY:
        raise LimitReached(_NO_MEMORY)
    return status
