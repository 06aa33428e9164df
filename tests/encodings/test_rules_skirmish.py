"""The rules of `skirmish`, in positions drawn by hand; `#` marks the four off-limits squares."""

from __future__ import annotations

import pytest

import aspgames
from aspgames import State
from helpers import changes, draw, targets, terms, texts, turned, turned_squares, words

SKIRMISH = aspgames.load("skirmish")

SIDES = pytest.mark.parametrize("side", ["white", "black"])


def position(drawing: str, side: str = "white", fields: str = "w 0 0 1") -> State:
    """The position drawn; for Black the same, colours exchanged and turned round."""
    fen = draw(drawing, fields)
    return SKIRMISH.position(fen if side == "white" else turned(fen))


def seen(squares: set[str], side: str) -> set[str]:
    """Squares or moves as the drawing has them."""
    return squares if side == "white" else turned_squares(squares, 8)


def reached(state: State, side: str, square: str) -> set[str]:
    """Where the piece goes that the drawing has on a square."""
    (origin,) = seen({square}, side)
    return seen(targets(state, origin), side)


def play(state: State, side: str, move: str) -> State:
    """The state after a move, written as the drawing has it."""
    (turned_move,) = seen({move}, side)
    return state.play(turned_move)


# --- the start ------------------------------------------------------------------------------------


def test_the_pieces_start_on_their_squares_and_white_begins() -> None:
    assert set(SKIRMISH.initial.facts) == {
        "cell(2,1,knight(white))",
        "cell(7,1,knight(white))",
        "cell(3,1,bishop(white))",
        "cell(6,1,bishop(white))",
        "cell(4,1,rook(white))",
        "cell(5,1,rook(white))",
        "cell(3,2,pawn(white))",
        "cell(4,2,pawn(white))",
        "cell(5,2,pawn(white))",
        "cell(6,2,pawn(white))",
        "cell(2,8,knight(black))",
        "cell(7,8,knight(black))",
        "cell(3,8,bishop(black))",
        "cell(6,8,bishop(black))",
        "cell(4,8,rook(black))",
        "cell(5,8,rook(black))",
        "cell(3,7,pawn(black))",
        "cell(4,7,pawn(black))",
        "cell(5,7,pawn(black))",
        "cell(6,7,pawn(black))",
        "captures(white,0)",
        "captures(black,0)",
        "step(1)",
        "control(white)",
    }
    assert SKIRMISH.initial.to_move == "white"


def test_the_moves_of_the_start() -> None:
    assert texts(SKIRMISH.initial) == words("b1-a3 c1-b2 c1-a3 f1-g2 f1-h3 g1-h3")


def test_the_moves_of_black_at_the_start() -> None:
    state = SKIRMISH.initial.play("b1-a3")
    assert texts(state) == words("b8-a6 c8-b7 c8-a6 f8-g7 f8-h6 g8-h6")


# --- rooks, bishops and queens --------------------------------------------------------------------


@SIDES
def test_a_rook_goes_straight_any_number_of_squares(side: str) -> None:
    state = position(
        """
        .......k
        ........
        ..#..#..
        ........
        ...R....
        ..#..#..
        ........
        ........
        """,
        side,
    )
    assert reached(state, side, "d4") == words("d5 d6 d7 d8  d3 d2 d1  c4 b4 a4  e4 f4 g4 h4")


@SIDES
def test_a_bishop_goes_diagonally_any_number_of_squares(side: str) -> None:
    state = position(
        """
        k.......
        ........
        ..#..#..
        ........
        .B......
        ..#..#..
        ........
        ........
        """,
        side,
    )
    assert reached(state, side, "b4") == words("a3  a5  c5 d6 e7 f8")


@SIDES
def test_a_queen_goes_straight_and_diagonally(side: str) -> None:
    state = position(
        """
        .......k
        ........
        ..#..#..
        ........
        .Q......
        ..#..#..
        ........
        ........
        """,
        side,
    )
    assert reached(state, side, "b4") == words(
        "b5 b6 b7 b8  b3 b2 b1  a4  c4 d4 e4 f4 g4 h4  a3  a5  c5 d6 e7 f8"
    )


