"""Shared work on workers and clusters, the cost of a task, and growth by depth, board and files.

Run it with: python benchmarks/scale.py [--runs N] [--only PART ...] [--plots FOLDER]

The parts are ``speedup``, ``jobs``, ``overhead``, ``growth``, ``model``. Each prints tables, which
``docs/scale.md`` shows, and with ``--plots`` draws them. Every process has one thread, so the
figures compare numbers of processes. A figure is the median of the runs, with the smallest and the
largest in brackets.
"""

from __future__ import annotations

import argparse
import heapq
import json
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import aspgames
from aspgames import Cluster, Workers
from chart import chart
from measuring import Figures, number, seconds, shown, table, take_turns

PUZZLES = Path(__file__).parents[1] / "tests/data/puzzles_mixed.jsonl"
HARD = PUZZLES.with_name("puzzles_hard.jsonl")
_HARDEST = (7, 8)  # of these, for one search
_TASKS = 2000  # that do nothing
_MACHINES, _CORES = 100, 8  # of the model


@contextmanager
def workers(count: int) -> Iterator[Executor]:
    """Processes of this machine that have started."""
    with Workers(count) as found:
        yield warmed(found, count)


QUIET = {"distributed.worker.profile.enabled": False, "distributed.admin.tick.interval": "1s"}
"""The settings with which ``docs/scale.md`` starts a cluster."""


@contextmanager
def local_cluster(count: int) -> Iterator[str]:
    """The address of a Dask cluster on this machine, with a scheduler and some processes."""
    import dask.config
    import distributed

    with (
        dask.config.set(QUIET),
        distributed.LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=count, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as local,
    ):
        yield local.scheduler_address


@contextmanager
def dask(count: int) -> Iterator[Executor]:
    """Such a cluster as an executor, whose processes have started."""
    with local_cluster(count) as address, Cluster(address) as found:
        yield warmed(found, count)


def warmed(executor: Executor, count: int) -> Executor:
    """The executor, after each of its processes has done a task."""
    for _ in range(3):
        list(executor.map(time.sleep, [0.2] * count))
    return executor


EXECUTORS: dict[str, Callable[[], Any]] = {
    "1 worker": lambda: workers(1),
    "2 workers": lambda: workers(2),
    "Dask, 1 process": lambda: dask(1),
    "Dask, 2 processes": lambda: dask(2),
}


def times(runs: int, work: Callable[..., object], *given: Any, **named: Any) -> Figures:
    """The time that some work takes, for each run [s]."""
    return [seconds(partial(work, *given, **named)) for _ in range(runs)]


def solved(puzzles: Sequence[bytes], executor: Executor | None = None) -> None:
    """Solve puzzles, with one thread each."""
    for _ in aspgames.solve_puzzles(puzzles, executor=executor, threads=1):
        pass


def nothing(executor: Executor) -> float:
    """The seconds for a task that does nothing."""
    return seconds(lambda: list(executor.map(abs, range(_TASKS)))) / _TASKS


def works() -> dict[str, Callable[[Executor], object]]:
    """The work that processes share."""
    lines = PUZZLES.read_bytes().splitlines()
    breakthrough = aspgames.load("breakthrough").initial
    amazons = aspgames.load("amazons_8x8").initial
    skirmish = aspgames.load("skirmish").initial
    return {
        f"{len(lines)} puzzles": partial(solved, lines),
        "perft, breakthrough, 7 plies": lambda e: aspgames.perft(breakthrough, 7, executor=e),
        "perft, skirmish, 8 plies": lambda e: aspgames.perft(skirmish, 8, executor=e),
        "3,000,000 games, breakthrough": lambda e: aspgames.playouts(
            breakthrough, 3_000_000, executor=e
        ),
        "10,000,000 games, breakthrough": lambda e: aspgames.playouts(
            breakthrough, 10_000_000, executor=e
        ),
        "500,000 games, amazons_8x8": lambda e: aspgames.playouts(amazons, 500_000, executor=e),
    }


