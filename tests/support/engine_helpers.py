"""What the tests of the engine share: games with a net or without, and other instruction sets."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest

import aspgames
from aspgames import Game, State
from aspgames.gdl.reasoner import Facts
from aspgames.propnet import kernel, native_library
from aspgames.propnet.single_state import Single

VARIANTS = native_library.VARIANTS[: native_library.load()[1].aspgames_cpu() + 1]
"""The instruction sets that the processor has."""
EACH_VARIANT = [
    pytest.param(variant, marks=[pytest.mark.slow] * (0 < place < len(VARIANTS) - 1))
    for place, variant in enumerate(VARIANTS)
]
"""The same, each for a test: all but the oldest and the newest are slow."""


@contextmanager
def using(variant: str) -> Iterator[None]:
    """Have the kernel use an instruction set."""
    caches = (native_library.variant, kernel.kernel)
    with patch.dict(os.environ, ASPGAMES_KERNEL=variant):
        for cache in caches:
            cache.cache_clear()
        yield
    for cache in caches:
        cache.cache_clear()


def alone(game: Game) -> Game:
    """The same game as an object of its own, with nets of its own."""
    return Game(game.encoding, game.constants)


def on_net(game: Game, *more: Facts) -> Game:
    """The same game with its net, and a net that knows some other states, too."""
    found = alone(game)
    for facts in (found.initial.facts, *more):
        if found.nets.find(facts) is None:
            found.nets.make(facts)
    return found


class Refuses:
    """A reasoner for games that are to be answered by nets alone."""

    def consequences(self, facts: Facts) -> None:
        """See ``Reasoner``."""
        raise AssertionError(f"the grounder was asked: {facts}")

    def successor(self, facts: Facts, _joint: object) -> None:
        """See ``Reasoner``."""
        raise AssertionError(f"the grounder was asked: {facts}")


def on_net_alone(game: Game, *more: Facts) -> Game:
    """The same with the grounder out of reach."""
    found = on_net(game, *more)
    vars(found.prepared)["reasoner"] = Refuses()
    return found


def net_of(game: Game) -> Single:
    """The net of what play leads to."""
    known = game.nets.find(game.initial.facts)
    assert known
    return known[0]


def write(text: str, folder: Path) -> Game:
    """The game of an encoding of one's own."""
    file = folder / "own.lp"
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
    """All that can be asked of a state is the same."""
    assert one.to_move == other.to_move
    assert one.is_terminal == other.is_terminal
    assert one.goals == other.goals
    assert one.status == other.status
    assert list(map(repr, one.legal_moves)) == list(map(repr, other.legal_moves))
    assert repr(one.legal) == repr(other.legal)
    assert one.consequences == other.consequences
    assert (one, hash(one)) == (other, hash(other))


def unlikely(square: float, freedom: int) -> bool:
    """Whether a sum of squares is too large or too small: once in a million for chance alone.

    Wilson and Hilferty's approximation to the chi-squared distribution.
    """
    spread = 2 / (9 * freedom)
    return bool(abs((square / freedom) ** (1 / 3) - (1 - spread)) > 4.9 * spread**0.5)
