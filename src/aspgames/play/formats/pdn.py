"""PDN: Portable Draughts Notation, which is PGN with numbers of squares: ``11-15``, ``11x18x25``.

Positions are lists of numbered squares (``[FEN "B:W18,24,K10:B12,16"]``). Results are ``1-0``,
``0-1`` and ``1/2-1/2``, or points: ``2-0``, ``0-2`` and ``1-1``. The first number is that of the
side that begins: of Black in English draughts, as in the Open Checkers Archive. The encoding
declares the numbers of squares, and the tag ``GameType``: ``file_format(pdn,"21,B,8,8,N1,0")``.

Source: "PDN 3.0", which Wieger Wesselink and others derived from Adrian Millett's proposal (1995).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import IO

from ...game.game import Game
from ...game.notation.move_text import named_squares
from ...runtime.errors import BadRecord
from ...runtime.json_lines import read_lines
from ..game_record import Record
from .format import FileEntry, Format, Played, by_move, declared, own_record, write_lines
from .pgn import entry_of
from .pgn_text import RESULTS, UNFINISHED, PgnGame, read_games

NAME = "pdn"
_POINTS = {"2-0": "1-0", "0-2": "0-1", "1-1": "1/2-1/2", "0-0": UNFINISHED}
_ENDS = {UNFINISHED, *RESULTS, *_POINTS}
_NO_QUIET_MOVE = ":H0"
_MARKS = re.compile(r"[!?*]+\Z")


def read(stream: IO[bytes], game: Game | None = None) -> Iterator[FileEntry]:
    """The games of a file."""
    assert game is not None
    for found in read_games(read_lines(stream), _ENDS):
        yield entry_of(found, partial(_record, game))


def _record(game: Game, found: PgnGame, headers: dict[str, str]) -> Record:
    line, kind = found.tags.get("GameType", (0, ""))
    known = [text.partition(",")[0] for text in game.vocabulary.formats[NAME]]
    if kind.partition(",")[0].strip() not in ("", *known):
        raise BadRecord(f"GameType {kind} is another game than {game.name}", line)
    moves = [bare for move in found.moves if (bare := _MARKS.sub("", move))]
    result = headers.get("Result", UNFINISHED)
    result = _POINTS.get(result, result)
    goals = None
    if result in RESULTS:
        goals = dict(zip(by_move(game), RESULTS[result], strict=True))
    tags = {name: text for name, text in headers.items() if name not in ("FEN", "SetUp", "Result")}
    return own_record(game, moves, headers.get("FEN") or "startpos", goals, tags)


def _text(played: Played) -> str:
    normal, game = played.normal, played.states[0].game
    assert game.board is not None
    numbers, forms = game.board.numbers, game.vocabulary.notation
    moves: list[str] = []
    for ply, text in zip(played.plies, normal.moves, strict=True):
        mark = "x" if "x" in text else "-"
        moves.append(mark.join(str(numbers[square]) for square in named_squares(forms, ply)))
    tags = {"GameType": game.vocabulary.formats[NAME][0], **normal.tags}
    first = int(played.states[0].to_move != game.initial.to_move)
    goals = normal.goals and [normal.goals[role] for role in by_move(game)]
    record = replace(
        normal,
        moves=tuple(moves),
        tags=tags,
        first_ply=first,
        constants={},
        goals=dict(zip(("white", "black"), goals, strict=True)) if goals else None,
        position=normal.position.removesuffix(_NO_QUIET_MOVE),
    )
    return ("\n" if played.number else "") + re.sub(r'\A\[Game "[^\n]*\n', "", str(record))


PDN = Format(
    NAME,
    (".pdn",),
    "Portable Draughts Notation: PGN with numbers of squares",
    read,
    write_lines(_text),
    declared(NAME),
    "checkers",
    names_game=False,
)
