"""PettingZoo's own tests of the environments, and comparisons with the grounder."""

import copy
import pickle
import random
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test

import aspgames
from aspgames import BadMove, BadPosition, BadRequest, IllegalMove, State
from aspgames.rl.pettingzoo_environments import env, parallel_env, raw_env
from paths import ROOT, TESTS

TICTACTOE = "tictactoe"
ROCK = "rock_paper_scissors"
MAZE = str(TESTS / "data" / "maze.lp")
OWN = [TICTACTOE, ROCK, "peg_solitaire", str(ROOT / "examples/tictactoe.kif")]
SMALL: dict[str, Any] = {"width": 3, "height": 4}

OF_ALL_KINDS = ["skirmish", "amazons_8x8", *OWN[2:]]
each_game = pytest.mark.parametrize(
    "game",
    [TICTACTOE, ROCK, *(pytest.param(name, marks=pytest.mark.slow) for name in OF_ALL_KINDS)],
)


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Ignore PettingZoo's warnings about agent names without numbers and unknown attributes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


# --- PettingZoo's own tests --------------------------------------------------------------------


@pytest.mark.sample(2)
@each_game
def test_pettingzoos_own_tests(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(env(game), num_cycles=30)
    parallel_api_test(parallel_env(game), num_cycles=30)
    seed_test(lambda: env(game), num_cycles=30)
    parallel_seed_test(lambda: parallel_env(game), num_cycles=30)
    assert "Passed Parallel API test" in capsys.readouterr().out


@pytest.mark.slow
def test_pettingzoos_render_test() -> None:
    render_test(lambda **how: env(ROCK, **how), custom_tests={"svg": lambda s: "</svg>" in s})


# --- against the grounder ----------------------------------------------------------------------


def legal_actions(state: State, role: str) -> list[int]:
    said = state.game.without_nets.state(state.facts).consequences
    moves = state.game.moves
    return [n for n in moves.of(role) if moves[n].term in said.playable(role)]


def assert_shown(state: State, seen: Any, actions: list[int]) -> None:
    assert np.flatnonzero(seen["action_mask"]).tolist() == actions
    assert np.array_equal(seen["observation"], state.game.observation.of(state))


def walk_by_turns(game: str, seed: int, plies: int = 500) -> State:
    """Play a random game in lockstep with the grounder; returns the last state."""
    agents, rng = raw_env(game), random.Random(seed)
    agents.reset(seed=seed)
    state = agents.game.without_nets.initial
    while not state.is_terminal and (plies := plies - 1) >= 0:
        several = [r for r, moves in state.legal.items() if len(moves) > 1]
        asked = [state.to_move] if state.to_move else several
        joint = {}
        for agent in asked:
            assert agents.agent_selection == agent
            seen, reward, terminated, truncated, _ = agents.last()
            actions = legal_actions(state, agent)
            assert_shown(state, seen, actions)
            assert (reward, terminated, truncated) == (0, False, False)
            waiting = [r for r in agents.possible_agents if r not in asked]
            assert not any(agents.observe(r)["action_mask"].any() for r in waiting)
            action = rng.choice(actions)
            joint[agent] = agents.game.moves[action].term
            agents.step(action)
        state = state.play(joint)
        assert agents.position.facts == state.facts
    if state.is_terminal:
        assert agents.rewards == {r: goal / 50 - 1 for r, goal in state.goals.items()}
        assert all(agents.terminations.values())
        for agent in agents.agent_iter():
            assert not agents.observe(agent)["action_mask"].any()
            assert agents.last()[1] == state.goals[agent] / 50 - 1
            agents.step(None)
        assert not agents.agents
    return state


def walk_together(game: str, seed: int, plies: int = 500) -> State:
    """Like ``walk_by_turns``, with simultaneous actions."""
    agents, rng = parallel_env(game), random.Random(seed)
    seen, infos = agents.reset(seed=seed)
    state = agents.game.without_nets.initial
    while not state.is_terminal and (plies := plies - 1) >= 0:
        assert agents.agents == list(state.game.roles)
        actions = {}
        for agent in agents.agents:
            legal = legal_actions(state, agent)
            assert_shown(state, seen[agent], legal)
            actions[agent] = rng.choice(legal)
            if len(legal) == 1 and rng.random() < 0.5:
                del actions[agent]
        joint = {agent: agents.game.moves[n].term for agent, n in actions.items()}
        state = state.play(joint)
        seen, rewards, terminated, truncated, infos = agents.step(actions)
        assert agents.position.facts == state.facts
        assert set(terminated.values()) == {state.is_terminal}
        assert set(truncated.values()) == {False}
        goals = state.goals.items()
        assert rewards == {r: goal / 50 - 1 if state.is_terminal else 0 for r, goal in goals}
        assert not any(infos.values())
    if state.is_terminal:
        assert agents.agents == []
        assert not any(each["action_mask"].any() for each in seen.values())
    return state


@pytest.mark.sample(2)
@each_game
def test_random_games_go_as_the_grounder_says(game: str) -> None:
    assert walk_by_turns(game, 1, 120).is_terminal == walk_together(game, 1, 120).is_terminal


# --- simultaneous moves ------------------------------------------------------------------------


# --- wrong arguments ---------------------------------------------------------------------------


def test_who_makes_an_illegal_move_has_lost() -> None:
    agents = env("breakthrough", **SMALL)
    agents.reset()
    agents.step(int(agents.observe("white")["action_mask"].argmax()))
    agents.step(int(agents.observe("black")["action_mask"].argmin()))
    found = {}
    for agent in agents.agent_iter():
        found[agent] = agents.last()[1]
        agents.step(None)
    assert found == {"white": 0, "black": -1}


def test_an_illegal_move_without_wrappers_is_refused_and_nothing_changes() -> None:
    agents = raw_env("breakthrough", **SMALL)
    agents.reset()
    before = agents.position
    moves = agents.game.moves
    theirs = moves.of("black")[0]
    far = next(n for n in moves.of("white") if moves[n].term.startswith("move(1,3,"))
    with pytest.raises(IllegalMove, match="is a move of black"):
        agents.step(theirs)
    with pytest.raises(IllegalMove):
        agents.step(far)
    for wrong in (-1, len(moves), 0.5, "a2-a3", None, True, np.array([0, 1])):
        with pytest.raises(
            BadMove, match=f"an action must be a whole number from 0 to {len(moves) - 1}"
        ):
            agents.step(wrong)
    assert agents.position == before
    assert agents.agent_selection == "white"
    agents.step(np.int32(np.flatnonzero(agents.observe("white")["action_mask"])[0]))
    assert agents.agent_selection == "black"


def test_an_illegal_move_at_once_with_others_ends_the_game() -> None:
    agents = parallel_env(ROCK)
    agents.reset()
    white, black = (agents.game.moves.of(role) for role in ("white", "black"))
    _, rewards, terminated, _, infos = agents.step({"white": black[0], "black": black[1]})
    assert rewards == {"white": -1, "black": 0}
    assert terminated == {"white": True, "black": True}
    assert "is a move of black" in infos["white"]["illegal"]
    assert not infos["black"]
    assert agents.step({"white": white[0]}) == ({}, {}, {}, {}, {})
    agents.reset()
    with pytest.raises(BadRequest, match="say what black does: it has 3 moves"):
        agents.step({"white": white[0]})
    with pytest.raises(
        BadRequest, match=r"actions are given by agents, white, black: \{'red': 0\}"
    ):
        agents.step({"red": 0})
    with pytest.raises(BadMove):
        agents.step({"white": white[0], "black": "rock"})  # type: ignore[dict-item]
    assert agents.position == agents.game.initial


@pytest.mark.parametrize("make", [env, raw_env, parallel_env])
def test_arguments_that_make_no_sense_are_refused(make: Any) -> None:
    small = aspgames.load("breakthrough", **SMALL)
    with pytest.raises(BadRequest, match="a Game has its constants already: width"):
        make(small, width=4)
    with pytest.raises(aspgames.BadConstant):
        make("breakthrough", width=1)
    with pytest.raises(BadRequest, match="is not a state of"):
        make(small, start=aspgames.load("breakthrough").initial)
    with pytest.raises(BadPosition, match="is not observed"):
        make("skirmish", start="cell(1,1,king(white)) cell(8,8,rook(black)) control(white)")


# --- environments as objects -------------------------------------------------------------------


def some_steps(agents: Any, count: int, seed: int) -> list[bytes]:
    rng, found = random.Random(seed), []
    for _ in range(count):
        if not agents.agents or agents.terminations[agents.agent_selection]:
            agents.reset()
        seen = agents.observe(agents.agent_selection)
        found.append(seen["observation"].tobytes())
        agents.step(rng.choice(np.flatnonzero(seen["action_mask"]).tolist()))
    return found


@pytest.mark.parametrize("make", [env, raw_env])
def test_an_environment_is_copied_and_pickled_in_the_middle_of_a_game(make: Any) -> None:
    for game, before in ((ROCK, 3), ("breakthrough", 8)):
        agents = make(game)
        agents.reset()
        some_steps(agents, before, 1)
        others = copy.deepcopy(agents), pickle.loads(pickle.dumps(agents))
        rest = some_steps(agents, 30, 2)
        for other in others:
            assert some_steps(other, 30, 2) == rest


def test_each_agent_sees_and_numbers_as_the_first_one() -> None:
    game = aspgames.load("tictactoe")
    found = env(game, relative=True)
    found.reset()
    for _ in range(5):
        agent, batch = found.agent_selection, aspgames.Batch(game, start=[found.unwrapped.position])
        seen, view = found.observe(agent), game.relative
        assert np.array_equal(seen["observation"], view.of_batch(batch)[0])
        assert np.array_equal(seen["action_mask"], view.take(batch.legal, batch.to_move)[0])
        action = int(seen["action_mask"].argmax())
        move = game.moves[int(view.numbers([action], batch.to_move)[0])]
        found.step(action)
        assert found.unwrapped.position == batch.states()[0].play(move)


@pytest.mark.parametrize("make", [env, parallel_env])
def test_both_agents_have_one_action_a_column(make: Any) -> None:
    agents = make("connect_four", actions="drop(X,_)", width=4, height=4)
    agents.reset(seed=1)
    assert {space.n for space in agents.action_spaces.values()} <= {4, 5}
    game = agents.unwrapped
    for ply in range(3):
        mover = game.position.to_move
        mask = game.observe(mover)["action_mask"] if make is env else None
        action = 0 if mask is None else int(mask.argmax())
        agents.step(action if make is env else {mover: action})
        assert f"cell(1,{ply + 1},{mover})" in game.position.facts


def test_where_games_begin() -> None:
    there, elsewhere = "3/P2/1p1/3 w", "3/1p1/P2/3 b"
    agents = raw_env("breakthrough", start=there, **SMALL)
    agents.reset()
    assert agents.position == agents.game.position(there)
    agents.reset(options={"start": elsewhere})
    assert agents.position == agents.game.position(elsewhere)
    assert agents.agent_selection == "black"
    agents.reset()
    assert agents.position == agents.game.position(there)


def test_pictures(capsys: pytest.CaptureFixture[str]) -> None:
    for make in (raw_env, parallel_env):
        shown = {}
        for mode in (None, "ansi", "svg"):
            agents = make(TICTACTOE, render_mode=mode)
            agents.reset()
            shown[mode] = agents.render()
            agents.close()
        state = agents.position
        assert shown[None] is None
        assert shown["ansi"] == str(state)
        assert shown["svg"] == state.svg()
        assert not capsys.readouterr().out
        agents = make(TICTACTOE, render_mode="human")
        agents.reset()
        assert str(state) in capsys.readouterr().out


def test_who_has_no_move_is_truncated() -> None:
    """In the maze's pit the walker has no move, though the game isn't over."""
    turns, at_once = env(MAZE), parallel_env(MAZE)
    api_test(turns, num_cycles=50)
    parallel_api_test(at_once, num_cycles=50)
    turns.reset()
    at_once.reset()
    east = next(n for n, move in enumerate(at_once.game.moves) if move.term == "east")
    for _ in range(2):
        turns.step(east)
        seen, rewards, over, truncated, _ = at_once.step({"walker": east})
    assert turns.last(observe=False)[1:4] == (0, False, True)
    assert (rewards, over, truncated) == ({"walker": 0}, {"walker": False}, {"walker": True})
    assert not seen["walker"]["action_mask"].any()
    assert at_once.agents == []
    turns.step(None)
    assert turns.agents == []
