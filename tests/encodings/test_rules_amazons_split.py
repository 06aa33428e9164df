"""The rules of `amazons_10x10` and `amazons_8x8`, where a turn is a move and then an arrow."""

from __future__ import annotations

import pytest

import aspgames
from aspgames import Game
from helpers import QUEEN_ON_D4, changes, facts, shots, targets, terms, texts, words

LARGE = aspgames.load("amazons_10x10")
SMALL = aspgames.load("amazons_8x8")

SIZES = pytest.mark.parametrize(("game", "size"), [(LARGE, 10), (SMALL, 8)], ids=["10x10", "8x8"])
BOTH = pytest.mark.parametrize("game", [LARGE, SMALL], ids=["10x10", "8x8"])
THINGS = pytest.mark.parametrize("thing", ["white", "black", "arrow"])
SIDES = pytest.mark.parametrize(("side", "other"), [("white", "black"), ("black", "white")])

# Every second square around d4:
#
#   6  . x . x . x
#   5  . . . . . .
#   4  . x . Q . x
#   3  . . . . . .
#   2  . x . x . x
#      a b c d e f
RING = "b2 d2 f2 b4 f4 b6 d6 f6"
INSIDE_THE_RING = "c3 d3 e3 c4 e4 c5 d5 e5"
BESIDE_D4 = INSIDE_THE_RING

FIRE_FROM_D4 = ("turn(white,fire)", "just_moved(4,4)")


# --- the start ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "lines"),
    [
        (LARGE, ("white d1 g1 a4 j4", "black a7 j7 d10 g10")),
        (SMALL, ("white c1 f1 a3 h3", "black a6 h6 c8 f8")),
    ],
)
def test_the_amazons_start_on_their_squares_and_white_moves_first(
    game: Game, lines: tuple[str, str]
) -> None:
    assert set(game.initial.facts) == words(facts(*lines, "turn(white,move)"))
    assert game.initial.to_move == "white"


@pytest.mark.parametrize(
    ("game", "origin", "reached"),
    [
        (LARGE, "d1", "a1 b1 c1 e1 f1 d2 d3 d4 d5 d6 d7 d8 d9 b3 c2 e2 f3 g4 h5 i6"),
        (LARGE, "g1", "e1 f1 h1 i1 j1 g2 g3 g4 g5 g6 g7 g8 g9 b6 c5 d4 e3 f2 h2 i3"),
        (LARGE, "a4", "a1 a2 a3 a5 a6 b3 c2 b4 c4 d4 e4 f4 g4 h4 i4 b5 c6 d7 e8 f9"),
        (LARGE, "j4", "j1 j2 j3 j5 j6 i3 h2 b4 c4 d4 e4 f4 g4 h4 i4 i5 h6 g7 f8 e9"),
        (SMALL, "c1", "a1 b1 d1 e1 c2 c3 c4 c5 c6 c7 b2 d2 e3 f4 g5"),
        (SMALL, "f1", "d1 e1 g1 h1 f2 f3 f4 f5 f6 f7 g2 e2 d3 c4 b5"),
        (SMALL, "a3", "a1 a2 a4 a5 b2 b3 c3 d3 e3 f3 g3 b4 c5 d6 e7"),
        (SMALL, "h3", "h1 h2 h4 h5 g2 b3 c3 d3 e3 f3 g3 g4 f5 e6 d7"),
    ],
)
def test_where_each_amazon_goes_at_the_start(game: Game, origin: str, reached: str) -> None:
    assert targets(game.initial, origin) == words(reached)


@pytest.mark.parametrize(("game", "count"), [(LARGE, 80), (SMALL, 60)])
def test_how_many_moves_the_start_has(game: Game, count: int) -> None:
    assert len(game.initial.legal_moves) == count


# --- the move phase -------------------------------------------------------------------------------


@pytest.mark.parametrize("direction", QUEEN_ON_D4[10])
@SIZES
def test_an_amazon_goes_any_number_of_squares_in_a_direction(
    game: Game, size: int, direction: str
) -> None:
    state = game.position(facts("white d4", "turn(white,move)"))
    assert targets(state, "d4") >= words(QUEEN_ON_D4[size][direction])


