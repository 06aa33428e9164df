"""The rules of `skirmish`, in positions drawn by hand; `#` marks the four off-limits squares."""

import pytest

import aspgames
from aspgames import State
from helpers import Diagram, changes, diagrams, targets, texts, turned, turned_squares, words

SKIRMISH = aspgames.load("skirmish")
OTHER = {"white": "black", "black": "white"}

SIDES = pytest.mark.parametrize("side", OTHER)


def position(board: str, side: str = "white", fields: str = "w 0 0 1") -> State:
    """The position with White on move; for Black the same, colours exchanged and turned round."""
    fen = f"{board} {fields}"
    return SKIRMISH.position(fen if side == "white" else turned(fen))


def seen(squares: set[str], side: str) -> set[str]:
    """Squares or moves as the drawing has them."""
    return squares if side == "white" else turned_squares(squares, 8)


def reached(state: State, side: str, square: str) -> set[str]:
    """Where the piece goes that the drawing has on a square."""
    (origin,) = seen({square}, side)
    return seen(targets(state, origin), side)


def play(state: State, side: str, move: str) -> State:
    (turned_move,) = seen({move}, side)
    return state.play(turned_move)


# --- the start ------------------------------------------------------------------------------------


def test_the_pieces_start_on_their_squares_and_white_begins() -> None:
    start = "1nbrrbn1/2pppp2/2#2#2/8/8/2#2#2/2PPPP2/1NBRRBN1 w 0 0 1"
    assert SKIRMISH.position(start) == SKIRMISH.initial
    assert len(SKIRMISH.initial.facts) == 24
    assert {"cell(2,1,knight(white))", "cell(4,8,rook(black))", "control(white)"} < set(
        SKIRMISH.initial.facts
    )


def test_the_moves_of_the_start() -> None:
    assert texts(SKIRMISH.initial) == words("b1-a3 c1-b2 c1-a3 f1-g2 f1-h3 g1-h3")
    black = SKIRMISH.initial.play("b1-a3")
    assert texts(black) == words("b8-a6 c8-b7 c8-a6 f8-g7 f8-h6 g8-h6")


# --- how pieces go --------------------------------------------------------------------------------

