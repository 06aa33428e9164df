"""Random games with chance, beside a game without chance on the same board."""

from __future__ import annotations

import time
from functools import partial

import aspgames
from measuring import Way, grid, ratio, table, take_turns

_GAMES = 20_000


def section(runs: int, _old: str | None) -> None:
    """Millions of states in a second of processor time, on one thread, without making nets."""
    load = aspgames.load
    starts = {
        "einstein": load("einstein").initial,
        "breakthrough 5x5": load("breakthrough", width=5, height=5).initial,
        "breakthrough 8x8": load("breakthrough").initial,
        "pig": load("pig").initial,
    }
    ways: dict[tuple[str, str], Way] = {}
    for name, start in starts.items():
        aspgames.playouts(start, 1, threads=1)
        ways[name, "1 thread"] = partial(speed, start)
    found = take_turns(runs, ways)
    grid("chance: millions of states a second", "game", found)
    others = [name for name in starts if name.startswith("breakthrough")]
    dice = found["einstein", "1 thread"]
    rows = [(name, ratio(dice, found[name, "1 thread"])) for name in others]
    table("chance: the speed of einstein by that of games without chance", ("game", "ratio"), rows)


def speed(start: aspgames.State) -> float:
    """Our speed."""
    begun = time.process_time()
    states = aspgames.playouts(start, _GAMES, threads=1).states
    return states / (time.process_time() - begun) / 1e6