@SIZES
def test_an_amazon_goes_nowhere_else(game: Game, size: int) -> None:
    state = game.position(facts("white d4", "turn(white,move)"))
    assert targets(state, "d4") == words(" ".join(QUEEN_ON_D4[size].values()))


@THINGS
@BOTH
def test_an_amazon_stops_before_whatever_stands_in_its_way(game: Game, thing: str) -> None:
    state = game.position(facts("white d4", f"{thing} {RING}", "turn(white,move)"))
    assert targets(state, "d4") == words(INSIDE_THE_RING)


@THINGS
@BOTH
def test_an_amazon_does_not_jump(game: Game, thing: str) -> None:
    state = game.position(facts("white d4 h8", f"{thing} {BESIDE_D4}", "turn(white,move)"))
    assert not state.is_terminal
    assert targets(state, "d4") == set()


@BOTH
def test_an_amazon_may_pass_between_two_squares_that_touch_at_a_corner(game: Game) -> None:
    #   2  * . .
    #   1  Q * .
    #      a b c
    state = game.position(facts("white a1", "arrow a2 b1 c3", "turn(white,move)"))
    assert texts(state) == {"a1-b2"}


@BOTH
def test_only_the_amazons_of_the_side_on_move_go(game: Game) -> None:
    #   3  * * *
    #   2  . * q
    #   1  Q * .
    #      a b c
    walls = "arrow a3 b3 c3 b2 b1 d1 d2 d3"
    for side, move in [("white", "a1-a2"), ("black", "c2-c1")]:
        state = game.position(facts("white a1", "black c2", walls, f"turn({side},move)"))
        assert texts(state) == {move}


@BOTH
def test_a_move_takes_the_amazon_to_its_new_square_where_it_then_fires(game: Game) -> None:
    state = game.position(facts("white d4 a1", "black h8", "arrow e1", "turn(white,move)"))
    gone, come = changes(state, state.play("d4-d7"))
    assert gone == words(facts("white d4", "turn(white,move)"))
    assert come == words(facts("white d7", "turn(white,fire)", "just_moved(4,7)"))


@BOTH
def test_nobody_fires_in_a_move_phase(game: Game) -> None:
    assert not any(text.startswith("/") for text in texts(game.initial))
    with pytest.raises(aspgames.IllegalMove):
        game.initial.play("/d4")


# --- the fire phase -------------------------------------------------------------------------------


@pytest.mark.parametrize("direction", QUEEN_ON_D4[10])
@SIZES
def test_an_arrow_flies_any_number_of_squares_in_a_direction(
    game: Game, size: int, direction: str
) -> None:
    state = game.position(facts("white d4", *FIRE_FROM_D4))
    assert shots(state) >= words(QUEEN_ON_D4[size][direction])


@SIZES
def test_an_arrow_flies_nowhere_else(game: Game, size: int) -> None:
    state = game.position(facts("white d4", *FIRE_FROM_D4))
    assert shots(state) == words(" ".join(QUEEN_ON_D4[size].values()))


@THINGS
@BOTH
def test_an_arrow_stops_before_whatever_stands_in_its_way(game: Game, thing: str) -> None:
    state = game.position(facts("white d4", f"{thing} {RING}", *FIRE_FROM_D4))
    assert shots(state) == words(INSIDE_THE_RING)


@THINGS
@BOTH
def test_an_arrow_does_not_jump(game: Game, thing: str) -> None:
    #   5  x x x
    #   4  x Q x
    #   3  x . x
    #   2  . x .
    #      c d e
    state = game.position(facts("white d4", f"{thing} c5 d5 e5 c4 e4 c3 e3 d2", *FIRE_FROM_D4))
    assert shots(state) == {"d3"}


