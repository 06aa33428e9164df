"""Formats many rows of a net as position texts, without making states.

Each rank and each field of a FEN is formatted once for all rows with equal bits. A position without
a FEN is written as facts, eight fluents at a time.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ...game.board import Board
from ...game.game import Game
from ...game.notation.fen import format_rank
from ...game.notation.joint_moves import format_ply
from ...game.notation.move_text import capture_square, format_move, named_squares
from ...game.notation.piece_list import format_list
from ...propnet.gate_tables import Tables, places_of
from ...propnet.lanes import Ints, Rows
from ...runtime.errors import LimitReached, RulesError
from .columns import arrow

_MOST_KEPT = 1 << 20  # texts
NONE = -1
"""Marks a role whose move is not part of the ply's text."""


class Texts:
    """Texts of rows of bytes, with a cache."""

    def __init__(self, text: Callable[[bytes], str | None]) -> None:
        self._text = text
        self._known: dict[bytes, str | None] = {}

    def of(self, rows: npt.NDArray[Any]) -> Any:
        """The text of each row, as an Arrow array."""
        pa = arrow()
        numbers, values = distinct(rows)
        if len(self._known) > _MOST_KEPT:
            self._known.clear()
        known, text = self._known, self._text
        for value in values:
            if value not in known:
                known[value] = text(value)
        return pa.array([known[value] for value in values], pa.string()).take(numbers)


def distinct(rows: npt.NDArray[Any]) -> tuple[Any, list[bytes]]:
    """Number the distinct rows by first occurrence; returns each row's number, and the rows."""
    pa = arrow()
    rows = np.ascontiguousarray(rows)
    width = rows.dtype.itemsize * (rows.shape[1] if rows.ndim > 1 else 1)
    if width == 0 or not len(rows):
        return pa.array(np.zeros(len(rows), np.int32)), [b""]
    if width == 8:  # Arrow encodes numbers faster
        found = pa.array(rows.view(np.int64).reshape(-1)).dictionary_encode()
        values = found.dictionary.to_numpy()
        return found.indices, [value.tobytes() for value in values]
    buffers = [None, pa.py_buffer(rows)]
    found = pa.FixedSizeBinaryArray.from_buffers(
        pa.binary(width), len(rows), buffers
    ).dictionary_encode()
    return found.indices, found.dictionary.to_pylist()