# A title begins with the square of the piece; starred are all squares to which it can go.
PIECES = """
    d4: a rook goes straight      b4: a bishop, diagonally      b4: a queen, both
    . . . * . . . k               k . . . . * . .               . * . . . * . k
    . . . * . . . .               . . . . * . . .               . * . . * . . .
    . . # * . # . .               . . # * . # . .               . * # * . # . .
    . . . * . . . .               * . * . . . . .               * * * . . . . .
    * * * R * * * *               . B . . . . . .               * Q * * * * * *
    . . # * . # . .               * . # . . # . .               * * # . . # . .
    . . . * . . . .               . . . . . . . .               . * . . . . . .
    . . . * . . . .               . . . . . . . .               . * . . . . . .

    c4: no capture across a hole  e4: no capture across a hole  d4: captures what it touches
    . . . . . . . .               . . . . . . . .               . . . . . . . .
    . . . . . . . .               . . . . . . . *               . . . p . . . .
    . . # . . # . .               . . # . . # * .               . . # . . # . .
    . . * . . . . .               . . . * . * . .               . . p p*p . . .
    * * R * B . . .               . . R . B . . .               . p p*R p*. . .
    . . # . . # . .               . . # * . # . .               . . # p*. # . .
    . . n . . . n .               . . n*. . . n .               . . . p . . . .
    . . . . . . . .               . . . . . . . .               . . . . . . . .

    d4: stops, or captures first  c4: over the hole at c3       d4: not onto c6 or f3
    . . . p . . . k               . . . . . . . k               . . . . . . . k
    . p . . . . . .               . . . . . . . .               . . . . . . . .
    . p*# p*. # . .               . * # * . # . .               . . # . * # . .
    . . * * * . . .               * . . . * . . .               . * . . . * . .
    . p** Q * P . P               . . N . . . . .               . . . N . . . .
    . . # * * # . .               * . # . * # . .               . * # . . # . .
    . P . P . N . .               . * . * . . . .               . . * . * . . .
    . . . N . . . .               . . . . . . . .               . . . . . . . .

    d4: over all pieces           d4: enemies, not own side     b4: one square, not onto c3
    . . . . . . . k               . . . . . . . k               . . . . . . . k
    . . . . . . . .               . . . . . . . .               . . . . . . . .
    . . # . * # . .               . . # . p*# . .               . . # . . # . .
    . * P p P * . .               . p*. . . * . .               * * * . . . . .
    . . p N P . . .               . . . N . . . .               * K * . . . . .
    . * # p . # . .               . P # . . # . .               * * # . . # . .
    . . * . P . . .               . . n*. P . . .               . . . . . . . .
    . . . . . . . .               . . . . . . . .               . . . . . . . .

    d1: onto the other king       a4: its king stays attacked   d4: diagonally forward
    . . . . . . . .               k . . r . . . .               . . . . . . . k
    . . . . . . . .               . . . . . . . .               . . . . . . . .
    . . # . . # . .               . * # . . # . .               . . # . . # . .
    . . . . . . . .               . . * . . . . .               . . p*. n*. . .
    . . . . . . . .               N . . . . . . .               . . . P . . . .
    . . # . . # . .               . . # . . # . .               . . # . . # . .
    . . * k** . . .               . * . . . . . .               . . . . . . . .
    . . * K * . . .               . . . K . . . .               . . . . . . . .

    d4: not without a capture     d4: not straight ahead        d4: not sideways, not back
    . . . . . . . k               . . . . . . . k               . . . . . . . k
    . . . . . . . .               . . . . . . . .               . . . . . . . .
    . . # . . # . .               . . # . . # . .               . . # . . # . .
    . . . . . . . .               . . . p . . . .               . . . . . . . .
    . . . P . . . .               . . . P . . . .               . . p P p . . .
    . . # . . # . .               . . # . . # . .               . . # p . # . .
    . . . . . . . .               . . . . . . . .               . . . . p . . .
    K . . . . . . .               K . . . . . . .               K . . . . . . .
    """


@pytest.mark.parametrize("diagram", diagrams(PIECES), ids=str)
@SIDES
def test_where_a_piece_goes(side: str, diagram: Diagram) -> None:
    state = position(diagram.board, side)
    assert not state.is_terminal
    assert reached(state, side, diagram.title[:2]) == diagram.starred


# --- promotion ------------------------------------------------------------------------------------

BEFORE_PROMOTION = "r1n4k/1P6/2#2#2/8/8/2#2#2/8/4R3"


@pytest.mark.parametrize(
    ("board", "move", "after"),
    [
        pytest.param(
            BEFORE_PROMOTION, "b7xc8", "r1Q4k/8/2#2#2/8/8/2#2#2/8/4R3", id="on the last rank"
        ),
        pytest.param(
            "7k/1p6/P1#2#2/8/8/2#2#2/8/K7",
            "a6xb7",
            "7k/1P6/2#2#2/8/8/2#2#2/8/K7",
            id="not on the rank before",
        ),
        ("p6k/8/2#2#2/8/8/2#2#2/8/R7", "a1xa8", "R6k/8/2#2#2/8/8/2#2#2/8/8"),
    ],
)
@SIDES
def test_a_pawn_that_captures_on_the_last_rank_becomes_a_queen(
    side: str, board: str, move: str, after: str
) -> None:
    expected = position(after, side, "b 1 0 2")
    assert play(position(board, side), side, move) == expected


