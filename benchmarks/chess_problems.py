"""Sixty chess problems from the literature, solved by ``aspgames solve`` and by Popeye.

Popeye is a program of its own (https://github.com/thomas-maeder/popeye, ``make -f makefile.unx``):

    python benchmarks/chess_problems.py PATH/TO/py
    python benchmarks/chess_problems.py PATH/TO/py --time 60 --kinds "#2" "h#2"
    python benchmarks/chess_problems.py PATH/TO/py --processor

The problems are in ``chess_problems.jsonl``: mates in 2 to 5, helpmates and selfmates, drawn at
random among those of Loyd, Baird, Dawson and Kubbel in which Popeye finds one key and no shorter
solution. Each program solves each problem in a new process. The times are those of the processes,
in seconds.

With ``--processor`` both read Popeye's language, the times are the processor's, and what
``solve --popeye`` takes for a mate in one is subtracted from its times: its fixed cost. Then come
the series movers of Madrasi in ``examples/puzzles/fairy_problems.jsonl``, and last all mates in two
and three in one file, without subtraction.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

PROBLEMS = Path(__file__).with_suffix(".jsonl")
FAIRY = PROBLEMS.parents[1] / "examples" / "puzzles" / "fairy_problems.jsonl"
_MOVE = re.compile(r"([a-h][1-8])[-*]([a-h][1-8])(?: ep\.)?(?:=([QRBS]))?")
_CORNERS = "a1e1h1a8e8h8"


def popeye(path: str, problem: dict[str, str], seconds: float) -> set[str]:
    """The first moves of all solutions."""
    forsyth = problem["position"].split()[0].replace("N", "S").replace("n", "s")
    stipulation = problem["stipulation"]
    asked = f"Stipulation {stipulation}\nOption NoBoard NoCastling {_CORNERS}\n"
    text = f"BeginProblem\nForsyth {forsyth}\n{asked}EndProblem\n"
    command = [path, "-maxtime", str(math.ceil(seconds))]
    out = subprocess.run(command, input=text, capture_output=True, text=True, check=False).stdout
    keys = set()
    for line in out.splitlines():
        first = re.match(r"\s*1\.(?!\.)(\S.*)", line)
        if first and ("!" in line or stipulation[0] == "h") and (move := _MOVE.search(first[1])):
            promoted = (move[3] or "").lower().replace("s", "n")
            keys.add(move[1] + move[2] + promoted)
    return keys


def ours(problem: dict[str, str], seconds: float) -> tuple[int | None, str, set[str]]:
    """The distance, the verdict and the keys; in helpmates the first move of one solution."""
    command = [sys.executable, "-m", "aspgames", "solve", "chess", problem["position"]]
    command += ["--stipulation", problem["stipulation"], "--json", "--time", str(seconds)]
    found = json.loads(subprocess.run(command, capture_output=True, check=False).stdout)
    keys = found["keys_text"] if "keys_text" in found else found["line_text"][:1]
    return found["distance"], found["verdict"], {re.sub("[-x=]", "", key) for key in keys}


def compare(path: str, problem: dict[str, str], seconds: float) -> tuple[tuple[float, float], str]:
    """The times of both, and ``same``, ``undecided`` or ``other``."""
    start = time.perf_counter()
    theirs = popeye(path, problem, seconds)
    middle = time.perf_counter()
    distance, verdict, keys = ours(problem, seconds)
    end = time.perf_counter()
    if verdict == "unknown" or distance is None or not keys:
        result = "undecided"
    else:
        helped = problem["stipulation"][0] == "h"
        right = keys <= theirs if helped else keys == theirs == {problem["key"]}
        turns = int(problem["stipulation"].rpartition("#")[2])
        result = "same" if right and distance == turns else "other"
    return (end - middle, middle - start), result


def problem_text(problem: dict[str, str]) -> str:
    """A problem in Popeye's language, without its begin and end."""
    forsyth = problem["position"].split()[0].replace("N", "S").replace("n", "s")
    asked = f"Stipulation {problem['stipulation']}\nOption NoBoard NoCastling {_CORNERS}\n"
    return f"Forsyth {forsyth}\n{asked}"


