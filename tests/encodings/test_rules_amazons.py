"""The rules of `amazons`, where a move and its arrow are one turn, in positions drawn by hand."""

from __future__ import annotations

import pytest

import aspgames
from aspgames import State
from helpers import QUEEN_ON_D4, changes, draw, facts, shots, targets, terms, texts, words

AMAZONS = aspgames.load("amazons")
EITHER = aspgames.load("amazons", stuck="either")

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

THINGS = ("white", "black", "arrow")


def position(*lines: str) -> State:
    return AMAZONS.position(facts(*lines))


# --- the start ------------------------------------------------------------------------------------


def test_the_amazons_start_on_their_squares_and_white_begins() -> None:
    expected = facts("white d1 g1 a4 j4", "black a7 j7 d10 g10", "control(white)")
    assert set(AMAZONS.initial.facts) == words(expected)
    assert AMAZONS.initial.to_move == "white"


def test_the_start_has_2176_moves() -> None:
    assert len(AMAZONS.initial.legal_moves) == 2176


@pytest.mark.parametrize(
    ("origin", "reached"),
    [
        ("d1", "a1 b1 c1 e1 f1 d2 d3 d4 d5 d6 d7 d8 d9 b3 c2 e2 f3 g4 h5 i6"),
        ("g1", "e1 f1 h1 i1 j1 g2 g3 g4 g5 g6 g7 g8 g9 b6 c5 d4 e3 f2 h2 i3"),
        ("a4", "a1 a2 a3 a5 a6 b3 c2 b4 c4 d4 e4 f4 g4 h4 i4 b5 c6 d7 e8 f9"),
        ("j4", "j1 j2 j3 j5 j6 i3 h2 b4 c4 d4 e4 f4 g4 h4 i4 i5 h6 g7 f8 e9"),
    ],
)
def test_where_each_amazon_goes_at_the_start(origin: str, reached: str) -> None:
    assert targets(AMAZONS.initial, origin) == words(reached)


# --- the move -------------------------------------------------------------------------------------


@pytest.mark.parametrize("direction", QUEEN_ON_D4[10])
def test_an_amazon_goes_any_number_of_squares_in_a_direction(direction: str) -> None:
    reached = targets(position("white d4", "control(white)"), "d4")
    assert reached >= words(QUEEN_ON_D4[10][direction])


def test_an_amazon_goes_nowhere_else() -> None:
    reached = targets(position("white d4", "control(white)"), "d4")
    assert reached == words(" ".join(QUEEN_ON_D4[10].values()))


@pytest.mark.parametrize("thing", THINGS)
def test_an_amazon_stops_before_whatever_stands_in_its_way(thing: str) -> None:
    state = position("white d4", f"{thing} {RING}", "control(white)")
    assert targets(state, "d4") == words(INSIDE_THE_RING)


@pytest.mark.parametrize("thing", THINGS)
def test_an_amazon_does_not_jump(thing: str) -> None:
    state = position("white d4 j10", f"{thing} {BESIDE_D4}", "control(white)")
    assert not state.is_terminal
    assert targets(state, "d4") == set()


def test_an_amazon_may_pass_between_two_squares_that_touch_at_a_corner() -> None:
    #   2  * . .
    #   1  Q * .      a1 to b2 goes between the arrows on a2 and b1
    #      a b c
    state = position("white a1", "arrow a2 b1 c3", "control(white)")
    assert targets(state, "a1") == {"b2"}


@pytest.mark.parametrize(("side", "own", "other"), [("white", "a1", "j10"), ("black", "j10", "a1")])
def test_only_the_amazons_of_the_side_on_move_go(side: str, own: str, other: str) -> None:
    state = position("white a1", "black j10", f"control({side})")
    assert targets(state, own) != set()
    assert targets(state, other) == set()


def test_an_arrow_does_not_move() -> None:
    state = position("white a1", "arrow e5", "control(white)")
    assert targets(state, "e5") == set()


# --- the arrow ------------------------------------------------------------------------------------


def test_an_arrow_flies_in_all_eight_directions_from_the_new_square() -> None:
    state = position("white d4", "control(white)")
    assert shots(state, "d4-d5") == words(
        "d6 d7 d8 d9 d10  e6 f7 g8 h9 i10  e5 f5 g5 h5 i5 j5  e4 f3 g2 h1"
        "  d4 d3 d2 d1  c4 b3 a2  c5 b5 a5  c6 b7 a8"
    )


