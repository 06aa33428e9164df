"""Games for OpenSpiel: its own checks and algorithms, on built-in and user-written games.

Its conformance tests keep their names: ``random_sim_test`` (a random game that checks every answer,
and copies and serialises states) and ``playthrough``, which lists all answers of a game.
"""

import copy
import pickle
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aspgames
from aspgames.runtime.errors import (
    BadConstant,
    BadMove,
    BadPosition,
    BadRequest,
    IllegalMove,
    UnknownGame,
)
from cli_helpers import FILES
from new_process import python
from paths import ROOT

pyspiel: Any = pytest.importorskip("pyspiel")
openspiel: Any = pytest.importorskip("aspgames.openspiel")

TICTACTOE = "tictactoe"
THROWS = "rock_paper_scissors"
PEGS = ROOT / "tests/data/pegs.lp"
LABYRINTH = ROOT / "tests/data/sheets/labyrinth.kif"

# Games with constants; the first ones are fast.
QUICK: list[tuple[str | Path, dict[str, int]]] = [(TICTACTOE, {}), (THROWS, {})]
SLOW: list[tuple[str | Path, dict[str, int]]] = [
    (PEGS, {}),
    ("breakthrough", {"width": 3, "height": 4}),
    (ROOT / "examples/tictactoe.kif", {}),
    (LABYRINTH, {}),
    (ROOT / "tests/data/sliding.lp", {}),  # over before the first move
    ("skirmish", {}),
    ("amazons_8x8", {}),
    ("hex", {"size": 5}),
    (ROOT / "tests/data/auction.lp", {}),
    (ROOT / "tests/data/climb.lp", {}),  # its length has no bound
]


def named(name: str | Path, constants: dict[str, int]) -> str:
    return "-".join([str(name).rpartition("/")[2], *map(str, constants.values())])


each_game = pytest.mark.parametrize(
    ("name", "constants"),
    [
        *(pytest.param(*game, id=named(*game)) for game in QUICK),
        *(pytest.param(*game, id=named(*game), marks=pytest.mark.slow) for game in SLOW),
    ],
)


@pytest.fixture(scope="module")
def tictactoe() -> Any:
    return openspiel.load(TICTACTOE)


def test_alpha_beta_on_tictactoe_gives_a_draw(tictactoe: Any) -> None:
    from open_spiel.python.algorithms.minimax import alpha_beta_search

    value, action = alpha_beta_search(tictactoe)
    assert value == 0
    assert action in tictactoe.new_initial_state().legal_actions()


# --- OpenSpiel's own checks -----------------------------------------------------------------------


@pytest.mark.sample(4)
@each_game
def test_random_sim_test(name: str | Path, constants: dict[str, int]) -> None:
    game = openspiel.load(name, **constants)
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)


@pytest.mark.sample(2)
@pytest.mark.slow
@pytest.mark.parametrize(("name", "constants"), [*QUICK, *SLOW[:3]], ids=str)
def test_playthrough(name: str | Path, constants: dict[str, int]) -> None:
    from open_spiel.python.algorithms.generate_playthrough import playthrough

    game = openspiel.load(name, **constants)
    text = playthrough(str(game), None, seed=1)
    assert text.startswith(f"game: {game}\n")
    assert "IsTerminal() = True" in text
    assert f"ObservationTensorShape() = {list(game.rules.observation.shape)}" in text


# --- against the rules ----------------------------------------------------------------------------


def walk(game: Any, seed: int) -> Iterator[Any]:
    """Yield the states of a random game; the same object changes from one to the next."""
    choose = random.Random(seed).choice
    state = game.new_initial_state()
    while not state.is_terminal():
        yield state
        if state.is_simultaneous_node():
            players = range(game.num_players())
            state.apply_actions([choose(state.legal_actions(player)) for player in players])
        else:
            state.apply_action(choose(state.legal_actions()))
    yield state


@pytest.mark.sample(4)
@each_game
def test_random_walk_against_the_grounder(name: str | Path, constants: dict[str, int]) -> None:
    """Clingo's grounder and OpenSpiel agree on each state."""
    game = openspiel.load(name, **constants)
    rules, numbered = game.rules, game.rules.moves
    naive = rules.without_nets.initial
    known: list[int] = []
    for ply, state in enumerate(walk(game, 5)):
        if ply:
            new = state.history()[len(known) :]
            roles = [numbered[action].role for action in new]
            naive = naive.play({r: numbered[a].term for r, a in zip(roles, new, strict=True)})
            known += new
        assert state.is_terminal() == naive.is_terminal
        goals = naive.goals.values() if naive.is_terminal else [50] * len(rules.roles)
        assert state.returns() == [goal / 50 - 1 for goal in goals]
        assert state.position.facts == naive.facts
        acting = [state.current_player()]
        if state.is_simultaneous_node():
            acting = list(range(game.num_players()))
        for player, role in enumerate(rules.roles):
            legal = naive.legal[role] if player in acting else ()
            actions = state.legal_actions(player)
            assert actions == sorted(actions)
            assert {numbered[action].term for action in actions} == {m.term for m in legal}
            texts = {state.action_to_string(player, action) for action in actions}
            assert texts == {move.text for move in legal}
        others = [r for r in rules.roles if rules.roles.index(r) not in acting]
        assert state.is_terminal() or all(len(naive.legal[role]) == 1 for role in others)
        if ply > 60:  # the grounder is slow
            return


