"""Helpers for tests of the rules: short forms of positions, and properties of states."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

from aspgames.runtime.budget import Budget
from aspgames.runtime.errors import LimitReached, OutOfTime
from thoroughly import amount

FIVE = ["amazons", "amazons_10x10", "amazons_8x8", "breakthrough", "skirmish"]
"""The games that most tests are about; the gallery has tests of its own."""


def matches_snapshot(text: str, file: Path) -> None:
    """Assert that a file has this text; with ``UPDATE_SNAPSHOTS=1``, write the file."""
    if "UPDATE_SNAPSHOTS" in os.environ:
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8"), f"{file.name} is out of date"


def few_or_many(
    few: int, many: int, **strategies: st.SearchStrategy[Any]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a hypothesis test with few examples, and as a slow test with more."""

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        more = pytest.param(amount(max(2 * few, many // 4), many), marks=pytest.mark.slow)

        @pytest.mark.parametrize("examples", [few, more])
        def run(examples: int) -> None:
            hypothesis.settings(max_examples=examples)(hypothesis.given(**strategies)(test))()

        run.__name__, run.__doc__, run.__module__ = test.__name__, test.__doc__, test.__module__
        return run

    return decorate


def few_fast(few: int, many: int) -> list[Any]:
    """The numbers below ``many`` as test parameters; those from ``few`` on are slow."""
    slow = (pytest.param(number, marks=pytest.mark.slow) for number in range(few, many))
    return [*range(few), *slow]


def words(text: str) -> set[str]:
    """The words of a text: ``words("a1 b2")`` is ``{"a1", "b2"}``."""
    return set(text.split())


def draw(drawing: str, fields: str) -> str:
    """The FEN of a drawing: one line for each rank, from the top; a dot is an empty square."""
    ranks = [re.sub(r"\.+", lambda run: str(len(run[0])), rank) for rank in drawing.split()]
    return " ".join(["/".join(ranks), *fields.split()])


def corner(ranks: str, size: int, fields: str) -> str:
    """The FEN of a position with arrows everywhere except the lower left corner."""
    lower = [rank + "*" * (size - len(rank)) for rank in ranks.split()]
    return draw(" ".join(["*" * size] * (size - len(lower)) + lower), fields)


def facts(*lines: str) -> str:
    """The facts of lines such as ``"arrow a2 b1"``; a line with a parenthesis is a fact itself."""
    found = []
    for line in lines:
        if "(" in line:
            found.append(line)
        else:
            content, *squares = line.split()
            found += [f"cell({ord(s[0]) - ord('a') + 1},{s[1:]},{content})" for s in squares]
    return " ".join(found)


def record_calls(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> list[tuple[Any, ...]]:
    """The arguments of each call of a function from now on."""
    calls: list[tuple[Any, ...]] = []
    real = getattr(owner, name)

    def noted(*arguments: Any, **named: Any) -> Any:
        calls.append(arguments)
        return real(*arguments, **named)

    monkeypatch.setattr(owner, name, noted)
    return calls


class Stopping(Budget):
    """A budget that ends after ``looks`` checks."""

    def __init__(self, looks: float, ends: type[BaseException] = OutOfTime) -> None:
        super().__init__()
        self.looks, self._ends = looks, OutOfTime if ends is LimitReached else ends

    def check(self) -> None:
        self.looks -= 1
        if self.looks < 0:
            raise self._ends("over")
