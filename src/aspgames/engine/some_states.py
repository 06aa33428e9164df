"""Some states of play, by random games that are the same each time."""

from __future__ import annotations

import numpy as np

from .lanes import Lanes, Rows
from .states import keys
from .tables import Tables

_GAMES, _PLIES = 16, 200


def some_states(tables: Tables, start: bytes) -> list[tuple[str, ...]]:
    """The facts of states that a few random games from a state come to."""
    lanes = Lanes(tables)
    row = np.frombuffer(start, np.uint64)
    rows: Rows = np.repeat(row[np.newaxis], _GAMES, axis=0)
    seeds = keys(0, np.arange(_GAMES, dtype=np.uint64))
    found = {start: tables.facts(start)}
    for ply in range(_PLIES):
        going = ~lanes.ask(rows).terminal
        rows, seeds = np.ascontiguousarray(rows[going]), np.ascontiguousarray(seeds[going])
        if not len(rows):
            break
        rows = lanes.play(rows, lanes.choose(rows, seeds, ply))
        found |= {each: tables.facts(each) for each in map(bytes, rows.copy())}
    return list(found.values())
