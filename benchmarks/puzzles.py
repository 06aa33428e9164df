"""The time to solve puzzles, and to check their certificates.

Run it with: python benchmarks/puzzles.py [--time SECONDS] [--threads N] [--certify] [SET ...]

A set is ``sample`` (``tests/data/puzzles.jsonl``), ``small``, ``mixed`` or ``hard``. Each puzzle is
solved once, with a time limit that includes the net, in a process that has solved another puzzle
before. The answers are compared with those of an independent engine, which are in the file. There
are no ratios, because no program that could be installed solves such puzzles. ``nodes`` in the
files is the number of positions that the independent engine searched.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path
from typing import Any

import aspgames
from aspgames.puzzle.problem import Puzzle
from aspgames.puzzle.proof.certificate import certificate
from aspgames.puzzle.proof.verify import Verification, verify
from aspgames.runtime.budget import Budget
from aspgames.runtime.errors import LimitReached
from aspgames.solver.search.puzzle_search import Search

DATA = Path(__file__).parents[1] / "tests/data"
SETS = {"sample": "puzzles", **{s: f"puzzles_{s}" for s in ("small", "mixed", "hard")}}


def solve(
    puzzle: dict[str, Any], seconds: float, threads: int = 1
) -> tuple[Search, aspgames.Solution, float]:
    """The search, its answer, and its seconds, including the net."""
    game = aspgames.load(puzzle["game"], **puzzle.get("const", {}))
    state = game.position(puzzle["position"])
    asked = Puzzle.of(state, puzzle["attacker"], puzzle["goal"], puzzle.get("within"))
    start = time.perf_counter()
    search = Search(asked, Budget(seconds), threads=threads)
    solution = search.run()
    return search, solution, time.perf_counter() - start


def check(search: Search, solution: aspgames.Solution) -> tuple[Verification, float] | None:
    """Check a solution's certificate; returns its seconds, too, or None if it is too large."""
    try:
        proof = json.loads(json.dumps(certificate(search, solution)))
        start = time.perf_counter()
        return verify(proof), time.perf_counter() - start
    except LimitReached:
        return None


def measure(name: str, seconds: float, threads: int, certify: bool) -> None:
    """Solve a set and print a row."""
    puzzles = [json.loads(line) for line in (DATA / f"{SETS[name]}.jsonl").read_text().splitlines()]
    taken, unknown, wrong = [], 0, 0
    checks: list[tuple[Verification, float]] = []
    for puzzle in puzzles:
        search, solution, spent = solve(puzzle, seconds, threads)
        taken.append(spent)
        answer = solution.verdict, solution.distance, len(solution.keys)
        if solution.verdict == "unknown":
            unknown += 1
        elif answer != tuple(puzzle["answer"][k] for k in ("verdict", "distance", "keys")):
            wrong += 1
        elif certify and (checked := check(search, solution)):
            checks.append(checked)
    cells = [
        name,
        str(len(puzzles)),
        str(wrong),
        str(unknown),
        *(f"{s:.2f}" for s in (sum(taken), statistics.median(taken), max(taken))),
    ]
    if certify:
        edges, plans = sum(c.edges for c, _ in checks), sum(c.plans for c, _ in checks)
        cells.append(f"{len(checks)}: {edges} edges, {plans} plans")
        cells.append(f"{sum(spent for _, spent in checks):.2f}")
    print("| " + " | ".join(cells) + " |", flush=True)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", nargs="*", metavar="SET", help=f"of {', '.join(SETS)} (all)")
    parser.add_argument("--time", type=float, default=60.0, help="seconds a puzzle (60)")
    parser.add_argument("--threads", type=int, default=1, help="threads that share a puzzle (1)")
    parser.add_argument("--certify", action="store_true", help="check certificates, too")
    arguments = parser.parse_args()
    if unknown := set(arguments.sets) - set(SETS):
        parser.error(f"there is no set {', '.join(sorted(unknown))}")
    first = json.loads((DATA / "puzzles.jsonl").read_text().splitlines()[0])
    check(*solve(first, arguments.time)[:2])
    columns = ["set", "puzzles", "wrong", "unknown", "s together", "median s", "greatest s"]
    columns += ["certificates", "s to check"] * arguments.certify
    print("| " + " | ".join(columns) + " |")
    print("|" + " --- |" * len(columns))
    for name in arguments.sets or SETS:
        measure(name, arguments.time, arguments.threads, arguments.certify)


if __name__ == "__main__":
    main()
