"""The program's behaviour: singular and plural, lines that fit, programs found."""

import fcntl
import os
import shutil
import struct
import sys
import termios

import pytest

from aspgames.cli import output
from aspgames.crosscheck.engines import engine_process
from cli_helpers import Call


@pytest.mark.parametrize(
    ("position", "said"),
    [
        ("8/8/8/p7/P7/8/8/8 w", "white to move, 1 legal move\na4-b5\n"),
        ("8/8/p7/8/P7/8/8/8 w", "white to move, 2 legal moves\na4-a5  a4-b5\n"),
    ],
)
def test_one_legal_move_is_one(call: Call, position: str, said: str) -> None:
    assert call("legal", "breakthrough", position).out.endswith(said)


def told_on_a_terminal(columns: int, text: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The status line on a terminal of some width, with standard output elsewhere."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    monkeypatch.delenv("COLUMNS", raising=False)
    with open(theirs, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        with output.status_line() as show:
            show(text)
        terminal.flush()
        shown = os.read(ours, 10_000).decode()
    os.close(ours)
    return [line for line in shown.split("\r\033[K") if line]


@pytest.mark.parametrize("columns", [10, 31, 200])
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Searching 3 turns: 13 s, 116 M positions", "Searching 3 turns: 13 s, 116 M positions"),
        ("12,345 nodes", "12,345 nodes: 0 s"),
    ],
)
def test_progress_is_no_wider_than_the_terminal(
    columns: int, text: str, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert told_on_a_terminal(columns, text, monkeypatch) == [line[: columns - 1]]


@pytest.mark.parametrize("path", ["", "/nowhere"])
def test_engines_are_looked_for_among_the_games_of_debian(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, str]] = []

    def which(name: str, path: str) -> str:
        asked.append((name, path.split(os.pathsep)[-1]))
        return sys.executable

    monkeypatch.setenv("PATH", path)
    monkeypatch.setattr(shutil, "which", which)
    engine_process._start(["chess-engine", "-c", "pass"]).close()
    assert asked == [("chess-engine", "/usr/games")]
