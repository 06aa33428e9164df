"""PGN: tags, then the numbered moves, and the next game after another blank line.

The format of chess is read and written as everybody has it. Other games have the same form, with
the plies in the game's own notation and tags that suffice to replay the game:

    [Game "breakthrough"]
    [Constants "width=4,height=5"]
    [Players "white=me,black=solver"]
    [Result "1-0"]

    1. a2-a3 2. d4-d3 3. a3-b4 4. d3xc2 5. b4xa5

``Game`` is the argument of ``load``; ``Variant`` may stand in its place. ``Constants`` are those
that differ from the encoding's. ``FEN`` or ``Facts`` is the first position, unless it is the
start. ``Result`` is ``1-0``, ``0-1``, ``1/2-1/2``, each role's goal at the end, or ``*`` for an
unfinished game. If several roles choose at once, a ply is ``white=rock,black=paper``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import PurePath
from typing import IO

from ...asp.terms import shorten
from ...game.game import Game
from ...game.notation.joint_moves import parse_joint
from ...gdl.encoding import games, is_own_file, variants
from ...runtime.errors import BadMove, BadRecord
from ...runtime.json_lines import read_lines
from ..game_record import OWN_TAGS, Record, changed_constants
from .format import FileEntry, Format, Played, write_lines
from .pgn_text import RESULTS, UNFINISHED, PgnGame, read_games

_NO_VARIANT = ("", "?", "-", "from position")


def read(stream: IO[bytes], game: Game | None = None) -> Iterator[FileEntry]:
    """The games of a file; ``game`` is that of games that don't name theirs."""
    for found in read_games(read_lines(stream)):
        if game and game.short_moves:
            found.drop_numbers()
        yield entry_of(found, partial(_record, game))


def entry_of(found: PgnGame, record_of: Callable[[PgnGame, dict[str, str]], Record]) -> FileEntry:
    """A game of a file, with the record that its text and its headers make, or what is wrong."""
    headers = {name: value for name, (_, value) in found.tags.items()}
    if found.result:
        headers.setdefault("Result", found.result)
    try:
        if found.error:
            line, message = found.error
            raise BadRecord(message, line)
        record = record_of(found, headers)
    except BadRecord as error:
        return FileEntry(error.line or found.line, error=error, headers=headers)
    return FileEntry(found.line, record, headers=headers, line_of=found.line_of)


def _record(game: Game | None, found: PgnGame, _headers: Mapping[str, str]) -> Record:
    tags = dict(found.tags)

    def pairs(tag: str) -> dict[str, str]:
        line, text = tags.get(tag, (0, ""))
        try:
            return parse_joint(text) if text.strip() else {}
        except BadMove:
            others = f"{', '.join(RESULTS)}, {UNFINISHED} or " if tag == "Result" else ""
            raise BadRecord(f"{tag} is written as {others}NAME=VALUE,NAME=VALUE", line) from None

    if not tags and found.moves and game is None:
        raise BadRecord('moves come after tags, the first being [Game "…"]', found.line_of(0))
    name, constants = _game_of(found, game)
    if "FEN" in tags and "Facts" in tags:
        raise BadRecord("the position is there as FEN and as Facts", found.line)
    line, result = tags.get("Result", (0, UNFINISHED))
    if result in ("", "?", UNFINISHED):
        result = found.result or UNFINISHED
    goals: dict[str, int] | None = None
    if result in RESULTS:
        first, second = RESULTS[result]
        one, other = game.roles if game and len(game.roles) == 2 else ("white", "black")
        goals = {one: first, other: second}
    elif result != UNFINISHED:
        written = pairs("Result")
        try:
            goals = {role: int(value) for role, value in written.items()}
        except ValueError:
            raise BadRecord("Result has a number for each role, or is *", line) from None
    given = pairs("Constants") if "Constants" in tags else constants
    _, position = tags.get("FEN", tags.get("Facts", (0, "startpos")))
    return Record(
        game=name,
        moves=tuple(found.moves),
        constants={n: _number(value) for n, value in given.items()},
        position=position,
        goals=goals,
        players={role: _name(text) for role, text in pairs("Players").items()},
        tags={
            tag: text
            for tag, (_, text) in tags.items()
            if tag not in (*OWN_TAGS, "Variant", "SetUp")
        },
        adjudicated=result in RESULTS,
    )


def _game_of(found: PgnGame, game: Game | None) -> tuple[str, Mapping[str, int | str]]:
    """The game of a record, with constants: from its tags, or else the one that is given."""
    tags = found.tags
    if "Game" in tags:
        return tags["Game"][1], {}
    line, variant = tags.get("Variant", (0, ""))
    unnamed = variant.strip().lower() in _NO_VARIANT
    if game and (
        unnamed or _plain(variant) in _names(game) or is_own_file(game.encoding.reference)
    ):
        return game.encoding.reference, changed_constants(game)
    if unnamed:
        raise BadRecord("the tag Game is missing", found.line)
    known = {_plain(PurePath(name).name): name for name in (*games(), *variants())}
    if name := known.get(_plain(variant)):
        return name, {}
    where = f" of {game.name}" if game else " here"
    raise BadRecord(f"there is no variant {shorten(variant)!r}{where}", line)


def _names(game: Game) -> list[str]:
    """The names of a game in the tag ``Variant``."""
    names = PurePath(game.name).name, *game.vocabulary.formats.get("pgn", ())
    return list(map(_plain, names))


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.lower())


def _name(text: str) -> str:
    try:
        return str(json.loads(text)) if text.startswith('"') else text
    except ValueError:
        return text


def _number(text: int | str) -> int | str:
    return int(text) if re.fullmatch(r"-?[0-9]{1,9}", str(text)) else text


def _played_text(played: Played) -> str:
    record = played.normal
    state, variant = played.states[0], record.tags.get("Variant")
    names = state.game.vocabulary.formats.get("pgn", ())
    if names and variant is None and "Standard" not in names:
        record = replace(record, tags={"Variant": names[0], **record.tags})
    return f"\n{record}" if played.number else str(record)


PGN = Format(
    "pgn",
    (".pgn",),
    "Portable Game Notation: tags and numbered moves",
    read,
    write_lines(_played_text),
)
