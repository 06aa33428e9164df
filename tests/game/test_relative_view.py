"""``Game.relative``, compared with mirrored states."""

import re
from typing import Any

import numpy as np
import pytest

from aspgames import BadRequest, Batch, load
from aspgames.mcts import search

GAMES = [
    ("breakthrough", {"width": 5, "height": 6}),
    ("skirmish", {}),
    ("tictactoe", {}),
    ("hex", {"size": 4}),
    ("mancala", {"pits": 3, "seeds": 2}),
]


@pytest.mark.quick(2)
@pytest.mark.parametrize(("name", "constants"), GAMES, ids=[name for name, _ in GAMES])
def test_the_second_role_sees_and_plays_its_mirrored_state(
    name: str, constants: dict[str, int]
) -> None:
    game = load(name, **constants)
    view, batch = game.relative, Batch(game, 6, seed=3)
    for _ in range(5):
        seen, movers = view.of_batch(batch), batch.to_move
        legal = view.take(batch.legal, movers)
        for row, position in enumerate(batch):
            state = position.mirror(view.symmetry) if movers[row] == 1 else position
            assert (seen[row] == game.observation.of(state)).all()
            shown = [view.moves[n] for n in np.flatnonzero(legal[row])]
            assert shown == sorted((move.term for move in state.legal_moves), key=view.moves.index)
        assert (view.put(legal, movers) == batch.legal).all()
        moves = batch.sample()
        actions = view.take(np.eye(len(game.moves), dtype=bool)[moves], movers).argmax(axis=1)
        assert (view.numbers(actions, movers)[moves >= 0] == moves[moves >= 0]).all()
        batch.step(moves)


def test_some_states_and_arrays_of_your_own() -> None:
    game = load("tictactoe")
    batch = Batch(game, 6, seed=1)
    batch.step(batch.sample()[:3], range(3))  # both sides are on move
    whole = game.relative.of_batch(batch)
    part = np.zeros((2, *game.observation.shape), np.float32)
    assert game.relative.of_batch(batch, [1, 4], part) is part
    assert (part == whole[[1, 4]]).all()
    with pytest.raises(BadRequest, match="out is a contiguous array"):
        game.relative.of_batch(batch, None, part)


def test_a_relative_search_of_a_mirrored_state_is_the_same() -> None:
    game = load("breakthrough", width=5, height=6)
    view, rng = game.relative, np.random.default_rng(2)
    weights = rng.random((int(np.prod(game.observation.shape)), len(view.moves) + 1), np.float32)

    def evaluate(seen: Any, legal: Any) -> tuple[Any, Any]:
        assert legal.shape == (len(seen), len(view.moves))
        found = seen.reshape(len(seen), -1) @ weights % 1
        return found[:, 1:], found[:, 0] - 0.5

    batch = Batch(game, 8, seed=1)
    for _ in range(5):
        batch.step(batch.sample())
    mirrored = Batch(game, start=[state.mirror(view.symmetry) for state in batch])
    found, other = (search(each, evaluate, 60, relative=True) for each in (batch, mirrored))
    assert (found.values == other.values).all()
    visits = view.take(found.visits, batch.to_move)
    assert (visits == view.take(other.visits, mirrored.to_move)).all()
    assert visits.any(axis=1).all()


def test_the_squares_of_moves() -> None:
    for name in ("amazons_8x8", "skirmish", "tictactoe"):
        moves = load(name).moves
        for move, squares in zip(moves, moves.squares.tolist(), strict=True):
            named = [f"{chr(96 + file)}{rank}" for file, rank in squares if file]
            assert named == re.findall(r"[a-h][1-8]", str(move))


@pytest.mark.parametrize("name", ["fox_and_hounds", "peg_solitaire"])
def test_games_whose_roles_differ_have_no_relative_view(name: str) -> None:
    with pytest.raises(BadRequest, match=f"no proven symmetry of {name} exchanges its roles"):
        _ = load(name).relative
