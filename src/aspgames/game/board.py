"""The board, and the form of positions and moves, as an encoding defines them.

``encodings/README.md`` describes the predicates (``#program board``). A game without a board has no
FEN, and its moves are written as terms.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from ..runtime.errors import BadPosition
from .rule_names import RuleNames

Square = tuple[int, int]

_CELL = re.compile(r"cell\((-?\d+),(-?\d+),(.+)\)\Z", re.DOTALL)
_NO_LETTERS = "0123456789/#( "  # they mean something else in a FEN
_MOST_LETTERS = 1 << 16  # fluents, each with its letter in a FEN
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
    """The square with a name; None if the text isn't the name of a square."""
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


def _sorted(letters: Iterable[str]) -> str:
    return "".join(sorted(letters))


@dataclass(frozen=True)
class SizeConstant:
    """A constant that sets the board's width or height."""

    name: str
    allowed: tuple[str, ...] | None
    """The valid values; None if the encoding doesn't list them."""

    def allows(self, size: int) -> bool:
        """Whether the board can have this width, or height."""
        return self.allowed is None or str(size) in self.allowed


@dataclass(frozen=True)
class BoardLayout:
    """How pictures show squares, as the encoding defines it."""

    shape: str
    """The shape of squares: a value of ``cell_shape/1``."""
    at: tuple[tuple[Square, Square], ...]
    """Squares with their places, in hundredths of a square; empty for files and ranks."""
    lines: tuple[tuple[Square, Square], ...]
    """Lines between squares. A line from a square to itself is a dot."""
    borders: tuple[tuple[str, Square, Square], ...]
    """Edges in the colour of a role: the square, and the place beyond its edge."""


