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
    """The label of a turn: the squares that it names.

    Raises:
        BadRequest: A move names no squares.
    """
    named: list[str] = []
    for ply in turn:
        found = named_squares(game.vocabulary.notation, ply)
        if not found:
            raise BadRequest(f"{game.name}: {ply} names no squares to know the turn by")
        named += map(square_name, found)
    return " ".join(name for name, _ in groupby(named))


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
