"""Positions as lists of numbered squares, as in Portable Draughts Notation (PDN).

``B:W21,22,K30:B1,K5:H12``: the side on move, each side's pieces, and the moves without progress.
The encoding's ``square_number`` and ``listed`` say which squares and pieces these are. Its
``fen_field`` has the side (field 1) and the number (field 2).
"""

import re
from collections.abc import Iterable, Iterator

from ...asp.terms import shorten
from ...runtime.errors import BadPosition
from ..board import Board

_PIECES = re.compile(r"([A-Za-z]*)([0-9]{1,4})(?:-([0-9]{1,4}))?")


def format_list(board: Board, facts: Iterable[str]) -> str | None:
    """The list of a state's facts; None if it can't express them."""
    sides = sorted({side for side, _ in board.listed.values()}, reverse=True)  # W before B
    pieces: dict[str, list[tuple[int, str]]] = {side: [] for side in sides}
    fields: dict[int, str] = {}
    for fact in facts:
        placed = board.placement(fact)
        field = board.field_texts.get(fact)
        if placed and placed[0] in board.numbers and placed[1] in board.listed:
            side, prefix = board.listed[placed[1]]
            pieces[side].append((board.numbers[placed[0]], prefix))
        elif field and field[0] not in fields:
            fields[field[0]] = field[1]
        else:
            return None
    if 1 not in fields:
        return None
    lists = [
        side + ",".join(f"{prefix}{number}" for number, prefix in sorted(found))
        for side, found in pieces.items()
    ]
    counted = [f"H{fields[2]}"] if 2 in fields else []
    return ":".join([fields[1].upper(), *lists, *counted])


def parse_list(board: Board, text: str) -> tuple[str, ...]:
    """The facts of a list, sorted. Raises ``BadPosition`` with the part that is wrong."""
    turn, *parts = "".join(text.split()).removesuffix(".").split(":")
    squares = {number: square for square, number in board.numbers.items()}
    contents = {shown: content for content, shown in board.listed.items()}
    facts = {_field(board, 1, turn.lower())}
    for part in parts:
        side, rest = part[:1].upper(), part[1:]
        if any(side == letter for letter, _ in contents):
            for prefix, number in _items(rest):
                if number not in squares:
                    largest = max(squares)
                    raise BadPosition(f"there is no square {number}: squares are 1 to {largest}")
                if (side, prefix) not in contents:
                    raise BadPosition(f"{side} has no piece {prefix}")
                facts.add(board.fluent(squares[number], contents[side, prefix]))
        elif side == "H" and rest.isdecimal():
            facts.add(_field(board, 2, str(int(rest[:9]))))
        elif not (side == "F" and rest.isdecimal()):  # the number of the move
            raise BadPosition(f"{shorten(part)!r} is no list of a side's pieces")
    return tuple(sorted(facts))


def _items(text: str) -> Iterator[tuple[str, int]]:
    """The prefixes and numbers of a list: ``21-23,K30``."""
    for item in filter(None, text.split(",")):
        found = _PIECES.fullmatch(item)
        if not found:
            raise BadPosition(f"{shorten(item)!r} is no piece on a numbered square, such as 21")
        prefix, first, last = found.groups()
        for number in range(int(first), int(last or first) + 1):
            yield prefix.upper(), number


def _field(board: Board, number: int, text: str) -> str:
    texts = board.fields.get(number, {})
    if text not in texts:
        what = "is no side on move" if number == 1 else "is no number of moves here"
        raise BadPosition(f"{shorten(text)!r} {what}")
    return texts[text]
