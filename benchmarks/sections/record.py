"""Random games as a Parquet file: by ``aspgames record``, and by a loop over states."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow
from pyarrow import parquet

import aspgames
import ours
from aspgames import State, data
from measuring import Way, grid, rate, ratio, table, take_turns

_GAMES = {"breakthrough": 1 << 13, "amazons_10x10": 1 << 12, "skirmish": 1 << 13}
_IN_A_LOOP = 20  # games


def section(runs: int, _old: str | None) -> None:
    """Rows a second."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "games.parquet")
        ways: dict[tuple[str, str], Way] = {}
        for name, games in _GAMES.items():
            for who, work in _ways(name, games, path).items():
                clock = time.perf_counter if "threads" in who else time.process_time
                ways[name, who] = partial(rate, work, clock)
        found = take_turns(runs, ways)
    grid("record: rows a second", "game", found)
    rows = [
        (name, *(ratio(found[name, "record"], found[name, who]) for who in ("playout", "loop")))
        for name in _GAMES
    ]
    table("record: rows a second by states a second", ("game", "playout", "a loop"), rows)


def _ways(name: str, games: int, path: Path) -> dict[str, Callable[[], int]]:
    """Ways to make so many states; each returns their number."""
    start = ours.start(name)

    def record(threads: int) -> int:
        return data.record_games(start, games, path, threads=threads).rows

    return {
        "record": partial(record, 1),
        "record, 2 threads": partial(record, 2),
        "playout": lambda: aspgames.playouts(start, games, threads=1).states,
        "loop": partial(_in_a_loop, start, path),
    }


def _in_a_loop(start: State, path: Path) -> int:
    """The same rows, state by state."""
    rng, rows = random.Random(0), list[dict[str, Any]]()
    for game in range(_IN_A_LOOP):
        state, own = start, list[dict[str, Any]]()
        while True:
            moves = state.legal_moves
            row = {"game": game, "ply": len(own), "position": state.fen, "legal": len(moves)}
            own.append(row)
            if not moves:
                break
            move = rng.choice(moves)
            row |= {"to_move": move.role, "move": move.text, "term": move.term}
            row["number"] = state.game.moves.index(move)
            state = state.play(move)
        goals = {f"goal_{role}": goal for role, goal in state.goals.items()}
        rows += [row | goals | {"length": len(own) - 1} for row in own]
    parquet.write_table(pyarrow.Table.from_pylist(rows), path, compression="zstd")
    return len(rows)
