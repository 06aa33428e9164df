"""When a state reaches each goal, written once more, without the program's own words."""

from collections.abc import Callable
from typing import NamedTuple


class Shape(NamedTuple):
    """A state: the words for the sides on move, whether they can move, the end, the values."""

    sides: str
    moves: bool
    ends: bool
    white: int | None
    black: int | None

    @property
    def stuck(self) -> bool:
        """Whether Black is on move and can't move."""
        return self.sides == "b" and not self.moves


REACHED: dict[str, Callable[[Shape, int], bool]] = {
    "trap": lambda state, _: state.stuck,
    "win": lambda state, _: state.ends and state.white == 100,
    "lose": lambda state, _: state.ends and not state.white and state.black == 100,
    "draw": lambda state, _: state.ends and 100 not in (state.white, state.black),
    "stalemate": lambda state, _: (
        state.ends and state.stuck and 100 not in (state.white, state.black)
    ),
    "score": lambda state, least: (state.white or 0) >= least,
}
"""For each kind of goal, whether White reaches it in a state; the number is that of a score."""


def reaches(goal: str, state: Shape) -> bool:
    """Whether White reaches a goal, such as ``score>=50``, in a state."""
    kind, _, least = goal.partition(">=")
    return REACHED[kind](state, int(least or 0))
