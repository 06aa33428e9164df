"""The judgement of a puzzle."""

from __future__ import annotations

from dataclasses import dataclass, field


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
