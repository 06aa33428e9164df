"""Training books for tests: puzzles, and a reader of the pages' data."""

import base64
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aspgames
from aspgames import State
from paths import ROOT

ANSWER, TRY = 0, 6
GOAL, OVER, TURNS, AS_WELL = -1, -2, -3, -4

_THREE = {"game": "breakthrough", "const": {"width": 3, "height": 4}, "attacker": "white"}
PUZZLES: dict[str, dict[str, Any]] = {
    "keys": _THREE | {"position": "1p1/3/P1P/3 w", "goal": "win", "within": 3},
    "replies": _THREE | {"position": "1p1/3/P1P/3 b", "goal": "win", "within": 3},
    "held": _THREE | {"position": "startpos", "goal": "win", "within": 3},
    "black": {
        "game": "breakthrough", "const": {"width": 2, "height": 5}, "position": "startpos",
        "attacker": "black", "goal": "win",
    },
    "score": {
        "game": "skirmish", "position": "8/R7/2#2#2/8/1n4k1/2#2#2/8/8 w 0 0 40",
        "attacker": "white", "goal": "score>=10", "within": 3,
    },
    "split": {
        "game": "amazons_8x8", "attacker": "white", "goal": "trap", "within": 2, "position":
        "#/#/#/#/#/#/***q****/***2Q1* w".replace("#", 8 * "*"),
    },
    "amazons": {
        "game": "amazons", "attacker": "white", "goal": "trap", "within": 2, "position":
        "#/#/#/#/#/#/#/#/***q******/***2Q1*** w".replace("#", 10 * "*"),
    },
    "drops": {
        "game": "tictactoe", "position": "X1O/1O1/2X w",
        "attacker": "white", "goal": "win", "within": 3,
    },
    "only move": {
        "game": "tictactoe", "position": "X2/1O1/2X b",
        "attacker": "white", "goal": "win", "within": 2,
    },
    "falling": {
        "game": "connect_four", "position": "7/7/7/7/1O1O3/1XXX1O1 w",
        "attacker": "white", "goal": "win", "within": 2,
    },
    "hex": {
        "game": "hex", "const": {"size": 4}, "position": "4/1X2/2O1/1X2 w",
        "attacker": "white", "goal": "win", "within": 4,
    },
    "no board": {
        "game": str(ROOT / "tests/data/climb.lp"), "position": "startpos",
        "attacker": "white", "goal": "win", "within": 3,
    },
    "alone": {
        "game": str(ROOT / "tests/data/maze.lp"), "position": "startpos",
        "attacker": "walker", "goal": "win",
    },
    "helped": _THREE | {"position": "startpos", "goal": "win", "stipulation": "together"},
}  # fmt: skip


def state_of(name: str) -> State:
    puzzle = PUZZLES[name]
    return aspgames.load(puzzle["game"], **puzzle.get("const", {})).position(puzzle["position"])


def write_puzzles(file: Path, *names: str) -> None:
    file.write_text("".join(json.dumps({"id": name} | PUZZLES[name]) + "\n" for name in names))


@dataclass
class TrainingPage:
    html: str
    book: dict[str, Any] = field(init=False)
    puzzles: list[dict[str, Any]] = field(init=False)

    def __post_init__(self) -> None:
        def script(name: str) -> Any:
            found = re.search(rf'id="{name}">(.*?)</script>', self.html, re.DOTALL)
            assert found
            return json.loads(found[1])

        self.book = script("data")
        texts = re.findall(r'id="puzzle-\d+">(.*?)</script>', self.html)
        packed = (zlib.decompress(base64.b64decode(text)) for text in texts)
        self.puzzles = [json.loads(text) for text in packed]


@dataclass(frozen=True)
class Edge:
    """A move in a page's data."""

    text: str
    role: str
    target: int
    right: bool | None
    """None for the page's own moves."""


@dataclass(frozen=True)
class Lesson:
    """The data of one puzzle, as the page's script reads them."""

    data: dict[str, Any]

    @property
    def root(self) -> int:
        return int(self.data["lesson"]["root"])

    @property
    def solver(self) -> str:
        return str(self.data["roles"][self.data["lesson"]["solver"]])

    def edges(self, node: int) -> tuple[int, list[Edge]]:
        kind, *rest = self.data["lesson"]["nodes"][node]
        width = 3 if kind == TRY else 2
        return kind, [
            Edge(
                self.data["steps"][step][1],
                self.data["roles"][self.data["steps"][step][0]],
                target,
                bool(more[0]) if more else None,
            )
            for step, target, *more in zip(*[iter(rest)] * width, strict=True)
        ]

    def right_line(self, at: int | None = None) -> Iterator[Edge]:
        """The book's own line to the end."""
        at = self.root if at is None else at
        while at >= 0 and len(self.data["lesson"]["nodes"][at]) > 1:
            _, edges = self.edges(at)
            edge = next(e for e in edges if e.right is not False and e.target != AS_WELL)
            yield edge
            at = edge.target
