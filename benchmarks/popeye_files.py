"""Files of chess problems in Popeye's language, solved here and by Popeye, line by line.

Popeye comes with such files, in its folders ``BEISPIEL``, ``EXAMPLES`` and ``REGRESSIONS``
(https://github.com/thomas-maeder/popeye, ``make -f makefile.unx``):

    python benchmarks/popeye_files.py PATH/TO/py BEISPIEL/*.inp --number 200 --time 20

Problems are drawn at random until so many of them were read here and decided by both programs, each
in a new process. With ``--quick 0.1``, Popeye is asked first, and what takes it longer [s] is left
out. Compared are the keys, the tries and all lines of help play and of series play; a problem in
which only threats or variations differ is counted apart. Times are the processor's.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from aspgames.crosscheck.engines.popeye_input import read_problems

_WORDS = {
    "english": ("BeginProblem", "EndProblem"),
    "german": ("AnfangProblem", "EndeProblem"),
    "french": ("DebutProbleme", "FinProbleme"),
}
_REFUSED = 2


def problems(path: Path) -> Iterator[str]:
    """The problems of a file, each as a text of its own."""
    text = path.read_text(encoding="latin-1")
    rows = text.splitlines()
    found = {problem.line: problem.language for problem in read_problems(text)}
    starts = sorted(found)
    for start, end in zip(starts, [*starts[1:], len(rows) + 1], strict=True):
        first, last = _WORDS[found[start]]
        words = "".join(rows[start - 1].split(None, 1)[1:])
        yield "\n".join([first, words, *rows[start : end - 1], last, ""])


def run(command: Sequence[str], text: str, folder: str, most: int) -> tuple[int, str, str, float]:
    """The exit code, what was printed, and the processor's time [s], which is at most ``most``."""
    before = os.times()
    done = subprocess.run(
        command,
        input=text.encode("latin-1"),
        capture_output=True,
        cwd=folder,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (most, most)),
    )
    after = os.times()
    spent = after.children_user + after.children_system
    spent -= before.children_user + before.children_system
    out, err = (each.decode("utf-8", "replace") for each in (done.stdout, done.stderr))
    return done.returncode, out, err, spent


def lines(text: str) -> set[str]:
    """The lines with moves, not ``1. Preis``; squares between, as of mars circe, are left out."""
    found = {re.sub(r"\s+", " ", line.strip()) for line in text.splitlines()}
    moves = (line for line in found if re.match(r"[0-9]+\.(.*([a-h][1-8]|0-0)| \w+ [!?])", line))
    return {re.sub(r"-[a-h][1-8](?=[-*][a-h])", "", line) for line in moves}


def main_lines(found: set[str]) -> set[str]:
    """Keys, tries and lines of help play: without threats, variations and refutations."""
    first = {re.sub(r" ([a-zA-Z]+:|(?i:zugzwang|blocus)\.)$", "", line) for line in found}
    marked = {line for line in first if re.match(r"1\.(?!\.).*[!?]$", line)}
    return marked or found


def main() -> None:
    """Print the number of problems for each result, and those that differ."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("popeye")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--number", type=int, default=200, help="problems that both decide")
    parser.add_argument("--time", type=int, default=20, help="limit of processor time for each [s]")
    parser.add_argument("--quick", type=float, help="most processor time of Popeye's [s]")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    drawn = [(path, text) for path in asked.files for text in problems(path)]
    random.Random(asked.seed).shuffle(drawn)
    counts, times = Counter[str](), [0.0, 0.0]
    with tempfile.TemporaryDirectory() as folder:
        for path, text in drawn:
            killed, answer, theirs = 0, "", -1.0
            if asked.quick:
                killed, answer, _, theirs = run([asked.popeye], text, folder, 1 + int(asked.quick))
                if killed < 0 or theirs > asked.quick:
                    counts["Popeye's limit"] += 1
                    continue
            command = [sys.executable, "-m", "aspgames", "solve", "--popeye", "-"]
            limit = ["--time", str(20 * asked.time)]
            code, out, err, spent = run([*command, *limit], text, folder, asked.time)
            result = "undecided"
            if code == _REFUSED or (code == 0 and err):
                result = "refused"
            elif code == 0:
                if theirs < 0:
                    killed, answer, _, theirs = run([asked.popeye], text, folder, asked.time)
                result = "Popeye's limit" if killed < 0 else "other"
                ours, other = lines(out), lines(answer)
                if result == "other" and main_lines(ours) == main_lines(other):
                    result = "same" if ours == other else "same keys"
                times = [times[0] + spent, times[1] + theirs]
            counts[result] += 1
            print(f"{path.name} {result} {spent:.1f}", flush=True)
            if code not in (0, 2, 3) or result in ("other", "same keys"):
                print(f"{text}\n--- ours\n{out}{err}\n--- Popeye\n{answer}\n", file=sys.stderr)
            if counts["same"] + counts["same keys"] + counts["other"] == asked.number:
                break
    print(*(f"{name}: {number}" for name, number in sorted(counts.items())), sep=", ")
    print(f"processor time of those decided [s]: {times[0]:.0f}, Popeye {times[1]:.0f}")


if __name__ == "__main__":
    main()
