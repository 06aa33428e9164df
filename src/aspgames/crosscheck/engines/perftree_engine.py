"""``perftree:COMMAND``: a program called as ``COMMAND DEPTH FEN [MOVES]`` that prints move counts.

It prints ``MOVE COUNT`` for each move, and the sum on the last line, as the scripts of the debugger
``perftree`` do (https://github.com/agausmann/perftree).
"""

import os
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from ...game.game import Game
from .engine import MID_TURN, Answer, Engine, Question, Refusal
from .engine_process import MOST_LINES, LineProcess, command_words, read_counts
from .turn_labels import needed_fen, turn_fen, uci_moves


class PerftreeEngine(Engine):
    """A program that is started once for each question."""

    def __init__(self, command: str, timeout: float) -> None:
        """``timeout`` is for each call [s]. Raises ``BadRequest`` for an empty command."""
        self.name = f"perftree:{command}"
        self._words = command_words(command)
        self._timeout = timeout
        self._running: set[LineProcess] = set()

    def check(self, game: Game) -> None:
        """Raise ``BadRequest`` for a game without a FEN."""
        needed_fen(game)

    def answers(self, questions: Sequence[Question]) -> Iterator[Answer | Refusal]:
        """A process for each question, as many at a time as there are processors."""
        waiting = iter(questions)
        begun = deque(map(self._begin, islice(waiting, os.cpu_count() or 1)))
        while begun:
            question, process = begun.popleft()
            yield Answer(turns=frozenset(self._counts(question, process))) if process else MID_TURN
            begun.extend(map(self._begin, islice(waiting, 1)))

    def divide(self, question: Question, depth: int) -> Mapping[str, int] | None:
        """The counts that the program prints."""
        process = self._start(question, depth)
        return self._counts(question, process) if process else None

    def close(self) -> None:
        """End the programs that still run."""
        for process in self._running:
            process.close()

    def _begin(self, question: Question) -> tuple[Question, LineProcess | None]:
        return question, self._start(question, 1)

    def _start(self, question: Question, depth: int) -> LineProcess | None:
        """Start the program; None if the question begins within a turn."""
        fen = turn_fen(question.before)
        if fen is None:
            return None
        moves = " ".join(uci_moves(question))
        arguments = [str(depth), fen, moves] if moves else [str(depth), fen]
        process = LineProcess([*self._words, *arguments], self._timeout)
        self._running.add(process)
        return process

    def _counts(self, question: Question, process: LineProcess) -> Mapping[str, int]:
        try:
            return read_counts(process.output(question, MOST_LINES), question)
        finally:
            process.close()
            self._running.remove(process)
