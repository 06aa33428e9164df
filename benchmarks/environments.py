"""The vector environment against a Batch that does the same work.

Run it with: python benchmarks/environments.py [--runs N]

Both play random games: they choose a legal move from the mask of each state. A second role answers
at random. Both return masks, goals, finished games and planes; the batch also runs without planes.
They take turns, run by run, on one thread. Times are processor times.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from functools import partial
from statistics import median

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
        kept[:] = [seen, found.legal, found.goals, found.terminal]
        return states

    kept: list[object] = []
    return step


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
    head = ("game", "games at once", *(f"{who}: steps/s" for who in _WAYS))
    table(
        "environments: how much longer than a batch they take",
        (*head, *(f"time by that of the {who}" for who in _WAYS[1:])),
        rows,
    )


if __name__ == "__main__":
    main()
