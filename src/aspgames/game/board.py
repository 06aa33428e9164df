"""What an encoding says of its board, and of how positions and moves are written.

The predicates (``#program board``) are described in ``encodings/README.md``. A game without a board
has no FEN, and its moves are written as terms.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..runtime.errors import BadPosition

Square = tuple[int, int]

_CELL = re.compile(r"cell\((-?\d+),(-?\d+),(.+)\)\Z", re.DOTALL)
_SQUARE = re.compile(r"([a-z]+)([1-9][0-9]*)\Z")


def square_name(square: Square) -> str:
    """``(4,10)`` as ``d10``; the files after ``z`` are ``aa``, ``ab``, …"""
    file, rank = square
    letters = ""
    while file > 0:
        file, letter = divmod(file - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return f"{letters}{rank}"


def parse_square(text: str) -> Square | None:
    """The inverse of ``square_name``; None if the text is no square's name."""
    match = _SQUARE.match(text)
    if not match or len(text) > 9:
        return None
    file = 0
    for letter in match[1]:
        file = file * 26 + ord(letter) - ord("a") + 1
    return file, int(match[2])


def _cell(fluent: str) -> tuple[Square, str] | None:
    """The square and the content of a fluent ``cell(X,Y,Content)``; None for any other."""
    match = _CELL.match(fluent)
    return ((int(match[1]), int(match[2])), match[3]) if match else None


@dataclass(frozen=True)
class SizeConstant:
    """A constant that sets the board's width or height."""

    name: str
    allowed: tuple[str, ...] | None
    """The values that make sense; None where the encoding doesn't say."""

    @staticmethod
    def of(found: Mapping[str, Any]) -> SizeConstant:
        """One from its fields as JSON has them."""
        allowed = found["allowed"]
        return SizeConstant(found["name"], None if allowed is None else tuple(allowed))

    def allows(self, size: int) -> bool:
        """Whether the board can be so wide, or so high."""
        return self.allowed is None or str(size) in self.allowed


@dataclass(frozen=True)
class Board:
    """Size, squares and glyphs of a board, and the fields that follow it in a FEN."""

    width: int
    height: int
    holes: frozenset[Square]
    glyphs: Mapping[str, str]
    """What can stand on a square, and the one character that shows it."""
    empty: tuple[str, ...]
    """Contents that say of a square that nothing stands on it; a FEN has the first of them."""
    placed: Mapping[str, tuple[Square, str]]
    """The fluents that say what stands where, if they aren't those called ``cell(X,Y,C)``."""
    pictures: Mapping[str, str]
    """What can stand on a square, and the shape that shows it in pictures."""
    marks: Mapping[str, tuple[Square, ...]]
    """Fluents that speak of squares, and the squares that pictures mark for them."""
    fields: Mapping[int, Mapping[str, str]]
    """The FEN fields after the board, in order: the fluents each can state, by their texts."""
    ignored: tuple[str, ...]
    """Forms of FEN fields that carry nothing here, such as ``- - 0 1``."""
    constants: tuple[SizeConstant, SizeConstant] | None
    """The constants that are the board's width and height."""

    @staticmethod
    def of(found: Mapping[str, Any]) -> Board:
        """A board from its fields as JSON has them."""
        sizes = found["constants"]
        return Board(
            width=found["width"],
            height=found["height"],
            holes=frozenset((x, y) for x, y in found["holes"]),
            glyphs=found["glyphs"],
            empty=tuple(found["empty"]),
            placed={f: ((x, y), content) for f, ((x, y), content) in found["placed"].items()},
            pictures=found["pictures"],
            marks={f: tuple((x, y) for x, y in squares) for f, squares in found["marks"].items()},
            fields={int(number): texts for number, texts in found["fields"].items()},
            ignored=tuple(found["ignored"]),
            constants=sizes and (SizeConstant.of(sizes[0]), SizeConstant.of(sizes[1])),
        )

    @cached_property
    def contents(self) -> Mapping[str, str]:
        """The inverse of ``glyphs``."""
        return {glyph: content for content, glyph in self.glyphs.items()}

    @cached_property
    def field_texts(self) -> Mapping[str, tuple[int, str]]:
        """The field and the text that state a fluent."""
        return {
            fluent: (number, text)
            for number, texts in self.fields.items()
            for text, fluent in texts.items()
        }

    def placement(self, fluent: str) -> tuple[Square, str] | None:
        """The square and the content that a fluent speaks of; None if it speaks of none."""
        return self.placed.get(fluent) if self.placed else _cell(fluent)

    def piece(self, fluent: str) -> tuple[Square, str] | None:
        """The same for what stands on a square, and None where a fluent says that nothing does."""
        found = self.placement(fluent)
        return None if found is None or found[1] in self.empty else found

    def fluent(self, square: Square, content: str) -> str:
        """The fluent that says of a square what stands there. Raises ``BadPosition``."""
        if not self.placed:
            return f"cell({square[0]},{square[1]},{content})"
        if (square, content) not in self._fluents:
            raise BadPosition(f"no fluent of the game says that {content} is on a square")
        return self._fluents[square, content]

    def pieces_on(self, square: Square) -> Iterator[str]:
        """The fluents that say that something stands on a square."""
        for content in self.glyphs:
            if not self.placed or (square, content) in self._fluents:
                yield self.fluent(square, content)

    def with_blanks(self, facts: Iterable[str]) -> list[str]:
        """Facts with what says, where the game has a word for it, that the other squares are empty.

        What is said of empty squares already counts nothing.
        """
        kept = [fact for fact in facts if self.piece(fact) or not self.placement(fact)]
        taken = {found[0] for fact in kept if (found := self.piece(fact))}
        return kept + [fluent for square, fluent in self._blanks.items() if square not in taken]

    @cached_property
    def _blanks(self) -> Mapping[Square, str]:
        """What says of each square that it is empty; nothing where the game has no word for it."""
        if not self.empty:
            return {}
        nothing = self.empty[0]
        if self.placed:
            return {square: fluent for (square, c), fluent in self._fluents.items() if c == nothing}
        squares = ((x, y) for x in range(1, self.width + 1) for y in range(1, self.height + 1))
        return {s: self.fluent(s, nothing) for s in squares if s not in self.holes}

    @cached_property
    def _fluents(self) -> Mapping[tuple[Square, str], str]:
        return {placed: fluent for fluent, placed in self.placed.items()}

    def has(self, square: Square) -> bool:
        """Whether the square lies within the board's edges (off limits or not)."""
        return 1 <= square[0] <= self.width and 1 <= square[1] <= self.height

    @property
    def size(self) -> str:
        """The size as people say it."""
        return f"{self.width} wide and {self.height} high"


