"""Smaller boards: a game's other sizes, and turns moved to other squares."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ...game.game import Game, game_of_encoding
from ...game.notation.joint_moves import format_joint, is_joint, parse_joint
from ...game.notation.move_text import named_squares
from ..engines.engine import Turn


def smaller_games(game: Game) -> Iterator[Game]:
    """The game on smaller boards, the smallest first."""
    board = game.board
    if board is None or board.constants is None:
        return
    wide, high = board.constants
    sizes = product(range(1, board.width + 1), range(1, board.height + 1))
    for width, height in sorted(sizes, key=lambda size: (size[0] * size[1], size)):
        if (width, height) == (board.width, board.height):
            continue
        if wide.allows(width) and high.allows(height):
            size = {wide.name: width, high.name: height}
            yield game_of_encoding(game.encoding, {**game.constants, **size})


def moved_turn(game: Game, turn: Turn, dx: int, dy: int) -> Turn:
    """A turn moved across the board; a move without known squares stays the same."""

    def elsewhere(move: str) -> str:
        squares = named_squares(game.vocabulary.notation, move)
        numbers = ",".join(f"{x + dx},{y + dy}" for x, y in squares)
        return f"{move[: move.index('(')]}({numbers})" if squares else move

    def ply_elsewhere(ply: str) -> str:
        if not is_joint(ply):
            return elsewhere(ply)
        return format_joint({role: elsewhere(move) for role, move in parse_joint(ply).items()})

    return tuple(map(ply_elsewhere, turn))
