"""Whole turns as engines know them: by label, by coordinates, and by the FEN before them."""

from __future__ import annotations

from itertools import groupby

from ...game.board import square_name
from ...game.game import Game, State
from ...game.notation.move_text import named_squares
from ...game.notation.uci_notation import coordinates
from ...runtime.errors import BadRequest
from .engine import Question, Turn


def label_of(game: Game, turn: Turn) -> str:
    """The label of a turn: the squares that it names, and its promotion; or else its terms."""
    forms, named = game.vocabulary.notation, list[str]()
    for ply in turn:
        squares = named_squares(forms, ply)
        named += map(square_name, squares) if squares else [ply]
    promotion = "".join(forms.get(turn[-1].partition("(")[0], "").partition("=")[1:])
    return " ".join(name for name, _ in groupby(named)) + promotion


def uci_moves(question: Question) -> list[str]:
    """The turns played in a question, in UCI notation."""
    return [coordinates(label_of(question.game, turn)) for turn in question.turns]


def needed_fen(game: Game) -> str:
    """The FEN of a game's start. Raises ``BadRequest`` for a game without FEN."""
    if game.initial.fen is None:
        raise BadRequest(f"{game.name} has no FEN, so an engine can't be given its positions")
    return game.initial.fen


def turn_fen(state: State) -> str | None:
    """The FEN of a position at the beginning of a turn; None within a turn."""
    fields = needed_fen(state.game).count(" ")
    return state.fen if state.fen and state.fen.count(" ") == fields else None
