"""Equilibria: against known values, a plain evaluator of all pure replies, and OpenSpiel."""

import json
import math
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random

import pytest

import aspgames
from aspgames import BadRequest, Budget, LimitReached, RulesError, State
from aspgames.runtime.errors import Interrupted
from aspgames.solver.equilibrium import equilibrium as equilibria
from cli_helpers import Call, check
from helpers import Stopping
from paths import ROOT

pytest.importorskip("scipy", reason="needs the extra equilibrium")

BLUFF = ROOT / "tests/data/bluff.lp"

# One of three cards is drawn. White sees its colour, Black the card or White's move, if a table
# says so. A table has the gains, too. Or both choose at once.
RULES = """\
role(white). role(black). role(random).
init(deal).
weight(card(C),C) :- true(deal), C = 1..3.
legal(random,card(1..3)) :- true(deal).
next(card(C)) :- does(random,card(C)).
next(card(C)) :- true(card(C)).
next(turn(white)) :- true(deal).
next(turn(black)) :- true(turn(white)), not at_once.
legal(white,(l;r)) :- true(turn(white)).
legal(black,(l;r)) :- true(turn(black)).
legal(black,(l;r)) :- true(turn(white)), at_once.
legal(R,wait) :- role(R), not able(R).
able(random) :- true(deal).
able(R) :- true(turn(R)).
able(black) :- true(turn(white)), at_once.
next(made(R,M)) :- does(R,M), M != wait, R != random.
next(made(R,M)) :- true(made(R,M)).
sees(white,colour(C \\ 2)) :- does(random,card(C)).
sees(black,C) :- does(random,card(C)), shown(C).
sees(black,went(l)) :- does(white,l), true(turn(white)), true(card(C)), told(C), not at_once.
terminal :- true(made(white,_)), true(made(black,_)).
goal(white,V) :- terminal, true(card(C)), true(made(white,M)), true(made(black,N)), gain(C,M,N,V).
goal(black,100-V) :- goal(white,V).
#defined at_once/0.
#defined shown/1.
#defined told/1.
"""


def written(folder: Path, random: Random) -> State:
    """A game with random gains and percepts."""
    facts = [
        f"gain({c},{m},{n},{random.randint(0, 100)})." for c, m, n in product((1, 2, 3), "lr", "lr")
    ]
    facts += [
        f"{name}({c})." for name in ("shown", "told") for c in (1, 2, 3) if random.random() < 0.4
    ]
    facts += ["at_once."] * (random.random() < 0.3)
    path = folder / "cards.lp"
    path.write_text(RULES + "\n".join(facts))
    return aspgames.load(path).initial


Plan = Mapping[str, Mapping[str, Fraction]]


def expected(state: State, views: dict[str, str], chosen: Mapping[str, Plan]) -> Fraction:
    """What White gains on average, with each role's probabilities by view."""
    if state.is_terminal:
        return Fraction(state.goals["white"])
    chances = {"random": {move.term: chance for move, chance in state.chance}}
    for role in state.game.players:
        if len(state.legal[role]) > 1:
            chances[role] = dict(chosen[role][views[role]])
    total = Fraction(0)
    for moves in product(*([(r, m, p) for m, p in c.items()] for r, c in chances.items() if c)):
        joint = {role: move for role, move, _ in moves}
        weight = Fraction(1)
        for _, _, chance in moves:
            weight *= chance
        seen = state.sees(joint)
        after = {
            role: f"{views[role]} / {told or '.'}" if views[role] else told or "."
            for role in state.game.players
            for told in [" ".join([*([joint[role]] if role in joint else []), *seen[role]])]
        }
        total += weight * expected(state.play(joint), after, chosen)
    return total


def pure(strategy: Plan) -> Iterator[Plan]:
    for moves in product(*strategy.values()):
        chosen = zip(strategy, moves, strict=True)
        yield {view: {move: Fraction(1)} for view, move in chosen}


@pytest.mark.quick(3)
@pytest.mark.parametrize("seed", range(12))
def test_no_reply_does_better_than_the_value_says(seed: int, tmp_path: Path) -> None:
    state = written(tmp_path, Random(seed))
    found = aspgames.equilibrium(state)
    (low, high), nothing = found.value["white"], {"white": "", "black": ""}
    white, black = found.strategies["white"], found.strategies["black"]
    worst = min(expected(state, nothing, {"white": white, "black": reply}) for reply in pure(black))
    best = max(expected(state, nothing, {"white": mine, "black": black}) for mine in pure(white))
    assert low <= worst <= best <= high
    assert worst - low < Fraction(1, 10**11) > high - best
    assert high - low < Fraction(1, 1000)
    assert found.value["black"] == (100 - high, 100 - low)
    assert all(sum(moves.values()) == 1 for each in (white, black) for moves in each.values())


def test_a_bluff(call: Call) -> None:
    """The published values of pyggp's minipoker: half a chip, every second bluff, 7 calls of 12."""
    told = check(json.loads(call("equilibrium", str(BLUFF), "--json").out), "equilibrium")
    assert told["value"] == {"bluffer": ["1/2", "1/2"], "caller": ["-1/2", "-1/2"]}
    bluffer, caller = told["strategies"]["bluffer"], told["strategies"]["caller"]
    assert bluffer == {"card(red)": {"hold": "1/2", "resign": "1/2"}}
    assert caller == {". / hold": {"call": "7/12", "resign": "5/12"}}