@dataclass(frozen=True)
class Board:
    """Size, squares and glyphs of a board, and the fields that follow it in a FEN."""

    width: int
    height: int
    holes: frozenset[Square]
    glyphs: Mapping[str, str]
    """The contents of squares, each with the character that shows it."""
    empty: tuple[str, ...]
    """Contents that mean an empty square; a FEN has the first of them."""
    placed: Mapping[str, tuple[Square, str]]
    """The fluents that place contents on squares; empty if these are ``cell(X,Y,C)``."""
    pictures: Mapping[str, str]
    """The contents of squares, each with its shape in pictures."""
    labels: Mapping[str, str]
    """The contents of squares, each with its text in pictures, where it isn't the glyph."""
    layout: BoardLayout
    marks: Mapping[str, tuple[Square, ...]]
    """Fluents, each with the squares that pictures mark when it holds."""
    fields: Mapping[int, Mapping[str, str]]
    """The FEN fields after the board by their numbers: each text with its fluent."""
    ignored: tuple[str, ...]
    """Forms of FEN fields that are ignored, such as ``- - 0 1``."""
    aliases: Mapping[int, Mapping[str, str]]
    """Other texts of FEN fields by their numbers (0: the board), each with the text it means."""
    any_order: frozenset[int]
    """The FEN fields whose letters may stand in any order."""
    forms: Mapping[int, str]
    """What FEN fields must be, in words, where the encoding says so."""
    numbered: tuple[tuple[int, Square], ...]
    """The numbers of squares in lists of pieces; empty where positions are FENs."""
    listed: Mapping[str, tuple[str, str]]
    """The contents in such lists, each with the letter of its side and its prefix."""
    constants: tuple[SizeConstant, SizeConstant] | None
    """The constants for width and height."""
    first_rank: str
    """Where rank 1 is: at the ``top``, as in Othello, or at the ``bottom``, as in chess."""

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        """The ranks from top to bottom, as FENs, boards and pictures show them."""
        upwards = range(1, self.height + 1)
        return tuple(upwards if self.first_rank == "top" else reversed(upwards))

    @cached_property
    def rows(self) -> Mapping[int, int]:
        """The ranks, each with the number of ranks above it."""
        return {rank: row for row, rank in enumerate(self.ranks)}

    @cached_property
    def contents(self) -> Mapping[str, str]:
        """The contents by their glyphs, where a FEN can show both: one character, one meaning."""
        found = Counter(self.glyphs.values())
        return {
            glyph: content
            for content, glyph in self.glyphs.items()
            if found[glyph] == 1 and len(glyph) == 1 and glyph not in _NO_LETTERS
        }

    @cached_property
    def numbers(self) -> Mapping[Square, int]:
        """The numbers of squares in lists of pieces."""
        return {square: number for number, square in self.numbered}

    @cached_property
    def by_coordinates(self) -> Mapping[tuple[str, str], Square]:
        """The squares by the first two arguments of their fluents."""
        if not self.placed:
            return {(str(x), str(y)): (x, y) for x, y in self.squares}
        named = (
            (re.findall(r"\w+", fluent), square) for fluent, (square, _) in self.placed.items()
        )
        return {(words[1], words[2]): square for words, square in named}

    @property
    def squares(self) -> Iterator[Square]:
        """The squares within the edges, column by column."""
        return product(range(1, self.width + 1), range(1, self.height + 1))

    @cached_property
    def field_texts(self) -> Mapping[str, tuple[int, str]]:
        """The number of the field and the text for each fluent that the text tells from others."""
        return {
            fluent: (number, text)
            for number, texts in self.fields.items()
            for text, fluent in texts.items()
            if not any(self._runs_on(number, text, longer) for longer in texts)
        }

    def spelled(self, number: int, text: str) -> str:
        """A text of a FEN field (0: of the board) as the encoding spells it."""
        aliases = self.aliases.get(number, {})
        if number in self.any_order:
            return self._by_letters[number].get(_sorted(aliases.get(c, c) for c in text), text)
        if number:
            return aliases.get(text, text)
        for alias, meant in aliases.items():
            text = text.replace(alias, meant)
        return text

    @cached_property
    def _by_letters(self) -> Mapping[int, Mapping[str, str]]:
        fields = self.fields
        return {n: {_sorted(text): text for text in fields.get(n, {})} for n in self.any_order}

    def form(self, number: int) -> str:
        """What a FEN field must be, in words."""
        texts = sorted({*self.fields[number], *self.aliases.get(number, {})})
        numbers = sorted(int(text) for text in texts if text.isdecimal())
        if number in self.forms:
            return self.forms[number]
        if len(numbers) == len(texts) > 2:
            return f"a number from {numbers[0]} to {numbers[-1]}"
        return f"one of {', '.join(texts[:8])}{', …' if len(texts) > 8 else ''}"

    def _runs_on(self, number: int, text: str, longer: str) -> bool:
        """Whether a field's text and the next field's may be read as one longer text."""
        more = longer.split()[len(text.split()) :]
        following = min((other for other in self.fields if other > number), default=None)
        return (
            bool(more and following)
            and longer.split()[: -len(more)] == text.split()
            and any(other.split()[:1] == more[:1] for other in self.fields[following or 0])
        )

    def letter(self, fluent: str) -> tuple[Square, str] | None:
        """The square and the letter by which a FEN shows a fluent; None if it can't.

        A blank stands for an empty square.
        """
        known = self._letters
        if fluent not in known:
            if len(known) > _MOST_LETTERS:
                known.clear()
            known[fluent] = self._letter_of(fluent)
        return known[fluent]

    @cached_property
    def _letters(self) -> dict[str, tuple[Square, str] | None]:
        return {}

    def _letter_of(self, fluent: str) -> tuple[Square, str] | None:
        square, content = self.placement(fluent) or ((0, 0), "")
        glyph = " " if content in self.empty[:1] else self.glyphs.get(content, "")
        shown = self.has(square) and square not in self.holes
        if not shown or (glyph != " " and glyph not in self.contents):
            return None
        return (square, glyph) if self.fluent(square, content) == fluent else None

    def placement(self, fluent: str) -> tuple[Square, str] | None:
        """The square and the content of a fluent; None if it is about no square."""
        return self.placed.get(fluent) if self.placed else _cell(fluent)

    def piece(self, fluent: str) -> tuple[Square, str] | None:
        """The square and the piece of a fluent; None if it places no piece."""
        found = self.placement(fluent)
        return None if found is None or found[1] in self.empty else found

    def fluent(self, square: Square, content: str) -> str:
        """The fluent that places a content on a square. Raises ``BadPosition`` if it is missing."""
        if not self.placed:
            return f"cell({square[0]},{square[1]},{content})"
        if (square, content) not in self._fluents:
            raise BadPosition(f"no fluent of the game says that {content} is on a square")
        return self._fluents[square, content]

    def pieces_on(self, square: Square) -> Iterator[str]:
        """The fluents that place a piece on a square."""
        for content in self.glyphs:
            if not self.placed or (square, content) in self._fluents:
                yield self.fluent(square, content)

    def with_blanks(self, facts: Iterable[str]) -> list[str]:
        """Facts with the fluents for all empty squares, if the game has such fluents.

        Fluents for empty squares among the facts are dropped.
        """
        kept = [fact for fact in facts if self.piece(fact) or not self.placement(fact)]
        taken = {found[0] for fact in kept if (found := self.piece(fact))}
        return kept + [fluent for square, fluent in self._blanks.items() if square not in taken]

    @cached_property
    def _blanks(self) -> Mapping[Square, str]:
        """The fluent for each square when it is empty; none if the game has no such fluents."""
        if not self.empty:
            return {}
        nothing = self.empty[0]
        if self.placed:
            return {square: fluent for (square, c), fluent in self._fluents.items() if c == nothing}
        return {s: self.fluent(s, nothing) for s in self.squares if s not in self.holes}

    @cached_property
    def _fluents(self) -> Mapping[tuple[Square, str], str]:
        return {placed: fluent for fluent, placed in self.placed.items()}

    def has(self, square: Square) -> bool:
        """Whether the square lies within the board's edges (off limits or not)."""
        return 1 <= square[0] <= self.width and 1 <= square[1] <= self.height

    @property
    def size(self) -> str:
        """The size in words."""
        return f"{self.width} wide and {self.height} high"


