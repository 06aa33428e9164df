"""A cross-check of an engine with a protocol of its own: python plain_text.py COMMAND LINE

The engine plays Breakthrough. It reads a line with a FEN, and prints its moves in a line: a2a3 ...
"""

import shlex
import sys

import aspgames
from aspgames.crosscheck.compare.comparison_walk import Plan
from aspgames.crosscheck.crosscheck_report import result_text
from aspgames.crosscheck.crosscheck_run import crosscheck
from aspgames.crosscheck.engines.engine import Answer, Engine, Question
from aspgames.crosscheck.engines.engine_process import LineProcess
from aspgames.game.notation.uci_notation import label


class PlainText(Engine):
    """An engine that lists moves by their squares; positions are given to it as FENs."""

    def __init__(self, command: str) -> None:
        self.name = command
        self._process = LineProcess(shlex.split(command), timeout=10)

    def check(self, game: aspgames.Game) -> None:
        """Refuse other games."""
        assert game.name == "breakthrough"

    def answer(self, question: Question) -> Answer:
        """Its legal moves."""
        self._process.send(str(question.state.fen))
        moves = self._process.receive(question).split()
        return Answer(turns=frozenset(map(label, moves)))

    def close(self) -> None:
        """End it."""
        self._process.close()


if __name__ == "__main__":
    game, engine = aspgames.load("breakthrough"), PlainText(sys.argv[1])
    print(result_text(crosscheck(game, engine, Plan((game.initial.facts,), games=3, made=100))))
    engine.close()
