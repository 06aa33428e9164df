"""Bytes kept on disk from one process to the next, in the user's cache directory.

What is put under a key is found again until it is crowded out: the cache is bounded, and what
wasn't used for longest goes first. To look at all entries takes its time, so that is done seldom,
and until then there may be a few more. Whatever goes wrong costs time only: an entry that is
damaged is not there, and where nothing can be kept, nothing is. ``ASPGAMES_CACHE`` names another
directory, or is ``off``.

Any number of processes may use one cache. An entry is a file that is written under another name and
moved to its place: it is whole once it can be seen, and is never written to again.
"""

from __future__ import annotations

import mmap
import os
import re
import stat
import struct
import time
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

VARIABLE = "ASPGAMES_CACHE"
"""The environment variable that says where the cache is, or ``off``."""

MOST_BYTES = 1 << 30
"""The bytes that all entries may take together, but for what came since they were looked at."""

_MOST_ENTRIES = 4096  # the same for their number
_SELDOM = 64  # entries, or as many of this many parts of all bytes, until all are looked at again
_ABANDONED = 3600.0  # seconds after which nobody writes any more what was begun

# The packages that entries are made with, each a folder: another state of them finds none.
_MAKERS = ("aspgames", "clingo")

# Before the bytes of an entry: a mark, the number of this layout, the checksum and the length of
# the bytes, and the digest of the key. That a file is whole is all that its checksum is to show.
_HEADER = struct.Struct("<8sIIQ32s8x")
_MARK = b"aspgames"
_LAYOUT = 1

_ENTRY = re.compile(r"([a-z]+)-[0-9a-f]{64}")
_BEGUN = re.compile(rf"\.{_ENTRY.pattern}\.[0-9a-f]{{16}}")

# Foreign files of an entry's name may be anything, such as a pipe, for which nobody must wait.
_READING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_WRITING = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


@dataclass(frozen=True)
class Entry:
    """A file of the cache."""

    path: Path
    kind: str
    """What the bytes are."""
    size: int
    """The bytes that the file has."""
    used: float
    """When it was last used, in seconds since the epoch."""


def get(key: str, kind: str) -> memoryview | None:
    """The bytes that were put under a key; None if there are none.

    They are mapped from the disk, and begin at a multiple of 64 bytes. They last as long as they
    are referred to, whatever becomes of the entry. They can be written to, since ctypes tells the
    address of nothing else; what is written stays with this process.
    """
    place = _place(key, kind)
    return None if place is None else _read(*place)


def put(key: str, kind: str, data: bytes | memoryview) -> None:
    """Keep bytes under a key, in place of those there are.

    A key is a text of any length; what one installation of aspgames keeps, another one doesn't
    find. ``kind`` says in a word, ``[a-z]+``, what the bytes are; each kind has keys of its own.
    """
    place = _place(key, kind)
    if place is None or _HEADER.size + memoryview(data).nbytes > MOST_BYTES:
        return
    with suppress(OSError):
        grows = not place[0].exists()
        _write(*place, memoryview(data).cast("B"))
        if grows and _is_time_to_look(memoryview(data).nbytes):
            _make_room(place[0].parent)


def folder() -> Path | None:
    """The directory of the cache, made when something is put into it; None if there is none."""
    named = os.environ.get(VARIABLE)
    if named == "off":
        return None
    return Path(named).absolute() if named else _users_folder()


def entries() -> list[Entry]:
    """All entries, least recently used first."""
    found = folder()
    return [] if found is None else _files(found, _ENTRY)


def clear() -> int:
    """Remove all entries, and nothing else from the directory; returns their number."""
    found = folder()
    if found is None:
        return 0
    for begun in _files(found, _BEGUN):
        _removed(begun.path)
    return sum(_removed(entry.path) for entry in _files(found, _ENTRY))


def _place(key: str, kind: str) -> tuple[Path, bytes] | None:
    """Where the bytes of a key are, and its digest."""
    found, edition = folder(), _edition()
    if found is None or edition is None:
        return None
    text = "\0".join((edition, kind, key))
    digest = sha256(text.encode("utf-8", "surrogatepass")).digest()
    return found / f"{kind}-{digest.hex()}", digest


