"""Environments of games with chance and hidden information: nothing leaks, and chance is seeded."""

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aspgames
from aspgames.rl.view_observation import ViewObservation
from aspgames.runtime.errors import BadRequest, IllegalMove, RulesError
from paths import ROOT

pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test

from aspgames.gymnasium import env as lone_env
from aspgames.gymnasium import vector_env
from aspgames.pettingzoo import env as turn_env
from aspgames.pettingzoo import parallel_env, raw_env

KUHN = aspgames.load("kuhn_poker")
PIG = aspgames.load(ROOT / "tests/data/small_pig.lp", target=4)
PHANTOM = "phantom_tictactoe"

Point = tuple[str, aspgames.State, tuple[str, ...], Any]
"""An agent, the state, the moves that both sides have seen, and all outputs for the agent."""


@pytest.mark.parametrize("game", [KUHN, PIG])
def test_the_packages_own_checks(game: aspgames.Game, capsys: pytest.CaptureFixture[str]) -> None:
    check_env(lone_env(game).unwrapped, skip_render_check=True)
    api_test(turn_env(game), num_cycles=40)
    parallel_api_test(parallel_env(game), num_cycles=40)
    assert "Passed" in capsys.readouterr().out


def by_turns(seed: int, choose: Callable[[Any], int]) -> Iterator[Point]:
    game = raw_env(KUHN, render_mode="ansi")
    game.reset(seed=seed)
    moves: tuple[str, ...] = ()
    for agent in game.agent_iter():
        if game.terminations[agent]:
            return
        for each in game.possible_agents:
            shown = game.render() if each == agent else None
            seen = game.observe(each)
            yield each, game.position, moves, (seen, game.infos[each], shown, game.rewards[each])
        action = choose(game.observe(agent)["action_mask"])
        moves = (*moves, KUHN.moves[action].term)
        game.step(action)


def at_once(seed: int, choose: Callable[[Any], int]) -> Iterator[Point]:
    game = parallel_env(KUHN)
    seen, infos = game.reset(seed=seed)
    moves: tuple[str, ...] = ()
    while game.agents:
        for each in game.agents:
            yield each, game.position, moves, (seen[each], infos[each])
        actions = {agent: choose(shown["action_mask"]) for agent, shown in seen.items()}
        moves = (*moves, KUHN.moves[actions[str(game.position.to_move)]].term)
        seen, _, _, _, infos = game.step(actions)


def alone(seed: int, choose: Callable[[Any], int]) -> Iterator[Point]:
    game: Any = lone_env(KUHN, role="white", opponent="random", render_mode="ansi").unwrapped
    seen, info = game.reset(seed=seed)
    over = False
    while not over:
        facts = game.position.facts
        moves = tuple(f for f in facts if f.startswith(("bet", "pass")))
        yield "white", game.position, moves, (seen, info, game.render(), game.action_masks())
        seen, _, over, _, info = game.step(choose(info["action_mask"]))


@pytest.mark.parametrize("play", [by_turns, at_once, alone])
def test_what_looks_alike_gives_the_same(play: Callable[..., Iterator[Point]]) -> None:
    """An agent's outputs depend only on its own card and the moves, which both sides see."""
    outputs: dict[Any, set[str]] = {}
    states: dict[Any, set[Any]] = {}
    for seed in range(60):
        rng = np.random.default_rng(seed)
        for agent, state, moves, shown in play(
            seed, lambda mask, r=rng: r.choice(mask.nonzero()[0])
        ):
            card = next(f for f in state.facts if f.startswith(f"hand({agent}"))
            outputs.setdefault((agent, card, moves), set()).add(str(shown))
            states.setdefault((agent, card, moves), set()).add(state)
    assert all(len(each) == 1 for each in outputs.values())
    assert len(set(map(tuple, outputs.values()))) == len(outputs)  # and nothing is lost
    assert any(len(each) > 1 for each in states.values())


def test_what_would_show_the_state_is_refused() -> None:
    game = parallel_env(KUHN)
    game.reset(seed=1)
    with pytest.raises(NotImplementedError, match="agents don't know"):
        game.state()
    assert not hasattr(game, "state_space")
    for mode in ("svg", "rgb_array"):
        with pytest.raises(BadRequest, match="with hidden information render_mode must be human"):
            turn_env(KUHN, render_mode=mode)
    with pytest.raises(BadRequest, match="without chance"):
        turn_env(KUHN, relative=True)
    with pytest.raises(RulesError, match='give "random" or a function'):
        lone_env(KUHN, opponent="engine")


def test_the_reason_of_an_illegal_move_tells_nothing() -> None:
    game = raw_env(PHANTOM)
    game.reset()
    first = game.game.moves.index(game.position.legal_moves[0])
    game.step(first)
    taken = next(n for n, m in enumerate(game.game.moves) if m.role == "black" and m.term == "noop")
    with pytest.raises(IllegalMove, match=r"^noop is not legal for black$"):
        game.step(taken)


