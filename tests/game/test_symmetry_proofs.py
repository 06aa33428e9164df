"""Symmetries: proven from the rules, and held against the grounder in random play in lockstep."""

from pathlib import Path
from random import Random

import pytest

import aspgames
from aspgames import BadRequest, Game, State, Symmetry
from engine_helpers import write
from helpers import FIVE
from mirrors import MIRRORS, seen_in
from paths import ROOT
from thoroughly import amount

LEFT_TO_RIGHT = ["left to right"]
TWO_SIDES = [
    "left to right",
    "top to bottom, black for white, white for black",
    "turned by half, black for white, white for black",
]
ALL = 15  # eight views, with the two roles as they are or exchanged, but for what changes nothing


def names(game: Game) -> list[str]:
    return [symmetry.name for symmetry in game.symmetries]


def assert_alike(state: State, image: State, seen: Symmetry) -> None:
    """What the grounder says of two states is the same, each seen its own way."""
    assert image.facts == tuple(sorted(map(seen.fluent, state.facts)))
    assert image.is_terminal == state.is_terminal
    assert image.goals == {seen.role(role): value for role, value in state.goals.items()}
    mover = state.to_move
    assert image.to_move == (mover and seen.role(mover))
    legal = {seen.role(r): {seen.move(m.term) for m in moves} for r, moves in state.legal.items()}
    assert {role: {m.term for m in moves} for role, moves in image.legal.items()} == legal


def play_in_lockstep(start: State, seen: Symmetry, chance: Random, plies: int) -> None:
    state, image = start, start.mirror(seen)
    assert_alike(state, image, seen)
    for _ in range(plies):
        if state.is_terminal:
            break
        joint = {role: chance.choice(moves).term for role, moves in state.legal.items()}
        image = image.play({seen.role(role): seen.move(term) for role, term in joint.items()})
        state = state.play(joint)
        assert_alike(state, image, seen)


@pytest.mark.quick(3)
@pytest.mark.parametrize(
    ("game", "expected"),
    [
        ("breakthrough", TWO_SIDES),
        pytest.param("skirmish", TWO_SIDES, marks=pytest.mark.slow),
        ("amazons_8x8", ALL),
        pytest.param("amazons_10x10", ALL, marks=pytest.mark.slow),
        pytest.param("amazons", ALL, marks=pytest.mark.slow),
        ("tests/data/sheets/noughts.kif", ALL),
        ("tests/data/auction.lp", 5),
        ("tictactoe", ALL),
        ("rock_paper_scissors", 1),
        ("tests/data/maze.lp", 0),
    ],
)
def test_symmetries_of_games(game: str, expected: list[str] | int) -> None:
    named = "/" not in game
    found = aspgames.load(game if named else ROOT / game)
    symmetries = found.symmetries
    assert (names(found) if isinstance(expected, list) else len(symmetries)) == expected
    chance, slow = Random(game), found.without_nets
    for seen in chance.sample(symmetries, min(2, len(symmetries))):
        play_in_lockstep(slow.initial, seen, chance, 1 if named else 6)


@pytest.mark.sample(2)
@pytest.mark.slow
@pytest.mark.parametrize("name", FIVE)
def test_whole_games_in_lockstep(name: str) -> None:
    game, chance = aspgames.load(name), Random(name)
    for seen in chance.sample(game.symmetries, 2):
        play_in_lockstep(game.without_nets.initial, seen, chance, amount(60, 400))


def test_what_is_connected_is_connected_in_other_views() -> None:
    """Recursive atoms: chains of neighbours."""
    game = aspgames.load("hex", size=4)
    swapped = "black for white, white for black"
    # Turned by half, too; but there joins begin at the other edge, which isn't seen to be the same.
    assert names(game) == [f"along the diagonal, {swapped}"]
    for number, seen in enumerate(game.symmetries * 3):
        play_in_lockstep(game.without_nets.initial, seen, Random(number), 16)


def test_a_rule_for_one_corner_ends_the_symmetry_of_what_is_connected(tmp_path: Path) -> None:
    corner = '#include "gallery/hex.lp".\nterminal :- joined(white,top,2,1).\n'
    assert names(write(corner, tmp_path)) == []


