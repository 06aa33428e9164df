"""Perft with a reasoner, one state at a time: the reference, and for what has no net."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod

from ..budget import Budget
from . import Consequences, Facts, Joint, Reasoner


@dataclass
class StateByState:
    """Counts with a reasoner, one state at a time."""

    reasoner: Reasoner
    budget: Budget
    progress: Callable[[int], None]
    """Is told the number of paths counted so far."""
    nodes: int = 0

    def count(self, facts: Facts, depth: int) -> int:
        """See ``perft``; the depth is at least 1."""
        self.budget.spend()
        consequences = self.reasoner.consequences(facts)
        if depth == 1:
            paths = prod(len(consequences.playable(role)) for role in consequences.legal)
            self.nodes += paths
            self.progress(self.nodes)
            return paths
        after = (self.reasoner.successor(facts, joint) for joint in _joint_moves(consequences))
        return sum(self.count(successor, depth - 1) for successor in after)

    def divide(self, facts: Facts, depth: int, counts: dict[Joint, int]) -> None:
        """Count behind each first joint move; where that ends early, some have their counts."""
        for joint in _joint_moves(self.reasoner.consequences(facts)):
            after = self.reasoner.successor(facts, joint)
            counts[tuple(joint.items())] = 1 if depth == 1 else self.count(after, depth - 1)


def _joint_moves(consequences: Consequences) -> Iterator[Mapping[str, str]]:
    """One legal move for each role; none when the game is over."""
    roles = list(consequences.legal)
    for terms in product(*(consequences.playable(role) for role in roles)):
        yield dict(zip(roles, terms, strict=True))
