"""Random games after each move, for simultaneous moves and for games without a net.

Upper confidence bounds distribute the batches of games among the moves (UCB1; Auer, Cesa-Bianchi
and Fischer 2002, "Finite-time Analysis of the Multiarmed Bandit Problem").
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence

from ...game.state import State
from ...play.playout import Playouts, playouts
from ...propnet.gate_tables import Tables
from ...propnet.random_play import MOST_PLIES, play_games
from ...runtime.budget import Budget

_MOST_GAMES = 1024  # the largest batch
_DOUBLINGS = 4  # batches for each move before their size doubles


def try_out(
    state: State,
    role: str,
    moves: Sequence[str],
    tables: Tables | None,
    rng: random.Random,
    budget: Budget,
    threads: int,
) -> Iterator[tuple[str, float, int]]:
    """Yield better and better moves of a role, with their mean goal and the games so far.

    Without ``tables`` the grounder plays. The budget ends the search: it raises ``LimitReached``
    or ``Interrupted``.
    """
    records = {move: _Record() for move in moves}
    alone, place = len(state.game.roles) == 1, state.game.roles.index(role)
    games, batches, number = 0, 0, 1
    while True:
        budget.check()
        move = max(moves, key=lambda each: records[each].bound(games))
        joint = {other: rng.choice(legal).term for other, legal in state.legal.items()}
        after = state.play(joint | {role: move})
        found = _play_out(after, tables, number, rng.getrandbits(64), budget, threads)
        records[move].add(found, place)
        games, batches = games + found.games + found.broken_off, batches + 1
        if batches >= _DOUBLINGS * len(moves):
            number, batches = min(2 * number, _MOST_GAMES), 0
        best = max(moves, key=lambda each: records[each].rank(alone))
        yield best, records[best].mean, games


def _play_out(
    state: State, tables: Tables | None, games: int, seed: int, budget: Budget, threads: int
) -> Playouts:
    row = tables.row(state.facts) if tables else None
    if tables is None or row is None:
        return playouts(
            state, games, seed, max_plies=MOST_PLIES, reasoner="grounder", budget=budget
        )
    found = Playouts(state.game.roles)
    for ending in play_games(tables, row, len(found.roles), range(games), seed, budget, threads):
        found.add(ending)
    return found


class _Record:
    def __init__(self) -> None:
        self.games = 0
        self._values: Counter[int] = Counter()

    def add(self, found: Playouts, place: int) -> None:
        """Add games, 0 if without a result; ``place`` is the number of the role that counts."""
        self.games += found.games + found.broken_off
        for goals, games in found.results.items():
            self._values[goals[place]] += games

    @property
    def mean(self) -> float:
        """The mean of the goals, from 0 to 1; 0 without games."""
        total = sum(value * games for value, games in self._values.items())
        return total / self.games / 100 if self.games else 0.0

    def bound(self, games: int) -> float:
        """The upper confidence bound, after ``games`` games with all moves together."""
        if not self.games:
            return math.inf
        return self.mean + math.sqrt(2 * math.log(games) / self.games)

    def rank(self, alone: bool) -> tuple[float, float]:
        """A rank for choosing the best move; a single role can repeat its best game."""
        return (max(self._values, default=0) if alone else 0.0), self.mean
