"""``perftree:COMMAND``: a program called as ``COMMAND DEPTH FEN MOVES``, which prints move counts.

It prints a line ``MOVE COUNT`` for each move, and last the sum, as the scripts of the debugger
``perftree`` do (https://github.com/agausmann/perftree). MOVES is left out where there are none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..errors import EngineFailed
from ..game import Game
from .engine import Answer, Question, Refusal
from .peers import board_of
from .process import LineProcess, command_words
from .turns import coordinates, label_of
from .uci import read_counts

_MOST_LINES = 100_000  # of one answer


class Perftree:
    """See ``Engine``."""

    whole_turns = True
    sets_up = True
    plays_on = True

    def __init__(self, command: str, timeout: float) -> None:
        """``timeout`` is for each call, in seconds. Raises ``BadRequest`` for no command."""
        self.name = f"perftree:{command}"
        self._words = command_words(command)
        self._timeout = timeout

    def check(self, game: Game) -> None:
        """Raise ``BadRequest`` for a game without a FEN."""
        board_of(game)

    def answers(self, questions: Sequence[Question]) -> Iterator[Answer | Refusal]:
        """A process for each question."""
        for question in questions:
            yield Answer(turns=frozenset(self.divide(question, 1)))

    def divide(self, question: Question, depth: int) -> Mapping[str, int]:
        """What the program prints."""
        moves = [coordinates(label_of(question.game, turn)) for turn in question.turns]
        arguments = [str(depth), str(question.before.fen), *([" ".join(moves)] if moves else [])]
        found = self._run(arguments, f"depth {depth}, {question}")
        lines = [line for line in found if line.strip()]
        if not lines:
            raise EngineFailed(f"the engine printed nothing for depth {depth}, {question}")
        return read_counts(lines, str(question))

    def close(self) -> None:
        """Every process has ended already."""

    def _run(self, arguments: list[str], what: str) -> list[str]:
        """The lines that the program prints."""
        process = LineProcess([*self._words, *arguments], self._timeout)
        try:
            return process.output(what, _MOST_LINES)
        finally:
            process.close()
