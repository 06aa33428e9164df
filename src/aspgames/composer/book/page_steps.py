"""Numbered plies for a page, and one side's strategy as nodes."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...game.board import Square
from ...game.notation.move_text import format_move, named_squares
from ...puzzle.solved import Position, Solved
from ...runtime.errors import LimitReached
from .page_net import net_beside

Step = tuple[int, str, tuple[int, ...], tuple[int, ...], tuple[str, ...]]
"""The number of the role; the move's text; the numbers of vanishing fluents and of appearing ones;
the squares that the move names, or otherwise changes, as ``x,y``."""
ANSWER, REPLIES, KEYS, PLAN, PLANNED, ANY = range(6)
"""The kinds of nodes: the side's own move; all replies; the keys; a plan shown as a list; and in
plans played out, the planned move and all replies."""
LEAVES = {"goal": -1, "over": -2, "turns": -3}
MOST_EDGES = 250_000
_MOST_PLANNED = 12_000
"""The limit of edges for plans played out; the nearest to the beginning are kept."""
Plan = tuple[str | None, ...]


def leaf_of(position: Position, is_last: bool) -> int | None:
    """The leaf for a position in which no play follows, as in the last of its turns."""
    if position.goal_reached:
        return LEAVES["goal"]
    if position.over:
        return LEAVES["over"]
    return LEAVES["turns"] if is_last else None


@dataclass
class Steps:
    """Numbers plies, with the same number for equal text and effect, and fluents."""

    solved: Solved
    steps: dict[Step, int] = field(default_factory=dict)
    fluents: dict[str, int] = field(default_factory=dict)

    engine: str = ""
    """The net for play beyond the puzzle's lines, packed; its fluents have the first numbers."""

    def __post_init__(self) -> None:
        puzzle, changing = self.solved.puzzle, set(self.solved.fluents)
        if beside := net_beside(puzzle.state, self.solved.budget):
            known, self.engine = beside
            self.fluents = {fluent: number for number, fluent in enumerate(known)}
        self._notation = puzzle.state.game.vocabulary.notation
        self.attacker = puzzle.state.game.roles.index(puzzle.attacker)
        self.start = [self.fluent(fact) for fact in puzzle.state.facts]
        self._board = puzzle.state.game.vocabulary.board
        piece = puzzle.state.game.vocabulary.piece
        fixed = (piece(fact) for fact in puzzle.state.facts if fact not in changing)
        self._occupied = {found[0] for found in fixed if found}
        pieces = ((fluent, piece(fluent)) for fluent in changing)
        self._squares = {fluent: found[0] for fluent, found in pieces if found}

    def fluent(self, fact: str) -> int:
        """The number of a fluent."""
        return self.fluents.setdefault(fact, len(self.fluents))

    def step(self, position: Position, move: str, child: Position) -> int:
        """The number of a ply from one position to another."""
        before, after = position.fluents, child.fluents
        text = format_move(self._notation, move, self._occupied | self._standing(before))
        named = named_squares(self._notation, move) or self._changed(before, after)
        squares = tuple(f"{x},{y}" for x, y in named)
        role = self.attacker if position.attacks else 1 - self.attacker
        gone, come = self._numbers(before - after), self._numbers(after - before)
        return self.steps.setdefault((role, text, gone, come, squares), len(self.steps))

    def planned(self, move: str | None) -> str | None:
        """The text of a planned move, without a position."""
        return None if move is None else format_move(self._notation, move, ())

    def _standing(self, fluents: frozenset[str]) -> set[Square]:
        """The squares of the pieces among some fluents that play can change."""
        return {self._squares[fluent] for fluent in fluents if fluent in self._squares}

    def _changed(self, before: frozenset[str], after: frozenset[str]) -> list[Square]:
        """The squares of a move that names none: first the emptied squares, then the others."""
        board = self._board
        gone, come = (
            {square for square in self._standing(facts) if board and board.has(square)}
            for facts in (before - after, after - before)
        )
        return [*sorted(gone - come), *sorted(come - gone)] or sorted(come)

    def _numbers(self, facts: Iterable[str]) -> tuple[int, ...]:
        return tuple(sorted([self.fluent(fact) for fact in sorted(facts)]))


@dataclass(frozen=True, slots=True)
class _Planned:
    plan: Plan
    ply: int


@dataclass
class PageStrategy:
    """Turns the nodes of a certificate into those of a page, with plans played out.

    A node is a list: its kind; for a plan, the numbers of the plan and of the ply in it; then its
    edges. An edge is two numbers: a step and a target, which is a node or a leaf.
    """

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
        if (leaf := leaf_of(position, planned.ply == len(planned.plan))) is not None:
            return leaf
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
