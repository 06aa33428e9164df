"""The rules of `breakthrough`, in positions drawn by hand: White (P) goes up, Black (p) down."""

import pytest

import aspgames
from aspgames import State
from helpers import Diagram, changes, diagrams, facts, targets, texts, turned, turned_squares, words

BREAKTHROUGH = aspgames.load("breakthrough")

WHITE_WINS = {"white": 100, "black": 0}
BLACK_WINS = {"white": 0, "black": 100}
NOBODY_YET = {"white": 0, "black": 0}

SIDES = pytest.mark.parametrize("side", ["white", "black"])


def position(board: str, side: str = "white") -> State:
    """The board with White on move; or the same turned round, with Black on move."""
    fen = f"{board} w"
    return BREAKTHROUGH.position(fen if side == "white" else turned(fen))


def seen(squares: set[str], side: str) -> set[str]:
    """Squares or moves as the drawing has them."""
    return squares if side == "white" else turned_squares(squares, 8)


def outcome(side: str) -> dict[str, int]:
    return WHITE_WINS if side == "white" else BLACK_WINS


# --- the start ------------------------------------------------------------------------------------


def test_each_side_starts_with_two_full_rows_and_white_begins() -> None:
    expected = facts(
        "white a1 b1 c1 d1 e1 f1 g1 h1 a2 b2 c2 d2 e2 f2 g2 h2",
        "black a7 b7 c7 d7 e7 f7 g7 h7 a8 b8 c8 d8 e8 f8 g8 h8",
        "control(white)",
    )
    assert set(BREAKTHROUGH.initial.facts) == words(expected)
    assert BREAKTHROUGH.initial.to_move == "white"


def test_the_moves_of_the_start() -> None:
    assert texts(BREAKTHROUGH.initial) == words(
        "a2-a3 a2-b3"
        " b2-a3 b2-b3 b2-c3"
        " c2-b3 c2-c3 c2-d3"
        " d2-c3 d2-d3 d2-e3"
        " e2-d3 e2-e3 e2-f3"
        " f2-e3 f2-f3 f2-g3"
        " g2-f3 g2-g3 g2-h3"
        " h2-g3 h2-h3"
    )


# --- how a piece goes -----------------------------------------------------------------------------


# A title begins with the square of the piece; starred are all squares to which it can go.
PIECES = """
    d4: one square forward        d4: captures diagonally       d4: not straight ahead
    . . . . . . . p               . . . . . . . .               . . . . . . . .
    . . . . . . . .               . . . . . . . .               . . . . . . . .
    . . . . . . . .               . . . . . . . .               . . . . . . . .
    . . * * * . . .               . . p** p*. . .               . . * p * . . .
    . . . P . . . .               . . . P . . . .               . . . P . . . .
    . . . . . . . .               . . . . . . . .               . . . . . . . .
    . . . . . . . .               . . . . . . . .               . . . . . . . .
    . . . . . . . .               . . . . . . . .               . . . . . . . .

    d4: not onto its own side     d5: beside its own side       d4: not sideways, not back
    . . . . . . . p               . . . . . . . p               . . . . . . . .
    . . . . . . . .               . . . . . . . .               . . . . . . . .
    . . . . . . . .               . . * * * . . .               . . . . . . . .
    . . P P P . . .               . . P P P . . .               . . P P P . . .
    . . . P . . . .               . . . P . . . .               . . p P p . . .
    . . . . . . . .               . . . . . . . .               . . p . p . . .
    . . . . . . . .               . . . . . . . .               . . . . . . . .
    . . . . . . . .               . . . . . . . .               . . . . . . . .

    a4: at the edge               h4: at the other edge
    . . . p . . . .               . . . p . . . .
    . . . . . . . .               . . . . . . . .
    . . . . . . . .               . . . . . . . .
    * * . . . . . .               . . . . . . * *
    P . . . . . . P               P . . . . . . P
    . . . . . . . .               . . . . . . . .
    . . . . . . . .               . . . . . . . .
    . . . . . . . .               . . . . . . . .
    """


@pytest.mark.parametrize("diagram", diagrams(PIECES), ids=str)
@SIDES
def test_where_a_piece_goes(side: str, diagram: Diagram) -> None:
    state = position(diagram.board, side)
    assert not state.is_terminal
    (origin,) = seen({diagram.title[:2]}, side)
    assert seen(targets(state, origin), side) == diagram.starred


