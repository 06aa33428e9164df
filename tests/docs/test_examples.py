"""The puzzles of ``examples/puzzles``: what the page shows is what the program prints, and true."""

import json
import re
import shlex
from pathlib import Path

import pytest

import aspgames
from aspgames.game.text_view import board_text
from aspgames.puzzle.proof.claim import Claimed
from aspgames.puzzle.proof.verify import verify
from aspgames.puzzle.puzzle_request import puzzle_of
from aspgames.puzzle.question import PuzzleQuestion
from aspgames.runtime.json_lines import decode
from cli_helpers import Call, check
from helpers import FIVE
from paths import ROOT

FOLDER = ROOT / "examples/puzzles"
LINES = (FOLDER / "puzzles.jsonl").read_bytes().splitlines()
NAMES = [json.loads(line)["id"] for line in LINES]
SLOW = {"eight-turns", "only-the-arrow-is-left", "nowhere-to-jump", "3x5", "2x6"}
SLOW |= {"whatever-black-does", "shot-at-its-own-feet"}
PUZZLES = [
    pytest.param(number, id=name, marks=[pytest.mark.slow] * (name in SLOW))
    for number, name in enumerate(NAMES)
]

# A diagram, perhaps the question in words, the command, and what it answers.
SHOWN = re.findall(
    r"^```text\n([^`]*)```\n[^`]*^```sh\n(aspgames [^`]*)```\n\n```text\n([^`]*)```$",
    (FOLDER / "README.md").read_text(),
    re.MULTILINE,
)


def test_every_puzzle_is_shown_and_there_are_puzzles_of_every_kind() -> None:
    puzzles = [check(decode(line), "puzzle") for line in LINES]
    assert len(SHOWN) == len(puzzles) == len({puzzle["id"] for puzzle in puzzles})
    assert {puzzle["game"] for puzzle in puzzles} == set(FIVE)
    assert {re.split("[>:]", puzzle["goal"])[0] for puzzle in puzzles} == {"trap", "win", "score"}


@pytest.mark.parametrize("number", PUZZLES)
def test_a_puzzle_is_as_shown(
    call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    monkeypatch.setenv("COLUMNS", "96")
    diagram, command, answer = SHOWN[number]
    puzzle = puzzle_of(decode(LINES[number]), lambda name, const: aspgames.load(name, **const))
    assert board_text(puzzle.state.scene) == diagram.rstrip()
    printed = call(*shlex.split(command)[1:], "--certificate", "proof.json")
    assert printed.out.startswith(f"{diagram}\n{answer}(")
    found = verify(json.loads((folder / "proof.json").read_text()))
    start = Claimed(puzzle.state.game, puzzle.state.facts)
    asked = PuzzleQuestion(start, puzzle.attacker, puzzle.goal, puzzle.within)
    assert found.puzzle == asked, "the page asks what the file asks"
    assert printed.code == (0 if found.verdict == "forced" else 1)
    assert (f" in {found.distance} turns." in answer) == (found.verdict == "forced")
    keys = re.findall(r"^Keys?: (.*)$", answer, re.MULTILINE)
    texts = [puzzle.state.move_text(key) for key in found.keys]
    assert [key for line in keys for key in line.split()] == texts
