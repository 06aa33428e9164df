"""Perft over nets: every path is walked, thousands of states at a time.

Each ply has a net of its own, grounded from the fluents that can hold after so many plies: the side
on move and whatever else is certain then is constant in it, which leaves a fraction of the game's
net. Walking goes depth first by chunks, so memory is bounded at any depth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from ..budget import Budget
from ..reasoner import Facts, Joint, Rules
from .circuit import TRUE
from .lanes import Children, Lanes, children
from .net import Net

_CHUNK = 1 << 15


@dataclass
class Walk:
    """Counts the paths from a state on."""

    rules: Rules
    budget: Budget
    progress: Callable[[int], None] = lambda _nodes: None
    """Is told the number of paths counted so far."""
    nodes: int = 0

    def count(self, facts: Facts, depth: int) -> int:
        """The paths of ``depth`` plies, at least one, from the state with these facts."""
        return self._count(_net(self.rules, facts, ()), (), 1, depth)

    def divide(self, facts: Facts, depth: int) -> dict[Joint, int]:
        """The paths behind each first joint move of a state."""
        net = _net(self.rules, facts, ())
        answer = net.ask(1, ())
        legal = net.joint_lanes(1 & ~answer.terminal, answer.legal)
        counts = {}
        for batch in children((), legal, 1, most=1):
            places = (*net.always, *net.joint[batch.moves[0]])
            joint = tuple(net.moves[place] for place in places)
            counts[joint] = 1 if depth == 1 else self._descend(net, batch, depth - 1)
        return counts

    def _after(self, net: Net) -> Net:
        """The net of the next ply."""
        following = net.outputs.next
        certain = tuple(fluent for fluent in net.after if following[fluent] == TRUE)
        possible = tuple(fluent for fluent in net.after if following[fluent] != TRUE)
        return _net(self.rules, certain, possible)

    def _descend(self, net: Net, batch: Children, depth: int) -> int:
        following = self._after(net)
        lanes = dict(zip(net.after, net.children(batch), strict=True))
        true = [lanes[fluent] for fluent in following.fluents]
        return self._count(following, true, batch.count, depth)

    def _count(self, net: Net, true: Lanes, count: int, depth: int) -> int:
        """The paths from a batch of states of the net's ply."""
        self.budget.spend(count)
        answer = net.ask((1 << count) - 1, true)
        going = ((1 << count) - 1) & ~answer.terminal
        legal = net.joint_lanes(going, answer.legal)
        if depth > 1:
            batches = children(true, legal, count, _CHUNK)
            return sum(self._descend(net, batch, depth - 1) for batch in batches)
        paths = sum(lane.bit_count() for lane in legal)
        self.nodes += paths
        self.progress(self.nodes)
        return paths


@lru_cache(maxsize=32)
def _net(rules: Rules, certain: Facts, possible: Facts) -> Net:
    """The net of a ply; those used last are kept for the next count."""
    return Net(rules, certain, possible, closed=False)
