"""The moves of ``random`` with their probabilities, and what the players see of a move."""

from collections import Counter
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

import aspgames
from aspgames import BadRequest, Batch, Game, IllegalMove, RulesError, load, playouts
from engine_helpers import write

URN = """\
role(player). role(random).
init(ball(red,3)). init(ball(blue,1)). init(on(random)).
legal(random,draw(C)) :- true(on(random)), true(ball(C,N)), N > 0.
legal(random,noop) :- true(on(player)).
legal(player,noop) :- true(on(random)).
legal(player,guess(C)) :- true(on(player)), true(ball(C,_)).
next(on(player)) :- true(on(random)).
next(drawn(C)) :- does(random,draw(C)).
next(drawn(C)) :- true(drawn(C)).
next(ball(C,N)) :- true(ball(C,N)).
next(right) :- does(player,guess(C)), true(drawn(C)).
next(over) :- does(player,guess(_)).
terminal :- true(over).
goal(player,100) :- true(right).
goal(player,0) :- not true(right).
sees(player,something) :- does(random,draw(_)).
sees(player,C) :- does(player,guess(_)), true(drawn(C)).
sees(nobody,x).
"""
WEIGHTED = URN + "weight(draw(C),N) :- true(ball(C,N)).\n"


@pytest.fixture(params=["net", "grounder"])
def urn(request: pytest.FixtureRequest, tmp_path: Path) -> Game:
    game = write(WEIGHTED, tmp_path)
    if request.param == "grounder":
        return game.without_nets
    assert game.whole_net
    return game


def test_chances_follow_the_weights(urn: Game) -> None:
    start = urn.initial
    assert start.to_move == "random"
    assert {str(m): p for m, p in start.chance} == {
        "draw(blue)": Fraction(1, 4),
        "draw(red)": Fraction(3, 4),
    }
    drawn = start.play("draw(red)")
    assert drawn.chance == drawn.play("guess(red)").chance == ()
    with pytest.raises(IllegalMove, match="nobody rolls"):
        drawn.roll()


def test_chances_are_equal_without_weights(tmp_path: Path) -> None:
    chances = write(URN, tmp_path).initial.chance
    assert [chance for _, chance in chances] == [Fraction(1, 2)] * 2


def test_rolls_follow_the_seed_and_the_chances(urn: Game) -> None:
    assert urn.initial.roll(7) == urn.initial.roll(7)
    rng = Random(0)
    rolls = Counter("drawn(red)" in urn.initial.roll(rng).facts for _ in range(400))
    assert 270 < rolls[True] < 330
    with pytest.raises(BadRequest, match=r"random\.Random"):
        urn.initial.roll("seed")  # type: ignore[arg-type]


def test_a_roll_takes_the_moves_of_others(tmp_path: Path) -> None:
    rules = "role(random). role(a). legal(random,(x;y)). legal(a,(x;y)). init(s).\n"
    state = write(rules + "next(m(R,M)) :- does(R,M). terminal :- true(m(_,_)).", tmp_path).initial
    assert [str(chance) for _, chance in state.chance] == ["1/2", "1/2"]
    assert "m(a,x)" in state.roll(1, a="x").facts
    with pytest.raises(IllegalMove, match="say what a does"):
        state.roll(1)


def test_players_see_their_percepts(urn: Game) -> None:
    start = urn.initial
    assert start.sees("draw(red)") == {"player": ("something",)}
    assert start.play("draw(red)").sees("player=guess(blue)") == {"player": ("red",)}
    with pytest.raises(IllegalMove):
        start.sees("draw(green)")


def test_without_percepts_nothing_is_hidden(tmp_path: Path) -> None:
    game = write("\n".join(r for r in URN.splitlines() if "sees" not in r), tmp_path)
    assert not game.hidden
    assert game.initial.sees("draw(red)") == {}


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("weight(draw(C),0) :- true(ball(C,_)).", "weight(draw("),
        ("weight(draw(C),(1;2)) :- true(ball(C,_)).", "one weight"),
        ("weight(draw(C),many) :- true(ball(C,_)).", "at least 1"),
        ("weight(draw(red),2).", "none to draw(blue)"),
    ],
)
def test_senseless_weights_are_told(tmp_path: Path, rule: str, said: str) -> None:
    with pytest.raises(RulesError) as told:
        _ = write(URN + rule, tmp_path).initial.chance
    assert said in str(told.value)


def test_random_games_follow_the_weights(tmp_path: Path) -> None:
    start = write(WEIGHTED, tmp_path).initial
    played = playouts(start, 60, seed=3)
    assert played.results == playouts(start, 60, seed=3).results
    lost = WEIGHTED.replace("guess(C)) :- true(on(player))", "guess(blue)) :- true(on(player))")
    blue = playouts(write(lost, tmp_path, "blue.lp").initial, 200).results
    assert 25 < blue[100, 0] < 75  # a quarter of the balls is blue
    slow = playouts(write(lost, tmp_path, "blue.lp").initial, 100, reasoner="grounder").results
    assert 10 < slow[100, 0] < 40


def drawn(game: Game, count: int) -> list[int]:
    """The moves that a batch draws in the first states."""
    return [int(number) for number in Batch(game, count, seed=7).sample()]


def test_a_batch_draws_by_weights(tmp_path: Path) -> None:
    game = write(WEIGHTED, tmp_path)
    moves = drawn(game, 20_000)
    assert moves[:50] == drawn(game, 50)  # a lane's draws don't depend on the others
    odds = Counter(game.moves[number].term for number in moves)
    assert 14_800 < odds["draw(red)"] < 15_200
    equal = write(URN + "weight(draw(C),7) :- true(ball(C,_)).", tmp_path, "equal.lp")
    assert drawn(equal, 999) == drawn(write(URN, tmp_path, "alike.lp"), 999)


def test_records_are_of_the_same_games(tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    start = write(WEIGHTED, tmp_path).initial
    aspgames.data.record_games(start, 300, tmp_path / "urn.parquet", seed=2)
    table = pq.read_table(tmp_path / "urn.parquet").to_pylist()
    rows = [row for row in table if row["ply"] == 0]
    played = playouts(start, 300, seed=2, reasoner="propnet").results
    assert sum(row["goal_player"] == 100 for row in rows) == played[100, 0]
    assert 195 < sum(row["term"] == "draw(red)" for row in rows) < 255


@pytest.mark.parametrize("rule", ["weight(draw(red),2).", "weight(draw(C),0) :- true(ball(C,_))."])
def test_a_batch_tells_senseless_weights(tmp_path: Path, rule: str) -> None:
    with pytest.raises(RulesError, match=r"own.lp:\d+: weight(/2 gives|.draw.*has one weight)"):
        drawn(write(URN + rule, tmp_path), 5)


def test_random_games_of_kuhn_poker_have_each_deal_as_often() -> None:
    batch = Batch(load("kuhn_poker"), 3000, seed=5)
    for _ in range(2):
        batch.step(batch.sample())
    deals = Counter(
        tuple(fact for fact in state.facts if fact.startswith("hand")) for state in batch
    )
    assert len(deals) == 6
    assert all(400 < games < 600 for games in deals.values())
