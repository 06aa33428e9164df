"""The rules of the three games of Amazons, in positions drawn by hand.

In `amazons` a move and its arrow are one ply, in `amazons_10x10` and `amazons_8x8` two plies of one
turn.
"""

from dataclasses import dataclass

import pytest

import aspgames
from aspgames import Game, State
from helpers import QUEEN_ON_D4, changes, facts, play, targets, texts, turns, words


@dataclass(frozen=True)
class Variant:
    game: Game
    split: bool = False
    """Whether a move and its arrow are two plies."""

    def __str__(self) -> str:
        return " ".join([self.game.name, *map(str, self.game.constants.values())])

    @property
    def size(self) -> int:
        assert self.game.board
        return self.game.board.height

    def on_move(self, side: str) -> str:
        """The fluent that has a side begin its turn."""
        return f"turn({side},move)" if self.split else f"control({side})"

    def at(self, *lines: str, side: str = "white") -> State:
        """A position in which a side begins its turn."""
        return self.game.position(facts(*lines, self.on_move(side)))

    def moves(self, state: State) -> set[str]:
        """The moves at the begin of a turn, without arrows."""
        return {text.partition("/")[0] for text in texts(state)}

    def shots(self, state: State, move: str) -> set[str]:
        found = texts(state.play(move)) if self.split else texts(state)
        after = "/" if self.split else f"{move}/"
        return {text.removeprefix(after) for text in found if text.startswith(after)}

    def turn(self, state: State, text: str) -> State:
        """The state after a turn such as ``d1-d7/g7``."""
        return play(state, turns(state, self.split)[text])


TURN = Variant(aspgames.load("amazons"))
EITHER = Variant(aspgames.load("amazons", stuck="either"))
LARGE = Variant(aspgames.load("amazons_10x10"), split=True)
SMALL = Variant(aspgames.load("amazons_8x8"), split=True)

VARIANTS = pytest.mark.parametrize("variant", [TURN, LARGE, SMALL], ids=str)
SPLIT = pytest.mark.parametrize("variant", [LARGE, SMALL], ids=str)
THINGS = pytest.mark.parametrize("thing", ["white", "black", "arrow"])
OTHER = {"white": "black", "black": "white"}
SIDES = pytest.mark.parametrize(("side", "other"), OTHER.items())
ON_MOVE = pytest.mark.parametrize("on_move", OTHER)

# Every second square around d4:
#
#   6  . x . x . x
#   5  . . . . . .
#   4  . x . Q . x
#   3  . . . . . .
#   2  . x . x . x
#      a b c d e f
RING = "b2 d2 f2 b4 f4 b6 d6 f6"
BESIDE_D4 = "c3 d3 e3 c4 e4 c5 d5 e5"

FIRE_FROM_D4 = ("turn(white,fire)", "just_moved(4,4)")

WON = {"white": {"white": 100, "black": 0}, "black": {"white": 0, "black": 100}}
NOBODY_YET = {"white": 0, "black": 0}
NO_MOVES = {"white": (), "black": ()}


# --- the start ------------------------------------------------------------------------------------

START_10 = ("white d1 g1 a4 j4", "black a7 j7 d10 g10")
GOES_10 = {
    "d1": "a1 b1 c1 e1 f1 d2 d3 d4 d5 d6 d7 d8 d9 b3 c2 e2 f3 g4 h5 i6",
    "g1": "e1 f1 h1 i1 j1 g2 g3 g4 g5 g6 g7 g8 g9 b6 c5 d4 e3 f2 h2 i3",
    "a4": "a1 a2 a3 a5 a6 b3 c2 b4 c4 d4 e4 f4 g4 h4 i4 b5 c6 d7 e8 f9",
    "j4": "j1 j2 j3 j5 j6 i3 h2 b4 c4 d4 e4 f4 g4 h4 i4 i5 h6 g7 f8 e9",
}
START_8 = ("white c1 f1 a3 h3", "black a6 h6 c8 f8")
GOES_8 = {
    "c1": "a1 b1 d1 e1 c2 c3 c4 c5 c6 c7 b2 d2 e3 f4 g5",
    "f1": "d1 e1 g1 h1 f2 f3 f4 f5 f6 f7 g2 e2 d3 c4 b5",
    "a3": "a1 a2 a4 a5 b2 b3 c3 d3 e3 f3 g3 b4 c5 d6 e7",
    "h3": "h1 h2 h4 h5 g2 b3 c3 d3 e3 f3 g3 g4 f5 e6 d7",
}


