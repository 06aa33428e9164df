"""Driving Fairy-Stockfish (Debian's package ``fairy-stockfish``) as a UCI engine."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import NamedTuple

PROGRAM = shutil.which("fairy-stockfish", path=f"{os.environ.get('PATH', '')}:/usr/games")
"""The path of the program, or None if it isn't installed."""


def start() -> subprocess.Popen[str]:
    """A new process of the engine, which waits for commands."""
    assert PROGRAM
    return subprocess.Popen(
        [PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )


def perft(engine: subprocess.Popen[str], variant: str, depth: int) -> int:
    """``go perft`` from the start of a variant."""
    assert engine.stdin
    assert engine.stdout
    print(f"setoption name UCI_Variant value {variant}", file=engine.stdin)
    print(f"position startpos\ngo perft {depth}", file=engine.stdin)
    for line in engine.stdout:
        if line.startswith("Nodes searched: "):
            return int(line.split(": ")[1])
    raise SystemExit("Fairy-Stockfish ended")


class Thought(NamedTuple):
    """A search of the engine."""

    move: str
    mate: int | None
    """The number of moves of the first announced mate, negative for the other side."""
    seconds: float


class Engine:
    """The engine playing a variant, with one thread."""

    def __init__(self, variant: str) -> None:
        self._process: subprocess.Popen[str] = start()
        self._say(f"setoption name UCI_Variant value {variant}")
        self._say("setoption name Threads value 1")

    def forget(self) -> None:
        """Forget all searches."""
        self._say("ucinewgame")

    def think(self, fen: str, limit: str) -> Thought:
        """Search a position; ``limit`` is that of the command ``go``."""
        self._say(f"position fen {fen} 0 1")
        self._say(f"go {limit}")
        mate, seconds = None, 0.0
        assert self._process.stdout
        for line in self._process.stdout:
            words = line.split()
            if words[:1] == ["bestmove"]:
                return Thought(words[1], mate, seconds)
            if mate is None and "mate" in words:
                mate = int(words[words.index("mate") + 1])
                seconds = int(words[words.index("time") + 1]) / 1000
        raise SystemExit("Fairy-Stockfish ended")

    def _say(self, command: str) -> None:
        assert self._process.stdin
        print(command, file=self._process.stdin)
