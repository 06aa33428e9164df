"""Small games solved completely: the time, the states found in a second, the size of the files.

Run it with: python benchmarks/tables.py [--threads N] [--only WORD] [--rate RUNS] [--whole]

``aspgames table`` solves each board in a process of its own; ``aspgames solve`` solves those with
too many states. The answers are checked: samples of a table by the grounder (``--whole``: also all
states by the net), a search by its certificate. ``--rate RUNS`` measures only the speed at which
states of Breakthrough on 4x4 squares are found, with and without symmetries.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from measuring import number, shown, table

_UNIT = 1 << 20 if sys.platform == "darwin" else 1 << 10  # of ru_maxrss, in a MiB


@dataclass(frozen=True)
class Board:
    """A game to solve."""

    title: str
    game: str
    constants: tuple[str, ...] = ()
    winner: str | None = None
    """The side for which a search answers, instead of a table."""

    @property
    def words(self) -> list[str]:
        """The game as arguments of the command line."""
        return [self.game, *(word for each in self.constants for word in ("-c", each))]


def breakthrough(width: int, height: int, winner: str | None = None) -> Board:
    """Breakthrough on a board of some size."""
    constants = (f"width={width}", f"height={height}")
    return Board(f"Breakthrough {width}x{height}", "breakthrough", constants, winner)


BOARDS = (
    *(breakthrough(*size) for size in ((2, 4), (2, 5), (2, 6), (2, 7))),
    *(breakthrough(*size) for size in ((3, 4), (3, 5), (3, 6), (4, 4), (4, 5))),
    *(breakthrough(*size, winner="black") for size in ((5, 4), (6, 4))),
    Board("Connect Four 4x4", "connect_four", ("width=4", "height=4")),
    Board("Connect Four 5x4", "connect_four", ("width=5", "height=4")),
    Board("tic-tac-toe", "tictactoe"),
    Board("Hex 4x4", "hex", ("size=4",)),
    Board("peg solitaire", "peg_solitaire"),
)


def call(*words: str) -> tuple[Any, float, float]:
    """The JSON answer of ``aspgames``, its seconds and its peak memory [MiB]."""
    begun = time.perf_counter()
    command = [sys.executable, "-m", "aspgames", *words, "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert process.stdout
    said = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status):
        sys.exit(f"{' '.join(words)}: exit code {os.waitstatus_to_exitcode(status)}")
    return json.loads(said), time.perf_counter() - begun, usage.ru_maxrss / _UNIT


def by_table(board: Board, folder: Path, threads: int, whole: bool) -> list[str]:
    """A row: solve a board with a table, and check it."""
    file = str(folder / "table")
    made, seconds, memory = call("table", *board.words, "-o", file, "--threads", str(threads))
    _, checking, _ = call("table", "--verify", file)
    if whole:
        checking += call("table", "--verify", file, "--whole", "--threads", str(threads))[1]
    Path(file).unlink()
    goals = made["goals"]
    best = max(goals, key=goals.__getitem__)
    result = "draw" if len(set(goals.values())) == 1 and len(goals) > 1 else best
    return [
        board.title,
        f"{result} in {made['distance']}",
        f"{made['states']:,}" + (f" of {made['symmetries']}" if made["symmetries"] > 1 else ""),
        number(made["states"] / made["enumeration_seconds"]),
        f"{made['bytes'] / made['states']:.1f}",
        f"{seconds:.1f}",
        f"{checking:.1f}",
        number(memory),
    ]


def by_search(board: Board, folder: Path, threads: int) -> list[str]:
    """A row: solve a board with a search, and check its certificate."""
    proof = str(folder / "proof.json")
    asked = ("startpos", "--attacker", board.winner or "", "--goal", "win")
    how = ("--certificate", proof, "--threads", str(threads), "--time", "600")
    solved, seconds, memory = call("solve", *board.words, *asked, *how)
    _, checking, _ = call("verify", proof)
    return [
        board.title,
        f"{board.winner} in {len(solved['line'])}",
        f"searched: {solved['positions']:,}",
        "-",
        "-",
        f"{seconds:.1f}",
        f"{checking:.1f}",
        number(memory),
    ]


def all_boards(boards: Sequence[Board], threads: int, whole: bool) -> None:
    """Solve boards, and print a table."""
    begun = time.perf_counter()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for board in boards:
            if board.winner:
                rows.append(by_search(board, Path(folder), threads))
            else:
                rows.append(by_table(board, Path(folder), threads, whole))
            print(*rows[-1], sep="; ", file=sys.stderr, flush=True)
    head = ("game", "best play, plies", "states", "states a second", "bytes a state")
    table(
        f"{len(boards)} boards, {threads} threads: {time.perf_counter() - begun:.0f} seconds",
        (*head, "seconds", "checking", "MiB"),
        rows,
    )


def rate(threads: int, runs: int) -> None:
    """The speed at which states are found."""
    figures: dict[str, list[float]] = {}
    board = breakthrough(4, 4)
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(runs):
            for title, more in (("apart", ["--no-symmetries"]), ("images together", [])):
                for count in sorted({1, threads}):
                    file = str(Path(folder) / "table")
                    how = (*more, "-o", file, "--threads", str(count))
                    made, _, _ = call("table", *board.words, *how)
                    name = f"{title}, threads: {count}"
                    found = made["states"] / made["enumeration_seconds"]
                    figures.setdefault(name, []).append(found)
    rows = [(name, shown(found)) for name, found in figures.items()]
    table("New states a second, Breakthrough 4x4", ("mirror images", "states a second"), rows)


def main() -> None:
    """Measure the parts that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", default="", metavar="WORD", help="games with this in their title")
    parser.add_argument("--without", metavar="TITLE", help="leave this one out")
    parser.add_argument("--rate", type=int, metavar="RUNS")
    parser.add_argument("--whole", action="store_true")
    options = parser.parse_args()
    if options.rate:
        rate(options.threads, options.rate)
    else:
        chosen = [b for b in BOARDS if options.only in b.title and b.title != options.without]
        all_boards(chosen, options.threads, options.whole)


if __name__ == "__main__":
    main()
