"""What is said of a puzzle."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Dual:
    """A turn of the main play with several moves that are as good."""

    after: tuple[str, ...]
    """The moves that lead there."""
    moves: tuple[str, ...]
    turns: int
    """The turns until the goal, this one included."""


@dataclass(frozen=True, slots=True)
class Try:
    """A move that fails because of one reply alone."""

    move: str
    refutation: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is said of a puzzle. Moves are as people write them, but for ``keys``."""

    sound: bool
    """Whether there is one solution, and none that is shorter than the puzzle says."""
    verdict: str
    """``forced``, ``not_forced``, ``possible``, ``impossible`` or ``unknown``."""
    distance: int | None = None
    """The turns that the solution takes; where the defender's move is looked for, those in which
    its other moves lose."""
    keys: tuple[str, ...] = ()
    """The first moves of the solutions, as terms."""
    keys_text: tuple[str, ...] = ()
    line_text: tuple[str, ...] = ()
    """The main play: a line in which the defender holds out."""
    shorter: bool = False
    """Whether it takes fewer turns than the puzzle says."""
    cooks: tuple[str, ...] = ()
    """Keys besides the one that is meant: that of the puzzle's answer, or else the first."""
    slower: tuple[str, ...] = ()
    """Moves that force the goal, too, a turn later."""
    duals: tuple[Dual, ...] = ()
    tries: tuple[Try, ...] = ()
    natural: tuple[str, ...] = ()
    """Moves that look at least as good as the key, and fail."""
    variations: dict[str, int] = field(default_factory=dict)
    """How many replies to the key lose in so many turns, the key's included."""
    pieces: int = 0
    superfluous: tuple[str, ...] = ()
    """The squares of pieces, of either side, each of which can go and the puzzle stays."""
    smallest: str | None = None
    """The position when all have gone that can go together; None if none can."""
    smallest_pieces: int = 0
    legal: int = 0
    """How many moves there are."""
    evaluated: int = 0
    """How many positions a search evaluates until the solution is known."""
    difficulty: float = 0.0
    score: float = 0.0
