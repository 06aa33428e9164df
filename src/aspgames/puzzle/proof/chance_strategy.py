"""Checking strategies of games with chance, and adding up their probabilities.

A strategy proves a bound of the attacker's probability: in an attack at least so much, in a defence
at most so much. Its nodes are checked like those without chance (``strategy``), and its edges all
lead to later nodes. Then the values follow from the last node to the first.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ...asp.clingo_api import SymbolType
from ...asp.terms import shorten
from ..question import HasFacts, PuzzleQuestion
from .stepper import Expansion, Sight, State, Stepper
from .strategy import Arrival, Strategy, targets_of

UNPROVEN = "unproven"
"""A leaf about which a strategy claims nothing: 0 in an attack, 1 in a defence."""


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
        self.name = place
        self.weights: dict[int, dict[str, int]] = {}
        """The weights of the moves at each node of ``random``."""
        self.values: dict[int, Fraction] = {}
        """The probability that each node proves."""

    def node(self, number: int, node: Any, arrival: Arrival) -> None:
        """Check one node, and note the arrivals at its children."""
        if not isinstance(node, dict):
            self.leaf(node, arrival)
            return
        kinds = [{"move", "to"}, {"replies"}, {"chance"}, *([{"moves"}] if self.attacks else [])]
        if set(node) not in kinds or ("moves" in node and number):
            self.reject("it isn't a node")
        if "move" in node and not isinstance(node["move"], str):
            self.reject("move: it must be a term")
        answer = self.stepper.ask(self.probe(node, arrival.state))
        before, legal = answer.view, answer.after
        if before.reached:
            self.reject("the goal stands there")
        if before.rolls != ("chance" in node):
            self.reject(f"random is {'' if before.rolls else 'not '}on move there")
        own = "replies" not in node
        if not before.rolls and before.attacks != (self.attacks if own else not self.attacks):
            self.reject(f"{'the other' if own else 'the same'} side is on move there")
        left = arrival.turns_on_move if before.attacks else arrival.turns_waiting
        if left < 0 and self.attacks:
            self.reject("the attacker is out of turns there")
        targets = targets_of(node)
        if not targets:
            self.reject("it must have an object of moves")
        if not own or before.rolls:
            for term in legal:
                if term not in targets:
                    self.reject(f"the move {term} is missing")
        for term, target in targets.items():
            if term not in legal:
                self.reject(f"{shorten(str(term))!r} is not legal there")
            self.edge(number, target, self.after(legal[term], before, arrival, left), term)
        if before.rolls:
            self.weights[number] = self.weighed(answer)

    def after(self, state: State, before: Sight, arrival: Arrival, left: float) -> Arrival:
        """The arrival at the state after a move."""
        goes_on = before.attacks or (before.rolls and arrival.goes_on)
        begins = self.puzzle.begins_turn(goes_on, True)
        return Arrival(state, left - begins, left, goes_on)

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

    def arrive(self, number: int, target: int, arrival: Arrival, term: str) -> None:
        """Check an edge to a node, and note the arrival there."""
        if target <= number:
            self.reject(f"{term}: an edge must lead to a later node")
        super().arrive(number, target, arrival, term)
        known = self.arrivals[target]
        safer = min if self.attacks else max
        known.goes_on = safer(known.goes_on, arrival.goes_on)

    def leaf(self, leaf: Any, arrival: Arrival) -> None:
        """Check a leaf."""
        if leaf == UNPROVEN:
            return
        if isinstance(leaf, dict):
            self.reject("it isn't a node")
        super().leaf(leaf, arrival)

    def settle(self) -> None:
        """Find the probabilities that the nodes prove, after ``check``."""
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
        """The probability that a node or a leaf proves."""
        if isinstance(target, int):
            return self.values[target]
        return Fraction(target == "goal" or (target == UNPROVEN and not self.attacks))
