"""Transcripts: games of Othello, one on each line, as the squares of their stones: ``f5d6c3d3c4``.

Passes are left out. Capitals, blanks, commas, numbers of moves and a score at the end are read,
too: ``1. F5 2. D6 +2``. Other games in which each move is one square have the same form.
"""

from __future__ import annotations

import re

from ...asp.terms import shorten
from ...game.board import square_name
from ...game.game import Game
from ...game.notation.move_text import named_squares
from ...game.state import State
from ...runtime.errors import BadRecord
from ..game_record import Record
from .format import (
    Format,
    Played,
    at_start,
    own_record,
    read_by_line,
    single_squares,
    with_passes,
    write_lines,
)

_MOVE = re.compile(r"[\s,;]*(?:[0-9]{1,3}\.+\s*)?([A-Za-z][0-9]{1,2}|--|[Pp][Aa](?:[Ss][Ss])?)")
_SCORE = re.compile(r"\s[\s:]*([+-]?[0-9]+)\Z")


def _parse(text: str, game: Game) -> tuple[Record, tuple[State, ...]]:
    score = _SCORE.search(text)
    text = text[: score.start()] if score else text
    moves, place = list[str](), 0
    while text[place:].strip(" ,;."):
        if not (found := _MOVE.match(text, place)):
            raise BadRecord(f"{shorten(text[place:].strip())!r} begins with no square, such as f5")
        moves.append(found[1].lower())
        place = found.end()
    moves, states = with_passes(game, moves)
    return own_record(game, moves, tags={"Score": score[1]} if score else {}), states


def squares_of(played: Played) -> list[str]:
    """The squares of a game's moves, without passes."""
    forms = played.states[0].game.vocabulary.notation
    return [square_name(square) for ply in played.plies for square in named_squares(forms, ply)]


def _text(played: Played) -> str:
    return f"{''.join(squares_of(played))} {played.entry.headers.get('Score', '')}".rstrip() + "\n"


TRANSCRIPT = Format(
    "transcript",
    (".transcript",),
    "the squares of a game's moves, `f5d6c3`, one game a line",
    read_by_line(_parse),
    write_lines(_text),
    single_squares,
    "Othello, and others in which a move is one square",
    names_game=False,
    begins=at_start,
)