# --- the next state -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "move", "gone", "come"),
    [
        pytest.param(
            "1nbrrbn1/2pppp2/2#2#2/8/8/2#2#2/2Pr1P2/1NBRRBN1 w 2 3 20",
            "d1xd2",
            "cell(4,1,rook(white)) cell(4,2,rook(black)) captures(white,2) step(20) control(white)",
            "cell(4,2,rook(white)) captures(white,3) step(21) control(black)",
            id="a capture of White's",
        ),
        pytest.param(
            "k7/8/2#2#2/8/3p4/2#1R#2/8/K7 b 2 3 20",
            "d4xe3",
            "cell(4,4,pawn(black)) cell(5,3,rook(white)) captures(black,3) step(20) control(black)",
            "cell(5,3,pawn(black)) captures(black,4) step(21) control(white)",
            id="a capture of Black's",
        ),
    ],
)
def test_what_a_move_changes(fen: str, move: str, gone: str, come: str) -> None:
    before = SKIRMISH.position(fen)
    assert changes(before, before.play(move)) == (words(gone), words(come))


# --- what captures are worth ----------------------------------------------------------------------

BARE = "k7/8/2#2#2/8/8/2#2#2/8/K7"
STUCK = "8/p7/2#2#2/8/8/2#2#2/8/K7"  # Black's pawn can't move
BESIDE = "k7/8/2#2#2/8/8/2#2#2/n7/R7"


@pytest.mark.parametrize(
    ("captures", "goal"),
    [(0, 0), (1, 10), (2, 20), (9, 90), (10, 100), (11, 100), (16, 100), (59, 100)],
)
@pytest.mark.parametrize("end", [f"{BARE} w {{}} 1", f"{BARE} b {{}} 60", f"{STUCK} w {{}} 7"])
def test_ten_points_a_capture_a_hundred_at_most_at_every_state(
    end: str, captures: int, goal: int
) -> None:
    assert SKIRMISH.position(end.format(f"{captures} 3")).goals == {"white": goal, "black": 30}
    assert SKIRMISH.position(end.format(f"3 {captures}")).goals == {"white": 30, "black": goal}


def test_a_state_that_play_has_led_to_can_be_set_up_again() -> None:
    state = SKIRMISH.position(f"{BESIDE} w 59 9 58").play("a1xa2")
    assert SKIRMISH.position(str(state.fen)) == state
    assert SKIRMISH.position(" ".join(state.facts)) == state


# --- the end --------------------------------------------------------------------------------------


@pytest.mark.parametrize("on_move", ["w", "b"])
def test_the_game_is_over_at_step_60(on_move: str) -> None:
    state = SKIRMISH.position(f"{BARE} {on_move} 2 1 60")
    assert state.is_terminal
    assert state.goals == {"white": 20, "black": 10}
    assert state.legal == {"white": (), "black": ()}


# In each of these Black could not move, if it were on move.
BLACK_CANNOT_MOVE = """
    a pawn without a capture      Black has no piece            a knight: own side, a hole
    . . . . . . . .               . . . . . . . .               . n . . . . . .
    . . . . . . . .               . . . . . . . .               . . . p . . . .
    . . # . . # . .               . . # . . # . .               p . # . . # . .
    . . . p . . . .               . . . . . . . .               . . . . . . . .
    . . . . . . . .               . . . . . . . .               . . . . . . . .
    . . # . . # . .               . . # . . # . .               . . # . . # . .
    . . . . . . . .               . . . . . . . .               . . . . . . . .
    K . . . . . . .               K R P . . . . .               K . . . . . . .
    """


@pytest.mark.parametrize("on_move", ["w", "b"])
@pytest.mark.parametrize("diagram", diagrams(BLACK_CANNOT_MOVE), ids=str)
@SIDES
def test_the_game_is_over_when_either_side_has_no_move(
    side: str, diagram: Diagram, on_move: str
) -> None:
    state = position(diagram.board, side, f"{on_move} 2 1 5")
    assert state.is_terminal
    assert state.goals == {side: 20, OTHER[side]: 10}
    assert state.legal == {"white": (), "black": ()}
    assert state.to_move == (side if on_move == "w" else OTHER[side])
