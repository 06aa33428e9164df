"""Writing certificates: proofs of verdicts that a checker can verify (``docs/certificates.md``).

A certificate is one side's strategy: at each position one move of its own, or a plan, and all
replies. For one role it is a shortest line, or all positions that are reachable without the goal.
Users don't need to trust this module.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Sequence
from typing import Any

from ...runtime.errors import BadRequest, LimitReached
from ..problem import Puzzle
from ..solution import Solution
from ..solved import Position, Solved, first_of
from .claim import MOST_BYTES
from .plans import LONGEST_PLAN

VERSION = 1
_MOST_NODES = 1_000_000
_HEAD_BYTES = 1 << 20  # for everything except nodes
_MOST_POSITIONS = 100_000
"""The most positions for one role; the checker takes about a minute for them."""
_FEW = 8

Node = str | dict[str, Any]


def certificate(solved: Solved, solution: Solution) -> dict[str, Any]:
    """The certificate of a solution, as a JSON object.

    Raises ``BadRequest`` for an undecided puzzle, and ``LimitReached`` if the certificate would be
    too large or the budget runs out.
    """
    if solution.verdict not in ("forced", "not_forced"):
        raise BadRequest("the puzzle is undecided, so there is nothing to certify")
    found = _certificate(solved, solution)
    while solved.fetch():
        found = _certificate(solved, solution)
    return found


def strategy(position: Position, attack: bool, turns: float) -> list[Node]:
    """One side's strategy from a position of a two-role game: a part of a certificate.

    Raises ``LimitReached``.
    """
    try:
        return _Strategy(attack, Size()).nodes(position, turns)
    except RecursionError:
        raise _too_long() from None


def _certificate(solved: Solved, solution: Solution) -> dict[str, Any]:
    puzzle = solved.puzzle
    found = _head(puzzle) | {
        "verdict": solution.verdict,
        "distance": solution.distance,
        "keys": list(solution.keys),
        "line": list(solution.line),
    }
    distance, root, begun = solution.distance, solved.root, int(solved.root.attacks)
    size = Size()
    if puzzle.defender is None:
        if distance is None:
            nodes = _nowhere(solved, solved.turns_left, ())
            size.add(nodes)
            return found | {"defence": {"nodes": nodes}}
        found["attack"] = {"nodes": _shortest(root, distance - begun, solution.keys)}
        if distance > 0:
            nodes = _nowhere(solved, distance - 1 - begun, solution.keys)
            size.add(nodes)
            found["defence"] = {"nodes": nodes}
        return found
    try:
        if distance is None:
            defence = _Strategy(attack=False, size=size)
            found["defence"] = {"nodes": defence.nodes(root, solved.turns_left)}
            return found
        attack = _Strategy(attack=True, size=size)
        found["attack"] = {"nodes": attack.nodes(root, distance - begun, solution.keys)}
        if distance > 0:
            defence = _Strategy(attack=False, size=size)
            nodes = defence.nodes(root, distance - 1 - begun, solution.keys)
            found["defence"] = {"nodes": nodes}
    except RecursionError:
        raise _too_long() from None
    return found


def _too_long() -> LimitReached:
    return LimitReached("the certificate's lines are too long")


def _head(puzzle: Puzzle) -> dict[str, Any]:
    game = puzzle.state.game
    return {
        "certificate": VERSION,
        "game": game.encoding.reference,
        "const": dict(game.constants),
        "rules": game.encoding.fingerprint,
        "position": list(puzzle.state.facts),
        "attacker": puzzle.attacker,
        "goal": puzzle.goal.text,
        "within": puzzle.within,
    }


# --- one role -------------------------------------------------------------------------------------


def _shortest(root: Position, turns: float, keys: tuple[str, ...]) -> list[Node]:
    """How one role reaches the goal: the rest of a shortest line for each key."""
    if not keys:
        return ["goal"]

    def rest(child: Position) -> Node:
        line = child.best_line(root.turns_after(child, turns))
        return {"plan": line} if line else "goal"

    return [{"moves": {move: rest(child) for move, child in root.children() if move in keys}}]


def _nowhere(solved: Solved, turns: float, keys: tuple[str, ...]) -> list[Node]:
    """Why one role doesn't reach the goal within ``turns`` more turns.

    If the list of positions would be too long, the checker must refute all lines with clingo.
    """
    root = solved.root
    if root.over:
        return ["over"]
    if turns < 0 and not keys:
        return ["turns"]
    # One more turn refutes a move that isn't a key.
    first = [
        (move, child, root.turns_after(child, turns + (bool(keys) and move not in keys)))
        for move, child in root.children()
    ]
    nodes = _all_positions(solved, turns, first)
    if nodes is not None:
        return nodes
    if turns >= LONGEST_PLAN:
        raise LimitReached(f"the certificate would have more than {_MOST_POSITIONS:,} positions")
    if not keys:
        return [_any_line(turns)]
    return [{"replies": {m: _leaf(child, left) or _any_line(left) for m, child, left in first}}]


def _leaf(position: Position, turns: float) -> str | None:
    """The leaf for a position in a defence; None if the position isn't a leaf."""
    if position.over:
        return "over"
    return "turns" if turns < 0 else None


def _any_line(turns: float) -> dict[str, Any]:
    """The claim that no line reaches the goal in the current turn and ``turns`` more."""
    return {"plan": [None] * int(turns + 1)}


