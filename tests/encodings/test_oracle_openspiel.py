"""Amazons and Breakthrough against OpenSpiel: legal turns, successors, and who has won.

OpenSpiel's player 0 begins: our White. In Amazons its rows count from the top, and a turn is three
actions: from, to, shoot. In Breakthrough player 0 starts at the top, so their board is ours upside
down; with fewer than six rows each side has one row at the start, ours has two.
"""

from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from aspgames import Move, State
from helpers import play, turns
from openspiel_pairs import (
    AMAZONS,
    AMAZONS_6,
    AMAZONS_8,
    AMAZONS_10,
    Pair,
    breakthrough,
    their_fen,
    their_turns,
)


def compare(pair: Pair, state: State, oracle: Any) -> list[tuple[tuple[Move, ...], Any]]:
    """Compare a position; the turns from here, ours and the state after theirs."""
    fen = their_fen(pair, oracle)
    where = f"{pair} {fen}"
    assert state == pair.game.position(fen), f"{where}: ours is {state.fen}"

    ours, theirs = turns(state, pair.split), their_turns(pair, oracle)
    if ours.keys() != theirs.keys():
        missing, extra = sorted(theirs.keys() - ours.keys()), sorted(ours.keys() - theirs.keys())
        pytest.fail(f"{where}: missing {missing[:20]}, extra {extra[:20]}")

    over = oracle.is_terminal()
    assert state.is_terminal == over, f"{where}: terminal should be {over}"
    returns = zip(("white", "black"), oracle.returns(), strict=True)
    goals = {role: {1: 100, -1: 0, 0: 0}[value] for role, value in returns}
    assert state.goals == goals, f"{where}: goals are {state.goals}, not {goals}"
    return [(ours[name], theirs[name]) for name in sorted(ours)]


@pytest.mark.parametrize(
    "pair", [AMAZONS, AMAZONS_10, AMAZONS_8, AMAZONS_6, breakthrough(8, 8)], ids=str
)
def test_starts_alike(pair: Pair) -> None:
    state, _ = pair.start()
    assert state == pair.game.initial


@pytest.mark.parametrize(
    ("pair", "seeds"),
    [
        (AMAZONS, [3]),
        pytest.param(AMAZONS, [4], marks=pytest.mark.slow),
        pytest.param(AMAZONS_10, [3, 4], marks=pytest.mark.slow),
        pytest.param(AMAZONS_8, [2], marks=pytest.mark.slow),
        (AMAZONS_6, range(3)),
        (breakthrough(8, 8), range(2)),
        (breakthrough(4, 5), range(10)),
        (breakthrough(7, 12), range(2)),
    ],
    ids=str,
)
def test_random_games_to_the_end(pair: Pair, seeds: Iterable[int]) -> None:
    for seed in seeds:
        random = Random(seed)
        state, oracle = pair.start()
        while turns := compare(pair, state, oracle):
            turn, oracle = random.choice(turns)
            state = play(state, turn)


@pytest.mark.parametrize(
    "pair",
    [
        breakthrough(2, 4),
        breakthrough(2, 5),
        pytest.param(breakthrough(3, 4), marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_every_position_of_a_small_board(pair: Pair) -> None:
    seen = set()
    waiting = [pair.start()]
    while waiting:
        state, oracle = waiting.pop()
        if state not in seen:
            seen.add(state)
            waiting += ((play(state, turn), after) for turn, after in compare(pair, state, oracle))
