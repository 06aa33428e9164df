"""A match under xboard, whose adapter polyglot speaks UCI with the engine."""

import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import aspgames
from cli_helpers import PROGRAM
from thoroughly import amount

_PATH = f"{os.environ['PATH']}{os.pathsep}/usr/games"
OPPONENTS = {"stockfish": amount(1, 9), "gnuchess": 1}
"""Engines and numbers of games. gnuchess speaks UCI, too; as xboard's engine it gives no answer
(``findings/gnuchess_waits_for_input.sh``)."""

pytestmark = [
    pytest.mark.slow,
    *(
        pytest.mark.skipif(not shutil.which(each, path=_PATH), reason=f"there is no {each}")
        for each in ("Xvfb", "xboard", "polyglot")
    ),
]


@pytest.fixture
def display() -> Iterator[str]:
    """The name of a display without a screen."""
    reader, writer = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writer), "-nolisten", "tcp"],
        pass_fds=[writer],
        stderr=subprocess.DEVNULL,
    )
    os.close(writer)
    with os.fdopen(reader) as told:
        yield f":{told.readline().strip()}"
    server.kill()
    server.wait()


@pytest.mark.parametrize("opponent", OPPONENTS)
def test_a_match_under_xboard(display: str, tmp_path: Path, opponent: str) -> None:
    """All moves are legal, and the results are those of python-chess and of our rules."""
    pgn = pytest.importorskip("chess.pgn")
    if not shutil.which(opponent, path=_PATH):
        pytest.skip(f"there is no {opponent}")
    # Programs without arguments: polyglot takes a minus as its own.
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    theirs_words = [opponent, "--uci"] if opponent == "gnuchess" else [opponent]
    for program, command in (ours, [*PROGRAM, "uci", "chess"]), (theirs, theirs_words):
        program.write_text(f"#!/bin/sh\nexec {shlex.join(command)}\n")
        program.chmod(0o755)
    number = str(OPPONENTS[opponent])
    words = ["-matchGames", number, "-timeControl", "0:04", "-saveGameFile", "games.pgn"]
    quiet = ["-noGUI", "-matchMode", "true", "-popupExitMessage", "false"]
    engines = ["-fcp", str(ours), "-fUCI", "-scp", str(theirs), "-sUCI", "-fd", ".", "-sd", "."]
    environment = {**os.environ, "PATH": _PATH, "DISPLAY": display, "HOME": str(tmp_path)}
    with subprocess.Popen(
        ["xboard", *quiet, *words, *engines],
        cwd=tmp_path,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as match:
        try:
            match.wait(timeout=500)
        finally:
            match.kill()  # it ignores other signals
    chess, found = aspgames.load("chess"), 0
    with (tmp_path / "games.pgn").open() as file:
        while game := pgn.read_game(file):
            found += 1
            assert not game.errors
            board, state = game.board(), chess.initial
            for move in game.mainline_moves():
                assert move in board.legal_moves
                state = state.play(board.san(move))
                board.push(move)
            outcome = board.outcome(claim_draw=True)
            assert outcome, game
            assert game.headers["Result"] == outcome.result()
            if state.is_terminal:
                white = {100: "1-0", 50: "1/2-1/2", 0: "0-1"}[state.goals["white"]]
                assert white == outcome.result()
            assert state.is_terminal or outcome.result() == "1/2-1/2", "a third repetition"
    assert found == OPPONENTS[opponent]
