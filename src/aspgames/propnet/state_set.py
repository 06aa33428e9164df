"""A set of states in the kernel, which gives each state a number."""

import numpy as np
import numpy.typing as npt

from .kernel import kernel
from .lanes import Rows
from .threads import side_by_side

Numbers = npt.NDArray[np.uint32]
"""Numbers of states."""

ABSENT = 2**32 - 1
"""Marks a state that the set does not contain."""


class StateSet:
    """A set of states (rows of bits), numbered in the order of insertion."""

    def __init__(self, words: int, threads: int = 1) -> None:
        """Make an empty set for rows of ``words`` 64-bit words. Raises ``MemoryError``."""
        self._words, self._threads = words, threads
        self._owner = kernel().owned(kernel().states_new(words), "states_free")
        self._handle = self._owner.pointer

    def __len__(self) -> int:
        count: int = kernel().states_count(self._handle)
        return count

    def bytes_with(self, more: int) -> int:
        """The size [bytes] of the set with ``more`` more states."""
        size: int = kernel().states_bytes(self._handle, more)
        return size

    def add(self, parts: list[Rows]) -> list[Numbers]:
        """Add states, each part in its own thread; returns their numbers."""
        library = kernel()
        library.check(library.states_reserve(self._handle, sum(map(len, parts)) + len(parts)))
        numbers = [np.empty(len(rows), np.uint32) for rows in parts]
        spare = np.full(len(parts), -1, np.int64)

        def add(part: int, _end: int) -> None:
            rows = library.array("uint64_t[]", parts[part])
            into = library.array("uint32_t[]", numbers[part])
            taken = library.array("int64_t[]", spare[part:])
            library.states_add(self._handle, rows, len(parts[part]), into, taken)

        side_by_side(add, [(part, part + 1) for part in range(len(parts))])
        for number in sorted(map(int, spare), reverse=True):
            if number >= 0:  # two threads added the same state at the same time
                moved = library.states_give_back(self._handle, number)
                for part in numbers:
                    part[part == moved] = number
        return numbers

    def find(self, rows: Rows) -> Numbers:
        """The numbers of states; ``ABSENT`` for states that the set does not contain."""
        numbers = np.empty(len(rows), np.uint32)
        array = kernel().array
        given, into = array("uint64_t[]", rows), array("uint32_t[]", numbers)
        kernel().states_find(self._handle, given, len(rows), into)
        return numbers

    def rows(self, first: int, end: int) -> Rows:
        """A copy of some states' rows."""
        found = np.empty((end - first, self._words), np.uint64)
        if found.size:
            rows = kernel().states_rows(self._handle) + self._words * first
            kernel().ffi.memmove(found, rows, found.nbytes)
        return found

    def clear(self) -> None:
        """Remove all states, and free their memory."""
        kernel().states_clear(self._handle)
