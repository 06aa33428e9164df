"""Observations: the planes of states and of batches."""

import pickle
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aspgames
from aspgames import AspgamesError, BadPosition, BadRequest, Batch, Game, LimitReached
from engine_helpers import write
from helpers import FIVE
from paths import ROOT, TESTS
from thoroughly import amount

OWN = sorted(map(str, (ROOT / "examples").glob("*.kif")))

# A track of squares 3 to 5 with one walker, lamps that may be lit together, and a bell that never
# moves. The encoding marks the squares of the track, and places the bell on a square.
WALK = """
    role(me).  init(at(3)).  init(lamp(1)).  init(bell).  init(odd).  init(goal(2,2)).
    legal(me,(on;light)) :- not true(at(5)).
    legal(me,rest)       :- true(at(5)).
    next(at(N+1)) :- true(at(N)), does(me,on), N < 5.
    next(at(N))   :- true(at(N)), not does(me,on).
    next(lamp(N)) :- true(lamp(N)).
    next(lamp(N)) :- does(me,light), true(at(N)), N < 5.
    next(spark(N)) :- does(me,light), true(at(N)), N < 5.
    next(bell).  next(goal(2,2)).
    next(odd)  :- does(me,on), not true(odd).
    terminal   :- true(at(5)).
    goal(me,100) :- true(lamp(4)).
    goal(me,0)   :- not true(lamp(4)).
"""
BOARD = """
    #program board.
    board(3,2).  hole(1,1).
    placed(bell,3,1,metal).
    marked(at(N),N-2,2) :- N = 3..5.
    glyph(metal,"b").
"""
ENDLESS = """
    role(me).  init(at(0)).  legal(me,on).  next(at(N+1)) :- true(at(N)), does(me,on).
    terminal :- true(at(3)).  goal(me,50).
"""
# Solved for each state, since clingo's grounder doesn't settle them.
UNSETTLED = """
    role(me).  init(at(0)).  legal(me,on).  next(at(N+1)) :- true(at(N)), does(me,on), N < 4.
    over :- true(at(3)), not going.  going :- true(at(0..2)), not over.
    terminal :- over.  goal(me,50).
"""
LISTED = "#program board.  base(at(0..4))."


def assert_agreement(game: Game, states: int, plies: int) -> None:
    """Batches give the planes of single states, which differ if the states do."""
    seen, batch, met = game.observation, Batch(game, states, seed=1), {}
    for _ in range(plies):
        shown = seen.of_batch(batch)
        for one, state in zip(shown, batch.states(), strict=True):
            assert np.array_equal(one, seen.of(state))
            met[state.facts] = one.tobytes()
        batch.step(batch.sample())
    assert len(met) == len(set(met.values()))


