"""Many states at once: what a net says of them, and what follows from moves, as numpy arrays."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..errors import RulesError
from .kernel import TWO_GOALS, Answers, kernel
from .tables import Tables

Rows = npt.NDArray[np.uint64]
"""A state a row, a bit a fluent: ``Tables.row``."""
Flags = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int32]
Keys = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class Answer:
    """What a net says of some states; in the order of the states."""

    terminal: Flags
    """Whether the game is over, for each state."""
    to_move: Flags
    """Whether a role is on move, for each state and role."""
    goals: Ints
    """The goal of each state and role, 0 where the rules give none."""
    legal: Flags
    """Whether a move is legal, for each state and move: also in terminal states."""


class Lanes:
    """Asks a net about up to so many states at once. Not for several threads at a time.

    All arrays that it is given are contiguous, of the types above, and no longer than ``most``.
    """

    def __init__(self, tables: Tables, most: int) -> None:
        """``tables`` are those of a closed net. Raises ``MemoryError``."""
        self.tables = tables
        self.most = most
        self._handle = kernel().batch_new(tables.address, most)
        if not self._handle:
            raise MemoryError

    def __del__(self) -> None:
        if handle := getattr(self, "_handle", None):
            kernel().batch_free(handle)

    def ask(self, rows: Rows) -> Answer:
        """What the rules say of states. Raises ``RulesError`` if a role has two goals."""
        count, tables = len(rows), self.tables
        answer = Answer(
            np.empty(count, np.bool_),
            np.empty((count, tables.roles), np.bool_),
            np.empty((count, tables.roles), np.int32),
            np.empty((count, tables.moves), np.bool_),
        )
        into = Answers(
            answer.terminal.ctypes.data,
            answer.to_move.ctypes.data,
            answer.goals.ctypes.data,
            answer.legal.ctypes.data,
        )
        self._ask(rows, into)
        return answer

    def choose(self, rows: Rows, keys: Keys, draw: int) -> Ints:
        """A legal move of each role at random, -1 where it has none, for each state and role.

        Uniform, and settled by each state's key and the number of the draw.
        """
        chosen = np.empty((len(rows), self.tables.roles), np.int32)
        self._ask(rows, Answers(choices=chosen.ctypes.data, keys=keys.ctypes.data, draw=draw))
        return chosen

    def play(self, rows: Rows, moves: Ints) -> Rows:
        """The states after a move of each role: its number, or -1 where it has no choice."""
        after = np.empty_like(rows)
        kernel().batch_play(
            self._handle, rows.ctypes.data, len(rows), moves.ctypes.data, after.ctypes.data
        )
        return after

    def _ask(self, rows: Rows, into: Answers) -> None:
        status = kernel().batch_ask(
            self._handle, rows.ctypes.data, len(rows), ctypes.addressof(into)
        )
        if status == TWO_GOALS:
            raise RulesError("the rules give a role two goals")
