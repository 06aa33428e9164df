"""One state at a time: the net's answer (``gdl.reasoner.net_answer``) and the next state."""

from collections.abc import Sequence
from typing import Any

from .gate_tables import Tables, row_bytes
from .kernel import kernel
from .native_library import compiled_states


class Single:
    """Evaluates a net in single states, given as rows of bits (``Tables.row``).

    Several threads may use it.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        library = self._kernel = kernel()
        self._ask, self._unpack = library.single_ask, library.ffi.unpack
        self._play_one, self._play = library.single_play_one, library.single_play
        self._another_chooses = library.SEVERAL_CHOOSE
        self._rooms: list[_StateMemory] = []
        self.evaluator: Any = None
        """Does the work of the methods, if it is compiled."""
        if compiled := compiled_states():
            self.evaluator = compiled.Evaluator(*_StateMemory(tables).addresses())
            names = ("ask", "play", "play_one")
            vars(self).update((name, getattr(self.evaluator, name)) for name in names)

    def ask(self, row: bytes) -> list[int]:
        """Evaluate a state."""
        room = self._take()
        count = self._ask(room.handle, row)
        said: list[int] = self._unpack(room.out, max(0, count))
        self._rooms.append(room)
        if count < 0:
            self._kernel.check(count)
        return said

    def play_one(self, row: bytes, role: int, move: int) -> bytes | None:
        """The state after a role's move; None if another role has a choice, too."""
        room = self._take()
        status = self._play_one(room.handle, row, role, move)
        after = bytes(room.row)
        self._rooms.append(room)
        if not status:
            return after
        if status != self._another_chooses:
            self._kernel.check(status)
        return None

    def play(self, row: bytes, moves: Sequence[int]) -> bytes:
        """The state after a move of each role."""
        room = self._take()
        room.moves[0 : len(moves)] = moves
        status = self._play(room.handle, row)
        after = bytes(room.row)
        self._rooms.append(room)
        self._kernel.check(status)
        return after

    def _take(self) -> "_StateMemory":
        """Take memory for a question. Popping from a list and appending to it are thread-safe."""
        try:
            return self._rooms.pop()
        except IndexError:
            return _StateMemory(self.tables)


class _StateMemory:
    """The kernel's memory for one question at a time."""

    def __init__(self, tables: Tables) -> None:
        library = kernel()
        self._tables = tables
        self._owner = library.owned(library.single_new(tables.address), "single_free", tables)
        self.handle = self._owner.pointer
        self.out = library.single_out(self.handle)
        self.moves = library.single_moves(self.handle)
        self.row = library.ffi.buffer(library.single_row(self.handle), row_bytes(tables.after))

    def addresses(self) -> tuple[object, ...]:
        """What the compiled evaluator needs: this object, which owns the memory, and addresses."""
        library, names = kernel(), self._tables.names
        functions = library.single_ask, library.single_play, library.single_play_one
        pointers = *functions, self.handle, self.out, self.moves, library.single_row(self.handle)
        bytes_now, bytes_after = row_bytes(self._tables.fluents), row_bytes(self._tables.after)
        numbers = (int(library.ffi.cast("uintptr_t", pointer)) for pointer in pointers)
        return self, tuple(names.roles), bytes_now, bytes_after, *numbers