@pytest.mark.parametrize(
    ("variant", "lines", "goes", "plies"),
    [
        (TURN, START_10, GOES_10, 2176),
        (EITHER, START_10, GOES_10, 2176),
        (LARGE, START_10, GOES_10, 80),
        (SMALL, START_8, GOES_8, 60),
    ],
    ids=str,
)
def test_the_start_and_where_each_amazon_goes(
    variant: Variant, lines: tuple[str, str], goes: dict[str, str], plies: int
) -> None:
    start = variant.game.initial
    assert set(start.facts) == words(facts(*lines, variant.on_move("white")))
    assert start.to_move == "white"
    assert {origin: targets(start, origin) for origin in goes} == {
        origin: words(reached) for origin, reached in goes.items()
    }
    assert len(start.legal_moves) == plies


# The starts of smaller boards: 6 by 6 is OpenSpiel's, 6 by 5 is drawn on Müller's page about it.
SMALL_STARTS = [
    (4, 4, "1qq1/q2q/Q2Q/1QQ1"),
    (4, 5, "1qq1/q2q/4/Q2Q/1QQ1"),
    (5, 4, "1q1q1/q3q/Q3Q/1Q1Q1"),
    (5, 5, "1q1q1/q3q/5/Q3Q/1Q1Q1"),
    (5, 6, "1q1q1/q3q/5/5/Q3Q/1Q1Q1"),
    (6, 4, "1q2q1/q4q/Q4Q/1Q2Q1"),
    (6, 5, "1q2q1/q4q/6/Q4Q/1Q2Q1"),
    (6, 6, "1q2q1/q4q/6/6/Q4Q/1Q2Q1"),
    (12, 4, "3q4q3/q10q/Q10Q/3Q4Q3"),
]


@pytest.mark.parametrize("name", ["amazons", "amazons_10x10", "amazons_8x8"])
@pytest.mark.parametrize(("width", "height", "fen"), SMALL_STARTS)
def test_the_start_on_other_boards(name: str, width: int, height: int, fen: str) -> None:
    game = aspgames.load(name, width=width, height=height)
    assert game.initial.fen == f"{fen} w"
    assert game.position(f"{fen} w") == game.initial


def test_the_games_of_two_plies_differ_only_in_the_usual_size() -> None:
    large = aspgames.load("amazons_10x10", width=5, height=6)
    small = aspgames.load("amazons_8x8", width=5, height=6)
    assert large.initial.facts == small.initial.facts
    assert [aspgames.perft(game.initial, 2) for game in (large, small)] == [
        aspgames.perft(aspgames.load("amazons", width=5, height=6).initial, 1)
    ] * 2


@pytest.mark.slow
def test_the_second_player_wins_on_4_by_4() -> None:
    """Müller, "Solving 5x5 Amazons" (2001)."""
    start = aspgames.load("amazons", width=4, height=4).initial
    assert aspgames.solve(start, attacker="white", goal="win").verdict == "not_forced"
    assert aspgames.solve(start, attacker="black", goal="win").verdict == "forced"


# --- the move -------------------------------------------------------------------------------------


@VARIANTS
def test_amazons_and_arrows_go_as_a_queen_does(variant: Variant) -> None:
    everywhere = words(" ".join(QUEEN_ON_D4[variant.size].values()))
    assert targets(variant.at("white d4"), "d4") == everywhere
    assert variant.shots(variant.at("white d3"), "d3-d4") == everywhere, "from the new square"


@THINGS
@VARIANTS
def test_amazons_and_arrows_stop_before_whatever_is_in_their_way(
    variant: Variant, thing: str
) -> None:
    assert targets(variant.at("white d4", f"{thing} {RING}"), "d4") == words(BESIDE_D4)
    assert variant.shots(variant.at("white d5", f"{thing} {RING}"), "d5-d4") == words(BESIDE_D4)


@THINGS
@VARIANTS
def test_amazons_and_arrows_do_not_jump(variant: Variant, thing: str) -> None:
    state = variant.at("white d4 h8", f"{thing} {BESIDE_D4}")
    assert not state.is_terminal
    assert targets(state, "d4") == set()
    #   5  x x x
    #   4  x . x      The amazon comes from d3 to d4 and can shoot back only.
    #   3  x Q x
    #   2  . x .
    #      c d e
    state = variant.at("white d3 h8", f"{thing} c5 d5 e5 c4 e4 c3 e3 d2")
    assert variant.shots(state, "d3-d4") == {"d3"}


@VARIANTS
def test_an_amazon_may_pass_between_two_squares_that_touch_at_a_corner(variant: Variant) -> None:
    #   2  * . .
    #   1  Q * .      a1 to b2 goes between the arrows on a2 and b1
    #      a b c
    assert variant.moves(variant.at("white a1", "arrow a2 b1 c3")) == {"a1-b2"}


