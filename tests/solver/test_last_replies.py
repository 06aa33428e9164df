"""The last turns of a puzzle, where a side's turn has two plies."""

from pathlib import Path

import pytest

import aspgames
from aspgames.puzzle.problem import Puzzle
from aspgames.runtime.budget import Budget
from aspgames.solver.search.puzzle_search import Search
from cli_helpers import write_rules

PLAY = """
role(a;b).  init(at(start)).  init(control(a)).
to_move(R)     :- true(control(R)).
legal(R,go(V)) :- true(control(R)), true(at(U)), way(U,R,V).
legal(R,noop)  :- role(R), not true(control(R)).
next(at(V))      :- does(_,go(V)).
next(control(R)) :- does(_,go(V)), side(V,R).
"""
SELFMATE = (
    PLAY
    + """
way(start,a,(twice;away)).  way(twice,b,second).  way(away,b,far).
way(second,b,LAST).  way(far,b,(end;back)).  way(back,a,start).
side((start;end;back),a).  side((twice;away;second;far),b).
lost     :- true(control(a)), true(at(end)).
terminal :- lost.
goal(a,0) :- lost.  goal(b,100) :- lost.  goal(R,50) :- role(R), not lost.
"""
)
TWO_PLIES = (
    PLAY
    + """
way(start,a,(near;far)).  way(near,a,open).  way(far,a,held).
way(open,b,(left;right)).  way(held,b,(left;rest)).
way((left;right),a,hop).  way(rest,a,stay).  way(hop,a,end).  way(stay,a,open).
side((start;near;far;left;right;rest;hop;stay),a).  side((open;held;end),b).
won      :- true(control(b)), true(at(end)).
terminal :- won.
goal(a,100) :- won.  goal(b,0) :- won.  goal(R,50) :- role(R), not won.
"""
)


@pytest.mark.parametrize(
    ("last", "keys"), [("end", ["go(twice)"]), ("(end;back)", []), ("back", [])]
)
def test_all_replies_must_reach_the_goal(tmp_path: Path, last: str, keys: list[str]) -> None:
    game = aspgames.load(str(write_rules(tmp_path, SELFMATE.replace("LAST", last))))
    found = Search(Puzzle.of(game.initial, "a", "lose", 1), Budget()).run()
    assert list(found.keys) == keys
    assert found.verdict == ("forced" if keys else "not_forced")
    assert found.distance == (1 if keys else None)


@pytest.mark.parametrize(("within", "keys"), [(1, []), (2, ["go(near)"])])
def test_an_answer_may_take_two_plies(tmp_path: Path, within: int, keys: list[str]) -> None:
    game = aspgames.load(str(write_rules(tmp_path, TWO_PLIES)))
    found = Search(Puzzle.of(game.initial, "a", "win", within), Budget()).run()
    assert (list(found.keys), found.distance) == (keys, 2 if keys else None)
