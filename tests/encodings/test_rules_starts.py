"""The starts of Breakthrough and Skirmish; `test_rules_by_hand.py` has all that follows."""

import pytest

import aspgames
from helpers import facts, texts, words

STARTS = {
    "breakthrough": (
        facts(
            "white a1 b1 c1 d1 e1 f1 g1 h1 a2 b2 c2 d2 e2 f2 g2 h2",
            "black a7 b7 c7 d7 e7 f7 g7 h7 a8 b8 c8 d8 e8 f8 g8 h8",
            "control(white)",
        ),
        "a2-a3 a2-b3 b2-a3 b2-b3 b2-c3 c2-b3 c2-c3 c2-d3 d2-c3 d2-d3 d2-e3 e2-d3 e2-e3 e2-f3 f2-e3"
        " f2-f3 f2-g3 g2-f3 g2-g3 g2-h3 h2-g3 h2-h3",
    ),
    "skirmish": (
        "1nbrrbn1/2pppp2/2#2#2/8/8/2#2#2/2PPPP2/1NBRRBN1 w 0 0 1",
        "b1-a3 c1-b2 c1-a3 f1-g2 f1-h3 g1-h3",
    ),
}


@pytest.mark.parametrize("name", STARTS)
def test_the_start_and_its_moves(name: str) -> None:
    position, moves = STARTS[name]
    start = aspgames.load(name).initial
    assert aspgames.load(name).position(position) == start
    assert start.to_move == "white"
    assert texts(start) == words(moves)


def test_the_default_board_is_8_by_8() -> None:
    game = aspgames.load("breakthrough")
    assert aspgames.load("breakthrough", width=8, height=8) == game
    assert game.constants == {"width": 8, "height": 8}


def test_a_state_that_play_has_led_to_can_be_set_up_again() -> None:
    game = aspgames.load("skirmish")
    state = game.position("k7/8/2#2#2/8/8/2#2#2/n7/R7 w 59 9 58").play("a1xa2")
    assert game.position(str(state.fen)) == state
    assert game.position(" ".join(state.facts)) == state
