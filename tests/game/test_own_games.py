"""Users' own games: their fluents, their mistakes, and messages about them."""

from pathlib import Path
from random import Random
from unittest.mock import Mock

import pytest

from aspgames import BadMove, BadPosition, IllegalMove
from aspgames.game import fluents
from cli_helpers import Call
from engine_helpers import write
from paths import ROOT

NIM = """
#include "shared/alternating.lp".
#const go = walk.
init(heap(1,3)). init(heap(2,2)). init(control(white)).
legal(R,take(H,1..N)) :- to_move(R), true(heap(H,N)), N > 0.
legal(R,(rest;wait(1..2))) :- to_move(R), true(heap(7,7)).
legal(R,hop;R,skip) :- to_move(R), true(heap(7,7)).
legal(R,go) :- to_move(R), true(heap(7,7)).
next(heap(H,N-K)) :- true(heap(H,N)), does(_,take(H,K)), K <= N.
next(heap(H,N))   :- true(heap(H,N)), not does(_,take(H,_)).
stuck    :- true(heap(_,N)), N > 0.
terminal :- not stuck.
goal(R,100) :- terminal, role(R), not to_move(R).
"""
# What is on a square need have no glyph, and so is not in base/1.
MARKED = """
#include "shared/alternating.lp".
#include "shared/board.lp".
board(2,2). init(control(white)).
legal(R,mark(X,Y)) :- to_move(R), empty(X,Y).
next(cell(X,Y,R))  :- does(R,mark(X,Y)).
next(cell(X,Y,old)) :- true(cell(X,Y,_)).
terminal :- not empty(_,_).
#program board.
glyph(white,"X"). glyph(black,"O").
"""


@pytest.mark.parametrize("text", [NIM, MARKED], ids=["a part of base/1", "a square's content"])
def test_what_play_leads_to_is_a_position(text: str, tmp_path: Path) -> None:
    game = write(text, tmp_path)
    random = Random(5)
    for _ in range(5):
        state = game.initial
        while not state.is_terminal:
            state = state.play(random.choice(state.legal_moves))
            assert game.from_facts(state.facts) == state
            assert game.position(" ".join(state.facts)).legal_moves == state.legal_moves


def test_what_is_known_to_be_none_is_refused(tmp_path: Path) -> None:
    game = write(NIM, tmp_path)
    assert game.position("heap(1,90) control(white)").legal_moves
    for bad in ("heap(1) control(white)", "control(red)", "pile(1,3) control(white)"):
        with pytest.raises(BadPosition):
            game.position(bad)
    game = write(MARKED, tmp_path)
    for bad in ("cell(3,1,old)", "cell(1,1,new)", "cel(1,1,white)"):
        with pytest.raises(BadPosition) as refused:
            game.position(f"{bad} control(white)")
    assert str(refused.value) == "the game has no fluent cel(1,1,white); did you mean cell?"


def test_each_fluent_of_the_rules_is_looked_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time for a position would otherwise grow with its facts times the fluents."""
    game, form = write(NIM, tmp_path), Mock(side_effect=fluents._signature)
    monkeypatch.setattr(fluents, "_signature", form)
    game.position(" ".join([*(f"heap({n},90)" for n in range(300)), "control(white)"]))
    assert form.call_count < 400


def test_a_move_that_is_legal_elsewhere_is_one(tmp_path: Path) -> None:
    game = write(NIM, tmp_path)
    elsewhere = game.position("heap(7,7) control(white)")
    terms = {move.term for move in elsewhere.legal_moves}
    assert {"rest", "wait(2)", "hop", "skip", "walk", "take(7,7)"} <= terms
    for term in sorted(terms):
        with pytest.raises(IllegalMove):
            game.initial.play(term)
        assert not game.initial.why(term).holds
    with pytest.raises(IllegalMove):
        game.initial.play("noop")
    with pytest.raises(BadMove, match="go is no move"):
        game.initial.why("go")


def test_a_misspelt_predicate_is_named(tmp_path: Path) -> None:
    text = (ROOT / "encodings/gallery/tictactoe.lp").read_text()
    game = write(text.replace("to_move(R), empty(X,Y)", "to_move(R), emtpy(X,Y)"), tmp_path)
    with pytest.raises(IllegalMove) as refused:
        game.initial.play("a1")
    said = "no rule defines emtpy/2, which own.lp:17 asks for; did you mean empty?"
    assert str(refused.value) == f"a1 is not legal for white: {said}"
    game = write(text, tmp_path)
    (reason,) = game.initial.why("a4").reasons
    assert reason.sentence == "a4 is off the board"


def test_two_things_on_one_square_are_two_facts(tmp_path: Path) -> None:
    """Where the encoding lets them be, one there doesn't say that the other isn't."""
    game = write(
        """role(a). init(cell(1,1,x)). board(1,1). legal(a,m) :- true(cell(1,1,o)). next(n).
        #program board. base(cell(1,1,(x;o))). base(n). glyph(x,"x"). glyph(o,"o").""",
        tmp_path,
    )
    (reason,) = game.initial.why("m").reasons
    assert (reason.facts, reason.absent) == ((), ("cell(1,1,o)",))


STUCK = "role(a). role(b). init(x). to_move(a). legal(a,m). next(y). terminal :- true(y)."
WAITING = "role(a). role(b). init(x). legal(a,m). legal(b,noop). next(x)."


@pytest.mark.parametrize("against", ["propnet", "grounder"])
def test_a_role_that_can_not_even_pass(against: str, tmp_path: Path, call: Call) -> None:
    file = tmp_path / "own.lp"
    file.write_text(STUCK)
    asked = ("crosscheck", str(file), "--against", against, "--games", "3", "--made", "5")
    assert call(*asked).out.startswith("Agreement")


@pytest.mark.slow
def test_a_cross_check_without_a_net_says_so(tmp_path: Path, call: Call) -> None:
    file = tmp_path / "own.lp"
    file.write_text("role(a). init(n(0)). to_move(a). legal(a,m). next(n(N+1)) :- true(n(N)).")
    found = call("crosscheck", str(file), "--against", "grounder")
    assert found.code == 3
    assert found.err.startswith("aspgames: our side can't use the propnet")


def test_hints_where_play_goes_round(tmp_path: Path, call: Call) -> None:
    file = tmp_path / "own.lp"
    file.write_text(WAITING)
    found = call("match", str(file), stdin=b"hint\nquit\n")
    assert (found.code, found.err) == (0, "")
    assert "There is no forced win, and no move is seen to lose." in found.out
