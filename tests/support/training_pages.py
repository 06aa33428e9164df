"""A reader of the data in training books' pages."""

import base64
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

ANSWER, TRY = 0, 6
GOAL, OVER, TURNS, AS_WELL = -1, -2, -3, -4


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