def test_many_games_go_as_single_ones() -> None:
    """Phantom tic-tac-toe has no chance; the opponent plays its first legal move."""

    def first(_seen: Any, masks: Any) -> Any:
        return masks.argmax(axis=1)

    many = vector_env(PHANTOM, 3, role="black", opponent=first)
    ones: list[Any] = [lone_env(PHANTOM, role="black", opponent=first).unwrapped for _ in range(3)]
    rngs = [np.random.default_rng(seed) for seed in range(3)]
    seen, infos = many.reset(seed=1)
    single = [one.reset(seed=1) for one in ones]
    for _ in range(25):
        for place, (shown, info) in enumerate(single):
            assert (seen[place] == shown).all()
            assert (infos["action_mask"][place] == info["action_mask"]).all()
        masks = [np.flatnonzero(info["action_mask"]) for _, info in single]
        actions = [rng.choice(mask) for rng, mask in zip(rngs, masks, strict=True)]
        seen, rewards, over, _, infos = many.step(np.array(actions))
        single = []
        for place, (one, action) in enumerate(zip(ones, actions, strict=True)):
            if one._is_over:
                single.append(one.reset())
                continue
            shown, reward, ended, _, info = one.step(int(action))
            single.append((shown, info))
            assert (rewards[place], over[place]) == (reward, ended)


@pytest.mark.parametrize("joint", [False, True])
def test_chance_is_seeded_and_fair_in_many_games(joint: bool) -> None:
    cards = []
    for seed in (1, 1, 2):
        games = vector_env(KUHN, 3000, joint=joint)
        seen, _ = games.reset(seed=seed)
        names = ViewObservation(KUHN).names
        hands = [names.index(f"card({card})") for card in ("jack", "queen", "king")]
        cards.append(seen[:, :, hands].any(axis=1).argmax(axis=1))
    assert (cards[0] == cards[1]).all()
    assert (cards[0] != cards[2]).any()
    assert all(850 < count < 1150 for count in Counter(cards[0].tolist()).values())


BIASED = """
role(white).  role(random).
init(control(random)).
legal(random,die(1..3)) :- true(control(random)).
legal(white,stop)       :- true(control(white)).
legal(R,noop)           :- role(R), not true(control(R)).
weight(die(N),W) :- (N,W) = ((1,5);(2,2);(3,1)).
next(control(white)) :- true(control(random)).
next(shown(N))       :- does(random,die(N)).
next(over)           :- does(white,stop).
next(shown(N))       :- true(shown(N)).
terminal      :- true(over).
goal(white,30*N) :- true(shown(N)).
goal(white,0) :- not true(shown(_)).
"""


@pytest.mark.parametrize("side_by_side", [True, False])
def test_a_biased_die_in_environments(tmp_path: Path, side_by_side: bool) -> None:
    """Chances of 5, 2 and 1 in 8. Chi-square with two degrees of freedom, 0.1 %, by fixed seeds."""
    (tmp_path / "biased.lp").write_text(BIASED)
    game = aspgames.load(tmp_path / "biased.lp")
    number = 8000 if side_by_side else 400
    games: Any = vector_env(game, number) if side_by_side else lone_env(game)
    found = list[float]()
    for seed in (1,) if side_by_side else range(number):
        games.reset(seed=seed)
        stop = [str(move) for move in game.moves].index("stop")
        _, rewards, *_ = games.step(np.full(number, stop) if side_by_side else stop)
        found += rewards.tolist() if side_by_side else [rewards]
    counts = [number for _, number in sorted(Counter(found).items())]
    expected = [number * weight / 8 for weight in (5, 2, 1)]
    assert sum((n - e) ** 2 / e for n, e in zip(counts, expected, strict=True)) < 13.8


def test_chance_is_seeded_in_single_games() -> None:
    def first_state(seed: int) -> aspgames.State:
        game = turn_env(KUHN)
        game.reset(seed=seed)
        found: aspgames.State = game.unwrapped.position
        return found

    found = [first_state(seed) for seed in range(30)]
    assert found == [first_state(seed) for seed in range(30)]
    assert len(set(found)) == 6  # the six deals


def test_the_array_is_the_history() -> None:
    seen = ViewObservation(KUHN)
    percepts = ((), ("bet",), ("card(jack)", "bet"))
    histories = {
        tuple(zip(moves, told, strict=True))
        for length in (0, 1, 2)
        for moves in itertools.product(("noop", "bet"), repeat=length)
        for told in itertools.product(percepts, repeat=length)
    }
    assert len({seen.of(history).tobytes() for history in histories}) == len(histories)
