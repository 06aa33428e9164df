"""Batches of states: all legal moves, and successors, as arrays."""

from __future__ import annotations

from functools import partial

import openspiel
from measuring import Way, grid, rate, ratio, table, take_turns
from pool import SIZES, Pool

_GAMES = ("breakthrough", "amazons_10x10", "skirmish")
_PEER = "breakthrough"  # whose actions are our moves


def section(runs: int, _old: str | None) -> None:
    """States a second."""
    ways: dict[tuple[str, str], Way] = {}
    for name in _GAMES:
        pool = Pool(name)
        for size in SIZES:
            for what, work in pool.ways(size).items():
                ways[f"{name}: {what}", f"{size:,}"] = partial(rate, work)
    for what, work in openspiel.ways(_PEER).items():
        ways[f"{_PEER}: {what}", "OpenSpiel"] = partial(rate, work)
    found = take_turns(runs, ways)
    grid("batch: states a second, by the size of a batch", "", found)
    rows = []
    for what, who in found:
        if who == "OpenSpiel":
            ours = [found[what, f"{size:,}"] for size in SIZES]
            rows.append((what, *(ratio(figures, found[what, who]) for figures in ours)))
    head = ("", *(f"{size:,}" for size in SIZES))
    table("batch: our speed by that of a loop over OpenSpiel's states", head, rows)