# --- game types -----------------------------------------------------------------------------------


def test_kinds(tictactoe: Any) -> None:
    kinds = pyspiel.GameType
    kind = tictactoe.get_type()
    assert kind.dynamics == kinds.Dynamics.SEQUENTIAL
    assert kind.utility == kinds.Utility.ZERO_SUM
    assert kind.chance_mode == kinds.ChanceMode.DETERMINISTIC
    assert (tictactoe.min_utility(), tictactoe.max_utility()) == (-1, 1)
    assert tictactoe.max_game_length() == 9
    assert tictactoe.num_distinct_actions() == len(tictactoe.rules.moves)
    throws = openspiel.load(THROWS)
    assert throws.get_type().dynamics == kinds.Dynamics.SIMULTANEOUS
    assert throws.utility_sum() == 0
    alone = openspiel.load(PEGS)
    assert alone.num_players() == 1
    assert alone.get_type().utility == kinds.Utility.GENERAL_SUM


@pytest.mark.slow
def test_a_goal_of_constant_sum(tmp_path: Path) -> None:
    rules = FILES["tictactoe.lp"].decode().replace("goal(R,0) ", "goal(R,20)")
    file = tmp_path / "kinder.lp"
    file.write_text(rules)
    game = openspiel.load(file)
    assert game.get_type().utility == pyspiel.GameType.Utility.GENERAL_SUM  # the sum is 120 or 100
    file.write_text(rules.replace("goal(R,50)", "goal(R,60)"))
    game = openspiel.load(file)
    assert game.get_type().utility == pyspiel.GameType.Utility.CONSTANT_SUM
    assert game.utility_sum() == pytest.approx(0.4)
    assert game.min_utility() == pytest.approx(-0.6)
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)


def test_a_game_is_broken_off() -> None:
    game = openspiel.load(TICTACTOE, max_game_length=4)
    assert game.max_game_length() == 4
    *_, last = walk(game, 1)
    assert last.is_terminal()
    assert last.returns() == [0, 0]
    assert last.legal_actions() == []
    assert not last.position.is_terminal
    with pytest.raises(IllegalMove, match="the game is over"):
        last.apply_action(0)
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
    assert pickle.loads(pickle.dumps(game)).max_game_length() == 4


def test_long_proofs_only_when_asked() -> None:
    """Hex on 11 by 11 squares is too large for a quick search for a bound; it fills the board."""
    quick, told = openspiel.load("hex"), list[str]()
    assert quick.max_game_length() == openspiel.LONGEST
    game = openspiel.load("hex", prove=True, progress=told.append)
    assert (game.max_game_length(), told[-1]) == (121, "whether play ends")
    assert game.get_type().utility == quick.get_type().utility
    assert pyspiel.load_game(str(game)).max_game_length() == 121


# --- errors ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "error", "words"),
    [
        (10**6, BadMove, "an action must be a whole number from 0 to 19, not 1000000"),
        (-2, BadMove, "from 0 to 19, not -2"),
        ("white", IllegalMove, "a1 is a move of white, but black is on move"),
        ("black", IllegalMove, "a1 is not legal for black"),
    ],
)
def test_bad_actions(tictactoe: Any, action: int | str, error: type[Exception], words: str) -> None:
    a1 = {move.role: n for n, move in enumerate(tictactoe.rules.moves) if move.text == "a1"}
    state = tictactoe.new_initial_state()
    state.apply_action(a1["white"])
    before = str(state), state.history()
    with pytest.raises(error, match=words):
        state.apply_action(a1[action] if isinstance(action, str) else action)
    assert (str(state), state.history()) == before


def test_bad_texts(tictactoe: Any) -> None:
    state = tictactoe.new_initial_state()
    state.apply_action(state.string_to_action("mark(1,1)"))
    with pytest.raises(IllegalMove, match="a1 is not legal for black"):
        state.string_to_action("a1")
    with pytest.raises(BadMove):
        state.string_to_action("?")
    assert state.action_to_string(state.string_to_action(1, "b2")) == "b2"


