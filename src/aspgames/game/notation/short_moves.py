"""Short moves, such as ``Nbd7``, ``exd6``, ``e8=Q`` and ``O-O``: standard algebraic notation.

An encoding names pieces with ``move_letter`` and single moves with ``move_name``. A text also has
the squares of the move, as far as they are needed, and the letter of a promotion. A figurine stands
for its letter.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from ..board import Board, Square, Vocabulary, parse_square, square_name
from ..move import Move, NumberedMoves
from .move_text import named_squares

_SHORT_MOVE = re.compile(r"([A-Z]?)([a-wyz]?)([0-9]*)[-x:]?([a-z][0-9]+)=?\(?([A-Za-z]?)\)?\Z")
_END = re.compile(r"(?:\s*\(?e\.?\s?p\.?\)?)?(?:\+-|[+#!?])*\Z")
_FIGURES = str.maketrans("♔♕♖♗♘♚♛♜♝♞", "KQRBN" * 2, "♙♟\ufe0e")
_MOST_KEPT = 1 << 16

Holds = Callable[[str], bool]
"""Tells whether a fluent holds in the state."""


class ShortMoves:
    """Reads and writes the short moves of one game."""

    def __init__(self, vocabulary: Vocabulary, board: Board) -> None:
        self._board, self._forms = board, vocabulary.notation
        self._letters, self._names = vocabulary.letters, vocabulary.move_names
        self._ends: dict[str, tuple[Square, Square, str] | None] = {}
        self._fluents: dict[tuple[Square, str], list[str]] = {}

    def read(self, text: str, legal: Iterable[Move], holds: Holds) -> list[Move]:
        """The legal moves that a text may mean; ``+``, ``#``, ``!`` and ``e.p.`` are ignored."""
        text = _END.sub("", text.strip().translate(_FIGURES))
        if text in self._names:
            return [
                move
                for term, content in self._names[text]
                for move in legal
                if move.term == term and self._has(term, content, holds)
            ]
        if not (parts := _parts(text)):
            return []
        letter, file, rank, target, promotion = parts
        whole = not letter and file and rank
        return [
            move
            for move in self._to(parse_square(target), promotion.lower(), legal)
            if (ends := self._ends[move.term])
            and rank in ("", str(ends[0][1]))
            and (not file or ord(file) - 96 == ends[0][0])
            and (whole or any(map(holds, self._placing(ends[0], letter))))
        ]

    def why_illegal(
        self, text: str, pieces: Mapping[Square, str]
    ) -> tuple[str, Square, Square] | str | None:
        """Why no piece of a side, whose pieces are given by their squares, can make a short move.

        A sentence; or, where only one piece is meant, that piece, its square and the move's target.
        None for a text that is no short move.
        """
        text = _END.sub("", text.strip().translate(_FIGURES))
        if text in self._names:
            named = ((content, self._end(term)) for term, content in self._names[text])
            meant = [(content, *e[:2]) for content, e in named if e and pieces.get(e[0]) == content]
            return meant[0] if len(meant) == 1 else f"{text} is not legal here"
        if not (parts := _parts(text)):
            return None
        to = parse_square(parts[3])
        if to is None or not self._board.has(to):
            return None
        letter, file, rank, target, _ = parts
        names = sorted({c.partition("(")[0] for c, each in self._letters.items() if each == letter})
        meant = [
            (content, square, to)
            for square, content in pieces.items()
            if self._letters.get(content) == letter
            and rank in ("", str(square[1]))
            and (not file or ord(file) - 96 == square[0])
        ]
        if len(meant) == 1 or not names:
            return meant[0] if meant else None
        return f"no {' or '.join(names)}{' on ' * bool(file + rank)}{file}{rank} goes to {target}"

    def write(self, move: Move, legal: Iterable[Move], holds: Holds) -> str | None:
        """The short text of a legal move; None if there is none."""
        ends = self._end(move.term)
        for text, named in reversed([*self._names.items()]):  # O-O before 0-0
            if any(move.term == t and self._has(t, content, holds) for t, content in named):
                return text
        letter = ends and self._letter(ends[0], holds)
        if ends is None or letter is None:
            return None
        start, target, promotion = ends
        captures = any(map(holds, self._board.pieces_on(target)))
        more = f"={promotion.upper()}" if promotion else ""
        if not letter:
            from_file = f"{square_name(start)[0]}x" if captures or start[0] != target[0] else ""
            return f"{from_file}{square_name(target)}{more}"
        others = [
            other
            for each in self._to(target, promotion, legal)
            if (found := self._ends[each.term])
            and (other := found[0]) != start
            and self._letter(other, holds) == letter
        ]
        file, rank = square_name(start)[0], str(start[1])
        if not others:
            origin = ""
        elif all(other[0] != start[0] for other in others):
            origin = file
        else:
            origin = rank if all(other[1] != start[1] for other in others) else file + rank
        return f"{letter}{origin}{'x' if captures else ''}{square_name(target)}{more}"

    def _to(self, target: Square | None, promotion: str, legal: Iterable[Move]) -> Iterator[Move]:
        if target is None:
            return
        known = self._ends
        for move in legal.ending(target) if isinstance(legal, NumberedMoves) else legal:
            ends = known[move.term] if move.term in known else self._end(move.term)
            if ends is not None and ends[1] == target and ends[2] == promotion:
                yield move

    def _end(self, term: str) -> tuple[Square, Square, str] | None:
        """The first and the last square of a move of two squares, and the letter of a promotion."""
        if len(self._ends) > _MOST_KEPT:
            self._ends.clear()
        squares = named_squares(self._forms, term)
        promotion = self._forms.get(term.partition("(")[0], "").partition("=")[2]
        found = (squares[0], squares[1], promotion) if len(squares) == 2 else None
        self._ends[term] = found
        return found

    def _has(self, term: str, content: str, holds: Holds) -> bool:
        ends = self._end(term)
        return ends is not None and holds(self._board.fluent(ends[0], content))

    def _letter(self, square: Square, holds: Holds) -> str | None:
        """The letter of the piece on a square."""
        letters = dict.fromkeys(self._letters.values())
        return next((x for x in letters if any(map(holds, self._placing(square, x)))), None)

    def _placing(self, square: Square, letter: str) -> list[str]:
        """The fluents that place a piece with a letter on a square."""
        if (square, letter) not in self._fluents:
            self._fluents[square, letter] = [
                self._board.fluent(square, content)
                for content, name in self._letters.items()
                if name == letter
            ]
        return self._fluents[square, letter]


def _parts(text: str) -> tuple[str, str, str, str, str] | None:
    """The letter, file, rank, target and promotion of a short move; None if it isn't one."""
    if not (found := _SHORT_MOVE.match(text)):
        return None
    letter, file, rank, target, promotion = found.groups()
    if not letter and not file and not rank:
        file = target[0]  # a piece without a letter that doesn't say where it comes from
    return letter, file, rank, target, promotion
