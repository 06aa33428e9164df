"""The probabilities of a puzzle with chance without a limit on turns, by interval iteration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

import numpy as np

from ...propnet.lanes import Array
from ...propnet.mean_values import RollGraph
from ...propnet.successors import ENDED
from ...runtime.budget import Budget
from ...runtime.errors import LimitReached
from ..table.expected_values import bounds_of_part, denominator, expected_bounds, from_words
from ..table.lookup import Bounds
from ..table.outcomes import words_of
from .chance_states import ChanceStates, Column, Kind

_CHUNK = 1 << 14  # states that are expanded together
_LAST_SECONDS = 0.5  # the time for bounds after a limit or Ctrl-C [s]
_PER_STATE, _PER_MOVE = 150, 64  # bytes, with copies


class UnlimitedValues:
    """The values of all states for any number of turns; bounds are known at any time."""

    def __init__(
        self,
        states: ChanceStates,
        most: int,
        most_bytes: float,
        budget: Budget,
        progress: Callable[[str], None],
    ) -> None:
        """``most`` is the greatest value of a state."""
        self._states, self._most, self._most_bytes = states, most, most_bytes
        self._budget, self._progress = budget, progress
        self._degrees, self._children, self._weights = map(Column, (np.int64, np.uint32, np.uint32))
        self._first = list[str]()
        self.bounds: Bounds = Fraction(0), Fraction(most)
        """The bounds of the first state's value."""
        self.after: Mapping[str, Bounds] | None = None
        """The bounds after each move of the first state; None until all values are known."""

    def run(self) -> None:
        """Find all states and their values.

        Raises ``LimitReached``, ``Interrupted``, and the errors of ``ChanceStates.expand``.
        """
        states, degrees, children = self._states, self._degrees, self._children
        while (done := len(degrees)) < len(states.kinds):
            size = states.bytes + _PER_STATE * len(states.kinds) + _PER_MOVE * len(children)
            if size > self._most_bytes:
                raise LimitReached(f"no answer within {self._most_bytes / 2**20:.0f} MiB")
            self._budget.check()
            end = min(done + _CHUNK, len(states.kinds))
            moving = np.flatnonzero(states.kinds.array[done:end] < Kind.REACHED)
            counts = np.zeros(end - done, np.int64)
            if len(moving):
                found = states.expand(done + moving)
                counts[moving] = np.bincount(found.parents, minlength=len(moving))
                if not done:
                    self._first = [states.terms[move] for move in found.moves[: counts[0]]]
                children.add(found.children)
                self._weights.add(found.weights)
            degrees.add(counts)
            self._progress(f"{end:,} of {len(states.kinds):,} states")
        graph, worth, _ = self._part(len(degrees))

        def check(done: int) -> None:
            self._progress(f"values of {done:,} of {len(graph):,} states")
            self._budget.check()

        fine = denominator(graph)
        low = np.zeros((len(graph), words_of(fine[0])), np.uint64)
        try:
            both = expected_bounds(graph, worth[:, Kind.ATTACK], Kind.ATTACK, fine, check, low)
        finally:
            self.bounds = Fraction(from_words(low[0]), fine[0]), self.bounds[1]

        def bounds(state: int) -> Bounds:
            least, most = (Fraction(from_words(each[state]), fine[0]) for each in both)
            return least, most

        self.bounds = bounds(0)
        after = children.array[: len(self._first)].tolist()
        self.after = dict(zip(self._first, map(bounds, after), strict=True))

    def narrow(self) -> None:
        """Find bounds from what a stopped ``run`` has found."""
        if len(self._degrees):
            part = bounds_of_part(self._part, [Kind.ATTACK], self._most, _LAST_SECONDS)
            low, high = part[Kind.ATTACK]
            self.bounds = max(low, self.bounds[0]), min(high, self.bounds[1])

    def _part(self, most: int) -> tuple[RollGraph, Array, bool]:
        """The first states, what they count for the attacker, and whether the last means others."""
        states, count = self._states, min(len(self._degrees), most)
        is_part, degrees = count < len(states.kinds), self._degrees.array[:count]
        moves = int(degrees.sum())
        children, weights = (each.array[:moves] for each in (self._children, self._weights))
        kinds = states.kinds.array[:count]
        movers = np.where(kinds < Kind.REACHED, kinds, ENDED).astype(np.uint8)
        worth = np.where(kinds == Kind.REACHED, states.worth.array[:count], 0)
        graph = RollGraph(movers, degrees, children, weights, Kind.ROLL, is_part)
        worth = np.append(worth, 0) if is_part else worth
        return graph, worth.reshape(-1, 1), is_part
