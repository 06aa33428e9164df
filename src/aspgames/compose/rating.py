"""How hard a puzzle is, and how good, as numbers.

Nobody has told how hard people find these puzzles, so the difficulty stands for something else that
can be counted: how much one must have seen to be sure of the answer. That is the certificate: the
attacker's moves against every reply, and the defence against fewer turns. Its size in edges, as a
power of two, is foretold from what a search evaluates, how many legal moves there are and the
distance, with the coefficients that ``benchmarks/difficulty.py`` has fitted to sample puzzles.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from .judgement import Judgement

FIT: Mapping[str, float] = {"constant": 1.7, "evaluated": 0.2, "legal": 0.5, "distance": 0.8}
"""The coefficients: of one, of the logarithms (base 2) of positions and moves, and of turns."""

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
"""What each thing that is counted adds to the score."""

_MOST: Mapping[str, int] = {
    "tries": 4,
    "natural": 4,
    "lengths": 3,
    "replies": 8,
    "duals": 6,
    "last_duals": 5,
    "slower": 10,
}
"""More of it counts no more."""


def difficulty(evaluated: int, legal: int, distance: int) -> float:
    """How hard a puzzle is: the size of its proof, as a power of two, as it is foretold."""
    found = (
        FIT["constant"]
        + FIT["evaluated"] * math.log2(1 + evaluated)
        + FIT["legal"] * math.log2(1 + legal)
        + FIT["distance"] * distance
    )
    return round(found, 2)


def score(found: Judgement) -> float:
    """How good a puzzle is: the sum of what is counted, by weight."""
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