@pytest.mark.parametrize(
    ("board", "square", "squares"),
    [
        ("8/8/2#2#2/8/2R5/2#2#2/6k1/8", "c4", "a4 b4 d4 e4 f4 g4 h4 c5"),
        ("8/8/2#2#2/5R2/8/2#2#2/6k1/8", "f5", "a5 b5 c5 d5 e5 g5 h5 f4"),
        ("8/8/2#2#2/8/8/2#R1#2/6k1/8", "d3", "e3 d1 d2 d4 d5 d6 d7 d8"),
        ("8/8/2#2#2/8/8/R1#2#2/6k1/8", "a3", "b3 a1 a2 a4 a5 a6 a7 a8"),
        ("1k6/8/2#2#1R/8/8/2#2#2/8/8", "h6", "g6 h1 h2 h3 h4 h5 h7 h8"),
        ("8/8/2#2#2/8/3B4/2#2#2/6k1/8", "d4", "e5 c5 b6 a7 e3 f2 g1"),
        ("8/8/2#2#2/3B4/8/2#2#2/6k1/8", "d5", "e6 f7 g8 e4 c4 b3 a2"),
        ("B7/8/2#2#2/8/8/2#2#2/6k1/8", "a8", "b7"),
        ("1k6/6B1/2#2#2/8/8/2#2#2/8/8", "g7", "f8 h8 h6"),
        ("1k6/8/2#2#2/8/8/2#2#2/8/B7", "a1", "b2"),
        ("1k6/8/2#2#2/8/8/2#2#2/8/7B", "h1", "g2"),
        (
            "1k6/8/2#2#2/8/4Q3/2#2#2/8/8",
            "e4",
            "e5 e6 e7 e8 e3 e2 e1 a4 b4 c4 d4 f4 g4 h4 f5 g6 h7 d3 c2 b1 d5",
        ),
        (
            "8/8/2#1Q#2/8/8/2#2#2/6k1/8",
            "e6",
            "d6 e7 e8 e5 e4 e3 e2 e1 f7 g8 d7 c8 d5 c4 b3 a2 f5 g4 h3",
        ),
    ],
)
@SIDES
def test_nothing_slides_onto_or_across_an_off_limits_square(
    side: str, board: str, square: str, squares: str
) -> None:
    assert reached(position(board, side), side, square) == words(squares)


@SIDES
def test_a_slider_does_not_capture_across_an_off_limits_square(side: str) -> None:
    state = position(
        """
        ........
        ........
        ..#..#..
        ........
        ..R.B...
        ..#..#..
        ..n...n.
        ........
        """,
        side,
    )
    assert reached(state, side, "c4") == words("a4 b4 d4 c5")
    assert reached(state, side, "e4") == words("d5 f5 g6 h7 d3 c2")


@SIDES
def test_a_slider_stops_before_its_own_side_and_captures_the_first_enemy(side: str) -> None:
    state = position(
        """
        ...p...k
        .p......
        .p#p.#..
        ........
        .p.Q.P.P
        ..#..#..
        .P.P.N..
        ...N....
        """,
        side,
    )
    # North d5 and d6, not d7; west c4 and b4, not a4; north-west c5 and b6, not a7.
    assert reached(state, side, "d4") == words("d5 d6  c4 b4  c5 b6  e4  d3  e3  e5")


@SIDES
def test_pieces_that_touch_an_enemy_capture_it_and_stop(side: str) -> None:
    state = position(
        """
        ........
        ...p....
        ..#..#..
        ..ppp...
        .ppRp...
        ..#p.#..
        ...p....
        ........
        """,
        side,
    )
    assert reached(state, side, "d4") == words("d5 c4 e4 d3")


