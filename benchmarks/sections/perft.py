"""Perft: counting the paths of a length."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from functools import partial

import aspgames
import fairy
import openspiel
from measuring import Figures, grid, ratio, run_python, seconds, shown, table, take_turns

# Our depths, with OpenSpiel's number of actions for the same paths.
_PERFTS = [
    ("breakthrough", 6, "Fairy-Stockfish", 6),
    ("breakthrough", 5, "OpenSpiel", 5),
    ("amazons_10x10", 4, "OpenSpiel", 6),
    ("amazons", 2, "OpenSpiel", 6),
]
_BY_GROUNDER = [
    ("breakthrough", 3),
    ("amazons_10x10", 2),
    ("amazons_8x8", 3),
    ("skirmish", 4),
    ("amazons", 1),
]
_PROGRAM = "import aspgames; print(aspgames.perft(aspgames.load({!r}).initial, {}, threads={}))"

Count = Callable[[], int]


def section(runs: int, _old: str | None) -> None:
    """Seconds a count."""
    found: dict[tuple[str, str], Figures] = {}
    rows: list[tuple[str, ...]] = []
    with tempfile.TemporaryDirectory() as filled:
        for name, depth, peer, actions in _PERFTS:
            if peer == "Fairy-Stockfish":
                if not fairy.PROGRAM:
                    print("perft: fairy-stockfish is not installed")
                    continue
                theirs: Count = partial(fairy.perft, fairy.start(), name, actions)
            else:
                theirs = partial(openspiel_perft, name, actions)
            counts = {**our_counts(name, depth, filled), "peer": theirs}
            counts["cache filled"]()
            counts["warm"]()
            paths, took = timed(runs, counts)
            what = f"{name} {depth}"
            found |= {(what, way): figures for way, figures in took.items()}
            ours = [ratio(took["peer"], took[way]) for way in counts if way != "peer"]
            rows.append((what, f"{paths:,}", peer, *ours))
    grid(
        "perft: seconds of a new process; and of a count in one that has counted before", "", found
    )
    ways = list(dict.fromkeys(way for _, way in found))[:-1]
    table("perft: our speed by the peer's", ("", "paths", "peer", *ways), rows)
    against_the_grounder(runs)


def our_counts(name: str, depth: int, filled: str) -> dict[str, Count]:
    """Our ways to count. ``filled`` is the directory of the cache."""
    warm = partial(aspgames.perft, aspgames.load(name).initial, depth)
    return {
        "cache empty": partial(in_new_cache, name, depth),
        "cache filled": partial(in_new_process, name, depth, 1, filled),
        "filled, 2 threads": partial(in_new_process, name, depth, 2, filled),
        "warm": partial(warm, threads=1),
        "warm, 2 threads": partial(warm, threads=2),
    }


def in_new_process(name: str, depth: int, threads: int, cache: str) -> int:
    """Perft in a Python process of its own."""
    program = _PROGRAM.format(name, depth, threads)
    return int(run_python(program, {"ASPGAMES_CACHE": cache}).output)


def in_new_cache(name: str, depth: int) -> int:
    """The same with an empty cache."""
    with tempfile.TemporaryDirectory() as empty:
        return in_new_process(name, depth, 1, empty)


def openspiel_perft(name: str, actions: int) -> int:
    """Perft on OpenSpiel, from the start."""
    return openspiel.perft(openspiel.start(name), actions)


def against_the_grounder(runs: int) -> None:
    """The net against the grounder, at lower depths."""
    rows = []
    for name, depth in _BY_GROUNDER:
        counts = {who: partial(anew, name, depth, who) for who in ("propnet", "grounder")}
        paths, took = timed(runs, counts)
        faster = ratio(took["grounder"], took["propnet"])
        rows.append((f"{name} {depth}", f"{paths:,}", *map(shown, took.values()), faster))
    title = "perft: seconds with a new game object, which makes its nets"
    table(title, ("", "paths", "propnet", "grounder", "ratio"), rows)


def anew(name: str, depth: int, reasoner: str) -> int:
    """Perft with a new game object, which has no nets yet."""
    game = aspgames.load(name)
    start = aspgames.Game(game.encoding, game.constants).initial
    return aspgames.perft(start, depth, reasoner=reasoner, threads=1)


def timed(runs: int, counts: Mapping[str, Count]) -> tuple[int, dict[str, Figures]]:
    """The count of all ways, and the seconds of each."""
    paths: set[int] = set()

    def time(count: Count) -> float:
        return seconds(lambda: paths.add(count()))

    found = take_turns(runs, {name: partial(time, count) for name, count in counts.items()})
    if len(paths) != 1:
        raise SystemExit(f"the counts differ: {paths}")
    return paths.pop(), found
