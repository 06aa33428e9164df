"""Driving OpenSpiel (``pip install open_spiel``) from Python."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import pyspiel

NAMES = {
    "breakthrough": "breakthrough",
    "amazons_10x10": "amazons(board_size=10)",
    "amazons_8x8": "amazons(board_size=8)",
    "amazons": "amazons(board_size=10)",
}
"""OpenSpiel's names of our games. A turn of Amazons is three actions: from, to, shoot."""

_STATES = 512  # that are stepped side by side


def start(name: str) -> Any:
    """The initial state of a game of ours."""
    return pyspiel.load_game(NAMES[name]).new_initial_state()


def plies_an_action(name: str) -> float:
    """Plies of our game for one action: a turn of Amazons is one ply of ours, or two."""
    if name == "amazons":
        return 1 / 3
    return 2 / 3 if name.startswith("amazons") else 1


def perft(state: Any, actions: int) -> int:
    """Count paths of so many actions. Actions are taken back; the last ones are only counted."""
    legal = state.legal_actions()
    if actions == 1:
        return len(legal)
    player, paths = state.current_player(), 0
    for action in legal:
        state.apply_action(action)
        paths += perft(state, actions - 1)
        state.undo_action(player, action)
    return paths


def play(name: str, rng: random.Random) -> int:
    """Play a random game, with a new state for each action; returns the number of actions."""
    state, actions = start(name), 0
    while legal := state.legal_actions():
        state = state.child(rng.choice(legal))
        actions += 1
    return actions


def playouts(name: str, games: int) -> float:
    """Millions of states a second of random games, each in one state that changes in place.

    Counted as ours: a state a ply, and the last one of each game.
    """
    begin = time.perf_counter()
    plies = mean_plies(name, games)
    return (plies + 1) * games / (time.perf_counter() - begin) / 1e6


def mean_plies(name: str, games: int) -> float:
    """Play random games; returns their lengths in our plies."""
    rng, actions = random.Random(0), 0
    for _ in range(games):
        state = start(name)
        while legal := state.legal_actions():
            state.apply_action(rng.choice(legal))
            actions += 1
    return actions * plies_an_action(name) / games


def steps(name: str) -> dict[str, Callable[[], int]]:
    """Step through random games, with and without a mask of the legal actions."""
    rng = random.Random(0)
    states = [start(name) for _ in range(_STATES)]

    def step() -> int:
        for place, state in enumerate(states):
            if state.is_terminal():
                states[place] = start(name)
            else:
                state.apply_action(rng.choice(state.legal_actions()))
        return len(states)

    def with_mask() -> int:
        for state in states:
            state.legal_actions_mask()
        return step()

    return {"step": step, "mask and step": with_mask}