@pytest.mark.parametrize(
    ("to", "back"),
    [
        ("d5", "d4 d3 d2 d1"),
        ("e5", "d4 c3 b2 a1"),
        ("e4", "d4 c4 b4 a4"),
        ("e3", "d4 c5 b6 a7"),
        ("d3", "d4 d5 d6 d7 d8"),
        ("c3", "d4 e5 f6 g7 h8"),
        ("c4", "d4 e4 f4 g4 h4"),
        ("c5", "d4 e3 f2 g1"),
    ],
)
@BOTH
def test_an_arrow_may_go_onto_and_through_the_square_just_left(
    game: Game, to: str, back: str
) -> None:
    state = game.position(facts("white d4", "turn(white,move)")).play(f"d4-{to}")
    assert shots(state) >= words(back)


@BOTH
def test_only_the_amazon_that_has_just_moved_fires(game: Game) -> None:
    #   3  * * * *
    #   2  . * . *     d1 came from somewhere: it fires at c2, never a1 or b1 at a2
    #   1  Q Q * Q *
    #      a b c d e
    state = game.position(
        facts(
            "white a1 b1 d1",
            "arrow a3 b3 c3 d3 b2 d2 c1 e1 e2",
            "turn(white,fire)",
            "just_moved(4,1)",
        )
    )
    assert texts(state) == {"/c2"}


@BOTH
def test_no_amazon_goes_in_a_fire_phase(game: Game) -> None:
    state = game.position(facts("white d4 a1", "black h8", *FIRE_FROM_D4))
    assert all(text.startswith("/") for text in texts(state))
    with pytest.raises(aspgames.IllegalMove):
        state.play("d4-d5")


@SIDES
@BOTH
def test_an_arrow_burns_its_square_and_the_other_side_comes_on_move(
    game: Game, side: str, other: str
) -> None:
    lines = (f"{side} d4", f"{other} h8", "arrow e1")
    state = game.position(facts(*lines, f"turn({side},fire)", "just_moved(4,4)"))
    gone, come = changes(state, state.play("/g4"))
    assert gone == words(facts(f"turn({side},fire)", "just_moved(4,4)"))
    assert come == words(facts("arrow g4", f"turn({other},move)"))


@BOTH
def test_arrows_stay_for_ever(game: Game) -> None:
    state = game.position(facts("white a1", "black h8", "turn(white,move)"))
    for move in ("a1-b1", "/a1", "h8-h7", "/h8", "b1-c1", "/b1", "h7-h6", "/h7"):
        state = state.play(move)
    assert {fact for fact in state.facts if "arrow" in fact} == words(facts("arrow a1 h8 b1 h7"))


# --- whose turn it is -----------------------------------------------------------------------------


@BOTH
def test_a_side_moves_and_fires_before_the_other_does(game: Game) -> None:
    state = game.position(facts("white a1", "black h8", "turn(white,move)"))
    phases = []
    for move in ("a1-b1", "/a1", "h8-h7", "/h8", "b1-c1"):
        phases += [(state.to_move, fact) for fact in state.facts if fact.startswith("turn")]
        state = state.play(move)
    assert phases == [
        ("white", "turn(white,move)"),
        ("white", "turn(white,fire)"),
        ("black", "turn(black,move)"),
        ("black", "turn(black,fire)"),
        ("white", "turn(white,move)"),
    ]


@SIDES
@BOTH
def test_in_both_phases_the_other_side_has_noop_and_nothing_else(
    game: Game, side: str, other: str
) -> None:
    lines = (f"{side} d4", f"{other} h8")
    moving = game.position(facts(*lines, f"turn({side},move)"))
    firing = moving.play("d4-d5")
    assert terms(moving, other) == ["noop"]
    assert terms(firing, other) == ["noop"]


@SIDES
@BOTH
def test_the_side_on_move_never_has_noop(game: Game, side: str, other: str) -> None:
    lines = (f"{side} d4", f"{other} h8")
    moving = game.position(facts(*lines, f"turn({side},move)"))
    for state in (moving, moving.play("d4-d5")):
        assert "noop" not in terms(state, side)
        with pytest.raises(aspgames.IllegalMove):
            state.play("noop")


@BOTH
def test_what_is_refused_in_a_move_phase(game: Game) -> None:
    state = game.position(facts("white d4 d6", "black f4", "arrow d2", "turn(white,move)"))
    refused = ("f4-f5", "e8-e7", "d4-d6", "d4-d7", "d4-f4", "d4-g4", "d4-d2", "d4-d1", "d4-e6")
    assert not any(map(state.is_legal, refused))
    with pytest.raises(aspgames.IllegalMove):
        state.play(refused[0])


