"""Chess against python-chess: positions, moves, ends and notation."""

from functools import partial
from itertools import combinations, permutations
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

import aspgames
from aspgames import BadMove, BadPosition, IllegalMove, State
from aspgames.game import move_input
from aspgames.play.perft_suite import read_suite, run_suite, suite_path
from cli_helpers import Call, assert_refused
from thoroughly import amount

chess: Any = pytest.importorskip("chess")

GAME = aspgames.load("chess")
SUITE = [str(case.state.fen) for case in read_suite(suite_path("chess")) if case.depth == 1]
EDGES = [
    "8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1",  # en passant opens the row
    "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",  # en passant answers the check
    "4k3/8/8/3pP3/8/1b6/8/K6b w - d6 0 1",
    "8/8/8/1k6/3Pp3/8/4KQ2/8 b - d3 0 1",
    "r3k2r/8/8/8/8/8/6p1/R3K2R w KQkq - 97 60",
    "1r2k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1",
    "8/1P4k1/8/8/8/8/6p1/K6R b - - 3 9",
    "7k/5Q2/8/8/8/8/8/K7 b - - 10 1",
    "k7/8/8/8/8/8/1p6/K7 w - - 98 1",
    "4k3/8/5N2/8/8/8/4R3/4K3 b - - 0 1",  # two checks
    "6k1/5ppp/8/8/8/8/8/R5K1 w - - 99 80",  # mate, at move 50
]


def compare(state: State, board: Any) -> dict[str, str]:
    """Compare everything in a position; returns the moves by their UCI texts."""
    assert str(state.fen).split() == board.fen(en_passant="legal").split()[:5]
    drawn = board.halfmove_clock >= 100 or len(board.piece_map()) == 2
    mate = board.is_checkmate()
    assert state.is_terminal == (mate or drawn or board.is_stalemate()), board.fen()
    loser = "white" if board.turn else "black"
    assert not state.is_terminal or state.goals == {
        role: 0 if mate and role == loser else 100 if mate else 50 for role in ("white", "black")
    }
    moves = {m.text.translate({45: None, 120: None, 61: None}): m.text for m in state.legal_moves}
    legal = set() if state.is_terminal else {move.uci() for move in board.legal_moves}
    assert set(moves) == legal, board.fen()
    for uci in sorted(moves)[::5] if len(moves) % 12 == 5 else ():
        san = board.san(chess.Move.from_uci(uci))
        assert state.play(san) == state.play(moves[uci]), san
    return moves


SLOW = partial(pytest.param, marks=pytest.mark.slow)


@pytest.mark.sample(5)
@pytest.mark.parametrize(("games", "plies"), [(1, 10), SLOW(amount(1, 2), 90)])
@pytest.mark.parametrize("fen", [*SUITE, *EDGES])
def test_random_games_as_python_chess_plays_them(fen: str, games: int, plies: int) -> None:
    random = Random(fen)
    for _ in range(games):
        board, state = chess.Board(fen), GAME.position(fen)
        for _ in range(plies):
            moves = compare(state, board)
            if not moves:
                break
            move = random.choice(sorted(moves))
            board.push_uci(move)
            state = state.play(moves[move])


@pytest.mark.slow
def test_the_whole_suite_holds() -> None:
    assert not list(run_suite(read_suite(suite_path("chess"))))


