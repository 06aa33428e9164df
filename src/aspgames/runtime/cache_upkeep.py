"""The entries of the cache: list them, remove them all, or those unused for longest."""

import os
import re
import stat
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_MOST_ENTRIES = 4096  # exceeded only between two checks
_ABANDONED_SECONDS = 3600.0  # seconds after which an unfinished entry is removed

_ENTRY = re.compile(r"([a-z]+)-[0-9a-f]{64}")
_BEGUN = re.compile(rf"\.{_ENTRY.pattern}\.[0-9a-f]{{16}}")


@dataclass(frozen=True)
class Entry:
    """A file of the cache."""

    path: Path
    kind: str
    """The kind of the bytes, in a word."""
    size: int
    """The size of the file [bytes]."""
    used: float
    """The time of the last use, in seconds since the epoch."""


def entries(folder: Path | None) -> list[Entry]:
    """All entries of the cache in a folder, least recently used first; none if the cache is off."""
    return [] if folder is None else _files(folder, _ENTRY)


def clear(folder: Path | None) -> int:
    """Remove all entries, and nothing else from the folder; returns their number."""
    if folder is None:
        return 0
    for begun in _files(folder, _BEGUN):
        _removed(begun.path)
    return sum(_removed(entry.path) for entry in _files(folder, _ENTRY))


def make_room(folder: Path, most_bytes: int) -> None:
    """Remove the entries unused for longest until the rest has at most so many bytes."""
    for begun in _files(folder, _BEGUN):
        if begun.used < time.time() - _ABANDONED_SECONDS:
            _removed(begun.path)
    found = _files(folder, _ENTRY)
    left, total = len(found), sum(entry.size for entry in found)
    for entry in found:
        if left <= _MOST_ENTRIES and total <= most_bytes:
            return
        left, total = left - 1, total - entry.size
        _removed(entry.path)


def _files(place: Path, names: re.Pattern[str]) -> list[Entry]:
    found = []
    with suppress(OSError), os.scandir(place) as files:
        for file in files:
            if match := names.fullmatch(file.name):
                with suppress(OSError):  # another process may have removed it
                    about = file.stat(follow_symlinks=False)
                    if stat.S_ISREG(about.st_mode):
                        found.append(
                            Entry(Path(file.path), match[1], about.st_size, about.st_mtime)
                        )
    return sorted(found, key=lambda entry: entry.used)


def _removed(path: Path) -> bool:
    """Remove a file; returns whether that succeeded."""
    try:
        path.unlink()
    except OSError:
        return False
    return True
