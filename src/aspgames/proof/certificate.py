"""Certificates: why a verdict is true, in a form that can be checked (``docs/certificates.md``).

The search knows for each state it has met whether it is forced within so many turns; a certificate
is one side's way through these states: for each state one move of its own, or a plan, and all
replies.
"""

from __future__ import annotations

from typing import Any

from ..errors import BadRequest, LimitReached
from ..puzzle.problem import Puzzle
from ..puzzle.solution import Solution
from ..search.prover import Place, turns_after
from ..search.search import Search
from ..search.table import NEVER

VERSION = 1
_MOST_NODES = 1_000_000
_WIDTHS = (8, 64)
"""How widely plans are looked for: in vain at most nodes, so not too widely."""

_FEW = 8

Node = str | dict[str, Any]


def certificate(search: Search, solution: Solution) -> dict[str, Any]:
    """The certificate of a solution, as a JSON object.

    Raises ``BadRequest`` if nothing was decided, and ``LimitReached`` where it would be too large,
    or the limits of the search don't suffice to write it.
    """
    puzzle = search.puzzle
    if solution.verdict not in ("forced", "not_forced"):
        raise BadRequest("nothing was decided, so there is nothing to certify")
    found = _head(puzzle) | {
        "verdict": solution.verdict,
        "distance": solution.distance,
        "keys": list(solution.keys),
        "line": list(solution.line),
    }
    distance, root, begun = solution.distance, search.root, int(search.root.attacks)
    try:
        if distance is None:
            turns = search.limit - begun if search.limit < NEVER else NEVER
            found["defence"] = {"nodes": _Strategy(search, attack=False).nodes(root, turns)}
            return found
        attack = _Strategy(search, attack=True)
        found["attack"] = {"nodes": attack.nodes(root, distance - begun, solution.keys)}
        if distance > 0:
            defence = _Strategy(search, attack=False)
            nodes = defence.nodes(root, distance - 1 - begun, solution.keys)
            found["defence"] = {"nodes": nodes}
    except RecursionError:
        raise LimitReached("the certificate's lines are too long") from None
    return found


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


class _Strategy:
    """One side's strategy as nodes; a state that is met again is the same node."""

    def __init__(self, search: Search, attack: bool) -> None:
        self.search = search
        self.prover = search.prover
        self.attack = attack
        self.done: list[Node] = []
        """The nodes, each after those that it leads to."""
        self.known: dict[Place, list[tuple[int, int]]] = {}
        """The nodes of each place, with the turns for which they hold."""

    def nodes(self, root: Place, turns: int, keys: tuple[str, ...] = ()) -> list[Node]:
        """The nodes from the root's on, each before those that it leads to."""
        if keys:
            self.done.append(self.keys_node(root, turns, keys))
        else:
            found = self.target(root, turns)
            if isinstance(found, str):
                self.done.append(found)
        last = len(self.done) - 1
        return [_turned(node, last) for node in reversed(self.done)]

    def keys_node(self, root: Place, turns: int, keys: tuple[str, ...]) -> Node:
        """The root if there are keys: it tells them from the other moves."""
        children = self.prover.children(root)
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

    def after(self, place: Place, child: Place, turns: int) -> int | str:
        """What an edge leads to; the attacker who comes on move must begin a turn."""
        return self.target(child, turns_after(place, child, turns))

    def target(self, place: Place, turns: int) -> int | str:
        """A leaf, or the number of a node for a place, an old one if it holds for so many turns."""
        if place.reached:
            return "goal"
        if place.over:
            return "over"
        if turns < 0:
            return "turns"
        for known_turns, number in self.known.get(place, ()):
            if known_turns <= turns if self.attack else known_turns >= turns:
                return number
        node = self.node(place, turns)
        if len(self.done) >= _MOST_NODES:
            raise LimitReached(f"the certificate would have more than {_MOST_NODES:,} nodes")
        self.done.append(node)
        number = len(self.done) - 1
        self.known.setdefault(place, []).append((turns, number))
        return number

    def node(self, place: Place, turns: int) -> Node:
        """A plan if there is one; else the side's move, or all replies to it."""
        children = self.prover.children(place)
        if place.attacks != self.attack:
            # A plan takes longer to check than a few replies that are answered at once.
            few = self.attack and turns <= 1 and len(children) <= _FEW
            plan = None if few else self.planned(place, turns)
            return plan or {
                "replies": {move: self.after(place, child, turns) for move, child in children}
            }
        at_once = [
            move for move, child in children if (child.reached if self.attack else child.over)
        ]
        if at_once:
            return {"move": at_once[0], "to": "goal" if self.attack else "over"}
        plan = self.planned(place, turns)
        if plan:
            return plan
        # What the search knows already comes first.
        move, child = next(
            (move, child)
            for sure in (True, False)
            for move, child in children
            if self.good(place, child, turns, sure)
        )
        return {"move": move, "to": self.after(place, child, turns)}

    def good(self, place: Place, child: Place, turns: int, sure: bool) -> bool:
        """Whether the side may go there; ``sure``: only if that is known already."""
        turns = turns_after(place, child, turns)
        if sure and not (child.reached or child.over or turns < 0):
            short, enough = self.prover.bounds(child)
            return enough <= turns if self.attack else short >= turns
        return self.prover.forces(child, turns) == self.attack

    def planned(self, place: Place, turns: int) -> Node | None:
        """A node with a plan, if one is found."""
        for width in _WIDTHS:
            plan = self.prover.plan(place, self.attack, turns, width)
            if plan is not None:
                return {"plan": plan}
        return None


def _turned(node: Node, last: int) -> Node:
    """A node with its edges numbered from the other end."""

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
