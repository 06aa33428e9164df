"""Random games by the batch: every choice is uniform and independent of all others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np

from ..budget import Budget
from ..reasoner import Facts, Rules
from .choice import choose
from .lanes import Lanes, to_bits, to_lanes
from .net import net_for

_MOST_LANES = 1 << 16
_WORK = 1 << 29  # bits of all gates and moves of a batch: about what the caches hold

Ended = Callable[[tuple[int, ...], int, int], None]
"""Is told how games ended: goal values in the order of the roles, plies, and how many games."""


class RandomPlay:
    """Random games from one state on."""

    def __init__(self, rules: Rules, facts: Facts) -> None:
        """Build the net. Raises what ``net_for`` raises."""
        self._net = net_for(rules, facts)
        self._roles = rules.roles
        self._start = [int(fluent in facts) for fluent in self._net.fluents]
        after = {fluent: place for place, fluent in enumerate(self._net.after)}
        self._carried = [after.get(fluent) for fluent in self._net.fluents]

    def run(self, games: int, seed: int, budget: Budget, ended: Ended) -> None:
        """Play games to their ends. Raises ``LimitReached`` when the budget runs out."""
        chance = np.random.Generator(np.random.SFC64(seed))
        size = len(self._net.circuit.gates) + len(self._net.moves)
        most = min(_MOST_LANES, max(1, _WORK // size))
        for start in range(0, games, most):
            self._play(min(most, games - start), chance, budget, ended)

    def _play(self, count: int, chance: np.random.Generator, budget: Budget, ended: Ended) -> None:
        """Play games in step, so that in most games of turns one side is on move in all of them."""
        playing = ones = (1 << count) - 1
        true: Lanes = [ones * bit for bit in self._start]
        length = 0
        while True:
            budget.spend(playing.bit_count())
            answer = self._net.ask(ones, true, among=playing)
            does, stuck = self._choose(answer.legal, playing & ~answer.terminal, count, chance)
            over = playing & (answer.terminal | stuck)
            if over:
                self._report(true, over, count, length, ended)
                playing ^= over
                if not playing:
                    return
            lanes = self._net.advance(ones, true, does, among=playing)
            true = [0 if place is None else lanes[place] for place in self._carried]
            length += 1
            if 2 * playing.bit_count() < count:
                true, count = _keep(true, playing, count)
                playing = ones = (1 << count) - 1

    def _choose(
        self, legal: Lanes, choosing: int, count: int, chance: np.random.Generator
    ) -> tuple[list[int], int]:
        """What each state does, and the states in which a role has no move."""
        does = [0] * len(legal)
        for place in self._net.always:
            does[place] = choosing
        stuck = 0
        for places in self._net.choosers:
            chosen, without = choose([legal[p] for p in places], choosing, count, chance)
            stuck |= without
            for place, lane in zip(places, chosen, strict=True):
                does[place] = lane
        return does, stuck

    def _report(self, true: Lanes, over: int, count: int, length: int, ended: Ended) -> None:
        goals = self._net.judge((1 << count) - 1, true, among=over).goals
        lanes, games = _keep(list(goals.values()), over, count)
        values = dict.fromkeys(self._roles, np.zeros(games, dtype=np.int64))
        for (role, value), row in zip(goals, to_bits(lanes, games), strict=True):
            values[role] = values[role] + value * row.astype(np.int64)
        results = Counter(zip(*(values[role].tolist() for role in self._roles), strict=True))
        for result, number in results.items():
            ended(result, length, number)


def _keep(lanes: Lanes, kept: int, count: int) -> tuple[Lanes, int]:
    """The lanes of some states of a batch only, and their number."""
    columns = np.flatnonzero(to_bits([kept], count)[0])
    return to_lanes(to_bits(lanes, count).take(columns, axis=1)), len(columns)
