"""Results of tasks in an SQLite file, so that a stopped run can continue.

The key of a result is the digest of its task, not its number: the next run may have more or other
tasks. A checksum stands before each result; a damaged result counts as missing. SQLite's
write-ahead log (``FILE-wal``) keeps each result even if the process is killed.
"""

import json
import os
import sqlite3
import threading
import warnings
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..._version import __version__
from ..errors import BadRequest
from ..json_lines import is_of

_APPLICATION = int.from_bytes(b"aspg", "big")  # distinguishes our files from other SQLite files

_TABLE = "CREATE TABLE results (task TEXT PRIMARY KEY, result TEXT NOT NULL)"
_OPEN = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = NORMAL",
    "BEGIN IMMEDIATE",
    f"PRAGMA application_id = {_APPLICATION}",
    _TABLE.replace("TABLE", "TABLE IF NOT EXISTS"),
    "COMMIT",
)
_KEEP = """
INSERT INTO results VALUES (?, ?)
ON CONFLICT (task) DO UPDATE SET result = excluded.result
"""

_SUM_CHARACTERS = 16  # characters of a checksum

_FOREIGN = "is no file of kept results: give another file"
_DAMAGED = "is damaged: remove it, or give another file"
_FULL = "can't be written: the disk is full or fails, or files may not grow so large"

_REASONS = {
    sqlite3.SQLITE_NOTADB: _FOREIGN,
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_BUSY: "is in use by another run",
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_IOERR: _FULL,
    sqlite3.SQLITE_CANTOPEN: "can't be opened: is its folder there, and may you write in it?",
}


class Journal:
    """A file of results. Only one process can open it at a time.

    Use it in a ``with`` block.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Open the file, or create it. Raises ``BadRequest``."""
        self._path = Path(path)
        self._turn = threading.Lock()
        if self._path.exists() and not self._path.is_file():
            raise BadRequest(f"{self._path} is not a file: results can't be kept in it")
        try:
            self._database = sqlite3.connect(
                self._path, timeout=0, isolation_level=None, check_same_thread=False
            )
            self._database.text_factory = bytes  # a damaged text may be malformed
        except (sqlite3.Error, ValueError) as error:  # such as a missing folder
            raise BadRequest(f"{self._path} can't be opened: {error}") from None
        try:
            self._open()
        except BaseException:
            self.close()
            raise

    def __len__(self) -> int:
        return int(self._ask("SELECT count(*) FROM results")[0])

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, so that other processes can open it."""
        with self._turn:
            self._database.close()

    @staticmethod
    def key(function: Callable[..., Any], task: object) -> str:
        """The key of a task's result: a digest of the function's name and the task's ``repr``."""
        text = f"{__version__}\0{function.__module__}.{function.__qualname__}\0{task!r}"
        return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    def find(self, key: str, kind: Any = Any) -> Any:
        """The result of a task; None if there is none.

        Warns of a damaged result, which isn't of the type ``kind`` (see ``is_of``) or whose
        checksum differs. It counts as missing. Raises ``BadRequest`` if the file is damaged.
        """
        found = self._ask("SELECT result FROM results WHERE task = ?", key)
        if found is None:
            return None
        kept: bytes = found[0]
        text = kept[_SUM_CHARACTERS:]
        if _sum(key, text) == kept[:_SUM_CHARACTERS]:
            with suppress(ValueError, RecursionError):
                result = json.loads(text)
                if is_of(result, kind):
                    return result
        warnings.warn(f"{self._path} has damaged results: they are computed again", stacklevel=1)
        return None

    def keep(self, key: str, result: Any) -> None:
        """Add a result. Raises ``BadRequest``, and changes nothing, if the file is unwritable.

        The result survives if this process is killed.
        """
        text = json.dumps(result).encode()
        self._ask(_KEEP, key, (_sum(key, text) + text).decode())

    def _ask(self, question: str, *values: object) -> Any:
        try:
            with self._turn:
                return self._database.execute(question, values).fetchone()
        except sqlite3.DatabaseError as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # without SQLite's details
            reason = _REASONS.get(code, f"can't be used: {error}")
            raise BadRequest(f"{self._path} {reason}") from None

    def _open(self) -> None:
        self._ask("PRAGMA locking_mode = EXCLUSIVE")
        if self._ask("SELECT 1 FROM sqlite_master"):
            tables = self._ask("SELECT group_concat(sql) FROM sqlite_master")
            application = self._ask("PRAGMA application_id")
            if application != (_APPLICATION,) or tables != (_TABLE.encode(),):
                raise BadRequest(f"{self._path} {_FOREIGN}")
            if self._ask("PRAGMA quick_check(1)") != (b"ok",):
                raise BadRequest(f"{self._path} {_DAMAGED}")
        for step in _OPEN:
            self._ask(step)


def _sum(key: str, text: bytes) -> bytes:
    return sha256(key.encode() + text).hexdigest()[:_SUM_CHARACTERS].encode()
