"""Whole turns, and the squares by which engines of different notations agree on them.

``d1d7,d7g7`` (Fairy-Stockfish), ``d1-d7/g7`` and the two plies ``d1-d7``, ``/g7`` all name d1, d7
and g7: that is the turn's label. An engine's own separators, and an ``x`` for a capture, don't
matter; a square named twice running is one.
"""

from __future__ import annotations

import re
from itertools import groupby, pairwise

from ...board import square_name
from ...errors import BadRequest
from ...game import Game, State
from ...notation.moves import named_squares
from .engine import Turn


def label(text: str) -> str:
    """The squares that an engine's text names, a blank between them."""
    return " ".join(name for name, _ in groupby(re.findall(r"[a-z][1-9][0-9]*", text)))


def label_of(game: Game, turn: Turn) -> str:
    """The squares that a turn of ours names. Raises ``BadRequest`` where a move names none."""
    named: list[str] = []
    for ply in turn:
        found = named_squares(game.vocabulary.notation, ply)
        if not found:
            raise BadRequest(f"{game.name}: {ply} names no squares by which to know the turn")
        named += map(square_name, found)
    return " ".join(name for name, _ in groupby(named))


def coordinates(label: str) -> str:
    """A label as UCI engines write a turn: ``a2a3``, or ``d1d7,d7g7`` (Fairy-Stockfish's)."""
    squares = label.split()
    return ",".join(map("".join, pairwise(squares))) if len(squares) > 1 else label


def needed_fen(game: Game) -> str:
    """The FEN of a game's start. Raises ``BadRequest`` where there is none."""
    if game.initial.fen is None:
        raise BadRequest(f"{game.name} has no FEN by which to tell an engine of its positions")
    return game.initial.fen


def turn_fen(state: State) -> str | None:
    """The FEN of a position where a turn begins: one with as many fields as the start's has."""
    fields = needed_fen(state.game).count(" ")
    return state.fen if state.fen and state.fen.count(" ") == fields else None
