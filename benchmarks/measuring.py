"""The parts that the sections of ``peers.py`` share: runs in turns, tables, new processes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TypeVar

Name = TypeVar("Name")
Figures = list[float]
Way = Callable[[], float]
"""Does some work once, and returns its cost or its speed."""
Grid = Mapping[tuple[str, str], Figures]
"""Figures by the work and by the program that did it."""

GAMES = ("breakthrough", "amazons_10x10", "amazons_8x8", "skirmish", "amazons")

_HERE = str(Path(__file__).parent)
_UNIT = 1 << 20 if sys.platform == "darwin" else 1 << 10  # of ru_maxrss, in a MiB


def take_turns(runs: int, ways: Mapping[Name, Way]) -> dict[Name, Figures]:
    """The figures of each way. Each run takes all ways in turn."""
    found: dict[Name, Figures] = {name: [] for name in ways}
    for _ in range(runs):
        for name, way in ways.items():
            found[name].append(way())
    return found


def seconds(work: Callable[[], object]) -> float:
    """The time that some work takes [s]."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def rate(work: Callable[[], int], clock: Callable[[], float] = time.process_time) -> float:
    """The amount of work in a second. The work is repeated until a second is over.

    These are the processor's seconds unless another clock is given: for one thread alone, but less
    disturbed by other programs.
    """
    done, start = 0, clock()
    while (spent := clock() - start) < 1.0:
        done += work()
    return done / spent


def number(value: float) -> str:
    """Three digits, or whole thousands and more."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def shown(figures: Figures) -> str:
    """The median, with the smallest and the largest figure."""
    middle = number(median(figures))
    if len(figures) == 1:
        return middle
    return f"{middle} ({number(min(figures))}..{number(max(figures))})"


def ratio(upper: Figures | None, lower: Figures | None) -> str:
    """The ratio of two medians, or ``-`` if one is missing."""
    return number(median(upper) / median(lower)) + "x" if upper and lower else "-"


def table(title: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table as Markdown."""
    lines = [[str(cell) for cell in row] for row in (head, *rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    lines.insert(1, ["-" * width for width in widths])
    print(f"\n{title}\n")
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        print(f"| {' | '.join(cells)} |", flush=True)


def grid(title: str, corner: str, found: Grid) -> None:
    """Print a table with a row for each kind of work and a column for each program."""
    columns = list(dict.fromkeys(who for _, who in found))
    rows = [
        (what, *(shown(found[what, who]) if (what, who) in found else "-" for who in columns))
        for what in dict.fromkeys(what for what, _ in found)
    ]
    table(title, (corner, *columns), rows)


@dataclass(frozen=True)
class Ended:
    """A process that has ended."""

    seconds: float
    mebibytes: float
    """Its peak of resident memory. On Linux, at least that of this process."""
    output: str


def run(*command: str, environment: Mapping[str, str] | None = None) -> Ended:
    """Run a process to its end, and exit if it fails."""
    start = time.perf_counter()
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, **(environment or {})}
    )
    assert process.stdout
    with process.stdout:
        output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    spent = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return Ended(spent, usage.ru_maxrss / _UNIT, output)


def run_python(text: str, environment: Mapping[str, str] | None = None) -> Ended:
    """Run a Python program, which may import modules of this folder."""
    there = (environment or {}).get("PYTHONPATH") or os.environ.get("PYTHONPATH")
    path = os.pathsep.join(filter(None, (there, _HERE)))
    return run(sys.executable, "-c", text, environment={**(environment or {}), "PYTHONPATH": path})


def run_old(text: str, old: str) -> Ended:
    """Run a Python program with the aspgames of another checkout."""
    return run_python(text, {"PYTHONPATH": str(Path(old, "src").resolve(strict=True))})


def command_line() -> tuple[str, ...]:
    """The program ``aspgames`` of this Python."""
    program = Path(sys.executable).with_name("aspgames")
    return (str(program),) if program.exists() else (sys.executable, "-m", "aspgames")
