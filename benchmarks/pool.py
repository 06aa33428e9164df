"""Batches of mixed states of ours, for being asked about and played on from."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle

import numpy as np

import aspgames
import ours
from aspgames.engine.lanes import Ints, Lanes, Rows

SIZES = (1, 512, 65_536)
"""States in a batch."""

_GAMES = 512


class Pool:
    """Unfinished states from all plies of random games, and a legal move for each."""

    def __init__(self, name: str) -> None:
        self._tables = ours.closed_tables(name)
        row = self._tables.row(aspgames.load(name).initial.facts) or b""
        start = np.frombuffer(row, np.uint64)
        lanes, keys = Lanes(self._tables, _GAMES), np.arange(_GAMES, dtype=np.uint64)
        rows, draw = np.tile(start, (_GAMES, 1)), 0
        met: list[tuple[Rows, Ints]] = []
        while sum(len(states) for states, _ in met) < SIZES[-1]:
            moves = lanes.choose(rows, keys, draw)
            goes_on = ~lanes.ask(rows).terminal
            met.append((rows[goes_on], moves[goes_on]))
            rows = np.where(goes_on[:, None], lanes.play(rows, moves), start)
            draw += 1
        states, moves = (np.concatenate(parts) for parts in zip(*met, strict=True))
        order = np.random.default_rng(0).permutation(len(states))[: SIZES[-1]]
        self._states: Rows = states[order]
        self._moves: Ints = moves[order]

    def ways(self, size: int) -> dict[str, Callable[[], int]]:
        """Ask about a batch of the states, and play on from one; says how many states that was."""
        lanes, starts = Lanes(self._tables, size), cycle(range(0, SIZES[-1], size))

        def ask() -> int:
            start = next(starts)
            lanes.ask(self._states[start : start + size])
            return size

        def play() -> int:
            start = next(starts)
            lanes.play(self._states[start : start + size], self._moves[start : start + size])
            return size

        return {"ask": ask, "play": play}
