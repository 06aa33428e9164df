"""Fairy chess in a few rules, against Fairy-Stockfish."""

import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import aspgames
from aspgames import Game, State, perft
from aspgames.puzzle.problem import Puzzle
from aspgames.puzzle.stipulation import read_stipulation, series_constants
from aspgames.solver.planner.cooperative_search import together
from paths import ROOT

pyffish: Any = pytest.importorskip("pyffish")

chess: Any = pytest.importorskip("chess")

SLOW = pytest.mark.slow
FAIRY = ROOT / "encodings/gallery/fairy"
PIECES = {  # glyph and moves in Betza's notation
    "amazon": "a:QN",
    "camel": "c:C",
    "empress": "e:RN",
    "grasshopper": "g:gQ",
    "nightrider": "s:NN",
    "princess": "a:BN",
    "zebra": "z:Z",
}
pyffish.load_variant_config(
    "\n".join(
        f"[with_{name}:chess]\ncustomPiece1 = {how}\npromotionPieceTypes = nbrq{how[0]}\n"
        for name, how in PIECES.items()
    )
)


def book(name: str) -> Game:
    return aspgames.load(str(FAIRY / f"{name}.lp"))


def position(name: str, fen: str) -> State:
    """A position about which the grounder answers a few questions: no process makes a net."""
    return book(name).without_nets.position(fen)


def with_piece(name: str) -> list[str]:
    """Positions with pieces of the kind."""
    mark = PIECES[name][0]
    positions = [
        "r_bqkb_r/pppppppp/8/8/8/8/PPPPPPPP/R+BQKB+R w KQkq - 0 1",
        "r3k2r/p1pp1pb1/b_2p_p1/3P+3/1p2P3/2+2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "2_1k1_1/2_5/8/3p4/2p1_3/5+2/3P2+1/1+1K4 w - - 0 1",
        "4_3/P1P5/7+/8/1k6/6K1/4p1p1/2_5 w - - 0 1",  # promotions
    ]
    return [fen.replace("_", mark).replace("+", mark.upper()) for fen in positions]


def uci(state: State) -> dict[str, str]:
    return {m.text.translate({45: None, 120: None, 61: None}): m.text for m in state.legal_moves}


def play_along(game: Game, legal: Callable[[str], set[str]], fen: str, games: int = 1) -> int:
    """Random games, compared ply by ply; returns the number of positions."""
    random, seen = Random(fen), 0
    for _ in range(games):
        state = game.position(fen)
        for _ in range(12):
            theirs = legal(f"{state.fen} 1")
            ours = uci(state)
            if state.is_terminal:
                pieces = re.findall("[A-Za-z]", str(state.fen).split()[0])
                assert "quiet(100)" in state.facts or len(pieces) == 2 or not theirs
                break
            assert set(ours) == theirs, state.fen
            seen += 1
            state = state.play(ours[random.choice(sorted(ours))])
    return seen


def fairy(variant: str) -> Callable[[str], set[str]]:
    return lambda fen: set(pyffish.legal_moves(variant, fen, []))


def count(variant: str, fen: str, depth: int) -> int:
    moves = pyffish.legal_moves(variant, fen, [])
    if depth == 1:
        return len(moves)
    return sum(count(variant, pyffish.get_fen(variant, fen, [m]), depth - 1) for m in moves)


@pytest.mark.parametrize("name", ["grasshopper", pytest.param("nightrider", marks=SLOW)])
def test_a_piece_is_counted_as_fairy_stockfish_counts_it(name: str) -> None:
    game = book(name)
    for fen in with_piece(name)[1:]:
        assert perft(game.position(fen), 2) == count(f"with_{name}", fen, 2)


@pytest.mark.sample(3)
@pytest.mark.slow
@pytest.mark.parametrize("name", PIECES)
def test_a_piece_moves_as_fairy_stockfish_moves_it(name: str) -> None:
    game = book(name)
    for fen in with_piece(name):
        assert play_along(game, fairy(f"with_{name}"), fen, games=2) > 10


def test_antichess() -> None:
    game = book("antichess")
    assert play_along(game, fairy("antichess"), str(game.initial.fen), games=2) > 15
    assert perft(game.initial, 4) == 153_299


