"""Helpers for tests of the engine: games with or without a net, and instruction sets."""

import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import numpy as np
import pytest

import aspgames
from aspgames import Game, State
from aspgames.gdl.rules import Facts
from aspgames.propnet import kernel, native_library
from aspgames.propnet.lanes import Flags, Ints, KernelArray, Keys, Lanes, LegalScope, Rows
from aspgames.propnet.single_state import Single

VARIANTS = native_library.available_variants()
"""The instruction sets that the library was built for."""
EACH_VARIANT = [
    pytest.param(variant, marks=[pytest.mark.slow] * (0 < place < len(VARIANTS) - 1))
    for place, variant in enumerate(VARIANTS)
]
"""``VARIANTS`` as test parameters; all but the oldest and the newest are slow."""


@contextmanager
def using(variant: str) -> Iterator[None]:
    caches = (native_library.variant, kernel.kernel)
    with patch.dict(os.environ, ASPGAMES_KERNEL=variant):
        for cache in caches:
            cache.cache_clear()
        yield
    for cache in caches:
        cache.cache_clear()


def alone(game: Game) -> Game:
    """A copy of a game, with its own nets."""
    return Game(game.encoding, game.constants)


def on_net(game: Game, *more: Facts) -> Game:
    """A copy of a game with its net, and nets for some other states."""
    found = alone(game)
    for facts in (found.initial.facts, *more):
        if found.nets.find(facts) is None:
            found.nets.make(facts)
    return found


def on_net_alone(game: Game, *more: Facts) -> Game:
    """``on_net``, but without the grounder."""
    found = on_net(game, *more)
    vars(found)["reasoner"] = None  # a question to the grounder is an error
    return found


def net_of(game: Game) -> Single:
    known = game.nets.find(game.initial.facts)
    assert known
    return known[0]


def write(text: str, folder: Path, name: str = "own.lp") -> Game:
    file = folder / name
    file.write_text(text)
    return aspgames.load(str(file))


def random_game(state: State, rng: random.Random) -> Iterator[tuple[State, dict[str, str]]]:
    """The states of a random game, each with the joint move that is played in it."""
    while not state.is_terminal and all(state.legal.values()):
        joint = {role: rng.choice(moves).term for role, moves in state.legal.items()}
        yield state, joint
        state = state.play(joint)
    yield state, {}


def assert_same(one: State, other: State) -> None:
    assert one.to_move == other.to_move
    assert one.is_terminal == other.is_terminal
    assert one.goals == other.goals
    assert one.status == other.status
    assert list(map(repr, one.legal_moves)) == list(map(repr, other.legal_moves))
    assert repr(one.legal) == repr(other.legal)
    assert one.consequences == other.consequences
    assert (one, hash(one)) == (other, hash(other))


def unlikely(square: float, freedom: int) -> bool:
    """Whether a sum of squares is unlikely: by chance it happens once in a million cases.

    The test uses Wilson and Hilferty's approximation to the chi-squared distribution.
    """
    spread = 2 / (9 * freedom)
    return bool(abs((square / freedom) ** (1 / 3) - (1 - spread)) > 4.9 * spread**0.5)


class Evaluation(NamedTuple):
    """The values of some states; see ``struct batch_answers``."""

    terminal: Flags
    mover: Ints
    goals: Ints
    legal: Flags


def evaluation(lanes: Lanes, rows: Rows) -> Evaluation:
    """Evaluate states. Raises ``RulesError`` for unsettled goals."""
    count, tables = len(rows), lanes.tables
    found = Evaluation(
        np.empty(count, np.bool_),
        np.empty(count, np.int32),
        np.empty((count, tables.roles), np.int32),
        np.empty((count, tables.moves), np.bool_),
    )
    answers = {name: KernelArray(array) for name, array in found._asdict().items()}
    lanes.fill(KernelArray(rows), answers, LegalScope.AS_THE_RULES_SAY)
    return found


def choose(lanes: Lanes, rows: Rows, keys: Keys, draw: int) -> Ints:
    """A random legal move for each state and role; -1 if the role has none."""
    chosen = np.empty((len(rows), lanes.tables.roles), np.int32)
    blocks = {"choices": KernelArray(chosen), "keys": KernelArray(keys)}
    lanes.fill(KernelArray(rows), blocks, LegalScope.AS_THE_RULES_SAY, draw)
    return chosen