@pytest.mark.parametrize("thing", THINGS)
def test_an_arrow_stops_before_whatever_stands_in_its_way(thing: str) -> None:
    state = position("white d5", f"{thing} {RING}", "control(white)")
    assert shots(state, "d5-d4") == words(INSIDE_THE_RING)


@pytest.mark.parametrize("thing", THINGS)
def test_an_arrow_does_not_jump(thing: str) -> None:
    #   5  x x x
    #   4  x . x      The amazon comes from d3 to d4 and can shoot back only.
    #   3  x Q x
    #   2  . x .
    #      c d e
    state = position("white d3 j10", f"{thing} c5 d5 e5 c4 e4 c3 e3 d2", "control(white)")
    assert shots(state, "d3-d4") == {"d3"}


@pytest.mark.parametrize(
    ("to", "back"),
    [
        ("d5", "d4 d3 d2 d1"),
        ("e5", "d4 c3 b2 a1"),
        ("e4", "d4 c4 b4 a4"),
        ("e3", "d4 c5 b6 a7"),
        ("d3", "d4 d5 d6 d7 d8 d9 d10"),
        ("c3", "d4 e5 f6 g7 h8 i9 j10"),
        ("c4", "d4 e4 f4 g4 h4 i4 j4"),
        ("c5", "d4 e3 f2 g1"),
    ],
)
def test_an_arrow_may_go_onto_and_through_the_square_just_left(to: str, back: str) -> None:
    state = position("white d4", "control(white)")
    assert shots(state, f"d4-{to}") >= words(back)


def test_an_arrow_may_go_through_the_square_just_left_from_afar() -> None:
    state = position("white d4", "control(white)")
    assert shots(state, "d4-d8") >= words("d7 d6 d5 d4 d3 d2 d1")


@pytest.mark.parametrize("thing", THINGS)
def test_an_arrow_that_goes_through_the_square_just_left_stops_before_other_things(
    thing: str,
) -> None:
    state = position("white d4", f"{thing} d2", "control(white)")
    file_d = words("d1 d2 d3 d4 d5 d7 d8 d9 d10")
    assert shots(state, "d4-d6") & file_d == words("d3 d4 d5 d7 d8 d9 d10")


def test_the_square_just_left_is_burned_by_a_shot_back() -> None:
    state = position("white d4", "black j10", "control(white)")
    gone, come = changes(state, state.play("d4-d5/d4"))
    assert gone == words(facts("white d4", "control(white)"))
    assert come == words(facts("white d5", "arrow d4", "control(black)"))


# --- the turn -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "gone", "come"),
    [
        ("d1-d7/g7", "white d1", ("white d7", "arrow g7")),
        ("d1-d9/d1", "white d1", ("white d9", "arrow d1")),
        ("a4-f9/f10", "white a4", ("white f9", "arrow f10")),
    ],
)
def test_a_turn_moves_one_amazon_and_burns_one_square(
    move: str, gone: str, come: tuple[str, str]
) -> None:
    after = AMAZONS.initial.play(move)
    expected = (
        words(facts(gone, "control(white)")),
        words(facts(*come, "control(black)")),
    )
    assert changes(AMAZONS.initial, after) == expected


def test_every_turn_burns_exactly_one_square() -> None:
    #   3  * * * *
    #   2  . * * *
    #   1  Q . * *    All turns there are, in a room of three squares.
    #      a b c d
    state = position("white a1", "black j10", "arrow c1 b2 c2 a3 b3", "control(white)")
    assert texts(state) == words("a1-a2/a1 a1-a2/b1 a1-b1/a1 a1-b1/a2")
    for move in state.legal_moves:
        arrows = [fact for fact in state.play(move).facts if "arrow" in fact]
        assert len(arrows) == 6


def test_there_is_no_move_without_an_arrow() -> None:
    for move in ("d1-d7", "move(4,1,4,7)", "move(4,1,4,7,4,7)"):
        with pytest.raises((aspgames.IllegalMove, aspgames.BadMove)):
            AMAZONS.initial.play(move)


def test_arrows_stay_for_ever() -> None:
    state = AMAZONS.initial
    for move in ("d1-d7/g7", "a7-c7/a7", "g1-g6/f7", "j7-h7/h6"):
        state = state.play(move)
    assert {fact for fact in state.facts if "arrow" in fact} == words(facts("arrow g7 a7 f7 h6"))


