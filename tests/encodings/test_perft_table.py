"""Perft: the numbers of move sequences that independent engines agree on."""

import pytest

import aspgames
from aspgames import perft
from helpers import FIVE


@pytest.mark.parametrize("game", FIVE)
def test_there_is_one_sequence_of_no_plies(game: str) -> None:
    assert perft(aspgames.load(game).initial, 0) == 1


@pytest.mark.parametrize(
    ("game", "position"),
    [
        ("amazons", "cell(1,1,white) control(black)"),
        ("amazons_10x10", "cell(1,1,white) turn(black,move)"),
        ("amazons_8x8", "cell(1,1,white) turn(black,move)"),
        ("breakthrough", "cell(1,1,white) control(white)"),
        ("skirmish", "cell(1,1,rook(white)) control(white)"),
    ],
)
def test_a_finished_game_has_no_sequences(game: str, position: str) -> None:
    state = aspgames.load(game).position(position)
    assert perft(state, 1) == 0
    assert perft(state, 2) == 0


@pytest.mark.parametrize(
    ("game", "position", "counts"),
    [
        # Each side has one turn, which shuts it in: then White has lost.
        ("amazons", "7*1q/7***/10/10/10/10/10/10/***7/Q1*7 w", [1, 1, 0]),
        # The same in two plies a turn.
        ("amazons_8x8", "5*1q/5***/8/8/8/8/***5/Q1*5 w", [1, 1, 1]),
        # Two of White's moves win at once; Black has three replies to each of the others, and then
        # White has 2 + 2 moves with its pieces on a7 and h2, or 2 + 3 with those on a7 and g2.
        ("breakthrough", "8/P7/8/2p5/8/8/8/7P w", [4, 6, 27]),
        # Step 60 comes after two more turns.
        ("skirmish", "k7/8/2#2#2/8/8/2#2#2/8/K7 w 0 0 58", [3, 9, 0]),
    ],
)
def test_a_game_that_ends_on_the_way_counts_no_further(
    game: str, position: str, counts: list[int]
) -> None:
    state = aspgames.load(game).position(position)
    assert [perft(state, depth) for depth in (1, 2, 3)] == counts
