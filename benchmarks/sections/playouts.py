"""Random games in bulk."""

from __future__ import annotations

from functools import partial

import aspgames
import openspiel
import ours
from measuring import GAMES, Way, grid, number, ratio, run_old, table, take_turns

_THEIRS = 5000

# The older version had no net of one-phase Amazons. The first game lets it load what it compiled.
_OLD_GAMES = ("breakthrough", "amazons_10x10", "amazons_8x8", "skirmish")
_OLD = """
import aspgames
start = aspgames.load({!r}).initial
aspgames.playouts(start, 1)
found = aspgames.playouts(start, {})
print(found.states / found.seconds / 1e6)
"""


def section(runs: int, old: str | None) -> None:
    """Millions of states a second, without the time to make nets."""
    ways: dict[tuple[str, str], Way] = {}
    for name in GAMES:
        start = ours.start(name)
        ways[name, "1 thread"] = partial(speed, start, 1)
        ways[name, "2 threads"] = partial(speed, start, 2)
        if old and name in _OLD_GAMES:
            ways[name, "older version"] = partial(old_speed, name, old)
        if name in openspiel.NAMES:
            ways[name, "OpenSpiel"] = partial(openspiel.playouts, name, _THEIRS)
    found = take_turns(runs, ways)
    grid("playouts: millions of states a second", "game", found)
    rows, lengths = [], []
    for name in GAMES:
        one = found[name, "1 thread"]
        peers = [found.get((name, who)) for who in ("older version", "OpenSpiel")]
        peers.append(found["amazons_10x10", "1 thread"])
        two = ratio(found[name, "2 threads"], one)
        rows.append((name, *(ratio(one, peer) for peer in peers), two))
        mean = ours.playouts(ours.start(name), 2).mean_length
        theirs = openspiel.mean_plies(name, _THEIRS) if name in openspiel.NAMES else None
        plies = (number(mean), number(theirs) if theirs else "-")
        lengths.append((name, f"{ours.RANDOM_GAMES[name]:,}", *plies))
    table(
        "playouts: our speed on one thread by others'",
        ("game", "older version", "OpenSpiel", "our amazons_10x10", "2 threads by 1"),
        rows,
    )
    table(
        "playouts: games of ours in a run, and mean plies",
        ("game", "games", "ours", "OpenSpiel's"),
        lengths,
    )


def speed(start: aspgames.State, threads: int) -> float:
    """Our speed."""
    found = ours.playouts(start, threads)
    return found.states / found.seconds / 1e6


def old_speed(name: str, old: str) -> float:
    """The speed of an older version, in a process of its own."""
    return float(run_old(_OLD.format(name, ours.RANDOM_GAMES[name]), old).output)
