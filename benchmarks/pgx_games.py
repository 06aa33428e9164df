"""Batches of random games beside those of Pgx, which plays in JAX.

Run it with: python benchmarks/pgx_games.py [--runs N] [--states N]

It needs ``pip install pgx``. A step chooses a legal move at random in every state and plays it;
both programs return planes, masks and goals, and a finished game begins anew. They take turns, run
by run. Times are processor times, so Pgx's threads count whole.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from statistics import median
from typing import Any

import aspgames
from environments import Chooser
from measuring import number, shown, take_turns

NAMES = {
    "connect_four": "connect_four",
    "othello": "othello",
    "hex": "hex",
    "minichess": "gardner_chess",
}
"""Our games, and Pgx's of the same rules."""


def ours(name: str, states: int) -> Callable[[], int]:
    """A step of a batch."""
    game = aspgames.load(name)
    batch = aspgames.Batch(game, states, seed=1, autoreset=True, threads=1)
    choose = Chooser(states, len(game.moves))

    def step() -> int:
        batch.step(choose(batch.legal))
        kept[:] = [game.observation.of_batch(batch), batch.goals, batch.is_terminal]
        return states

    kept: list[object] = []
    return step


def theirs(name: str, states: int) -> Callable[[], int]:
    """A step of Pgx's environment."""
    jax: Any = import_module("jax")
    env: Any = import_module("pgx").make(name)
    advance = jax.vmap(import_module("pgx.experimental").auto_reset(env.step, env.init))

    def play(state: Any, key: Any) -> Any:
        chosen, *keys = jax.random.split(key, states + 1)
        weights = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        return advance(state, jax.random.categorical(chosen, weights), jax.numpy.stack(keys))

    after = jax.jit(play)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(1), states))
    key = jax.random.PRNGKey(2)

    def step() -> int:
        nonlocal state, key
        key, part = jax.random.split(key)
        state = after(state, part)
        jax.block_until_ready((state.observation, state.legal_action_mask, state.rewards))
        return states

    step()  # compiles
    return step


def rate(step: Callable[[], int], seconds: float = 1.0) -> float:
    """States a second of processor time, of all threads."""
    done, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        done += step()
    return done / spent


def main() -> None:
    """Print each row of the table once it is measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--states", type=int, default=1024)
    given = parser.parse_args()
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    print("| states a second | aspgames | Pgx | ratio |\n|---|---|---|---|", flush=True)
    for name, other in NAMES.items():
        ways = {"aspgames": ours(name, given.states), "Pgx": theirs(other, given.states)}
        found = take_turns(given.runs, {who: partial(rate, step) for who, step in ways.items()})
        ratio = median(found["aspgames"]) / median(found["Pgx"])
        row = name, *map(shown, found.values()), f"{number(ratio)}x"
        print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