def test_the_sides_take_turns() -> None:
    state = AMAZONS.initial
    on_move = [state.to_move]
    for move in ("d1-d7/g7", "a7-c7/a7", "g1-g6/f7", "j7-h7/h6"):
        state = state.play(move)
        on_move.append(state.to_move)
    assert on_move == ["white", "black", "white", "black", "white"]


def test_the_side_that_is_not_on_move_has_noop_and_nothing_else() -> None:
    state = AMAZONS.initial
    assert terms(state, "black") == ["noop"]
    assert terms(state.play("d1-d7/g7"), "white") == ["noop"]


def test_the_side_on_move_never_has_noop() -> None:
    state = AMAZONS.initial
    assert "noop" not in terms(state, "white")
    assert "noop" not in terms(state.play("d1-d7/g7"), "black")
    with pytest.raises(aspgames.IllegalMove):
        state.play("noop")


@pytest.mark.parametrize(
    "move",
    [
        pytest.param("a7-a6/a7", id="the amazon is Black's"),
        pytest.param("e5-e6/e7", id="nothing stands there"),
        pytest.param("d1-d10/d9", id="onto an enemy"),
        pytest.param("d1-g1/f1", id="onto a friend"),
        pytest.param("d1-h1/i1", id="over a friend"),
        pytest.param("d1-e3/e4", id="as no queen goes"),
        pytest.param("d1-d0/d2", id="off the board"),
        pytest.param("d1-d7/d10", id="an arrow at an enemy"),
        pytest.param("d1-d7/d11", id="an arrow off the board"),
        pytest.param("d1-d7/e9", id="an arrow as no queen goes"),
        pytest.param("d1-d7/d7", id="an arrow at the amazon itself"),
    ],
)
def test_what_is_refused_at_the_start(move: str) -> None:
    with pytest.raises((aspgames.IllegalMove, aspgames.BadMove)):
        AMAZONS.initial.play(move)


# --- the end --------------------------------------------------------------------------------------

FREE = ("white e5", "black j10")
WHITE_STUCK = ("white a1", "arrow a2 b2 b1", "black j10")
BLACK_STUCK = ("white a1", "black j10", "arrow i10 i9 j9")
BOTH_STUCK = ("white a1", "arrow a2 b2 b1", "black j10", "arrow i10 i9 j9")
NO_WHITE = ("black j10",)
NO_BLACK = ("white a1",)
NOBODY = ("arrow e5",)

WHITE_WINS = {"white": 100, "black": 0}
BLACK_WINS = {"white": 0, "black": 100}
BOTH_WIN = {"white": 100, "black": 100}


@pytest.mark.parametrize(
    ("lines", "on_move", "goals"),
    [
        (WHITE_STUCK, "white", BLACK_WINS),
        (BLACK_STUCK, "black", WHITE_WINS),
        (BOTH_STUCK, "white", BLACK_WINS),
        (BOTH_STUCK, "black", WHITE_WINS),
        (NO_WHITE, "white", BLACK_WINS),
        (NO_BLACK, "black", WHITE_WINS),
        (NOBODY, "white", BLACK_WINS),
        (NOBODY, "black", WHITE_WINS),
    ],
)
def test_the_side_on_move_loses_when_it_is_stuck(
    lines: tuple[str, ...], on_move: str, goals: dict[str, int]
) -> None:
    state = position(*lines, f"control({on_move})")
    assert state.is_terminal
    assert state.goals == goals
    assert state.to_move == on_move


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
def test_the_game_goes_on_while_the_side_on_move_can_move(
    lines: tuple[str, ...], on_move: str
) -> None:
    state = position(*lines, f"control({on_move})")
    assert not state.is_terminal
    assert state.goals == {"white": 0, "black": 0}
    assert state.legal_moves


@pytest.mark.parametrize("on_move", ["white", "black"])
@pytest.mark.parametrize(
    ("lines", "goals"),
    [
        (WHITE_STUCK, BLACK_WINS),
        (BLACK_STUCK, WHITE_WINS),
        (BOTH_STUCK, BOTH_WIN),
        (NO_WHITE, BLACK_WINS),
        (NO_BLACK, WHITE_WINS),
        (NOBODY, BOTH_WIN),
    ],
)
def test_under_stuck_either_the_game_ends_when_a_side_is_stuck_whoever_is_on_move(
    lines: tuple[str, ...], goals: dict[str, int], on_move: str
) -> None:
    state = EITHER.position(facts(*lines, f"control({on_move})"))
    assert state.is_terminal
    assert state.goals == goals
    assert state.to_move == on_move
    assert state.legal == {"white": (), "black": ()}


