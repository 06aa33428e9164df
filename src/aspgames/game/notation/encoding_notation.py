"""The notation of encodings: facts and FEN, moves as text and as terms."""

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from ...runtime.errors import BadMove
from ...runtime.json_lines import JsonObject
from ..move import Move
from .joint_moves import is_joint

State = TypeVar("State")


class EncodingNotation(Generic[State]):
    """A notation for the positions, moves and roles of a game. Others are subclasses."""

    has_boards = True
    """Whether people see boards, and moves as text, if the game has them."""

    def __init__(self, state: Callable[[str], State], term: Callable[[str], str]) -> None:
        """The functions read a position and a move; they raise ``BadPosition`` and ``BadMove``."""
        self._read_state, self._read_term = state, term

    def position(self, text: str) -> State:
        """The state that a text describes. Raises ``BadPosition``."""
        return self._read_state(text)

    def played(self, move: str | Mapping[str, str]) -> str | Mapping[str, str]:
        """A move or joint move in a form for ``State.play``. Raises ``BadMove``."""
        return move

    def moves(self, line: str) -> list[str]:
        """The moves of a line, separated by blanks, as texts for ``State.play``.

        Raises ``BadMove``.
        """
        if is_joint(line):
            return [line]
        try:
            self._read_term(line)  # a term may have blanks in it
        except BadMove:
            return line.split()
        return [line]

    def term(self, text: str) -> str:
        """The term, or joint move, of a text: the inverse of ``text``."""
        return text

    def text(self, term: str) -> str:
        """A term in this notation."""
        return term

    def move_text(self, move: Move) -> str:
        """A move as text in this notation."""
        return move.text

    def joint_text(self, text: str) -> str:
        """A move or joint move, given as terms, in this notation."""
        return text

    def report(self, report: JsonObject) -> JsonObject:
        """The JSON object of a state (``reports.state_report``) in this notation."""
        return report

    def solution(self, report: JsonObject) -> JsonObject:
        """The JSON object of a solved puzzle (``puzzle.solution``) in this notation."""
        return report
