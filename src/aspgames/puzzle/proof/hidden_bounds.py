"""Checking upper bounds of the probability with hidden information.

A belief gives a weight to each of some states. With a given plan, the weight that reaches the goal
is a sum over the states: so the best plan's weight V grows with each weight, V(b + c) <= V(b) +
V(c), V(r*b) = r*V(b), and V(b) is at most the sum of b. A move that isn't legal in a state counts
as lost there, and the other role chooses at random. Both bound from above what plans can force.

A node states a belief, a number of turns and a bound of V within these. It holds if for each move
what is won at once, and the bounds of the beliefs after it by what the attacker sees, make no
more. Such a belief c is bounded by any node n with a number of turns that suffices: V(c) <=
r*V(n) + (what c has more than r*n), for any r. So a node serves for smaller and for larger sets,
and a node of all states bounds the number of those that one plan can tell apart. Nodes may refer
to each other in circles: the proof is by induction over the number of moves that are left.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby
from typing import Any

from ...runtime.errors import BadPosition, Rejected
from .chance_claim import read_fraction
from .claim import Claim, is_whole
from .hidden_plan import read_edges
from .hidden_steps import Aftermath, HiddenSteps, Seen, Weight, Weights

_MOVES_AT_ONCE = 40_000  # moves in states that are examined together


@dataclass(frozen=True)
class BoundNode:
    """A belief with a bound."""

    place: str
    belief: Weights
    turns: float
    bound: Fraction
    """At most so much of the belief's weight is won within the turns."""
    then: Mapping[str, Mapping[Seen, int]]
    """By move and by what the attacker sees after it: the node with a bound of what follows."""
    other: int | None
    """The node with a bound of everything else that follows, if there is one."""
    key: tuple[tuple[int, Weight], ...] = field(default=())


class BoundsCheck:
    """The nodes that prove upper bounds."""

    def __init__(self, claim: Claim, steps: HiddenSteps) -> None:
        self._claim, self._steps = claim, steps
        self._nodes: list[BoundNode] = []

    def check(self, bounds: Any) -> int:
        """Check all nodes, and what they prove; returns their number. Raises ``Rejected``."""
        nodes = bounds.get("nodes") if isinstance(bounds, dict) else None
        if not isinstance(nodes, list) or not isinstance(bounds.get("states"), list):
            raise Rejected("bounds: it must have lists of states and nodes")
        states = [self._state(number, facts) for number, facts in enumerate(bounds["states"])]
        self._steps.prepare(states)
        self._nodes = [self._node(number, n, states, len(nodes)) for number, n in enumerate(nodes)]
        claim, most = self._claim, self._claim.probability_at_most
        (begun,) = self._steps.answer([self._steps.begin()])
        if most is not None and most < 1:
            found = self._start("within", bounds, begun, claim.puzzle.turns)
            if found > most:
                raise Rejected(f"bounds.within: it proves at most {found}, not {most}")
        if claim.not_within is not None:
            found = self._start("not_within", bounds, begun, claim.not_within)
            if found >= claim.puzzle.asked:
                raise Rejected(f"bounds.not_within: it proves at most {found}")
        for _, same in groupby(sorted(self._nodes, key=lambda n: n.key), key=lambda n: n.key):
            self._check_nodes(list(same))
        return len(nodes)

    def _state(self, number: int, facts: Any) -> int:
        if not isinstance(facts, list) or not all(isinstance(fact, str) for fact in facts):
            raise Rejected(f"bounds.states[{number}]: it must be a list of facts")
        check = self._claim.puzzle.state.game.position_check
        try:
            return self._steps.state_of(check.read_facts(facts))
        except BadPosition as error:
            raise Rejected(f"bounds.states[{number}]: {error}") from None

    def _node(self, number: int, given: Any, states: Sequence[int], count: int) -> BoundNode:
        place = f"bounds.nodes[{number}]"
        match given:
            case {"states": list(places), "turns": turns, **rest} if (
                all(_is_number(p, len(states)) for p in places)
                and places
                and (turns is None or _is_number(turns, math.inf))
            ):
                weights = rest.get("weights", [1] * len(places))
            case _:
                raise Rejected(f"{place}: it must have states, and turns")
        if (
            not isinstance(weights, list)
            or len(weights) != len(places)
            or not all(_is_number(weight, math.inf) and weight for weight in weights)
        ):
            raise Rejected(f"{place}.weights: there must be a whole number above 0 for each state")
        then: Any = rest.get("then", {})
        other: Any = rest.get("else")
        if not isinstance(then, dict) or not (other is None or _is_number(other, count)):
            raise Rejected(f"{place}: then must be an object, and else a node")
        belief = {states[p]: weight for p, weight in zip(places, weights, strict=True)}
        return BoundNode(
            place,
            belief,
            math.inf if turns is None else turns,
            read_fraction(given, "bound", f"{place}.") * sum(belief.values()),
            {move: read_edges(place, edges, count, 0) for move, edges in then.items()},
            other,
            tuple(sorted(belief.items())),
        )

    def _start(
        self, name: str, bounds: Mapping[str, Any], begun: Aftermath, turns: float
    ) -> Weight:
        """The bound of the probability within so many turns that an entry proves."""
        edges = read_edges(f"bounds.{name}", bounds.get(name), len(self._nodes), 0)
        return self._most(begun, turns + 1, edges, None)

    def _check_nodes(self, nodes: Sequence[BoundNode]) -> None:
        """Check nodes with the same belief."""
        belief = nodes[0].belief
        moves = sorted({move for state in belief for move in self._steps.moves(state)})
        width = max(1, _MOVES_AT_ONCE // len(belief))
        for first in range(0, len(moves), width):
            part = moves[first : first + width]
            checks = [self._steps.play(nodes[0].place, belief, move) for move in part]
            for move, outcome in zip(part, self._steps.answer(checks), strict=True):
                for node in nodes:
                    most = node.turns and self._most(
                        outcome, node.turns, node.then.get(move, {}), node.other
                    )
                    if most > node.bound:
                        raise Rejected(
                            f"{node.place}: {move} may win {most} of {sum(belief.values())}, "
                            f"more than {node.bound}"
                        )

    def _most(
        self, outcome: Aftermath, turns: float, then: Mapping[Seen, int], other: int | None
    ) -> Weight:
        """At most so much weight is won after a move."""
        found = outcome.won
        for seen, (belief, begins) in outcome.sets.items():
            left = turns - begins
            if not left:
                continue
            least: Weight = sum(belief.values())
            for number in {then.get(seen, other), other} - {None}:
                node = self._nodes[number]  # type: ignore[index]
                if node.turns >= left:
                    least = min(least, bounded(belief, node.belief, node.bound))
            found += least
        return found


def bounded(belief: Weights, other: Weights, bound: Weight) -> Weight:
    """A bound of what is won of a belief, by a bound of what is won of another.

    It is the least over all multiples of the other belief: each of them covers a part.
    """
    parts: dict[Weight, Weight] = defaultdict(int)
    found = rest = sum(belief.values())
    for state, weight in belief.items():
        if state in other:
            own = other[state]
            parts[weight if own == 1 else Fraction(weight, own)] += own
    inside = sum(parts.values())
    before: Weight = 0
    for ratio in sorted(parts):  # what has a smaller ratio is covered already
        rest += (ratio - before) * (bound - inside)
        found = min(found, rest)
        inside, before = inside - parts[ratio], ratio
    return found


def _is_number(value: Any, end: float) -> bool:
    return is_whole(value) and value < end
