"""Results of tasks on disk, so that a run that was stopped goes on where it was.

A file of JSON lines: what it is, and then a result a line, in the order in which they came, each
with the digest of its task. A task is found again by what it is, not by its number: a run may have
more tasks than the one before, or other ones. A line that was only half written counts as none.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any

from .. import __version__
from ..errors import BadRequest

_HEAD = {"aspgames": "results", "version": __version__}


class Journal:
    """The results in a file, and those that are added to it.

    Use it in a ``with`` block. While it is open, nobody else can open the same file.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Read what the file holds, if it is there.

        Raises ``BadRequest`` if that is something else, or the file can't be read and written.
        """
        self._path = Path(path)
        self._results: dict[str, Any] = {}
        try:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
        except (OSError, ValueError) as error:
            raise self._refusal("can't be opened", error) from None
        try:
            self._lock()
            self._read()
        except BaseException:
            self.close()
            raise

    def __len__(self) -> int:
        return len(self._results)

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._file)

    @staticmethod
    def key(function: Callable[..., Any], task: object) -> str:
        """By what a task's result is found: all that the ``repr`` of the task tells."""
        text = f"{__version__}\0{function.__module__}.{function.__qualname__}\0{task!r}"
        return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    def __contains__(self, key: str) -> bool:
        return key in self._results

    def __getitem__(self, key: str) -> Any:
        """The result of a task. Raises ``KeyError``."""
        return self._results[key]

    def keep(self, key: str, result: Any) -> None:
        """Add a result. Raises ``BadRequest`` if the file can't be written; then it is as before.

        What was kept stays also if this process is killed.
        """
        self._write({"task": key, "result": result})
        self._results[key] = result

    def _read(self) -> None:
        if not self._path.is_file():  # a pipe or a device never ends
            raise BadRequest(f"{self._path} is no file that can be gone on with")
        with os.fdopen(os.dup(self._file), "rb") as file:
            lines = file.readlines()
        torn = b"" if not lines or lines[-1].endswith(b"\n") else lines.pop()
        if not lines:
            if not json.dumps(_HEAD).encode().startswith(torn):
                raise self._foreign(1)
            self._end = 0
            os.ftruncate(self._file, 0)
            self._write(_HEAD)
            return
        for number, line in enumerate(lines, start=1):
            try:
                found = json.loads(line)
                if number > 1:
                    self._results[found["task"]] = found["result"]
                elif found["aspgames"] != _HEAD["aspgames"]:
                    raise self._foreign(number)
            except (ValueError, KeyError, TypeError, RecursionError):
                raise self._foreign(number) from None
        self._end = sum(map(len, lines))
        os.ftruncate(self._file, self._end)

    def _write(self, value: Any) -> None:
        """Add a line, or nothing of it."""
        line = memoryview(json.dumps(value).encode() + b"\n")
        written = 0
        try:
            os.lseek(self._file, self._end, os.SEEK_SET)
            while written < len(line):
                written += os.write(self._file, line[written:])
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, self._end)
            raise self._refusal("can't be written", error) from None
        self._end += len(line)

    def _lock(self) -> None:
        """Keep others out: two runs would write over each other's results."""
        try:
            import fcntl
        except ImportError:  # Windows
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BadRequest(f"{self._path} is in use by another run") from None
        except OSError:  # a file system without locks
            return

    def _foreign(self, number: int) -> BadRequest:
        return BadRequest(f"{self._path}, line {number}: this is no kept result: give another file")

    def _refusal(self, what: str, error: Exception) -> BadRequest:
        reason = error.strerror if isinstance(error, OSError) else error
        return BadRequest(f"{str(self._path) or 'a file without a name'} {what}: {reason}")
