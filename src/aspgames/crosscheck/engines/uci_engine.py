"""``uci:COMMAND LINE`` and ``perftree:COMMAND LINE``: programs that count moves, as text.

They report legal moves only, so a wrong successor shows in the moves after it.
"""

import os
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from pathlib import Path

from ...asp.terms import shorten
from ...game.game import Game
from ...runtime.errors import BadRequest, EngineFailed
from ...runtime.temporary_files import TemporaryFolder
from .engine import MID_TURN, Answer, Engine, Question, Refusal
from .engine_process import MOST_LINES, LineProcess, command_words, read_counts
from .fairy_engine import begins_as, variant
from .peers import peer
from .turn_labels import from_bottom, needed_fen, turn_fen, uci_moves

_CHOSEN = re.compile(r"info string variant (\S+) .*\bstartpos (.*)")


class UciEngine(Engine):
    """A UCI engine. Only the squares of its moves count, so any separators will do."""

    def __init__(self, command: str, timeout: float) -> None:
        """Start and greet the engine; ``timeout`` is for each answer [s]."""
        self.name = f"uci:{command}"
        self._game: Game | None = None
        self._is_fairy = False  # whether it plays a variant by Fairy-Stockfish's name
        self._process = LineProcess(command_words(command), timeout)
        self._folder = TemporaryFolder()
        try:
            self._process.send("uci")
            greeting = self._lines("uciok", "the greeting 'uci'")
        except EngineFailed:
            self.close()
            raise
        self._variants = _variants(greeting)

    def check(self, game: Game) -> None:
        """Set the engine's variant. Raises ``BadRequest`` without a FEN or variant."""
        if game != self._game:
            needed_fen(game)
            self._game, self._is_fairy = None, False
            if self._variants:
                self._set_variant(game)
            self._game = game

    def answer(self, question: Question) -> Answer | Refusal:
        """Its legal turns."""
        counts = self.divide(question, 1)
        return MID_TURN if counts is None else Answer(turns=frozenset(counts))

    def divide(self, question: Question, depth: int) -> Mapping[str, int] | None:
        """The counts of ``go perft``."""
        self.check(question.game)
        fen = turn_fen(question.before)
        if fen is None:
            return None
        rest = " - - 0 1" if fen.count(" ") == 1 else ""
        moves = ["moves", *uci_moves(question)] if question.turns else []

        def named(text: str) -> str:
            return from_bottom(question.game, text) if self._is_fairy else text

        self._process.send(" ".join([f"position fen {fen}{rest}", *map(named, moves)]))
        self._process.send(f"go perft {depth}")
        counts = read_counts(self._lines("Nodes searched", question), question)
        return {named(label): count for label, count in counts.items()}

    def close(self) -> None:
        """End the engine."""
        self._process.send("quit")
        self._process.close()
        self._folder.cleanup()

    def _set_variant(self, game: Game) -> None:
        """Choose the engine's own variant, or define one from it for another start."""
        known = peer(game, "fairy")
        names = [game.name, *([known.name] if known else [])]
        name = next((name for name in names if name in self._variants), None)
        if name is None:
            has = shorten(", ".join(sorted(self._variants)))
            raise BadRequest(f"{self.name} has no variant {names[-1]}: it has {has}")
        self._is_fairy = known is not None and name == known.name
        start = self._choose(name)
        if start is None or begins_as(game, start):  # None: the engine didn't report its start
            return
        if known:
            made, text = variant(game, known)
            path = Path(self._folder.name) / f"{made}.ini"
            path.write_text(text)
            self._process.send(f"setoption name VariantPath value {path}")
            if begins_as(game, self._choose(made)):
                return
        size = f"{game.board.width}x{game.board.height}" if game.board else ""
        raise BadRequest(
            f"{self.name} can't play {game.name} on {size} squares: its own {name} begins with "
            f"{shorten(start)}, and it takes no other from a file for VariantPath"
        )

    def _choose(self, name: str) -> str | None:
        self._process.send(f"setoption name UCI_Variant value {name}")
        self._process.send("isready")
        found = map(_CHOSEN.match, self._lines("readyok", f"the variant {name}"))
        return next((match[2] for match in found if match and match[1] == name), None)

    def _lines(self, last: str, what: object) -> list[str]:
        lines: list[str] = []
        while len(lines) < MOST_LINES:
            lines.append(self._process.receive(what))
            if lines[-1].startswith(last):
                return lines
        raise EngineFailed(f"the engine floods: {MOST_LINES} lines and more to {what}")


def _variants(greeting: Iterable[str]) -> frozenset[str]:
    options = [line.split() for line in greeting if "name UCI_Variant " in line]
    return frozenset(v for words in options for key, v in pairwise(words) if key == "var")


class PerftreeEngine(Engine):
    """A program that is started once for each question, as ``COMMAND DEPTH FEN [MOVES]``.

    It prints ``MOVE COUNT`` for each move, and the sum on the last line, as the scripts of the
    debugger ``perftree`` do (https://github.com/agausmann/perftree).
    """

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
