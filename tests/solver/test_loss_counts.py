"""The most of many fluents that a ply may remove: the proved bounds hold in random games."""

import random

import pytest

import aspgames
from aspgames import State
from aspgames.propnet.net import Net, net_for
from aspgames.puzzle.problem import Puzzle
from aspgames.solver.search.loss_counts import Count, counts
from aspgames.solver.search.phase_goals import Phase


def counted(state: State, goal: str = "win") -> tuple[Net, list[Count]]:
    """The net of a position, and the counts in it for White's attack."""
    net = net_for(state.game.rules, state.facts)
    turns = [
        Phase(net, tuple(place == one for place in net.control), Puzzle.of(state, "white", goal))
        for one in net.control
    ]
    return net, counts(net, turns, frozenset(state.facts))


@pytest.mark.parametrize(("width", "height"), [(8, 8), (4, 5)])
def test_a_capture_takes_one_piece_and_a_step_none(width: int, height: int) -> None:
    state = aspgames.load("breakthrough", width=width, height=height).initial
    net, found = counted(state)
    pieces = {
        colour: [c for c in found if all(f",{colour})" in net.fluents[p] for p in c.fluents)]
        for colour in ("white", "black")
    }
    # The losses in plies of the defender, Black, and of the attacker, White.
    assert max(pieces["white"], key=lambda c: len(c.fluents)).drops == (1, 0)
    assert max(pieces["black"], key=lambda c: len(c.fluents)).drops == (0, 1)


@pytest.mark.parametrize("name", ["breakthrough", "skirmish", "amazons_8x8"])
def test_no_ply_of_a_random_game_ends_more(name: str) -> None:
    rng = random.Random(name)
    start = aspgames.load(name).initial
    net, found = counted(start)
    assert found or name != "breakthrough"
    for _ in range(3):
        state = start
        while state.legal_moves:
            after = state.play(rng.choice(state.legal_moves))
            for count in found:
                names = {net.fluents[place] for place in count.fluents}
                held, left = (len(names.intersection(s.facts)) for s in (state, after))
                assert held - left <= count.drops[state.to_move == "white"]
            state = after