@dataclass(frozen=True)
class Vocabulary:
    """What can be said in a game without asking for any state."""

    title: str
    roles: tuple[str, ...]
    initial: tuple[str, ...]
    """The fluents of the initial state, sorted."""
    base: frozenset[str]
    """Every fluent that a position may hold; empty if the encoding doesn't say."""
    notation: Mapping[str, str]
    """How the moves of a name are written: ``@`` stands for a square (two arguments), ``x`` for
    ``x`` before an occupied square and ``-`` before an empty one; the rest stands for itself."""
    colours: Mapping[str, str]
    """The colours that roles have in pictures, as far as the encoding says."""
    in_words: Mapping[str, str]
    """Fluents, and how they are said in words."""
    kif_names: Mapping[str, str]
    """Names that KIF has for others: what the sheet had for those that encodings can't have."""
    board: Board | None

    @staticmethod
    def of(found: Mapping[str, Any]) -> Vocabulary:
        """A vocabulary from its fields as JSON has them."""
        board = found["board"]
        return Vocabulary(
            title=found["title"],
            roles=tuple(found["roles"]),
            initial=tuple(found["initial"]),
            base=frozenset(found["base"]),
            notation=found["notation"],
            colours=found["colours"],
            in_words=found["in_words"],
            kif_names=found["kif_names"],
            board=None if board is None else Board.of(board),
        )

    def owner(self, content: str) -> str | None:
        """The role that what stands on a square belongs to: the one that its term names."""
        words = re.findall(r"\w+", content)
        return next((role for role in self.roles if role in words), None)

    def beside(self, facts: Iterable[str]) -> list[str]:
        """The facts that a board doesn't show, but for the side on move."""
        if not self.board:
            return list(facts)
        shown = set(self.board.fields.get(1, {}).values())
        placed = self.board.placement
        return [fact for fact in facts if fact not in shown and not placed(fact)]

    def placement(self, fluent: str) -> tuple[Square, str] | None:
        """The square and the content that a fluent speaks of; None if it speaks of none."""
        return self.board.placement(fluent) if self.board else _cell(fluent)

    def piece(self, fluent: str) -> tuple[Square, str] | None:
        """The square and what stands there, if that is what a fluent says."""
        return self.board.piece(fluent) if self.board else _cell(fluent)

    def with_blanks(self, facts: Iterable[str]) -> list[str]:
        """Facts with what says that the other squares are empty: see ``Board.with_blanks``."""
        return self.board.with_blanks(facts) if self.board else list(facts)

    def content(self, fluent: str) -> str | None:
        """What a fluent puts on a square; None if it puts nothing anywhere."""
        found = self.piece(fluent)
        return found[1] if found else None
