"""Moves in forms that a position explains: a column, the ends of a jump, ``F5``, ``--`` for a pass.

``4`` and ``d`` are the fourth column, in games that the file format ``columns`` knows. ``11x25`` is
the jump from square 11 to square 25 on a board with numbers, whatever lies between, and ``--`` and
``pa`` are the move ``pass``. The name of a single square may have a capital.
"""

import re
from collections.abc import Iterable

from ..board import Board, Square, Vocabulary, parse_square, square_name
from ..move import Move
from .move_text import named_squares

_NUMBERED = re.compile(r"[0-9]{1,4}(?:[-x:][0-9]{1,4})+\Z")
PASSES = ("--", "pa", "pass")
"""The texts of a pass; the last one is the move."""
COLUMNS = "columns"
"""The file format that writes a move as its column."""


class OtherForms:
    """Reads other forms of the moves of one game."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._forms, self._board = vocabulary.notation, vocabulary.board
        self._has_columns = COLUMNS in vocabulary.formats

    def read(self, text: str, legal: Iterable[Move]) -> list[Move]:
        """The legal moves that a text may mean."""
        text = text.strip()
        if text.lower() in PASSES:
            return [move for move in legal if move.term == PASSES[-1]]
        if self._has_columns and (column := column_of(text)):
            return [move for move in legal if [file for file, _ in self._squares(move)] == [column]]
        if square := parse_square(text.lower()):
            return [move for move in legal if self._squares(move) == [square]]
        path = numbered_squares(self._board, text)
        return [move for move in legal if path and _follows(path, self._squares(move))]

    def names_column(self, text: str) -> bool:
        """Whether a text names a column of the board, and so a move in it."""
        return self._has_columns and bool(self._board and self._board.has((column_of(text), 1)))

    def _squares(self, move: Move) -> list[Square]:
        return named_squares(self._forms, move.term)


def column_of(text: str) -> int:
    """The column that a number or a letter names; 0 for another text."""
    if len(text) == 1 and text.isalpha() and text.isascii():
        return ord(text.lower()) - ord("a") + 1
    return int(text) if re.fullmatch("[1-9][0-9]?", text) else 0


def numbered_squares(board: Board | None, text: str) -> list[Square]:
    """The squares that a text such as ``11x18x25`` names by their numbers; none for another."""
    if board is None or not board.numbers or not _NUMBERED.match(text):
        return []
    squares = {number: square for square, number in board.numbers.items()}
    found = [squares.get(int(number)) for number in re.findall("[0-9]+", text)]
    return [square for square in found if square] if all(found) else []


def with_squares_named(board: Board | None, text: str) -> str:
    """A move with the names of its squares in place of their numbers; else the same text."""
    squares = numbered_squares(board, text)
    marks = re.findall("[-x:]", text)
    names = map(square_name, squares)
    return "x".join(names) if "x" in marks or ":" in marks else "-".join(names) or text


def _follows(path: list[Square], squares: list[Square]) -> bool:
    """Whether a path has a move's first and last square, and between them only squares of it."""
    if len(path) < 2 or path[:1] != squares[:1] or path[-1] != squares[-1]:
        return False
    rest = iter(squares)
    return all(square in rest for square in path)
