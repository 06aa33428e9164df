"""Where the squares of a board are in a picture, in hundredths of a square from the upper left."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from ...runtime.errors import RulesError
from ..board import Board, Square
from .markup import number

Point = tuple[float, float]

CELL_SHAPES = ("chequered", "hexagon", "plain", "point")
"""The values of ``cell_shape/1``."""


@dataclass(frozen=True)
class Placement:
    """The places of a board's squares, and the shape of each."""

    board: Board
    turned: bool = False

    @cached_property
    def shape(self) -> str:
        """The shape of squares. Raises ``RulesError`` if the encoding has an unknown one."""
        shape = self.board.layout.shape
        if shape not in CELL_SHAPES:
            raise RulesError(f'cell_shape("{shape}"): the shapes are {", ".join(CELL_SHAPES)}')
        return shape

    @cached_property
    def _given(self) -> Mapping[Square, Square]:
        """The place of each square, and perhaps of squares beyond the edges; y goes up."""
        grid = {square: self._on_grid(square) for square in self.board.squares}
        return grid | dict(self.board.layout.at)

    def _on_grid(self, square: Square) -> Square:
        """The place of a square in files and ranks, which may lie beyond the edges."""
        x, y = square
        up = self.board.height + 1 - y if self.board.first_rank == "top" else y
        return 100 * x, 100 * up

    @cached_property
    def _shown(self) -> list[Square]:
        on_board = [square for square in self._given if self.board.has(square)]
        if self.is_grid and self.shape in ("chequered", "plain"):
            return on_board
        return [square for square in on_board if square not in self.board.holes] or on_board

    @property
    def is_grid(self) -> bool:
        """Whether squares lie in files and ranks of equal width."""
        return not self.board.layout.at

    @property
    def apart(self) -> bool:
        """Whether squares don't fill a rectangle."""
        return self.shape == "hexagon" or (self.shape == "plain" and not self.is_grid)

    @cached_property
    def _edges(self) -> tuple[float, float, float, float]:
        """The left, right, lower and upper edge of all squares."""
        half = 58 if self.shape == "hexagon" else 50
        across, up = zip(*(self._given[square] for square in self._shown), strict=True)
        return min(across) - half, max(across) + half, min(up) - half, max(up) + half

    @property
    def size(self) -> tuple[float, float]:
        """The width and height of the board."""
        left, right, low, high = self._edges
        return right - left, high - low

    def middle(self, square: Square) -> Point:
        """The middle of a square, which may lie beyond the edges."""
        left, right, low, high = self._edges
        x, y = self._given.get(square, self._on_grid(square))
        return (right - x, y - low) if self.turned else (x - left, high - y)

    @cached_property
    def middles(self) -> Mapping[Square, Point]:
        """The squares shown, each with its middle."""
        return {square: self.middle(square) for square in self._shown}

    @cached_property
    def _rim(self) -> list[Point]:
        """The corners of a square from its middle, clockwise."""
        if self.shape != "hexagon":
            return [(-50, -50), (50, -50), (50, 50), (-50, 50)]
        first, *others = self.middles.values()
        near = min(others, key=lambda other: math.dist(first, other), default=(first[0] + 100, 0))
        radius = math.dist(first, near) / math.sqrt(3)
        angle = math.atan2(near[1] - first[1], near[0] - first[0])
        turns = [angle + math.radians(60 * corner - 90) for corner in range(6)]
        return [(radius * math.cos(turn), radius * math.sin(turn)) for turn in turns]

    @cached_property
    def outline(self) -> str:
        """The outline of a square as an SVG path, from the upper left corner of its middle 100."""
        if self.shape == "point":
            return "m3 50a47 47 0 1 0 94 0a47 47 0 1 0-94 0z"
        if self.shape != "hexagon":
            return "h100v100h-100z"
        x, y = self._rim[0]
        steps = (f"l{number(u - p)} {number(v - q)}" for (p, q), (u, v) in pairwise(self._rim))
        return f"m{number(50 + x)} {number(50 + y)}{''.join(steps)}z"

    def path(self, square: Square) -> str:
        """The outline of one square."""
        x, y = self.middle(square)
        return f"M{number(x - 50)} {number(y - 50)}{self.outline}"

    def lines(self) -> Iterator[tuple[Point, Point]]:
        """The lines between points: those of the encoding, or else along files and ranks."""
        shown = self.middles
        pairs = self.board.layout.lines or [
            (square, other)
            for square in shown
            for other in ((square[0] + 1, square[1]), (square[0], square[1] + 1))
            if other in shown
        ]
        for one, other in pairs:
            yield self.middle(one), self.middle(other)

    def borders(self) -> Iterator[tuple[str, str]]:
        """The coloured edges: the role, and the band along a square's side as an SVG path."""
        for role, square, beyond in self.board.layout.borders:
            (x, y), (u, v) = self.middle(square), self.middle(beyond)
            towards = math.atan2(v - y, u - x)
            ends = sorted(self._rim, key=lambda c: _apart(math.atan2(c[1], c[0]), towards))[:2]
            band = [*ends, *((1.22 * p, 1.22 * q) for p, q in reversed(ends))]
            points = "L".join(f"{number(x + p)} {number(y + q)}" for p, q in band)
            yield role, f"M{points}Z"


def _apart(angle: float, other: float) -> float:
    """The difference of two directions."""
    return abs(math.remainder(angle - other, math.tau))
