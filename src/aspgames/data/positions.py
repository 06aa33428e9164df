"""Positions of a net's rows as texts, many at a time: no state is made for it.

What stands on a rank of the board is written once for all rows in which that is the same, and so is
each field of a FEN. Where a FEN has no place for what holds, facts are written, eight at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..board import Board
from ..engine.lanes import Rows
from ..engine.tables import Tables
from ..notation.fen import format_fen
from .columns import arrow
from .distinct import Texts


class PositionTexts:
    """Writes positions of a net as ``columns.text_of`` writes states."""

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


class _Part:
    """Some fluents, of which those that hold make a text."""

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
        self._names = names.fluents

    def bits(self, rows: Rows) -> Rows:
        """What holds of them, in the words that have some."""
        found: Rows = rows[:, self._words] & self._mask
        return found

    def holding(self, bits: bytes) -> list[str]:
        """The fluents that hold, sorted, of bits as ``bits`` has them."""
        held = {
            64 * int(word) + bit
            for word, value in zip(self._words, np.frombuffer(bits, np.uint64), strict=True)
            for bit in range(64)
            if int(value) >> bit & 1
        }
        return sorted([*self.certain, *(self._names[number] for number in held)])


class _Fen:
    """Writes FENs: the same as ``format_fen``."""

    def __init__(self, board: Board, tables: Tables) -> None:
        self._board = board
        self._blanks = board.with_blanks(())
        parts: dict[tuple[str, int], list[str]] = {}
        for fluent in (*tables.names.certain, *tables.names.fluents):
            parts.setdefault(_place(board, fluent), []).append(fluent)
        outside = parts.pop(_NOWHERE, [])
        self._never = any(fluent in tables.names.certain for fluent in outside)
        self._outside = _Part(tables, outside)
        ranks = [("rank", y) for y in range(board.height, 0, -1)]
        fields = sorted(part for part in parts if part[0] == "field")
        self._ranks = [self._texts(tables, *part, parts.get(part, [])) for part in ranks]
        self._fields = [self._texts(tables, *part, parts[part]) for part in fields]

    def _texts(
        self, tables: Tables, kind: str, number: int, fluents: Sequence[str]
    ) -> tuple[_Part, Texts]:
        part = _Part(tables, fluents)

        def text(bits: bytes) -> str | None:
            facts = part.holding(bits)
            return self._rank(number, facts) if kind == "rank" else self._field(facts)

        return part, Texts(text)

    def _rank(self, y: int, facts: Sequence[str]) -> str | None:
        others = [fact for fact in self._blanks if _place(self._board, fact) != ("rank", y)]
        found = format_fen(self._board, [*facts, *others])
        return None if found is None else found.split(" ")[0].split("/")[self._board.height - y]

    def _field(self, facts: Sequence[str]) -> str:
        return f" {self._board.field_texts[facts[-1]][1]}" if facts else ""

    def of(self, rows: Rows) -> Any:
        """The FEN of each row; missing, or None for all of them, where there is none."""
        if self._never:
            return None
        pc, pa = arrow("pyarrow.compute"), arrow()
        ranks = [texts.of(part.bits(rows)) for part, texts in self._ranks]
        found = pc.binary_join_element_wise(*ranks, "/")
        if self._fields:
            fields = [texts.of(part.bits(rows)) for part, texts in self._fields]
            found = pc.binary_join_element_wise(found, *fields, "")
        if self._outside.numbers:
            strange = self._outside.bits(rows).any(axis=1)
            found = pc.if_else(pa.array(strange), pa.scalar(None, pa.string()), found)
        return found


class _Facts:
    """Writes facts, sorted, between blanks."""

    def __init__(self, tables: Tables) -> None:
        pa, names = arrow(), tables.names
        self._tables = []
        for byte, (fluents, certain) in enumerate(_by_bytes(names.fluents, names.certain)):
            texts = []
            for bits in range(1 << len(fluents)):
                held = [fluent for place, fluent in enumerate(fluents) if bits >> place & 1]
                texts.append(" ".join(sorted([*held, *certain])) or None)
            self._tables.append((byte, pa.array(texts, pa.string())))

    def of(self, rows: Rows) -> Any:
        """The facts of each row."""
        pa, pc = arrow(), arrow("pyarrow.compute")
        packed: npt.NDArray[np.uint8] = np.ascontiguousarray(rows).view(np.uint8)
        packed = packed.reshape(len(rows), -1)
        parts = [texts.take(pa.array(packed[:, byte])) for byte, texts in self._tables]
        return pc.binary_join_element_wise(*parts, " ", null_handling="skip")


def _by_bytes(
    fluents: Sequence[str], certain: Sequence[str]
) -> Iterator[tuple[Sequence[str], list[str]]]:
    """The fluents of each byte of a row, with the certain ones that come before the next byte's."""
    left = sorted(certain)
    for first in range(0, max(1, len(fluents)), 8):
        here, following = fluents[first : first + 8], fluents[first + 8 : first + 9]
        among = [fact for fact in left if not following or fact < following[0]]
        left = left[len(among) :]
        yield here, among


_NOWHERE = ("nowhere", 0)


def _place(board: Board, fluent: str) -> tuple[str, int]:
    """The part of a FEN that says a fluent: a rank, a field, or none."""
    square, content = board.placement(fluent) or ((0, 0), "")
    shown = content in board.glyphs or content in board.empty[:1]
    if shown and board.has(square) and square not in board.holes:
        return "rank", square[1]
    if fluent in board.field_texts:
        return "field", board.field_texts[fluent][0]
    return _NOWHERE
