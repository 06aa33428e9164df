"""FEN and EPD: a position on each line. EPD has operations after it: ``bm Nf3; id "one";``.

Lines that are empty or begin with ``#`` are skipped. A game is written as all its positions.
EPD follows the Portable Game Notation Standard (Edwards, 1994), section 16.2: four fields, then
operations. ``hmvc`` and ``fmvn`` are the other two fields of a FEN. Lines of perft suites are read,
too: a FEN and ``;D1 20 ;D2 400``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import IO

from ...asp.terms import shorten
from ...game.game import Game
from ...runtime.errors import BadRecord
from ...runtime.json_lines import read_lines
from ..game_record import OWN_TAGS
from .format import FileEntry, Format, Played, declared, own_record, write_lines
from .property_lists import old_text

MOVES = ("am", "bm", "pm", "pv", "sm", "sv")
"""The operations of EPD whose operands are moves."""
_COUNTS = ("hmvc", "fmvn")
_FIELDS = 4
_OPERATION = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^";])+')
_OPCODE = re.compile(r"[A-Za-z]\w{0,99}\Z")
_PLAIN = re.compile(r"(?:[-+]?\d+(?:\.\d+)?)?\Z")


def parse_epd(line: str) -> tuple[str, dict[str, str]]:
    """The FEN of a line, and its operations by their names. Raises ``BadRecord``."""
    words = line.split(None, _FIELDS)
    fields, rest = words[:_FIELDS], "".join(words[_FIELDS:])
    counts = re.match(r"(?:\d+(?=[\s;]|\Z)\s*){0,2}", rest)
    assert counts is not None
    fields, rest = [*fields, *counts[0].split()], rest[counts.end() :]
    if _OPERATION.sub("", rest).strip("; "):
        raise BadRecord("a quotation mark is never closed")
    found: dict[str, str] = {}
    for operation in filter(None, map(str.strip, _OPERATION.findall(rest))):
        name, *operands = operation.split(None, 1)
        if not _OPCODE.match(name):
            raise BadRecord(f"{shorten(operation)!r} is no operation such as bm Nf3;")
        text = "".join(operands)
        if re.fullmatch(r'"(?:[^"\\]|\\.)*"', text):
            text = re.sub(r"\\(.)", r"\1", text[1:-1])
        found.setdefault(name, text)
    if len(fields) == _FIELDS and not found.keys().isdisjoint(_COUNTS):
        fields += [found.get(name, number) for name, number in zip(_COUNTS, "01", strict=True)]
    return " ".join(fields), {n: text for n, text in found.items() if n not in _COUNTS}


def _plain(line: str) -> tuple[str, dict[str, str]]:
    return line, {}


def _reader(
    parse: Callable[[str], tuple[str, dict[str, str]]],
) -> Callable[[IO[bytes], Game | None], Iterator[FileEntry]]:
    def read(stream: IO[bytes], game: Game | None = None) -> Iterator[FileEntry]:
        for number, raw in enumerate(read_lines(stream), start=1):
            line = old_text(raw or b"").strip()
            if raw is not None and (not line or line.startswith("#")):
                continue
            try:
                if raw is None:
                    raise BadRecord("the line is too long")
                if game is None:
                    raise BadRecord("positions don't name their game: give it")
                position, headers = parse(line)
            except BadRecord as error:
                yield FileEntry(number, error=error)
                continue
            tags = {name: text for name, text in headers.items() if name not in OWN_TAGS}
            record = own_record(game, (), position, tags=tags)
            yield FileEntry(number, record, headers=headers, is_position=True)

    return read


def _epd(position: str, headers: Mapping[str, str]) -> str:
    """A FEN as a line of EPD."""
    words = position.split()
    fields, counts = words[:_FIELDS], words[_FIELDS:]
    is_usual = counts in ([], ["0"], ["0", "1"])
    codes = [] if is_usual else [f"{n} {c};" for n, c in zip(_COUNTS, counts, strict=False)]
    named = ((n, t) for n, t in headers.items() if _OPCODE.match(n))
    codes += [f"{n} {_operand(n, t)}".rstrip() + ";" for n, t in named]
    return " ".join([*fields, *codes])


def _operand(name: str, text: str) -> str:
    text = " ".join(text.split())
    if (name in MOVES and not {*'";'} & {*text}) or _PLAIN.match(text):
        return text
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'


def _lines(text: Callable[[str, Mapping[str, str]], str]) -> Callable[[Played], str]:
    def lines(played: Played) -> str:
        entry = played.entry
        headers = entry.headers if entry.is_position else {}
        shown = (text(played.fen(place), headers) for place in range(len(played.states)))
        return "".join(f"{line}\n" for line in shown)

    return lines


FEN = Format(
    "fen",
    (".fen",),
    "Forsyth-Edwards Notation: a position on each line; a game is all its positions",
    _reader(_plain),
    write_lines(_lines(lambda position, _headers: position)),
    lambda game: game.vocabulary.board is not None,
    "games with a board",
    positions=True,
)

EPD = Format(
    "epd",
    (".epd",),
    "Extended Position Description: positions with operations such as `bm Nf3;`",
    _reader(parse_epd),
    write_lines(_lines(_epd)),
    declared("epd"),
    "chess and its variants",
    positions=True,
)
