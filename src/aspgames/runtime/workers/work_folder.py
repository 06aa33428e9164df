"""The folder of unfinished work on a file, so that the same command can continue later."""

import errno
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from ..errors import BadRequest, LimitReached
from ..temporary_files import lock

_NOTE, _PART, _LOCK = "note.json", "note.json.part", "lock"
_FULL = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)


@contextmanager
def disk_errors(where: Path) -> Iterator[None]:
    """Turn ``OSError`` into ``LimitReached`` for a full disk, else into ``BadRequest``."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise LimitReached(
                f"the disk is full, or a file may not grow ({where}): the same command goes on "
                "when there is room"
            ) from None
        raise BadRequest(f"{where} can't be used: {error.strerror or error}") from None


class WorkFolder:
    """The folder of an unfinished file."""

    def __init__(self, output: Path, what: str) -> None:
        """Name the folder beside the file ``output``; ``what`` names the file, such as "table"."""
        self._what = what
        self.folder = output.with_name(f"{output.name}.work")
        self._locked: IO[str] | None = None

    @property
    def task(self) -> dict[str, Any]:
        """The task that the folder has unfinished work on; empty if there is none."""
        found = self._read().get("task")
        return found if isinstance(found, dict) else {}

    def begin(self, task: dict[str, Any]) -> dict[str, Any]:
        """Begin or continue a task; returns the notes about it so far. Raises ``BadRequest``."""
        note = self._read()
        if note.get("task", task) != task:
            raise BadRequest(
                f"{self.folder} has unfinished work on another {self._what}: finish or remove it"
            )
        # A process that is killed early, or finds the disk full, leaves only these.
        ours = {_LOCK, _NOTE, _PART}
        if not note and self.folder.exists() and not ours.issuperset(os.listdir(self.folder)):
            raise BadRequest(f"{self.folder} is in the way: it is no unfinished {self._what}")
        self.folder.mkdir(exist_ok=True)
        try:
            self._locked = lock(self.folder / _LOCK)
        except OSError:
            raise BadRequest(
                f"{self.folder}: another process is at work on this {self._what}"
            ) from None
        self._noted = note
        self.keep(task=task)
        return note

    def keep(self, **noted: Any) -> None:
        """Add notes. If that fails, the earlier notes stay."""
        self._noted |= noted
        part = self.folder / _PART
        part.write_text(json.dumps(self._noted))
        part.replace(self.folder / _NOTE)

    def release(self) -> None:
        """Let other processes work in the folder."""
        if self._locked:
            self._locked.close()

    def remove(self) -> None:
        """Remove the folder, its note last: if the process is killed, the same task can begin."""
        self._noted = {"task": self._noted["task"]}
        self.keep()
        for path in self.folder.iterdir():
            if path.name != _NOTE:
                path.unlink()
        shutil.rmtree(self.folder)

    def _read(self) -> dict[str, Any]:
        try:
            found = json.loads((self.folder / _NOTE).read_text())
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}
