"""Proved properties of games; random games don't contradict them."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

import aspgames
from aspgames import Game, Properties
from engine_helpers import random_game, write
from paths import ROOT

DATA = ROOT / "tests/data"

KNOWN: list[tuple[str, Properties]] = [
    ("tictactoe", Properties(True, 0, 100, 100, 9)),
    ("rock_paper_scissors", Properties(False, 0, 100, 100, 3)),
    ("sheets/noughts.kif", Properties(True, 0, 100, 100, 9)),
    ("sheets/labyrinth.kif", Properties(True, 0, 100, None, 6)),
    ("sliding.lp", Properties(True, 100, 100, 100, 0)),
]
KNOWN_SLOWLY = [
    ("auction.lp", Properties(False, 0, 96, None, 18)),
    ("connect_four", Properties(True, 0, 100, 100, 42)),
    ("hex", Properties(True, 0, 100, 100, 121)),
    ("peg_solitaire", Properties(True, 0, 100, None, 32)),
    ("sheets/bridges.kif", Properties(True, 0, 100, 100, 16)),
    ("sheets/three_heaps.kif", Properties(True, 0, 100, 100, 8)),
    ("breakthrough", Properties(True, 0, 100, 100, 241)),
    ("skirmish", Properties(True, 0, 100, None, 59)),
    ("amazons_8x8", Properties(True, 0, 100, 100, None)),
    ("amazons", Properties(True, 0, 100, 100, None)),
]


def load(name: str) -> Game:
    return aspgames.load(DATA / name if "." in name else name)


@pytest.mark.sample(5)
@pytest.mark.parametrize(
    ("name", "known"),
    [*KNOWN, *(pytest.param(*each, marks=pytest.mark.slow) for each in KNOWN_SLOWLY)],
)
def test_what_is_proved(name: str, known: Properties) -> None:
    assert aspgames.properties(load(name)) == known


@pytest.mark.parametrize("name", [*dict(KNOWN), pytest.param("skirmish", marks=pytest.mark.slow)])
def test_random_games_are_like_that(name: str) -> None:
    game = load(name)
    known = aspgames.properties(game)
    for seed in range(10):
        states = [state for state, _ in random_game(game.initial, random.Random(seed))]
        goals = states[-1].goals.values()
        assert states[-1].is_terminal
        assert known.bound is None or len(states) - 1 <= known.bound
        assert known.lowest <= min(goals) <= max(goals) <= known.highest
        assert known.total in (None, sum(goals))
        for state in states:
            choosing = [role for role, moves in state.legal.items() if len(moves) > 1]
            assert len(choosing) <= 1 or not known.take_turns


RACE = """\
role(white;black).  other(white,black).  other(black,white).
init(control(white)).  init(step(1)).
next(control(S)) :- true(control(R)), other(R,S).
next(step(N+1)) :- true(step(N)), N < 6.
terminal :- true(step(6)).
legal(R,(left;right)) :- true(control(R)).
legal(R,noop) :- role(R), not true(control(R)).
next(last(R,M)) :- does(R,M).
goal(R,100) :- true(last(R,left)).
goal(R,0) :- true(last(R,right)).
goal(R,100) :- true(last(R,noop)), true(last(_,right)).
goal(R,0) :- true(last(R,noop)), true(last(_,left)).
"""


def race(tmp_path: Path, *more: str, without: str = "") -> Properties:
    assert without in RACE
    rules = RACE.replace(without, "") + "\n".join(more) + "\n"
    return aspgames.properties(write(rules, tmp_path))


def test_roles_that_take_turns(tmp_path: Path) -> None:
    assert race(tmp_path) == Properties(True, 0, 100, 100, 5)


@pytest.mark.parametrize(
    ("rule", "broken"),
    [
        ("legal(R,left) :- role(R), true(step(5)).", {"take_turns": False}),
        ("legal(R,left) :- role(R), true(step(6)).", {}),  # when the game is over
        ("legal(R,left) :- role(R), true(step(5)), true(step(4)).", {}),  # never
        ("init(pair). legal(R,left) :- role(R), true(pair).", {"take_turns": False}),
    ],
)
def test_roles_that_have_a_choice_at_once(
    tmp_path: Path, rule: str, broken: dict[str, bool]
) -> None:
    known = race(tmp_path, rule)
    assert known.take_turns == broken.get("take_turns", True)
    assert known.bound == 5


@pytest.mark.parametrize(
    ("rule", "without", "expected"),
    [
        ("", "goal(R,0) :- true(last(R,right)).", (0, 100, 100)),  # a missing value counts as 0
        ("", "goal(R,100) :- true(last(R,left)).", (0, 100, None)),
        ("goal(R,100) :- true(last(R,noop)).", "", (0, 100, None)),  # several at the end
        ("goal(R,40) :- true(last(R,left)).", "goal(R,100) :- true(last(R,left)).", (0, 100, None)),
    ],
)
def test_goals(
    tmp_path: Path, rule: str, without: str, expected: tuple[int, int, int | None]
) -> None:
    known = race(tmp_path, rule, without=without)
    assert (known.lowest, known.highest, known.total) == expected


@pytest.mark.parametrize(("waiting", "total"), [(10, 110), (30, 130)])
def test_goals_that_follow_from_whose_turn_it_is(tmp_path: Path, waiting: int, total: int) -> None:
    rules, _, _ = RACE.partition("goal(")
    rules += "goal(R,100) :- true(control(R)).\n"
    for goal, found in (
        (f"goal(R,{waiting}) :- role(R), not true(control(R)).", total),
        (f"goal(white,{waiting}) :- true(last(_,left)).", None),
    ):
        assert aspgames.properties(write(rules + goal, tmp_path)).total == found


@pytest.mark.parametrize(("seldom", "total"), [(0, 100), (1, None)])
def test_a_total_that_is_seldom_another(tmp_path: Path, seldom: int, total: int | None) -> None:
    rules, _, _ = RACE.partition("goal(")
    more = (
        "legal(R,go(1..400)) :- true(control(R)).",
        "goal(R,100) :- role(R), not true(last(R,noop)).",
        "goal(R,0) :- true(last(R,noop)), not true(last(_,go(7))).",
        f"goal(R,{seldom}) :- true(last(R,noop)), true(last(_,go(7))).",
    )
    assert aspgames.properties(write(rules + "\n".join(more), tmp_path)).total == total


def test_a_lowest_goal_that_somebody_always_has(tmp_path: Path) -> None:
    known = aspgames.properties(write(RACE.replace("goal(R,0)", "goal(R,20)"), tmp_path))
    assert (known.lowest, known.highest, known.total) == (20, 100, 120)


@pytest.mark.parametrize("make", [str, lambda _: None, lambda game: game.initial])
def test_what_is_no_game_is_refused(make: Callable[[Game], object]) -> None:
    game = aspgames.load("tictactoe")
    with pytest.raises(aspgames.BadRequest, match="give a Game, as load returns it, not"):
        aspgames.properties(make(game))  # type: ignore[arg-type]