def test_planes_of_a_board() -> None:
    game = aspgames.load("breakthrough", width=3, height=4)
    seen = game.observation
    assert seen.names == ("black", "white", "control(black)", "control(white)")
    assert seen.shape == (4, 4, 3)
    state = game.position("P2/3/1p1/3 w")
    top = seen.of(state)[:, 0].tolist()
    assert top == [[0, 0, 0], [1, 0, 0], [0, 0, 0], [1, 1, 1]]
    assert seen.of(state)[0].tolist() == [[0, 0, 0], [0, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert seen.of(state).dtype == np.float32


def test_off_limits_counters_and_marks() -> None:
    seen = aspgames.load("skirmish").observation
    assert seen.names[-6:] == (
        "hole",
        "control(black)",
        "control(white)",
        "captures(black,_)",
        "captures(white,_)",
        "step(_)",
    )
    state = aspgames.load("skirmish").position(
        "4k3/8/2#2#2/8/8/2#2#2/8/4R3 w 0 59 31".replace("k", "r")
    )
    planes = dict(zip(seen.names, seen.of(state), strict=True))
    assert np.argwhere(planes["hole"]).tolist() == [[2, 2], [2, 5], [5, 2], [5, 5]]
    assert np.unique(planes["step(_)"]).tolist() == [np.float32(30 / 59)]
    assert np.unique(planes["captures(black,_)"]).tolist() == [1]
    assert not planes["captures(white,_)"].any()
    game = aspgames.load("amazons_8x8")
    fires = game.initial.play(game.initial.legal_moves[0])
    marked = game.observation.of(fires)[game.observation.names.index("just_moved(_,_)")]
    assert marked.sum() == 1


def test_without_a_board(tmp_path: Path) -> None:
    seen = write(WALK, tmp_path).observation
    assert seen.names == ("lamp(3)", "lamp(4)", "odd", "spark(3)", "spark(4)", "at(_)")
    game = write(WALK, tmp_path)
    assert seen.of(game.initial).tolist() == [0, 0, 1, 0, 0, 0]
    assert seen.of(game.initial.play("light", "on")).tolist() == [1, 0, 1, 0, 0, 0.5]
    assert_agreement(game, 20, 6)


def test_what_stands_for_ever_and_what_is_marked(tmp_path: Path) -> None:
    game = write(WALK + BOARD, tmp_path)
    seen = game.observation
    assert seen.names == (
        *("metal", "hole", "at(_)"),
        *("lamp(3)", "lamp(4)", "odd", "spark(3)", "spark(4)"),
    )
    found = seen.of(game.initial.play("on"))
    assert found[0].tolist() == [[0, 0, 0], [0, 0, 1]]
    assert found[1].tolist() == [[0, 0, 0], [1, 0, 0]]
    assert found[2].tolist() == [[0, 1, 0], [0, 0, 0]]
    assert_agreement(game, 20, 6)


@pytest.mark.parametrize(("size", "planes"), [(11, 121), (12, 0)])
def test_fluents_of_a_name_have_planes_unless_they_are_many(
    tmp_path: Path, size: int, planes: int
) -> None:
    links = f"next(link(I,J)) :- does(_,on), I = 1..{size}, J = 1..{size}."
    game = write(WALK + links + BOARD, tmp_path)
    names = game.observation.names
    assert sum(name.startswith("link") for name in names) == planes
    assert names[:2] == ("metal", "hole")
    assert_agreement(game, 20, 6)
    assert f"link({size},{size})" in write(WALK + links, tmp_path).observation.names


@pytest.mark.quick(2)
@pytest.mark.parametrize("game", ["breakthrough", "skirmish", "amazons_8x8", *OWN], ids=str)
def test_a_batch_shows_what_states_do(game: str) -> None:
    assert_agreement(aspgames.load(game), 4, 5)


@pytest.mark.sample(3)
@pytest.mark.slow
@pytest.mark.parametrize("game", [*FIVE, *OWN], ids=str)
def test_whole_games_are_seen_alike(game: str) -> None:
    assert_agreement(aspgames.load(game), amount(4, 8), 120)


def test_some_states_into_an_array_of_ones_own() -> None:
    game = aspgames.load("breakthrough", width=3, height=4)
    batch, seen = Batch(game, 5, seed=1), game.observation
    for _ in range(3):
        batch.step(batch.sample())
    room = np.full((2, *seen.shape), 7, np.float32)
    assert seen.of_batch(batch, [4, 1], room) is room
    assert np.array_equal(room, seen.of_batch(batch)[[4, 1]])
    assert np.array_equal(seen.of_batch(batch, 2)[0], seen.of(batch[2]))
    bits = batch.holds_bits_of([4, 1])
    whole = np.unpackbits(bits, axis=1, count=len(game.fluents), bitorder="little")
    assert np.array_equal(whole, batch.holds[[4, 1]])


@pytest.mark.parametrize(
    "out",
    [
        np.zeros((2, 4, 4, 3)),
        np.zeros((3, 4, 4, 3), np.float32),
        np.zeros((2, 4, 4, 6), np.float32)[..., ::2],
        [],
    ],
    ids=["float64", "too many", "not contiguous", "a list"],
)
def test_arrays_that_can_not_be_written_to(out: Any) -> None:
    game = aspgames.load("breakthrough", width=3, height=4)
    with pytest.raises(BadRequest, match=r"out is a contiguous array of float32, \(2, 4, 4, 3\)"):
        game.observation.of_batch(Batch(game, 2), out=out)


def test_what_is_no_state_of_the_game() -> None:
    game, other = aspgames.load("skirmish"), aspgames.load("breakthrough", width=3, height=4)
    king = game.position("cell(1,1,king(white)) cell(8,8,rook(black)) control(white)")
    with pytest.raises(BadPosition, match=r"cell\(1,1,king\(white\)\) is not observed"):
        game.observation.of(king)
    for wrong in (None, "startpos", Batch(game, 1)):
        with pytest.raises(BadRequest, match="of a State"):
            game.observation.of(wrong)  # type: ignore[arg-type]
    with pytest.raises(BadRequest, match="of a Batch"):
        game.observation.of_batch(game.initial)
    with pytest.raises(BadRequest, match="of another game"):
        game.observation.of_batch(Batch(other, 1))


@pytest.mark.parametrize("rules", [pytest.param(ENDLESS, marks=pytest.mark.slow), UNSETTLED])
def test_a_game_without_a_net(tmp_path: Path, rules: str) -> None:
    """If play reaches fluents without end, the listed ones have planes."""
    if rules == ENDLESS:
        with pytest.raises(LimitReached):
            _ = write(rules, tmp_path).observation
    game = write(rules + LISTED, tmp_path)
    with pytest.raises(AspgamesError):
        _ = game.moves
    seen = game.observation
    assert seen.names == ("at(_)",)
    states = [game.initial]
    while not states[-1].is_terminal:
        states.append(states[-1].play("on"))
    assert [seen.of(state).item() for state in states] == [0, 0.25, 0.5, 0.75]
    assert all(not np.array_equal(seen.of(a), seen.of(b)) for a, b in pairwise(states))


def test_the_same_in_another_game_object() -> None:
    game = aspgames.load("breakthrough", width=3, height=4)
    again = pickle.loads(pickle.dumps(game))
    assert again.observation.names == game.observation.names
    alone = game.without_nets
    assert np.array_equal(alone.observation.of(alone.initial), game.observation.of(game.initial))
    batch = Batch(game, 2)
    assert np.array_equal(alone.observation.of_batch(batch), game.observation.of_batch(batch))


def test_play_that_gets_stuck() -> None:
    """In the maze's pit there is no move, and the game isn't over."""
    game = aspgames.load(TESTS / "data" / "maze.lp")
    pit = game.position("at(3,1) came(east)")
    assert not pit.legal_moves
    assert not pit.is_terminal
    seen = game.observation
    held = {name for name, value in zip(seen.names, seen.of(pit), strict=True) if value}
    assert held == {"at(3,1)", "came(east)"}
