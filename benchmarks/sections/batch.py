"""Batches of states that step through random games, as vectorised environments do."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import openspiel
import ours
from aspgames import Batch
from measuring import Way, grid, rate, ratio, table, take_turns

_GAMES = ("breakthrough", "amazons_10x10", "skirmish")
_PEER = "breakthrough"  # whose actions are our moves
_SIZES = [(1, 1), (512, 1), (65_536, 1), (65_536, 2)]


def section(runs: int, _old: str | None) -> None:
    """States a second."""
    ways: dict[tuple[str, str], Way] = {}
    for name in _GAMES:
        for size, threads in _SIZES:
            batch = ours.batch(name, size, threads)
            who = f"{size:,}" if threads == 1 else f"{size:,}, {threads} threads"
            for what, work in our_ways(batch).items():
                ways[f"{name}: {what}", who] = partial(rate, work, time.perf_counter)
    for what, work in openspiel.steps(_PEER).items():
        ways[f"{_PEER}: {what}", "OpenSpiel"] = partial(rate, work, time.perf_counter)
    found = take_turns(runs, ways)
    grid("batch: states a second, by the size of a batch", "", found)
    columns = list(dict.fromkeys(who for _, who in found))[:-1]
    rows = [
        (what, *(ratio(found[what, ours], found[what, who]) for ours in columns))
        for what, who in found
        if who == "OpenSpiel"
    ]
    table("batch: our speed by that of a loop over OpenSpiel's states", ("", *columns), rows)


def our_ways(batch: Batch) -> dict[str, Callable[[], int]]:
    """A step, with and without all legal moves; each returns the number of states."""

    def step() -> int:
        batch.step(batch.sample())
        return len(batch)

    def with_mask() -> int:
        assert batch.legal.shape
        return step()

    def with_bits() -> int:
        assert batch.legal_bits.shape
        return step()

    return {"step": step, "mask and step": with_mask, "mask of bits and step": with_bits}
