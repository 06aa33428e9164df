"""Games with chance and hidden information for OpenSpiel, beside OpenSpiel's own games."""

from pathlib import Path
from typing import Any

import pytest

import aspgames
from aspgames.runtime.errors import RulesError
from paths import ROOT

pyspiel: Any = pytest.importorskip("pyspiel")
openspiel: Any = pytest.importorskip("aspgames.openspiel")

PENNIES = """
role(white;black). init(asked).
legal(R,(heads;tails)) :- role(R), true(asked).
next(chose(R,M)) :- does(R,M).
sees(R,done) :- does(R,_).
terminal :- not true(asked).
same :- true(chose(white,M)), true(chose(black,M)).
goal(white,100) :- same.      goal(white,0)   :- not same.
goal(black,0)   :- same.      goal(black,100) :- not same.
"""
BOTH = """
role(white;black;random). init(step(1)).
legal(R,(a;b)) :- role(R), true(step(1)).
weight(a,3) :- true(step(1)).  weight(b,1) :- true(step(1)).
next(step(2)) :- true(step(1)).
next(won(R)) :- does(R,a), R != random, does(random,a).
terminal :- true(step(2)).
goal(R,100) :- true(won(R)).  goal(R,0) :- role(R), R != random, not true(won(R)).
"""


@pytest.fixture(scope="module")
def kuhn() -> Any:
    return openspiel.load("kuhn_poker")


def of_text(text: str, folder: Path) -> Any:
    (folder / "written.lp").write_text(text)
    return openspiel.load(folder / "written.lp")


@pytest.mark.parametrize(
    ("name", "constants"),
    [
        ("kuhn_poker", {}),
        ("monty_hall", {}),
        *(
            pytest.param(name, constants, marks=pytest.mark.slow)
            for name, constants in (
                (ROOT / "tests/data/small_pig.lp", {"target": 4}),
                ("leduc_poker", {}),
                ("liars_dice", {}),
                ("phantom_tictactoe", {}),
                ("einstein", {}),
            )
        ),
    ],
    ids=str,
)
def test_random_sim_test(name: str | Path, constants: dict[str, int]) -> None:
    game = openspiel.load(name, **constants)
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)


def walk(ours: Any, theirs: Any, words: dict[str, str], alike: set[tuple[str, str]]) -> int:
    """Compare all histories after two; returns their number, and pairs of information states."""
    assert ours.is_terminal() == theirs.is_terminal()
    assert ours.current_player() == theirs.current_player()
    assert ours.returns() == theirs.returns()
    if ours.is_terminal():
        return 1
    player = ours.current_player()
    if ours.is_chance_node():
        assert sorted(p for _, p in ours.chance_outcomes()) == pytest.approx(
            sorted(p for _, p in theirs.chance_outcomes())
        )
    else:
        texts = ours.information_state_string(player), theirs.information_state_string(player)
        alike.add(texts)
    mine = {ours.action_to_string(player, a): a for a in ours.legal_actions()}
    other = {words[theirs.action_to_string(player, a)]: a for a in theirs.legal_actions()}
    assert mine.keys() == other.keys()
    return 1 + sum(
        walk(ours.child(mine[text]), theirs.child(other[text]), words, alike) for text in mine
    )


def test_kuhn_poker_beside_openspiels(kuhn: Any) -> None:
    """All histories have the same ends, and look alike to a player in the same way."""
    theirs, alike = pyspiel.load_game("kuhn_poker"), set[tuple[str, str]]()
    cards = dict(enumerate(("jack", "queen", "king")))
    words = {"Pass": "pass", "Bet": "bet"} | {
        f"Deal:{n}": f"deal({card})" for n, card in cards.items()
    }
    first = kuhn.new_initial_state(), theirs.new_initial_state()
    assert walk(*first, words, alike) == 1 + 3 + 6 + 6 * 8
    assert len(alike) == len({a for a, _ in alike}) == len({b for _, b in alike}) == 12