# --- knights --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("drawing", "square", "squares"),
    [
        pytest.param(
            """
            .......k
            ........
            ..#..#..
            ........
            ..N.....
            ..#..#..
            ........
            ........
            """,
            "c4",
            "a3 a5 b2 b6 d2 d6 e3 e5",
            id="over the square off limits below",
        ),
        pytest.param(
            """
            .......k
            ........
            ..#..#..
            ........
            ...N....
            ..#..#..
            ........
            ........
            """,
            "d4",
            "b3 b5 c2 e2 e6 f5",
            id="not onto c6 or f3",
        ),
        pytest.param(
            """
            .......k
            ........
            ..#..#..
            ....N...
            ........
            ..#..#..
            ........
            ........
            """,
            "e5",
            "c4 d3 d7 f7 g4 g6",
            id="not onto c6 or f3 from the other side",
        ),
        pytest.param(
            """
            .......k
            ........
            ..#..#..
            ...N....
            ........
            ..#..#..
            ........
            ........
            """,
            "d5",
            "b4 b6 c7 e7 e3 f4",
            id="not onto c3 or f6",
        ),
        pytest.param(
            """
            ........
            k.......
            ..#..#..
            ........
            ........
            ..#..#..
            ........
            .......N
            """,
            "h1",
            "g3 f2",
            id="in the corner",
        ),
        pytest.param(
            """
            .......k
            ........
            ..#..#..
            ..PpP...
            ..pNP...
            ..#p.#..
            ....P...
            ........
            """,
            "d4",
            "b3 b5 c2 e6 f5",
            id="over own and enemy pieces",
        ),
        pytest.param(
            """
            .......k
            ........
            ..#.p#..
            .p......
            ...N....
            .P#..#..
            ..n.P...
            ........
            """,
            "d4",
            "b5 e6 c2 f5",
            id="onto enemies, not onto its own side",
        ),
    ],
)
@SIDES
def test_a_knight_leaps(side: str, drawing: str, square: str, squares: str) -> None:
    assert reached(position(drawing, side), side, square) == words(squares)


# --- kings ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("drawing", "square", "squares"),
    [
        pytest.param(
            """
            .......k
            ........
            ..#..#..
            ........
            .K......
            ..#..#..
            ........
            ........
            """,
            "b4",
            "a3 a4 a5 b3 b5 c4 c5",
            id="one square in any direction, not onto c3",
        ),
        pytest.param(
            """
            .......k
            ........
            ..#..#..
            ........
            ........
            ..#..#..
            ........
            ...K....
            """,
            "d1",
            "c1 c2 d2 e2 e1",
            id="at the edge",
        ),
        pytest.param(
            """
            .......k
            ........
            ..#..#..
            ........
            ........
            ..#..#..
            PnP.....
            nKn.....
            """,
            "b1",
            "a1 b2 c1",
            id="onto enemies, not onto its own side",
        ),
        pytest.param(
            """
            ..r.r..k
            ........
            ..#..#..
            ........
            ........
            ..#..#..
            ........
            ...K....
            """,
            "d1",
            "c1 c2 d2 e2 e1",
            id="onto attacked squares as well",
        ),
        pytest.param(
            """
            ........
            ........
            ..#..#..
            ........
            ........
            ..#..#..
            ...k....
            ...K....
            """,
            "d1",
            "c1 c2 d2 e2 e1",
            id="onto the other king",
        ),
    ],
)
@SIDES
def test_a_king_goes_one_square(side: str, drawing: str, square: str, squares: str) -> None:
    assert reached(position(drawing, side), side, square) == words(squares)


@SIDES
def test_an_attacked_king_need_not_be_saved(side: str) -> None:
    state = position(
        """
        k..r....
        ........
        ..#..#..
        ........
        N.......
        ..#..#..
        ........
        ...K....
        """,
        side,
    )
    assert reached(state, side, "a4") == words("b2 b6 c5")


