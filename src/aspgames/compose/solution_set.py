"""Looking at many positions, quickly: is it a puzzle, and if not, how near to one is it?"""

from __future__ import annotations

from dataclasses import dataclass

from ..puzzle.solved import Position
from .bounded_search import Ask, Undecided
from .specification import FORCED, NOT_FORCED, Order

_MOST_STATES = 4000  # that are met in looking for lines of play in which both sides help


@dataclass(frozen=True, slots=True)
class SolutionSet:
    """What is seen of a position that is a puzzle, or near to one."""

    distance: int
    """The turns of the solution; where the defender's move is looked for, those in which all others
    lose."""
    solutions: tuple[str, ...]
    """The first moves of the solutions, as terms, or of as many as were looked for; none where the
    distance is too short."""

    @property
    def is_sound(self) -> bool:
        """Whether there is one solution alone."""
        return len(self.solutions) == 1


def find_solutions(root: Position, order: Order, ask: Ask, most: int) -> SolutionSet | None:
    """What is seen of a position; None if it isn't near to a puzzle, or it takes too long to find
    out. No more than ``most`` solutions are looked for, and one."""
    if root.goal_reached or root.over:
        return None
    try:
        if order.stipulation == FORCED:
            return _forced(root, order, ask, most)
        if order.stipulation == NOT_FORCED:
            return _only_moves(root, order, ask, most)
        return _helped(root, order, most)
    except Undecided:
        return None


def _forced(root: Position, order: Order, ask: Ask, most: int) -> SolutionSet | None:
    """The attacker is on move, and forces the goal in so many turns."""
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


def _only_moves(root: Position, order: Order, ask: Ask, most: int) -> SolutionSet | None:
    """The defender is on move, and keeps the goal away with few moves; all others lose in time."""
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


_Level = dict[Position, tuple[int, dict[str, int]]]
"""Positions after so many moves: the turns that have begun, and in how many lines that come there
each first move is the first."""


def _helped(root: Position, order: Order, most: int) -> SolutionSet | None:
    """Both sides help: the first moves of the shortest lines, each once a line."""
    level: _Level = {root: (int(root.attacks), {})}
    met = 0
    while level:
        following: _Level = {}
        for position, (turns, firsts) in level.items():
            for move, child in position.children():
                met += 1
                if met > _MOST_STATES:
                    return None
                after = turns
                if not child.goal_reached:  # a turn that begins with the goal isn't needed
                    after += position.puzzle.begins_turn(position.attacks, child.attacks)
                if child.over or after > order.most:
                    continue
                known = following.setdefault(child, (after, {}))[1]
                for first, lines in (firsts or {move: 1}).items():
                    known[first] = known.get(first, 0) + lines
        reached = [found for child, found in following.items() if child.goal_reached]
        if reached:
            found = [
                f for _, firsts in reached for f, lines in firsts.items() for _ in range(lines)
            ]
            fewest = min(turns for turns, _ in reached)
            in_time = order.least <= fewest and len(found) <= most
            return SolutionSet(fewest, tuple(sorted(found))) if in_time else None
        level = following
    return None
