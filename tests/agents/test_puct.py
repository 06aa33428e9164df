"""``aspgames.mcts.search``, compared with a plain PUCT on states."""

from math import sqrt
from typing import Any

import numpy as np
import pytest

from aspgames import BadRequest, Batch, Game, State, load
from aspgames.mcts import search


def knowing(game: Game) -> Any:
    """An evaluation of whole numbers, which is exact however many states there are."""
    rng = np.random.default_rng(5)
    size = int(np.prod(game.observation.shape))
    weights = rng.integers(0, 9, (size, len(game.moves) + 1)).astype(np.float32)

    def evaluate(seen: Any, legal: Any) -> tuple[Any, Any]:
        assert legal.any(axis=1).all()  # a finished game is never evaluated
        found = seen.reshape(len(seen), -1) @ weights
        return found[:, 1:] % 7, found[:, 0] % 11 / 8 - 0.5

    return evaluate


class Node:
    """A node of a plain PUCT."""

    def __init__(self, state: State, evaluate: Any) -> None:
        self.state = state
        self.visits: dict[int, int] = {}
        self.sums: dict[int, float] = {}
        self.children: dict[int, Node] = {}
        game, role = state.game, state.to_move
        if state.is_terminal:
            self.values = {role: goal / 50 - 1 for role, goal in state.goals.items()}
            return
        numbers = [game.moves.index(move) for move in state.legal_moves]
        legal = np.zeros((1, len(game.moves)), bool)
        legal[0, numbers] = True
        priors, values = evaluate(game.observation.of(state)[None], legal)
        own = float(np.float32(values[0]))
        self.values = {other: own if other == role else -own for other in game.roles}
        total = float(sum(priors[0, numbers]))
        self.priors = {
            number: float(np.float32(priors[0, number] / total if total else 1 / len(numbers)))
            for number in sorted(numbers)
        }
        self.visits, self.sums = dict.fromkeys(self.priors, 0), dict.fromkeys(self.priors, 0.0)

    def simulate(self, evaluate: Any) -> Any:
        """Make one simulation; returns the values at its end."""
        if self.state.is_terminal:
            return self.values
        scale = 1.25 * sqrt(1 + sum(self.visits.values()))
        move = max(
            self.visits,
            key=lambda move: (
                (self.sums[move] / self.visits[move] if self.visits[move] else 0)
                + scale * self.priors[move] / (1 + self.visits[move])
            ),
        )
        if move in self.children:
            values = self.children[move].simulate(evaluate)
        else:
            after = self.state.play(self.state.game.moves[move])
            self.children[move] = Node(after, evaluate)
            values = self.children[move].values
        self.visits[move] += 1
        self.sums[move] += values[self.state.to_move]
        return values


SMALL = {"breakthrough": {"width": 2, "height": 4}, "amazons_10x10": {"width": 4, "height": 4}}


@pytest.mark.parametrize("name", ["tictactoe", "breakthrough", "amazons_10x10", "peg_solitaire"])
def test_a_search_visits_what_a_plain_one_visits(name: str) -> None:
    game = load(name, **SMALL.get(name, {}))
    evaluate, batch = knowing(game), Batch(game, 12, seed=1)
    for ply in range(6):  # each state has another number of plies behind it
        batch.step(batch.sample()[2 * ply :], slice(2 * ply, None))
    found = search(batch, evaluate, 60)
    trees = [Node(state, evaluate) for state in batch]
    for number, tree in enumerate(trees):
        for _ in range(60):
            tree.simulate(evaluate)
        visits = {int(move): int(found.visits[number, move]) for move in tree.visits}
        assert visits == tree.visits
        assert found.visits[number].sum() == sum(visits.values())
        if visits:
            assert found.values[number] == pytest.approx(sum(tree.sums.values()) / 60, abs=1e-6)
            assert visits[int(found.moves[number])] == max(visits.values())
        else:
            assert (found.moves[number], batch.is_terminal[number]) == (-1, True)
    batch.step(found.moves)
    going = [n for n, tree in enumerate(trees) if tree.visits]
    again = search(batch, evaluate, 30, reuse=found)
    for number in going:  # the part of the tree below the move continues
        tree = trees[number].children[int(found.moves[number])]
        for _ in range(30):
            tree.simulate(evaluate)
        assert {m: int(again.visits[number, m]) for m in tree.visits} == tree.visits


def even(_: Any, legal: Any) -> tuple[Any, Any]:
    return legal, np.zeros((len(legal), 1))


def test_noise_and_choices_follow_the_seed_and_the_temperature() -> None:
    batch = Batch(load("tictactoe"), 2000)
    plain = search(batch, even, 40).visits[0]
    noisy = search(batch, even, 40, noise=0.5, seed=1)
    assert len(np.unique(noisy.visits, axis=0)) > 100
    assert (noisy.visits == search(batch, even, 40, noise=0.5, seed=1).visits).all()
    assert (noisy.visits.max(axis=1) == noisy.visits[np.arange(2000), noisy.moves]).all()
    heats = np.repeat([0.0, 1.0], 1000)
    found = search(batch, even, 40, temperature=heats, seed=np.random.default_rng(1))
    assert (found.moves[:1000] == plain.argmax()).all()
    shares = np.bincount(found.moves[1000:], minlength=len(plain)) / 1000
    assert np.abs(shares - plain / 40).max() < 0.05
    assert found.policy[0] == pytest.approx(plain / 40)


@pytest.mark.parametrize(
    ("words", "evaluate", "more"),
    [
        ("must be a function, not None", None, {}),
        ("returns priors and values, not None", lambda *_: None, {}),
        (r"priors of the shape \(2, 3\)", lambda *_: (np.ones((2, 3)), np.ones(2)), {}),
        (r"values of the shape \(3,\)", lambda _, legal: (legal, np.ones(3)), {}),
        ("prior below 0", lambda _, legal: (-legal.astype(float), np.ones(2)), {}),
        ("no number", lambda _, legal: (legal, np.full(2, np.nan)), {}),
        ("a search is of a Batch", even, {"states": []}),
        ("simulations", even, {"simulations": 0}),
        ("noise must be a number, from 0 to 1, not 2", even, {"noise": 2}),
        ("temperature", even, {"temperature": [1, 2, 3]}),
        ("reuse", even, {"reuse": 3}),
        ("several roles choose", even, {"states": Batch(load("rock_paper_scissors"), 2)}),
    ],
)
def test_bad_arguments_are_refused_in_one_line(words: str, evaluate: Any, more: Any) -> None:
    given = {"states": Batch(load("tictactoe"), 2), "simulations": 2} | more
    with pytest.raises(BadRequest, match=words) as error:
        search(evaluate=evaluate, **given)
    assert "\n" not in str(error.value)
