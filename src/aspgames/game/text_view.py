"""Positions as text, for terminals and messages."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING

from ..gdl.reasoner import UNSETTLED, unsettled_goals
from .board import Board, Square, square_name

if TYPE_CHECKING:
    from .picture.scene import Scene

Paint = Callable[[str, str | None], str]
"""Colours a glyph, given its owner's role, or None."""


def board_text(
    scene: Scene,
    paint: Paint = lambda glyph, _role: glyph,
    marked: Collection[Square] = (),
    glyphs: Mapping[str, str] | None = None,
) -> str:
    """The position with coordinates and the side on move, over several lines.

    A dot is an empty square, ``#`` one off limits. Marked squares are in brackets, neighbours
    together: ``[Q|*]``. ``glyphs`` are the contents' texts if not the board's own. Fluents that the
    board doesn't show, except the side on move, are listed below it.
    """
    board = scene.vocabulary.board
    glyphs = board.glyphs if board and glyphs is None else glyphs or {}
    lines = _ranks(board, scene, paint, marked, glyphs) if board else []
    other = scene.vocabulary.beside(scene.facts)
    lines.append(f"{scene.status}  ({'  '.join(other)})" if other else scene.status)
    return "\n".join(lines)


def facts_text(scene: Scene) -> str:
    """The position for answer-set programs: ``true(F).`` for each fluent, a line each.

    On a board also ``square(X,Y).``, and ``shown(X,Y,S).`` for a piece with the glyph ``S``.
    """
    board = scene.vocabulary.board
    lines = [f"true({fact})." for fact in scene.facts]
    if not board:
        return "\n".join(lines)
    for x, y in (square for square in board.squares if square not in board.holes):
        lines.append(f"square({x},{y}).")
        if content := scene.occupied.get((x, y)):
            glyph = json.dumps(board.glyphs.get(content, "?"), ensure_ascii=False)
            lines.append(f"shown({x},{y},{glyph}).")
    return "\n".join(lines)


def game_over(values: Mapping[str, int], name: Callable[[str], str] = str) -> str:
    """How a game ended, from ``Consequences.values``; ``name`` writes roles."""
    for role, value in values.items():
        if value == UNSETTLED:
            return f"game over, but {unsettled_goals(name(role))}"
    return f"game over: {', '.join(f'{name(role)} {value}' for role, value in values.items())}"


def _ranks(
    board: Board, scene: Scene, paint: Paint, marked: Collection[Square], glyphs: Mapping[str, str]
) -> list[str]:
    margin = len(str(board.height))

    def shown(square: Square) -> str:
        content = scene.occupied.get(square)
        if content is None:
            return "#" if square in board.holes else "."
        return paint(glyphs.get(content, "?"), scene.vocabulary.owner(content))

    def before(square: Square) -> str:
        x, y = square
        ends, begins = x > 1 and (x - 1, y) in marked, square in marked and board.has(square)
        return "|" if ends and begins else "]" if ends else "[" if begins else " "

    files = range(1, board.width + 1)
    lines = [
        f"{y:>{margin}}"
        + "".join(before((x, y)) + shown((x, y)) for x in files)
        + before((board.width + 1, y)).rstrip()
        for y in board.ranks
    ]
    letters = [square_name((x, 1))[:-1] for x in files]
    return [*lines, " " * margin + " " + " ".join(letters)]
