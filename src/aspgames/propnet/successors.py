"""The successors of states, in games in which one role at a time has a choice."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from ..gdl.predicates import CHANCE
from .gate_tables import Tables
from .kernel import Pointer, kernel
from .lanes import Ints, Rows
from .threads import side_by_side
from .weights import Weights

NOBODY, ENDED = 254, 255
"""Instead of a role with a choice: each role has one move; the game has ended."""

MOST_BYTES = 128
"""The longest row for symmetries [bytes]."""

_STATES_OF_A_THREAD = 1 << 9  # states that are worth a thread


@dataclass(frozen=True)
class Families:
    """The successors of some states."""

    movers: npt.NDArray[np.uint8]
    """For each state the role that has a choice, ``NOBODY`` or ``ENDED``."""
    degrees: npt.NDArray[np.uint16]
    """For each state the number of its successors."""
    goals: Ints
    """For each state and role its goal, if the game has ended; otherwise undefined."""
    parts: list[Rows]
    """The successors, in the order of ``order``; valid until the next question."""
    order: npt.NDArray[np.int64] | None
    """The places of the successors, state after state; None if they are in this order."""
    stuck: npt.NDArray[np.int64]
    """The places of the states that aren't terminal, in which a role has no move."""
    weights: npt.NDArray[np.uint32] | None = None
    """The chances of the successors in proportion, state after state; None if they are equal."""


class Successors:
    """Finds the successors of states. Only one thread at a time may use it."""

    def __init__(
        self,
        tables: Tables,
        threads: int = 1,
        symmetries: Sequence[Sequence[int]] = (),
        weights: Weights | None = None,
    ) -> None:
        """``tables`` are those of a closed net. Raises ``MemoryError``.

        ``weights`` reads the chances of the moves of ``random``, whose bits successors then lack.

        Each of ``symmetries`` has the image of each fluent; the identity is not among them. The
        least image of a state stands for all of them; the highest fluent counts most.
        """
        self.tables, self._threads = tables, threads
        self._weights = weights
        library = kernel()
        images = library.array("uint64_t[]", _images(tables.row_bytes, symmetries))
        given = tables.address, images, len(symmetries)
        self._rooms = [
            library.owned(library.successors_new(*given), "successors_free", tables, images)
            for _ in range(threads)
        ]

    def of(self, rows: Rows) -> Families:
        """The successors of states."""
        count, words = len(rows), self.tables.row_bytes // 8
        movers, degrees = np.empty(count, np.uint8), np.empty(count, np.uint16)
        goals = np.empty((count, self.tables.roles), np.int32)
        starts = np.empty(count, np.int64)
        pieces = max(1, min(self._threads, count // _STATES_OF_A_THREAD))
        ends = [count * piece // pieces for piece in range(pieces + 1)]
        columns = movers, degrees, starts, goals

        def expand(first: int, end: int) -> tuple[int, Rows]:
            room = self._rooms[ends.index(first)].pointer
            held = [library.array("char[]", column[first:end]) for column in (rows, *columns)]
            at, *into = (library.ffi.cast("void *", pointer) for pointer in held)
            lists = library.ffi.new("struct successor_lists *", into)
            status = library.successors_of(room, at, end - first, lists)
            return status, _rows_at(room, words)

        library = kernel()

        found = side_by_side(expand, list(pairwise(ends)))
        library.check(min(status for status, _ in found))
        parts = [part for _, part in found]
        stuck, before = np.flatnonzero(starts < 0), 0
        for place, part in enumerate(parts):
            starts[ends[place] : ends[place + 1]] += before
            before += len(part)
        order, chances = _order(starts, degrees, before), None
        if self._weights is not None:
            rows = np.concatenate(parts) if order is None else np.concatenate(parts)[order]
            chances = self._chances(rows, movers, degrees)
            parts, order = [rows & ~self._weights.mask], None
        return Families(movers, degrees, goals, parts, order, stuck, chances)

    def _chances(
        self, rows: Rows, movers: npt.NDArray[np.uint8], degrees: npt.NDArray[np.uint16]
    ) -> npt.NDArray[np.uint32]:
        assert self._weights is not None
        rolls = (movers == self.tables.names.roles.index(CHANCE)) & (degrees > 0)
        ends, sizes = np.cumsum(degrees, dtype=np.int64), degrees[rolls][:, None]
        found = np.ones(len(rows), np.uint32)
        given = self._weights.table(rows[ends[rolls] - degrees[rolls]])
        alike = ~given.any(1, keepdims=True) & (np.arange(given.shape[1]) < sizes)
        chances = given + alike  # of moves in ascending order, as their states are
        found[np.repeat(rolls, degrees)] = chances[chances > 0]
        return found

    def least(self, rows: Rows) -> None:
        """Replace each state by its least image."""
        pointer = kernel().array("uint64_t[]", rows)
        kernel().successors_least(self._rooms[0].pointer, pointer, len(rows))


def _rows_at(room: Pointer, words: int) -> Rows:
    """The rows that the kernel has written, without a copy."""
    ffi = kernel().ffi
    place = ffi.new("uint64_t **")
    count = kernel().successors_rows(room, place)
    if not count or not words:
        return np.empty((count, words), np.uint64)
    return np.frombuffer(ffi.buffer(place[0], 8 * words * count), np.uint64).reshape(count, words)


def _order(
    starts: npt.NDArray[np.int64], degrees: npt.NDArray[np.uint16], total: int
) -> npt.NDArray[np.int64] | None:
    """The places of the successors, state after state."""
    ends = np.cumsum(degrees, dtype=np.int64)
    begins = ends - degrees
    if (starts == begins)[degrees > 0].all():
        return None
    order: npt.NDArray[np.int64] = np.arange(total) + np.repeat(starts - begins, degrees)
    return order


def _images(row_bytes: int, symmetries: Sequence[Sequence[int]]) -> npt.NDArray[np.uint64]:
    """For each symmetry, byte of a row and value of that byte, the image of these bits."""
    words = row_bytes // 8
    images = np.zeros((len(symmetries), row_bytes, 256, words), np.uint64)
    values = np.arange(256, dtype=np.uint64)
    for number, goes in enumerate(symmetries):
        for fluent, place in enumerate(goes):
            bits = values >> np.uint64(fluent % 8) & np.uint64(1)
            images[number, fluent // 8, :, place // 64] |= bits << np.uint64(place % 64)
    return images
