"""Fairy chess in a few rules, against Fairy-Stockfish."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import aspgames
from aspgames import Game, State, perft
from paths import ROOT

pyffish: Any = pytest.importorskip("pyffish")

chess: Any = pytest.importorskip("chess")

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
    "\n".join(f"[with_{name}:chess]\ncustomPiece1 = {how}\n" for name, how in PIECES.items())
)


def with_piece(name: str) -> list[str]:
    """Positions with pieces of the kind."""
    mark = PIECES[name][0]
    positions = [
        "r_bqkb_r/pppppppp/8/8/8/8/PPPPPPPP/R+BQKB+R w KQkq - 0 1",
        "r3k2r/p1pp1pb1/b_2p_p1/3P+3/1p2P3/2+2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "2_1k1_1/2_5/8/3p4/2p1_3/5+2/3P2+1/1+1K4 w - - 0 1",
    ]
    return [fen.replace("_", mark).replace("+", mark.upper()) for fen in positions]


def uci(state: State) -> dict[str, str]:
    return {m.text.translate({45: None, 120: None, 61: None}): m.text for m in state.legal_moves}


def play_along(game: Game, legal: Callable[[str], set[str]], fen: str) -> int:
    """Random games, compared ply by ply; returns the number of positions."""
    random, seen = Random(fen), 0
    for _ in range(2):
        state = game.position(fen)
        for _ in range(30):
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


@pytest.mark.parametrize("name", ["grasshopper", "nightrider"])
def test_a_piece_is_counted_as_fairy_stockfish_counts_it(name: str) -> None:
    game = aspgames.load(str(FAIRY / f"{name}.lp"))
    for fen in with_piece(name)[1:]:
        assert perft(game.position(fen), 2) == count(f"with_{name}", fen, 2)


@pytest.mark.slow
@pytest.mark.parametrize("name", PIECES)
def test_a_piece_moves_as_fairy_stockfish_moves_it(name: str) -> None:
    game = aspgames.load(str(FAIRY / f"{name}.lp"))
    for fen in with_piece(name):
        assert play_along(game, fairy(f"with_{name}"), fen) > 10


def test_antichess() -> None:
    game = aspgames.load(str(FAIRY / "antichess.lp"))
    assert play_along(game, fairy("antichess"), str(game.initial.fen)) > 30
    assert perft(game.initial, 4) == 153_299


@pytest.mark.parametrize(
    ("fen", "nodes"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 197_326),
        ("rn2kb1r/1pp1p2p/p2q1pp1/3P4/2P3b1/4PN2/PP3PPP/R2QKB1R b KQkq - 0 1", 1_434_825),
        ("1r2r3/8/8/8/8/8/3k4/R3K2R w KQ - 0 1", None),  # kings side by side: castling is safe
        ("8/8/8/1KPpr3/8/8/8/k7 w - d6 0 1", None),  # en passant opens the row, and blasts the rook
        ("8/8/8/1K1Pp1r1/8/8/8/k7 w - e6 0 1", None),
        ("5k2/5rn1/8/8/8/8/5R2/5RK1 w - - 0 1", None),
    ],
)
def test_atomic(fen: str, nodes: int | None) -> None:
    game = aspgames.load(str(FAIRY / "atomic.lp"))
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
    for move in board.pseudo_legal_moves:
        board.push(move)
        king = board.king(not board.turn)
        attackers = board.attackers(board.turn, king)
        board.pop()
        if alike(move.from_square, move.to_square) and not any(alike(a, king) for a in attackers):
            found.add(move.uci())
    return found


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
    game = aspgames.load(str(FAIRY / "andernach.lp"))
    state = game.position("1r2k3/P7/4p3/3P4/8/8/8/4K3 w")
    assert str(state.play("d5xe6").fen).startswith("1r2k3/P7/4p3/8/8/8/8/4K3 b")
    assert str(state.play("a7xb8=q").fen).startswith("1q2k3/8/4p3/3P4/8/8/8/4K3 b")
    # A queen on b8 would attack the king on h2, and no knight would.
    state = game.position("1r2k3/P7/8/8/8/8/7K/8 w")
    assert {m.text for m in state.legal_moves if "x" in m.text} == {"a7xb8=r", "a7xb8=n"}
    # Popeye 4.104 has the same number of moves: Stipulation ~1, Condition Andernach.
    state = game.position("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N w")
    assert len(state.legal_moves) == 24


def alike(one: int, other: int) -> bool:
    light = chess.SquareSet(chess.BB_LIGHT_SQUARES)
    return (one in light) == (other in light)


@pytest.mark.parametrize(
    ("name", "legal"),
    [
        ("no_captures", without_captures),
        ("monochromatic", monochromatic),
        ("andernach", andernach),
    ],
)
def test_a_condition_forbids_moves(name: str, legal: Callable[[str], set[str]]) -> None:
    game = aspgames.load(str(FAIRY / f"{name}.lp"))
    for fen in (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w - - 0 1",
        "4k3/1r6/8/b2q4/8/3Q4/2B3R1/4K3 w - - 0 1",
    ):
        assert play_along(game, legal, fen) > 10
