"""What the built-in games have in common: the sides take turns, and who waits has `noop` alone."""

import pytest

import aspgames
from aspgames import perft
from helpers import terms

ALTERNATING = {
    "amazons": "d1-d7/g7 a7-c7/a7 g1-g6/f7 j7-h7/h6",
    "breakthrough": "a2-a3 h7-h6 a3-b4 h6-g5",
    "skirmish": "g1-h3 f8-h6 c1-a3 h6xd2",
}
SPLIT = {"amazons_10x10": "d1-d7 /g7 a7-c7 /a7 g1-g6", "amazons_8x8": "c1-c5 /e5 f8-f7 /a7 h3-h4"}


@pytest.mark.parametrize(("name", "moves"), [*ALTERNATING.items(), *SPLIT.items()])
def test_the_sides_take_turns_and_who_waits_has_noop(name: str, moves: str) -> None:
    state = aspgames.load(name).initial
    on_move = []
    for move in moves.split():
        on_move.append(state.to_move)
        waits = {"white": "black", "black": "white"}[str(state.to_move)]
        assert terms(state, waits) == ["noop"]
        assert "noop" not in terms(state, str(state.to_move))
        with pytest.raises(aspgames.IllegalMove):
            state.play("noop")
        state = state.play(move)
    turn = 1 if name in ALTERNATING else 2
    assert (
        on_move
        == [*["white"] * turn, *["black"] * turn, *["white"] * turn, "black"][: len(on_move)]
    )


@pytest.mark.quick(2)
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