@pytest.mark.quick(1)
@pytest.mark.parametrize(
    ("fen", "nodes"),
    [
        pytest.param(
            "rn2kb1r/1pp1p2p/p2q1pp1/3P4/2P3b1/4PN2/PP3PPP/R2QKB1R b KQkq - 0 1",
            1_434_825,
            marks=SLOW,
        ),
        ("1r2r3/8/8/8/8/8/3k4/R3K2R w KQ - 0 1", None),  # kings side by side: castling is safe
        ("8/8/8/1KPpr3/8/8/8/k7 w - d6 0 1", None),  # en passant opens the row, and blasts the rook
        ("8/8/8/1K1Pp1r1/8/8/8/k7 w - e6 0 1", None),
        ("5k2/5rn1/8/8/8/8/5R2/5RK1 w - - 0 1", None),
    ],
)
def test_atomic(fen: str, nodes: int | None) -> None:
    game = book("atomic")
    play_along(game, fairy("atomic"), fen)
    state = game.position(fen)
    if nodes:
        assert perft(state, 4) == nodes
    else:
        assert perft(state, 2) == count("atomic", fen, 2)


def without_captures(fen: str) -> set[str]:
    board = chess.Board(fen)
    return {m.uci() for m in board.legal_moves if not board.is_capture(m)}


def monochromatic(fen: str) -> set[str]:
    board, found = chess.Board(fen), set()
    us, home = board.turn, chess.E1 if board.turn else chess.E8
    for move in board.pseudo_legal_moves:
        after = board.copy()
        after.push(move)
        keeps = alike(move.from_square, move.to_square) and not board.is_castling(move)
        if keeps and not hunted(after, us, after.king(us)):
            found.add(move.uci())
    free = not any(map(board.piece_at, (home + 1, home + 2)))
    if board.has_kingside_castling_rights(us) and free:
        board.remove_piece_at(home)
        if not any(hunted(board, us, home + steps) for steps in range(3)):
            found.add(chess.Move(home, home + 2).uci())
    return found


def hunted(board: chess.Board, us: chess.Color, square: chess.Square) -> bool:
    """Whether the other side attacks a square from one of its colour."""
    return any(alike(each, square) for each in board.attackers(not us, square))


def andernach(fen: str) -> set[str]:
    board, found = chess.Board(fen), set()
    for move in board.pseudo_legal_moves:
        after, us = board.copy(), board.turn
        after.push(move)
        piece = after.piece_at(move.to_square)
        if board.is_capture(move) and piece.piece_type != chess.KING:
            after.set_piece_at(move.to_square, chess.Piece(piece.piece_type, not us))
        if not after.is_attacked_by(not us, after.king(us)):
            found.add(move.uci())
    return found


def test_in_andernach_chess_a_capturing_piece_changes_sides() -> None:
    state = position("andernach", "1r2k3/P7/4p3/3P4/8/8/8/4K3 w")
    assert str(state.play("d5xe6").fen).startswith("1r2k3/P7/4p3/8/8/8/8/4K3 b")
    assert str(state.play("a7xb8=q").fen).startswith("1q2k3/8/4p3/3P4/8/8/8/4K3 b")
    # A queen on b8 would attack the king on h2, and no knight would.
    state = position("andernach", "1r2k3/P7/8/8/8/8/7K/8 w")
    assert {m.text for m in state.legal_moves if "x" in m.text} == {"a7xb8=r", "a7xb8=n"}
    # Popeye 4.104 has the same number of moves: Stipulation ~1, Condition Andernach.
    state = position("andernach", "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N w")
    assert len(state.legal_moves) == 24


def alike(one: int, other: int) -> bool:
    light = chess.SquareSet(chess.BB_LIGHT_SQUARES)
    return (one in light) == (other in light)


@pytest.mark.quick(1)
@pytest.mark.parametrize(
    ("name", "legal"),
    [
        ("no_captures", without_captures),
        ("monochromatic", monochromatic),
        pytest.param("andernach", andernach, marks=SLOW),
    ],
)
def test_a_condition_forbids_moves(name: str, legal: Callable[[str], set[str]]) -> None:
    game = book(name)
    for fen in (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "4k3/1r6/8/b2q4/8/3Q4/2B3R1/4K3 w - - 0 1",
    ):
        assert play_along(game, legal, fen) > 8


