"""The functions of the library, and the one place where a status becomes an exception.

``native/aspgames.h`` says what each function does, and what its arguments are.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

from ..gdl.reasoner import unsettled_goals
from ..runtime.errors import BadRequest, LimitReached, RulesError
from . import native_library

Pointer = Any
"""A pointer, as cffi has it."""

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
    """Memory of C, freed together with this object.

    (cffi's own ``gc`` may free it after what it refers to, where both are part of a cycle.)
    """

    __slots__ = ("_free", "_kept", "pointer")

    def __init__(self, pointer: Pointer, free: Callable[[Pointer], None], kept: object) -> None:
        self.pointer, self._free, self._kept = pointer, free, kept

    def __del__(self) -> None:
        self._free(self.pointer)


class Kernel:
    """The library's functions for one instruction set, and the constants of its header.

    Names come without ``aspgames_`` and the instruction set: ``kernel().walk_new``.
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
        """Own what a function has made, until the owner is gone; then free it.

        ``free`` names the function that frees it. ``kept`` are the objects whose memory C refers
        to: they live as long. Raises ``MemoryError`` for NULL.
        """
        if not pointer:
            raise MemoryError
        return Owned(pointer, getattr(self, free), (self, *kept))

    def ints(self, numbers: Iterable[int]) -> Pointer:
        """An array of 32-bit numbers, freed with its last holder."""
        return self.ffi.new("int32_t[]", list(numbers))

    def numbers(self, pointer: Pointer, count: int) -> list[int]:
        """The numbers of an array of C; it may be NULL if there are none."""
        return self.ffi.unpack(pointer, count) if count else []

    def array(self, kind: str, buffer: Any) -> Pointer:
        """A pointer to a contiguous buffer, such as an array of numpy's, which it keeps alive."""
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
