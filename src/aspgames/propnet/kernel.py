"""The functions of the library. Only this module turns a status into an exception.

``native/aspgames.h`` describes each function and its arguments.
"""

import functools
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

from ..gdl.reasoner import unsettled_goals
from ..runtime.errors import BadRequest, LimitReached, RulesError
from . import native_library

Pointer = Any
"""A pointer of cffi."""

NO_MEMORY = "there is no memory for the net of the rules"

_ERRORS: dict[str, Callable[[], Exception]] = {
    "NO_MEMORY": MemoryError,
    "UNSETTLED_GOALS": lambda: RulesError(unsettled_goals("a role")),
    "DEPENDS_ON_MOVES": lambda: RulesError(
        "what is legal, the end or a goal depends on the moves made"
    ),
    "SEVERAL_CHOOSE": lambda: BadRequest(
        "a table is of a game in which one role at a time has a choice"
    ),
    "TOO_MANY_MOVES": lambda: LimitReached(
        "a state has more than 65,535 moves: too many for a table"
    ),
    "TOO_MANY_PLIES": lambda: LimitReached(
        "best play takes more than 65,534 plies: too many for a table"
    ),
    "CONSTRAINS": lambda: RulesError("the rules constrain or choose: they settle no successor"),
    "CHOOSES": lambda: RulesError("the rules choose with an aggregate: they settle no successor"),
    "DERIVES_INPUT": lambda: RulesError("a rule derives true/1 or does/2, which are given"),
}


class Owned:
    """Memory of C that is freed with this object.

    In a cycle, cffi's own ``gc`` may free the memory after the objects to which it refers.
    """

    __slots__ = ("_free", "_kept", "pointer")

    def __init__(self, pointer: Pointer, free: Callable[[Pointer], None], kept: object) -> None:
        self.pointer, self._free, self._kept = pointer, free, kept

    def __del__(self) -> None:
        self._free(self.pointer)


class Kernel:
    """The library's functions for one instruction set, and the constants of its header.

    Names are without ``aspgames_`` and the instruction set: ``kernel().walk_new``.
    """

    def __init__(self, variant: str) -> None:
        self.ffi, self._library = native_library.load()
        self._variant = variant

    def __getattr__(self, name: str) -> Any:
        library = self._library
        if name.isupper():
            found = getattr(library, f"ASPGAMES_{name}")
        else:
            found = getattr(library, f"aspgames_{name}_{self._variant}", None)
            found = found or getattr(library, f"aspgames_{name}")
        setattr(self, name, found)
        return found

    def owned(self, pointer: Pointer, free: str, *kept: object) -> Owned:
        """Own a pointer that a function has made; it is freed with the owner.

        ``free`` names the function that frees it. ``kept`` are the objects whose memory C refers
        to: the owner keeps them alive. Raises ``MemoryError`` for NULL.
        """
        if not pointer:
            raise MemoryError
        return Owned(pointer, getattr(self, free), (self, *kept))

    def ints(self, numbers: Iterable[int]) -> Pointer:
        """A new array of 32-bit numbers, freed with its last reference."""
        return self.ffi.new("int32_t[]", list(numbers))

    def numbers(self, pointer: Pointer, count: int) -> list[int]:
        """The numbers of an array of C; the pointer may be NULL if ``count`` is 0."""
        return self.ffi.unpack(pointer, count) if count else []

    def view(self, pointer: Pointer, count: int) -> memoryview:
        """An array of 32-bit numbers of C, which must outlive the view. It may be empty."""
        return memoryview(self.ffi.buffer(pointer, 4 * count) if count else b"").cast("i")

    @staticmethod
    def limit(number: float, bits: int = 64) -> int:
        """A limit as a signed number of C; a larger one limits nothing."""
        return int(min(number, (1 << bits - 1) - 1))

    def array(self, kind: str, buffer: Any) -> Pointer:
        """A pointer to a contiguous buffer, such as a numpy array. It keeps the buffer alive."""
        return self.ffi.from_buffer(kind, buffer)

    def check(self, status: int) -> int:
        """The status or count that a function returned, unless it is an error.

        Raises ``MemoryError``, ``RulesError``, ``BadRequest`` or ``LimitReached``.
        """
        if status < 0:
            self._refuse(status)
        return status

    def _refuse(self, status: int) -> NoReturn:
        for name, error in _ERRORS.items():
            if getattr(self, name) == status:
                raise error()
        raise AssertionError(status)


@functools.cache
def kernel() -> Kernel:
    """The functions for the instruction set that ``native_library.variant`` chooses."""
    return Kernel(native_library.variant())


def made(pointer: Pointer, free: str) -> Owned:
    """Own a pointer that C made, and free it with the owner. Raises ``LimitReached`` for NULL."""
    try:
        return kernel().owned(pointer, free)
    except MemoryError:
        raise LimitReached(NO_MEMORY) from None
