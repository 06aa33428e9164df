"""Loads rule sheets as encodings."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from ...runtime import cache
from ...runtime.errors import LimitReached, RulesError

# The reader is imported in functions: most sheets are in the cache.
if TYPE_CHECKING:
    from .sheet import Comment, RuleGroup

_KIND = "sheet"
_MOST_CHARACTERS = 8_000_000  # characters of a sheet


def program_of_sheet(path: Path) -> str:
    """A sheet as the text of an encoding, with each rule on its line in the sheet.

    So clingo's messages name the line of the sheet. The text is kept in the cache. Raises
    ``RulesError`` with file, line and column for a malformed sheet, ``LimitReached`` for one that
    is too long.
    """
    text = text_of(path)
    kept = cache.get(text, _KIND)
    if kept is not None:
        return bytes(kept).decode()
    program = program_of_text(text, path)
    cache.put(text, _KIND, program.encode())
    return program


def program_of_text(text: str, path: Path) -> str:
    """The encoding of a sheet's text; messages name the path. Raises as for a file."""
    from .geometry import board_part
    from .sheet import Places, RuleGroup
    from .translation import Encoder, name_facts

    groups = [part for part in groups_of(path, text) if isinstance(part, RuleGroup)]
    rules = [rule for group in groups for rule in group.rules]
    encoder = Encoder(rules, text)
    places = Places(text)
    lines = [""] * places.line(len(text))
    for group in groups:
        lines[places.line(group.at) - 1] += " ".join([*map(encoder.rule, group.rules), ""])
    board = [*board_part(rules, encoder), *name_facts(encoder.names)]
    return "\n".join([*lines, "#program board.", *board, ""])


def groups_of(path: Path, text: str) -> list[RuleGroup | Comment]:
    """The rules of a sheet's text, and the comments between them. Raises ``RulesError``."""
    from .sheet import KifError, Places, read_sheet

    try:
        return list(read_sheet(text))
    except KifError as error:
        place = Places(text).place(error.at)
        raise RulesError(f"{path}:{place}: {error.what}") from None


def text_of(path: Path) -> str:
    """The text of a sheet, with LF at the ends of lines; only comments may have malformed UTF-8."""
    try:
        if path.stat().st_size > _MOST_CHARACTERS:
            raise LimitReached(f"{path} is longer than {_MOST_CHARACTERS:,} bytes")
        text = path.read_bytes().decode("utf-8-sig", "surrogateescape")
    except OSError as error:
        raise RulesError(f"{path} can't be read: {error.strerror}") from None
    text = re.sub(r"\r\n?", "\n", text)
    bare = re.sub(r";[^\n]*", lambda found: "-" * len(found[0]), text)
    if found := re.search(r"[\0\ud800-\udfff]", bare):
        what = "there is a NUL character" if found[0] == "\0" else "this is not UTF-8 text"
        _refuse(path, text, found.start(), what)
    return text


def _refuse(path: Path, text: str, at: int, what: str) -> NoReturn:
    from .sheet import Places

    raise RulesError(f"{path}:{Places(text).place(at)}: {what}")
