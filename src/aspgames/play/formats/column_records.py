"""Columns: games of Connect Four, one on each line, as the numbers of their columns.

``44353`` is the form of Pons, "Solving Connect 4" (2015), whose test sets have the score of the
position after it: ``44353 -2``. Letters are read, too (``ddced``), and columns from 10 on are
separated by blanks or commas. A board with more than 9 columns is written with letters.
"""

from __future__ import annotations

import re

from ...asp.terms import shorten
from ...game.game import Game
from ...game.notation import other_forms
from ...game.notation.move_text import named_squares
from ...game.state import State
from ...runtime.errors import BadRecord
from ..game_record import Record
from .format import Format, Played, at_start, declared, own_record, read_by_line, write_lines


def _parse(text: str, game: Game) -> tuple[Record, tuple[State, ...]]:
    found = re.fullmatch(r"([0-9]+|[A-Za-z]+)(?:\s+([+-]?[0-9]+))?", text)
    moves = list(found[1]) if found else re.split(r"[\s,;]+", text)
    for move in moves:
        if not other_forms.column_of(move):
            raise BadRecord(f"{shorten(move)!r} is no column, such as 4 or d")
    return own_record(game, moves, tags={"Score": found[2]} if found and found[2] else {}), ()


def _text(played: Played) -> str:
    game = played.states[0].game
    squares = [named_squares(game.vocabulary.notation, ply)[0] for ply in played.plies]
    board = game.board
    digits = board is not None and board.width <= 9
    moves = "".join(str(x) if digits else chr(ord("a") + x - 1) for x, _ in squares)
    score = played.entry.headers.get("Score", "")
    return f"{moves} {score}".rstrip() + "\n"


COLUMNS = Format(
    other_forms.COLUMNS,
    (".columns",),
    "the columns of a game's moves, `44353`, one game a line",
    read_by_line(_parse),
    write_lines(_text),
    declared(other_forms.COLUMNS),
    "Connect Four",
    names_game=False,
    begins=at_start,
)
