"""All states after some states, for games in which one role at a time has a choice."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from ..gdl.reasoner import unsettled_goals
from ..runtime.errors import BadRequest, LimitReached, RulesError
from .gate_tables import Tables
from .kernel import FamilyOfState, kernel
from .lanes import Ints, Rows
from .threads import side_by_side

NOBODY, ENDED = 254, 255
"""In the place of a role that has a choice: each role has one move; the game has ended."""

MOST_BYTES = 128
"""Of a row, for symmetries."""

_PART = 1 << 9  # states that are worth a thread
_UNSETTLED, _SEVERAL, _TOO_MANY = -2, -3, -4


@dataclass(frozen=True)
class Families:
    """Some states' successors."""

    movers: npt.NDArray[np.uint8]
    """For each state the role that has a choice, ``NOBODY`` or ``ENDED``."""
    degrees: npt.NDArray[np.uint16]
    """For each state how many successors it has."""
    goals: Ints
    """For each state and role its goal, where the game has ended; anything elsewhere."""
    parts: list[Rows]
    """The successors, in the order of ``order``; good until the next question."""
    order: npt.NDArray[np.int64] | None
    """The places of the successors, state after state; None if they lie so."""


class Successors:
    """Finds the successors of states. Not for several threads at a time."""

    def __init__(
        self, tables: Tables, threads: int = 1, symmetries: Sequence[Sequence[int]] = ()
    ) -> None:
        """``tables`` are those of a closed net. Raises ``MemoryError``.

        Of the images of a state under symmetries (where each fluent goes, for each but the
        identity) the least stands for all, with the highest fluent first.
        """
        self.tables, self._threads = tables, threads
        self._images = _images(tables.row_bytes, symmetries)
        self._rooms: list[int] = []
        for _ in range(threads):
            address = self._images.ctypes.data
            handle = kernel().successors_new(tables.address, address, len(symmetries))
            if not handle:
                raise MemoryError
            self._rooms.append(handle)

    def of(self, rows: Rows) -> Families:
        """The successors of states.

        Raises ``RulesError`` for unsettled goals, ``BadRequest`` where several roles have a choice
        at once, ``LimitReached`` for more moves than a number of 16 bits, and ``MemoryError``.
        """
        count, words = len(rows), self.tables.row_bytes // 8
        movers, degrees = np.empty(count, np.uint8), np.empty(count, np.uint16)
        goals = np.empty((count, self.tables.roles), np.int32)
        starts = np.empty(count, np.int64)
        pieces = max(1, min(self._threads, count // _PART))
        ends = [count * piece // pieces for piece in range(pieces + 1)]
        columns = movers, degrees, starts, goals

        def expand(first: int, end: int) -> tuple[int, Rows]:
            room = self._rooms[ends.index(first)]
            into = FamilyOfState(*(c.ctypes.data + first * c.strides[0] for c in columns))
            at = rows.ctypes.data + first * rows.strides[0]
            status = kernel().successors_of(room, at, end - first, ctypes.addressof(into))
            return status, _rows_at(room, words)

        found = side_by_side(expand, list(pairwise(ends)))
        _refuse(min(status for status, _ in found))
        parts = [part for _, part in found]
        before = 0
        for place, part in enumerate(parts):
            starts[ends[place] : ends[place + 1]] += before
            before += len(part)
        return Families(movers, degrees, goals, parts, _order(starts, degrees, before))

    def least(self, rows: Rows) -> None:
        """Put the least image in the place of each state."""
        kernel().successors_least(self._rooms[0], rows.ctypes.data, len(rows))

    def __del__(self) -> None:
        for handle in getattr(self, "_rooms", ()):
            kernel().successors_free(handle)


def _rows_at(room: int, words: int) -> Rows:
    """The rows that the kernel has written, where they lie."""
    place = ctypes.c_void_p()
    count = kernel().successors_rows(room, ctypes.byref(place))
    if not count or not words:
        return np.empty((count, words), np.uint64)
    memory = (ctypes.c_char * (8 * words * count)).from_address(place.value or 0)
    return np.frombuffer(memory, np.uint64).reshape(count, words)


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
    """For each symmetry, byte of a row and value of that byte, what these bits become."""
    words = row_bytes // 8
    images = np.zeros((len(symmetries), row_bytes, 256, words), np.uint64)
    values = np.arange(256, dtype=np.uint64)
    for number, goes in enumerate(symmetries):
        for fluent, place in enumerate(goes):
            bits = values >> np.uint64(fluent % 8) & np.uint64(1)
            images[number, fluent // 8, :, place // 64] |= bits << np.uint64(place % 64)
    return images


def _refuse(status: int) -> None:
    if status == _UNSETTLED:
        raise RulesError(unsettled_goals("a role"))
    if status == _SEVERAL:
        raise BadRequest("a table is of a game in which one role at a time has a choice")
    if status == _TOO_MANY:
        raise LimitReached("a state has more than 65,535 moves: too many for a table")
    if status:
        raise MemoryError
