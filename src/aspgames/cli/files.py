"""Files named on a command line, and standard input."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from typing import IO, Any

from ..runtime.errors import AspgamesError, BadRequest, LimitReached
from ..runtime.process_messages import saving
from ..runtime.temporary_files import unfinished

RECORD = ".pgn"
"""The suffix of a file in which a match is saved as a record of games."""

_WRITTEN = frozenset(
    ("certificate", "html", "output", "pdf", "png", "record", "report", "svg")
)  # parameters of verbs: the files that they write
_GOES_ON = "first"  # train --from FILE -o FILE goes on with the same weights

STREAM = ".gz"
"""The suffix of a file to which a certificate is streamed."""


def standard_input() -> IO[bytes]:
    """Standard input as bytes. Raises ``BadRequest`` if it is closed."""
    if sys.stdin is None:
        raise BadRequest("standard input is closed")
    return sys.stdin.buffer


def standard_input_of_its_own() -> IO[bytes]:
    """Standard input for a thread that may still be reading at the end of the program.

    Python can't exit while a thread reads ``sys.stdin``. Raises ``BadRequest`` if standard input is
    closed.
    """
    stream = standard_input()
    try:
        return os.fdopen(os.dup(stream.fileno()), "rb")
    except OSError:  # a test's own stream has no file number
        return stream


def opened(name: str, mode: str) -> IO[Any]:
    """Open a file. Raises ``BadRequest``."""
    with _refused(name, "opened"):
        return Path(name).open(mode)


def read_bytes(name: str, most: int) -> bytes:
    """The contents of a file ('-': standard input) of at most ``most`` bytes.

    Raises ``BadRequest`` if it is unreadable, and ``LimitReached`` if it is longer.
    """
    shown = input_name(name)
    stream = standard_input() if name == "-" else opened(name, "rb")
    with _refused(shown, "read"), stream:
        found: bytes = stream.read(most + 1)
    if len(found) > most:
        raise LimitReached(f"{shown} is longer than {most:,} bytes")
    return found


def read_text(name: str, most: int) -> str:
    """The text of a file ('-': standard input): as ``read_bytes``, if it is UTF-8."""
    try:
        return read_bytes(name, most).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadRequest(f"{input_name(name)} is not UTF-8 text (byte {error.start + 1})") from None


def write_file(name: str, content: str | bytes) -> None:
    """Write a whole file: a reader finds the old file or the new one, never a part.

    Raises ``BadRequest``.
    """
    with saving(), replaced(name) as file:
        file.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def replaced(name: str) -> Iterator[IO[bytes]]:
    """A file that replaces another one at the end of the block. Raises ``BadRequest``."""
    with _refused(name, "written"):
        target = Path(name).resolve()
        if target.exists() and not target.is_file():  # such as /dev/null
            with target.open("wb") as file:
                yield file
            return
        with unfinished(target) as part:
            with part.open("wb") as file:
                yield file
            part.replace(target)


def refuse_overwriting(values: Mapping[str, Any]) -> None:
    """Raise ``BadRequest`` if a file that a verb writes is one of its other parameters."""
    names = written_files(values)
    kept = [str(values["resume"])] if values.get("resume") else []
    for one, other in combinations(names + kept, 2):
        is_file = one != "-" and not Path(one).is_char_device()
        if is_file and os.path.realpath(one) == os.path.realpath(other):
            raise BadRequest(f"{one} can't hold two things: name another file for one of them")
    written = [name for name in names if os.path.isfile(name)]
    if not written:
        return
    read = [
        file
        for name, value in values.items()
        if name not in _WRITTEN and name != _GOES_ON
        for text in (value if isinstance(value, tuple) else (value,))
        if isinstance(text, str) and (name != "game" or "." in text)  # not a built-in game
        for each in (text.removeprefix("@"),)
        for file in (each, each.rpartition(":")[0])  # a row: games.parquet:3
        if os.path.isfile(file)
    ]
    for name in written:
        if any(os.path.samefile(name, file) for file in read):
            raise BadRequest(f"{name} is the file that is read: name another one")


def written_files(values: Mapping[str, Any]) -> list[str]:
    """The files that a verb with these parameters writes, and '-' for standard output."""
    return [str(values[each]) for each in sorted(_WRITTEN & {*values}) if values[each] is not None]


def refuse_unwritable(*names: str) -> None:
    """Raise ``BadRequest`` if a file is unwritable. Existing files stay unchanged.

    A pipe isn't looked at: its reader would take that for the end.
    """
    for name in names:
        if name != "-" and not Path(name).is_fifo():
            existed = Path(name).exists()
            with _refused(name, "written"), Path(name).open("ab"):
                pass
            if not existed:
                Path(name).unlink()


def input_name(name: str) -> str:
    """The name of a file, or of standard input ('-'), for messages."""
    return "standard input" if name == "-" else _shown(name)


def _shown(name: str) -> str:
    return name or "a file without a name"


@contextmanager
def _refused(name: str, what: str) -> Iterator[None]:
    """Turn errors of files into ``BadRequest``: the file can't be opened, read or written."""
    try:
        yield
    except AspgamesError:  # some are also a ValueError
        raise
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise BadRequest(f"{_shown(name)} can't be {what}: {reason}") from None
