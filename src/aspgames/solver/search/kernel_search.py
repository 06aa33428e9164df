"""The search in C, from Python: one puzzle's transposition table, and its search threads."""

from collections.abc import Sequence
from typing import NamedTuple

from ...propnet.kernel import Owned, Pointer, kernel
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


class SearchThread:
    """The data of one thread that searches or expands states."""

    def __init__(self, tables: PuzzleTables) -> None:
        """Allocate the data. Raises ``LimitReached`` if memory runs out."""
        self._kernel, self.tables = kernel(), tables
        self._owner = _owned(self._kernel.worker_new(tables.address), "worker_free", tables)
        self.handle = self._owner.pointer
        self.evaluated = 0
        """The number of states evaluated by ``expand``."""

    def judge(self, row: Row) -> SearchState | None:
        """A state; None if the tables lack its phase.

        Raises ``BadRequest`` if the sides don't move one at a time there.
        """
        library = self._kernel
        found = library.worker_judge(self.handle, row)
        if found < 0:
            return None
        if found & library.TOGETHER:
            raise unfit(self.tables.puzzle)
        kinds = (library.REACHED, library.OVER, library.ATTACKS)
        return SearchState(row, *(bool(found & kind) for kind in kinds))

    def expand(self, row: Row) -> tuple[int, Sequence[tuple[int, SearchState]]]:
        """The kernel's status (``DONE``, ``MIXED`` or ``LEFT_OUT``), and the children of a state.

        Each child has its move's place among the net's. The game must not be over there. Raises
        ``LimitReached`` if memory runs out.
        """
        status = _check(self._kernel.worker_expand(self.handle, row))
        if status != self._kernel.DONE:
            return status, ()
        family = self._kernel.worker_family(self.handle)
        self.evaluated += family.evaluated
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

    def plan(self, row: Row, attack: bool, turns: int, width: int) -> Sequence[int] | None:
        """A plan by ply: move numbers, -1 for the other side's moves; None without a plan.

        ``turns`` is the number of turns that the attacker may still begin, ``width`` the beam
        width.
        """
        length = self._kernel.ints((0, 0))
        plan = self._kernel.worker_plan(self.handle, row, attack, turns, width, length)
        return self._kernel.numbers(plan, length[0]) if plan else None


class KernelSearch:
    """A transposition table, and the searches on it."""

    def __init__(self, tables: PuzzleTables, most_bytes: int) -> None:
        """Make an empty table of at most ``most_bytes`` bytes.

        Raises ``LimitReached`` if memory runs out.
        """
        self._tables = tables  # a reference, because the kernel has its address
        self._most_bytes = most_bytes
        self._kernel = kernel()
        search = self._kernel.search_new(tables.address, self._kernel.limit(most_bytes))
        self._owner = _owned(search, "search_free", tables)
        self.handle = self._owner.pointer
        self._workers = [SearchThread(tables)]

    def use(self, tables: PuzzleTables) -> None:
        """Continue with other tables of the same puzzle. Results stay."""
        self._tables = tables
        self._kernel.search_use(self.handle, tables.address)
        self._workers = [SearchThread(tables)]

    @property
    def worker(self) -> SearchThread:
        """A thread's data for questions about states while no search runs."""
        return self._workers[0]

    def report(self, row: Row, attacks: bool) -> Pointer:
        """A state's ``struct node_report``. Raises ``LimitReached`` if the table is full."""
        report = self._kernel.ffi.new("struct node_report *")
        while self._kernel.search_report(self.handle, row, attacks, report):
            self.sweep()
        return report

    def sweep(self, enough: bool = True) -> None:
        """Remove the nodes with the least effort.

        Raises ``LimitReached`` if that frees too little, or if the last sweep wasn't ``enough``.
        """
        if not enough or self._kernel.search_sweep(self.handle):
            limit = self._most_bytes / 2**20
            raise LimitReached(f"no answer within {limit:,.6g} MiB of memory")

    def parts(self, nodes: int = 0, edges: int = 0) -> list[TableArray]:
        """The table's arrays, with room for so many further nodes and edges.

        Raises ``LimitReached`` if memory runs out.
        """
        ffi = self._kernel.ffi
        found = ffi.new("struct table_part[5]")
        if self._kernel.search_parts(self.handle, nodes, edges, found):
            limit = self._most_bytes / 2**20
            raise LimitReached(f"the saved search doesn't fit into {limit:,.6g} MiB of memory")
        return [
            TableArray(part.item, memoryview(ffi.buffer(part.at, part.item * part.count)))
            for part in found
        ]

    def adopt(self, nodes: int, edges: int) -> bool:
        """Use the data written into an empty table's arrays; returns whether it is consistent."""
        return bool(self._kernel.search_adopt(self.handle, nodes, edges))

    def run(
        self, node: int, turns: int, evaluations: int, seconds: float, mode: str, threads: int
    ) -> int:
        """Search until a node is decided for ``turns`` turns, or limits end the search.

        ``evaluations`` and ``seconds`` are the most; 0 seconds are no limit.
        Breadth-first search continues until all nodes are decided. Returns the kernel's status
        (``search_run`` in ``aspgames.h``). Raises ``LimitReached`` if memory runs out.
        """
        library = self._kernel
        library.search_allow(self.handle, evaluations, seconds)
        number = getattr(library, mode)

        def work(worker: SearchThread) -> int:
            return int(library.search_run(self.handle, worker.handle, node, turns, number))

        if threads == 1:
            return _check(work(self._workers[0]))
        from concurrent.futures import ThreadPoolExecutor  # easy puzzles don't need it

        while len(self._workers) < threads:
            self._workers.append(SearchThread(self._tables))
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
