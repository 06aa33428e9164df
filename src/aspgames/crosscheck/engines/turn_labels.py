"""Whole turns, and the labels by which engines of different notations agree on them."""

from __future__ import annotations

from itertools import groupby

from ...game.board import square_name
from ...game.game import Game, State
from ...game.notation.move_text import named_squares
from ...runtime.errors import BadRequest
from .engine import Turn


def label_of(game: Game, turn: Turn) -> str:
    """The squares that a turn of ours names. Raises ``BadRequest`` where a move names none."""
    named: list[str] = []
    for ply in turn:
        found = named_squares(game.vocabulary.notation, ply)
        if not found:
            raise BadRequest(f"{game.name}: {ply} names no squares by which to know the turn")
        named += map(square_name, found)
    return " ".join(name for name, _ in groupby(named))


def needed_fen(game: Game) -> str:
    """The FEN of a game's start. Raises ``BadRequest`` where there is none."""
    if game.initial.fen is None:
        raise BadRequest(f"{game.name} has no FEN by which to tell an engine of its positions")
    return game.initial.fen


def turn_fen(state: State) -> str | None:
    """The FEN of a position where a turn begins: one with as many fields as the start's has."""
    fields = needed_fen(state.game).count(" ")
    return state.fen if state.fen and state.fen.count(" ") == fields else None
