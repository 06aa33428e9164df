"""What is known of a position's moves, and an order of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from .solved import Solved

FOREVER = math.inf


@dataclass(frozen=True, slots=True)
class Prospect:
    """What is known of a move."""

    move: str
    least: float
    """The turns that the attacker needs at least, one already begun included."""
    most: float
    """The turns that suffice; ``FOREVER`` unless the goal is known to be forced after it."""

    @property
    def holds(self) -> bool:
        """Whether the attacker is known not to force the goal after it."""
        return self.least == FOREVER


Better = Callable[[Prospect], tuple[float, ...]]
"""A key for moves; the least is the best."""


def quickest(prospect: Prospect) -> tuple[float, ...]:
    """Order of the attacker's moves: the fewest turns first."""
    return prospect.most, prospect.least


def longest(prospect: Prospect) -> tuple[float, ...]:
    """Order of the defender's moves: those that hold, unknown ones, then those that lose latest."""
    return -prospect.holds, -(prospect.most == FOREVER), -prospect.least


def prospects(solved: Solved) -> list[Prospect]:
    """What is known of each move at a puzzle's position."""
    root, found = solved.root, []
    for move, child in root.children():
        if child.goal_reached:
            found.append(Prospect(move, 0.0, 0.0))
            continue
        begun = int(root.attacks) + (child.attacks and not root.attacks)
        lower, upper = child.bounds
        known = child.known(root.turns_after(child, solved.turns_left))
        least = FOREVER if known is False else lower + begun
        most = upper + begun if known else FOREVER
        found.append(Prospect(move, least, most))
    return found
