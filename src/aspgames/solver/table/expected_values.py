"""The values of states with chance: the goal value that a role can expect, whatever the others do.

Endless play counts 0. Values are whole numbers of a fraction ``1 / one``. Without loops, ``one`` is
a multiple of all denominators, and the values are exact. With loops there are two bounds, by
interval iteration:

- Values from 0 upwards, with means rounded down, stay below the true ones: a lower bound.
- From there, values are raised, with means rounded up, until no move improves them. The true values
  are the least such ones (Park 1969), so these are an upper bound (Hartmanns and Kaminski 2020,
  *Optimistic value iteration*). End components need no treatment: play that stays in one raises
  nothing.

Both bounds are least fixed points, so they don't depend on the order of the states.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction

import numpy as np

from ...gdl.predicates import CHANCE
from ...gdl.rules import HIGHEST_GOAL
from ...propnet.kernel import kernel
from ...propnet.lanes import Array
from ...propnet.mean_values import RollGraph, Wide
from ...runtime.budget import Budget
from ...runtime.errors import Interrupted, LimitReached
from .enumeration import Enumeration
from .lookup import Bounds
from .outcomes import in_order, words_of

_PER_STATE, _PER_MOVE = 64, 24  # bytes of a graph, with copies
ANY_GOAL: Bounds = (Fraction(0), Fraction(HIGHEST_GOAL))
_SMALL_PART, _LARGE_PART = 1 << 12, 1 << 20  # states of the first and of the last such bounds
_ROUNDED_ONE = 1 << 52  # with loops: 32 values of 100 times as much fit in a word


class InMemory:
    """The bounds for each player: ``(states, players, 2, words)``; see ``sorted_runs.Mapped``."""

    def __init__(self, array: Wide) -> None:
        self.array = array

    def relieve(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class ExpectedValues:
    """Gives the states of a game with chance their values, as ``Induction`` does without chance."""

    longest = 0

    def __init__(
        self, found: Enumeration, roles: Sequence[str], weighted: bool, most_bytes: float
    ) -> None:
        """``most_bytes`` is the memory for all moves and values. Raises ``LimitReached``."""
        self.outcomes = in_order(found.note.outcomes)
        moves = _PER_STATE * found.note.found + _PER_MOVE * found.note.edges
        self._refuse(moves, most_bytes)
        roller = roles.index(CHANCE)
        self._graph, self._goals = found.graph(weighted, roller)
        self._players = [place for place in range(len(roles)) if place != roller]
        self.has_circles = self._graph.has_loops
        self.one, self._is_exact = denominator(self._graph)
        words = words_of(self.one)
        shape = len(self._graph), len(self._players), 2, words
        self._refuse(moves + 8 * math.prod(shape) + 16 * shape[0] * words, most_bytes)
        self.values = InMemory(np.empty(shape, np.uint64))
        self.values.array[:, :, 0], self.values.array[:, :, 1] = (
            0,
            to_words(HIGHEST_GOAL * self.one, words),
        )

    def _refuse(self, size: int, most_bytes: float) -> None:
        if size > most_bytes:
            raise LimitReached(
                f"the moves and values need {size / 2**20:,.0f} MiB, more than the limit for them"
            )

    def run(self, budget: Budget, progress: Callable[[int], None]) -> None:
        """Give all states their values. Raises the errors of ``Budget.check``."""

        def check(done: int) -> None:
            progress(done)
            budget.check()

        fine = self.one, self._is_exact
        for place, role in enumerate(self._players):
            low = self.values.array[:, place, 0]  # bounds from below at any time
            _, high = expected_bounds(self._graph, self._goals[:, role], role, fine, check, low)
            self.values.array[:, place, 1] = high

    def bounds(self) -> Mapping[int, Bounds]:
        """What each player can expect in the first state, by its number, also before the end.

        If each plays for its own lower bound, none can expect more than the most that all get
        together leaves.
        """
        most = max(
            (sum(goals[role] for role in self._players) for goals in self.outcomes), default=0
        )
        both = [[Fraction(from_words(b), self.one) for b in each] for each in self.values.array[0]]
        lows = sum(low for low, _ in both)
        return {
            role: (low, min(high, most - lows + low))
            for role, (low, high) in zip(self._players, both, strict=True)
        }


def denominator(graph: RollGraph) -> tuple[int, bool]:
    """The denominator of all values, and whether values are exact with it."""
    if not graph.has_loops:
        one = math.lcm(*graph.totals()) ** graph.most_rolls()
        if words_of(one) <= kernel().MOST_WORDS:
            return one, True
    return _ROUNDED_ONE, False


def expected_bounds(
    graph: RollGraph,
    goals: Array,
    attacker: int,
    fine: tuple[int, bool],
    check: Callable[[int], None],
    low: Wide | None = None,
) -> tuple[Wide, Wide]:
    """The lower and the upper bounds of what a role can expect, ``(states, words)``.

    Args:
        graph: The states.
        goals: Its goal value where the game is over, else 0, ``(states,)``.
        attacker: The role.
        fine: ``denominator`` of the graph.
        check: Takes the number of states that have a bound, and raises an exception when time is
            over.
        low: An array for the lower bounds, which are true at any time.
    """
    (one, is_exact), words = fine, words_of(fine[0])
    if low is None:
        low = np.empty((len(graph), words), np.uint64)
    low[:] = np.stack([to_words(goal * one, words) for goal in range(HIGHEST_GOAL + 1)])[goals]
    graph.settle(low, attacker, False, check)
    if is_exact:
        return low, low
    high = low.copy()
    graph.settle(high, attacker, True, check)
    return low, high


def bounds_of_part(
    part: Callable[[int], tuple[RollGraph, Array, bool]],
    attackers: Sequence[int],
    most: int,
    seconds: float,
) -> Mapping[int, Bounds]:
    """The bounds of what roles can expect in the first state, if not all states are known.

    Args:
        part: Gives the first states, as many as asked for, with the roles' goal values, and whether
            the last one stands for all others, which count at least 0 and at most ``most``.
        attackers: The roles.
        most: The greatest goal value.
        seconds: The time for it, about [s].
    """
    budget, found = Budget(seconds), dict.fromkeys(attackers, (Fraction(0), Fraction(most)))
    size, is_part = _SMALL_PART, True
    with suppress(LimitReached, Interrupted, MemoryError):
        while is_part and size <= _LARGE_PART:
            graph, goals, is_part = part(size)
            for role in attackers:
                values = (goals[:, role].astype(np.uint64) * np.uint64(_ROUNDED_ONE)).reshape(-1, 1)
                bounds = list(found[role])
                for up, better in ((False, max), (True, min)):
                    values[-1] += np.uint64(up * is_part * most * _ROUNDED_ONE)
                    graph.settle(values, role, up, lambda _: budget.check())
                    bounds[up] = better(bounds[up], Fraction(int(values[0, 0]), _ROUNDED_ONE))
                    found[role] = bounds[0], bounds[1]
            size *= 4
    return found


def to_words(number: int, words: int) -> Wide:
    """A number as words, the lowest first."""
    return np.frombuffer(number.to_bytes(8 * words, "little"), "<u8").astype(np.uint64)


def from_words(value: Wide) -> int:
    """The number of words, the lowest first."""
    return int.from_bytes(value.astype("<u8").tobytes(), "little")
