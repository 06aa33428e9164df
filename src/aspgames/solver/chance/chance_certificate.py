"""Writing certificates of games with chance (``docs/certificates.md``). Users needn't trust it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ...puzzle.proof.certificate import Node, Size, Target, claim_of
from ...puzzle.proof.chance_strategy import UNPROVEN
from ...puzzle.solution import Solution
from ...runtime.errors import LimitReached
from .chance_states import Kind

if TYPE_CHECKING:
    from .chance_puzzle import PuzzleWithChance, TurnValues


def chance_certificate(solved: PuzzleWithChance, solution: Solution) -> dict[str, Any]:
    """The certificate of a solution, as a JSON object.

    Raises ``LimitReached`` if it would be too large, or play can go round within a turn.
    """
    puzzle, size = solved.puzzle, Size(solved.budget)
    what, most = puzzle.goal.measure
    if puzzle.goal.expected:
        solution = replace(solution, verdict="forced")
    found = claim_of(puzzle, solution) | {"chance": str(puzzle.chance)}
    if solution.at_most is not None:
        found |= {"not_within": solution.not_within}
    low, high = solved.known
    for name, value in (("at_least", low), ("at_most", high)):
        found[f"{what}_{name}" if low < high else what] = str(value)
    found["proofs"] = proofs = list[dict[str, Any]]()

    def prove(attack: bool, within: int | None, turns: int, high: bool = False) -> None:
        """Add a strategy; ``turns`` are those after the position's own."""
        values = solved.values_at(turns)
        writer = _StrategyWriter(values, attack, high, size)
        keys = solution.keys if solved.settled == (values, turns) else ()
        root = writer.write(turns, keys)
        proof: dict[str, Any] = {"side": "attack" if attack else "defence", "within": within}
        proof |= {what: str(root), "nodes": writer.nodes}
        if proof not in proofs:
            proofs.append(proof)

    last = solved.last
    if last is None:
        word = "goal" if low else "turns" if solved.begun else "over"
        if puzzle.goal.expected and solved.is_reached:
            word = str(low)
        for side, within, proves in (
            ("attack", 0, low > 0),
            ("defence", puzzle.within, low < most),
        ):
            if proves:
                proofs.append({"side": side, "within": within, what: str(low), "nodes": [word]})
        return found
    begun = solved.begun
    if solved.settled:
        turns = solved.settled[1]
        if low > 0:
            prove(True, turns + begun, turns)
            prove(False, turns + begun, turns)
        if solution.distance:
            prove(False, turns + begun - 1, turns - 1)
    elif solution.at_most is not None:
        prove(True, solution.at_most, solution.at_most - begun)
        if solution.not_within is not None:
            prove(False, solution.not_within, solution.not_within - begun)
    if low > 0:
        prove(True, last.turns, last.turns - begun)
    if high < most or (puzzle.goal.expected and solution.keys):
        is_whole = puzzle.within is not None and last.turns >= puzzle.within
        prove(False, puzzle.within, last.turns - begun, high=not is_whole)
    return found


class _StrategyWriter:
    """Writes one side's strategy: each node is a state with a number of turns."""

    def __init__(self, values: TurnValues, attack: bool, high: bool, size: Size) -> None:
        if values.valuation.circular:
            raise LimitReached("play can go round within a turn")
        self.values, self.attack, self.high, self.size = values, attack, high, size
        self.is_expected = values.most > 1
        self.nodes: list[Node] = []

    def write(self, turns: int, keys: Sequence[str]) -> Fraction:
        """Write all nodes; returns the probability that the first one proves."""
        order: list[tuple[int, int]] = []
        moves: dict[tuple[int, int], dict[str, tuple[int, int]]] = {}
        stack = [((0, turns), False)]
        while stack:
            place, is_done = stack.pop()
            if is_done:
                order.append(place)
            elif place not in moves and (place == (0, turns) or self.leaf(*place) is None):
                self.size.add([])
                moves[place] = self.moves(*place, keys if place == (0, turns) else ())
                stack.append((place, True))
                stack += [(child, False) for child in moves[place].values()]
        numbers = {place: number for number, place in enumerate(reversed(order))}
        root = self.leaf(0, turns)
        if root is not None and not keys:
            self.nodes.append(root)
            return self.worth(root)
        worth: dict[tuple[int, int], Fraction] = {}
        for place in order:
            kind, after = self.values.valuation.kinds[place[0]], moves[place]
            targets: dict[str, Target] = {
                move: numbers[child] if child in numbers else self.leaf(*child) or UNPROVEN
                for move, child in after.items()
            }
            given = {
                move: worth[after[move]] if isinstance(target, int) else self.worth(target)
                for move, target in targets.items()
            }
            worth[place] = (min if self.attack else max)(given.values())
            if kind == Kind.ROLL:
                edges = self.values.edges(*place)
                total = sum((edge.weight * given[edge.move] for edge in edges), Fraction(0))
                worth[place] = total / sum(edge.weight for edge in edges)
            if kind == Kind.ROLL:
                node: Node = {"chance": targets}
            elif (kind == Kind.ATTACK) != self.attack:
                node = {"replies": targets}
            elif keys and self.attack and place == (0, turns):
                node = {"moves": targets}
            else:
                ((move, target),) = targets.items()
                node = {"move": move, "to": target}
            self.size.add([node])
            self.nodes.append(node)
        self.nodes.reverse()
        return worth[0, turns]

    def worth(self, leaf: str) -> Fraction:
        """The bound that a leaf proves."""
        if leaf == UNPROVEN:
            return Fraction(0 if self.attack else self.values.most)
        return Fraction(leaf if leaf.isdecimal() else leaf == "goal")

    def leaf(self, node: int, turns: int) -> str | None:
        """The leaf for a node; None if it isn't one."""
        kind, value = self.values.valuation.kinds[node], self.values.of(node, turns, self.high)
        if kind == Kind.REACHED and self.is_expected:
            return str(value)
        if kind == Kind.REACHED:
            return "goal" if self.attack else UNPROVEN
        if value == (0 if self.attack else self.values.most):
            return UNPROVEN
        if self.attack:
            return None
        if kind == Kind.OVER:
            return "over"
        return "turns" if turns < 0 else None

    def moves(self, node: int, turns: int, keys: Sequence[str]) -> dict[str, tuple[int, int]]:
        """The moves that the strategy has at a node, and the nodes after them."""
        values = self.values
        if turns < 0 or values.valuation.kinds[node] >= Kind.REACHED:
            return {}  # a position that is a leaf itself
        edges = values.edges(node, turns, self.high)
        kind = values.valuation.kinds[node]
        if kind != Kind.ROLL and (kind == Kind.ATTACK) == self.attack:
            best = (max if self.attack else min)(edge.value for edge in edges)
            edges = [edge for edge in edges if edge.value == best]
            edges = [edge for edge in edges if edge.move in keys] if keys else edges[:1]
        return {edge.move: (edge.child, edge.turns) for edge in edges}
