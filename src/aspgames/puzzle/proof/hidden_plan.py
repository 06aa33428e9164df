"""Checking the plan of a certificate with hidden information.

The checker plays the plan in all states that may be the case. A plan's next move depends on what
the attacker has seen and nothing else.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ...runtime.errors import Rejected
from .claim import Claim
from .hidden_steps import Aftermath, HiddenSteps, Seen, Weight, Weights


class PlanCheck:
    """A plan, and what it reaches."""

    def __init__(self, claim: Claim, steps: HiddenSteps) -> None:
        self._claim, self._steps = claim, steps
        self._won: Weight = Fraction(0)

    def check(self, plan: Any) -> int:
        """Check a plan; returns the number of its nodes. Raises ``Rejected``."""
        nodes = plan.get("nodes") if isinstance(plan, dict) else None
        if not isinstance(nodes, list) or not isinstance(plan.get("start"), list):
            raise Rejected("plan: it must have a list of nodes, and a start")
        claim, found = self._claim, self._steps
        turns = claim.puzzle.turns if claim.at_most is None else claim.at_most
        waiting: dict[int, tuple[Weights, float]] = {}
        led_to = set[int]()

        def go(place: str, shown: Any, outcome: Aftermath, turns_left: float, least: int) -> None:
            if outcome.lost is not None and self._is_sure:
                text = found.facts(outcome.lost)
                raise Rejected(f"{place}: play ends without the goal in {text}")
            self._won += outcome.won
            named = read_edges(place, shown, len(nodes), least)
            for seen, (states, begins) in outcome.sets.items():
                left = turns_left - begins
                if seen not in named:
                    if self._is_sure:
                        raise Rejected(f"{place}: what follows {list(seen)} is missing")
                    continue
                if left == 0:
                    raise Rejected(f"{place}: the attacker would begin turn {turns + 1}")
                if named[seen] in led_to:
                    raise Rejected(f"{place}: two edges lead to node {named[seen]}")
                led_to.add(named[seen])
                waiting[named[seen]] = states, left

        (begun,) = found.answer([found.begin()])
        go("plan.start", plan["start"], begun, turns + 1, 0)
        while waiting:
            moves = {number: self._move(nodes[number], number, waiting) for number in waiting}
            checks = [
                found.play(f"plan.nodes[{number}]", waiting[number][0], move)
                for number, move in moves.items()
            ]
            lefts = {number: left for number, (_, left) in waiting.items()}
            waiting.clear()
            for (number, left), outcome in zip(lefts.items(), found.answer(checks), strict=True):
                then = nodes[number].get("then", [])
                go(f"plan.nodes[{number}]", then, outcome, left, number + 1)
        if idle := set(range(len(nodes))) - led_to:
            raise Rejected(f"plan.nodes[{min(idle)}]: nothing leads there")
        if self._won < (claim.probability_at_least or 0):
            raise Rejected(f"plan: it reaches the goal with probability {self._won} only")
        return len(nodes)

    def _move(self, node: Any, number: int, waiting: dict[int, tuple[Weights, float]]) -> str:
        """The move of a node. Raises ``Rejected`` unless it is legal in all its states."""
        move = node.get("move") if isinstance(node, dict) else None
        if not isinstance(move, str):
            raise Rejected(f"plan.nodes[{number}]: it must have a move")
        for state in waiting[number][0]:
            if move not in self._steps.moves(state):
                text = self._steps.facts(state)
                raise Rejected(f"plan.nodes[{number}]: {move} isn't legal in {text}")
        return move

    @property
    def _is_sure(self) -> bool:
        """Whether every state must be won. An opponent isn't a matter of probability."""
        puzzle = self._claim.puzzle
        return puzzle.defender is not None or self._claim.probability_at_least == 1


def read_edges(place: str, shown: Any, nodes: int, least: int) -> dict[Seen, int]:
    """The nodes by what the attacker has seen. Raises ``Rejected`` for malformed edges."""
    found: dict[Seen, int] = {}
    for edge in shown if isinstance(shown, list) else [None]:
        match edge:
            case [list(plies), int(node)] if least <= node < nodes and all(map(_is_ply, plies)):
                seen = tuple(map(tuple, plies))
            case _:
                raise Rejected(f"{place}: each edge has percepts by ply and a later node")
        if seen in found:
            raise Rejected(f"{place}: {plies} is there twice")
        found[seen] = node
    return found


def _is_ply(ply: Any) -> bool:
    return isinstance(ply, list) and all(isinstance(percept, str) for percept in ply)
