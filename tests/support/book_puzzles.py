"""Puzzles for proof books and training books, by name."""

import json
from pathlib import Path
from typing import Any

import aspgames
from aspgames import State
from paths import ROOT, TESTS

TEXT = (TESTS / "data/puzzles_of_books.jsonl").read_text().replace('"tests/', f'"{ROOT}/tests/')
PUZZLES: dict[str, dict[str, Any]] = {
    puzzle.pop("id"): puzzle for puzzle in map(json.loads, TEXT.splitlines())
}


def arguments(name: str) -> list[str]:
    """The command that solves the puzzle."""
    puzzle = PUZZLES[name]
    found = ["solve", puzzle["game"], puzzle["position"]]
    for option in ("attacker", "goal", "within"):
        found += [f"--{option}", str(puzzle[option])] if option in puzzle else []
    for constant, value in puzzle.get("const", {}).items():
        found += ["-c", f"{constant}={value}"]
    return found


def state_of(name: str) -> State:
    puzzle = PUZZLES[name]
    return aspgames.load(puzzle["game"], **puzzle.get("const", {})).position(puzzle["position"])


def write_puzzles(file: Path, *names: str) -> None:
    file.write_text("".join(json.dumps({"id": name} | PUZZLES[name]) + "\n" for name in names))
