"""One side's strategy for a page: the nodes of a certificate, with plans played out.

A node is a list: its kind; for a plan, the numbers of the plan and of the ply in it; then its
edges. An edge is two numbers: a step and a target, which is a node or a leaf.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...puzzle.solved import Position, Solved
from ...runtime.errors import LimitReached
from .page_steps import Steps

ANSWER, REPLIES, KEYS, PLAN, PLANNED, ANY = range(6)
"""The kinds of nodes: the side's own move; all replies; the keys; a plan shown as a list; and in
plans played out, the planned move and all replies."""

LEAVES = {"goal": -1, "over": -2, "turns": -3}

MOST_EDGES = 250_000
_MOST_PLANNED = 12_000
"""The limit of edges for plans played out; the nearest to the beginning are kept."""

Plan = tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class _Planned:
    """A ply of a plan."""

    plan: Plan
    ply: int


@dataclass
class PageStrategy:
    """Turns the nodes of a certificate into those of a page."""

    steps: Steps
    source: Sequence[Any]
    """The certificate's nodes."""
    solved: Solved
    most_planned: int | None = None
    """The limit of edges for plans played out, unless the default."""
    nodes: list[list[int]] = field(default_factory=list)
    plans: dict[Plan, int] = field(default_factory=dict)
    edges: int = 0

    def __post_init__(self) -> None:
        self._known: dict[object, int] = {}
        self._next: deque[tuple[int, Any, Position]] = deque()
        self._later: deque[tuple[int, _Planned, Position]] = deque()

    def build(self) -> dict[str, Any]:
        """The strategy as JSON. Raises ``LimitReached`` if it is too large for a page."""
        start = self._target(self.source[0], self.solved.root, 0)
        while self._next:
            self._tick()
            number, node, position = self._next.popleft()
            self.nodes[number] += self._node(node, position)
            if self.edges > MOST_EDGES:
                raise LimitReached(f"the page would have more than {MOST_EDGES:,} moves")
        most = self.edges + (_MOST_PLANNED if self.most_planned is None else self.most_planned)
        while self._later:
            self._tick()
            self._play_out(*self._later.popleft(), most)
        plans = [list(map(self.steps.planned, plan)) for plan in self.plans]
        return {"root": start, "nodes": self.nodes, "plans": plans}

    def _tick(self) -> None:
        self.solved.budget.check()
        self.solved.progress(f"{self.edges:,} moves of the proof in the page")

    def _target(self, target: Any, position: Position, number: int | None = None) -> int:
        """The page's number for the target of an edge."""
        if position.goal_reached:
            # A certificate has no node after a key that reaches the goal.
            return LEAVES["goal"]
        if isinstance(target, str):
            return LEAVES[target]
        if isinstance(target, int):
            target, number = self.source[target], target
            if isinstance(target, str):
                return LEAVES[target]
        if "plan" in target:
            return self._in_plan(_Planned(tuple(target["plan"]), 0), position)
        if number not in self._known:
            self._known[number] = self._new()
            self._next.append((self._known[number], target, position))
        return self._known[number]

    def _new(self) -> int:
        self.nodes.append([])
        return len(self.nodes) - 1

    def _node(self, node: Mapping[str, Any], position: Position) -> list[int]:
        children = dict(position.children())
        match node:
            case {"move": move, "to": target}:
                kind, targets = ANSWER, {move: target}
            case {"moves": targets}:
                kind = KEYS
            case _:
                kind, targets = REPLIES, node["replies"]
        found = [kind]
        for move, target in targets.items():
            child = children[move]
            found += [self.steps.step(position, move, child), self._target(target, child)]
        self.edges += len(targets)
        return found

    def _in_plan(self, planned: _Planned, position: Position) -> int:
        """A position at a ply of a plan."""
        if position.goal_reached:
            return LEAVES["goal"]
        if position.over:
            return LEAVES["over"]
        if planned.ply == len(planned.plan):
            return LEAVES["turns"]
        known = (planned, position)
        if known not in self._known:
            self._known[known] = self._new()
            self._later.append((self._known[known], planned, position))
        return self._known[known]

    def _play_out(self, number: int, planned: _Planned, position: Position, most: int) -> None:
        """Write a position at a ply of a plan, with its moves unless the limit is reached."""
        plan = planned.plan
        about = [self.plans.setdefault(plan, len(self.plans)), planned.ply]
        move = plan[planned.ply]
        children = [(term, child) for term, child in position.children() if move in (None, term)]
        if self.edges + len(children) > most:
            self.nodes[number] = [PLAN, *about]
            return
        self.edges += len(children)
        then = _Planned(plan, planned.ply + 1)
        node = [ANY if move is None else PLANNED, *about]
        for term, child in children:
            node += [self.steps.step(position, term, child), self._in_plan(then, child)]
        self.nodes[number] = node