@BOTH
def test_what_is_refused_in_a_fire_phase(game: Game) -> None:
    state = game.position(facts("white d4 d6", "black f4", "arrow d2", *FIRE_FROM_D4))
    refused = ("/d4", "/d6", "/d7", "/f4", "/g4", "/d2", "/d1", "/e6", "/c6", "/d0", "/e7")
    assert not any(map(state.is_legal, refused))
    with pytest.raises(aspgames.IllegalMove):
        state.play(refused[0])


# --- the end --------------------------------------------------------------------------------------

WALLED_A1 = "arrow a2 b2 b1"
WALLED_H8 = "arrow g8 g7 h7"  # a corner of the small board; on the large one, see below
WALLED_H8_LARGE = "arrow g8 g7 h7 g9 h9 i9 i8 i7"
FREE = ("white d5", "black h8")
WHITE_STUCK = ("white a1", WALLED_A1, "black h8")
BLACK_STUCK = ("white h8", "black a1", WALLED_A1)
BOTH_STUCK_SMALL = (*WHITE_STUCK, WALLED_H8)
BOTH_STUCK_LARGE = (*WHITE_STUCK, WALLED_H8_LARGE)
NO_WHITE = ("black h8",)
NO_BLACK = ("white h8",)
NOBODY = ("arrow h8",)

WHITE_WINS = {"white": 100, "black": 0}
BLACK_WINS = {"white": 0, "black": 100}


@pytest.mark.parametrize(
    ("lines", "on_move", "goals"),
    [
        (WHITE_STUCK, "white", BLACK_WINS),
        (BLACK_STUCK, "black", WHITE_WINS),
        (NO_WHITE, "white", BLACK_WINS),
        (NO_BLACK, "black", WHITE_WINS),
        (NOBODY, "white", BLACK_WINS),
        (NOBODY, "black", WHITE_WINS),
    ],
)
@BOTH
def test_the_side_that_cannot_move_when_it_should_has_lost(
    game: Game, lines: tuple[str, ...], on_move: str, goals: dict[str, int]
) -> None:
    state = game.position(facts(*lines, f"turn({on_move},move)"))
    assert state.is_terminal
    assert state.goals == goals
    assert state.to_move == on_move
    assert state.legal == {"white": (), "black": ()}


@pytest.mark.parametrize(
    ("game", "lines"), [(LARGE, BOTH_STUCK_LARGE), (SMALL, BOTH_STUCK_SMALL)], ids=["10x10", "8x8"]
)
def test_when_both_are_stuck_the_side_on_move_has_lost(game: Game, lines: tuple[str, ...]) -> None:
    assert game.position(facts(*lines, "turn(white,move)")).goals == BLACK_WINS
    assert game.position(facts(*lines, "turn(black,move)")).goals == WHITE_WINS


@pytest.mark.parametrize(
    ("lines", "on_move"),
    [
        (FREE, "white"),
        (FREE, "black"),
        (WHITE_STUCK, "black"),
        (BLACK_STUCK, "white"),
        (NO_WHITE, "black"),
        (NO_BLACK, "white"),
    ],
)
@BOTH
def test_the_game_goes_on_while_the_side_on_move_can_move(
    game: Game, lines: tuple[str, ...], on_move: str
) -> None:
    state = game.position(facts(*lines, f"turn({on_move},move)"))
    assert not state.is_terminal
    assert state.goals == {"white": 0, "black": 0}
    assert state.legal_moves


@pytest.mark.parametrize(
    "walls",
    [
        ("arrow a2 b2 b1",),
        ("black a2 b2 b1",),
        ("black a2", "arrow b2 b1"),
        ("white b1", "arrow a2 b2 c2 c1"),
        ("white b1", "black a2 b2 c2", "arrow c1"),
    ],
)
@BOTH
def test_an_amazon_is_stuck_behind_arrows_enemies_and_friends(
    game: Game, walls: tuple[str, ...]
) -> None:
    state = game.position(facts("white a1", "black h8", *walls, "turn(white,move)"))
    assert state.is_terminal


