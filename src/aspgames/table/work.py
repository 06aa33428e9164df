"""What lies on disk while a table is made, so that the same command goes on where one stopped.

Arrays are files that grow. A note says how far each is good; what was written after it is cut off
when work goes on.
"""

from __future__ import annotations

import errno
import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from ..errors import BadRequest, LimitReached
from .runs import write_all

_NOTE = "note.json"
_FULL = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)


@contextmanager
def on_disk(where: Path) -> Iterator[None]:
    """Within it, what the disk refuses is told in one line.

    Raises ``LimitReached`` for a full disk, and ``BadRequest`` for anything else.
    """
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise LimitReached(
                f"the disk is full, or a file may not grow ({where}): the same command goes on "
                "when there is room"
            ) from None
        raise BadRequest(f"{where} can't be used: {error.strerror or error}") from None


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


class Work:
    """The folder of a table that is being made."""

    def __init__(self, output: Path) -> None:
        """The folder beside a table's file."""
        self.folder = output.with_name(f"{output.name}.work")
        self._locked: IO[str] | None = None

    def begin(self, task: dict[str, Any]) -> dict[str, Any]:
        """What was noted of the same task; nothing but the task, if there was none.

        Raises ``BadRequest`` where a folder of that name has something else.
        """
        note = self._read()
        if note.get("task", task) != task:
            raise BadRequest(
                f"{self.folder} has unfinished work on another table: finish or remove it"
            )
        if not note and self.folder.exists() and any(self.folder.iterdir()):
            raise BadRequest(f"{self.folder} is in the way: it is no unfinished table")
        self.folder.mkdir(exist_ok=True)
        self._lock()
        self._noted = note
        self.keep(task=task)
        return note

    def _lock(self) -> None:
        """Raise ``BadRequest`` if somebody else is at this work. (Windows has no such locks.)

        The lock ends with the process, however that ends.
        """
        try:
            import fcntl
        except ImportError:
            return
        self._locked = (self.folder / "lock").open("w")
        try:
            fcntl.flock(self._locked, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BadRequest(f"{self.folder}: another process is at work on this table") from None

    def keep(self, **noted: Any) -> None:
        """Note something; what was noted before stays if that fails."""
        self._noted |= noted
        part = self.folder / f"{_NOTE}.part"
        part.write_text(json.dumps(self._noted))
        part.replace(self.folder / _NOTE)

    def release(self) -> None:
        """Let others be at this work."""
        if self._locked:
            self._locked.close()

    def remove(self) -> None:
        """Take all of it off the disk."""
        if self.folder.exists():
            shutil.rmtree(self.folder)

    def _read(self) -> dict[str, Any]:
        try:
            found = json.loads((self.folder / _NOTE).read_text())
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}
