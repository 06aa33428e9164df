"""``uci:COMMAND LINE``: a UCI engine with ``go perft 1``, as Fairy-Stockfish.

It says which moves are legal and nothing else: where play leads shows in the moves that follow.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from ...asp.terms import shorten
from ...game.game import Game
from ...game.notation.uci_notation import coordinates
from ...runtime.errors import BadRequest, EngineFailed
from .engine import MID_TURN, Answer, Question, Refusal
from .engine_process import LineProcess, command_words
from .fairy_engine import begins_as, variant
from .move_counts import MOST_LINES, read_counts
from .peers import peer
from .turn_labels import label_of, needed_fen, turn_fen

_CHOSEN = re.compile(r"info string variant (\S+) .*\bstartpos (.*)")


class UciEngine:
    """See ``Engine``. The moves are by their squares, so any separators will do."""

    whole_turns = True
    sets_up = True
    plays_on = True

    def __init__(self, command: str, timeout: float) -> None:
        """Start the engine and greet it; ``timeout`` is for each answer, in seconds."""
        self.name = f"uci:{command}"
        self._game: Game | None = None
        self._process = LineProcess(command_words(command), timeout)
        self._folder = tempfile.TemporaryDirectory(prefix="aspgames-")
        try:
            self._process.send("uci")
            greeting = self._lines("uciok", "the greeting 'uci'")
        except EngineFailed:
            self.close()
            raise
        self._variants = _variants(greeting)

    def check(self, game: Game) -> None:
        """Set the variant, where the engine has several.

        Raises ``BadRequest`` for a game without a FEN and for one that the engine doesn't have.
        """
        if game != self._game:
            needed_fen(game)
            self._game = None
            if self._variants:
                self._set_variant(game)
            self._game = game

    def answers(self, questions: Sequence[Question]) -> Iterator[Answer | Refusal]:
        """One after the other."""
        for question in questions:
            counts = self.divide(question, 1)
            yield MID_TURN if counts is None else Answer(turns=frozenset(counts))

    def divide(self, question: Question, depth: int) -> Mapping[str, int] | None:
        """From ``go perft``."""
        self.check(question.game)
        fen = turn_fen(question.before)
        if fen is None:
            return None
        rest = " - - 0 1" if fen.count(" ") == 1 else ""
        moves = [coordinates(label_of(question.game, turn)) for turn in question.turns]
        played = f" moves {' '.join(moves)}" if moves else ""
        self._process.send(f"position fen {fen}{rest}{played}")
        self._process.send(f"go perft {depth}")
        return read_counts(self._lines("Nodes searched", question), question)

    def close(self) -> None:
        """End the engine."""
        self._process.send("quit")
        self._process.close()
        self._folder.cleanup()

    def _set_variant(self, game: Game) -> None:
        """The engine's own variant, or one that is made from it, where it begins otherwise."""
        known = peer(game, "fairy")
        names = [game.name, *([known.name] if known else [])]
        name = next((name for name in names if name in self._variants), None)
        if name is None:
            has = shorten(", ".join(sorted(self._variants)))
            raise BadRequest(f"{self.name} has no variant {names[-1]}: it has {has}")
        start = self._choose(name)
        if start is None or begins_as(game, start):  # None: it doesn't say, so it is trusted
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
        """Choose a variant; the FEN that it begins with, if the engine says so."""
        self._process.send(f"setoption name UCI_Variant value {name}")
        self._process.send("isready")
        found = map(_CHOSEN.match, self._lines("readyok", f"the variant {name}"))
        return next((match[2] for match in found if match and match[1] == name), None)

    def _lines(self, last: str, what: object) -> list[str]:
        """The lines up to the one that begins with some words."""
        lines: list[str] = []
        while len(lines) < MOST_LINES:
            lines.append(self._process.receive(what))
            if lines[-1].startswith(last):
                return lines
        raise EngineFailed(f"the engine floods: {MOST_LINES} lines and more to {what}")


def _variants(greeting: Iterable[str]) -> frozenset[str]:
    """The values of the option ``UCI_Variant``; none if there is no such option."""
    options = [line.split() for line in greeting if "name UCI_Variant " in line]
    return frozenset(v for words in options for key, v in pairwise(words) if key == "var")
