"""The files of puzzles in ``tests/data``, as parameters of tests."""

import json
from typing import Any

import pytest

from paths import TESTS


def puzzles(name: str) -> list[Any]:
    """The puzzles of a file, each as a parameter of a test."""
    lines = (TESTS / f"data/puzzles{name}.jsonl").read_text().splitlines()
    found = map(json.loads, lines)
    return [pytest.param(p, id=f"{number}-{p['game']}") for number, p in enumerate(found)]


def is_quick(parameter: Any) -> bool:
    """A net for Skirmish takes seconds."""
    return bool(parameter.values[0]["game"] != "skirmish")


SAMPLE, SMALL, MIXED, HARD = map(puzzles, ("", "_small", "_mixed", "_hard"))
