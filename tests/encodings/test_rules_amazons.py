"""The starts and the ends of the three games of Amazons; `test_rules_by_hand.py` has all between.

In `amazons` a move and its arrow are one ply, in `amazons_10x10` and `amazons_8x8` two plies of one
turn.
"""

from dataclasses import dataclass

import pytest

import aspgames
from aspgames import Game, State
from helpers import facts, targets, words


@dataclass(frozen=True)
class Variant:
    game: Game
    split: bool = False
    """Whether a move and its arrow are two plies."""

    def __str__(self) -> str:
        return " ".join([self.game.name, *map(str, self.game.constants.values())])

    def on_move(self, side: str) -> str:
        """The fluent that has a side begin its turn."""
        return f"turn({side},move)" if self.split else f"control({side})"

    def at(self, *lines: str, side: str = "white") -> State:
        """A position in which a side begins its turn."""
        return self.game.position(facts(*lines, self.on_move(side)))


TURN = Variant(aspgames.load("amazons"))
EITHER = Variant(aspgames.load("amazons", stuck="either"))
LARGE = Variant(aspgames.load("amazons_10x10"), split=True)
SMALL = Variant(aspgames.load("amazons_8x8"), split=True)

VARIANTS = pytest.mark.parametrize("variant", [TURN, LARGE, SMALL], ids=str)
OTHER = {"white": "black", "black": "white"}
ON_MOVE = pytest.mark.parametrize("on_move", OTHER)

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


@pytest.mark.quick(12)
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


def test_the_side_on_move_is_tested_unless_the_constant_says_otherwise() -> None:
    assert aspgames.load("amazons", stuck="mover") == TURN.game
    assert TURN.game.constants == {"stuck": "mover", "width": 10, "height": 10}
    assert TURN.game != EITHER.game
