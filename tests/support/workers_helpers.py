"""Helpers for tests of workers and clusters: runs that are killed midway."""

import json
import shlex
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cli_helpers import PROGRAM, TIMEOUT, WON_IN_ONE

POSITIONS = [WON_IN_ONE, "8/8/3P4/8/8/8/p7/8 w", "8/8/8/3P4/8/7p/8/8 w", "8/8/8/3P4/8/p7/8/8 b"]
MANY = [
    {"game": "breakthrough", "position": position, "attacker": attacker, "goal": "win", "within": k}
    for position in POSITIONS
    for attacker in ("white", "black")
    for k in range(3)
]
"""Puzzles that take a moment each."""


def lasting(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer without the fields that differ between runs."""
    return {key: value for key, value in answer.items() if key not in ("seconds", "positions")}


def answers_in(text: str | bytes) -> list[dict[str, Any]]:
    """The printed answers, without the fields that differ between runs."""
    return [lasting(json.loads(line)) for line in text.splitlines()]


@contextmanager
def begin(
    *arguments: str, cwd: Path, most_blocks: int | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """Start ``aspgames``, and kill it at the end; ``most_blocks`` limits the size of its files."""
    words: Sequence[str] = [*PROGRAM, *arguments]
    if most_blocks is not None:
        # Python would take a truncated bytecode file for a complete one.
        words = ["env", "PYTHONDONTWRITEBYTECODE=1", *words]
        words = ["sh", "-c", f"ulimit -f {most_blocks}; exec {shlex.join(words)}"]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, cwd=cwd, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_for(condition: Callable[[], object], what: str = "a condition") -> None:
    deadline = time.monotonic() + TIMEOUT
    while not condition():
        assert time.monotonic() < deadline, f"waited for {what}"
        time.sleep(0.01)


def _stats() -> Iterator[tuple[int, str, int, int]]:
    """The id, the state, the parent and the group of each process."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = stat.read_text().rpartition(")")[2].split()
            yield int(stat.parent.name), fields[0], int(fields[1]), int(fields[2])


def is_running(pid: int) -> bool:
    return any(each == pid and state != "Z" for each, state, _, _ in _stats())


def members(number: int) -> list[int]:
    return [pid for pid, state, _, group in _stats() if group == number and state != "Z"]


def descendants(pid: int) -> list[int]:
    parents: dict[int, list[int]] = {}
    for each, _, parent, _ in _stats():
        parents.setdefault(parent, []).append(each)
    found: list[int] = []
    new = [pid]
    while new:
        new = [child for each in new for child in parents.get(each, [])]
        found += new
    return found


def workers_of(pid: int) -> list[int]:
    """The descendants that execute tasks."""

    def command(each: int) -> bytes:
        try:
            return Path(f"/proc/{each}/cmdline").read_bytes()
        except OSError:
            return b""

    return [
        each for each in descendants(pid) if b"aspgames.runtime.workers.worker" in command(each)
    ]


def kept(path: Path) -> list[str]:
    """The tasks whose results are in a file, in order of arrival.

    It reads a copy, since the writing run locks the file.
    """
    with TemporaryDirectory() as folder:
        for suffix in ("", "-wal"):
            with suppress(FileNotFoundError):
                shutil.copy(f"{path}{suffix}", f"{folder}/copy{suffix}")
        with (
            closing(sqlite3.connect(f"{folder}/copy")) as database,
            suppress(sqlite3.DatabaseError),  # copied during a write
        ):
            return [task for (task,) in database.execute("SELECT task FROM results ORDER BY rowid")]
    return []
