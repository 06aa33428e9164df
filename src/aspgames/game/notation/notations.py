"""The notations of terms, positions and moves: that of encodings, and KIF."""

from collections.abc import Iterator
from contextlib import contextmanager

from ...asp.terms import shorten
from ...runtime.errors import BadMove, BadRequest, UnknownMove
from ..game import Game
from ..state import State
from ..text_view import game_over
from .encoding_notation import EncodingNotation

NOTATIONS = ("lp", "kif")
"""The names of the notations."""


Notation = EncodingNotation[State]
"""A notation for the positions, moves and roles of a game."""


def state_text(state: State) -> str:
    """A state as a position to read again: its FEN, else its facts, else ``empty``."""
    return state.fen or " ".join(state.facts) or "empty"


def status(state: State, written: Notation) -> str:
    """Whose turn it is, or how the game ended."""
    if written.has_boards:
        return state.status
    if state.is_terminal:
        return game_over(state.consequences.values, written.text)
    return f"{written.text(state.to_move)} to move" if state.to_move else state.status


@contextmanager
def unknown_moves(state: State, written: Notation) -> Iterator[None]:
    """Errors for terms that are no moves of the game show them in the notation."""
    try:
        yield
    except UnknownMove as error:
        if written.has_boards or not error.term:
            raise
        one = next(move for moves in state.legal.values() for move in moves)
        term, like = written.text(error.term), written.move_text(one)
        raise BadMove(f"{term} is no move of {state.game.name}: moves look like {like}") from None


def notation(game: Game, name: object) -> Notation:
    """The notation with a name. Raises ``BadRequest`` if there is no such notation."""
    if name == "lp":
        return EncodingNotation(game.position, game.parse_move)
    if name == "kif":
        return game.kif
    raise BadRequest(f"the notation must be {' or '.join(NOTATIONS)}, not {shorten(repr(name))}")