# --- the next state -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "move", "gone", "come"),
    [
        ("7p/8/8/2p5/3P4/8/8/P7 w", "d4-d5", "white d4", "white d5"),
        ("7p/8/8/2p5/3P4/8/8/P7 w", "d4xc5", "white d4, black c5", "white c5"),
        ("7p/8/8/2p5/3P4/8/8/P7 b", "c5xd4", "black c5, white d4", "black d4"),
    ],
)
def test_what_a_move_changes(fen: str, move: str, gone: str, come: str) -> None:
    before = BREAKTHROUGH.position(fen)
    side, other = ("white", "black") if fen.endswith("w") else ("black", "white")
    assert changes(before, before.play(move)) == (
        words(facts(*gone.split(", "), f"control({side})")),
        words(facts(come, f"control({other})")),
    )


# --- the end --------------------------------------------------------------------------------------


@pytest.mark.parametrize("move", ["d7-d8", "d7-c8", "d7xe8"])
@SIDES
def test_a_side_wins_when_it_reaches_its_last_row(side: str, move: str) -> None:
    state = position("4p3/3P4/8/8/8/8/3p4/8", side)
    assert not state.is_terminal
    assert state.goals == NOBODY_YET
    (played,) = seen({move}, side)
    over = state.play(played)
    assert over.is_terminal
    assert over.goals == outcome(side)
    assert over.to_move == ("black" if side == "white" else "white")
    assert over.legal == {"white": (), "black": ()}


@pytest.mark.parametrize("file", "adh")
@pytest.mark.parametrize("on_move", ["white", "black"])
@SIDES
def test_any_square_of_the_last_row_wins_whoever_is_on_move(
    side: str, on_move: str, file: str
) -> None:
    square, other = (f"{file}8", "black") if side == "white" else (f"{file}1", "white")
    state = BREAKTHROUGH.position(facts(f"{side} {square}", f"{other} b5", f"control({on_move})"))
    assert state.is_terminal
    assert state.goals == outcome(side)
    assert state.to_move == on_move


@pytest.mark.parametrize(
    "lines", [("white a7", "black h2"), ("white a1", "black h8")], ids=["before", "own"]
)
def test_the_row_before_the_last_and_ones_own_win_nothing(lines: tuple[str, str]) -> None:
    state = BREAKTHROUGH.position(facts(*lines, "control(white)"))
    assert not state.is_terminal
    assert state.goals == NOBODY_YET


@SIDES
def test_a_side_wins_when_it_captures_the_last_enemy(side: str) -> None:
    state = position("8/8/8/2p5/3P4/8/8/8", side)
    assert not state.is_terminal
    (played,) = seen({"d4xc5"}, side)
    over = state.play(played)
    assert over.is_terminal
    assert over.goals == outcome(side)


@pytest.mark.parametrize("on_move", ["white", "black"])
@pytest.mark.parametrize(
    ("line", "goals"), [("white d4 e4", WHITE_WINS), ("black d4 e4", BLACK_WINS)]
)
def test_a_side_without_pieces_has_lost_whoever_is_on_move(
    line: str, goals: dict[str, int], on_move: str
) -> None:
    state = BREAKTHROUGH.position(facts(line, f"control({on_move})"))
    assert state.is_terminal
    assert state.goals == goals
    assert state.legal == {"white": (), "black": ()}
    with pytest.raises(aspgames.IllegalMove, match="over"):
        state.play("noop")


@SIDES
def test_a_side_with_a_piece_always_has_a_move(side: str) -> None:
    # The foremost piece stands before an enemy: it can still pass beside it.
    game = aspgames.load("breakthrough", width=2, height=5)
    fen = "2/p1/P1/1p/P1 w"
    state = game.position(fen if side == "white" else turned(fen))
    expected = words("a3-b4 a1-a2 a1xb2") if side == "white" else {"a3-b2", "a5-a4", "a5xb4"}
    assert texts(state) == expected


# --- other boards ---------------------------------------------------------------------------------


def test_the_last_row_is_that_of_the_board() -> None:
    game = aspgames.load("breakthrough", width=4, height=5)
    white = game.position("1P2/4/4/p3/4 b")
    assert white.goals == WHITE_WINS
    black = game.position("4/1P2/4/4/p3 w")
    assert black.goals == BLACK_WINS
    assert not game.position("4/1P2/4/p3/4 w").is_terminal


def test_the_default_board_is_8_by_8() -> None:
    assert aspgames.load("breakthrough", width=8, height=8) == BREAKTHROUGH
    assert BREAKTHROUGH.constants == {"width": 8, "height": 8}
