"""New processes: the time that one command takes."""

from __future__ import annotations

import sys
import tempfile
from functools import partial

from measuring import command_line, ratio, run, shown, table, take_turns

_LEGAL = ("legal", "amazons_10x10")
_CHESS = "import chess; print(*chess.Board().legal_moves)"
_OPENSPIEL = """
import pyspiel
state = pyspiel.load_game("amazons(board_size=10)").new_initial_state()
print(*map(state.action_to_string, state.legal_actions()))
"""


def section(runs: int, _old: str | None) -> None:
    """Seconds from a process's start to its end."""
    python, program = sys.executable, command_line()
    with tempfile.TemporaryDirectory() as filled:
        ways = {
            "python -c pass": partial(spent, python, "-c", "pass"),
            "aspgames --version": partial(spent, *program, "--version"),
            "import aspgames": partial(spent, python, "-c", "import aspgames; aspgames.load"),
            "aspgames legal amazons_10x10, cache empty": partial(in_new_cache, *program, *_LEGAL),
            "the same, cache filled": partial(spent, *program, *_LEGAL, cache=filled),
            "python-chess: the legal moves": partial(spent, python, "-c", _CHESS),
            "OpenSpiel: the legal moves": partial(spent, python, "-c", _OPENSPIEL),
        }
        # To list moves once needs no net. A random game makes one.
        spent(*program, "playout", "amazons_10x10", "-n", "1", cache=filled)
        found = take_turns(runs, ways)
    bare = found["python -c pass"]
    rows = [(name, shown(figures), ratio(figures, bare)) for name, figures in found.items()]
    title = "start: seconds of a new process, and how many times those of a bare Python they are"
    table(title, ("process", "s", "bare"), rows)


def spent(*command: str, cache: str = "off") -> float:
    """Seconds of a process."""
    return run(*command, environment={"ASPGAMES_CACHE": cache}).seconds


def in_new_cache(*command: str) -> float:
    """The same with an empty cache."""
    with tempfile.TemporaryDirectory() as empty:
        return spent(*command, cache=empty)
