"""Alpha-beta search of a net's states with a learned value, in the kernel."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from ...propnet.gate_tables import Tables
from ...propnet.kernel import kernel
from ...propnet.lanes import Ints, Rows
from .learned_value import WON_SCORE, ValueArrays

ENTRY_BYTES = 24
"""The size of an entry of the transposition table [bytes]."""

NO_LIMIT = (1 << 62) - 1


@dataclass(frozen=True)
class SearchAnswer:
    """What a search found."""

    is_done: bool
    """Whether the search reached its depth; otherwise only ``states`` counts."""
    score: int
    """The first role's score; a bound, if it isn't within the window."""
    move: int
    """The number of the best move, or -1."""
    deepest: int
    """The plies of the longest line."""
    states: int
    """The number of evaluated states."""


class AlphaBeta:
    """Searches the states of a closed net in which one of two roles at a time has a choice."""

    def __init__(self, tables: Tables, value: ValueArrays, most_bytes: float = 2.0**24) -> None:
        """``most_bytes`` is the size of the transposition table. Raises ``MemoryError``."""
        self.tables, self._arrays = tables, value
        library = kernel()
        weights = library.ffi.new("struct value_weights *")
        held = []
        for each in fields(self._arrays):
            array = getattr(self._arrays, each.name)
            if array is not None:
                held.append(library.array(f"{array.dtype}_t[]", array))
                setattr(weights, each.name, held[-1])
        entries = max(1, int(most_bytes / ENTRY_BYTES))
        self._owner = library.owned(
            library.alphabeta_new(tables.address, weights, entries),
            "alphabeta_free",
            (tables, self._arrays, weights, held),
        )
        self._search = self._owner.pointer
        self._question = library.ffi.new("struct search_question *")

    def run(
        self,
        row: bytes,
        depth: int,
        low: int = -WON_SCORE - 1,
        high: int = WON_SCORE + 1,
        most: int = NO_LIMIT,
        seconds: float = 0.0,
        is_plain: bool = False,
        age: int = 0,
    ) -> SearchAnswer:
        """Search a state of which ``row`` are the bytes, to a depth [plies].

        ``most`` limits the evaluations, each of up to 512 states, and ``seconds`` the time, unless
        it is 0. ``is_plain`` searches all moves to the same depth, as minimax does. A search
        that was stopped continues with the same question.

        Raises ``BadRequest`` if several roles choose at once, ``RulesError`` for invalid goals, and
        ``MemoryError``.
        """
        question = self._question
        question.depth, question.low, question.high = depth, low, high
        question.is_plain, question.most, question.age = is_plain, most, age % 256
        question.seconds = seconds
        status = kernel().check(
            kernel().alphabeta_run(self._search, kernel().array("uint64_t[]", row), question)
        )
        return SearchAnswer(
            not status, question.score, question.move, question.deepest, question.states
        )

    def known(self, row: bytes) -> int | None:
        """The number of the best move that the table has for a state, or None."""
        move = int(kernel().alphabeta_known(self._search, kernel().array("uint64_t[]", row)))
        return None if move < 0 else move

    def scores(self, rows: Rows) -> Ints:
        """The scores of states without a search; a terminal state has that of its result."""
        found = np.empty(len(rows), np.int32)
        self._score(rows, found, None)
        return found

    def mobility(self, rows: Rows) -> Ints:
        """The numbers of moves ``(n, 2)``, the side's on move first; 0 where a game is over."""
        mobility = np.zeros((len(rows), 2), np.int32)
        self._score(rows, np.empty(len(rows), np.int32), mobility)
        return mobility

    def _score(self, rows: Rows, found: Ints, mobility: Ints | None) -> None:
        library = kernel()
        out = library.ffi.NULL if mobility is None else library.array("int32_t[]", mobility)
        given = library.array("uint64_t[]", rows), len(rows), library.array("int32_t[]", found)
        library.check(library.alphabeta_scores(self._search, *given, out))
