"""Formats many rows of a net as position texts, without making states.

Each rank and each field of a FEN is formatted once for all rows with equal bits. A position without
a FEN is written as facts, eight fluents at a time.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ...game.board import Board
from ...game.notation.fen import format_rank
from ...propnet.gate_tables import Tables
from ...propnet.lanes import Rows
from .columns import arrow
from .move_columns import Texts


class PositionTexts:
    """Formats rows of a net; the texts are those of ``columns.text_of``."""

    def __init__(self, board: Board | None, tables: Tables) -> None:
        self._facts = _Facts(tables)
        self._fen = _Fen(board, tables) if board else None

    def of(self, rows: Rows) -> Any:
        """The text of each row."""
        pa, pc = arrow(), arrow("pyarrow.compute")
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
        left, held = int.from_bytes(bits, "little"), self.certain.copy()
        while left:
            low = left & -left
            held.append(self._fluents[low.bit_length() - 1])
            left ^= low
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
        self._ranks = [
            self._rank(_FluentGroup(tables, ranks.get(y, [])), y)
            for y in range(board.height, 0, -1)
        ]
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
