"""Some states of play, from random games that are the same each time."""

from __future__ import annotations

import numpy as np

from .batch_states import keys
from .gate_tables import Tables
from .lanes import ALL_PLAYABLE, KernelArray, Lanes, Rows

_GAMES, _PLIES = 16, 200


def some_states(tables: Tables, start: bytes) -> list[tuple[str, ...]]:
    """The facts of the states of a few random games from a state.

    A game goes on until it is over, or a role has no move.
    """
    lanes = Lanes(tables)
    row = np.frombuffer(start, np.uint64)
    rows: Rows = np.repeat(row[np.newaxis], _GAMES, axis=0)
    seeds = keys(0, np.arange(_GAMES, dtype=np.uint64))
    found = {start: tables.facts(start)}
    for ply in range(_PLIES):
        moves, counts = (np.empty((len(rows), tables.roles), np.int32) for _ in range(2))
        answers = {
            "choices": KernelArray(moves),
            "counts": KernelArray(counts),
            "keys": KernelArray(seeds),
        }
        lanes.fill(KernelArray(rows), answers, ALL_PLAYABLE, ply)
        going = (counts > 0).all(axis=1)
        if not going.any():
            break
        rows, seeds = lanes.play(rows[going], moves[going]), seeds[going]
        found |= {each: tables.facts(each) for each in map(bytes, rows.copy())}
    return list(found.values())