@pytest.mark.parametrize("on_move", ["white", "black"])
def test_under_stuck_either_the_game_goes_on_while_both_sides_can_move(on_move: str) -> None:
    state = EITHER.position(facts(*FREE, f"control({on_move})"))
    assert not state.is_terminal
    assert state.goals == {"white": 0, "black": 0}


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
def test_an_amazon_is_stuck_behind_arrows_enemies_and_friends(walls: tuple[str, ...]) -> None:
    assert position("white a1", "black j10", *walls, "control(white)").is_terminal


@pytest.mark.parametrize("gap", ["a2", "b2", "b1"])
def test_one_empty_square_beside_an_amazon_is_enough_to_go_on(gap: str) -> None:
    walls = " ".join(sorted({"a2", "b2", "b1"} - {gap}))
    state = position("white a1", f"arrow {walls}", "control(white)")
    assert not state.is_terminal
    assert gap in targets(state, "a1")


def test_a_side_is_not_stuck_while_one_of_its_amazons_can_move() -> None:
    #   2  * * * *
    #   1  Q * . Q *
    #      a b c d e
    state = position("white a1 d1", "arrow a2 b2 b1 c2 d2 e2 e1", "black j10", "control(white)")
    assert texts(state) == {"d1-c1/d1"}


@pytest.mark.parametrize("game", [AMAZONS, EITHER])
@pytest.mark.parametrize("lines", [WHITE_STUCK, BOTH_STUCK])
def test_nothing_is_legal_for_either_side_when_the_game_is_over(
    game: aspgames.Game, lines: tuple[str, ...]
) -> None:
    state = game.position(facts(*lines, "control(white)"))
    assert state.legal == {"white": (), "black": ()}
    assert state.legal_moves == ()
    with pytest.raises(aspgames.IllegalMove, match="over"):
        state.play("noop")


# Black's amazon in the corner has one way out, b9.
#
#   10  q * . . .
#    9  * . . . Q
#       a b c d e
LAST_GAP = draw(
    """
    q*........
    *...Q.....
    ..........
    ..........
    ..........
    ..........
    ..........
    ..........
    ..........
    ..........
    """,
    "w",
)


@pytest.mark.parametrize("game", [AMAZONS, EITHER])
@pytest.mark.parametrize("move", ["e9-d9/b9", "e9-b9/c9", "e9-b9/e9"])
def test_whoever_closes_the_last_gap_wins(game: aspgames.Game, move: str) -> None:
    state = game.position(LAST_GAP)
    assert not state.is_terminal
    over = state.play(move)
    assert over.is_terminal
    assert over.to_move == "black"
    assert over.goals == WHITE_WINS


# White can only go to b1 and shoot back, which shuts it in.
#
#   2  * * *
#   1  Q . *
#      a b c
SHUT_IN = ("white a1", "arrow a2 b2 c2 c1", "black j10", "control(white)")


def test_there_is_always_a_shot_back_at_the_square_just_left() -> None:
    assert texts(position(*SHUT_IN)) == {"a1-b1/a1"}


def test_a_side_that_shuts_itself_in_loses_when_it_comes_on_move() -> None:
    shut_in = position(*SHUT_IN).play("a1-b1/a1")
    assert not shut_in.is_terminal
    assert shut_in.goals == {"white": 0, "black": 0}
    over = shut_in.play("j10-j9/j10")
    assert over.is_terminal
    assert over.goals == BLACK_WINS


def test_under_stuck_either_a_side_that_shuts_itself_in_loses_at_once() -> None:
    over = EITHER.position(facts(*SHUT_IN)).play("a1-b1/a1")
    assert over.is_terminal
    assert over.to_move == "black"
    assert over.goals == BLACK_WINS


# --- the two readings -----------------------------------------------------------------------------


def test_the_side_on_move_is_tested_unless_the_constant_says_otherwise() -> None:
    assert aspgames.load("amazons", stuck="mover") == AMAZONS
    assert AMAZONS.constants == {"stuck": "mover"}
    assert AMAZONS != EITHER


def test_the_moves_are_the_same_in_both_readings() -> None:
    state = EITHER.position(facts(*FREE, "control(white)"))
    assert texts(state) == texts(position(*FREE, "control(white)"))
    assert len(EITHER.initial.legal_moves) == 2176
