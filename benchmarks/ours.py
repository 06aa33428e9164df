"""Driving aspgames; no peer is imported here, so that the memory that it takes is ours."""

from __future__ import annotations

import random
import time

import aspgames
from aspgames.budget import Budget
from aspgames.engine.net import net_for
from aspgames.engine.random_play import play_games
from aspgames.engine.tables import Tables
from measuring import MOST_RULES

_MOST = 120.0  # seconds to play until there is a net

RANDOM_GAMES = {
    "breakthrough": 1 << 18,
    "amazons_10x10": 1 << 14,
    "amazons_8x8": 1 << 16,
    "skirmish": 1 << 15,
    "amazons": 1 << 12,
}
"""Random games that take a second or so."""


def play(state: aspgames.State, rng: random.Random) -> int:
    """Play a random game, one state after the other, and say how many plies it had."""
    plies = 0
    while moves := state.legal_moves:
        state = state.play(rng.choice(moves))
        plies += 1
    return plies


def warm(game: aspgames.Game) -> aspgames.Game:
    """The same game, played until a net answers."""
    until, rng = time.perf_counter() + _MOST, random.Random(0)
    while not game.nets.find(game.initial.facts):
        if time.perf_counter() > until:
            print(f"{game.name}: no net after {_MOST:.0f} s, the grounder answers")
            break
        play(game.initial, rng)
    return game


def play_by_grounder(game: aspgames.Game, rng: random.Random) -> int:
    """Play a random game by asking the grounder."""
    facts, plies = game.initial.facts, 0
    while True:
        said = game.reasoner.consequences(facts)
        moves = {role: said.playable(role) for role in game.roles}
        if not all(moves.values()):
            return plies
        facts = game.reasoner.successor(facts, {role: rng.choice(m) for role, m in moves.items()})
        plies += 1


def closed_tables(name: str) -> Tables:
    """The net of all that a game's start leads to."""
    state = aspgames.load(name).initial
    return net_for(state.game.rules, state.facts, MOST_RULES).tables()


class RandomGames:
    """Random games of one kind in bulk, with a net that is made before."""

    def __init__(self, name: str) -> None:
        state = aspgames.load(name).initial
        self.games = RANDOM_GAMES[name]
        self.mean_plies = 0.0
        self._roles = len(state.game.roles)
        self._tables = closed_tables(name)
        self._row = self._tables.row(state.facts) or b""

    def speed(self, threads: int) -> float:
        """Play, and say how many millions of states a second were met."""
        plies = 0

        def ended(_goals: tuple[int, ...], length: int, games: int) -> None:
            nonlocal plies
            plies += length * games

        start, row, roles = time.perf_counter(), self._row, self._roles
        play_games(self._tables, row, roles, self.games, 0, Budget(), ended, threads)
        spent = time.perf_counter() - start
        self.mean_plies = plies / self.games
        return (plies + self.games) / spent / 1e6