def _all_positions(
    solved: Solved, turns: float, first: Sequence[tuple[str, Position, float]]
) -> list[Node] | None:
    """All reachable positions with all moves; None if there are too many.

    The positions with the most turns left come first. So the first visit to a position has the most
    turns possible there, and edges may lead back to it.
    """
    numbers: dict[Position, int] = {solved.root: 0}
    targets: dict[str, int | str] = {}
    nodes: list[Node] = [{"replies": targets}]
    found = deque[tuple[Position, float]]()

    def target(child: Position, left: float) -> int | str:
        leaf = _leaf(child, left)
        if leaf is None and child not in numbers:
            numbers[child] = len(numbers)
            found.append((child, left))
        return numbers[child] if leaf is None else leaf

    for move, child, left in sorted(first, key=lambda child: -child[2]):
        targets[move] = target(child, left)
    while found:
        solved.budget.check()
        position, turns = found.popleft()
        children = ((m, c, position.turns_after(c, turns)) for m, c in position.children())
        nodes.append({"replies": {move: target(child, left) for move, child, left in children}})
        if len(numbers) > _MOST_POSITIONS:
            return None
    return nodes


# --- two roles ------------------------------------------------------------------------------------


class Size:
    """The size of a certificate so far."""

    def __init__(self) -> None:
        self._nodes, self._bytes = 0, _HEAD_BYTES

    def add(self, nodes: Sequence[Node]) -> None:
        """Count nodes. Raises ``LimitReached`` if the checker doesn't accept so many."""
        self._nodes += len(nodes)
        if self._nodes > _MOST_NODES:
            raise LimitReached(f"the certificate would have more than {_MOST_NODES:,} nodes")
        self._bytes += sum(len(json.dumps(node)) + len(", ") for node in nodes)
        if self._bytes > MOST_BYTES:
            raise LimitReached(f"the certificate would have more than {MOST_BYTES >> 20} MiB")


class _Strategy:
    """One side's strategy as nodes; transpositions share a node."""

    def __init__(self, attack: bool, size: Size) -> None:
        self.attack, self.size = attack, size
        self.done: list[Node] = []
        """The nodes, each after its children."""
        self.known: dict[Position, list[tuple[float, int]]] = {}
        """The nodes of each position, with the turns for which each node is valid."""

    def add(self, *nodes: Node) -> None:
        """Add nodes, each after its children. Raises ``LimitReached``."""
        self.size.add(nodes)
        self.done += nodes

    def nodes(self, root: Position, turns: float, keys: tuple[str, ...] = ()) -> list[Node]:
        """The nodes from the root on, each before its children."""
        if keys:
            self.add(self.keys_node(root, turns, keys))
        else:
            found = self.target(root, turns)
            if isinstance(found, str):
                self.add(found)
        last = len(self.done) - 1
        return [_turned(node, last) for node in reversed(self.done)]

    def keys_node(self, root: Position, turns: float, keys: tuple[str, ...]) -> Node:
        """The root of a puzzle with keys: it separates the keys from the other moves."""
        children = root.children()
        if self.attack:
            return {
                "moves": {m: self.after(root, child, turns) for m, child in children if m in keys}
            }
        return {
            "replies": {
                move: "turns"
                if move in keys and turns < 0
                else self.after(root, child, turns + (move not in keys))
                for move, child in children
            }
        }

    def after(self, position: Position, child: Position, turns: float) -> int | str:
        """The target of an edge. An attacker that comes on move must begin a turn."""
        return self.target(child, position.turns_after(child, turns))

    def target(self, position: Position, turns: float) -> int | str:
        """A leaf, or the number of a position's node. Reuses an old node that is valid."""
        if position.goal_reached:
            return "goal"
        if position.over:
            return "over"
        if turns < 0:
            return "turns"
        for known_turns, number in self.known.get(position, ()):
            if known_turns <= turns if self.attack else known_turns >= turns:
                return number
        part = position.part(self.attack, turns)
        if part is None:
            self.add(self.node(position, turns))
        else:
            last = len(self.done) + len(part) - 1
            self.add(*(_turned(node, last) for node in reversed(part or ["turns"])))
        number = len(self.done) - 1
        self.known.setdefault(position, []).append((turns, number))
        return number

    def node(self, position: Position, turns: float) -> Node:
        """A plan if the search finds one; else the side's move, or all replies."""
        children = position.children()
        if position.attacks != self.attack:
            # The checker is faster with a few replies that end at once than with a plan.
            few = self.attack and turns <= 1 and len(children) <= _FEW
            plan = None if few else position.plan(self.attack, turns)
            if plan is not None:
                return {"plan": plan}
            return {
                "replies": {move: self.after(position, child, turns) for move, child in children}
            }
        at_once = [
            move for move, child in children if (child.goal_reached if self.attack else child.over)
        ]
        if at_once:
            return {"move": at_once[0], "to": "goal" if self.attack else "over"}
        plan = position.plan(self.attack, turns)
        if plan is not None:
            return {"plan": plan}
        move, child = self.choice(position, turns)
        return {"move": move, "to": self.after(position, child, turns)}

    def choice(self, position: Position, turns: float) -> tuple[str, Position]:
        """A move that serves the side, preferably one that needs no search."""
        children = [(m, c, position.turns_after(c, turns)) for m, c in position.children()]
        for move, child, left in children:
            if child.known(left) == self.attack:
                return move, child
        return first_of((m, c) for m, c, left in children if c.forced(left) == self.attack)


def _turned(node: Node, last: int) -> Node:
    """A node whose edges are numbered from the other end."""

    def turned(target: int | str) -> int | str:
        return last - target if isinstance(target, int) else target

    if isinstance(node, str):
        return node
    match node:
        case {"to": target, "move": move}:
            return {"move": move, "to": turned(target)}
        case {"replies": targets}:
            return {"replies": {move: turned(target) for move, target in targets.items()}}
        case {"moves": targets}:
            return {"moves": {move: turned(target) for move, target in targets.items()}}
        case _:
            return node
