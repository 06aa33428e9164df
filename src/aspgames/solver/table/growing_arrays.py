"""Arrays in growing files; a note elsewhere tells how much of each is valid."""

import errno
import mmap
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .sorted_runs import write_all


class Growing:
    """An array in a growing file."""

    def __init__(self, path: Path, kind: npt.DTypeLike, width: int | None = None) -> None:
        """Open an array of numbers, or of rows of ``width`` numbers."""
        self._kind, self._width = np.dtype(kind), width
        self._size = self._kind.itemsize * (1 if width is None else width)
        path.touch()
        self._file = path.open("r+b", buffering=0)

    def cut(self, count: int) -> bool:
        """Cut the array to ``count`` items; returns whether it had as many."""
        size = self._file.seek(0, 2)
        self._file.truncate(count * self._size)
        return size >= count * self._size

    def write(self, first: int, items: npt.NDArray[Any]) -> None:
        """Write items from a place on."""
        self._file.seek(first * self._size)
        write_all(self._file, items)

    def read(self, first: int, end: int) -> npt.NDArray[Any]:
        """A copy of the items from one place to another."""
        shape = (end - first,) if self._width is None else (end - first, self._width)
        found = np.empty(shape, self._kind)
        if found.nbytes:
            self._file.seek(first * self._size)
            view = found.view(np.uint8).reshape(-1).data
            while view:
                count = self._file.readinto(view)
                if not count:
                    raise OSError(errno.EIO, "a file of unfinished work is too short")
                view = view[count:]
        return found

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class Mapped:
    """Numbers in a file that is mapped into memory, so that the system can page them out.

    Written numbers stay if this process is killed.
    """

    def __init__(self, path: Path, kind: npt.DTypeLike, count: int, most_bytes: float) -> None:
        """Map a file of ``count`` numbers. ``most_bytes`` is the approximate memory limit."""
        self._file = path.open("r+b")
        self._memory = mmap.mmap(self._file.fileno(), count * np.dtype(kind).itemsize)
        self.array: npt.NDArray[Any] = np.frombuffer(self._memory, kind)
        self.is_large = self.array.nbytes > most_bytes
        """Whether the array exceeds ``most_bytes``."""

    def relieve(self) -> None:
        """Release the memory of a large array: the next access reads the file again."""
        if self.is_large and hasattr(mmap, "MADV_DONTNEED"):  # Windows doesn't need it
            self._memory.madvise(mmap.MADV_DONTNEED)

    def close(self) -> None:
        """Close the file. The array is unusable then."""
        del self.array
        self._memory.close()
        self._file.close()