def test_counterfactual_regret_finds_the_value_of_kuhn_poker(kuhn: Any) -> None:
    from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

    solver = cfr.CFRPlusSolver(kuhn)
    for _ in range(12):
        solver.evaluate_and_update_policy()
    found = solver.average_policy()
    assert exploitability.exploitability(kuhn, found) < 0.05
    values = expected_game_score.policy_value(kuhn.new_initial_state(), [found, found])
    assert values[0] == pytest.approx(-1 / 18, abs=0.02)


def test_types(kuhn: Any) -> None:
    kinds, kind = pyspiel.GameType, kuhn.get_type()
    assert kind.chance_mode == kinds.ChanceMode.EXPLICIT_STOCHASTIC
    assert kind.information == kinds.Information.IMPERFECT_INFORMATION
    assert kind.utility == kinds.Utility.ZERO_SUM
    assert (kuhn.num_players(), kuhn.min_utility(), kuhn.max_utility()) == (2, -2, 2)
    assert (kuhn.num_distinct_actions(), kuhn.max_chance_outcomes()) == (6, 4)
    assert kuhn.max_game_length() == 5
    pig = openspiel.load(ROOT / "tests/data/small_pig.lp", target=4).get_type()
    assert pig.information == kinds.Information.PERFECT_INFORMATION
    assert (pig.dynamics, pig.utility) == (kinds.Dynamics.SEQUENTIAL, kinds.Utility.ZERO_SUM)


def test_what_a_player_knows(kuhn: Any) -> None:
    state = kuhn.new_initial_state()
    for text in ("deal(king)", "deal(jack)", "pass"):
        actions = {state.action_to_string(a): a for a in state.legal_actions()}
        state.apply_action(actions[text])
    assert state.information_state_string(0) == "white: noop sees card(king) / noop / pass"
    assert (
        state.information_state_string(1) == "black: noop / noop sees card(jack) / noop sees pass"
    )
    assert state.observation_string(1) == "black: noop sees pass"
    names, tensor = kuhn.seen.names, state.information_state_tensor(1)
    rows = [tensor[at : at + len(names)] for at in range(0, len(tensor), len(names))]
    said = [{names[place] for place, value in enumerate(row) if value} for row in rows]
    assert said == [{"noop", "pass"}, {"noop", "card(jack)"}, {"noop"}, set(), set()]


def test_players_who_choose_at_once_dont_see_each_other(tmp_path: Path) -> None:
    from open_spiel.python.algorithms import cfr, exploitability

    game = of_text(PENNIES, tmp_path)
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
    known = {game.new_initial_state().child(a).information_state_string(1) for a in (0, 1)}
    assert known == {"black: "}
    solver = cfr.CFRSolver(game)
    for _ in range(10):
        solver.evaluate_and_update_policy()
    assert exploitability.exploitability(game, solver.average_policy()) == pytest.approx(0)


def test_chance_comes_last_and_has_weights(tmp_path: Path) -> None:
    game = of_text(BOTH, tmp_path)
    assert game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    state = game.new_initial_state()
    assert state.is_simultaneous_node()
    state.apply_actions([0, 3])
    assert state.chance_outcomes() == [(0, 0.75), (1, 0.25)]
    state.apply_action(0)
    assert state.returns() == [1, -1]
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)


def test_random_games_show_whether_players_take_turns() -> None:
    from aspgames.rl.openspiel_types import seems_to_take_turns

    assert seems_to_take_turns(aspgames.load("pig"))
    assert not seems_to_take_turns(aspgames.load("rock_paper_scissors"))


def test_a_game_that_seemed_to_take_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is refused where it doesn't, instead of played wrongly."""
    from aspgames.rl import openspiel_games

    monkeypatch.setattr(openspiel_games, "seems_to_take_turns", lambda _rules: True)
    game = of_text(BOTH, tmp_path)
    with pytest.raises(RulesError, match="choose at once"):
        game.new_initial_state().current_player()
