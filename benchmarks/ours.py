"""Driving aspgames. This module imports no peer, so all memory is our own."""

from __future__ import annotations

import random

import aspgames
from aspgames.runtime.budget import MOST_RULES

RANDOM_GAMES = {
    "breakthrough": 1 << 18,
    "amazons_10x10": 1 << 14,
    "amazons_8x8": 1 << 16,
    "skirmish": 1 << 15,
    "amazons": 1 << 12,
}
"""The number of random games that takes about a second."""


def start(name: str) -> aspgames.State:
    """The initial state of a game whose net has been made."""
    game = aspgames.load(name)
    game.nets.from_the_start(MOST_RULES)
    return game.initial


def play(state: aspgames.State, rng: random.Random) -> int:
    """Play a random game, one state after the other; returns the number of plies."""
    plies = 0
    while moves := state.legal_moves:
        state = state.play(rng.choice(moves))
        plies += 1
    return plies


def play_by_grounder(state: aspgames.State, rng: random.Random) -> int:
    """The same with the grounder."""
    game, facts, plies = state.game, state.facts, 0
    while True:
        said = game.grounder.consequences(facts)
        moves = {role: said.playable(role) for role in game.roles}
        if not all(moves.values()):
            return plies
        facts = game.grounder.successor(facts, {role: rng.choice(m) for role, m in moves.items()})
        plies += 1


def playouts(state: aspgames.State, threads: int) -> aspgames.Playouts:
    """Random games in bulk."""
    return aspgames.playouts(
        state, RANDOM_GAMES[state.game.name], reasoner="propnet", threads=threads
    )


def batch(name: str, size: int, threads: int) -> aspgames.Batch:
    """Unfinished states from all plies of random games. Games that end begin there again."""
    few = aspgames.Batch(aspgames.load(name), min(size, 512), autoreset=True)
    met: list[aspgames.State] = []
    while len(met) < max(size, 1 << 16):
        met += few.states(~few.is_terminal)
        few.step(few.sample())
    chosen = random.Random(0).sample(met, size)
    return aspgames.Batch(few.game, start=chosen, autoreset=True, threads=threads)
