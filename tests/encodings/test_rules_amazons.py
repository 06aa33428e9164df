"""The starts of Amazons on small boards, and its value; `test_rules_by_hand.py` has the play.

In `amazons` a move and its arrow are one ply, in `amazons_10x10` and `amazons_8x8` two plies of one
turn.
"""

import pytest

import aspgames

# The starts of smaller boards: 6 by 6 is OpenSpiel's, 6 by 5 is drawn on Müller's page about it.
SMALL_STARTS = [
    (4, 4, "1qq1/q2q/Q2Q/1QQ1"),
    (4, 5, "1qq1/q2q/4/Q2Q/1QQ1"),
    (5, 4, "1q1q1/q3q/Q3Q/1Q1Q1"),
    (5, 5, "1q1q1/q3q/5/Q3Q/1Q1Q1"),
    (5, 6, "1q1q1/q3q/5/5/Q3Q/1Q1Q1"),
    (6, 4, "1q2q1/q4q/Q4Q/1Q2Q1"),
    (6, 5, "1q2q1/q4q/6/Q4Q/1Q2Q1"),
    (6, 6, "1q2q1/q4q/6/6/Q4Q/1Q2Q1"),
    (12, 4, "3q4q3/q10q/Q10Q/3Q4Q3"),
]


@pytest.mark.quick(12)
@pytest.mark.parametrize("name", ["amazons", "amazons_10x10", "amazons_8x8"])
@pytest.mark.parametrize(("width", "height", "fen"), SMALL_STARTS)
def test_the_start_on_other_boards(name: str, width: int, height: int, fen: str) -> None:
    game = aspgames.load(name, width=width, height=height)
    assert game.initial.fen == f"{fen} w"
    assert game.position(f"{fen} w") == game.initial


def test_the_games_of_two_plies_differ_only_in_the_usual_size() -> None:
    large = aspgames.load("amazons_10x10", width=5, height=6)
    small = aspgames.load("amazons_8x8", width=5, height=6)
    assert large.initial.facts == small.initial.facts
    assert [aspgames.perft(game.initial, 2) for game in (large, small)] == [
        aspgames.perft(aspgames.load("amazons", width=5, height=6).initial, 1)
    ] * 2


@pytest.mark.slow
def test_the_second_player_wins_on_4_by_4() -> None:
    """Müller, "Solving 5x5 Amazons" (2001)."""
    start = aspgames.load("amazons", width=4, height=4).initial
    assert aspgames.solve(start, attacker="white", goal="win").verdict == "not_forced"
    assert aspgames.solve(start, attacker="black", goal="win").verdict == "forced"