class MoveTexts:
    """Formats the moves played in states of a net, in the form of records."""

    def __init__(self, game: Game, tables: Tables) -> None:
        self._forms = game.vocabulary.notation
        self._board = game.board
        self._tables, self._names = tables, tables.names
        self._masks: dict[int, npt.NDArray[np.uint64] | None] = {}
        self._texts = Texts(lambda row: self._text(row, True))
        self._terms = Texts(lambda row: self._text(row, False))

    def of(self, rows: Rows, moves: Ints) -> tuple[Any, Any]:
        """The texts and terms of the moves in some states; ``moves`` has the shape ``(n, roles)``.

        A state whose moves are all ``NONE`` has no text.
        """
        coded = np.where(moves == NONE, NONE, 2 * moves)
        for role in range(moves.shape[1]):
            coded[:, role] += self._to_occupied(rows, moves[:, role])
        return self._texts.of(coded.astype(np.int32)), self._terms.of(moves)

    def _to_occupied(self, rows: Rows, moves: Ints) -> npt.NDArray[np.bool_]:
        """Whether each move's target square is occupied, if its text depends on that."""
        distinct, numbers = np.unique(moves, return_inverse=True)
        masks = np.zeros((len(distinct), rows.shape[1]), np.uint64)
        always = np.zeros(len(distinct), np.bool_)
        for place, move in enumerate(distinct.tolist()):
            if move not in self._masks:
                self._masks[move] = self._mask(move)
            mask = self._masks[move]
            if mask is None:
                always[place] = True
            else:
                masks[place] = mask
        if not masks.any() and not always.any():
            return np.zeros(len(moves), np.bool_)
        found: npt.NDArray[np.bool_] = (rows & masks[numbers]).any(axis=1) | always[numbers]
        return found

    def _mask(self, move: int) -> npt.NDArray[np.uint64] | None:
        """The fluents that occupy a move's target square; None if it is always occupied."""
        mask = np.zeros(self._tables.row_bytes // 8, np.uint64)
        square = None if move == NONE else capture_square(self._forms, self._names.terms[move])
        if square is None or self._board is None:
            return mask
        for fluent in self._board.pieces_on(square):
            if fluent in self._names.certain:
                return None
            bit = self._tables.fluent_bits.get(fluent, 0)
            mask |= np.frombuffer(bit.to_bytes(self._tables.row_bytes, "little"), np.uint64)
        return mask

    def _text(self, row: bytes, is_text: bool) -> str | None:
        """The text or term of one row of moves."""
        joint = {}
        numbers: list[int] = np.frombuffer(row, np.int32).tolist()
        for role, number in zip(self._names.roles, numbers, strict=True):
            if number == NONE:
                continue
            term = self._names.terms[number >> 1 if is_text else number]
            if is_text:
                occupied = named_squares(self._forms, term) if number & 1 else ()
                term = format_move(self._forms, term, occupied)
            joint[role] = term
        return format_ply(joint, list(joint)) if joint else None


class Numbers:
    """The numbers of moves in ``game.moves``."""

    def __init__(self, game: Game) -> None:
        self._known: Mapping[tuple[str, str], int] = {}
        try:
            moves = game.moves
            self._known = {(move.role, move.term): number for number, move in enumerate(moves)}
        except (RulesError, LimitReached):  # the game has no numbered moves
            pass

    def of(self, role: str, term: str) -> int:
        """The number of a move; ``NONE`` without a number."""
        return self._known.get((role, term), NONE)

    def of_net(self, names: Any) -> Ints:
        """The game's number of each move of a net."""
        bounds: Sequence[int] = names.bounds
        found = np.full(len(names.terms) + 1, NONE, np.int32)  # index -1 (``NONE``) stays ``NONE``
        for role, first, end in zip(names.roles, bounds[::2], bounds[1::2], strict=True):
            found[first:end] = [self.of(role, term) for term in names.terms[first:end]]
        return found


class PositionTexts:
    """Formats rows of a net; the texts are those of ``columns.text_of``."""

    def __init__(self, board: Board | None, tables: Tables) -> None:
        self._facts = _Facts(tables)
        self._lists = board if board and board.numbers else None
        self._fen = _Fen(board, tables) if board and not board.numbers else None

    def of(self, rows: Rows) -> Any:
        """The text of each row."""
        pa, pc = arrow(), arrow("pyarrow.compute")
        if self._lists is not None:
            texts = self._facts.of(rows).to_pylist()
            return pa.array(format_list(self._lists, text.split(" ")) or text for text in texts)
        if self._fen is None or (found := self._fen.of(rows)) is None:
            return self._facts.of(rows)
        if found.null_count:
            open_ = pc.is_null(found)
            missing = np.flatnonzero(open_.to_numpy(zero_copy_only=False))
            found = pc.replace_with_mask(found, open_, self._facts.of(rows[missing]))
        return found.cast(pa.string())


class _FluentGroup:
    """A group of fluents; a text depends only on those that hold."""

    def __init__(self, tables: Tables, fluents: Sequence[str]) -> None:
        names = tables.names
        numbers = {fluent: number for number, fluent in enumerate(names.fluents)}
        self.certain = [fluent for fluent in fluents if fluent not in numbers]
        self.numbers = sorted(numbers[fluent] for fluent in fluents if fluent in numbers)
        mask = np.zeros(tables.row_bytes // 8, np.uint64)
        for number in self.numbers:
            mask[number >> 6] |= np.uint64(1 << (number & 63))
        self._words = np.flatnonzero(mask)
        self._mask = mask[self._words]
        places = {int(word): place for place, word in enumerate(self._words)}
        self._fluents = {
            64 * places[number >> 6] + (number & 63): names.fluents[number]
            for number in self.numbers
        }

    def bits(self, rows: Rows) -> Rows:
        """The group's bits of each row, in only the words that contain any."""
        found: Rows = rows[:, self._words] & self._mask
        return found

    def holding(self, bits: bytes) -> list[str]:
        """The fluents that hold, sorted, from one row of ``bits``."""
        held = self.certain + [self._fluents[place] for place in places_of(bits)]
        return sorted(held) if self.certain else held


class _Fen:
    """Formats FENs, equal to those of ``format_fen``."""

    def __init__(self, board: Board, tables: Tables) -> None:
        names = tables.names
        self._board = board
        ranks: dict[int, list[str]] = {}
        fields: dict[int, list[str]] = {}
        outside = []
        for fluent in (*names.fluents, *names.certain):
            if shown := board.letter(fluent):
                ranks.setdefault(shown[0][1], []).append(fluent)
            elif fluent in board.field_texts:
                fields.setdefault(board.field_texts[fluent][0], []).append(fluent)
            else:
                outside.append(fluent)
        self._never = not set(outside).isdisjoint(names.certain)
        self._outside = _FluentGroup(tables, outside)
        self._ranks = [self._rank(_FluentGroup(tables, ranks.get(y, [])), y) for y in board.ranks]
        self._fields = [
            self._field(_FluentGroup(tables, fields.get(number, [])))
            for number in sorted(board.fields)
        ]

    def _rank(self, part: _FluentGroup, y: int) -> tuple[_FluentGroup, Texts]:
        def text(bits: bytes) -> str | None:
            shown = filter(None, map(self._board.letter, part.holding(bits)))
            return format_rank(self._board, y, [(x, glyph) for (x, _), glyph in shown])

        return part, Texts(text)

    def _field(self, part: _FluentGroup) -> tuple[_FluentGroup, Texts]:
        def text(bits: bytes) -> str | None:
            facts = part.holding(bits)
            if len(facts) > 1:
                return None  # a field shows one fluent
            return f" {self._board.field_texts[facts[0]][1]}" if facts else ""

        return part, Texts(text)

    def of(self, rows: Rows) -> Any:
        """The FEN of each row, null without a FEN; None if no row has a FEN."""
        if self._never:
            return None
        pc, pa = arrow("pyarrow.compute"), arrow()
        ranks = [texts.of(part.bits(rows)) for part, texts in self._ranks]
        fields = [texts.of(part.bits(rows)) for part, texts in self._fields]
        found = pc.binary_join_element_wise(*ranks, "/")
        good = ~self._outside.bits(rows).any(axis=1)
        there = np.ones(len(rows), bool)
        for part, _ in self._fields:
            holds = part.bits(rows).any(axis=1) | bool(part.certain)
            good &= there | ~holds  # no field is missing before another
            there &= holds
        if fields:
            found = pc.binary_join_element_wise(found, *fields, "")
        if not good.all():
            found = pc.if_else(pa.array(good), found, pa.scalar(None, pa.string()))
        return found


class _Facts:
    def __init__(self, tables: Tables) -> None:
        pa, names = arrow(), tables.names
        self._tables = []
        for byte, (fluents, certain) in enumerate(_by_bytes(names.fluents, names.certain)):
            texts = []
            for bits in range(1 << len(fluents)):
                held = [fluent for place, fluent in enumerate(fluents) if bits >> place & 1]
                texts.append("".join(f"{fact} " for fact in sorted([*held, *certain])))
            self._tables.append((byte, pa.array(texts, pa.string())))

    def of(self, rows: Rows) -> Any:
        pa, pc = arrow(), arrow("pyarrow.compute")
        packed: npt.NDArray[np.uint8] = np.ascontiguousarray(rows).view(np.uint8)
        packed = packed.reshape(len(rows), -1)
        if not packed.shape[1]:  # a game without fluents that change
            packed = np.zeros((len(rows), 1), np.uint8)
        parts = [texts.take(pa.array(packed[:, byte])) for byte, texts in self._tables]
        return pc.ascii_rtrim(pc.binary_join_element_wise(*parts, ""), " ")


def _by_bytes(
    fluents: Sequence[str], certain: Sequence[str]
) -> Iterator[tuple[Sequence[str], list[str]]]:
    """The fluents of each byte of a row, with the certain ones sorted before the next byte's."""
    left = sorted(certain)
    for first in range(0, max(1, len(fluents)), 8):
        here, following = fluents[first : first + 8], fluents[first + 8 : first + 9]
        among = [fact for fact in left if not following or fact < following[0]]
        left = left[len(among) :]
        yield here, among