@pytest.mark.quick(4)
@pytest.mark.parametrize(
    ("move", "error", "words"),
    [
        ("Nd2", BadMove, "'Nd2' may be b1-d2 or f3-d2: say which"),
        ("Nc9", BadMove, "'Nc9' is no move: moves look like"),
        ("Qe5", IllegalMove, "^no queen goes to e5$"),
        ("Nf6", IllegalMove, "^no knight goes to f6$"),
        ("Nbf6", IllegalMove, "^Nbf6 is not legal: no piece goes from b1 to f6$"),
        ("N1e4", IllegalMove, "^N1e4 is not legal: the knight on b1 doesn't go to e4$"),
        ("Nge5", IllegalMove, "^no knight on g goes to e5$"),
        ("Ka3", IllegalMove, "^Ka3 is not legal: the king on a1 doesn't go to a3$"),
        ("e6", IllegalMove, "^e6 is not legal: the pawn on e7 doesn't go to e6$"),
        ("O-O", IllegalMove, "^O-O is not legal here$"),
        ("e8=K", IllegalMove, "^e8=K is not legal"),
    ],
)
def test_short_moves_that_are_none(
    move: str, error: type[Exception], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a net and by the grounder; the rules give the reason once."""
    reason, reasons = move_input.why, list[Any]()

    def first_reason(*asked: Any) -> Any:
        reasons[:] = reasons or [reason(*asked)]
        return reasons[0]

    monkeypatch.setattr(move_input, "why", first_reason)
    for game in (GAME, GAME.without_nets):
        with pytest.raises(error, match=words):
            game.position("7k/4P3/8/8/8/5N2/8/KN6 w").play(move)


def test_castling_that_is_illegal_has_a_reason() -> None:
    state = GAME.position("4k3/8/8/8/8/8/8/R3KB1R w KQ")
    with pytest.raises(IllegalMove, match=r"^O-O is not legal: the king can't castle over the bis"):
        state.play("O-O")
    assert state.play("O-O-O").fen == "4k3/8/8/8/8/8/8/2KR1B1R b - - 1"


def test_an_illegal_short_move_is_explained(call: Call) -> None:
    for move in ("Ke2", "O-O"):
        found = call("why", "chess", "startpos", move)
        assert (found.code, found.err) == (0, "")
        assert found.out.startswith("e1xg1" if move == "O-O" else "e1xe2 is not legal for white\n")
    assert_refused(call("why", "chess", "startpos", "Nf6"), "no knight goes to f6")


def test_a_short_move_of_a_pinned_piece_says_what_pins_it() -> None:
    state = GAME.position("4k3/8/8/8/4r3/8/4N3/4K3 w")
    with pytest.raises(IllegalMove, match="the knight on e2 is pinned by the rook on e4"):
        state.play("Nc3")


def test_short_moves_are_illegal_where_python_chess_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without the rules' reasons, which other tests compare."""
    reason = SimpleNamespace(told="not now", summary="not now")
    monkeypatch.setattr(move_input, "why", lambda *_: reason)
    rng = Random(3)
    targets = [
        f"{p}{f}{r}" for p in ("N", "B", "R", "Q", "K", "") for f in "abcdefgh" for r in "27"
    ]
    board, state = chess.Board(), GAME.initial
    for _ in range(20):
        for move in rng.sample(targets, 12):
            try:
                board.parse_san(move)
                state.play(move)
            except chess.AmbiguousMoveError:
                with pytest.raises(BadMove, match="say which"):
                    state.play(move)
            except chess.IllegalMoveError:
                with pytest.raises(IllegalMove):
                    state.play(move)
        played = rng.choice([*board.legal_moves])
        state = state.play(played.uci())
        board.push(played)


@pytest.mark.parametrize(
    ("position", "moves"),
    [
        (
            "3r3k/P3P3/8/8/8/8/8/K7 w",
            [
                "e7d8q",
                "e7d8Q",
                "e7xd8=Q",
                "exd8=Q+",
                "exd8Q",
                "exd8(Q)!?",
                "e7:d8=Q+",
                "e7-d8=Q",
                "exd8=Q#",
                "e7d8=q",
            ],
        ),
        (
            "4k3/8/8/3pP3/8/8/8/K7 w - d6",
            [
                "exd6",
                "exd6e.p.",
                "exd6 e.p.",
                "e5d6",
                "ed6",
                "e5xd6ep",
                "exd6 (e.p.)",
                "exd6 e. p.",
                "e5d6 ep+",
            ],
        ),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ", ["O-O", "0-0", "O-O+", "e1g1", "Kg1", "Ke1-g1"]),
        (
            "4k3/8/8/8/3n4/5N2/8/KN6 w",
            ["Nxd4", "Nd4", "Nfxd4", "N3xd4", "Nf3xd4", "f3d4", "Nf3d4", "♘xd4", "♞\ufe0efd4+"],
        ),
        ("4k3/8/8/8/8/8/P7/K7 w", ["a4", "♙a4", "♟\ufe0ea2-a4"]),
    ],
)
def test_forms_in_which_people_write_a_move(position: str, moves: list[str]) -> None:
    """By a net and by the grounder."""
    for game in (GAME, GAME.without_nets):
        state = game.position(position)
        assert len({state.play(move).facts for move in moves}) == 1


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ("8/8/8/8/8/8/8/K7 w", "black has no king"),
        ("kk6/8/8/8/8/8/8/K7 w", "black has two kings: on a8 and b8"),
        ("k6P/8/8/8/8/8/8/K7 w", "a pawn stands on its last row, h8"),
        ("k7/8/8/8/8/8/8/KR5r b", None),
        ("kp6/8/8/8/8/8/8/K7 w", None),  # as Popeye has it
        ("k6R/8/8/8/8/8/8/K7 w", "white is on move and could capture the king from h8"),
        ("k7/1P6/8/8/8/8/8/K7 w", "white is on move and could capture the king from b7"),
        ("k7/8/8/8/8/8/8/K6R w K", "white can't castle with the rook on h1"),
        ("k7/8/8/8/8/8/8/K6R w - e3", "no pawn can have just passed e3"),
        (
            "k7/8/8/8/8/8/8/K6R w - - 151 9",
            "field 5 of the FEN is '151', not a number from 0 to 150",
        ),
        (
            "k7/8/8/8/8/8/8/K6R w QX - 0 1",
            "field 3 of the FEN is 'QX', not castling .- or some of KQ",
        ),
        ("k7/8/8/8/8/8/8/K6R w KK - 0 1", "field 3 of the FEN is 'KK', not castling"),
        (
            "k7/8/8/8/8/8/8/K6R w - e9 0 1",
            "field 4 of the FEN is 'e9', not the square of an en pass",
        ),
        ("k7/8/8/8/8/8/8/K6R x - - 0 1", "field 2 of the FEN is 'x', not one of b, w"),
        ("k7/8/8/8/8/8/8/K6R w - 5", "field 4 of the FEN is '5', not"),
        ("k7/8/8/8/8/8/8/K6R w - - 0 1 2", "'1 2' at the end of the FEN means nothing here"),
        ("bqnb1rkr/pppppppp/8/8/8/8/PPPPPPPP/BQNB1RKR w HFhf - 0 1", "'HFhf', .* no Chess960 here"),
        (
            "bqnb1rkr/pppppppp/8/8/8/8/PPPPPPPP/BQNB1RKR w KQkq - 0 1",
            "can't castle .*no Chess960 here",
        ),
        ("k7/8/8/8/8/8/P~7/K6R w - - 0 1", "'~' in rank 'P~7' is no piece"),
    ],
)
def test_positions_that_chess_lacks(position: str, words: str | None) -> None:
    if words is None:
        assert not GAME.position(position).is_terminal
        return
    with pytest.raises(BadPosition, match=words):
        GAME.position(position)


