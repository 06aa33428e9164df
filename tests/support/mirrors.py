"""Mirrors: map facts and moves of the built-in games to a reflected or rotated board."""

import re
from collections.abc import Callable

from aspgames import State

Square = tuple[int, int]
Mirror = Callable[[int, int, int, int], Square]
"""Maps a square ``x, y`` on a board of ``width`` and ``height``."""

MIRRORS: dict[str, Mirror] = {
    "left to right": lambda x, y, width, _: (width + 1 - x, y),
    "top to bottom": lambda x, y, _, height: (x, height + 1 - y),
    "turned by a quarter": lambda x, y, width, _: (y, width + 1 - x),
    "turned by half": lambda x, y, width, height: (width + 1 - x, height + 1 - y),
    "along the diagonal": lambda x, y, _width, _height: (y, x),
}
OTHER = {"white": "black", "black": "white"}


def seen_in(mirror: Mirror, state: State, text: str, swapped: bool = False) -> str:
    """A fact or a move in a mirror; ``swapped`` also exchanges the colours."""
    board = state.game.board
    assert board
    if swapped:
        text = re.sub("white|black", lambda word: OTHER[word[0]], text)
    name, _, numbers = text.partition("(")
    if name not in ("cell", "move", "fire", "just_moved"):
        return text
    rest = numbers.rstrip(")").split(",") if name != "cell" else numbers[:-1].split(",", 2)
    squares = rest[:2] if name == "cell" else rest
    pairs = zip(map(int, squares[::2]), map(int, squares[1::2]), strict=True)
    turned = [str(n) for x, y in pairs for n in mirror(x, y, board.width, board.height)]
    return f"{name}({','.join(turned + rest[len(squares) :])})"