@SIDES
def test_capturing_a_king_does_not_end_the_game(side: str) -> None:
    state = position(
        """
        k..r....
        ........
        ..#..#..
        ........
        ........
        ..#..#..
        ........
        R..K....
        """,
        side,
    )
    after = play(state, side, "a1xa8")
    assert not after.is_terminal
    assert after.goals[side] == 10
    assert reached(after, side, "d8") >= {"d1", "a8"}


# --- pawns ----------------------------------------------------------------------------------------


@SIDES
def test_a_pawn_goes_diagonally_forward_and_only_to_capture(side: str) -> None:
    state = position(
        """
        .......k
        ........
        ..#..#..
        ..p.n...
        ...P....
        ..#..#..
        ........
        ........
        """,
        side,
    )
    assert reached(state, side, "d4") == {"c5", "e5"}


@pytest.mark.parametrize(
    ("drawing", "square"),
    [
        pytest.param(
            """
            .......k
            ........
            ..#..#..
            ........
            ...P....
            ..#..#..
            ........
            K.......
            """,
            "d4",
            id="neither straight nor diagonally to an empty square",
        ),
        pytest.param(
            """
            .......k
            ........
            ..#..#..
            ...p....
            ...P....
            ..#..#..
            ........
            K.......
            """,
            "d4",
            id="not onto an enemy straight ahead",
        ),
        pytest.param(
            """
            .......k
            ........
            ..#..#..
            ........
            ..pPp...
            ..#p.#..
            ....p...
            K.......
            """,
            "d4",
            id="neither sideways nor back",
        ),
        pytest.param(
            """
            .......k
            ........
            ..#..#..
            ...P....
            ..p.p...
            ..#..#..
            ........
            K.......
            """,
            "d5",
            id="not diagonally back",
        ),
        pytest.param(
            """
            .......k
            ........
            ..#..#..
            ..N.B...
            ...P....
            ..#..#..
            ........
            K.......
            """,
            "d4",
            id="not onto its own side",
        ),
        pytest.param(
            """
            .......k
            ........
            ..#p.#..
            .p...p..
            ...P....
            ..#..#..
            ........
            K.......
            """,
            "d4",
            id="not farther than one square",
        ),
    ],
)
@SIDES
def test_where_a_pawn_does_not_go(side: str, drawing: str, square: str) -> None:
    state = position(drawing, side)
    assert not state.is_terminal
    assert reached(state, side, square) == set()


def test_a_pawn_on_its_own_first_ranks_does_not_go_straight_either() -> None:
    state = position(
        """
        .......k
        ........
        ..#..#..
        ........
        ........
        ..#..#..
        P.......
        .P.....K
        """
    )
    assert texts(state) == words("h1-g1 h1-g2 h1-h2")


@SIDES
def test_a_pawn_at_the_edge_has_one_diagonal(side: str) -> None:
    state = position(
        """
        k......p
        ........
        ..#..#..
        .p....p.
        P......P
        p.#..#.p
        ........
        ........
        """,
        side,
    )
    assert reached(state, side, "a4") == {"b5"}
    assert reached(state, side, "h4") == {"g5"}


@pytest.mark.parametrize("captured", ["p", "n", "b", "r", "q", "k"])
@SIDES
def test_a_pawn_captures_any_piece(side: str, captured: str) -> None:
    state = position(
        f"""
        .......k
        ........
        ..#..#..
        ..{captured}.....
        ...P....
        ..#..#..
        ........
        ........
        """,
        side,
    )
    assert reached(state, side, "d4") == {"c5"}


# --- promotion ------------------------------------------------------------------------------------

BEFORE_PROMOTION = """
    r.n....k
    .P......
    ..#..#..
    ........
    ........
    ..#..#..
    ........
    ....R...
    """


@SIDES
def test_a_pawn_that_captures_on_the_last_rank_becomes_a_queen(side: str) -> None:
    after = play(position(BEFORE_PROMOTION, side), side, "b7xc8")
    expected = position(
        """
        r.Q....k
        ........
        ..#..#..
        ........
        ........
        ..#..#..
        ........
        ....R...
        """,
        side,
        "b 1 0 2",
    )
    assert after == expected