@dataclass(frozen=True)
class Vocabulary(RuleNames):
    """The names in a game's rules, and its words: forms of moves, the board."""

    title: str
    notation: Mapping[str, str]
    """The form of the moves with a name, as ``encodings/README.md`` describes it."""
    letters: Mapping[str, str]
    """The contents with a letter in short moves, such as ``N`` in ``Nf3``; it may be empty."""
    move_names: Mapping[str, tuple[tuple[str, str], ...]]
    """Texts such as ``O-O``, each with its moves and the content that makes each of them."""
    owners: Mapping[str, str]
    """The owners of contents, where the encoding gives them."""
    colours: Mapping[str, str]
    """The colours of roles in pictures, where the encoding gives them."""
    in_words: Mapping[str, str]
    """Fluents, each with its phrase."""
    kif_names: Mapping[str, str]
    """Names of terms, each with the sheet's symbol, where the two differ."""
    formats: Mapping[str, tuple[str, ...]]
    """Formats of files that know the game, each with the game's names there."""
    payoffs: Mapping[int, int]
    """Goal values, each with what it is worth to a player where that isn't the value itself."""
    board: Board | None

    def owner(self, content: str) -> str | None:
        """The owner of a content: by the encoding, or else the role that its term names."""
        words = re.findall(r"\w+", content)
        named = next((role for role in self.roles if role in words), None)
        return self.owners.get(content, named)

    def beside(self, facts: Iterable[str]) -> list[str]:
        """The facts that the board doesn't show, without the side on move."""
        if not self.board:
            return list(facts)
        shown = set(self.board.fields.get(1, {}).values())
        placed = self.board.placement
        return [fact for fact in facts if fact not in shown and not placed(fact)]

    def placement(self, fluent: str) -> tuple[Square, str] | None:
        """The square and the content of a fluent; None if it is about no square."""
        return self.board.placement(fluent) if self.board else _cell(fluent)

    def piece(self, fluent: str) -> tuple[Square, str] | None:
        """The square and the piece of a fluent; None if it places no piece."""
        return self.board.piece(fluent) if self.board else _cell(fluent)

    def with_blanks(self, facts: Iterable[str]) -> list[str]:
        """The facts, with blanks on empty squares if the encoding has a word for them."""
        return self.board.with_blanks(facts) if self.board else list(facts)

    def content(self, fluent: str) -> str | None:
        """The piece that a fluent places; None if it places none."""
        found = self.piece(fluent)
        return found[1] if found else None