@VARIANTS
def test_only_the_amazons_of_the_side_on_move_go(variant: Variant) -> None:
    #   3  * * *
    #   2  . * q
    #   1  Q * .
    #      a b c
    walls = "arrow a3 b3 c3 b2 b1 d1 d2 d3"
    for side, move in [("white", "a1-a2"), ("black", "c2-c1")]:
        assert variant.moves(variant.at("white a1", "black c2", walls, side=side)) == {move}


# --- the arrow ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("there", "back"), [("n", "s"), ("ne", "sw"), ("e", "w"), ("se", "nw")], ids="-".join
)
@VARIANTS
def test_an_arrow_may_go_onto_and_through_the_square_just_left(
    variant: Variant, there: str, back: str
) -> None:
    rays = QUEEN_ON_D4[variant.size]
    for one, opposite in [(there, back), (back, there)]:
        for to in rays[one].split():
            shots = variant.shots(variant.at("white d4"), f"d4-{to}")
            assert shots >= {"d4"} | words(rays[opposite])


@THINGS
@VARIANTS
def test_an_arrow_through_the_square_just_left_stops_before_other_things(
    variant: Variant, thing: str
) -> None:
    found = variant.shots(variant.at("white d4", f"{thing} d2"), "d4-d6")
    file_d = words("d1 d2 d3 d4 d5 d7 d8 d9 d10")
    assert found & file_d == words(
        "d3 d4 d5 d7 d8 d9 d10" if variant.size == 10 else "d3 d4 d5 d7 d8"
    )


# --- the turn -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("turn", "gone", "come"),
    [
        ("d1-d7/g7", "white d1", ("white d7", "arrow g7")),
        ("d1-d8/d1", "white d1", ("white d8", "arrow d1")),
        ("d1-d2/d1", "white d1", ("white d2", "arrow d1")),
        ("a4-e8/f7", "white a4", ("white e8", "arrow f7")),
    ],
)
@VARIANTS
def test_a_turn_moves_one_amazon_and_burns_one_square(
    variant: Variant, turn: str, gone: str, come: tuple[str, str]
) -> None:
    before = variant.at("white d1 a4", "black h8", "arrow b8")
    assert changes(before, variant.turn(before, turn)) == (
        words(facts(gone, variant.on_move("white"))),
        words(facts(*come, variant.on_move("black"))),
    )


# --- two plies a turn -----------------------------------------------------------------------------


@SPLIT
def test_a_move_takes_the_amazon_to_its_new_square_where_it_then_fires(variant: Variant) -> None:
    state = variant.at("white d4 a1", "black h8", "arrow e1")
    gone, come = changes(state, state.play("d4-d7"))
    assert gone == words(facts("white d4", "turn(white,move)"))
    assert come == words(facts("white d7", "turn(white,fire)", "just_moved(4,7)"))


@SPLIT
def test_only_the_amazon_that_has_just_moved_fires(variant: Variant) -> None:
    #   3  * * * *
    #   2  . * . *     d1 came from somewhere: it fires at c2, never a1 or b1 at a2
    #   1  Q Q * Q *
    #      a b c d e
    walls = "arrow a3 b3 c3 d3 b2 d2 c1 e1 e2"
    state = variant.game.position(
        facts("white a1 b1 d1", walls, "turn(white,fire)", "just_moved(4,1)")
    )
    assert texts(state) == {"/c2"}


@SPLIT
def test_no_amazon_goes_in_a_fire_phase_and_none_fires_in_a_move_phase(variant: Variant) -> None:
    firing = variant.game.position(facts("white d4 a1", "black h8", *FIRE_FROM_D4))
    for state, starts in [(variant.game.initial, False), (firing, True)]:
        assert {text.startswith("/") for text in texts(state)} == {starts}
        with pytest.raises(aspgames.IllegalMove):
            state.play("d4-d5" if starts else "/d4")


# --- the end --------------------------------------------------------------------------------------

FREE = ("white d5", "black h8")
WHITE_STUCK = ("white a1", "arrow a2 b2 b1", "black h8")
BLACK_STUCK = ("white h8", "black a1", "arrow a2 b2 b1")
BOTH_STUCK = ("white a1", "black b1", "arrow a2 b2 c2 c1")
NO_WHITE = ("black h8",)
NO_BLACK = ("white h8",)
NOBODY = ("arrow h8",)


END = pytest.mark.parametrize(
    ("lines", "stuck"),
    [
        (FREE, ""),
        (WHITE_STUCK, "white"),
        (BLACK_STUCK, "black"),
        (BOTH_STUCK, "white black"),
        (NO_WHITE, "white"),
        (NO_BLACK, "black"),
        (NOBODY, "white black"),
    ],
)


