"""``uci:COMMAND LINE``: a UCI engine with ``go perft 1``, as Fairy-Stockfish.

It says which moves are legal and nothing else: where play leads shows in the moves that follow.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ..errors import EngineFailed
from ..game import Game
from .engine import Answer, Question, Refusal
from .fairy import plain_fen, variant
from .peers import board_of, peer
from .process import LineProcess, command_words
from .turns import coordinates, label, label_of

_MOST_LINES = 100_000  # of one answer
_COUNT = re.compile(r"(\S+)\s*:?\s+([0-9]+)\Z")


class Uci:
    """See ``Engine``. The moves are by their squares, so any separators will do."""

    whole_turns = True
    sets_up = True
    plays_on = True

    def __init__(self, command: str, timeout: float) -> None:
        """Start the engine and greet it; ``timeout`` is for each answer, in seconds."""
        self.name = f"uci:{command}"
        self._folder = tempfile.TemporaryDirectory(prefix="aspgames-")
        self._game: Game | None = None
        self._process = LineProcess(command_words(command), timeout)
        try:
            self._process.send("uci")
            greeting = self._lines("uciok", "the greeting 'uci'")
        except EngineFailed:
            self.close()
            raise
        self._has_variants = any("name UCI_Variant " in line for line in greeting)

    def check(self, game: Game) -> None:
        """Set the variant, where the engine has several. Raises ``BadRequest`` without a board."""
        board_of(game)
        if game == self._game:
            return
        self._game = game
        known = peer(game, "fairy")
        if self._has_variants and known:
            name, text = variant(game, known)
            path = Path(self._folder.name) / f"{name}.ini"
            path.write_text(text)
            self._process.send(f"setoption name VariantPath value {path}")
            self._process.send(f"setoption name UCI_Variant value {name}")

    def answers(self, questions: Sequence[Question]) -> Iterator[Answer | Refusal]:
        """One after the other."""
        for question in questions:
            counts = self._count(question, 1)
            if counts is None:
                yield Refusal("a FEN with more than the side on move means nothing there")
            else:
                yield Answer(turns=frozenset(counts))

    def divide(self, question: Question, depth: int) -> Mapping[str, int] | None:
        """From ``go perft``."""
        return self._count(question, depth)

    def close(self) -> None:
        """End the engine."""
        self._process.send("quit")
        self._process.close()
        self._folder.cleanup()

    def _count(self, question: Question, depth: int) -> Mapping[str, int] | None:
        self.check(question.game)
        fen = plain_fen(question.before)
        if fen is None:
            return None
        moves = [coordinates(label_of(question.game, turn)) for turn in question.turns]
        played = f" moves {' '.join(moves)}" if moves else ""
        self._process.send(f"position fen {fen} - - 0 1{played}")
        self._process.send(f"go perft {depth}")
        return read_counts(
            self._lines("Nodes searched", f"go perft {depth}, {question}"), str(question)
        )

    def _lines(self, last: str, what: str) -> list[str]:
        """The lines up to the one that begins with some words."""
        lines: list[str] = []
        while len(lines) < _MOST_LINES:
            lines.append(self._process.receive(what))
            if lines[-1].startswith(last):
                return lines
        raise EngineFailed(f"the engine floods: {_MOST_LINES} lines and more to {what}")


def read_counts(lines: Sequence[str], what: str) -> Mapping[str, int]:
    """The counts of lines ``a2a3: 1``, by labels; the last line has their sum.

    Raises ``EngineFailed`` if that is another.
    """
    counts: dict[str, int] = {}
    for line in lines[:-1]:
        match = _COUNT.match(line.strip())
        if match and (squares := label(match[1])):
            if squares in counts:
                raise EngineFailed(f"the engine lists {match[1]} twice; {what}")
            counts[squares] = int(match[2])
    total = re.search(r"([0-9]+)\s*\Z", lines[-1])
    if total is None or int(total[1]) != sum(counts.values()):
        said = f"{sum(counts.values())}, not {lines[-1].strip()!r}"
        raise EngineFailed(f"the engine's counts add up to {said}; {what}")
    return counts
