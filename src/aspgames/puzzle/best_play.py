"""The full tree of best play: the attacker's fastest moves and the defender's longest replies."""

from typing import Any

from ..runtime.errors import LimitReached
from .solution import Solution
from .solved import Position, Solved

_MOST_MOVES = 10_000


def best_play(solved: Solved, solution: Solution) -> dict[str, Any]:
    """Best play as nested objects, by move; empty without a distance.

    The tree has all moves of the attacker that force the goal in the fewest turns, and all replies
    that hold out longest. No line repeats a position. Raises ``LimitReached`` for a tree of more
    than 10,000 moves, or one that is too deep.
    """
    if solution.distance is None:
        return {}
    left = _MOST_MOVES
    met = {solved.root}

    def below(position: Position, turns: float) -> dict[str, Any]:
        nonlocal left
        if position.goal_reached:
            return {}
        found = {}
        for move, child in position.best_moves(turns):
            if child in met:
                continue
            left -= 1
            if left < 0:
                raise LimitReached(f"the tree of best play has more than {_MOST_MOVES:,} moves")
            met.add(child)
            after = below(child, position.turns_after(child, turns))
            met.remove(child)
            if after or child.goal_reached:  # else the child leads nowhere but back
                found[move] = after
        return found

    try:
        return below(solved.root, solution.distance - solved.root.attacks)
    except RecursionError:
        raise LimitReached("the tree of best play is too deep") from None