def speedup(runs: int, plots: Path | None) -> None:
    """The same work with one process, with two, and on a cluster of this machine."""
    found: dict[tuple[str, str], Figures] = {}
    with ExitStack() as stack:
        executors = {name: stack.enter_context(way()) for name, way in EXECUTORS.items()}
        for what, work in works().items():
            for executor in executors.values():
                work(executor)  # nets are made, and kept
            ways = {
                name: partial(seconds, partial(work, executor))
                for name, executor in executors.items()
            }
            for name, figures in take_turns(runs, ways).items():
                found[what, name] = figures
    rows = []
    gained: dict[str, float] = {}
    for what in works():
        one, two, dask_one, dask_two = (found[what, name] for name in EXECUTORS)
        gained[what] = median(one) / median(two)
        rows.append(
            (
                what,
                *(shown(found[what, name]) for name in EXECUTORS),
                f"{gained[what]:.2f}x",
                f"{median(dask_one) / median(dask_two):.2f}x",
                f"{100 * (median(dask_two) / median(two) - 1):+.0f} %",
            )
        )
    head = ("work", *EXECUTORS, "2 workers : 1", "Dask 2 : 1", "Dask to --workers")
    table("*Seconds, by one process and by two:*", head, rows)
    if plots:
        lines = {what: [(1.0, 1.0), (2.0, ratio)] for what, ratio in gained.items()}
        draw(plots, "speedup", chart("Speed-up", "workers", "times one worker", lines))


def jobs(runs: int, _plots: Path | None) -> None:
    """One hard puzzle: one search and its threads, and jobs of one process and of two."""
    hard = [json.loads(line) for line in HARD.read_text().splitlines()]
    asked = {
        "Breakthrough 3x6, first player": {
            "game": "breakthrough",
            "const": {"width": 3, "height": 6},
            "position": "startpos",
            "attacker": "white",
            "goal": "win",
        },
        **{f"hard puzzle {place + 1}": hard[place] for place in _HARDEST},
    }

    def alone(threads: int) -> Callable[[dict[str, Any]], aspgames.Solution]:
        return lambda puzzle: answered(puzzle, threads=threads)

    def shared(count: int) -> Callable[[dict[str, Any]], aspgames.Solution]:
        def work(puzzle: dict[str, Any]) -> aspgames.Solution:
            with workers(count) as executor:
                return answered(puzzle, executor=executor)

        return work

    ways = {
        "1 thread": alone(1),
        "2 threads": alone(2),
        "1 worker": shared(1),
        "2 workers": shared(2),
    }
    rows, looked = [], []
    for name, puzzle in asked.items():
        answered(puzzle, threads=1)  # its net is made, and kept
        found: dict[str, list[aspgames.Solution]] = {way: [] for way in ways}
        for _ in range(runs):
            for way, work in ways.items():
                found[way].append(work(puzzle))
        taken = {way: [one.seconds for one in each] for way, each in found.items()}
        positions = {way: [one.positions / 1e6 for one in each] for way, each in found.items()}
        gain = median(taken["1 worker"]) / median(taken["2 workers"])
        beside = median(taken["2 threads"]) / median(taken["2 workers"])
        rows.append((name, *map(shown, taken.values()), f"{gain:.2f}x", f"{beside:.2f}x"))
        looked.append((name, *map(shown, positions.values())))
    head = ("puzzle", *ways)
    last = ("2 workers : 1", "2 workers : 2 threads")
    table("*Seconds for one hard puzzle:*", (*head, *last), rows)
    table("*Millions of positions that were looked at:*", head, looked)


def answered(puzzle: dict[str, Any], **way: Any) -> aspgames.Solution:
    """The answer to a puzzle."""
    game = aspgames.load(puzzle["game"], **puzzle.get("const", {}))
    asked: dict[str, Any] = {key: puzzle.get(key) for key in ("attacker", "goal", "within")}
    return aspgames.solve(game.position(puzzle["position"]), **asked, **way)


def overhead(runs: int, _plots: Path | None) -> None:
    """The cost of a task that does nothing, and of the start of a process."""
    rows = []
    for name, way in EXECUTORS.items():
        with way() as executor:
            each: Figures = []
            for _ in range(runs):
                each.append(1000 * nothing(executor))
            rows.append((name, shown(each)))
    table("*Milliseconds a task that does nothing:*", ("who", "ms"), rows)

    def start(way: Callable[[], Workers | Cluster]) -> float:
        def first() -> None:
            executor = stack.enter_context(way())
            executor.submit(abs, 1).result()

        with ExitStack() as stack:
            return seconds(first)

    with local_cluster(1) as address:
        starts = take_turns(
            runs + 1,
            {
                "a worker": lambda: start(lambda: Workers(1)),
                "a cluster, connected to": lambda: start(lambda: Cluster(address)),
            },
        )
    table(
        "*Seconds until the first task is done:*",
        ("what", "the first time", "later"),
        [(what, number(figures[0]), shown(figures[1:])) for what, figures in starts.items()],
    )


