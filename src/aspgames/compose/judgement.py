"""The judgement of a puzzle."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from .key_play import KeyPlay

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


@dataclass(frozen=True, slots=True)
class Dual:
    """A turn of the main play with several best moves."""

    after: tuple[str, ...]
    """The moves before this turn."""
    moves: tuple[str, ...]
    turns: int
    """The turns until the goal, including this one."""


@dataclass(frozen=True, slots=True)
class Try:
    """A move that only one reply refutes."""

    move: str
    refutation: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """The judgement of a puzzle. Moves are in the game's own notation, except ``keys``."""

    sound: bool
    """Whether there is exactly one solution, and no shorter one than the puzzle says."""
    verdict: str
    """``forced``, ``not_forced``, ``possible``, ``impossible`` or ``unknown``."""
    distance: int | None = None
    """The turns of the solution; for a puzzle about the defender's move, the turns in which its
    other moves lose."""
    keys: tuple[str, ...] = ()
    """The first moves of the solutions, as terms."""
    keys_text: tuple[str, ...] = ()
    line_text: tuple[str, ...] = ()
    """The main play: a line in which the defender holds out."""
    shorter: bool = False
    """Whether the solution takes fewer turns than the puzzle says."""
    cooks: tuple[str, ...] = ()
    """Keys other than the intended one, which is the key of the puzzle's answer, or the first."""
    slower: tuple[str, ...] = ()
    """Moves that force the goal one turn later."""
    duals: tuple[Dual, ...] = ()
    tries: tuple[Try, ...] = ()
    natural: tuple[str, ...] = ()
    """Moves that look at least as good as the key, but fail."""
    play: tuple[KeyPlay, ...] = ()
    """The play after each key, then the set play if there is any. Empty if a limit came first."""
    variations: dict[str, int] = field(default_factory=dict)
    """The number of replies to the key, by the turns in which they lose (the key included)."""
    pieces: int = 0
    superfluous: tuple[str, ...] = ()
    """The squares of superfluous pieces of both sides, each by itself."""
    smallest: str | None = None
    """The position without all pieces that can be left out together; None without any."""
    smallest_pieces: int = 0
    legal: int = 0
    """The number of legal moves."""
    evaluated: int = 0
    """The number of positions that a search evaluates to find the solution."""
    difficulty: float = 0.0
    score: float = 0.0


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
