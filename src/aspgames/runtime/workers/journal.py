"""Results of tasks on disk, so that a run that was stopped goes on where it was.

A file of JSON lines: what it is, and then a result a line, in the order in which they came, each
with the digest of its task. A task is found again by what it is, not by its number: a run may have
more tasks than the one before, or other ones. A line that was only half written counts as none.
In memory is only where each result is: there may be many, and large ones.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any

from ..._version import __version__
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
        self._places: dict[str, tuple[int, int]] = {}
        """Where the line of each result begins, and its length."""
        self._turn = threading.Lock()  # the file has one place at which it is read and written
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
        return len(self._places)

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
        return key in self._places

    def __getitem__(self, key: str) -> Any:
        """The result of a task. Raises ``KeyError``, and ``BadRequest`` if the file has changed."""
        begin, size = self._places[key]
        try:
            with self._turn, os.fdopen(os.dup(self._file), "rb") as file:
                file.seek(begin)
                found = json.loads(file.read(size))
            if found["task"] == key:
                return found["result"]
        except (OSError, ValueError, KeyError, TypeError):
            pass
        raise BadRequest(f"{self._path} was changed by somebody else")

    def keep(self, key: str, result: Any) -> None:
        """Add a result. Raises ``BadRequest`` if the file can't be written; then it is as before.

        What was kept stays also if this process is killed.
        """
        begin = self._end
        self._write({"task": key, "result": result})
        self._places[key] = begin, self._end - begin

    def _read(self) -> None:
        if not self._path.is_file():  # a pipe or a device never ends
            raise BadRequest(f"{self._path} is no file that can be gone on with")
        self._end = 0
        with os.fdopen(os.dup(self._file), "rb") as file:
            for number, line in enumerate(file, start=1):
                if line.endswith(b"\n"):
                    self._note(number, line)
                elif number == 1 and not json.dumps(_HEAD).encode().startswith(line):
                    raise self._foreign(number)
        os.ftruncate(self._file, self._end)
        if not self._end:
            self._write(_HEAD)

    def _note(self, number: int, line: bytes) -> None:
        """Note where a result is that the file holds."""
        try:
            found = json.loads(line)
            if number > 1:
                _ = found["result"]
                self._places[found["task"]] = self._end, len(line)
            elif found["aspgames"] != _HEAD["aspgames"]:
                raise self._foreign(number)
        except (ValueError, KeyError, TypeError, RecursionError):
            raise self._foreign(number) from None
        self._end += len(line)

    def _write(self, value: Any) -> None:
        """Add a line, or nothing of it."""
        line = memoryview(json.dumps(value).encode() + b"\n")
        written = 0
        try:
            with self._turn:
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
