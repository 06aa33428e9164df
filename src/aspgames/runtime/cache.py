"""A cache of bytes on disk, in the user's cache directory.

The cache is bounded: the entries unused for longest are removed first. A check of the bound takes
time, so it is rare, and there may be a few more entries. Faults only cost time: a damaged entry
counts as missing, and if files are unwritable, nothing is kept. ``ASPGAMES_CACHE`` names another
directory, or is ``off``.

Any number of processes may use one cache. An entry is written under a temporary name and then
renamed, so every visible entry is complete. Entries never change.
"""

import mmap
import os
import struct
import zlib
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

VARIABLE = "ASPGAMES_CACHE"
"""The environment variable with the directory of the cache, or ``off``."""

MOST_BYTES = 1 << 30
"""The most bytes of all entries; exceeded only between two checks."""

_CHECK_ENTRIES = 64  # new entries, or that fraction of MOST_BYTES, between two checks

# The packages that make entries. After a change of their files, no old entry is found.
_MAKERS = ("aspgames", "clingo")

# The header of an entry: a mark, the number of this layout, the checksum and length of the bytes,
# and the digest of the key. The checksum shows that the file is complete.
_HEADER = struct.Struct("<8sIIQ32s8x")
_MARK = b"aspgames"
_LAYOUT = 1

# A foreign file with an entry's name may be a pipe, which must not block.
_READING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_WRITING = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def get(key: str, kind: str) -> memoryview | None:
    """The bytes of a key; None if it has no entry.

    They are mapped from the disk, aligned to 64 bytes, and stay valid if the entry is removed. They
    are writable, since the kernel's tables need that; changes stay in this process.
    """
    place = _place(key, kind)
    return None if place is None else _read(*place)


def put(key: str, kind: str, data: bytes | memoryview) -> None:
    """Keep bytes under a key, and replace earlier ones.

    ``kind``, ``[a-z]+``, names the kind of the bytes; each kind has its own keys. Other
    installations of aspgames don't find the entry.
    """
    place = _place(key, kind)
    if place is None or _HEADER.size + memoryview(data).nbytes > MOST_BYTES:
        return
    with suppress(OSError):
        grows = not place[0].exists()
        _write(*place, memoryview(data).cast("B"))
        if grows and _is_time_to_look(memoryview(data).nbytes):
            from .cache_upkeep import make_room  # seldom needed

            make_room(place[0].parent, MOST_BYTES)


def folder() -> Path | None:
    """The directory of the cache, which need not exist; None if the cache is off."""
    named = os.environ.get(VARIABLE)
    if named == "off":
        return None
    return Path(named).absolute() if named else _users_folder()


def _place(key: str, kind: str) -> tuple[Path, bytes] | None:
    found, edition = folder(), _edition()
    if found is None or edition is None:
        return None
    text = "\0".join((edition, kind, key))
    digest = sha256(text.encode("utf-8", "surrogatepass")).digest()
    return found / f"{kind}-{digest.hex()}", digest


@cache
def _users_folder() -> Path | None:
    from platformdirs import user_cache_path  # loaded only if the environment names no directory

    found = user_cache_path("aspgames", appauthor=False)
    return found if found.is_absolute() else None  # a user without a home directory


@cache
def _edition() -> str | None:
    """A text that identifies this installation, or None.

    The version alone isn't enough for people who change the package.
    """
    from .._version import __version__

    found = [__version__]
    for package in _MAKERS:
        spec = find_spec(package)  # imports nothing
        if spec is None or spec.origin is None:
            return None
        try:
            found += sorted(_stamps(os.path.dirname(spec.origin)))
        except OSError:
            return None
    return "\n".join(found)


def _stamps(place: str) -> Iterator[str]:
    """Each file of a folder and its folders, with its size and modification time."""
    with os.scandir(place) as found:
        for file in found:
            if file.is_dir():
                if file.name != "__pycache__":
                    yield from _stamps(file.path)
            else:
                about = file.stat()
                yield f"{file.path} {about.st_size} {about.st_mtime_ns}"


def _read(path: Path, digest: bytes) -> memoryview | None:
    """The bytes of an entry; None if it is missing. Removes a damaged entry."""
    try:
        descriptor = os.open(path, _READING)
    except OSError:
        return None
    try:
        mapped = mmap.mmap(descriptor, 0, access=mmap.ACCESS_COPY)
    except OSError:
        return None
    except ValueError:  # an empty file
        _remove(path)
        return None
    finally:
        os.close(descriptor)
    whole = memoryview(mapped)
    if not _is_sound(whole, digest):
        whole.release()
        mapped.close()
        _remove(path)
        return None
    with suppress(OSError):
        os.utime(path)
    return whole[_HEADER.size :]


def _is_sound(file: memoryview, digest: bytes) -> bool:
    """Whether the file is a complete entry for the key with this digest."""
    if len(file) < _HEADER.size:
        return False
    mark, layout, checksum, length, written_for = _HEADER.unpack(file[: _HEADER.size])
    data = file[_HEADER.size :]
    known = mark, layout, written_for, length
    return known == (_MARK, _LAYOUT, digest, len(data)) and zlib.crc32(data) == checksum


def _write(path: Path, digest: bytes, data: memoryview) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    begun = path.with_name(f".{path.name}.{os.urandom(8).hex()}")
    try:
        with os.fdopen(os.open(begun, _WRITING, 0o600), "wb") as file:
            file.write(_HEADER.pack(_MARK, _LAYOUT, zlib.crc32(data), len(data), digest))
            file.write(data)
        begun.replace(path)  # Windows refuses that if a process has the old file mapped
    finally:
        _remove(begun)


def _is_time_to_look(size: int) -> bool:
    """Whether to check the bound after one more entry of ``size`` bytes.

    Each process begins at a random count. So many processes with few entries check as often, on
    average, as one process with many. (Two threads may count two entries as one.)
    """
    global _until_look
    _until_look -= 1 / _CHECK_ENTRIES + _CHECK_ENTRIES * size / MOST_BYTES
    if _until_look > 0:
        return False
    _until_look = 1.0
    return True


_until_look = int.from_bytes(os.urandom(4), "big") / (1 << 32)


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink()
