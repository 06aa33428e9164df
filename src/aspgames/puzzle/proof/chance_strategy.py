"""Checking strategies of games with chance, and adding up their probabilities.

A strategy proves a bound of the attacker's probability, or of its expected goal value: in an attack
at least so much, in a defence at most so much. Its nodes are checked like those without chance
(``strategy``), and its edges all lead to later nodes. Then the values follow from the last node to
the first.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ...asp.clingo_api import SymbolType
from ..question import HasFacts, PuzzleQuestion
from .stepper import Expansion, Stepper
from .strategy import Arrival, Strategy, targets_of

UNPROVEN = "unproven"
"""A leaf about which a strategy claims nothing: 0 in an attack, the greatest value in a defence."""


class ChanceStrategy(Strategy):
    """One side's strategy: its own move at each node, all replies, and all moves of ``random``."""

    def __init__(
        self,
        nodes: Mapping[int, Any],
        side: str,
        turns: float,
        puzzle: PuzzleQuestion[HasFacts],
        stepper: Stepper,
        place: str,
    ) -> None:
        """As for ``Strategy``; ``place`` is its place in the certificate."""
        super().__init__(nodes, side, turns, (), puzzle, stepper)
        self.name, self.may_return = place, False
        self.weights: dict[int, dict[str, int]] = {}
        """The weights of the moves at each node of ``random``."""
        self.values: dict[int, Fraction] = {}
        """The bound that each node proves."""

    def forms(self, number: int) -> list[set[str]]:
        """The forms that an inner node may have: ``random``'s, too, and a root of several moves."""
        shows_moves = self.attacks and number == 0
        return [*super().forms(number), {"chance"}, *([{"moves"}] if shows_moves else [])]

    def node(self, number: int, node: Any, arrival: Arrival) -> None:
        """Check one node, and note the weights of the moves of ``random``."""
        super().node(number, node, arrival)
        if isinstance(node, dict):
            if not targets_of(node):
                self.reject("it must have an object of moves")
            if "chance" in node:
                self.weights[number] = self.weighed(
                    self.stepper.ask(self.probe(node, arrival.state))
                )

    def weighed(self, answer: Expansion) -> dict[str, int]:
        """The weights of the moves of ``random``: all 1 unless the rules give each its own."""
        if not answer.weights:
            return dict.fromkeys(answer.after, 1)
        found = {}
        for term in answer.after:
            given = answer.weights.get(term, [])
            if len(given) != 1 or given[0].type is not SymbolType.Number or given[0].number < 1:
                self.reject(f"weight/2 gives {term} no single whole number above 0")
            found[term] = given[0].number
        return found

    def leaf(self, leaf: Any, arrival: Arrival) -> None:
        """Check a leaf."""
        if leaf == UNPROVEN:
            return
        if isinstance(leaf, dict):
            self.reject("it isn't a node")
        if self.puzzle.goal.expected and leaf not in ("over", "turns"):
            worth = self.stepper.look(arrival.state).worth
            if leaf is None or leaf != worth:
                self.reject(f"the goal value at the end is {worth}" if worth else "no end is there")
            return
        super().leaf(leaf, arrival)

    def settle(self) -> None:
        """Find the bounds that the nodes prove, after ``check``."""
        for number, node in reversed([*self.nodes.items()]):
            if not isinstance(node, dict):
                self.values[number] = self.worth(node)
            elif "move" in node:
                self.values[number] = self.worth(node["to"])
            else:
                after = {t: self.worth(target) for t, target in targets_of(node).items()}
                if weights := self.weights.get(number):
                    total = sum((weights[t] * each for t, each in after.items()), Fraction(0))
                    self.values[number] = total / sum(weights.values())
                else:
                    self.values[number] = (min if self.attacks else max)(after.values())

    def worth(self, target: Any) -> Fraction:
        """The bound that a node or a leaf proves."""
        if isinstance(target, int):
            return self.values[target]
        if target == UNPROVEN:
            return Fraction(0 if self.attacks else self.puzzle.goal.measure[1])
        return Fraction(target if target.isdecimal() else target == "goal")