@cache
def _users_folder() -> Path | None:
    from platformdirs import user_cache_path  # not needed where the environment names one

    found = user_cache_path("aspgames", appauthor=False)
    return found if found.is_absolute() else None  # somebody without a home


@cache
def _edition() -> str | None:
    """What tells this installation from others; None if there is nothing to tell it by.

    With the version alone, whoever changes the package would go on with what it made before.
    """
    from .._version import __version__

    found = [__version__]
    for package in _MAKERS:
        spec = find_spec(package)  # which imports nothing
        if spec is None or spec.origin is None:
            return None
        try:
            found += sorted(_stamps(os.path.dirname(spec.origin)))
        except OSError:
            return None
    return "\n".join(found)


def _stamps(place: str) -> Iterator[str]:
    """Each file of a folder and those in it, with its size and the time of its last change."""
    with os.scandir(place) as found:
        for file in found:
            if file.is_dir():
                if file.name != "__pycache__":
                    yield from _stamps(file.path)
            else:
                about = file.stat()
                yield f"{file.path} {about.st_size} {about.st_mtime_ns}"


def _read(path: Path, digest: bytes) -> memoryview | None:
    """The bytes of an entry; None if it isn't there. What isn't as it must be is removed."""
    try:
        descriptor = os.open(path, _READING)
    except OSError:
        return None
    try:
        mapped = mmap.mmap(descriptor, 0, access=mmap.ACCESS_COPY)
    except OSError:
        return None
    except ValueError:  # it is empty
        _removed(path)
        return None
    finally:
        os.close(descriptor)
    whole = memoryview(mapped)
    if not _is_sound(whole, digest):
        whole.release()
        mapped.close()
        _removed(path)
        return None
    with suppress(OSError):
        os.utime(path)
    return whole[_HEADER.size :]


def _is_sound(file: memoryview, digest: bytes) -> bool:
    """Whether these are the bytes of a file that ``_write`` wrote for the key of this digest."""
    if len(file) < _HEADER.size:
        return False
    mark, layout, checksum, length, written_for = _HEADER.unpack(file[: _HEADER.size])
    data = file[_HEADER.size :]
    return (
        (mark, layout, written_for, length) == (_MARK, _LAYOUT, digest, len(data))
    ) and zlib.crc32(data) == checksum


def _write(path: Path, digest: bytes, data: memoryview) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    begun = path.with_name(f".{path.name}.{os.urandom(8).hex()}")
    try:
        with os.fdopen(os.open(begun, _WRITING, 0o600), "wb") as file:
            file.write(_HEADER.pack(_MARK, _LAYOUT, zlib.crc32(data), len(data), digest))
            file.write(data)
        begun.replace(path)  # Windows refuses that if someone has the old one mapped
    finally:
        _removed(begun)


def _is_time_to_look(size: int) -> bool:
    """Whether another entry, of so many bytes, is one after which all are looked at.

    Each process begins at a place of its own by chance. So those that put only a few entries each
    look as often, on average, as one that puts them all. (Two threads may count one for two.)
    """
    global _until_look
    _until_look -= 1 / _SELDOM + _SELDOM * size / MOST_BYTES
    if _until_look > 0:
        return False
    _until_look = 1.0
    return True


_until_look = int.from_bytes(os.urandom(4), "big") / (1 << 32)


def _make_room(place: Path) -> None:
    """Remove what wasn't used for longest until the rest is small enough."""
    for begun in _files(place, _BEGUN):
        if begun.used < time.time() - _ABANDONED:
            _removed(begun.path)
    found = _files(place, _ENTRY)
    left, total = len(found), sum(entry.size for entry in found)
    for entry in found:
        if left <= _MOST_ENTRIES and total <= MOST_BYTES:
            return
        left, total = left - 1, total - entry.size
        _removed(entry.path)


def _files(place: Path, names: re.Pattern[str]) -> list[Entry]:
    """The files whose names are such, least recently used first."""
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
    """Remove a file; whether that succeeded."""
    try:
        path.unlink()
    except OSError:
        return False
    return True
