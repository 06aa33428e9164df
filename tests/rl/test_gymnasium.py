"""Gymnasium's own check of the environments, and comparisons with the grounder."""

import copy
import importlib
import pickle
import random
import sys
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.spaces import Discrete
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import aspgames
from aspgames import BadMove, BadPosition, BadRequest, Game
from aspgames.gymnasium import ByState
from aspgames.rl.gymnasium_environments import ID, GameEnv, VectorGameEnv, env, vector_env
from game_texts import MIXED
from paths import ROOT, TESTS

PEGS = "peg_solitaire"
TICTACTOE = "tictactoe"
ROCK = "rock_paper_scissors"
OWN = [PEGS, TICTACTOE, ROCK, str(ROOT / "examples/tictactoe.kif")]
SMALL: dict[str, Any] = {"width": 3, "height": 4}

each_game = pytest.mark.parametrize("game", ["skirmish", "amazons_8x8", *OWN])


@pytest.fixture(scope="module")
def small() -> Game:
    return aspgames.load("breakthrough", **SMALL)


@pytest.fixture
def mixed(tmp_path: Path) -> Game:
    (tmp_path / "mixed.lp").write_text(MIXED)
    return aspgames.load(tmp_path / "mixed.lp")


MAZE = str(TESTS / "data" / "maze.lp")
"""A game with a pit: there the walker has no move, though the game isn't over."""


def last(_seen: Any, masks: Any) -> Any:
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


# --- Gymnasium's own check ---------------------------------------------------------------------


def check(game: str) -> None:
    found = env(game)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(found.unwrapped)


@pytest.mark.parametrize("game", [ROCK, pytest.param("amazons_8x8", marks=pytest.mark.slow)])
def test_gymnasiums_check_env(game: str) -> None:
    check(game)


def test_gymnasium_makes_one_and_many_by_the_same_name() -> None:
    one = gymnasium.make(ID, game="breakthrough", width=3, height=4, max_episode_steps=2)
    assert isinstance(one.unwrapped, GameEnv)
    seen, _ = one.reset(seed=1)
    many = gymnasium.make_vec(
        ID, 3, vectorization_mode="vector_entry_point", game=one.unwrapped.game
    )
    assert isinstance(many, VectorGameEnv)
    assert many.num_envs == 3
    assert many.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    assert np.array_equal(many.reset(seed=1)[0], np.stack([seen] * 3))
    assert many.observation_space.contains(many.reset()[0])


# --- one game against the grounder -------------------------------------------------------------


def walk(game: str, seed: int, plies: int, role: str | None = None) -> bool:
    """Play a random game in lockstep with the grounder; returns whether it ended."""
    rng, told = random.Random(seed), list[tuple[bytes, Any]]()

    def opponent(seen: Any, masks: Any) -> Any:
        action = rng.choice(np.flatnonzero(masks[0]).tolist())
        told.append((seen[0].tobytes(), action))
        assert masks.shape == (1, len(found.game.moves))
        return [action]

    found = GameEnv(game, role=role, opponent=opponent)
    seen, info = found.reset(seed=seed)
    state, moves = found.game.without_nets.initial, found.game.moves
    reward, over = 0.0, False
    while True:
        while told and state.to_move not in (found.role, None):
            before, action = told.pop(0)
            assert before == found.game.observation.of(state).tobytes()
            state = state.play(moves[action].term)
        assert found.position.facts == state.facts
        assert np.array_equal(seen, found.game.observation.of(state))
        assert over == state.is_terminal
        assert reward == (state.goals[found.role] / 50 - 1 if over else 0)
        playable = state.consequences.playable(found.role)
        legal = [n for n in moves.of(found.role) if moves[n].term in playable]
        shown = np.flatnonzero(info["action_mask"]).tolist()
        assert shown == (list(range(len(moves))) if over else legal)
        assert np.array_equal(found.action_masks(), info["action_mask"].astype(bool))
        if over or plies <= 0:
            return over
        plies -= 1
        action = rng.choice(legal)
        seen, reward, over, truncated, info = found.step(action)
        assert not truncated
        if state.to_move is None:
            joint = {moves[n].role: moves[n].term for _, n in told} | {
                found.role: moves[action].term
            }
            told.clear()
            state = state.play(joint)
        else:
            state = state.play(moves[action].term)


