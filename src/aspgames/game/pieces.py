"""Pieces on and off the board: the square of a name, and the facts of a position changed."""

from __future__ import annotations

from collections.abc import Sequence

from ..asp.canonical import canonical
from ..asp.terms import shorten
from ..runtime.arguments import check_text
from ..runtime.errors import BadPosition
from .board import Board, Square, parse_square
from .game_rules import GameRules


def square_of(rules: GameRules, name: str) -> Square:
    """A square of the board by its name. Raises ``BadPosition``."""
    square, board = parse_square(check_text(name, "a square", BadPosition)), _board(rules)
    if square is None:
        raise BadPosition(f"{shorten(name)!r} is no square: squares look like a2")
    if not board.has(square):
        raise BadPosition(f"{name} is off the board, which is {board.size}")
    if square in board.holes:
        raise BadPosition(f"{name} is off limits")
    return square


def with_piece(rules: GameRules, facts: Sequence[str], square: str, content: str) -> list[str]:
    """The facts with something on a square, in place of what stands there."""
    on, board = square_of(rules, square), _board(rules)
    term = canonical(check_text(content, "what stands on a square", BadPosition))
    if term is None:
        raise BadPosition(f"{shorten(content)!r} is nothing that can stand on a square")
    return [*_without(board, facts, on), board.fluent(on, term)]


def without_piece(rules: GameRules, facts: Sequence[str], square: str) -> list[str]:
    """The facts with a square empty."""
    on, board = square_of(rules, square), _board(rules)
    nothing = [board.fluent(on, content) for content in board.empty[:1]]
    return [*_without(board, facts, on), *nothing]


def moved(
    old: GameRules, facts: Sequence[str], rules: GameRules, dx: int, dy: int
) -> tuple[str, ...]:
    """A position of a game with its pieces elsewhere, on the board of another of the same rules.

    Raises ``BadPosition`` where a square has no such content there.
    """
    found = []
    for fact in facts:
        if (placed := old.vocabulary.placement(fact)) is None:
            found.append(fact)
        elif rules.board and old.vocabulary.piece(fact):
            (x, y), content = placed
            found.append(rules.board.fluent((x + dx, y + dy), content))
    return tuple(sorted(rules.vocabulary.with_blanks(found)))


def _without(board: Board, facts: Sequence[str], square: Square) -> list[str]:
    """The facts but for what says what is on a square."""
    return [f for f in facts if not ((found := board.placement(f)) and found[0] == square)]


def _board(rules: GameRules) -> Board:
    """The board. Raises ``BadPosition`` if there is none."""
    if rules.board is None:
        raise BadPosition(f"{rules.name} has no board")
    return rules.board