@pytest.mark.parametrize("positions", [60, SLOW(amount(600, 4000))])
def test_a_square_of_en_passant_that_nobody_can_use_is_dropped(positions: int) -> None:
    """Pawns side by side after a double step, with kings and riders around: read, and played."""
    random, dropped = Random(positions), 0
    while positions:
        board, white, left = chess.Board(None), random.random() < 0.5, random.sample(range(64), 64)
        file, second, fourth = random.randrange(1, 7), *((8, 24) if white else (48, 32))
        pawns = {file + second: white, file + random.choice((-1, 1)) + fourth: not white}
        kinds = [(6, white), (6, not white), *((random.choice((3, 4, 5)), white) for _ in range(3))]
        for square, side in pawns.items():
            board.set_piece_at(square, chess.Piece(chess.PAWN, side))
        for square, (kind, side) in zip((n for n in left if n not in pawns), kinds, strict=False):
            board.set_piece_at(square, chess.Piece(kind, side))
        board.turn, move = white, chess.Move(file + second, file + fourth)
        if not board.is_valid() or not board.is_legal(move):
            continue
        before = GAME.position(board.fen())
        board.push(move)
        after, read = before.play(move.uci()), GAME.position(board.fen(en_passant="fen"))
        assert after == read
        assert str(after.fen).split() == board.fen(en_passant="legal").split()[:5]
        positions -= 1
        dropped += not board.has_legal_en_passant()
    assert dropped


