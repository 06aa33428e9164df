"""One state at a time: a net's answer (``gdl.reasoner.net_answer``), and the next state."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import c_int32
from typing import Any, NoReturn

from ..gdl.reasoner import unsettled_goals
from ..runtime.errors import RulesError
from .gate_tables import Tables, row_bytes
from .kernel import NO_MEMORY, TWO_GOALS, kernel


class Single:
    """Asks a net about one state after the other; a state is a row of bits (``Tables.row``).

    Safe to be used by several threads.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self._ask, self._play_one, self._play = kernel().ask, kernel().play_one, kernel().play
        self._rooms: list[_Room] = []

    def ask(self, row: bytes) -> list[int]:
        """What the rules say of a state. Raises ``RulesError`` for unsettled goals."""
        room = self._take()
        count = self._ask(room.handle, row)
        said: list[int] = room.out[: max(0, count)]
        self._rooms.append(room)
        if count < 0:
            _refuse(count)
        return said

    def play_one(self, row: bytes, role: int, move: int) -> bytes | None:
        """The state after a role's move; None if another role has a choice, too."""
        room = self._take()
        status = self._play_one(room.handle, row, role, move)
        after: bytes = room.row.raw
        self._rooms.append(room)
        if status == NO_MEMORY:
            raise MemoryError
        return None if status else after

    def play(self, row: bytes, moves: Sequence[int]) -> bytes:
        """The state after a move of each role."""
        room = self._take()
        room.moves[: len(moves)] = moves
        status = self._play(room.handle, row)
        after: bytes = room.row.raw
        self._rooms.append(room)
        if status:
            raise MemoryError
        return after

    def _take(self) -> _Room:
        """Room to work in: taking from a list and giving back is safe between threads."""
        try:
            return self._rooms.pop()
        except IndexError:
            return _Room(self.tables)


class _Room:
    """The kernel's memory for one question at a time."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables  # the kernel has its address
        self.handle = kernel().single_new(tables.address)
        if not self.handle:
            raise MemoryError
        numbers = c_int32 * (3 + 3 * tables.roles + tables.most_choices)
        self.out: Any = numbers.from_address(kernel().single_out(self.handle))
        self.moves: Any = (c_int32 * tables.roles).from_address(kernel().single_moves(self.handle))
        row = ctypes.c_char * row_bytes(tables.after)
        self.row: Any = row.from_address(kernel().single_row(self.handle))

    def __del__(self) -> None:
        if handle := getattr(self, "handle", None):
            kernel().single_free(handle)


def _refuse(status: int) -> NoReturn:
    if status == TWO_GOALS:
        raise RulesError(unsettled_goals("a role"))
    raise MemoryError
