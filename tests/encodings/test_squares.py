"""Squares are named as people name them, in every place that shows or reads them."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

import aspgames
from aspgames import RulesError
from aspgames.asp.sources import encodings_folder
from aspgames.crosscheck.engines.turn_labels import from_bottom
from cli_helpers import Call

BOOKS = sorted((encodings_folder() / "gallery").glob("*.lp"))
FROM_THE_TOP = {"battleship", "dark_hex", "hex", "othello", "pentago"}

# The start of a game of Othello as records have it, and the board after it, drawn from the top.
ROSE = "f5 d6 c5 f4 e3 c6 d3 f6 e6 d7"


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.stem)
def test_a_rule_book_with_a_board_says_how_squares_are_named(book: Path) -> None:
    board = aspgames.load(str(book)).board
    head = book.read_text().partition("\n\n")[0]
    assert ("\n% Squares: " in head) == (board is not None)
    if board:
        assert (board.first_rank == "top") == (book.stem in FROM_THE_TOP)
        assert ("a1 at the top left" in head) == (book.stem in FROM_THE_TOP)


def test_othello_is_played_as_in_records() -> None:
    game = aspgames.load("othello")
    assert {str(move) for move in game.initial.legal_moves} == {"d3", "c4", "f5", "e6"}
    state = game.initial
    for move in ROSE.split():
        state = state.play(move)
    assert state.fen == "8/8/3XX3/3XXO2/2XOXO2/2OOOO2/3O4/8 b"  # as OpenSpiel draws it
    assert game.position(str(state.fen)) == state
    assert (state.pieces["d7"], state.pieces["d3"]) == ("white", "black")
    assert "d2" not in state.pieces


def test_the_board_of_othello_has_its_first_rank_at_the_top(call: Call) -> None:
    shown = call("play", "othello", "startpos", "d3").out.splitlines()
    assert shown[0] == "1 . . . . . . . ."
    assert shown[2:5] == ["3 . . . X . . . .", "4 . . . X X . . .", "5 . . . X O . . ."]
    root = ElementTree.fromstring(aspgames.load("othello").initial.play("d3").svg())
    labels = {
        text.text: float(text.get("y", "nan"))
        for text in root.iter("{http://www.w3.org/2000/svg}text")
    }
    heights = [labels[str(rank)] for rank in range(1, 9)]
    assert heights == sorted(heights)


@pytest.mark.slow
def test_a_plane_of_an_observation_is_drawn_from_the_top() -> None:
    state = aspgames.load("othello").initial.play("d3")
    view = state.game.observation
    planes = dict(zip(view.names, view.of(state), strict=True))
    assert [(int(y), int(x)) for y, x in zip(*planes["black"].nonzero(), strict=True)] == [
        (2, 3), (3, 3), (3, 4), (4, 3),
    ]  # fmt: skip


def test_hex_is_won_along_its_short_diagonal(call: Call) -> None:
    won = call("play", "hex", "-c", "size=3", "startpos", "c1", "a1", "b2", "a2", "a3")
    assert "game over: white 100, black 0" in won.out
    other = call("play", "hex", "-c", "size=3", "startpos", "a1", "c1", "b2", "c2", "c3")
    assert "game over" not in other.out


def test_the_twists_of_pentago_turn_as_they_are_drawn() -> None:
    start = aspgames.load("pentago").initial
    assert start.play("a1<b2").fen == "6/6/X5/6/6/6 b"
    assert start.play("a1>b2").fen == "2X3/6/6/6/6/6 b"


def test_fairy_stockfish_counts_ranks_from_the_bottom() -> None:
    othello, chess = aspgames.load("othello"), aspgames.load("chess")
    assert from_bottom(othello, "P@d3") == "P@d6"
    assert from_bottom(othello, from_bottom(othello, "f5 a8")) == "f5 a8"
    assert from_bottom(chess, "a7a8q") == "a7a8q"


def test_rank_1_is_at_the_top_or_at_the_bottom(tmp_path: Path) -> None:
    path = tmp_path / "left.lp"
    path.write_text('#include "gallery/othello.lp".\n#program board.\nfirst_rank(left).\n')
    with pytest.raises(RulesError, match=r"left\.lp: first_rank\(.+\): rank 1 is at the top or"):
        assert aspgames.load(str(path)).board
