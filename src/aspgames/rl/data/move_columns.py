"""Converts many moves of a net to texts, terms and the game's move numbers at once."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ...game.game import Game
from ...game.notation.joint_moves import format_ply
from ...game.notation.move_text import format_move, named_squares, told_square
from ...propnet.gate_tables import Tables
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
        square = None if move == NONE else told_square(self._forms, self._names.terms[move])
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