@pytest.mark.quick(4)
@pytest.mark.parametrize(
    ("fen", "castles"),
    [
        ("4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1", False),  # the rook and f1 are light
        ("4k3/8/8/8/8/5R2/8/R3K1nR w KQ - 0 1", False),
        ("4k3/8/8/8/8/5r2/4P3/R3K2R w KQ - 0 1", False),
        ("4k3/8/8/8/5r2/8/8/R3K2R w KQ - 0 1", True),
        ("4k3/8/8/8/8/6n1/8/R3K2R w KQ - 0 1", True),
        ("4k3/8/8/8/8/8/6p1/R3K2R w KQ - 0 1", False),
        ("4k3/8/8/8/8/8/8/1r2K2R w K - 0 1", False),
    ],
)
def test_in_monochromatic_chess_only_the_near_rook_castles(fen: str, castles: bool) -> None:
    state = position("monochromatic", fen)
    assert set(uci(state)) == monochromatic(fen)
    assert {"e1g1", "e1c1"} & uci(state).keys() == ({"e1g1"} if castles else set())


@pytest.mark.parametrize(
    ("fen", "castles"),  # as in Popeye 4.104
    [
        ("8/3k4/8/8/8/8/6p1/4K2R w K", True),  # on f1, the pawn would stand alone
        ("8/3k4/8/8/8/8/4P1p1/4K2R w K", False),
        ("5r2/3k4/8/8/8/8/8/4K2R w K", True),
        ("5r2/3k4/8/8/8/8/4P3/4K2R w K", False),
    ],
)
def test_in_koko_a_king_castles_over_a_square_where_nothing_gives_check(
    fen: str, castles: bool
) -> None:
    state = position("koko", fen)
    assert ("e1-g1" in {move.text for move in state.legal_moves}) == castles


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        pytest.param("koko", "6 25 23 3 49 7 4 4 1 2 6 6", marks=SLOW),
        pytest.param("circe", "5 2 0 4 6 10 3 4 0 2 6 5", marks=SLOW),
        pytest.param("anticirce", "34 2 0 2 5 10 2 5 1 5 8 9", marks=SLOW),
        ("madrasi", "29 2 0 7 5 7 1 5 19 3 2 3"),
        ("locust", "4 2 1 1 2 38 0 6 1 2 2 5"),  # in place of bishops
    ],
)
def test_there_are_as_many_moves_as_popeye_finds(name: str, counts: str) -> None:
    game = book(name).without_nets
    positions = (  # Popeye 4.104: Stipulation ~1
        "2k1Nr1N/5PR1/b3P2R/p2P4/3pR2n/K3r3/1pP2B2/1r6",
        "nn6/5rB1/nPpp2R1/2nk1B2/K4q1p/3Pq1n1/4qP2/8",
        "3r4/1rN5/1P4N1/Pn2b3/R3P2N/b3p2B/p2r2r1/1K1k3r",
        "1N6/b3pB1n/1K4rR/p7/2bNN3/Q1p1P2p/6p1/2B1N1k1",
        "1n2K2r/6bB/3r1BN1/1N2p1r1/3B4/rk3N2/1n2r1RR/4R3",
        "4Q1K1/4r1p1/3k2P1/2r3n1/1r1r1rB1/5p2/b1P1Q1B1/N5Rb",
        "1r1KNq2/5b2/3p2p1/N1b2b2/1p3kqB/2B1N3/2b5/1bq3R1",
        "3N4/1B1N1b2/2K3nB/2B3n1/1n3P2/4P1b1/PP2p3/1r1kb1R1",
        "4n3/1r6/5k1b/Kp1P1r1B/r3r1r1/3n1Pn1/5PNP/R4B2",
        "3N3k/RR1B3p/4qnp1/R5n1/b1Q1N1p1/1p4PK/2r3R1/8",
        "5br1/1R1bB2p/b1p4P/4B2B/2B1pq1b/8/5r2/2kb1nK1",
        "1r2r2k/2n2K2/R4R2/6qp/2b3Q1/N1r2R2/nqb1PP2/B7",
    )
    put = str.maketrans("bB", "lL") if name == "locust" else {}
    states = [game.position(f"{fen.translate(put)} w") for fen in positions]
    assert [len(state.legal_moves) for state in states] == [int(n) for n in counts.split()]


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("fen", "move", "after"),
    [
        ("4k3/8/8/3r4/4P3/8/8/4K3 w", "e4xd5", "r3k3/8/8/3P4/8/8/8/4K3"),  # a light square
        ("4k3/8/8/3b4/2P5/8/8/4K3 w", "c4xd5", "2b1k3/8/8/3P4/8/8/8/4K3"),
        ("R7/3k4/r7/8/8/8/8/4K3 w", "a8xa6", "r7/3k4/R7/8/8/8/8/4K3"),  # where the rook came from
        ("n3k3/8/8/8/8/2n5/1P6/4K3 w", "b2xc3", "nn2k3/8/8/8/8/2P5/8/4K3"),
        ("4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1", "d5xe6", "4k3/4p3/4P3/8/8/8/8/4K3"),
    ],
)
def test_in_circe_a_captured_piece_is_reborn(fen: str, move: str, after: str) -> None:
    state = position("circe", fen)
    assert str(state.play(move).fen).split()[0] == after