def spent(command: list[str], texts: Iterable[str]) -> float:
    """The processor time for problems in one file [s]."""
    text = "BeginProblem\n" + "NextProblem\n".join(texts) + "EndProblem\n"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def processor(popeye: str, problems: list[dict[str, str]]) -> None:
    """Print the processor times, beside Popeye's."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # as it is installed
    ours, theirs = [sys.executable, "-m", "aspgames", "solve", "--popeye", "-"], [popeye]
    least = problem_text({"position": "7k/8/6K1/8/8/8/8/R7 w", "stipulation": "#1"})
    libraries = [sys.executable, "-c", "import clingo, numpy"]
    fixed = min(spent(ours, [least]) for _ in range(5))
    other = min(spent(libraries, []) for _ in range(5))
    print(f"fixed: {fixed:.2f} s, {fixed / other:.2f} x import clingo, numpy")
    whole = []
    for kind in ("#2", "#3", "#4", "#5"):
        chosen = [problem_text(each) for each in problems if each["stipulation"] == kind]
        ratios = []
        for text in chosen:
            more = max(spent(ours, [text]) - fixed, 0.002)
            ratios.append(more / spent(theirs, [text]))
        whole += ratios
        print(f"{kind}: {len(ratios)} problems, {mean(ratios):.1f} x Popeye", flush=True)
    print(f"all: {mean(whole):.1f} x Popeye")
    fairy = [json.loads(line) for line in FAIRY.read_text(encoding="utf-8").splitlines()]
    ratios = []
    for problem in fairy:
        if problem["game"].endswith("madrasi.lp"):
            text = "Condition Madrasi\n" + problem_text(problem)
            spent(ours, [text])  # makes the net
            ratios.append((spent(ours, [text]) - fixed) / spent(theirs, [text]))
    print(f"ser-#4: {len(ratios)} problems, {mean(ratios):.0f} x Popeye", flush=True)
    chosen = [problem_text(each) for each in problems if each["stipulation"] in ("#2", "#3")]
    times = [(spent(ours, chosen), spent(theirs, chosen)) for _ in range(3)]
    our, their = sorted(times)[1]
    print(f"{len(chosen)} in a file: {our:.2f} s, Popeye {their:.2f} s, {our / their:.1f} x")


def mean(values: Iterable[float]) -> float:
    """The geometric mean."""
    logarithms = list(map(math.log, values))
    return math.exp(sum(logarithms) / len(logarithms))


def main() -> None:
    """Print a row for each kind and one for all, and the problems with other answers."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("popeye")
    parser.add_argument("--time", type=float, default=60, help="limit for each problem [s]")
    parser.add_argument("--kinds", nargs="*", help="stipulations; default: all")
    parser.add_argument("--processor", action="store_true", help="the processor's times")
    asked = parser.parse_args()
    problems = [json.loads(line) for line in PROBLEMS.read_text(encoding="utf-8").splitlines()]
    if asked.processor:
        processor(asked.popeye, problems)
        return
    ours(problems[0], 60)  # makes the files of the cache
    print("| kind | problems | same | undecided | other | aspgames | Popeye | of the aim |")
    print("|---|---|---|---|---|---|---|---|")

    def show(kind: str, rows: list[tuple[tuple[float, float], str]]) -> None:
        results = [result for _, result in rows]
        counts = " | ".join(str(results.count(r)) for r in ("same", "undecided", "other"))
        our, their = (mean(times[side] for times, _ in rows) for side in (0, 1))
        ratio = mean(a / (5 * b + 0.3) for (a, b), _ in rows)
        print(
            f"| {kind} | {len(rows)} | {counts} | {our:.2f} | {their:.2f} | {ratio:.1f} |",
            flush=True,
        )

    whole = []
    for kind, alike in groupby(problems, lambda problem: problem["stipulation"]):
        if asked.kinds and kind not in asked.kinds:
            continue
        rows = []
        for problem in alike:
            rows.append(compare(asked.popeye, problem, asked.time))
            if rows[-1][1] != "same":
                print(f"{rows[-1][1]}: {json.dumps(problem, ensure_ascii=False)}", file=sys.stderr)
        show(f"`{kind}`", rows)
        whole += rows
    show("all", whole)


if __name__ == "__main__":
    main()
