"""What an encoding says of its board, and of how positions and moves are written.

The predicates (``#program board``) are described in ``encodings/README.md``. A game without a board
has no FEN, and its moves are written as terms.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import clingo

from .encoding import Constants, Encoding
from .errors import RulesError
from .grounding import Query, Signature

Square = tuple[int, int]

_VOCABULARY: tuple[Signature, ...] = (
    ("role", 1),
    ("init", 1),
    ("title", 1),
    ("board", 2),
    ("hole", 2),
    ("glyph", 2),
    ("picture", 2),
    ("colour", 2),
    ("marked", 3),
    ("base", 1),
    ("fen_field", 3),
    ("fen_ignored", 1),
    ("notation", 2),
    ("board_constants", 2),
)

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


def placement(fluent: str) -> tuple[Square, str] | None:
    """The square and the content of a fluent ``cell(X,Y,Content)``; None for any other."""
    match = _CELL.match(fluent)
    return ((int(match[1]), int(match[2])), match[3]) if match else None


@dataclass(frozen=True)
class SizeConstant:
    """A constant that sets the board's width or height."""

    name: str
    allowed: tuple[str, ...] | None
    """The values that make sense; None where the encoding doesn't say."""

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
    board: Board | None

    def owner(self, content: str) -> str | None:
        """The role that what stands on a square belongs to: the one that its term names."""
        words = re.findall(r"\w+", content)
        return next((role for role in self.roles if role in words), None)

    def beside(self, facts: Iterable[str]) -> list[str]:
        """The facts that a board doesn't show, but for the side on move."""
        if not self.board:
            return list(facts)
        shown = set(self.board.fields.get(1, {}).values())
        return [fact for fact in facts if fact not in shown and not placement(fact)]


def allowed_values(encoding: Encoding) -> Mapping[str, tuple[str, ...]]:
    """The values that the encoding allows for its constants, by name; a name may be missing."""
    query = Query(encoding.statements("board"), encoding.constants, [("allowed", 2)])
    allowed: dict[str, list[clingo.Symbol]] = {}
    for symbol in query()["allowed", 2]:
        name, value = symbol.arguments
        allowed.setdefault(text_of(name), []).append(value)
    return {name: tuple(str(value) for value in sorted(v)) for name, v in allowed.items()}


def read_vocabulary(encoding: Encoding, constants: Constants) -> Vocabulary:
    """Ground what the encoding says of its board, its roles and its initial state."""
    try:
        return _vocabulary(encoding, constants)
    except RuntimeError:  # clingo's, for a number that is none
        raise RulesError(
            f"{encoding.reference}: board/2, hole/2, marked/3 and fen_field/3 need numbers where "
            "the board has numbers"
        ) from None


def _vocabulary(encoding: Encoding, constants: Constants) -> Vocabulary:
    atoms = Query(encoding.statements("base", "board"), constants, _VOCABULARY)()

    def rows(name: str, arity: int) -> list[list[clingo.Symbol]]:
        return [symbol.arguments for symbol in sorted(atoms[name, arity])]

    def size_constant(name: clingo.Symbol) -> SizeConstant:
        return SizeConstant(text_of(name), allowed.get(text_of(name)))

    allowed = allowed_values(encoding)
    fields: dict[int, dict[str, str]] = {}
    for number, text, fluent in rows("fen_field", 3):
        fields.setdefault(number.number, {})[text_of(text)] = str(fluent)
    marks: dict[str, tuple[Square, ...]] = {}
    for fluent, x, y in rows("marked", 3):
        marks[str(fluent)] = (*marks.get(str(fluent), ()), (x.number, y.number))
    sizes = rows("board", 2)
    named = rows("board_constants", 2)
    titles = rows("title", 1)
    board = (
        Board(
            width=sizes[0][0].number,
            height=sizes[0][1].number,
            holes=frozenset((x.number, y.number) for x, y in rows("hole", 2)),
            glyphs={str(content): text_of(glyph) for content, glyph in rows("glyph", 2)},
            pictures={str(content): text_of(shape) for content, shape in rows("picture", 2)},
            marks=marks,
            fields=fields,
            ignored=tuple(text_of(form) for (form,) in rows("fen_ignored", 1)),
            constants=(size_constant(named[0][0]), size_constant(named[0][1])) if named else None,
        )
        if sizes
        else None
    )
    return Vocabulary(
        title=text_of(titles[0][0]) if titles else encoding.name,
        roles=tuple(str(symbol.arguments[0]) for symbol in atoms["role", 1]),
        initial=tuple(sorted(str(fluent) for (fluent,) in rows("init", 1))),
        base=frozenset(str(fluent) for (fluent,) in rows("base", 1)),
        notation={str(name): text_of(form) for name, form in rows("notation", 2)},
        colours={str(role): text_of(colour) for role, colour in rows("colour", 2)},
        board=board,
    )


def text_of(symbol: clingo.Symbol) -> str:
    """A term as people read it: strings without quotes, pairs of numbers as squares."""
    if symbol.type is clingo.SymbolType.String:
        return symbol.string
    if symbol.type is clingo.SymbolType.Function and not symbol.name:
        parts = symbol.arguments
        if len(parts) == 2 and all(p.type is clingo.SymbolType.Number for p in parts):
            return square_name((parts[0].number, parts[1].number))
    return str(symbol)


def sentence(atom: clingo.Symbol) -> str:
    """The sentence of an atom such as ``refused(S,A)``: each ``{}`` in ``S`` is one of a tuple.

    The two stand last in the atom. Raises ``RulesError`` if they don't fit.
    """
    form, arguments = atom.arguments[-2:]
    try:
        return form.string.format(*map(text_of, arguments.arguments))
    except (RuntimeError, LookupError, ValueError):
        raise RulesError(
            f"{atom} of the encoding is no sentence with a tuple of arguments"
        ) from None
