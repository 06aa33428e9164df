"""Arrays in files that grow, while a table is made; a note says how far each is good."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .runs import write_all


class Growing:
    """An array in a file, which grows."""

    def __init__(self, path: Path, kind: npt.DTypeLike, width: int | None = None) -> None:
        """An array of numbers, or of rows of so many."""
        self._kind, self._width = np.dtype(kind), width
        self._size = self._kind.itemsize * (1 if width is None else width)
        path.touch()
        self._file = path.open("r+b", buffering=0)

    def cut(self, count: int) -> bool:
        """Keep only so many items; says whether there were as many."""
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