@pytest.mark.parametrize("gap", ["a2", "b2", "b1"])
@BOTH
def test_one_empty_square_beside_an_amazon_is_enough_to_go_on(game: Game, gap: str) -> None:
    walls = " ".join(sorted({"a2", "b2", "b1"} - {gap}))
    state = game.position(facts("white a1", f"arrow {walls}", "turn(white,move)"))
    assert not state.is_terminal
    assert gap in targets(state, "a1")


@BOTH
def test_a_side_is_not_stuck_while_one_of_its_amazons_can_move(game: Game) -> None:
    #   2  * * * * *
    #   1  Q * . Q *
    #      a b c d e
    walls = "arrow a2 b2 b1 c2 d2 e2 e1"
    state = game.position(facts("white a1 d1", walls, "black h8", "turn(white,move)"))
    assert texts(state) == {"d1-c1"}


# White's amazon has just come from a1 to b1, where nothing but a1 is left to shoot at.
#
#   2  * * *
#   1  . Q *
#      a b c
SHUT_IN = ("white b1", "arrow a2 b2 c2 c1", "turn(white,fire)", "just_moved(2,1)")


@BOTH
def test_after_a_move_there_is_always_a_shot_back_at_the_square_just_left(game: Game) -> None:
    state = game.position(facts("white a1", "arrow a2 b2 c2 c1", "black h8", "turn(white,move)"))
    assert texts(state) == {"a1-b1"}
    assert texts(state.play("a1-b1")) == {"/a1"}


@pytest.mark.parametrize("black", [("black h8",), ("black a3", "arrow a4 b4 b3"), ()])
@BOTH
def test_the_game_never_ends_in_a_fire_phase(game: Game, black: tuple[str, ...]) -> None:
    # White is about to shut itself in; Black is free, or shut in already, or has no amazon.
    state = game.position(facts(*SHUT_IN, *black))
    assert not state.is_terminal
    assert state.goals == {"white": 0, "black": 0}
    assert texts(state) == {"/a1"}


@BOTH
def test_a_side_that_shuts_itself_in_loses_when_it_should_move_again(game: Game) -> None:
    state = game.position(facts(*SHUT_IN, "black h8")).play("/a1")
    assert not state.is_terminal
    state = state.play("h8-h7")
    assert not state.is_terminal
    over = state.play("/h8")
    assert over.is_terminal
    assert over.to_move == "white"
    assert over.goals == BLACK_WINS


@BOTH
def test_a_side_that_shuts_in_both_wins(game: Game) -> None:
    #   4  * *
    #   3  q *        Black is shut in already, White shuts itself in: Black is to move.
    #   2  * * *
    #   1  . Q *
    over = game.position(facts(*SHUT_IN, "black a3", "arrow a4 b4 b3")).play("/a1")
    assert over.is_terminal
    assert over.to_move == "black"
    assert over.goals == WHITE_WINS


@SIDES
@BOTH
def test_the_arrow_that_closes_the_last_gap_wins(game: Game, side: str, other: str) -> None:
    #   2  * *
    #   1  q . . . Q
    #      a b c d e
    state = game.position(facts(f"{other} a1", "arrow a2 b2", f"{side} e1", f"turn({side},move)"))
    firing = state.play("e1-d1")
    assert not firing.is_terminal
    assert not firing.play("/c1").is_terminal
    over = firing.play("/b1")
    assert over.is_terminal
    assert over.goals == {side: 100, other: 0}
    assert over.legal == {"white": (), "black": ()}
    with pytest.raises(aspgames.IllegalMove, match="over"):
        over.play("noop")


@BOTH
def test_an_amazon_that_fills_the_last_gap_wins_after_its_arrow(game: Game) -> None:
    state = game.position(facts("black a1", "arrow a2 b2", "white e1", "turn(white,move)"))
    firing = state.play("e1-b1")
    assert not firing.is_terminal
    assert firing.play("/c1").goals == WHITE_WINS
