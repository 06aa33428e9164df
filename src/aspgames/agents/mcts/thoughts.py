"""What a player thinks at one moment: a move, and the lines that begin with it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ...game.move import Move
from ...game.state import State


@dataclass(frozen=True)
class Line:
    """A continuation from a state."""

    plies: tuple[tuple[State, Move], ...]
    """The moves, each with the state before it."""
    mean: float
    """The mean goal of the thinking role, from 0 to 1."""
    turns: int | None = None
    """The role's turns to its proven win; negative for the other side's win."""


@dataclass(frozen=True)
class Thought:
    """A player's choice at one moment; ``lines`` is valid until the next thought."""

    move: str
    """The best move, as a term."""
    games: int = 0
    """The random games for this state so far; with a learned value, the evaluated states."""
    certain: bool = False
    """Whether more time would change nothing."""
    fullness: float = 0.0
    """The part of the memory in use."""
    depth: int = 0
    """The completed depth [plies], with a learned value."""
    deepest: int = 0
    """The longest line [plies], with a learned value."""
    lines: Callable[[int], Sequence[Line]] = field(default=lambda _number: ())
    """Returns the given number of best lines."""
