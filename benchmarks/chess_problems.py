"""Chess problems made at random, solved by ``aspgames solve`` and by Popeye: answers and times.

Popeye is a program of its own (https://github.com/thomas-maeder/popeye, ``make -f makefile.unx``):

    python benchmarks/chess_problems.py PATH/TO/py
    python benchmarks/chess_problems.py PATH/TO/py --each 5 --time 60 --kinds "#2" "h#2"

Positions are random, with few pieces; Popeye tells which of them are problems of a kind. Each
program solves each problem in a new process. The times are those of the processes, in seconds.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator

import chess

KINDS = ["#2", "#3", "#4", "#5", "h#2", "h#3", "s#2", "s#3"]
_MOVE = re.compile(r"([a-h][1-8])[-*]([a-h][1-8])(?: ep\.)?(?:=([QRBS]))?")
_CORNERS = "a1e1h1a8e8h8"


def popeye(path: str, board: chess.Board, kind: str, seconds: float) -> tuple[bool, set[str]]:
    """Whether there is a solution in exactly so many moves, and the first moves."""
    forsyth = board.board_fen().replace("N", "S").replace("n", "s")
    asked = f"Stipulation {kind}\nOption NoBoard NoCastling {_CORNERS}\n"
    text = f"BeginProblem\nForsyth {forsyth}\n{asked}EndProblem\n"
    command = [path, "-maxtime", str(math.ceil(seconds))]
    out = subprocess.run(command, input=text, capture_output=True, text=True, check=False).stdout
    keys = set()
    for line in out.splitlines():
        first = re.match(r"\s*1\.(?!\.)(\S.*)", line)
        if first and ("!" in line or kind[0] == "h") and (move := _MOVE.search(first[1])):
            promoted = (move[3] or "").lower().replace("s", "n")
            keys.add(move[1] + move[2] + promoted)
    return bool(keys), keys


def ours(board: chess.Board, kind: str, seconds: float) -> tuple[int | None, str, set[str]]:
    """The distance, the verdict and the keys; no keys in helpmates."""
    fen = f"{board.board_fen()} {'w' if board.turn else 'b'} - - 0 1"
    command = [sys.executable, "-m", "aspgames", "solve", "chess", fen, "--stipulation", kind]
    command += ["--json", "--time", str(seconds)]
    found = json.loads(subprocess.run(command, capture_output=True, check=False).stdout)
    keys = (re.sub("[-x=]", "", key) for key in found.get("keys_text", ()))
    return found["distance"], found["verdict"], set(keys)


def positions(kind: str, rng: random.Random) -> Iterator[chess.Board]:
    """Random valid positions; a helpmate begins with Black."""
    while True:
        board = chess.Board.empty()
        squares = rng.sample(chess.SQUARES, rng.randint(5, 9))
        pieces = "Kk" + rng.choice(("Q", "R", "QR")) + "".join(rng.choices("QRBNPPrbnppp", k=9))
        for square, letter in zip(squares, pieces, strict=False):
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
        board.turn = kind[0] != "h"
        if board.is_valid():
            yield board


def problems(path: str, kind: str, number: int, seed: int) -> Iterator[chess.Board]:
    """Positions with a solution of this kind and no shorter one."""
    turns, name = int(kind[-1]), kind[:-1]
    for board in positions(kind, random.Random(f"{seed} {kind}")):
        if not popeye(path, board, kind, 5)[0]:
            continue
        if not any(popeye(path, board, f"{name}{n}", 5)[0] for n in range(1, turns)):
            yield board
            number -= 1
        if not number:
            return


def compare(
    path: str, kind: str, board: chess.Board, seconds: float
) -> tuple[tuple[float, float], str]:
    """The times of both, and ``same``, ``undecided`` or ``other``."""
    start = time.perf_counter()
    _, theirs = popeye(path, board, kind, seconds)
    middle = time.perf_counter()
    distance, verdict, keys = ours(board, kind, seconds)
    end = time.perf_counter()
    if verdict == "unknown":
        result = "undecided"
    else:
        same = distance == int(kind[-1]) and (kind[0] == "h" or keys == theirs)
        result = "same" if same else "other"
    return (end - middle, middle - start), result


def mean(values: list[float]) -> float:
    """The geometric mean."""
    return math.exp(sum(map(math.log, values)) / len(values))


def main() -> None:
    """Print a row for each kind, and all positions with other answers."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("popeye")
    parser.add_argument("--each", type=int, default=8, help="problems of each kind")
    parser.add_argument("--time", type=float, default=20, help="limit for each problem [s]")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", nargs="*", default=KINDS)
    asked = parser.parse_args()
    ours(chess.Board("8/8/8/8/8/1K6/7R/k7 w - - 0 1"), "#1", 60)  # makes the files of the cache
    print("| kind | problems | same | undecided | other | aspgames | Popeye |")
    print("|---|---|---|---|---|---|---|")
    for kind in asked.kinds:
        rows = []
        for board in problems(asked.popeye, kind, asked.each, asked.seed):
            rows.append(compare(asked.popeye, kind, board, asked.time))
            if rows[-1][1] == "other":
                print(f"{kind} {board.fen()}", file=sys.stderr)
        results = [result for _, result in rows]
        counts = " | ".join(str(results.count(r)) for r in ("same", "undecided", "other"))
        means = " | ".join(f"{mean([times[side] for times, _ in rows]):.2f}" for side in (0, 1))
        print(f"| `{kind}` | {len(rows)} | {counts} | {means} |", flush=True)


if __name__ == "__main__":
    main()
