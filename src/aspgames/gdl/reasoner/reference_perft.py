"""Perft with a reasoner, one state at a time: the reference, also for games without a net."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from ...runtime.budget import Budget
from ..encoding import Encoding
from ..predicates import CHANCE
from ..rules import Facts, Joint
from . import Consequences, Reasoner, without_a_move

Spread = list[tuple[Joint, list[Facts]]]
"""The states after some plies, by the first joint move on the path."""


@dataclass
class StateByState:
    """Counts with a reasoner, one state at a time."""

    reasoner: Reasoner
    encoding: Encoding
    budget: Budget
    progress: Callable[[int], None]
    """Called with the number of paths counted so far."""
    nodes: int = 0

    def count(self, facts: Facts, depth: int) -> int:
        """Count the paths of ``depth`` plies, at least 1, from a state."""
        self.budget.spend()
        consequences = self._consequences(facts)
        if depth == 1:
            paths = prod(len(consequences.playable(role)) for role in consequences.legal)
            self.nodes += paths
            self.progress(self.nodes)
            return paths
        after = (self.reasoner.successor(facts, joint) for joint in _joint_moves(consequences))
        return sum(self.count(successor, depth - 1) for successor in after)

    def divide(self, facts: Facts, depth: int, counts: dict[Joint, int]) -> None:
        """Count behind each first joint move; after an early end, some counts are there."""
        for joint in _joint_moves(self._consequences(facts)):
            after = self.reasoner.successor(facts, joint)
            counts[tuple(joint.items())] = 1 if depth == 1 else self.count(after, depth - 1)

    def spread(self, facts: Facts, depth: int, wanted: int) -> tuple[int, Spread]:
        """The states after some plies, once for each path, and the number of plies.

        Goes at least one ply deep and at most ``depth - 1``, until there are ``wanted`` states.
        """
        ply = 1
        found: Spread = [
            (tuple(joint.items()), [self.reasoner.successor(facts, joint)])
            for joint in _joint_moves(self._consequences(facts))
        ]
        while ply < depth - 1 and 0 < sum(len(states) for _, states in found) < wanted:
            found = [(joint, list(self._after(states))) for joint, states in found]
            ply += 1
        return ply, found

    def count_from(self, _start: Facts, _ply: int, states: Sequence[Facts], depth: int) -> int:
        """The number of paths of ``depth`` plies (at least one) from some states."""
        return sum(self.count(facts, depth) for facts in states)

    def _consequences(self, facts: Facts) -> Consequences:
        """What the rules say of a state. Raises ``NoMove`` where chance has no move."""
        found = self.reasoner.consequences(facts)
        if not (found.terminal or found.legal.get(CHANCE, True)):
            raise without_a_move(self.encoding, CHANCE, facts)
        return found

    def _after(self, states: Sequence[Facts]) -> Iterator[Facts]:
        for facts in states:
            for joint in _joint_moves(self._consequences(facts)):
                self.budget.spend()
                yield self.reasoner.successor(facts, joint)


def _joint_moves(consequences: Consequences) -> Iterator[Mapping[str, str]]:
    roles = list(consequences.legal)
    for terms in product(*(consequences.playable(role) for role in roles)):
        yield dict(zip(roles, terms, strict=True))