@SIDES
def test_a_capture_that_promotes_counts_like_any_other(side: str) -> None:
    state = position(BEFORE_PROMOTION, side, "w 3 0 1")
    other = "black" if side == "white" else "white"
    assert play(state, side, "b7xa8").goals == {side: 40, other: 0}


@SIDES
def test_the_new_queen_goes_like_a_queen(side: str) -> None:
    state = play(position(BEFORE_PROMOTION, side), side, "b7xc8")
    state = play(state, side, "a8-a7")
    assert reached(state, side, "c8") == words("b8 a8 d8 e8 f8 g8 h8 c7 b7 a6 d7 e6 f5 g4 h3")


@SIDES
def test_a_pawn_on_the_rank_before_the_last_is_still_a_pawn(side: str) -> None:
    state = position(
        """
        .......k
        .p......
        P.#..#..
        ........
        ........
        ..#..#..
        ........
        K.......
        """,
        side,
    )
    expected = position(
        """
        .......k
        .P......
        ..#..#..
        ........
        ........
        ..#..#..
        ........
        K.......
        """,
        side,
        "b 1 0 2",
    )
    assert play(state, side, "a6xb7") == expected


@pytest.mark.parametrize(("piece", "move"), [("R", "a1xa8"), ("B", "b7xa8"), ("N", "b6xa8")])
@SIDES
def test_only_pawns_are_promoted(side: str, piece: str, move: str) -> None:
    rook, bishop, knight = (piece if piece == kind else "." for kind in "RBN")
    state = position(
        f"""
        p......k
        .{bishop}......
        .{knight}#..#..
        ........
        ........
        ..#..#..
        ........
        {rook}.......
        """,
        side,
    )
    after = play(state, side, move)
    expected = position(
        f"""
        {piece}......k
        ........
        ..#..#..
        ........
        ........
        ..#..#..
        ........
        ........
        """,
        side,
        "b 1 0 2",
    )
    assert after == expected


# --- the next state -------------------------------------------------------------------------------


def test_a_move_changes_two_squares_the_step_and_the_side() -> None:
    gone, come = changes(SKIRMISH.initial, SKIRMISH.initial.play("b1-a3"))
    assert gone == {"cell(2,1,knight(white))", "step(1)", "control(white)"}
    assert come == {"cell(1,3,knight(white))", "step(2)", "control(black)"}


def test_a_capture_takes_the_enemy_off_the_board_and_counts() -> None:
    before = SKIRMISH.position("1nbrrbn1/2pppp2/2#2#2/8/8/2#2#2/2Pr1P2/1NBRRBN1 w 2 3 20")
    gone, come = changes(before, before.play("d1xd2"))
    assert gone == {
        "cell(4,1,rook(white))",
        "cell(4,2,rook(black))",
        "captures(white,2)",
        "step(20)",
        "control(white)",
    }
    assert come == {
        "cell(4,2,rook(white))",
        "captures(white,3)",
        "step(21)",
        "control(black)",
    }


def test_blacks_captures_are_counted_for_black() -> None:
    before = SKIRMISH.position("k7/8/2#2#2/8/3p4/2#1R#2/8/K7 b 2 3 20")
    gone, come = changes(before, before.play("d4xe3"))
    assert gone == {
        "cell(4,4,pawn(black))",
        "cell(5,3,rook(white))",
        "captures(black,3)",
        "step(20)",
        "control(black)",
    }
    assert come == {
        "cell(5,3,pawn(black))",
        "captures(black,4)",
        "step(21)",
        "control(white)",
    }


