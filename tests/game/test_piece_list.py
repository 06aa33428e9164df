"""Checkers positions in Portable Draughts Notation."""

import pytest

import aspgames
from aspgames import BadPosition

CHECKERS = aspgames.load("checkers")
START = f"B:W{','.join(map(str, range(21, 33)))}:B{','.join(map(str, range(1, 13)))}:H0"


def test_the_start_and_a_published_position() -> None:
    assert CHECKERS.initial.fen == START
    assert CHECKERS.position("B:W21-32:B1-12") == CHECKERS.initial
    # The example of the standard, https://en.wikipedia.org/wiki/Portable_Draughts_Notation
    state = CHECKERS.position("B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29")
    assert state.fen == "B:WK10,K15,18,24,27,28:B12,16,20,K22,K25,K29:H0"
    assert (state.pieces["d6"], state.pieces["c3"]) == ("king(white)", "king(black)")


def test_squares_are_numbered_as_in_openspiel_and_the_standard() -> None:
    # 1 is the first dark square of the top row, 32 the last of the bottom row.
    state = CHECKERS.position("W:WK1,K32:BK4,K29:H7:F9")
    assert {name: content[:4] for name, content in state.pieces.items()} == {
        "b8": "king",
        "h8": "king",
        "a1": "king",
        "g1": "king",
    }
    assert state.pieces["b8"] == state.pieces["g1"] == "king(white)"
    assert "quiet(7)" in state.facts


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("X:W1:B2", "'x' is no side on move"),
        ("W:W33:B1", "no square 33: squares are 1 to 32"),
        ("W:WQ3:B1", "W has no piece Q"),
        ("W:W3:Z1", "'Z1' is no list"),
        ("W:W21:B1:H400", "'400' is no number of moves"),
        ("W:W21;22:B1", "'21;22' is no piece on a numbered square"),
        ("W:W3:B9", "a white man stands on its last row"),
        ("W:W21:B21", "two things stand on a3"),
        (":", "is no side on move"),
    ],
)
def test_what_is_wrong_is_told(text: str, words: str) -> None:
    with pytest.raises(BadPosition, match=words):
        CHECKERS.position(text)
