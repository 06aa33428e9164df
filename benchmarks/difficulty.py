"""The formula of a puzzle's difficulty, fitted to the sizes of the proofs of sample puzzles.

    python benchmarks/difficulty.py tests/data/puzzles.jsonl tests/data/puzzles_mixed.jsonl

``src/aspgames/composer/judgement.py`` has the coefficients and their meaning.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import aspgames
from aspgames.composer.judging import judge
from aspgames.puzzle.problem import Puzzle
from aspgames.puzzle.proof.certificate import certificate
from aspgames.runtime.budget import Budget
from aspgames.runtime.errors import LimitReached
from aspgames.solver.search.puzzle_search import Search

_SECONDS = 20
_EFFORT = 20_000


def main() -> None:
    """Fit the formula and print it."""
    rows = []
    for puzzle in puzzles(sys.argv[1:]):
        try:
            judged = judge(puzzle, budget=Budget(_SECONDS), effort=_EFFORT)
            if judged.keys:
                search = Search(puzzle, Budget(_SECONDS), threads=1)
                proof = certificate(search, search.run())
                size = edges(proof["attack"]) + edges(proof["defence"])
                rows.append((judged.evaluated, judged.legal, judged.distance, size))
        except LimitReached:
            continue
    features = np.array([[1, math.log2(1 + e), math.log2(1 + legal), d] for e, legal, d, _ in rows])
    sizes = np.log2([size for *_, size in rows])
    found = np.linalg.lstsq(features, sizes, rcond=None)[0]
    error = sizes - features @ found
    share = 1 - (error**2).sum() / ((sizes - sizes.mean()) ** 2).sum()
    for name, value in zip(("constant", "evaluated", "legal", "distance"), found, strict=True):
        print(f"{name:<10} {value:5.2f}")
    factor = 2 ** np.sqrt((error**2).mean())
    print(f"{len(rows)} puzzles, R2 {share:.2f}, off by a factor of {factor:.1f}")


def puzzles(names: list[str]) -> Iterator[Puzzle]:
    """The puzzles of some files in which the attacker is on move."""
    for name in names:
        for line in Path(name).read_text().splitlines():
            request = json.loads(line)
            game = aspgames.load(request["game"], **request.get("const", {}))
            state = game.position(request.get("position", "startpos"))
            if state.to_move == request["attacker"]:
                within = request.get("within")
                yield Puzzle.of(state, request["attacker"], request["goal"], within)


def edges(part: Any) -> int:
    """The number of edges of a strategy."""
    if isinstance(part, dict):
        return len(part) + sum(map(edges, part.values()))
    return len(part) + sum(map(edges, part)) if isinstance(part, list) else 0


if __name__ == "__main__":
    main()
