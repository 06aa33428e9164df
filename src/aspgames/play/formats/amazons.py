"""Games of Amazons, one on each line, as Invader writes their moves: ``d1-d7(g7) d10-d4(g4)``.

``d1d7,d7g7`` (Fairy-Stockfish and PlayStrategy), ``d1-d7/g7`` and ``d1-d7-g7`` are read as well,
and so are numbers of moves. If the game has move and arrow as two plies, each move becomes two.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...asp.terms import shorten
from ...game.board import square_name
from ...game.game import Game
from ...game.notation.move_text import count_squares, named_squares
from ...game.notation.uci_notation import label
from ...game.state import State
from ...runtime.errors import BadRecord
from ..game_record import Record
from .format import Format, Played, at_start, declared, own_record, read_by_line, write_lines

NAME = "amazons"
_MOVE = re.compile(r"[a-z][0-9]{1,2}(?:[-/,x(]?[a-z][0-9]{1,2}){1,3}\)?\Z")


def plies_of(game: Game, squares: Sequence[str]) -> list[str]:
    """The plies of a turn, given its three squares, or two of a move that isn't finished."""
    whole = any(count_squares(form) == 3 for form in game.vocabulary.notation.values())
    if whole:
        return ["".join(squares)]
    return ["".join(squares[:2]), *(f"/{arrow}" for arrow in squares[2:])]


def turns_of(played: Played) -> list[list[str]]:
    """The squares of each turn."""
    turns: list[list[str]] = []
    forms = played.states[0].game.vocabulary.notation
    for ply in played.plies:
        names = list(map(square_name, named_squares(forms, ply)))
        if len(names) == 1 and turns:
            turns[-1] += names
        else:
            turns.append(names)
    return turns


def _parse(text: str, game: Game) -> tuple[Record, tuple[State, ...]]:
    moves: list[str] = []
    for word in re.sub(r"(?:\A|(?<=\s))[0-9]+\.+", " ", text).split():
        squares = label(word).split() if _MOVE.match(word) else []
        if len(squares) not in (2, 3):
            raise BadRecord(f"{shorten(word)!r} is no move, such as d1-d7(g7)")
        moves += plies_of(game, squares)
    return own_record(game, moves), ()


def _text(played: Played) -> str:
    turns = turns_of(played)
    return (
        " ".join("-".join(t[:2]) + "".join(f"({arrow})" for arrow in t[2:]) for t in turns) + "\n"
    )


AMAZONS = Format(
    NAME,
    (".amazons",),
    "moves as Invader writes them, `d1-d7(g7)`, one game a line",
    read_by_line(_parse),
    write_lines(_text),
    declared(NAME),
    "Amazons",
    names_game=False,
    begins=at_start,
)
