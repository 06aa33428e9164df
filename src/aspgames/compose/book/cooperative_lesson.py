"""A lesson from a puzzle in which both sides cooperate: the solver plays both sides."""

from __future__ import annotations

from typing import Any

from ...puzzle.solution import Cooperation
from ...puzzle.solved import Position, Solved
from ...runtime.errors import BadRequest
from .lesson import TRY
from .page_steps import Steps
from .page_strategy import LEAVES

_MOST = 50_000
"""The limit of positions in the search for other lines to the goal."""


class CooperativeLesson:
    """Makes the nodes of one puzzle, in the format of ``Lesson``.

    A move is right if the goal stays in reach in the least number of turns. If there are too many
    positions to decide that, only the moves of the known line are right.
    """

    def __init__(self, steps: Steps, solved: Solved, found: Cooperation) -> None:
        """Raises ``BadRequest`` for a puzzle without a move to find."""
        if not found.distance:
            raise BadRequest("the goal stands already, so there is no move to find")
        self._steps, self._solved, self._line = steps, solved, found.line
        self._turns = found.distance - solved.root.attacks
        self._reaches: dict[tuple[Position, float], bool] = {}

    def build(self) -> dict[str, Any]:
        """The lesson as JSON."""
        try:
            self._reachable(self._solved.root, self._turns)
            nodes = self._all()
        except _TooMany:
            nodes = self._of_line()
        return {"root": 0, "nodes": nodes, "solver": self._steps.attacker, "helped": True}

    def _all(self) -> list[list[int]]:
        """The nodes of all positions on shortest lines."""
        root = (self._solved.root, float(self._turns))
        numbers, waiting, nodes = {root: 0}, [root], list[list[int]]()
        for position, turns in waiting:
            node = [TRY]
            for move, child in position.children():
                after = child, position.turns_after(child, turns)
                right = self._reachable(*after)
                if child.goal_reached:
                    target = LEAVES["goal"]
                elif not right:
                    target = LEAVES["over" if child.over else "turns"]
                else:
                    target = numbers.setdefault(after, len(numbers))
                    if target == len(waiting):
                        waiting.append(after)
                node += [self._steps.step(position, move, child), target, int(right)]
            nodes.append(node)
        return nodes

    def _of_line(self) -> list[list[int]]:
        position, nodes = self._solved.root, list[list[int]]()
        for number, right in enumerate(self._line, start=1):
            node, children = [TRY], position.children()
            for move, child in children:
                there = LEAVES["goal"] if child.goal_reached else number
                target = there if move == right else LEAVES["turns"]
                good = move == right or child.goal_reached
                node += [self._steps.step(position, move, child), target, int(good)]
            nodes.append(node)
            position = dict(children)[right]
        return nodes

    def _reachable(self, position: Position, turns: float) -> bool:
        """Whether both sides together reach the goal within ``turns`` more turns."""
        if position.goal_reached or position.over or turns < 0:
            return position.goal_reached
        key = position, turns
        if key not in self._reaches:
            if len(self._reaches) >= _MOST:
                raise _TooMany
            self._solved.budget.check()
            self._reaches[key] = any(
                self._reachable(child, position.turns_after(child, turns))
                for _, child in position.children()
            )
        return self._reaches[key]


class _TooMany(Exception):
    """The limit of positions is exceeded."""
