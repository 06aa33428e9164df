"""The most of many fluents that a ply may remove: the proved bounds hold in random games."""

import random
from pathlib import Path

import pytest

import aspgames
from aspgames import State
from aspgames.propnet.net import Net
from aspgames.propnet.reachable_nets import net_for
from aspgames.puzzle.problem import Puzzle
from aspgames.solver.phase_goals import Phase
from aspgames.solver.search.loss_counts import Count, counts
from engine_helpers import write


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
    for _ in range(2):
        state = start
        while state.legal_moves:
            after = state.play(rng.choice(state.legal_moves))
            for count in found:
                names = {net.fluents[place] for place in count.fluents}
                held, left = (len(names.intersection(s.facts)) for s in (state, after))
                assert held - left <= count.drops[state.to_move == "white"]
            state = after


PAIRS = """
role(white). role(black).
to_move(R) :- true(control(R)).
init(control(white)). init(p(1..8,a)).
base(p(1..8,(a;b))). base(control((white;black))).
legal(white,pair(N)) :- true(p(N,a)), true(control(white)).
legal(black,clear(N)) :- true(p(N,_)), true(control(black)).
legal(R,noop) :- role(R), not true(control(R)).
next(p(N,C)) :- true(p(N,C)), not does(black,clear(N)).
next(p(N,b)) :- does(white,pair(N)).
next(control(white)) :- true(control(black)).
next(control(black)) :- true(control(white)).
some :- true(p(_,_)).
terminal :- not some.
goal(white,100) :- terminal.  goal(white,0) :- not terminal.
goal(black,0).
"""


@pytest.mark.parametrize(
    ("start", "pair", "most"), [("", "b", 2), ("init(p(1,b)).", "a", 2), ("", "a", 1)]
)
def test_two_fluents_exclude_each_other_only_where_no_ply_makes_both_hold(
    start: str, pair: str, most: int, tmp_path: Path
) -> None:
    """A clear square has lost one thing, or two where a move or the start has put two there."""
    rules = PAIRS.replace("next(p(N,b)) :- does", f"next(p(N,{pair})) :- does") + start
    _, found = counted(write(rules, tmp_path).initial)
    assert [count.drops for count in found] == [(most, 0)]
