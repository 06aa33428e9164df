"""Cross-checks with programs of the Go Text Protocol, and with a protocol of one's own."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import aspgames
from cli_helpers import Call, assert_refused, check
from crosscheck_helpers import go, python, the_one
from paths import ROOT

DOCS = ROOT / "docs/check_your_engine.md"


@pytest.mark.parametrize("name", ["othello", "hex"])
def test_a_program_that_plays_from_the_start(name: str) -> None:
    """Othello's squares are those of GTP; the Hex program has a file I, and ours as they are."""
    game = aspgames.load(name, **({"size": 9} if name == "hex" else {}))
    result = go(game, f"gtp:{python('gtp_engine.py', name, 'none')}", games=1, made=5)
    assert not result.findings, result.findings[0].shrunk
    assert result.tally.positions > 20
    assert result.tally.made == 0


@pytest.mark.parametrize(
    ("name", "bug", "ours"), [("othello", "D3", "d6"), ("hex", "I2", "i2"), ("hex", "A1", "a1")]
)
def test_a_move_that_it_lacks(name: str, bug: str, ours: str) -> None:
    game = aspgames.load(name, **({"size": 9} if name == "hex" else {}))
    found = the_one(go(game, f"gtp:{python('gtp_engine.py', name, bug)}", games=1))
    assert (found.kind, found.missing, found.extra) == ("legal", (ours,), ())


@pytest.mark.parametrize(
    ("options", "command", "words"),
    [
        (
            ["othello", "-c", "size=6"],
            "othello none",
            "has no board for othello: unacceptable size",
        ),
        (["hex"], "othello none", "plays Othello, not hex"),
        (["breakthrough"], "hex none", "whose moves have one square, unlike breakthrough"),
        (["rock_paper_scissors"], "hex none", "is not played by two sides in turn"),
    ],
)
def test_a_game_that_it_does_not_have(
    call: Call, options: list[str], command: str, words: str
) -> None:
    engine = f"gtp:{python('gtp_engine.py', *command.split())}"
    assert_refused(call("crosscheck", *options, "--against", engine), words)


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("echo = play; echo; sleep 9", "lists no legal moves: it has none of gogui-rules_legal"),
        ("echo hello; echo; sleep 9", "answers 'hello' to 'list_commands'"),
        ("echo '? no'; echo; sleep 9", "answer to 'list_commands': no"),
        ("exit 3", "the engine is gone: it ended with exit code 3"),
        ("yes", "floods"),
    ],
)
def test_a_program_that_does_not_speak_it(call: Call, script: str, words: str) -> None:
    found = call("crosscheck", "othello", "--against", f"gtp:sh -c {shlex.quote(script)}")
    assert found.code == (2 if "lists no" in words else 4)
    assert words in found.err
    assert found.err.count("\n") == 1


PLAIN_TEXT = """
import sys, aspgames
game = aspgames.load("breakthrough")
for line in sys.stdin:
    moves = [str(move) for move in game.position(line).legal_moves if str(move) != sys.argv[1]]
    print(*moves, flush=True)
"""


@pytest.mark.parametrize(("bug", "told"), [("none", "Agreement"), ("a2-a3", "Missing:  a2-a3")])
def test_the_example_of_a_protocol_of_one_s_own(tmp_path: Path, bug: str, told: str) -> None:
    example, engine = ROOT / "examples/engines/plain_text.py", tmp_path / "engine.py"
    assert example.read_text() in DOCS.read_text()
    engine.write_text(PLAIN_TEXT)
    command = shlex.join([sys.executable, str(engine), bug])
    words = [sys.executable, str(example), command]
    found = subprocess.run(words, capture_output=True, text=True, check=True)
    assert told in found.stdout


# --- moves: ---------------------------------------------------------------------------------------

FROM_THE_START = ROOT / "examples/engines/from_the_start.py"


def test_an_adapter_for_an_engine_that_begins_at_the_start(call: Call, tmp_path: Path) -> None:
    """A disagreement keeps its line of play, which is made shorter, and its command finds it."""
    words = ["crosscheck", "tictactoe", "--games", "20", "--against"]
    right = call(*words, shlex.join([f"moves:{sys.executable}", str(FROM_THE_START)]))
    assert (right.code, "Agreement:" in right.out) == (0, True)
    wrong = tmp_path / "engine.py"
    wrong.write_text(FROM_THE_START.read_text().replace('"159", ', ""))
    found = call(*words, shlex.join([f"moves:{sys.executable}", str(wrong)]))
    assert found.code == 1
    assert "disagrees on whether the game is over" in found.out
    assert re.search(r"Played: +from the start,( [abc][123]){5}  \(", found.out)
    (again,) = re.findall(r"Again: +aspgames (.*)", found.out)
    assert call(*shlex.split(again)).code == 1


def test_the_report_says_why_positions_were_skipped(call: Call, tmp_path: Path) -> None:
    refuses = tmp_path / "engine.py"
    refuses.write_text(
        'import sys\nfor line in sys.stdin: print(\'{"error": "no"}\', flush=True)\n'
    )
    words = ["crosscheck", "tictactoe", "--games", "0", "--made", "5", "X1O/3/3 w", "--against"]
    command = f"cmd:{sys.executable} {refuses}"
    found = call(*words, command)
    assert re.search(r"\nSkipped: \d, refused: no", found.out)
    report = check(call(*words, command, "--json").json, "crosscheck")
    assert report["skipped_because"] == {"refused: no": report["skipped"]}