def test_the_sides_take_turns_and_every_turn_is_a_step() -> None:
    state = SKIRMISH.initial
    seen_so_far = []
    for move in ("g1-h3", "f8-h6", "c1-a3", "h6xd2"):
        seen_so_far.append(str(state.fen).split()[1:])
        state = state.play(move)
    seen_so_far.append(str(state.fen).split()[1:])
    assert seen_so_far == [
        ["w", "0", "0", "1"],
        ["b", "0", "0", "2"],
        ["w", "0", "0", "3"],
        ["b", "0", "0", "4"],
        ["w", "0", "1", "5"],
    ]


def test_the_side_that_is_not_on_move_has_noop_and_nothing_else() -> None:
    state = SKIRMISH.initial
    assert terms(state, "black") == ["noop"]
    assert terms(state.play("b1-a3"), "white") == ["noop"]


def test_the_side_on_move_never_has_noop() -> None:
    state = SKIRMISH.initial
    assert "noop" not in terms(state, "white")
    assert "noop" not in terms(state.play("b1-a3"), "black")
    with pytest.raises(aspgames.IllegalMove):
        state.play("noop")


@pytest.mark.parametrize(
    "move",
    [
        pytest.param("b8-a6", id="Black's knight"),
        pytest.param("b1-c3", id="onto a square off limits"),
        pytest.param("b1-d2", id="onto a piece of one's own"),
        pytest.param("c2-c4", id="a pawn straight on"),
        pytest.param("d2-d3", id="a pawn one square straight on"),
        pytest.param("d2-c3", id="a pawn onto a square off limits"),
        pytest.param("d2-e3", id="a pawn diagonally without a capture"),
        pytest.param("d1-d5", id="a rook over a pawn"),
        pytest.param("c1-c0", id="off the board"),
        pytest.param("e4-e5", id="nothing there"),
    ],
)
def test_what_is_refused_at_the_start(move: str) -> None:
    with pytest.raises((aspgames.IllegalMove, aspgames.BadMove)):
        SKIRMISH.initial.play(move)


# --- what captures are worth ----------------------------------------------------------------------

BARE = "k7/8/2#2#2/8/8/2#2#2/8/K7"
STUCK = "8/p7/2#2#2/8/8/2#2#2/8/K7"  # Black's pawn can't move


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


def test_the_score_does_not_depend_on_who_is_stuck() -> None:
    over = SKIRMISH.position(f"{STUCK} b 1 4 9")
    assert over.is_terminal
    assert over.goals == {"white": 10, "black": 40}


def test_a_capture_after_the_tenth_keeps_the_hundred() -> None:
    state = SKIRMISH.position("k7/8/2#2#2/8/8/2#2#2/n7/R7 w 10 9 1")
    assert state.play("a1xa2").goals == {"white": 100, "black": 90}


def test_a_state_that_play_has_led_to_can_be_set_up_again() -> None:
    state = SKIRMISH.position("k7/8/2#2#2/8/8/2#2#2/n7/R7 w 59 9 58").play("a1xa2")
    assert SKIRMISH.position(str(state.fen)) == state
    assert SKIRMISH.position(" ".join(state.facts)) == state


# --- the end --------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", [1, 2, 58, 59])
def test_the_game_goes_on_before_step_60(step: int) -> None:
    state = SKIRMISH.position(f"{BARE} w 0 0 {step}")
    assert not state.is_terminal
    assert texts(state) == words("a1-a2 a1-b1 a1-b2")


@pytest.mark.parametrize("on_move", ["w", "b"])
def test_the_game_is_over_at_step_60(on_move: str) -> None:
    state = SKIRMISH.position(f"{BARE} {on_move} 2 1 60")
    assert state.is_terminal
    assert state.goals == {"white": 20, "black": 10}
    assert state.legal == {"white": (), "black": ()}


def test_the_move_at_step_59_is_the_last() -> None:
    state = SKIRMISH.position(f"{BARE} w 0 0 58").play("a1-a2")
    assert not state.is_terminal
    over = state.play("a8-a7")
    assert over.is_terminal
    assert "step(60)" in over.facts
    assert over.to_move == "white"
    with pytest.raises(aspgames.IllegalMove, match="over"):
        over.play("a2-a3")