@END
@ON_MOVE
@VARIANTS
def test_the_side_on_move_loses_when_it_is_stuck(
    variant: Variant, lines: tuple[str, ...], stuck: str, on_move: str
) -> None:
    state = variant.at(*lines, side=on_move)
    assert state.to_move == on_move
    if on_move not in stuck:
        assert not state.is_terminal
        assert state.goals == NOBODY_YET
        assert state.legal_moves
        return
    assert state.is_terminal
    assert state.goals == WON[OTHER[on_move]]
    assert state.legal == NO_MOVES
    assert state.legal_moves == ()
    with pytest.raises(aspgames.IllegalMove, match="over"):
        state.play("noop")


@END
@ON_MOVE
def test_under_stuck_either_the_game_ends_when_a_side_is_stuck_whoever_is_on_move(
    lines: tuple[str, ...], stuck: str, on_move: str
) -> None:
    state = EITHER.at(*lines, side=on_move)
    assert state.is_terminal == bool(stuck)
    assert state.goals == {side: 100 * (other in stuck) for side, other in OTHER.items()}
    assert state.to_move == on_move
    assert (state.legal == NO_MOVES) == bool(stuck)


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
@VARIANTS
def test_an_amazon_is_stuck_behind_arrows_enemies_and_friends(
    variant: Variant, walls: tuple[str, ...]
) -> None:
    assert variant.at("white a1", "black h8", *walls).is_terminal


@VARIANTS
def test_a_side_is_not_stuck_while_one_of_its_amazons_can_move(variant: Variant) -> None:
    #   2  * * * * *
    #   1  Q * . Q *
    #      a b c d e
    state = variant.at("white a1 d1", "arrow a2 b2 b1 c2 d2 e2 e1", "black h8")
    assert set(turns(state, variant.split)) == {"d1-c1/d1"}


@SIDES
@pytest.mark.parametrize("turn", ["e1-d1/b1", "e1-b1/c1", "e1-b1/e1"])
@pytest.mark.parametrize("variant", [TURN, EITHER, LARGE, SMALL], ids=str)
def test_whoever_closes_the_last_gap_wins(
    variant: Variant, turn: str, side: str, other: str
) -> None:
    #   2  * *
    #   1  q . . . Q
    #      a b c d e
    state = variant.at(f"{other} a1", "arrow a2 b2", f"{side} e1", side=side)
    assert not state.is_terminal
    assert not variant.turn(state, "e1-d1/c1").is_terminal
    over = variant.turn(state, turn)
    assert over.is_terminal
    assert over.to_move == other
    assert over.goals == WON[side]
    assert over.legal == NO_MOVES


# White can only go to b1 and shoot back, which shuts it in.
#
#   2  * * *
#   1  Q . *
#      a b c
SHUT_IN = ("white a1", "arrow a2 b2 c2 c1")


@VARIANTS
def test_there_is_always_a_shot_back_at_the_square_just_left(variant: Variant) -> None:
    assert set(turns(variant.at(*SHUT_IN, "black h8"), variant.split)) == {"a1-b1/a1"}


@VARIANTS
def test_a_side_that_shuts_itself_in_loses_when_it_comes_on_move(variant: Variant) -> None:
    shut_in = variant.turn(variant.at(*SHUT_IN, "black h8"), "a1-b1/a1")
    assert not shut_in.is_terminal
    assert shut_in.goals == NOBODY_YET
    over = variant.turn(shut_in, "h8-h7/h8")
    assert over.is_terminal
    assert over.to_move == "white"
    assert over.goals == WON["black"]


# Black is free, or shut in already, or has no amazon.
@pytest.mark.parametrize("black", [("black h8",), ("black a3", "arrow a4 b4 b3"), ()])
@SPLIT
def test_the_game_never_ends_in_a_fire_phase(variant: Variant, black: tuple[str, ...]) -> None:
    firing = ("white b1", "arrow a2 b2 c2 c1", "turn(white,fire)", "just_moved(2,1)")
    state = variant.game.position(facts(*firing, *black))
    assert not state.is_terminal
    assert state.goals == NOBODY_YET
    assert texts(state) == {"/a1"}
    after = state.play("/a1")
    assert after.is_terminal == (black != ("black h8",))
    assert after.to_move == "black"
    assert after.goals == (WON["white"] if after.is_terminal else NOBODY_YET)


def test_the_side_on_move_is_tested_unless_the_constant_says_otherwise() -> None:
    assert aspgames.load("amazons", stuck="mover") == TURN.game
    assert TURN.game.constants == {"stuck": "mover", "width": 10, "height": 10}
    assert TURN.game != EITHER.game
