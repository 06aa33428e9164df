"""The notations of terms, positions and moves: that of encodings, and KIF."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Protocol

from ...asp.terms import shorten
from ...runtime.errors import BadMove, BadRequest, UnknownMove
from ...runtime.json_lines import JsonObject
from ..game import Game, State
from ..move import Move
from ..text_view import game_over
from .joint_moves import is_joint

NOTATIONS = ("lp", "kif")
"""The names of the notations."""


class Notation(Protocol):
    """A notation for the positions, moves and roles of a game."""

    has_boards: bool
    """Whether people see boards, and moves as text, if the game has them."""

    def position(self, text: str) -> State:
        """The state that a text describes. Raises ``BadPosition``."""

    def played(self, move: str | Mapping[str, str]) -> str | Mapping[str, str]:
        """A move or joint move in a form for ``State.play``. Raises ``BadMove``."""

    def moves(self, line: str) -> list[str]:
        """The moves of a line, separated by blanks, as texts for ``State.play``.

        Raises ``BadMove``.
        """

    def term(self, text: str) -> str:
        """The term, or joint move, of a text: the inverse of ``text``."""

    def text(self, term: str) -> str:
        """A term in this notation."""

    def move_text(self, move: Move) -> str:
        """A move as text in this notation."""

    def joint_text(self, text: str) -> str:
        """A move or joint move, given as terms, in this notation."""

    def report(self, report: JsonObject) -> JsonObject:
        """The JSON object of a state (``reports.state_report``) in this notation."""

    def solution(self, report: JsonObject) -> JsonObject:
        """The JSON object of a solved puzzle (``puzzle.solution``) in this notation."""


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
        return _EncodingNotation(game)
    if name == "kif":
        return game.kif
    raise BadRequest(f"the notation must be {' or '.join(NOTATIONS)}, not {shorten(repr(name))}")


class _EncodingNotation:
    """The notation of encodings; it also has FEN, and moves as text."""

    has_boards = True

    def __init__(self, game: Game) -> None:
        self._game = game

    def position(self, text: str) -> State:
        return self._game.position(text)

    def played(self, move: str | Mapping[str, str]) -> str | Mapping[str, str]:
        return move

    def moves(self, line: str) -> list[str]:
        if is_joint(line):
            return [line]
        try:
            self._game.parse_move(line)  # a term may have blanks in it
        except BadMove:
            return line.split()
        return [line]

    def term(self, text: str) -> str:
        return text

    def text(self, term: str) -> str:
        return term

    def move_text(self, move: Move) -> str:
        return move.text

    def joint_text(self, text: str) -> str:
        return text

    def report(self, report: JsonObject) -> JsonObject:
        return report

    def solution(self, report: JsonObject) -> JsonObject:
        return report