def test_bad_joint_actions() -> None:
    state = openspiel.load(THROWS).new_initial_state()
    assert [state.string_to_action(player, "rock") for player in (0, 1)] == [1, 4]
    with pytest.raises(BadRequest, match="name the player"):
        state.legal_actions()
    with pytest.raises(IllegalMove, match="all roles act at once"):
        state.string_to_action("rock")
    with pytest.raises(IllegalMove, match="all roles act at once"):
        state.apply_action(0)
    with pytest.raises(BadRequest, match="there are 1 actions for 2 roles"):
        state.apply_actions([0])
    with pytest.raises(IllegalMove, match="is a move of white, but black is on move"):
        state.apply_actions([0, 0])
    assert state.history() == []


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("aspgames", BadRequest, r"game is missing: aspgames\(game=breakthrough\)"),
        ("aspgames(game=draughts)", UnknownGame, "there is no game 'draughts'"),
        ("aspgames(game=breakthrough,const=(width=1))", BadConstant, "width must be"),
        ("aspgames(game=breakthrough,const=(depth=1))", BadConstant, "no constant 'depth'"),
        ("aspgames(game=breakthrough,const=(width=true))", BadConstant, "width must be"),
        ("aspgames(game=breakthrough,const=(width=1.5))", BadConstant, "a number or a name"),
        ("aspgames(game=breakthrough,max_game_length=-1)", BadRequest, "max_game_length must be"),
    ],
)
def test_bad_parameters(text: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        pyspiel.load_game(text)


def test_bad_positions(tictactoe: Any) -> None:
    with pytest.raises(BadPosition, match="no fluent nonsense"):
        tictactoe.new_initial_state("nonsense")
    with pytest.raises(BadRequest, match="observations have no parameters"):
        tictactoe.make_py_observer(None, {"blind": True})


# --- names, copies, other processes, threads ------------------------------------------------------


def test_by_a_string(tmp_path: Path) -> None:
    odd = tmp_path / "a (strange, 100%) name=x.lp"
    odd.write_bytes(FILES["tictactoe.lp"])
    game = openspiel.load(odd)
    assert pyspiel.load_game(str(game)).rules == game.rules
    state = game.new_initial_state()
    state.apply_action(0)
    again, same = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert (str(again), str(same), same.history()) == (str(game), str(state), [0])
    small = pyspiel.load_game("aspgames(game=breakthrough,const=(width=3,height=4))")
    assert small.rules == aspgames.load("breakthrough", width=3, height=4)
    assert str(small) == str(openspiel.load("breakthrough", height=4, width=3))


def test_from_a_position(tictactoe: Any) -> None:
    state = tictactoe.new_initial_state("OO1/XX1/3 w")
    state.apply_action(state.string_to_action("c2"))
    assert state.returns() == [1, -1]
    text = pyspiel.serialize_game_and_state(tictactoe, state)
    assert str(pyspiel.deserialize_game_and_state(text)[1]) == str(state)


@pytest.mark.slow
def test_pickles_for_another_process(tmp_path: Path) -> None:
    game = openspiel.load("breakthrough", width=3, height=4)
    states = list(map(copy.deepcopy, walk(game, 4)))
    file = tmp_path / "states.pickle"
    file.write_bytes(pickle.dumps((game, states)))
    program = (
        "import pickle, sys\n"
        f"game, states = pickle.loads(open({str(file)!r}, 'rb').read())\n"
        "for state in states: print(state.history(), state.legal_actions())\n"
        "print(game, states[-1].get_game().max_game_length())"
    )
    found = python(program, cwd=tmp_path)
    expected = [f"{state.history()} {state.legal_actions()}" for state in states]
    last = f"{game} {game.max_game_length()}"
    assert found.out.splitlines() == [*expected, last], found.err


# --- its algorithms -------------------------------------------------------------------------------


def test_observations(tictactoe: Any) -> None:
    state = tictactoe.new_initial_state("OO1/XX1/3 w")
    seen = tictactoe.rules.observation
    tensor = np.array(state.observation_tensor(1)).reshape(tictactoe.observation_tensor_shape())
    assert np.array_equal(tensor, seen.of(state.position))
    assert tensor[seen.names.index("white")].sum() == 2


@pytest.mark.slow
def test_counterfactual_regret_on_moves_at_the_same_time() -> None:
    from open_spiel.python.algorithms import cfr, exploitability

    game = pyspiel.convert_to_turn_based(openspiel.load(LABYRINTH.with_name("roshambo.kif")))
    solver = cfr.CFRSolver(game)
    solver.evaluate_and_update_policy()
    assert exploitability.nash_conv(game, solver.average_policy()) >= 0


def test_a_role_without_a_move_breaks_the_game_off() -> None:
    game = openspiel.load(ROOT / "tests/data/maze.lp")
    state = game.new_initial_state("at(2,1) came(east)")
    state.apply_action(state.string_to_action("east"))
    assert not state.position.is_terminal
    assert (state.is_terminal(), state.returns(), state.legal_actions()) == (True, [0], [])
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
