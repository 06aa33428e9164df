"""The formats by name and by the endings of file names, and the reading of whole files."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from os import PathLike, fspath
from pathlib import Path
from typing import IO

from ...game.game import Game
from ...runtime.arguments import check_text, quote
from ...runtime.errors import BadRecord, BadRequest
from ..game_record import Record
from .amazons import AMAZONS
from .column_records import COLUMNS
from .format import FileEntry, Format
from .ggf import GGF
from .pdn import PDN
from .pgn import PGN
from .position_lines import EPD, FEN
from .record_lines import JSON_LINES
from .sgf import SGF
from .transcript import TRANSCRIPT
from .wthor import WTHOR

FORMATS: list[Format] = [
    PGN,
    EPD,
    FEN,
    JSON_LINES,
    PDN,
    SGF,
    TRANSCRIPT,
    GGF,
    WTHOR,
    COLUMNS,
    AMAZONS,
]
"""The formats of this package, and those that others register."""


def register(form: Format) -> Format:
    """Add a format whose module is on a floor above this one."""
    FORMATS.append(form)
    return form


def format_named(name: str) -> Format:
    """The format with a name. Raises ``BadRequest``."""
    for each in FORMATS:
        if each.name == name:
            return each
    known = ", ".join(sorted(each.name for each in FORMATS))
    raise BadRequest(f"there is no format {quote(name)}; there are: {known}")


def format_of(file: str) -> Format | None:
    """The format that the ending of a file's name means; None for other endings."""
    ending = Path(file).suffix.lower()
    return next((each for each in FORMATS if ending in each.endings), None)


def sniffed(begin: bytes) -> Format:
    """The format of a text without a name, by its beginning: PGN if it is no other."""
    text = begin.removeprefix(b"\xef\xbb\xbf").lstrip()
    rest = text[1:].lstrip()
    if text.startswith(b"{") and rest.startswith((b'"', b"}")):
        return JSON_LINES
    line = next((line for line in text.splitlines() if line and not line.startswith(b"#")), b"")
    if re.match(rb"[^\s/\[{(]+(/[^\s/]+){2,}\s+[wb]\b", line):
        return EPD if b";" in line else FEN
    return PGN


def entries(
    stream: IO[bytes], name: str, game: Game | None = None, form: Format | None = None
) -> Iterator[FileEntry]:
    """The entries of a stream with a file's name. Raises ``BadRequest`` for an unfit game."""
    if form is None and (form := format_of(name)) is None:
        begin = stream.peek(4096)[:4096] if isinstance(stream, io.BufferedReader) else b""
        if isinstance(stream, io.BytesIO):
            begin = stream.getvalue()[:4096]
        form = sniffed(begin)
    if game is not None and not form.fits(game):
        raise BadRequest(f"{form.name} is a format of {form.games}, not of {game.name}")
    if game is None and not form.names_game:
        raise BadRequest(f"{name}: {form.name} files don't name their game: give it")
    return form.read(stream, game)


def records(
    stream: IO[bytes], name: str, game: Game | None = None, form: Format | None = None
) -> Iterator[Record]:
    """The records of a stream. Raises ``BadRecord``, with the name and the line."""
    for entry in entries(stream, name, game, form):
        if entry.error is not None or entry.record is None:
            line = getattr(entry.error, "line", 0) or entry.line
            raise BadRecord(f"{name}:{line}: {entry.error}", line)
        yield entry.record


def read(path: str | PathLike[str], game: Game | None = None) -> list[Record]:
    """Read the records in a file of any format; the ending of its name decides which.

    Args:
        path: The file.
        game: The game of records that don't name theirs.

    Raises:
        BadRequest: The file can't be read, or a record in it; with the line.
    """
    name = fspath(path)
    try:
        with Path(name).open("rb") as stream:
            return list(records(stream, name, game))
    except OSError as error:
        raise BadRequest(f"{name} can't be read: {error.strerror}") from None


def parse(text: str, name: str = "record", game: Game | None = None) -> list[Record]:
    """Read the records in a text, PGN or JSON lines, without checking the game or the moves.

    Raises ``BadRequest`` with ``name`` and the line.
    """
    given = check_text(text, "a record", BadRequest).encode("utf-8", "surrogatepass")
    return list(records(io.BytesIO(given), name, game))


def write(path: str | PathLike[str], records: Iterable[Record]) -> None:
    """Write records to a file as PGN. Raises ``BadRequest`` if it can't be written."""
    text = "\n".join(map(str, records))
    try:
        Path(fspath(path)).write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        raise BadRequest(f"{fspath(path)} can't be written: {error}") from None