@pytest.mark.quick(1)
@pytest.mark.parametrize(
    ("fen", "move"),  # as in Popeye 4.104
    [
        ("3k4/8/8/8/7q/8/5K2/4n3 w", "f2xe1"),
        ("8/7p/8/8/8/8/8/k3R2K b", "h7-h6"),  # a check only by the rook that is reborn on a1
    ],
)
def test_in_anticirce_of_cheylan_a_piece_is_reborn_elsewhere(fen: str, move: str) -> None:
    calvet, cheylan = (
        move in {each.text for each in position(name, fen).legal_moves}
        for name in ("anticirce", "anticirce_cheylan")
    )
    assert (calvet, cheylan) == (move[0] == "f", move[0] == "h")


@pytest.mark.quick(3)
@pytest.mark.parametrize(
    ("fen", "move", "after"),  # as in Popeye 4.104
    [
        ("k7/8/8/3r4/4P3/8/8/4K3 w", "e4xd5", "k7/8/8/8/8/8/3P4/4K3"),
        ("k7/8/8/8/4p3/5p2/4K3/8 w", "e2xf3", "k7/8/8/8/4p3/8/8/4K3"),
        ("k7/8/8/8/8/r7/1P6/4K3 w", "b2xa3", "k7/8/8/8/8/8/P7/4K3"),
        ("r7/1P2k3/8/8/8/8/8/4K3 w", "b7xa8=q", "8/4k3/8/8/8/8/8/3QK3"),
        ("r7/1P2k3/8/8/8/8/8/3BK3 w", "b7xa8=q", None),  # d1 isn't empty
        ("7r/4k3/8/8/8/8/4K3/7R w", "h1xh8", "8/4k3/8/8/8/8/4K3/R7"),
        ("4k3/8/8/8/8/8/4r3/B3K3 w", "a1-b2", None),
        ("4k3/8/8/8/8/8/4r3/B3K3 w", "a1-h8", "4k2B/8/8/8/8/8/4r3/4K3"),  # no room for the rook
        ("4k2b/8/8/8/8/8/4r3/R3K3 w", "a1-a8", "R3k2b/8/8/8/8/8/4r3/4K3"),
        ("3N3k/8/8/8/8/8/4q3/4K3 w", "d8-b7", None),  # makes room for the queen
        ("3r3k/8/8/3Pp3/8/8/8/3K4 w - e6 0 1", "d5xe6", None),  # opens the file
    ],
)
def test_in_anticirce_the_capturing_piece_is_reborn(fen: str, move: str, after: str | None) -> None:
    state = position("anticirce", fen)
    assert (move in {each.text for each in state.legal_moves}) == (after is not None)
    if after:
        assert str(state.play(move).fen).split()[0] == after


def test_in_circe_a_published_try_fails_by_a_rebirth() -> None:
    # Bulawka, feenschach 97 (1990). 1.Qc3+ fails to dxc3, as the queen is reborn on d1.
    state = position("circe", "8/8/nRPr4/Q1p5/b1Pp1rP1/KB2p3/5P2/k1N5 w")
    refuted = state.play("a5-c3").play("d4xc3")
    assert "Q" in str(refuted.fen).split("/")[-1]


def test_a_forbidden_promotion_hinders_no_mate() -> None:
    # The end of a problem by Seidel, Problemkiste 76 (1991): no promotion on h1 answers the check.
    state = position("madrasi", "Q1qN2RB/4n3/2r2k2/6r1/6K1/8/3b3p/8 b")
    assert state.goals == {"white": 100, "black": 0}


GIRAFFE = """
    piece(giraffe(R),R) :- role(R).
    leaper(1,4).
    leaps(giraffe(R),D) :- role(R), vector(D,1,4).

    #program board.

    glyph(giraffe(white),"I").  glyph(giraffe(black),"i").
"""


def combined(folder: Path, names: str, more: str = "", **constants: Any) -> Game:
    """Several rule books in one."""
    file = folder / "mine.lp"
    included = (f'#include "gallery/fairy/{name}.lp".\n' for name in names.split())
    file.write_text("".join(included) + more)
    return aspgames.load(str(file), **constants)


