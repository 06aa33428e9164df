"""The last turns of a puzzle, where a side's turn has two plies."""

import pytest

from aspgames import solve
from false_certificates import game, rules_of

# White loses at e, where it is on move, after two plies of Black: from t, or from x.
SELFMATE = "a w: t x / t b: s / x b: f / s b: {} / f b: e k / k w: a / e w end 0"
LOST = "goal(black,100) :- terminal."
# White has two plies at the start. From o it needs two more after each reply, and from h longer.
TWO_PLIES = (
    "a w: n f / n w: o / f w: h / o b: l r / h b: l y / l w: p / r w: p / y w: q / "
    "p w: e / q w: o / e b won"
)


@pytest.mark.parametrize(("last", "keys"), [("e", ("t",)), ("e k", ()), ("k", ())])
def test_all_replies_must_reach_the_goal(last: str, keys: tuple[str, ...]) -> None:
    start = game(rules_of(SELFMATE.format(last), LOST)).initial
    found = solve(start, attacker="white", goal="lose", within=1)
    assert (found.keys, found.distance) == (keys, 1 if keys else None)
    assert found.verdict == ("forced" if keys else "not_forced")


@pytest.mark.parametrize(("within", "keys"), [(1, ()), (2, ("n",))])
def test_an_answer_may_take_two_plies(within: int, keys: tuple[str, ...]) -> None:
    start = game(rules_of(TWO_PLIES)).initial
    found = solve(start, attacker="white", goal="win", within=within)
    assert (found.keys, found.distance) == (keys, 2 if keys else None)
