"""Numbers for the difficulty and the quality of a puzzle.

There are no data about how hard people find these puzzles. The difficulty is therefore the size of
the proof: the number of edges of the certificate, as a power of two. It is predicted from the
number of positions that a search evaluates, the number of legal moves and the distance, with
coefficients that ``benchmarks/difficulty.py`` has fitted to sample puzzles.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from .judgement import Judgement

FIT: Mapping[str, float] = {"constant": 1.7, "evaluated": 0.2, "legal": 0.5, "distance": 0.8}
"""The coefficients of 1, of the binary logarithms of positions and moves, and of turns."""

WEIGHTS: Mapping[str, float] = {
    "difficulty": 0.5,
    "tries": 0.5,
    "natural": 0.5,
    "lengths": 0.5,
    "replies": 0.1,
    "duals": -0.5,
    "last_duals": -0.2,
    "slower": -0.1,
    "superfluous": -2.0,
}
"""The weight of each count in the score."""

_MOST: Mapping[str, int] = {
    "tries": 4,
    "natural": 4,
    "lengths": 3,
    "replies": 8,
    "duals": 6,
    "last_duals": 5,
    "slower": 10,
}
"""The limit of each count in the score."""


def difficulty(evaluated: int, legal: int, distance: int) -> float:
    """The difficulty: the predicted size of the proof, as a power of two."""
    found = (
        FIT["constant"]
        + FIT["evaluated"] * math.log2(1 + evaluated)
        + FIT["legal"] * math.log2(1 + legal)
        + FIT["distance"] * distance
    )
    return round(found, 2)


def score(found: Judgement) -> float:
    """The quality: the weighted sum of counts."""
    last = sum(dual.turns == 1 for dual in found.duals)
    counted = {
        "tries": len(found.tries),
        "natural": len(found.natural),
        "lengths": max(0, len(found.variations) - 1),
        "replies": sum(found.variations.values()),
        "duals": len(found.duals) - last,
        "last_duals": last,
        "slower": len(found.slower),
    }
    total = WEIGHTS["difficulty"] * found.difficulty
    total += WEIGHTS["superfluous"] * len(found.superfluous) / max(1, found.pieces)
    total += sum(WEIGHTS[what] * min(_MOST[what], number) for what, number in counted.items())
    return round(total, 2)