def growth(runs: int, plots: Path | None) -> None:
    """The cost of a question by depth, board and number of puzzles, in this process."""
    depths: dict[str, list[tuple[float, float]]] = {}
    for name, most in (("breakthrough", 7), ("amazons_10x10", 5), ("skirmish", 8)):
        state = aspgames.load(name).initial
        for depth in range(2, most + 1):
            aspgames.perft(state, depth, threads=1)
            spent = median(times(runs, aspgames.perft, state, depth, threads=1))
            depths.setdefault(name, []).append((depth, max(spent, 1e-5)))
    show("*Seconds of perft, by depth:*", "plies", depths)

    boards: dict[str, list[tuple[float, float]]] = {}
    for size in range(4, 13, 2):
        state = aspgames.load("breakthrough", width=size, height=size).initial
        aspgames.playouts(state, 1, reasoner="propnet")
        spent = median(times(runs, aspgames.playouts, state, 20_000, threads=1))
        boards.setdefault("20,000 games", []).append((size * size, spent))
        spent = median(times(runs, aspgames.perft, state, 4, threads=1))
        boards.setdefault("perft, 4 plies", []).append((size * size, max(spent, 1e-5)))
    show("*Seconds in breakthrough, by squares:*", "squares", boards)

    lines = PUZZLES.read_bytes().splitlines()
    files: dict[str, list[tuple[float, float]]] = {}
    for count in (15, 30, 59, 118, 236):
        asked = (lines * 2)[:count]
        spent = median(times(runs, solved, asked))
        files.setdefault("puzzles", []).append((count, spent))
    show("*Seconds for puzzles, by their number:*", "puzzles", files)
    if plots:
        draw(plots, "depth", chart("Perft", "plies", "seconds", depths, log_up=True))
        draw(plots, "board", chart("Breakthrough", "squares", "seconds", boards, log_up=True))
        draw(plots, "collection", chart("A collection", "puzzles", "seconds", files))


def model(_runs: int, plots: Path | None) -> None:
    """The speed of many machines, by a model whose figures are measured here.

    The scheduler hands out one task after the other, at the rate that was measured for tasks that
    do nothing. The next free process takes the task, for the time that was measured here. Processes
    start as fast as here. The model assumes equal machines with nets on their disks, and leaves out
    the network.
    """
    lines = PUZZLES.read_bytes().splitlines()
    taken = [seconds(partial(solved, [line])) for line in lines]
    with dask(2) as executor:
        step = nothing(executor)
    with Workers(1) as pool:
        begin = seconds(lambda: pool.submit(abs, 1).result())
    curves: dict[str, list[tuple[float, float]]] = {}
    rows = []
    for count in (118, 10_000, 100_000):
        work = [taken[place % len(taken)] for place in range(count)]
        alone = makespan(work, 1, 0.0, begin)
        for processes in (1, 2, 8, 80, _MACHINES * _CORES):
            spent = makespan(work, processes, step, begin)
            curves.setdefault(f"{count:,} puzzles", []).append((processes, alone / spent))
            rows.append((f"{count:,}", processes, number(spent), f"{alone / spent:.1f}x"))
    print(
        f"\nA task: {number(1000 * step)} ms of the scheduler; puzzles: {number(median(taken))} s"
    )
    print(f"(median), {number(max(taken))} s (longest); a process begins in {number(begin)} s.")
    head = ("puzzles", "processes", "seconds", "times one process")
    table("*By the model, not measured:*", head, rows)
    if plots:
        name = "By a model: many processes"
        picture = chart(name, "processes", "times one", curves, log_across=True, log_up=True)
        draw(plots, "model", picture)


def makespan(work: Sequence[float], processes: int, step: float, begin: float) -> float:
    """The seconds until all tasks are done, if each goes to the next free process."""
    free = [begin] * processes
    given = 0.0
    for task in work:
        given += step
        heapq.heapreplace(free, max(free[0], given) + task)
    return max(free)


def show(title: str, corner: str, lines: dict[str, list[tuple[float, float]]]) -> None:
    """Print points as a table."""
    places = sorted({x for line in lines.values() for x, _ in line})
    rows = [
        (f"{x:g}", *(number(dict(line)[x]) if x in dict(line) else "-" for line in lines.values()))
        for x in places
    ]
    table(title, (corner, *lines), rows)


def draw(folder: Path, name: str, picture: str) -> None:
    """Write a chart."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"scale_{name}.svg").write_text(picture)


PARTS = {"speedup": speedup, "jobs": jobs, "overhead": overhead, "growth": growth, "model": model}


def main() -> None:
    """Measure the chosen parts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", nargs="*", choices=PARTS, default=list(PARTS))
    parser.add_argument("--plots", type=Path)
    chosen = parser.parse_args()
    for part in chosen.only:
        PARTS[part](chosen.runs, chosen.plots)


if __name__ == "__main__":
    main()
