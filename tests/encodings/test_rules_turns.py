"""What the built-in games have in common: the sides take turns, and who waits has `noop` alone."""

import pytest

import aspgames
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
