"""The search in C, from Python: one puzzle's transposition table, and the threads that fill it."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import c_char, c_int32
from typing import TYPE_CHECKING, NamedTuple

from ...propnet.kernel import Family, KernelPart, Known, kernel
from ...runtime.errors import LimitReached
from .puzzle_tables import PuzzleTables

if TYPE_CHECKING:
    from concurrent.futures import Future

DECIDED, PAUSED, FULL, DEEP, MIXED, LEFT_OUT, OUT_OF_ROOM = range(7)
"""How a search ends (``enum status`` in ``search.c``)."""

BY_NUMBERS, DEPTH_FIRST, BREADTH_FIRST = range(3)
"""How it is searched (``enum mode`` in ``nodes.h``)."""

EXPANDED, NOT_ALTERNATING, NO_PHASE, NO_MEMORY = range(4)
"""How an expansion ends (``enum expansion`` in ``expand.h``)."""

UNBOUNDED = 30_000
"""Any number of turns."""

Row = bytes
"""A state: a bit for each of the net's fluents, in whole words."""


class Child(NamedTuple):
    """A state after a move."""

    move: int
    """The move's place among the net's."""
    row: Row
    reached: bool
    over: bool
    attacks: bool


class TableArray(NamedTuple):
    """An array of a transposition table (``native/parts.h``)."""

    item: int
    """Bytes of each item."""
    data: memoryview
    """What is used of it, as long as the table doesn't grow."""


class SearchThread:
    """What one thread needs to search, or to look at states."""

    def __init__(self, tables: PuzzleTables) -> None:
        """Raises ``LimitReached`` where there is no memory."""
        self._tables = tables  # the kernel has its address
        self._kernel = kernel()
        self.handle = self._kernel.worker_new(tables.address)
        if not self.handle:
            raise LimitReached("there is no memory to search with")

    def __del__(self) -> None:
        if handle := getattr(self, "handle", None):
            self._kernel.worker_free(handle)

    def judge(self, row: Row) -> int:
        """What a state is, in bits: 1 the goal is reached, 2 the game is over, 4 the attacker is on
        move, 8 the sides don't move one at a time; -1 if the phase for it was left out."""
        return int(self._kernel.worker_judge(self.handle, row))

    def expand(self, row: Row) -> tuple[int, Sequence[Child]]:
        """The children of a state that isn't over, after how that ended."""
        status = int(self._kernel.worker_expand(self.handle, row))
        if status != EXPANDED:
            return status, ()
        family = Family.from_address(self._kernel.worker_family(self.handle))
        count, length = family.count, len(row)
        rows = ctypes.string_at(family.rows, count * length)
        return status, [
            Child(
                family.moves[place],
                rows[place * length : (place + 1) * length],
                bool(family.reached[place]),
                bool(family.over[place]),
                bool(family.attacks[place]),
            )
            for place in range(count)
        ]

    def plan(self, row: Row, attack: bool, turns: int, width: int) -> Sequence[int] | None:
        """A plan by ply: moves, -1 for the other side's; None if none is found.

        ``turns`` are those that the attacker may still begin, ``width`` is that of the beam.
        """
        length = (c_int32 * 2)()
        plan = self._kernel.worker_plan(self.handle, row, attack, turns, width, length)
        return plan[: length[0]] if plan else None


class KernelSearch:
    """A transposition table, and the searches on it."""

    def __init__(self, tables: PuzzleTables, most_bytes: int, cyclic: bool) -> None:
        """An empty table of at most so many bytes; ``cyclic``: play may go on for ever.

        Raises ``LimitReached`` where there is no memory.
        """
        self._tables = tables  # the kernel has its address
        self._most_bytes = most_bytes
        self._kernel = kernel()
        self.handle = self._kernel.search_new(tables.address, most_bytes, cyclic)
        if not self.handle:
            raise LimitReached("there is no memory to search with")
        self._workers = [SearchThread(tables)]
        self._running: Sequence[Future[int]] = ()

    def __del__(self) -> None:
        if handle := getattr(self, "handle", None):
            self._kernel.search_free(handle)

    def use(self, tables: PuzzleTables) -> None:
        """Go on with other tables of the same puzzle; what was found stays."""
        self._tables = tables
        self._kernel.search_use(self.handle, tables.address)
        self._workers = [SearchThread(tables)]

    @property
    def worker(self) -> SearchThread:
        """One of the workers, to be asked about states while no search runs."""
        return self._workers[0]

    def known(self, row: Row, attacks: bool) -> Known:
        """What is known of a state. Raises ``LimitReached`` where the table is full."""
        known = Known()
        while not self._kernel.search_known(self.handle, row, attacks, ctypes.addressof(known)):
            self.sweep()
        return known

    def sweep(self, enough: bool = True) -> None:
        """Forget what took little effort to find out.

        Raises ``LimitReached`` if that is too little, or if it wasn't ``enough`` before.
        """
        if not enough or not self._kernel.search_sweep(self.handle):
            limit = self._most_bytes / 2**20
            raise LimitReached(f"no answer within {limit:,.6g} MiB of memory")

    def parts(self, nodes: int = 0, edges: int = 0) -> list[TableArray]:
        """The table's parts, with room for so many more nodes and edges.

        Raises ``LimitReached`` where there is none.
        """
        for thread in self._running:
            thread.exception()  # waits for its end, if an interruption didn't
        found = (KernelPart * 6)()
        if not self._kernel.search_parts(self.handle, nodes, edges, found):
            limit = self._most_bytes / 2**20
            raise LimitReached(f"what was found before doesn't fit into {limit:,.6g} MiB of memory")
        return [
            TableArray(
                p.item, memoryview((c_char * (p.item * p.count)).from_address(p.at)).cast("B")
            )
            for p in found
        ]

    def adopt(self, nodes: int, edges: int) -> bool:
        """Take over what was put into the parts of an empty table, unless it makes no sense."""
        return bool(self._kernel.search_adopt(self.handle, nodes, edges))

    def run(self, node: int, turns: int, evaluations: int, mode: int, threads: int) -> int:
        """Search until a node is decided for so many turns, or the evaluations are made.

        Breadth first, until all nodes are.
        """
        library = self._kernel
        library.search_allow(self.handle, evaluations)

        def work(worker: SearchThread) -> int:
            return int(library.search_run(self.handle, worker.handle, node, turns, mode))

        if threads == 1:
            return work(self._workers[0])
        from concurrent.futures import ThreadPoolExecutor  # easy puzzles need none

        while len(self._workers) < threads:
            self._workers.append(SearchThread(self._tables))
        with ThreadPoolExecutor(threads) as pool:
            self._running = [pool.submit(work, worker) for worker in self._workers[:threads]]
            found = {thread.result() for thread in self._running}
        return DECIDED if DECIDED in found else max(found)
