"""Positions as text, for terminals and messages."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from .board import Board, Square, placement, square_name
from .state import State

Paint = Callable[[str, str | None], str]
"""Colours a glyph, given the role it belongs to (None: nobody's)."""


def board_text(
    state: State,
    paint: Paint = lambda glyph, _role: glyph,
    marked: Collection[Square] = (),
) -> str:
    """The position with coordinates and the side on move, over several lines.

    A dot is an empty square, ``#`` one off limits, and marked squares stand in brackets. Fluents
    that the board doesn't show, but for the side on move, are listed under it; a game without a
    board shows nothing else.
    """
    board = state.game.board
    lines = _ranks(board, state, paint, marked) if board else []
    shown = set(board.fields.get(1, {}).values()) if board else set()
    other = [f for f in state.facts if f not in shown and not (board and placement(f))]
    lines.append(f"{status(state)}  ({'  '.join(other)})" if other else status(state))
    return "\n".join(lines)


def status(state: State) -> str:
    """Whose turn it is, or how the game ended."""
    if state.is_terminal:
        return "game over: " + ", ".join(f"{role} {goal}" for role, goal in state.goals.items())
    return f"{state.to_move} to move" if state.to_move else "several roles move at once"


def owner(state: State, content: str) -> str | None:
    """The role that what stands on a square belongs to: the one that its term names."""
    return next((role for role in state.game.roles if role in re.findall(r"\w+", content)), None)


def _ranks(board: Board, state: State, paint: Paint, marked: Collection[Square]) -> list[str]:
    margin = len(str(board.height))

    def shown(square: Square) -> str:
        content = state.occupied.get(square)
        if content is None:
            return "#" if square in board.holes else "."
        return paint(board.glyphs.get(content, "?"), owner(state, content))

    def before(square: Square) -> str:
        x, y = square
        if (x - 1, y) in marked and x > 1:
            return "]"
        return "[" if square in marked and board.has(square) else " "

    files = range(1, board.width + 1)
    lines = [
        f"{y:>{margin}}"
        + "".join(before((x, y)) + shown((x, y)) for x in files)
        + before((board.width + 1, y)).rstrip()
        for y in range(board.height, 0, -1)
    ]
    letters = [square_name((x, 1))[:-1] for x in files]
    return [*lines, " " * margin + " " + " ".join(letters)]