# In each of these Black could not move, if it were on move.
BLACK_CANNOT_MOVE = [
    pytest.param(
        """
        ........
        ........
        ..#..#..
        ...p....
        ........
        ..#..#..
        ........
        K.......
        """,
        id="a pawn has nothing to capture",
    ),
    pytest.param(
        """
        ........
        ........
        ..#..#..
        ...p....
        ...R....
        ..#..#..
        ........
        K.......
        """,
        id="a pawn does not capture straight on",
    ),
    pytest.param(
        """
        .n......
        ...p....
        p.#..#..
        ........
        ........
        ..#..#..
        ........
        K.......
        """,
        id="a knight has its own side and a square off limits",
    ),
    pytest.param(
        """
        ........
        ........
        p.#..#..
        .b......
        p.p.....
        ..#..#..
        ........
        K.......
        """,
        id="a bishop has its own side and a square off limits",
    ),
    pytest.param(
        """
        rp......
        p.......
        ..#..#..
        ........
        ........
        ..#..#..
        ........
        K.......
        """,
        id="a rook is shut in by its own side",
    ),
    pytest.param(
        """
        kp......
        pp......
        ..#..#..
        ........
        ........
        ..#..#..
        ........
        K.......
        """,
        id="a king is shut in by its own side",
    ),
    pytest.param(
        """
        ........
        ........
        ..#..#..
        ........
        ........
        ..#..#..
        ........
        KRP.....
        """,
        id="Black has no piece",
    ),
]


@pytest.mark.parametrize("on_move", ["w", "b"])
@pytest.mark.parametrize("drawing", BLACK_CANNOT_MOVE)
@SIDES
def test_the_game_is_over_when_either_side_has_no_move(
    side: str, drawing: str, on_move: str
) -> None:
    state = position(drawing, side, f"{on_move} 2 1 5")
    other = "black" if side == "white" else "white"
    assert state.is_terminal
    assert state.goals == {side: 20, other: 10}
    assert state.legal == {"white": (), "black": ()}
    assert state.to_move == (side if on_move == "w" else other)


@pytest.mark.parametrize("on_move", ["w", "b"])
def test_a_board_without_pieces_is_the_end(on_move: str) -> None:
    state = SKIRMISH.position(f"8/8/2#2#2/8/8/2#2#2/8/8 {on_move} 0 0 1")
    assert state.is_terminal
    assert state.goals == {"white": 0, "black": 0}


@pytest.mark.parametrize("on_move", ["w", "b"])
@SIDES
def test_a_side_with_nothing_but_a_capture_can_move(side: str, on_move: str) -> None:
    state = position(
        """
        ........
        ........
        ..#..#..
        ...p....
        ....R...
        ..#..#..
        ........
        K.......
        """,
        side,
        f"{on_move} 0 0 1",
    )
    assert not state.is_terminal


@SIDES
def test_the_game_ends_when_the_last_piece_that_could_be_captured_steps_away(side: str) -> None:
    state = position(
        """
        ........
        ........
        ..#..#..
        ...p....
        ....R...
        ..#..#..
        ........
        K.......
        """,
        side,
        "w 0 2 1",
    )
    over = play(state, side, "e4-e8")
    other = "black" if side == "white" else "white"
    assert over.is_terminal
    assert over.goals == {side: 0, other: 20}


@SIDES
def test_capturing_the_last_piece_ends_the_game_and_wins_ten_points_only(side: str) -> None:
    state = position(
        """
        r.......
        ........
        ..#..#..
        ........
        ........
        ..#..#..
        ........
        R.......
        """,
        side,
        "w 0 3 1",
    )
    over = play(state, side, "a1xa8")
    other = "black" if side == "white" else "white"
    assert over.is_terminal
    assert over.goals == {side: 10, other: 30}
    assert over.legal == {"white": (), "black": ()}