def test_boards_of_any_shape(tmp_path: Path) -> None:
    game = aspgames.load("breakthrough", width=3, height=5)
    assert names(game) == TWO_SIDES
    own = '#include "breakthrough.lp".\nterminal :- true(cell(1,3,white)).\n'
    assert names(write(own, tmp_path)) == []
    middle = own.replace("cell(1,3,", "cell(1..8,4..5,").replace("white", "R")
    assert names(write(middle.replace("true(", "role(R), true("), tmp_path)) == TWO_SIDES


@pytest.mark.parametrize(
    "name", ["breakthrough", pytest.param("skirmish", marks=pytest.mark.slow), "amazons_8x8"]
)
def test_positions_seen_otherwise(name: str) -> None:
    """The same as by the tests' own mirrors, which are written apart."""
    game, chance = aspgames.load(name), Random(name)
    state = game.initial
    for _ in range(3):
        state = state.play(chance.choice(state.legal_moves))
        for seen in game.symmetries:
            if seen.view in MIRRORS:
                swapped = seen.roles != game.roles
                facts = {seen_in(MIRRORS[seen.view], state, f, swapped) for f in state.facts}
                assert state.mirror(seen.view, exchange=swapped).facts == tuple(sorted(facts))
                assert state.mirror(seen) == state.mirror(seen.view, exchange=swapped)
    assert state.mirror().mirror() == state
    assert state.mirror() == state.mirror("left to right")


def test_two_symmetries_one_after_the_other() -> None:
    game = aspgames.load("amazons_8x8")
    state = game.initial.play("c1-c4", "/a4", "c8-c7")
    for first in game.symmetries[::3]:
        for second in game.symmetries[1::3]:
            both = first.then(second)
            facts = tuple(sorted(map(both.fluent, state.facts)))
            assert facts == state.mirror(first).mirror(second).facts


def test_a_position_that_play_does_not_lead_to(tmp_path: Path) -> None:
    """A game without base/1: only the reachable fluents are known."""
    text = """role(a). to_move(a). init(at(1,1)). side(1..3).
    legal(a,go(X+1,Y)) :- true(at(X,Y)), X<3. legal(a,go(X-1,Y)) :- true(at(X,Y)), X>1.
    legal(a,stay). next(at(X,Y)) :- does(a,go(X,Y)). next(at(X,Y)) :- true(at(X,Y)), does(a,stay).
    next(ice(X)) :- true(ice(X)). terminal :- true(ice(1)), true(at(1,Y)). goal(a,0).
    #program board. board(3,1). glyph(me,"M"). placed(at(X,1),X,1,me) :- X=1..3.
    marked(ice(X),X,1) :- X=1..3.
    """
    game = write(text, tmp_path)
    assert names(game) == LEFT_TO_RIGHT
    assert game.initial.mirror().facts == ("at(3,1)",)
    with pytest.raises(BadRequest, match=r"terminal and terminal aren't alike"):
        game.position("at(2,1) ice(1)").mirror()
    assert game.position("at(1,1) ice(2)").mirror().facts == ("at(3,1)", "ice(2)")


@pytest.mark.parametrize(
    ("view", "exchange", "sentence"),
    [
        ("top to bottom", False, "the rules of breakthrough don't show this symmetry, top to bot"),
        ("left to right", True, "left to right, black for white, white for black: legal("),
        ("along the diagonal", True, "the board can be seen as it is, left to right, top to botto"),
        ("upside down", False, "not 'upside down'"),
        (None, False, "not None"),
    ],
)
def test_symmetries_that_there_are_not(view: str, exchange: bool, sentence: str) -> None:
    state = aspgames.load("breakthrough", width=3, height=4).initial
    with pytest.raises(BadRequest) as refused:
        state.mirror(view, exchange=exchange)
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


def test_symmetries_of_something_else() -> None:
    state, other = (aspgames.load("breakthrough").initial, aspgames.load("tictactoe"))
    with pytest.raises(BadRequest, match="of another game than breakthrough"):
        state.mirror(other.symmetries[0])
    with pytest.raises(BadRequest, match="itself says"):
        state.mirror(state.game.symmetries[0], exchange=True)
    with pytest.raises(BadRequest, match="two roles are exchanged, and there are 3"):
        aspgames.load(ROOT / "tests/data/auction.lp").initial.mirror("as it is", exchange=True)
