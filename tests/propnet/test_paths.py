"""Every way to an answer gives the same: grounder, nets, compiled states, texts, batches."""

import random
from itertools import product
from unittest.mock import patch

import pytest

import aspgames
from aspgames import Batch, IllegalMove, Move, State
from aspgames.game.move import NetMoves
from aspgames.propnet import single_state
from aspgames.propnet.single_state import Single
from engine_helpers import alone, assert_same
from thoroughly import amount

SIZES: dict[str, dict[str, int]] = {
    "amazons": {"width": 5, "height": 4},
    "amazons_10x10": {"width": 6, "height": 5},
    "amazons_8x8": {"width": 5, "height": 5},
    "gomoku": {"width": 6, "height": 6, "length": 4},
    "mancala": {"pits": 4, "seeds": 2},
}
"""Games whose usual boards take the grounder, or the net, seconds."""
LEFT_OUT = {"backgammon", "battleship", "bulls_and_cows", "counterfeit_coin"}
"""Games whose nets take seconds."""
NAMES = [
    pytest.param(name, marks=[pytest.mark.slow] * (name in ("chess", "mancala")))
    for name in aspgames.games()
    if name not in LEFT_OUT
]


def chosen(state: State, rng: random.Random) -> dict[str, str]:
    """A random joint move; empty where play can't go on."""
    legal = state.legal
    if state.is_terminal or not all(legal.values()):
        return {}
    return {role: rng.choice(moves).term for role, moves in legal.items()}


@pytest.mark.quick(4)
@pytest.mark.parametrize("name", NAMES)
def test_every_path_gives_the_same(name: str) -> None:
    """Random games: each state as play, its facts, its text and a batch have it, and in Python."""
    game = alone(aspgames.load(name, **SIZES.get(name, {})))
    tables = game.whole_net.tables
    with patch.object(single_state, "compiled_states", lambda: None):
        plain = NetMoves(Single(tables), game.vocabulary.notation)
    ground, rng = game.without_nets, random.Random(name)
    state, left = game.initial, amount(2, 440)
    while left:
        joint = chosen(state, rng)
        if not joint or rng.random() < amount(16, 2) / 40:
            left -= 1
            compare(state, ground.state(state.facts), joint, plain)
        state = state.play(joint) if joint else game.initial


def compare(state: State, expected: State, joint: dict[str, str], plain: NetMoves) -> None:
    """Compare the ways to one state, and to the state after a joint move."""
    game = state.game
    batch = Batch(game, start=[state], joint=True)
    row = state.row_on(plain)
    assert row is not None
    ways = [state, game.state(state.facts), batch[0], State.made(game, None, plain, row)]
    if state.fen is not None:
        ways.append(game.position(state.fen))
    numbers = game.moves.numbers_of
    legal = sorted(n for moves in expected.legal.values() for n in numbers(moves))
    assert batch.legal[0].nonzero()[0].tolist() == legal
    assert batch.is_terminal[0] == expected.is_terminal
    assert batch.goals[0].tolist() == list(expected.goals.values())
    for way in ways:
        assert_same(way, expected)
        assert way.facts == expected.facts
    terms = {move.term for moves in expected.legal.values() for move in moves}
    illegal = [move for move in game.moves[:: 1 + len(game.moves) // 200] if move.term not in terms]
    for way, move in product(ways, illegal):
        assert way.own_move(move) is None
    for move in illegal[:1]:
        with pytest.raises(IllegalMove):
            state.play(move)
    if not joint:
        return
    after = expected.play(joint).facts
    for way in ways:
        assert way.play(joint).facts == after
        for move in way.legal_moves:
            if joint[move.role] == move.term and way.others_wait:
                assert way.play(move).facts == after
                assert way.play(str(move)).facts == after
    batch.step([[game.moves.index(Move(role, term, term)) for role, term in joint.items()]])
    assert batch[0].facts == after
