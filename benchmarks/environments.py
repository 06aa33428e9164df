"""The vector environment against a Batch that does the same work.

Run it with: python benchmarks/environments.py [--runs N]

Both play random games: they choose a legal move from the mask of each state. A second role answers
at random. Both return masks, goals, finished games and planes; the batch also runs without planes.
They take turns, run by run, on one thread. Times are processor times.

A second table has single environments beside those of PettingZoo (needs pygame) and OpenSpiel,
``mcts.search`` with a constant evaluation, and the reading of FENs.
"""

from __future__ import annotations

import argparse
import os
import random
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from statistics import median
from typing import Any

import numpy as np
import numpy.typing as npt

import aspgames
from aspgames.rl.gymnasium_environments import vector_env
from measuring import Way, rate, shown, table, take_turns

_GAMES = (
    "peg_solitaire",
    "breakthrough",
    "skirmish",
    "amazons_8x8",
    "amazons_10x10",
    "rock_paper_scissors",
)
_SIZES = (64, 512, 4096)
_WAYS = ("environment", "batch", "batch without planes")


class Chooser:
    """Chooses legal moves at random."""

    def __init__(self, states: int, moves: int) -> None:
        self._rng = np.random.default_rng(1)
        self._room = np.empty((states, moves), np.float32)

    def __call__(self, mask: npt.NDArray[np.bool_] | npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        """A move for each state, any number where no move is legal."""
        self._rng.random(out=self._room, dtype=np.float32)
        np.multiply(self._room, mask, out=self._room)
        found: npt.NDArray[np.int64] = self._room.argmax(axis=1)
        return found


def environment(game: aspgames.Game, states: int) -> Callable[[], int]:
    """A step of the vector environment."""
    games = vector_env(game, states, threads=1)
    choose = Chooser(states, len(game.moves))
    _, infos = games.reset(seed=1)

    def step() -> int:
        nonlocal infos
        *_, infos = games.step(choose(infos["action_mask"]))
        return states

    return step


def batch(game: aspgames.Game, states: int, planes: bool) -> Callable[[], int]:
    """The same work with a batch."""
    found = aspgames.Batch(game, states, seed=1, autoreset=True, threads=1)
    choose = Chooser(states, len(game.moves))
    own = game.moves.of(game.roles[0])

    def step() -> int:
        if found.joint:
            moves, mask = found.sample(), np.zeros(found.legal.shape, np.bool_)
            mask[:, own.start : own.stop] = found.legal[:, own.start : own.stop]
            moves[:, 0] = choose(mask)
            found.step(moves)
        else:
            found.step(choose(found.legal))
            if len(game.roles) > 1:
                found.step(found.sample())
        seen = game.observation.of_batch(found) if planes else None
        kept[:] = [seen, found.legal, found.goals, found.is_terminal]
        return states

    kept: list[object] = []
    return step


def turns(game: Any) -> Callable[[], int]:
    """A random game in an environment of PettingZoo."""
    rng = random.Random(1)

    def play() -> int:
        game.reset(seed=1)
        plies = 0
        for _ in game.agent_iter():
            seen, _, terminated, truncated, _ = game.last()
            over = terminated or truncated
            game.step(None if over else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
            plies += not over
        return plies

    return play


def spiel(game: Any) -> Callable[[], int]:
    """A random game in OpenSpiel."""
    rng = random.Random(1)

    def play() -> int:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
        return int(state.move_number())

    return play


def searched(game: aspgames.Game, states: int) -> Callable[[], int]:
    """A search of 100 simulations in each state, with an evaluation that costs nothing."""
    batch = aspgames.Batch(game, states)
    priors, values = np.ones((states, len(game.moves)), np.float32), np.zeros(states, np.float32)

    def evaluate(_: object, legal: Any) -> tuple[Any, Any]:
        return priors[: len(legal)], values[: len(legal)]

    return lambda: int(aspgames.mcts.search(batch, evaluate, 100).visits.sum())


def fens(game: aspgames.Game, states: int) -> Callable[[], int]:
    """A batch of FENs."""
    batch = aspgames.Batch(game, states, seed=1)
    for _ in range(20):
        batch.step(batch.sample())
    texts = [str(state.fen) for state in batch]
    return lambda: len(aspgames.Batch(game, start=texts))


def single(runs: int) -> None:
    """Print the second table."""
    import pyspiel
    from open_spiel.python import games  # noqa: F401  (it registers the games in Python)

    from aspgames import openspiel, pettingzoo

    breakthrough = aspgames.load("breakthrough")
    works = {
        "PettingZoo, connect_four: plies": turns(pettingzoo.env("connect_four")),
        "OpenSpiel, tictactoe: plies": spiel(openspiel.load("tictactoe")),
        "OpenSpiel's own python_tic_tac_toe: plies": spiel(pyspiel.load_game("python_tic_tac_toe")),
        "mcts.search, breakthrough: leaves": searched(breakthrough, 512),
        "Batch(start=FENs), breakthrough: FENs": fens(breakthrough, 4096),
    }
    with suppress(ImportError):
        from pettingzoo.classic import connect_four_v3

        works["PettingZoo's own connect_four_v3: plies"] = turns(connect_four_v3.env())
    found = take_turns(runs, {name: partial(rate, work) for name, work in works.items()})
    rows = [(name, shown(figures)) for name, figures in found.items()]
    table("one thread, a second", ("work", "a second"), rows)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=3, help="runs a figure (3)")
    runs = parser.parse_args().runs
    os.environ["ASPGAMES_CACHE"] = "off"
    rows = []
    for name in _GAMES:
        game = aspgames.load(name)
        for states in _SIZES:
            steps = (
                environment(game, states),
                batch(game, states, True),
                batch(game, states, False),
            )
            ways: dict[str, Way] = {
                who: partial(rate, step) for who, step in zip(_WAYS, steps, strict=True)
            }
            found = take_turns(runs, ways)
            own = median(found["environment"])
            times = (f"{median(found[who]) / own:.2f}" for who in _WAYS[1:])
            rows.append((game.name, states, *(shown(found[who]) for who in _WAYS), *times))
    single(runs)
    head = ("game", "games at once", *(f"{who}: steps/s" for who in _WAYS))
    table(
        "environments: how much longer than a batch they take",
        (*head, *(f"time by that of the {who}" for who in _WAYS[1:])),
        rows,
    )


if __name__ == "__main__":
    main()
