"""Driving Fairy-Stockfish (Debian's package ``fairy-stockfish``) as a UCI engine."""

from __future__ import annotations

import os
import shutil
import subprocess

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
