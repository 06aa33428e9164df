"""A search saved to a file while it runs, so that another run can continue it.

The file has a mark, whose last byte is the number of the format; the SHA-256 of the rest; and a
gzip stream, in members of one block each, with the head and the arrays. Integers are little-endian:

- the head: SHA-256 of the rules with their constants; SHA-256 of the puzzle with the names of the
  net's fluents and moves, to which states and moves refer by number; the numbers of nodes and edges
  of the transposition table; the evaluations; the positions and the milliseconds; whether play can
  be cyclic; whether the table may have room for all states; and when each number of turns was
  refuted;
- the arrays of the table (``native/parts.h``) as in memory, in blocks of items. A block has the
  first bytes of all items, then the second bytes, and so on: similar bytes side by side compress
  better and faster.

A file must be complete, of the same puzzle, and have numbers within bounds. The program can't check
its data about states: a verdict is as trustworthy as the file.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import struct
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from threading import Event, Thread
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...propnet.threads import number_of, side_by_side
from ...runtime.budget import UNLIMITED
from ...runtime.call_arguments import file_to_replace
from ...runtime.errors import AspgamesError, BadRequest, Interrupted
from ...runtime.process_messages import (
    CAN_FORK,
    machine_bytes,
    resident_bytes,
    saving,
    still_saving,
)
from ...runtime.temporary_files import unfinished
from .kernel_search import TableArray
from .pace import Pace

if TYPE_CHECKING:
    from .puzzle_search import Search

_MARK = b"stopped\x03"
_SUM = hashlib.sha256().digest_size
_HEAD = struct.Struct(f"<{_SUM}s{_SUM}s8q")
_PACE = struct.Struct("<2q")
_MOST_MARKS = 30_000
_BLOCK = 1 << 18  # items
_LEVEL = 1  # of compression; higher levels take much longer and save little
_BLOCKS_AT_ONCE = min(16, number_of(None))  # blocks compressed in parallel

_EVERY_SECONDS = 60.0  # the least time between two writes [s]
_COST_RATIO = (
    10  # the least ratio of this time to the duration of the last write, if the search waits
)
_COPY_BYTES = 1 << 29  # bytes that a copy of the table may take beyond --memory


class _Head(NamedTuple):
    rules: bytes
    puzzle: bytes
    nodes: int
    edges: int
    made: int
    positions: int
    milliseconds: int
    cyclic: int
    roomy: int
    marks: int


class SavedSearch:
    """The file of a search."""

    def __init__(self, path: Path, search: Search) -> None:
        """Continue the search in the file, or create the file.

        Raises ``BadRequest`` for another kind of file, or a file that the program can't read or
        write, and ``LimitReached`` if the file's table exceeds the memory limit.
        """
        self._path, self._search, self._table = path, search, search.table
        self.trouble = ""
        """Why the last write failed, as a prefix for the progress."""
        self._written = -1  # the number of evaluations at the last write
        self._due = self._cost = 0.0  # when to write next, and the time for the last write [s]
        self._aside: Thread | None = None  # writes a copy while the search continues
        self._end = Event()  # ends this thread
        puzzle, net = search.puzzle, search.table.net
        game = puzzle.state.game
        self._rules = _digest(game.encoding.fingerprint, sorted(game.constants.items()))
        self._puzzle = _digest(
            puzzle.state.facts, puzzle.attacker, puzzle.goal.text, net.fluents, net.moves
        )
        if os.path.lexists(path):
            self._take()
        else:
            self.keep()

    def keep_in_time(self) -> None:
        """Begin a write if one is due; a search whose copy needs too much memory waits for it.

        Near the end of its time, a search is soon saved for the last time.
        """
        if self._aside and self._aside.is_alive():
            return
        left = self._search.budget.seconds_left
        if time.monotonic() < self._due or left < 2 * self._cost or self._is_kept:
            return
        begun, parts = self._content()
        if self._has_room(sum(len(part.data) for part in parts)):
            parts = [TableArray(part.item, memoryview(bytearray(part.data))) for part in parts]
            work = begun, parts, self._table.made
            self._aside = Thread(target=self._write_aside, args=work, daemon=True)
            self._aside.start()
            return
        with suppress(BadRequest):  # the next attempt may succeed
            self._write(begun, parts, self._table.made)

    @property
    def _is_kept(self) -> bool:
        return self._table.made == self._written

    def _has_room(self, size: int) -> bool:
        """Whether a copy of the table fits beside it: half of the machine, and ``--memory``."""
        if not CAN_FORK:
            return size <= _COPY_BYTES
        most, limit = machine_bytes() / 2, self._table.memory
        most = most if limit is None else min(most, limit + _COPY_BYTES)
        return resident_bytes(os.getpid()) + size <= most

    def keep(self) -> None:
        """Write the search unless the file is up to date. Raises ``BadRequest``."""
        self.close()  # what is written aside is old
        if not self._is_kept:
            self._write(*self._content(), self._table.made)

    def close(self) -> None:
        """End the write of a copy."""
        if self._aside:
            self._end.set()
            self._aside.join()
            self._aside = None
            self._end.clear()

    def _content(self) -> tuple[bytes, list[TableArray]]:
        """The head of the file, and the table's arrays."""
        table, marks = self._table, self._search.pace.marks
        parts = table.parts()
        nodes, edges = (len(part.data) // part.item for part in parts[1:3])
        positions, seconds = self._search.spent
        head = _Head(
            self._rules, self._puzzle, nodes, edges, table.made, positions, int(1000 * seconds),
            table.cyclic, table.roomy, len(marks),
        )  # fmt: skip
        return b"".join((_HEAD.pack(*head), *(_PACE.pack(*mark) for mark in marks))), parts

    def _write_aside(self, begun: bytes, parts: list[TableArray], made: int) -> None:
        with suppress(BadRequest, Interrupted):  # the last write follows
            self._write(begun, parts, made, self._end)

    def _write(
        self, begun: bytes, parts: list[TableArray], made: int, end: Event | None = None
    ) -> None:
        """Write the file: with all cores while the search waits, else with one until ``end``."""
        start, width = time.monotonic(), 1 if end else _BLOCKS_AT_ONCE
        blocks = [np.frombuffer(begun, np.uint8)]
        blocks += [block.T for part in parts for block in _blocks(part)]
        try:
            with nullcontext() if end else saving(), _writing(self._path) as file:
                for first in range(0, len(blocks), width):
                    UNLIMITED.check()  # a Ctrl-C
                    if end is None:
                        still_saving()
                    elif end.is_set():
                        raise Interrupted
                    last = min(first + width, len(blocks))
                    places = [(place, place + 1) for place in range(first, last)]
                    file.writelines(side_by_side(lambda n, _: _packed(blocks[n]), places))
        except BadRequest as error:
            self.trouble = f"{error}: "
            self._wait(0)
            raise
        self._written, self.trouble = made, ""
        self._wait(time.monotonic() - start, 1 if end else _COST_RATIO)

    def _wait(self, spent: float, share: float = 1) -> None:
        self._cost = spent
        self._due = time.monotonic() + max(_EVERY_SECONDS, share * spent)

    def _take(self) -> None:
        table, start = self._table, time.monotonic()
        with _reading(self._path) as file:
            head = _Head._make(_HEAD.unpack(file.read(_HEAD.size)))
            if head.rules != self._rules:
                raise BadRequest(f"{self._path} is of other rules")
            if head.puzzle != self._puzzle:
                raise BadRequest(f"{self._path} is of another puzzle")
            if not 0 <= head.marks <= _MOST_MARKS:
                raise ValueError
            marks = list(_PACE.iter_unpack(file.read(_PACE.size * head.marks)))
            table.start_anew()
            for part in table.parts(head.nodes, head.edges):
                for block in _blocks(part):
                    packed = np.frombuffer(file.read(block.size), np.uint8)
                    block[:] = packed.reshape(block.T.shape).T
            if not table.adopt(head.nodes, head.edges) or file.read(1):
                raise ValueError
        table.made = self._written = head.made
        table.cyclic, table.roomy = bool(head.cyclic), bool(head.roomy)
        self._search.pace = Pace(marks)
        self._search.earlier = max(0, head.positions), max(0, head.milliseconds) / 1000
        self._wait(time.monotonic() - start, _COST_RATIO)


def _digest(*parts: Any) -> bytes:
    return hashlib.sha256(json.dumps(parts).encode()).digest()


def _blocks(part: TableArray) -> Iterator[Any]:
    """The blocks of an array, each with a row of bytes for each item."""
    items = np.frombuffer(part.data, np.uint8).reshape(-1, part.item)
    for start in range(0, len(items), _BLOCK):
        yield items[start : start + _BLOCK]


def _packed(block: Any) -> bytes:
    return gzip.compress(np.ascontiguousarray(block), _LEVEL, mtime=0)  # type: ignore[arg-type]


def _sum(file: IO[bytes]) -> bytes:
    return hashlib.file_digest(file, "sha256").digest()  # type: ignore[arg-type]


@contextmanager
def _reading(path: Path) -> Iterator[IO[bytes]]:
    """The uncompressed content of a file. Raises ``BadRequest``, also during reads."""
    try:
        if not path.is_file():
            raise BadRequest(f"{path} isn't a file")
        with path.open("rb") as file:
            mark = file.read(len(_MARK))
            if mark[:-1] != _MARK[:-1]:
                raise BadRequest(f"{path} isn't a saved search")
            if mark != _MARK:
                raise BadRequest(f"{path} is of another version of aspgames")
            if file.read(_SUM) != _sum(file):
                raise ValueError
            file.seek(len(_MARK) + _SUM)
            with gzip.GzipFile(fileobj=file) as packed:
                yield packed  # type: ignore[misc]
    except AspgamesError:
        raise
    except (EOFError, ValueError, struct.error, zlib.error, gzip.BadGzipFile):
        raise BadRequest(f"{path} is damaged") from None
    except OSError as error:
        raise BadRequest(f"{path} can't be read: {error.strerror}") from None


@contextmanager
def _writing(path: Path) -> Iterator[IO[bytes]]:
    """The compressed part of a file, which replaces the old file once it is complete."""
    target = file_to_replace(path, "for a search")
    try:
        with unfinished(target) as begun:
            with begun.open("w+b") as file:
                file.write(bytes(len(_MARK) + _SUM))
                yield file
                file.seek(len(_MARK) + _SUM)
                summed = _sum(file)
                file.seek(0)
                file.write(_MARK + summed)
                file.flush()
                os.fsync(file.fileno())
            begun.replace(target)
    except OSError as error:
        raise BadRequest(f"{path} can't be written: {error.strerror}") from None
