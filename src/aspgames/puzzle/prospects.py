"""What is known of a position's moves, and which of them is the best by that."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from .solved import Solved

FOREVER = math.inf


@dataclass(frozen=True, slots=True)
class Prospect:
    """What a move is known to lead to."""

    move: str
    least: float
    """The turns that the attacker needs at least, one under way before the move included ..."""
    most: float
    """... and at most; ``FOREVER`` where the goal isn't known to be forced after the move."""

    @property
    def holds(self) -> bool:
        """Whether the attacker is known not to force the goal after the move."""
        return self.least == FOREVER


Better = Callable[[Prospect], tuple[float, ...]]
"""Ranks moves: the least is the best."""


def quickest(prospect: Prospect) -> tuple[float, ...]:
    """Ranks the attacker's moves: the fewest turns first."""
    return prospect.most, prospect.least


def longest(prospect: Prospect) -> tuple[float, ...]:
    """Ranks the defender's: what holds, then what isn't known to lose, then what loses latest."""
    return -prospect.holds, -(prospect.most == FOREVER), -prospect.least


def prospects(solved: Solved) -> list[Prospect]:
    """What is known of each move at a puzzle's position, by the moves as terms."""
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
