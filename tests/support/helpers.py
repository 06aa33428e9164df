"""Helpers for tests of the rules: short forms of positions, and properties of states."""

import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

from aspgames import Move, State
from aspgames.runtime.budget import Budget
from aspgames.runtime.errors import OutOfTime
from thoroughly import amount

# The targets of a queen on d4 on an empty board, by the board's size and direction.
QUEEN_ON_D4 = {
    10: {
        "n": "d5 d6 d7 d8 d9 d10",
        "ne": "e5 f6 g7 h8 i9 j10",
        "e": "e4 f4 g4 h4 i4 j4",
        "se": "e3 f2 g1",
        "s": "d3 d2 d1",
        "sw": "c3 b2 a1",
        "w": "c4 b4 a4",
        "nw": "c5 b6 a7",
    },
    8: {
        "n": "d5 d6 d7 d8",
        "ne": "e5 f6 g7 h8",
        "e": "e4 f4 g4 h4",
        "se": "e3 f2 g1",
        "s": "d3 d2 d1",
        "sw": "c3 b2 a1",
        "w": "c4 b4 a4",
        "nw": "c5 b6 a7",
    },
}

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


@dataclass(frozen=True)
class Diagram:
    """A drawn position: its title, the board part of a FEN, and the starred squares."""

    title: str
    board: str
    starred: set[str]

    def __str__(self) -> str:
        return self.title


def diagrams(text: str) -> list[Diagram]:
    """Read diagrams side by side, each below its title; an empty line separates rows of diagrams.

    A square is two characters: the piece (``.`` for an empty square), and ``*`` if the square is
    starred. A starred empty square is a single ``*``.
    """
    found = []
    for row in re.split(r"\n\s*\n", text.strip()):
        columns = zip(*(re.split(r" {2,}", line.strip()) for line in row.splitlines()), strict=True)
        for title, *ranks in columns:
            starred, rows = set(), []
            for number, rank in zip(range(len(ranks), 0, -1), ranks, strict=True):
                squares = [rank[place : place + 2] for place in range(0, len(rank), 2)]
                files = zip("abcdefghij", squares, strict=False)
                starred |= {f"{file}{number}" for file, square in files if "*" in square}
                rows.append("".join(square[0].replace("*", ".") for square in squares))
            found.append(Diagram(title, draw("\n".join(rows), ""), starred))
    return found


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


def texts(state: State) -> set[str]:
    """The move texts of the side on move; asserts that they are distinct."""
    moves = [move.text for move in state.legal_moves]
    assert len(moves) == len(set(moves))
    return set(moves)


def targets(state: State, origin: str) -> set[str]:
    parts = [re.split("[-x/]", text) for text in texts(state)]
    return {part[1] for part in parts if part[0] == origin}


def changes(before: State, after: State) -> tuple[set[str], set[str]]:
    """The facts that a move removes, and the facts that it adds."""
    old, new = set(before.facts), set(after.facts)
    return old - new, new - old


def terms(state: State, role: str) -> list[str]:
    """The terms of a role's legal moves, whether it is on move or not."""
    return [move.term for move in state.legal[role]]


def turned(fen: str) -> str:
    """The FEN with exchanged colours and the board flipped top to bottom."""
    board, side, *counters = fen.split()
    board = "/".join(reversed(board.split("/"))).swapcase()
    captures, rest = counters[:2], counters[2:]
    return " ".join([board, {"w": "b", "b": "w"}[side], *reversed(captures), *rest])


def turned_squares(texts: set[str], height: int) -> set[str]:
    """Squares or moves on the board flipped top to bottom."""
    return {
        re.sub(r"(?<=[a-z])\d+", lambda rank: str(height + 1 - int(rank[0])), text)
        for text in texts
    }


def turns(state: State, split: bool) -> dict[str, tuple[Move, ...]]:
    """The turns of a state by their texts: one ply, or with ``split`` a move and an arrow."""
    plies: Iterable[tuple[Move, ...]] = ((move,) for move in state.legal_moves)
    if split:
        plies = ((*turn, arrow) for turn in plies for arrow in play(state, turn).legal_moves)
    return {"".join(map(str, turn)): turn for turn in plies}


def play(state: State, turn: Iterable[Move]) -> State:
    for move in turn:
        state = state.play(move)
    return state


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

    def __init__(self, looks: float) -> None:
        super().__init__()
        self.looks = looks

    def check(self) -> None:
        self.looks -= 1
        if self.looks < 0:
            raise OutOfTime("over")
