"""WTHOR: the base of Othello games of the French federation (Fédération Française d'Othello).

A file has a head of 16 bytes, with the number of games and the year, and 68 bytes for each game: 8
of data and 60 moves, ten times the rank plus the file. Numbers have their lowest byte first. Passes
are left out. Players and tournaments are numbers; their names are in other files.

Source: "Format de la base de données WTHOR", ffothello.org.
"""

from __future__ import annotations

import re
import struct
import time
from collections.abc import Iterable, Iterator
from tempfile import SpooledTemporaryFile
from typing import IO

from ...game.board import parse_square, square_name
from ...game.game import Game
from ...game.state import State
from ...runtime.errors import BadRecord
from .format import FileEntry, Format, Played, at_start, by_move, declared, own_record, with_passes
from .transcript import squares_of

NAME = "wtb"
_HEAD = struct.Struct("<4BIHH4B")
_GAME = struct.Struct("<HHHBB60s")
_NUMBERS = ("Tournament", "BlackNumber", "WhiteNumber")
_SIZE = 8
_MEMORY_BYTES = 1 << 24  # bytes


def read(stream: IO[bytes], game: Game | None = None) -> Iterator[FileEntry]:
    """The games of a file; the line of an entry is the number of its game."""
    assert game is not None
    number = 0
    try:
        head = stream.read(_HEAD.size)
        if len(head) < _HEAD.size:
            raise BadRecord("the head of 16 bytes is not whole")
        *_, count, _, year, size, kind, _, _ = _HEAD.unpack(head)
        if size not in (0, _SIZE) or kind:
            raise BadRecord(f"these are no games on {_SIZE} by {_SIZE} squares")
        while data := stream.read(_GAME.size):
            number += 1
            if number > count:
                raise BadRecord(f"the head says that there are {count} games, but there are more")
            if len(data) < _GAME.size:
                raise BadRecord("the game is not whole")
            yield _entry(game, number, year, data)
        if number < count:
            says = f"the head says that there are {count} games, but there are {number}"
            number += 1  # of the game that is missing
            raise BadRecord(says)
    except BadRecord as error:
        yield FileEntry(number, error=error)


def _entry(game: Game, number: int, year: int, data: bytes) -> FileEntry:
    tournament, black, white, score, best, moves = _GAME.unpack(data)
    squares = [(code % 10, code // 10) for code in moves.rstrip(b"\0")]
    numbers = dict(zip(_NUMBERS, (tournament, black, white), strict=True))
    numbers |= {"Year": year, "Score": score, "BestScore": best}
    headers = {name: str(value) for name, value in numbers.items()}
    if wrong := [s for s in squares if not all(1 <= side <= _SIZE for side in s)]:
        code = wrong[0][1] * 10 + wrong[0][0]
        return FileEntry(number, error=BadRecord(f"{code} is no square"), headers=headers)
    texts, states = with_passes(game, map(square_name, squares))
    is_open = states and not states[-1].is_terminal
    lead = score - _SIZE * _SIZE // 2 if is_open else None
    record = own_record(game, texts, tags=headers, lead=lead)
    return FileEntry(number, record, headers=headers, states=states)


def _stones(state: State) -> int:
    """The stones of the side that begins; empty squares count for the side with more stones."""
    words = state.game.vocabulary
    owners = [words.owner(content) for fact in state.facts if (content := words.content(fact))]
    first, second = map(owners.count, by_move(state.game))
    empty = _SIZE * _SIZE - first - second
    return first + (empty if first > second else empty // 2 if first == second else 0)


def _write(sink: IO[bytes], games: Iterable[Played]) -> None:
    year = count = 0
    with SpooledTemporaryFile(_MEMORY_BYTES) as body:
        for played in games:
            year = year or _number(played, "Year", 0xFFFF)
            squares = map(parse_square, squares_of(played))
            moves = bytes(10 * square[1] + square[0] for square in squares if square)
            score = _number(played, "Score", 64, _stones(played.states[-1]))
            best = _number(played, "BestScore", 64, score)
            body.write(
                _GAME.pack(*(_number(played, n, 0xFFFF) for n in _NUMBERS), score, best, moves)
            )
            count += 1
        now = time.gmtime()
        date = (*divmod(now.tm_year, 100), now.tm_mon, now.tm_mday)
        sink.write(_HEAD.pack(*date, count, 0, year, _SIZE, 0, 0, 0))
        body.seek(0)
        while block := body.read(1 << 20):
            sink.write(block)


def _number(played: Played, name: str, most: int, default: int = 0) -> int:
    text = played.entry.headers.get(name, "")
    return min(int(text), most) if re.fullmatch("[0-9]{1,9}", text) else default


def _fits(game: Game) -> bool:
    board = game.board
    return declared(NAME)(game) and board is not None and board.width == board.height == _SIZE


WTHOR = Format(
    NAME,
    (".wtb",),
    "WTHOR, the base of the French federation",
    read,
    _write,
    _fits,
    "Othello on 8 by 8 squares",
    names_game=False,
    begins=at_start,
)