PROBLEMS = [
    # Rehm and Maeder, both harmonie (1990)
    ("grasshopper nightrider", "1n1r3s/Q1p1b3/p1k1PpG1/3p4/1g4r1/BBN3S1/N3g1bs/K2G4 w", "#3",
     "g3-f5"),
    ("grasshopper nightrider", "4k3/3rq3/3G2P1/1S2p3/Gp2p1G1/4pp2/r6S/4K3 b", "h#2",
     "a2xa4 b5xf3 e4xf3 g4xa4"),
    # Geissler and Werner, Problemkiste 68 (1990)
    ("koko camel", "8/8/8/5C2/8/3c2pk/6p1/7K b", "ser-h=4", "g2-g1=c g1-d2 g3-g2 g2-g1=c f5-e2"),
    # Bakke, New Year's card (1971)
    ("no_captures empress", "k1K5/p7/1P6/8/8/8/8/8 b", "ser-=7", "a7-a5"),
    # Petkov, Probleemblad (1967), 2nd prize, improved
    ("grasshopper nightrider camel zebra giraffe",
     "R2GkI2/1P4P1/4cp2/5pP1/1P5Z/1S6/p7/4G1K1 b", "ser-h#3", "a2-a1=b a1-c3 c3-d2 d8-d1"),
    # Olausson, 5613 and 5614, Ideal-Mate Review 46 (1992)
    ("circe locust", "6l1/8/8/8/8/7K/8/7k w", "ser-=10", "h3-h4"),
    ("circe locust", "6l1/8/8/8/8/7K/n7/7k w", "ser-=22", "h3-h4"),
]  # fmt: skip


@pytest.mark.sample(3)
@pytest.mark.slow
@pytest.mark.parametrize(("names", "fen", "stipulation", "answer"), PROBLEMS)
def test_two_rule_books_together(
    tmp_path: Path, names: str, fen: str, stipulation: str, answer: str
) -> None:
    constants = series_constants(stipulation, "white" if fen.endswith("w") else "black")
    more = GIRAFFE if "giraffe" in names else ""
    state = combined(tmp_path, names.removesuffix(" giraffe"), more, **constants).position(fen)
    asked = read_stipulation(stipulation, state)
    if asked.helped:
        line = together(Puzzle.of(state, *asked[:3])).line_text
        assert [move for move in line if move != "pass"] == answer.split()
    else:
        found = aspgames.solve(state, attacker=asked.attacker, goal=asked.goal, within=asked.within)
        assert (found.distance, list(found.keys_text)) == (asked.within, answer.split())


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("names", "fen", "move", "after"),
    [
        ("camel circe", "k7/8/8/c6R/8/8/8/7K w", "h5xa5", "k7/8/8/R7/8/8/8/c6K b"),
        ("camel andernach", "k7/8/8/1p6/8/8/C7/7K w", "a2xb5", "k7/8/8/1c6/8/8/8/7K b"),
        ("camel madrasi", "k7/8/8/1c6/8/8/C7/7K w", "a2xb5", None),
        ("camel no_captures", "k7/8/8/1c6/8/8/C7/7K w", "a2xb5", None),
        ("locust no_captures", "k7/8/8/1r6/8/1L6/8/7K w", "b3-b6", None),
        ("locust", "k7/8/8/1r6/8/1L6/8/7K w", "b3-b6", "k7/8/1L6/8/8/8/8/7K b"),
    ],
)
def test_a_condition_holds_for_fairy_pieces(
    tmp_path: Path, names: str, fen: str, move: str, after: str | None
) -> None:
    state = combined(tmp_path, names).without_nets.position(fen)
    assert (move in {each.text for each in state.legal_moves}) == (after is not None)
    if after:
        assert " ".join((state.play(move).fen or "").split()[:2]) == after


@pytest.mark.sample(1)
@pytest.mark.slow
@pytest.mark.parametrize(("name", "moves"), [("amazon", 4), ("empress", 11), ("princess", 17)])
def test_the_longest_mate_of_a_bare_king(tmp_path: Path, name: str, moves: int) -> None:
    """17 moves with a princess: D. McCooey, Endgame statistics with fantasy pieces."""
    pa = pytest.importorskip("pyarrow")
    start = f"8/8/8/3k4/8/8/1{PIECES[name][0].upper()}6/K7 w"
    state = combined(tmp_path, name, "uncounted.\n").position(start)
    aspgames.make_table(state, tmp_path / "mates")
    with pa.ipc.open_file(str(tmp_path / "mates")) as mates:
        assert max(mates.read_all()["distance"].to_pylist()) == 2 * moves  # Black is on move
