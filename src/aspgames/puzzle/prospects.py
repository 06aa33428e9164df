"""The known results of a position's moves, and orders of moves."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from .solved import Solved

FOREVER = math.inf


@dataclass(frozen=True, slots=True)
class Prospect:
    """The known result of a move."""

    move: str
    least: float
    """The least number of turns that the attacker needs, one already begun included."""
    most: float
    """The number of turns that suffice; ``FOREVER`` unless the goal is known to be forced."""

    @property
    def holds(self) -> bool:
        """Whether it is known that the attacker can't force the goal after the move."""
        return self.least == FOREVER


Better = Callable[[Prospect], tuple[float, ...]]
"""A sort key for moves; the best move has the least key."""


def quickest(prospect: Prospect) -> tuple[float, ...]:
    """Order of the attacker's moves: the fewest turns first."""
    return prospect.most, prospect.least


def longest(prospect: Prospect) -> tuple[float, ...]:
    """Order of the defender's moves: those that hold, unknown ones, then those that lose latest."""
    return -prospect.holds, -(prospect.most == FOREVER), -prospect.least


def prospects(solved: Solved) -> list[Prospect]:
    """The known result of each move at a puzzle's position."""
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