def test_kuhn_poker_on_the_command_line(call: Call) -> None:
    report = check(call("equilibrium", "kuhn_poker", "--json").json, "equilibrium")
    assert report["value"] == {"white": ["-1/18", "-1/18"], "black": ["1/18", "1/18"]}
    # The family of optimal strategies (Kuhn 1950): a king is bet three times as often as a jack.
    bets = {view: Fraction(moves["bet"]) for view, moves in report["strategies"]["white"].items()}
    assert 3 * bets["card(jack) / ."] == bets["card(king) / ."] or bets["card(king) / ."] == 1
    black = report["strategies"]["black"]
    assert black[". / card(queen) / bet"] == {"bet": "1/3", "pass": "2/3"}
    assert black[". / card(jack) / pass"] == {"bet": "1/3", "pass": "2/3"}
    text = call("equilibrium", "kuhn_poker").out
    assert text.startswith("white: -1/18\nblack: 1/18\n\nwhite sees, and plays\n")


@pytest.mark.slow
def test_leduc_poker_as_openspiel_values_it() -> None:
    found = aspgames.equilibrium(aspgames.load("leduc_poker").initial)
    low, high = found.value["white"]
    assert (
        Fraction("-0.08560643") < low < high < Fraction("-0.08560642")
    )  # OpenSpiel's CFR+: -0.0856
    assert found.histories == 9457


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "sides", "theirs"),
    [("kuhn_poker", {}, "kuhn_poker"), ("liars_dice", {"sides": 3}, "liars_dice(dice_sides=3)")],
)
def test_openspiel_comes_near_the_value(game: str, sides: dict[str, int], theirs: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

    spiel = pyspiel.load_game(theirs)
    solver = cfr.CFRPlusSolver(spiel)
    for _ in range(100):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    value = expected_game_score.policy_value(spiel.new_initial_state(), [policy, policy])[0]
    gap = exploitability.nash_conv(spiel, policy)
    assert gap < 0.01
    found = aspgames.equilibrium(aspgames.load(game, **sides).initial)
    low, high = found.value["white"]
    assert value - gap <= low <= high <= value + gap


def test_simultaneous_moves(tmp_path: Path) -> None:
    path = tmp_path / "pennies.lp"
    path.write_text(
        "role(one). role(two). init(start). legal((one;two),(heads;tails)) :- true(start).\n"
        "next(end) :- true(start). next(same) :- does(one,M), does(two,M). terminal :- true(end).\n"
        "goal(one,100) :- true(same). goal(two,0) :- true(same).\n"
        "goal(one,20) :- not true(same). goal(two,80) :- not true(same).\n"
    )
    found = aspgames.equilibrium(aspgames.load(path).initial)
    assert found.is_exact
    assert [*map(int, found.value["one"])] == [60, 60]
    assert [*map(int, found.value["two"])] == [40, 40]
    assert found.strategies["two"] == {"": {"heads": Fraction(1, 2), "tails": Fraction(1, 2)}}


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (
            "queens",
            "an equilibrium is of two players; queens has player: 'solve' has its best plan",
        ),
        ("breakthrough", "no answer within 50 positions: .* histories, and there are more"),
    ],
)
def test_what_has_no_equilibrium(game: str, message: str) -> None:
    with pytest.raises((BadRequest, LimitReached), match=message):
        aspgames.equilibrium(aspgames.load(game).initial, budget=Budget(positions=50))


@pytest.mark.parametrize("ends", [LimitReached, Interrupted])
def test_a_stopped_equilibrium_tells_bounds(
    monkeypatch: pytest.MonkeyPatch, ends: type[BaseException]
) -> None:
    def bounds_when_stopped(looks: float) -> tuple[Fraction, Fraction]:
        with pytest.raises(ends) as stopped:
            aspgames.equilibrium(aspgames.load("kuhn_poker").initial, budget=Stopping(looks, ends))
        notes = getattr(stopped.value, "__notes__", ())
        known = "; ".join([str(stopped.value), *notes])
        found = re.search("the value for white is from (.+) to (.+)", known)
        assert found
        return Fraction(found[1]), Fraction(found[2])

    def stop(*_: object) -> None:
        raise ends("no answer within 1 seconds")

    for looks in (1, 40):  # before the first history, and among the 58
        assert bounds_when_stopped(looks) == (Fraction(-2), Fraction(99))
    monkeypatch.setattr(equilibria, "_linear_program", stop)
    low, high = bounds_when_stopped(math.inf)
    assert Fraction(-2) < low < Fraction(-1, 18) < high < Fraction(2)


def test_a_player_must_know_its_moves_and_the_sum_of_payoffs(tmp_path: Path) -> None:
    path = tmp_path / "cards.lp"
    path.write_text(
        RULES.replace("legal(white,(l;r))", "legal(white,(l;r;C))").replace(
            "true(turn(white)).\nlegal(black", "true(turn(white)), true(card(C)).\nlegal(black", 1
        )
    )
    with pytest.raises(RulesError, match=r"white can't know its own legal moves: having seen"):
        aspgames.equilibrium(aspgames.load(path).initial)
    path.write_text(
        RULES.replace("goal(black,100-V)", "goal(black,V)") + "gain(C,(l;r),(l;r),5*C) :- C=1..3."
    )
    with pytest.raises(
        BadRequest, match=r"cards isn't zero-sum: both payoffs .*; goal_payoff/2 can"
    ):
        aspgames.equilibrium(aspgames.load(path).initial)