@pytest.mark.parametrize(("game", "role"), [(PEGS, None), (TICTACTOE, "black"), (ROCK, "black")])
def test_small_games_go_as_the_grounder_says(game: str, role: str | None) -> None:
    assert walk(game, 1, 100, role)


@pytest.mark.sample(4)
@pytest.mark.slow
@each_game
@pytest.mark.parametrize("place", [0, -1])
def test_random_games_go_as_the_grounder_says(game: str, place: int) -> None:
    walk(game, 2, 60, aspgames.load(game).roles[place])


# --- many games against single games -----------------------------------------------------------


def compare(game: Game, count: int, steps: int, illegal: float = 0.1, **options: Any) -> int:
    """Play a vector environment in lockstep with single ones; returns the number of ended games."""
    options |= {"opponent": last}
    many = vector_env(game, count, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        single = SyncVectorEnv([lambda: GameEnv(game, **options)] * count)
    rng, ended = np.random.default_rng(1), 0
    found: Any = many.reset(seed=1)
    expected: Any = single.reset(seed=1)
    for _ in range(steps):
        assert np.array_equal(found[0], expected[0])
        mask, theirs = found[-1]["action_mask"], expected[-1]["action_mask"]
        told = many._illegal
        assert np.array_equal(mask[~told], theirs[~told])
        actions = (rng.random(mask.shape) * mask).argmax(axis=1)
        wild = rng.random(count) < illegal
        actions[wild] = rng.integers(mask.shape[1], size=wild.sum())
        found, expected = many.step(actions), single.step(actions)
        for mine, other in zip(found[1:4], expected[1:4], strict=True):
            assert np.array_equal(mine, other)
            assert mine.dtype == other.dtype
        ended += found[2].sum()
        assert ("illegal" in found[-1]) == ("illegal" in expected[-1])
        if "illegal" in expected[-1]:
            assert np.array_equal(found[-1]["illegal"], expected[-1]["_illegal"])
    return ended


@pytest.mark.parametrize("place", [0, 1])
def test_many_games_go_as_single_ones(small: Game, place: int) -> None:
    assert compare(small, 12, 25, role=small.roles[place]) > 12


def test_many_games_of_moves_at_the_same_time(mixed: Game) -> None:
    assert compare(aspgames.load(ROCK), 20, 20, role="black") > 20
    assert compare(mixed, 20, 20) > 20


@pytest.mark.sample(4)
@pytest.mark.slow
@pytest.mark.parametrize("place", [0, -1])
@each_game
def test_many_games_of_each_kind_go_as_single_ones(game: str, place: int) -> None:
    rules = aspgames.load(game)
    compare(rules, 8, 60, 0.02, role=rules.roles[place])


def test_a_game_that_only_sometimes_has_moves_at_once_wants_to_be_told(mixed: Game) -> None:
    with pytest.raises(BadRequest, match="several roles of mixed move at once"):
        vector_env(mixed, 4, joint=False).reset(seed=1)


def test_an_opponent_that_wins_before_the_first_move(small: Game) -> None:
    """The first step then ends the game, with any action."""
    start = "3/P2/1p1/3 w"
    compare(small, 3, 5, illegal=1, role="black", start=start)
    found = GameEnv(small, role="black", opponent=last, start=start)
    _, info = found.reset()
    assert found.position.is_terminal
    assert info["action_mask"].all()
    assert found.step(0)[1:4] == (-1, True, False)


@pytest.mark.parametrize("place", [0, 1])
def test_relative_games_go_as_single_ones(small: Game, place: int) -> None:
    assert compare(small, 6, 12, role=small.roles[place], relative=True) > 3


def test_a_role_sees_and_numbers_as_the_first_one(small: Game) -> None:
    """White's game, mirrored: black sees the same in it, and the same actions lead on."""
    view, shown = small.relative, []
    for role, start in zip(small.roles, ("2p/3/1P1/3 w", "3/1p1/3/2P b"), strict=True):
        how: dict[str, Any] = {"role": role, "opponent": last, "start": start, "relative": True}
        one, many = GameEnv(small, **how), vector_env(small, 2, **how)
        seen, info = one.reset(seed=1)
        assert one.action_space == many.single_action_space == Discrete(len(view.moves))
        action = info["action_mask"].argmax()
        shown.append([seen, info["action_mask"], *one.step(action)[:2]])
        found = many.reset(seed=1)
        assert np.array_equal(found[0][1], seen)
        assert np.array_equal(many.step(np.array([action, action]))[0][1], shown[-1][2])
    for white, black in zip(*shown, strict=True):
        assert np.array_equal(white, black)
    with pytest.raises(BadRequest, match="no proven symmetry of fox_and_hounds exchanges"):
        env("fox_and_hounds", relative=True)


COLUMNS: dict[str, Any] = {"actions": "drop(X, _)"}
FOUR: dict[str, Any] = {"width": 5, "height": 4}


@pytest.mark.parametrize("relative", [False, True])
@pytest.mark.parametrize("role", ["white", "black"])
def test_one_action_a_column(role: str, relative: bool) -> None:
    """Moves share an action, and its legal one is played; games agree, alone and in many."""
    game = aspgames.load("connect_four", **FOUR)
    assert compare(game, 8, 25, role=role, relative=relative, **COLUMNS) > 3
    found = GameEnv(game, role=role, opponent=last, relative=relative, **COLUMNS)
    _, info = found.reset(seed=1)
    second = list(np.flatnonzero(info["action_mask"]))[1]
    for _ in range(2):
        (move,) = [m.term for m in found.position.legal_moves if m.term.startswith("drop(2,")]
        found.step(second)
        assert f"cell({move[5:-1]},{role})" in found.position.facts
    assert info["action_mask"].shape in [(5,), (6,)]  # perhaps with noop


def test_actions_that_are_no_groups(small: Game) -> None:
    with pytest.raises(BadRequest, match=r"no move matches actions='drp\(X,_\)'; a move is drop"):
        env("connect_four", actions="drp(X,_)")
    with pytest.raises(BadRequest, match="actions is a pattern of moves as"):
        env("connect_four", actions=7)
    with pytest.raises(
        BadRequest, match=r"for move\(2,2,1,3\) and move\(2,2,3,3\), which are both legal"
    ):
        vector_env(small, 2, actions="move(X,Y,_,V)").reset(seed=1)
    same = vector_env("tictactoe", 2, actions="mark(X,X)")  # the diagonal alone matches
    _, infos = same.reset(seed=1)
    assert infos["action_mask"].sum() == 2 * 9


@pytest.mark.parametrize("joint", [False, True])
def test_an_opponent_that_sees_states(joint: bool) -> None:
    """It plays as the policy that makes the same moves from observations."""
    game = aspgames.load("tictactoe")
    by_state = ByState(lambda state, role: max(state.legal[role], key=game.moves.index).text)
    results = []
    for opponent in (last, by_state):
        single, many = (
            made(game, role="black", opponent=opponent, joint=joint)
            for made in (GameEnv, partial(vector_env, num_envs=3))
        )
        for each in (single, many):
            seen, info = each.reset(seed=1)
            results.append([seen.sum()])
            mask = info["action_mask"].reshape(-1, len(game.moves))
            actions = mask.argmax(axis=1)
            seen, *_ = each.step(actions if each is many else actions[0])
            results[-1].append(np.asarray(seen).tolist())
    assert results[:2] == results[2:]


def test_the_engine_is_an_opponent() -> None:
    found = pickle.loads(pickle.dumps(GameEnv("tictactoe", role="black", opponent="engine")))
    found.reset(options={"start": "X1X/OO1/3 w"})
    assert found.position.fen == "XXX/OO1/3 b"
    with pytest.raises(BadRequest, match="the solver plays games in which two sides take turns"):
        GameEnv("rock_paper_scissors", opponent="solver")


def test_random_opponents_are_settled_by_the_seed(small: Game) -> None:
    for make in (lambda: GameEnv(small), lambda: vector_env(small, 6)):
        runs = []
        for seed in (1, 1, 2):
            games: Any = make()
            shown = [games.reset(seed=seed)]
            for _ in range(3):
                mask = np.atleast_2d(shown[-1][-1]["action_mask"]).argmax(axis=1)
                shown.append(games.step(mask if isinstance(games, VectorGameEnv) else mask[0]))
            runs.append([each[0].tobytes() for each in shown])
        assert runs[0] == runs[1] != runs[2]


def test_random_opponents_make_all_their_moves(small: Game) -> None:
    games = vector_env(small, 2000, role="black")
    games.reset(seed=1)
    starts = {state.facts for state in games.batch}
    assert len(starts) == len(small.initial.legal_moves)


# --- wrong arguments ---------------------------------------------------------------------------


def test_an_illegal_move_ends_the_game(small: Game) -> None:
    found = GameEnv(small)
    found.reset(seed=1)
    theirs = small.moves.of("black")[0]
    _, reward, over, _, info = found.step(theirs)
    assert (reward, over) == (-1, True)
    assert "is a move of black" in info["illegal"]
    assert found.position == small.initial
    with pytest.raises(BadRequest, match="reset the environment"):
        found.step(0)
    many = vector_env(small, 3)
    _, infos = many.reset(seed=1)
    legal = infos["action_mask"].argmax(axis=1)
    legal[1] = theirs
    _, rewards, ended, _, infos = many.step(legal)
    assert rewards.tolist() == [0, -1, 0]
    assert ended.tolist() == infos["illegal"].tolist() == [False, True, False]
    assert many.batch[1] == small.initial
    legal = infos["action_mask"].argmax(axis=1)
    _, rewards, ended, _, infos = many.step(legal)
    assert rewards.tolist() == [0, 0, 0]
    assert not ended.any()
    assert many.batch[1] == small.initial
    assert "illegal" not in infos


def test_what_is_no_action_is_refused(small: Game) -> None:
    found, many, count = GameEnv(small), vector_env(small, 2), len(small.moves)
    wrong: Any
    with pytest.raises(BadRequest, match="reset the environment"):
        found.step(0)
    with pytest.raises(BadRequest, match="reset the environment"):
        many.step(np.zeros(2, int))
    found.reset()
    many.reset()
    for wrong in (-1, count, "a2-a3", 0.5):
        with pytest.raises(BadMove, match="an action must be a whole number from 0 to"):
            found.step(wrong)
    for wrong in (0, [0], [0.0, 0.0], [[0, 0]], ["a", "b"], None):
        with pytest.raises(BadRequest, match="actions are 2 whole numbers"):
            many.step(wrong)
    for wrong in ([0, count], [0, -1]):
        with pytest.raises(BadMove, match=f"game 1: an action is from 0 to {count - 1}, not"):
            many.step(np.array(wrong))
    assert many.batch.states() == [small.initial] * 2


def test_what_an_opponent_may_not_give(small: Game) -> None:
    for wrong in ([], [0.5], "a"):
        for found in (GameEnv, VectorGameEnv):
            with pytest.raises(BadRequest, match="an opponent gives a whole number for each state"):
                found(small, role="black", opponent=lambda *_, w=wrong: w).reset()
    theirs = small.moves.of("black")[0]
    with pytest.raises(aspgames.IllegalMove):
        GameEnv(small, role="black", opponent=lambda *_: [theirs]).reset()
    with pytest.raises(aspgames.IllegalMove):
        vector_env(small, 1, role="black", opponent=lambda *_: [theirs]).reset()


@pytest.mark.parametrize("make", [GameEnv, VectorGameEnv])
def test_arguments_that_make_no_sense_are_refused(make: Any, small: Game) -> None:
    with pytest.raises(BadRequest, match="role must be white or black, not 'red'"):
        make(small, role="red")
    with pytest.raises(BadRequest, match='"solver" or a function, not 7'):
        make(small, opponent=7)
    with pytest.raises(BadRequest, match="render_mode must be"):
        make(small, render_mode="film")
    with pytest.raises(BadRequest, match="joint must be True or False"):
        make(small, joint=1)
    with pytest.raises(BadPosition, match="the game can't be over"):
        make(small, start="P2/3/1p1/3 b")
    with pytest.raises(aspgames.UnknownGame):
        make("no_such_game")


@pytest.mark.parametrize(
    ("package", "name", "extra"),
    [
        ("gymnasium", "gymnasium", "rl"),
        ("pettingzoo", "pettingzoo", "rl"),
        ("pyspiel", "openspiel", "openspiel"),
    ],
)
def test_a_missing_package_is_named(
    package: str, name: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    for module in [each for each in sys.modules if each.startswith("aspgames") and name in each]:
        monkeypatch.delitem(sys.modules, module)
    with pytest.raises(BadRequest, match=rf'pip install "aspgames\[{extra}\]"'):
        importlib.import_module(f"aspgames.{name}")


# --- environments as objects -------------------------------------------------------------------


def some_steps(games: Any, count: int, seed: int) -> list[bytes]:
    rng, found = random.Random(seed), []
    seen, info = games.reset(seed=seed)
    for _ in range(count):
        found.append(seen.tobytes())
        legal = np.flatnonzero(info["action_mask"]).tolist()
        seen, _, over, _, info = games.step(rng.choice(legal))
        if over:
            seen, info = games.reset()
    return found


def test_an_environment_is_copied_and_pickled_in_the_middle_of_a_game() -> None:
    found = GameEnv("breakthrough", **SMALL)
    _, info = found.reset(seed=3)
    found.step(info["action_mask"].argmax())
    for other in (copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        assert other.position == found.position
        one, two = copy.deepcopy(found), other
        for _ in range(2):
            action = one.action_masks().argmax()
            first, second = one.step(action), two.step(action)
            assert np.array_equal(first[0], second[0])
            assert first[1:4] == second[1:4]
            if first[2]:
                break


def test_many_games_are_copied(small: Game) -> None:
    games = vector_env(small, 50)
    _, infos = games.reset(seed=3)
    for _ in range(5):
        _, _, _, _, infos = games.step(infos["action_mask"].argmax(axis=1))
    other, more = copy.deepcopy(games), copy.deepcopy(infos)
    for _ in range(10):
        *found, infos = games.step(infos["action_mask"].argmax(axis=1))
        *theirs, more = other.step(more["action_mask"].argmax(axis=1))
        for mine, their in zip(found, theirs, strict=True):
            assert np.array_equal(mine, their)


def test_environments_do_not_know_each_other_nor_do_threads() -> None:
    def play(seed: int) -> list[bytes]:
        return some_steps(GameEnv("breakthrough", **SMALL), 60, seed)

    alone = [play(seed) for seed in range(4)]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(play, range(4))) == alone
    both = [vector_env(TICTACTOE, 5), vector_env("breakthrough", 5, **SMALL)]
    infos = [games.reset(seed=1)[1] for games in both]
    for _ in range(10):
        for place, games in enumerate(both):
            *_, infos[place] = games.step(infos[place]["action_mask"].argmax(axis=1))
            assert "illegal" not in infos[place]


def test_what_was_shown_stays_as_it_was(small: Game) -> None:
    games = vector_env(small, 40)
    seen, infos = games.reset(seed=1)
    shown, kept = [], []
    for _ in range(6):
        shown.append((seen, infos["action_mask"], seen.reshape(40, -1)))
        kept.append((seen.copy(), infos["action_mask"].copy(), seen.reshape(40, -1).copy()))
        seen, _, _, _, infos = games.step(infos["action_mask"].argmax(axis=1))
    for one, other in zip(shown, kept, strict=True):
        assert all(map(np.array_equal, one, other))


def test_some_games_are_reset(small: Game) -> None:
    games = vector_env(small, 4)
    _, infos = games.reset(seed=1)
    for _ in range(2):
        _, _, _, _, infos = games.step(infos["action_mask"].argmax(axis=1))
    before = games.batch.states()
    games.reset(options={"reset_mask": np.array([True, False, False, True])})
    assert games.batch.states() == [small.initial, *before[1:3], small.initial]
    with pytest.raises(BadRequest, match="no reset_mask"):
        games.reset(seed=1, options={"reset_mask": np.ones(4, bool)})


def test_a_game_that_was_reset_goes_on_with_the_next_step(small: Game) -> None:
    games = vector_env(small, 2)
    _, infos = games.reset(seed=1)
    ends = [games.step([small.moves.of("black")[0]] * 2)]  # by an illegal move
    _, infos = games.reset(options={"reset_mask": ends[0][2]})
    while not ends[-1][2].any() or len(ends) == 1:  # by the rules
        ends.append(games.step(infos["action_mask"].argmax(axis=1)))
        infos = ends[-1][-1]
        assert small.initial not in games.batch.states()
    _, infos = games.reset(options={"reset_mask": np.ones(2, bool)})
    games.step(infos["action_mask"].argmax(axis=1))
    assert small.initial not in games.batch.states()


def test_pictures(capsys: pytest.CaptureFixture[str]) -> None:
    state = aspgames.load(TICTACTOE).initial
    for mode, shown in (("ansi", str(state)), ("svg", state.svg()), (None, None)):
        one, many = GameEnv(TICTACTOE, render_mode=mode), vector_env(TICTACTOE, 2, render_mode=mode)
        one.reset()
        many.reset()
        assert one.render() == shown
        assert many.render() == (None if mode is None else (shown, shown))
    assert not capsys.readouterr().out
    GameEnv(TICTACTOE, render_mode="human").reset()
    assert str(state) in capsys.readouterr().out


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*render fps.*")
        yield


# --- roles without a move -------------------------------------------------------------------------


@pytest.mark.parametrize("joint", [False, True])
def test_who_has_no_move_is_truncated(joint: bool) -> None:
    check(MAZE)
    single, many = env(MAZE, joint=joint), vector_env(MAZE, 2, joint=joint)
    single.reset(seed=1)
    many.reset(seed=1)
    terms = [move.term for move in many.game.moves]
    east, north = (np.int64(terms.index(term)) for term in ("east", "north"))
    single.step(east)
    _, reward, over, truncated, info = single.step(east)
    assert (reward, over, truncated, info["action_mask"].all()) == (0, False, True, True)
    with pytest.raises(BadRequest, match="reset"):
        single.step(east)
    many.step([east, north])
    _, rewards, overs, truncateds, infos = many.step([east, north])
    assert (rewards.tolist(), overs.tolist(), truncateds.tolist()) == ([0, 0], [False] * 2, [1, 0])
    _, _, overs, truncateds, infos = many.step([east, north])  # the first game restarts
    assert not (overs | truncateds).any()
    assert "illegal" not in infos
    assert many.batch[0] == many.game.initial
    with pytest.raises(BadPosition, match="each role must have a move"):
        env(MAZE, start="at(3,1) came(east)")


# After red's step, blue has no move, though the game isn't over.
TRAP = """
    role(red).  role(blue).  init(turn(red)).
    legal(red,(on;rest)) :- true(turn(red)).
    legal(red,noop)  :- true(turn(blue)).
    legal(blue,noop) :- true(turn(red)).
    legal(blue,back) :- true(turn(blue)), true(rested).
    next(turn(blue)) :- true(turn(red)).
    next(turn(red))  :- true(turn(blue)).
    next(rested)     :- does(red,rest).
    terminal :- true(never).
    next(never) :- true(never).
    goal(R,50) :- role(R).
"""


@pytest.mark.parametrize("opponent", ["random", last])
def test_an_opponent_without_a_move(opponent: Any, tmp_path: Path) -> None:
    (tmp_path / "trap.lp").write_text(TRAP)
    game = aspgames.load(tmp_path / "trap.lp")
    terms = [move.term for move in game.moves]
    single, many = env(game, opponent=opponent), vector_env(game, 2, opponent=opponent)
    single.reset(seed=1)
    many.reset(seed=1)
    on, rest = np.int64(terms.index("on")), np.int64(terms.index("rest"))
    assert single.step(rest)[1:4] == (0, False, False)
    assert single.step(on)[1:4] == (0, False, True)
    _, rewards, over, truncated, _ = many.step([on, rest])
    assert not rewards.any()
    assert not over.any()
    assert truncated.tolist() == [True, False]
    assert many.step([on, on])[3].tolist() == [False, True]
