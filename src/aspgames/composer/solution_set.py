"""The solutions of a position: they show whether it is a puzzle, or how far from one."""

from dataclasses import dataclass

from ..puzzle.solved import Position
from .bounded_search import BoundedSearch, Undecided
from .order import FORCED, NOT_FORCED, Order

_MOST_STATES = 4000  # in a search for cooperative play


@dataclass(frozen=True, slots=True)
class SolutionSet:
    """The solutions of a position that is a puzzle, or almost one."""

    distance: int
    """The turns of the solution; for a puzzle about the defender's move, the turns in which all
    other moves lose."""
    solutions: tuple[str, ...]
    """The first moves of the solutions, as terms, up to a limit; none if the distance is too
    short."""

    @property
    def is_sound(self) -> bool:
        """Whether there is exactly one solution."""
        return len(self.solutions) == 1


def find_solutions(
    root: Position, order: Order, ask: BoundedSearch, most: int
) -> SolutionSet | None:
    """Find at most ``most + 1`` solutions of a position.

    Returns None if the position isn't almost a puzzle, or the search takes too long.
    """
    if root.goal_reached or root.over:
        return None
    try:
        if order.stipulation == FORCED:
            return _forced(root, order, ask, most)
        if order.stipulation == NOT_FORCED:
            return _only_moves(root, order, ask, most)
        return _helped(root, order, ask, most)
    except Undecided:
        return None


def _forced(root: Position, order: Order, ask: BoundedSearch, most: int) -> SolutionSet | None:
    """Solutions in which the attacker, on move, forces the goal."""
    if not root.attacks or not ask(root, order.most - 1):
        return None
    distance = next(number for number in range(order.most + 1) if ask(root, number - 1))
    keys: list[str] = []
    for move, child in root.children() if distance >= order.least else ():
        if ask(child, root.turns_after(child, distance - 1)):
            keys.append(move)
            if len(keys) > most:
                break
    return SolutionSet(distance, tuple(keys))


def _only_moves(root: Position, order: Order, ask: BoundedSearch, most: int) -> SolutionSet | None:
    """Solutions in which the defender, on move, prevents the goal; all other moves lose in time."""
    if root.attacks or ask(root, order.most):
        return None
    holding: list[str] = []
    distance, children = 0, root.children()
    for move, child in children:
        if not ask(child, root.turns_after(child, order.most)):
            holding.append(move)
            if len(holding) > most:
                return None
            continue
        while not ask(child, root.turns_after(child, distance)):
            distance += 1
    if len(holding) == len(children) or distance < order.least:
        return None
    return SolutionSet(distance, tuple(holding))


def _helped(root: Position, order: Order, ask: BoundedSearch, most: int) -> SolutionSet | None:
    """The first moves of the shortest cooperative lines, once for each line."""
    found = ask.shortest_lines(ask.state(root), order.most, most + 1, _MOST_STATES)
    turns, lines = found or (0, [])
    if turns < order.least or not 0 < len(lines) <= most:
        return None
    return SolutionSet(turns, tuple(sorted(line[0] for line in lines)))
