"""Writes the upper bounds of a certificate: nodes that state what any plan can win at most."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from ...puzzle.proof.hidden_bounds import bounded
from ...puzzle.proof.hidden_steps import Weights
from ...runtime.budget import Budget
from ...runtime.errors import LimitReached
from .belief_outcomes import WON, OutcomeTable
from .belief_values import Belief, BeliefValues
from .sure_search import States, SureSearch

MOST_NODES = 200_000
"""The most nodes of a plan, and of bounds."""
_MOST_LAYER_TURNS = 64  # turns after which states are bounded together
_LONG_DENOMINATOR = 1 << 64  # denominators above this are rounded

Edges = dict[int, int]
"""Nodes by what the attacker has seen."""


class After(NamedTuple):
    """The states after a move that look alike."""

    seen: int
    total: Fraction
    """Their weight."""
    largest: Fraction
    """The largest weight of one state."""
    begins: int


class BoundWriter:
    """Writes nodes with bounds, each once.

    ``puzzle.proof.hidden_bounds`` explains and checks them. The other role chooses at random, as
    ``OutcomeTable`` has it.
    """

    def __init__(
        self, table: OutcomeTable, sure: SureSearch, values: BeliefValues, budget: Budget
    ) -> None:
        self._table, self._sure, self._values, self._budget = table, sure, values, budget
        self._nodes: list[dict[str, Any]] = []
        self._bounds: list[tuple[Weights, Fraction]] = []  # by node, with its belief
        self._known: dict[tuple[Belief, float, bool], int] = {}
        self._layers: dict[tuple[int, float], int | None] = {}
        self._sets: dict[States, list[tuple[Fraction, Sequence[After]]]] = {}
        self._states: dict[int, int] = {}

    def written(self) -> dict[str, Any]:
        """The nodes, and their states."""
        states = [list(self._table.net.facts(self._table.row(state))) for state in self._states]
        return {"states": states, "nodes": self._nodes}

    def edges(
        self, beliefs: Mapping[int, tuple[Belief, Fraction]], turns: float, is_sure: bool
    ) -> tuple[list[Any], Fraction]:
        """Edges to nodes for the first beliefs, and the weight won at most in these.

        With ``is_sure`` the nodes prove only that not all of it is won, for a goal that isn't
        forced surely within so many turns. Raises ``LimitReached``.
        """
        longest = self._sure.longest()
        if turns > longest:
            turns = math.inf
        elif turns == math.inf:
            raise LimitReached("play has no end")
        self._sure.total = int(min(turns, longest))
        found: Edges = {}
        most = Fraction(0)
        for seen, (belief, worth) in beliefs.items():
            total = sum(belief.weights) * worth
            if turns and not (is_sure and self._is_won(belief, turns, 0)):
                found[seen] = self._node(belief, turns, 0, is_sure)
                total = self._covered(found[seen], belief) * worth
            most += total if turns else 0
        return self._written_edges(found), most

    def _is_won(self, belief: Belief, turns: float, depth: int) -> bool:
        left = self._sure.total - depth if turns == math.inf else turns
        return self._sure.won(belief.states, int(left))

    def _covered(self, number: int, belief: Belief) -> Fraction:
        """The bound of a belief that a node proves."""
        own, bound = self._bounds[number]
        return Fraction(bounded(dict(zip(*belief, strict=True)), own, bound))

    def _node(self, belief: Belief, turns: float, depth: int, is_sure: bool) -> int:
        """A node that bounds a belief by its value, or by less than its weight."""
        if is_sure:
            belief = Belief(belief.states, (1,) * len(belief.states))
        key = belief, turns, is_sure
        if key in self._known:
            return self._known[key]
        layer = self._layer(depth, turns)
        total = Fraction(sum(belief.weights))
        left = self._sure.total - depth if turns == math.inf else turns
        target = total if is_sure else self._values.best(belief, int(left)).won
        if layer is not None:
            most = self._covered(layer, belief)
            if most < target or (most == target and not is_sure):
                return layer
        other = self._layer(depth + 1, turns - 1)
        then: dict[int, Edges] = {}
        bound = Fraction(0)
        for move, won, sets in self._after(belief):
            self._budget.check()
            most = won + sum(self._most(each, turns, other) for each in sets)
            if most < target or (most == target and not is_sure):
                bound = max(bound, most)
                continue
            found = then[move] = {}
            beliefs = self._beliefs(belief, move)
            for each in sorted(sets, key=lambda each: -each.total):
                later, after = turns - each.begins, beliefs[each.seen]
                deeper = depth + each.begins
                if not later or (is_sure and self._is_won(after, later, deeper)):
                    continue
                node = self._node(after, later, deeper, is_sure)
                ratio = each.total / sum(after.weights)
                less = self._covered(node, after) * ratio
                if less < (before := self._most(each, turns, other)):
                    found[each.seen] = node
                    most -= before - less
                if most < target or (most == target and not is_sure):
                    break
            bound = max(bound, most)
        return self._add(key, bound, then, other)

    def _layer(self, depth: int, turns: float) -> int | None:
        """A node that bounds any set of the states that play reaches after some turns."""
        if not turns > 0 or self._table.has_long_turns or depth > _MOST_LAYER_TURNS:
            return None
        if (depth, turns) not in self._layers:
            self._layers[depth, turns] = None
            states = self._sure.states_after(depth)
            if states:
                belief = Belief(states, (1,) * len(states))
                other = self._layer(depth + 1, turns - 1)
                if states not in self._sets:
                    self._sets[states] = [(won, sets) for _, won, sets in self._after(belief)]
                bound = max(
                    won + sum(self._most(each, turns, other) for each in sets)
                    for won, sets in self._sets[states]
                )
                if bound < len(states):
                    key = belief, turns, True
                    self._layers[depth, turns] = self._add(key, bound, {}, other)
        return self._layers[depth, turns]

    def _most(self, after: After, turns: float, other: int | None) -> Fraction:
        """The bound of what follows by the weight and by another node, which has all states."""
        if turns == after.begins:
            return Fraction(0)
        if other is None or not after.begins:
            return after.total
        return min(after.total, after.largest * self._bounds[other][1])

    def _add(
        self,
        key: tuple[Belief, float, bool],
        bound: Fraction,
        then: Mapping[int, Edges],
        other: int | None,
    ) -> int:
        """Add a node."""
        if len(self._nodes) >= MOST_NODES:
            raise LimitReached(f"the bounds need more than {MOST_NODES:,} nodes")
        (belief, turns, is_sure), number = key, len(self._nodes)
        total = sum(belief.weights)
        part = bound / total
        if is_sure and part.denominator > _LONG_DENOMINATOR:  # a shorter number between it and 1
            exponent = (1 / (1 - part)).__ceil__().bit_length()
            part = 1 - Fraction(1, 1 << exponent)
        numbers = [self._states.setdefault(state, len(self._states)) for state in belief.states]
        shown = None if turns == math.inf else int(turns)
        node: dict[str, Any] = {"states": numbers, "turns": shown, "bound": str(part)}
        if {*belief.weights} != {1}:
            node["weights"] = list(belief.weights)
        if edges := {
            self._table.terms[move]: self._written_edges(found)
            for move, found in then.items()
            if found
        }:
            node["then"] = edges
        if other is not None:
            node["else"] = other
        self._nodes.append(node)
        self._bounds.append((dict(zip(*belief, strict=True)), part * total))
        self._known[key] = number
        return number

    def _written_edges(self, found: Edges) -> list[Any]:
        return [[list(map(list, self._table.history(seen))), node] for seen, node in found.items()]

    def _beliefs(self, belief: Belief, move: int) -> dict[int, Belief]:
        """The beliefs after a move, by what the attacker has seen."""
        found = self._table.outcomes(belief.states)
        here = (found.moves == move) & (found.after >= 0)
        one = self._one
        sets: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
        columns = (c[here].tolist() for c in (found.places, found.seen, found.after, found.chances))
        for place, seen, after, chance in zip(*columns, strict=True):
            part = int(self._table.probabilities[chance] * one)
            sets[seen][after] += belief.weights[place] * part
        return {seen: Belief.of(states)[0] for seen, states in sets.items()}

    @property
    def _one(self) -> int:
        """What stands for the probability 1."""
        return math.lcm(*(each.denominator for each in self._table.probabilities))

    def _after(self, belief: Belief) -> Iterator[tuple[int, Fraction, Sequence[After]]]:
        """For each move that is legal in a state: what it wins at once, and the sets after it."""
        found = self._table.outcomes(belief.states)
        one = self._one
        parts = np.array([int(each * one) for each in self._table.probabilities], object)
        weights = np.array(belief.weights, object)
        mass = weights[found.places] * parts[found.chances]
        if one * sum(belief.weights) < 1 << 62:
            mass = mass.astype(np.int64)
        order = np.lexsort((found.after, found.seen, found.moves))
        moves, seen, after, begins = (
            column[order] for column in (found.moves, found.seen, found.after, found.begins)
        )
        starts = np.flatnonzero(
            np.append(True, (np.diff(moves) != 0) | (np.diff(seen) != 0) | (np.diff(after) != 0))
        )
        sums = np.add.reduceat(mass[order], starts)
        won: dict[int, int] = {}
        sets: dict[int, dict[int, list[int]]] = defaultdict(dict)
        columns = moves[starts], seen[starts], after[starts], begins[starts], sums
        for move, saw, state, turn, weight in zip(*(c.tolist() for c in columns), strict=True):
            won.setdefault(move, 0)
            if state == WON:
                won[move] += weight
            elif state >= 0:
                known = sets[move].setdefault(saw, [0, 0, turn])
                known[0] += weight
                known[1] = max(known[1], weight)
        for move, weight in won.items():
            yield (
                move,
                Fraction(weight, one),
                [
                    After(saw, Fraction(total, one), Fraction(largest, one), turn)
                    for saw, (total, largest, turn) in sets[move].items()
                ],
            )