def test_forms_in_which_people_write_a_fen() -> None:
    """By a net and by the grounder: all orders of the letters, and those of the rooks' files."""
    letters = {"K": "KH", "Q": "QA", "k": "kh", "q": "qa"}
    random, rook = Random(5), "r3k2r/8/8/8/8/8/8/R3K2R b"
    for count in range(1, 5):
        for rights in combinations("KQkq", count):
            board = chess.Board(f"{rook} {''.join(rights)} - 12 34")
            for order in permutations(rights):
                given = "".join(random.choice(letters[right]) for right in order)
                for game in (GAME, GAME.without_nets):
                    state = game.position(f"{rook} {given} - 12 34")
                    assert state.fen == board.fen().rpartition(" ")[0], given
    for position, plain in [
        ("k7/5Q~2/8/8/8/8/1r~6/2K3n~1 w - -", "k7/5Q2/8/8/8/8/1r6/2K3n1 w - - 0"),
        ("k7/8/8/8/8/8/8/K6R w - - 150 200", "k7/8/8/8/8/8/8/K6R w - - 100"),
        ("k7/8/8/8/8/8/8/K6R w - - 7", "k7/8/8/8/8/8/8/K6R w - - 7 1"),
    ]:
        assert GAME.position(position) == GAME.position(plain)


@pytest.mark.parametrize(
    ("position", "move", "sentence"),
    [
        ("4r2k/8/8/8/8/8/4B3/4K3 w", "e2-d3", "the bishop on e2 is pinned by the rook on e8"),
        SLOW("7k/8/8/8/1b6/8/8/3K4 w", "d1-d2", "would stand in check from the bishop on b4"),
        SLOW("4r2k/8/8/8/8/8/P7/4K3 w", "a2-a3", "the rook on e8 gives check"),
    ],
)
def test_why_a_move_is_illegal(position: str, move: str, sentence: str) -> None:
    assert sentence in str(GAME.position(position).why(move))


@pytest.mark.parametrize(
    ("position", "move", "sentences"),
    [
        ("4k3/8/8/8/8/5r2/8/4K2R w K", "e1-g1", ["over f1, which the rook on f3 attacks"]),
        ("4k3/8/8/8/8/8/8/R3K2R w K", "e1-c1", ["with the rook on a1 any more"]),
        SLOW("4k3/8/8/8/8/4r3/8/4K2R w K", "e1-g1", ["out of check"]),
        SLOW("r3kb1r/8/8/8/8/8/8/4K3 b kq", "e8-g8", ["over the bishop on f8"]),
        SLOW("rn2k2r/8/8/8/8/8/8/4K3 b kq", "e8-c8", ["over the knight on b8"]),
        SLOW(
            "4k3/8/8/8/8/6r1/8/4K2R w K",
            "e1-g1",
            ["king on e1 doesn't go to g1", "would stand in check from the rook on g3"],
        ),
    ],
)
def test_why_a_king_does_not_castle(position: str, move: str, sentences: list[str]) -> None:
    """Whose turn it is doesn't matter then."""
    told = str(GAME.position(position).why(move))
    assert all(sentence in told for sentence in sentences)
    assert "turn" not in told
