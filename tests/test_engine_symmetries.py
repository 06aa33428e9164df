"""Symmetries that rules show: those of boards, and none where a rule breaks them."""

from __future__ import annotations

from pathlib import Path

import pytest

import aspgames
from aspgames.budget import MOST_RULES
from aspgames.engine.net import Net, net_for
from aspgames.engine.symmetries import symmetries

EXAMPLES = Path(__file__).parents[1] / "examples"


def net_of(game: aspgames.Game) -> Net:
    return net_for(game.rules, game.initial.facts, MOST_RULES)


@pytest.mark.parametrize(
    ("file", "constants", "count"),
    [
        ("tictactoe.lp", {}, 7),
        ("connect_four.lp", {"width": 4, "height": 3}, 1),
        ("peg_solitaire.lp", {}, 7),
        ("hex.lp", {"size": 3}, 0),
    ],
)
def test_how_many_there_are(file: str, constants: dict[str, int], count: int) -> None:
    assert len(symmetries(net_of(aspgames.load(EXAMPLES / file, **constants)))) == count


def test_a_mirror_says_where_fluents_go() -> None:
    net = net_of(aspgames.load("breakthrough", width=3, height=4))
    (mirror,) = symmetries(net)
    goes = {fluent: net.fluents[place] for fluent, place in zip(net.fluents, mirror, strict=True)}
    assert goes["cell(1,2,white)"] == "cell(3,2,white)"
    assert goes["cell(2,4,black)"] == "cell(2,4,black)"
    assert goes["control(white)"] == "control(white)"


@pytest.mark.parametrize(
    ("rule", "count"),
    [
        ("terminal :- true(cell(1,1,white)), true(cell(2,2,white)).", 1),  # along the diagonal
        ("terminal :- true(cell(2,2,white)).", 7),
        ("terminal :- true(cell(1,2,white)).", 1),
        ("terminal :- true(cell(1,2,white)), true(cell(1,3,black)).", 0),
        ("legal(R,pass) :- to_move(R), empty(2,3).", 1),
        ("next(cell(1,1,R)) :- does(R,mark(3,3)).", 1),
        ("goal(white,7) :- true(cell(1,1,black)), true(cell(3,1,black)), not line(_).", 1),
    ],
)
def test_a_rule_may_break_them(rule: str, count: int, tmp_path: Path) -> None:
    file = tmp_path / "game.lp"
    base, other = (EXAMPLES / "tictactoe.lp").read_text().split("#program board.", 1)
    file.write_text(f"{base}\n{rule}\n#program board.{other}")
    assert len(symmetries(net_of(aspgames.load(file)))) == count


@pytest.mark.parametrize(("more", "count"), [("", 1), ("joined(1,2) :- true(cell(1,2)).", 0)])
def test_rules_that_go_round_in_circles(more: str, count: int, tmp_path: Path) -> None:
    file = tmp_path / "game.lp"
    file.write_text(
        "role(p). square(1..3,1..3). init(cell(0,0))."
        "legal(p,put(X,Y)) :- square(X,Y), not true(cell(X,Y))."
        "next(cell(X,Y)) :- true(cell(X,Y)). next(cell(X,Y)) :- does(p,put(X,Y))."
        "joined(X,1) :- true(cell(X,1)). joined(U,V) :- joined(X,Y), square(U,V), true(cell(U,V)),"
        "|X-U|+|Y-V| = 1. terminal :- joined(_,3). goal(p,100) :- terminal." + more
    )
    net = net_of(aspgames.load(file))
    assert net.circuit.loops
    assert len(symmetries(net)) == count
