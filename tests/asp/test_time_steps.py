"""Programs with time steps as encodings of one step; clingo solves the programs themselves."""

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path

import clingo
import pytest
from clingo import Number

import aspgames
from aspgames.game.game import Game
from aspgames.gdl.lint import mistakes
from aspgames.gdl.program_import import encoding_of_program
from aspgames.runtime.errors import RulesError
from cli_helpers import Call, write_rules
from paths import ROOT

RIVER = (ROOT / "examples/time_steps/river_crossing.lp").read_text()
NIM = (ROOT / "examples/time_steps/nim.lp").read_text()
TOWER = """\
#include <incmode>.
#program base.
disk(1..2). peg(a;b;c).
on(D,a,0) :- disk(D).
#program step(t).
1 { move(D,P,t) : disk(D), peg(P) } 1.
:- move(D,P,t), on(D,P,t-1).
:- move(D,P,t), on(D,Q,t-1), on(E,Q,t-1), E < D.
:- move(D,P,t), on(E,P,t-1), E < D.
moved(D,t) :- move(D,_,t).
on(D,P,t) :- move(D,P,t).
on(D,P,t) :- on(D,P,t-1), not moved(D,t).
#program check(t).
:- query(t), disk(D), not on(D,c,t).
"""
MAZE = """\
#const n = 2.
step(0..n).
way(1,2). way(2,3). way(3,1). door(2,3).
fluent(inertial,at(X)) :- way(X,_). fluent(inertial,open).
holds(at(1),0).
-holds(F,0) :- fluent(inertial,F), not holds(F,0).
{ occurs(go(X,Y),T) : way(X,Y); occurs(push,T) } :- step(T), T < n.
:- occurs(A,T), occurs(B,T), A != B.
-occurs(go(X,Y),T) :- way(X,Y), step(T), not holds(at(X),T).
-occurs(go(X,Y),T) :- door(X,Y), -holds(open,T).
holds(at(Y),T+1) :- occurs(go(X,Y),T).
-holds(at(X),U) :- occurs(go(X,_),T), U = T+1.
holds(open,T+1) :- occurs(push,T).
holds(F,T+1) :- holds(F,T), fluent(inertial,F), not -holds(F,T+1), T < n.
-holds(F,T+1) :- -holds(F,T), fluent(inertial,F), not holds(F,T+1), step(T+1).
done(T) :- holds(at(3),T).
won :- done(T), step(T).
:- not won.
"""
TELINGO = """\
#program always.
thing(farmer). thing(I) :- item(I). item(fox;goose;beans).
eats(fox,goose). eats(goose,beans).
#program initial.
at(X,left) :- thing(X).
other(left,right). other(right,left).
#program dynamic.
1 { cross(alone); cross(I) : item(I) } 1.
:- cross(I), 'at(I,A), not 'at(farmer,A).
moves(farmer) :- cross(_).
moves(I) :- cross(I), item(I).
at(X,B) :- moves(X), 'at(X,A), _other(A,B).
at(X,A) :- 'at(X,A), not moves(X).
#program always.
safe(I) :- at(I,A), at(farmer,A).
:- eats(X,Y), at(X,A), at(Y,A), not safe(X).
#program final.
:- thing(X), not at(X,right).
"""


PROGRAMS = {"river": (RIVER, 7), "nim": (NIM, 4), "tower": (TOWER, 3), "maze": (MAZE, 3)}
PROGRAMS["a limit for two"] = (
    NIM.replace("does(_,take(G,_),T), G != H", "not taken(H,T), time(T+1)")
    + "taken(H,T) :- does(_,take(H,_),T). :- heap(1,1,T), time(T).",
    2,
)
"""Programs, and the plies after which the first game is over or all are."""


def imported(folder: Path, call: Call, text: str) -> Game:
    result = folder / "result.lp"
    told = call("import", str(write_rules(folder, text)), "-o", str(result))
    assert (told.code, told.err) == (0, "")
    return aspgames.load(str(result))


def reachable(game: Game, plies: int) -> Iterator[set[frozenset[str]]]:
    """The facts of the states after each number of plies."""
    states = {game.initial}
    for _ in range(plies + 1):
        yield {frozenset(state.facts) for state in states}
        joint = [(s, moves) for s in states for moves in product(*s.legal.values())]
        states = {s.play(dict(zip(s.legal, moves, strict=True))) for s, moves in joint}


def solved(text: str, plies: int) -> Iterator[set[frozenset[str]]]:
    """The same by clingo alone, from the atoms of the last step of each answer set."""
    goals = r"(?m)^:- (thing.*n\)|not won)\.$|^#include.*$"  # what must hold at the end
    for number in range(plies + 1):
        control = clingo.Control([f"-cn={number}", "0"], logger=lambda _code, _message: None)
        control.add("base", [], re.sub(goals, "", text))
        control.ground([("base", [])] + [("step", [Number(t + 1)]) for t in range(number)])
        with control.solve(yield_=True) as handle:
            models = [model.symbols(atoms=True) for model in handle]
        found = {frozenset(filter(None, (fluent(a, number) for a in atoms))) for atoms in models}
        yield found - {frozenset()}  # the game was over before


def fluent(atom: clingo.Symbol, step: int) -> str:
    """The fluent of an atom with this step."""
    *rest, last = atom.arguments or [atom]
    if last != Number(step) or atom.name not in ("holds", "heap", "turn", "on"):
        return ""
    if atom.name != "holds":
        return str(clingo.Function(atom.name, rest))
    return str(rest[0]) if atom.positive else f"no({rest[0]})"


@pytest.mark.quick(2)
@pytest.mark.parametrize(("text", "plies"), PROGRAMS.values(), ids=PROGRAMS)
def test_reachable_states_are_those_of_the_answer_sets(
    tmp_path: Path, call: Call, text: str, plies: int
) -> None:
    game = imported(tmp_path, call, text)
    states = list(reachable(game, plies))
    assert states == list(solved(text, plies))
    assert max(map(len, states)) > 1
    own = {"loop_through_negation", "single_variable"}  # those of the maze
    assert {m.kind for m in mistakes(game.encoding)} <= own
    if text == NIM:
        assert aspgames.check(game, games=3).verdict == "game"


def test_telingos_parts_are_the_same_game(tmp_path: Path, call: Call) -> None:
    one, other = (imported(tmp_path, call, text) for text in (TELINGO, RIVER))
    assert list(reachable(one, 7)) == list(reachable(other, 7))


def test_the_last_step_wins_and_comments_stay(tmp_path: Path, call: Call) -> None:
    game = imported(tmp_path, call, RIVER)
    text = (tmp_path / "result.lp").read_text()
    assert "% At the start, all are on the left.\ninit(at(X,left)) :- thing(X)." in text
    assert not {"step", "holds", "occurs"} & {*re.findall(r"^\w+|(?<=[ (])\w+(?=\()", text, re.M)}
    end = game.position("at(farmer,right) at(fox,right) at(goose,right) at(beans,right)")
    assert (end.is_terminal, end.goals) == (True, {"player": 100})
    assert (game.initial.is_terminal, game.initial.goals) == (False, {"player": 0})


REFUSED = {
    "no steps": ("p(1). q(X) :- p(X).", "no argument of the rules is a time step"),
    "other parts": (RIVER + "#program board.", "of no dialect with time steps: board"),
    "no choice": ("holds(f,0). holds(f,T+1) :- holds(f,T).", "the rules choose no action"),
    "several actions": (RIVER.replace("} 1 :- step", "} :- step"), "own.lp:15: several actions"),
    "a second choice": (RIVER + "{ occurs(wait,T) } 1 :- step(T).", "a second choice at one step"),
    "moves at once": (
        NIM.replace("1 :- turn(R,T), time(T)", "1 :- role(R), time(T)") + ":- heap(1,1,T).",
        "a constraint on the state after moves of several roles",
    ),
    "three steps": (RIVER + "holds(a,T+2) :- holds(b,T).", "more than two steps"),
    "the number": (RIVER + "holds(day,T) :- T \\ 2 = 0, step(T).", "the number of the step counts"),
    "a step between": (RIVER + ":- holds(at(fox,right),3).", "step 3 is neither the first nor"),
    "the future": (RIVER + "holds(a,T) :- holds(b,T+1).", "holds depends on a later step"),
    "formulas": (TELINGO + ":- &tel { < at(fox,left) }.", "there is no form here for &tel"),
    "the step after": (TELINGO + ":- at'(fox,left).", "at' is not one step back"),
    "a syntax error": ("holds(f,", "error: syntax error"),
}


@pytest.mark.parametrize(("text", "why"), REFUSED.values(), ids=REFUSED)
def test_what_stands_in_the_way_is_told(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(RulesError) as told:
        encoding_of_program(write_rules(tmp_path, text))
    assert why in str(told.value)
    assert ("telingo's parts" in str(told.value)) == text.startswith(TELINGO)


INFIX = """\
role(left). role(right).
succ(0,1). succ(1,2). succ(2,3).
init(control(left)). init(pile(3)). % three stones
next(control(R)) :- role(R), true(control(S)), distinct(R,S).
next(pile(N)) :- true(pile(M)), does(_Role,take), succ(N,M).
next(pile(N)) :- true(pile(M)), does(_Role,take(two)), succ(N,_One), succ(_One,M), add(N,2,M).
add(0,2,2). add(1,2,3).
legal(R,take) :- role(R).
legal(R,take(two)) :- role(R), true(pile(N)), add(_N,2,N).
terminal :- true(pile(0)).
goal(R,-1) :- terminal, true(control(R)).
goal(R,1) :- terminal, role(R), not true(control(R)).
"""


def test_pyggps_sheets_are_imported(tmp_path: Path, call: Call) -> None:
    """A role that isn't in control makes no move there; ``_Role`` is any term."""
    sheet = write_rules(tmp_path, INFIX, "stones.gdl")
    refused = call("show", str(sheet))
    assert "stones.gdl:1:1: this is GDL in infix form" in refused.err
    text = encoding_of_program(sheet)
    state = aspgames.load(str(write_rules(tmp_path, text))).initial
    assert "% three stones" in text
    assert [m.term for m in state.legal["left"]] == ["take", "take(two)"]
    assert [m.term for m in state.legal["right"]] == ["noop"]
    end = state.play("take(two)").play("take")
    assert (end.is_terminal, end.goals) == (True, {"left": 0, "right": 100})
    write_rules(tmp_path, INFIX + "sees(R,M) :- role(R), does(left,M).", "seen.gdl")
    with pytest.raises(RulesError, match=r"seen.gdl:13: a role sees something of the state"):
        encoding_of_program(tmp_path / "seen.gdl")


CARD = """\
role(dealer). role(guest). role(random). card(low). card(high).
init(control(random)).
legal(random,give(C)) :- card(C).
legal(dealer,bet).
legal(dealer,fold) :- true(card(low)).
legal(guest,call). legal(guest,fold).
next(card(C)) :- does(random,give(C)).
next(card(C)) :- true(card(C)).
next(control(dealer)) :- does(random,give(_Card)).
next(control(guest)) :- does(dealer,bet).
next(bet) :- does(dealer,bet).
next(bet) :- true(bet).
next(out(R)) :- does(R,fold).
next(shown) :- does(guest,call).
shows(C) :- true(card(C)), true(shown).
sees(dealer,card(C)) :- true(card(C)).
sees(R,shows(C)) :- role(R), shows(C), distinct(R,random).
sees(guest,X) :- true(X), not hides(X).
hides(card(C)) :- card(C).
terminal :- true(out(_Role)).
terminal :- true(shown).
goal(dealer,-10) :- true(out(dealer)).
goal(guest,10) :- true(out(dealer)).
goal(dealer,4) :- true(out(guest)).
goal(guest,-4) :- true(out(guest)).
goal(dealer,16) :- shows(high).
goal(guest,-16) :- shows(high).
goal(dealer,-20) :- shows(low).
goal(guest,20) :- shows(low).
"""


def test_what_a_role_of_pyggp_sees_is_of_the_state_reached(tmp_path: Path) -> None:
    """The oracle is clingo on the sheet as it is; the values are those of pyggp's minipoker."""
    path = write_rules(tmp_path, encoding_of_program(write_rules(tmp_path, CARD, "card.gdl")))
    game = aspgames.load(str(path))

    def seen(state: aspgames.State, role: str) -> tuple[str, ...]:
        control = clingo.Control(["--warn=none"])
        facts = "".join(f"true({fact})." for fact in state.facts)
        control.add("base", [], CARD.replace("distinct(R,random)", "R != random") + facts)
        control.ground([("base", [])])
        atoms = [atom.symbol for atom in control.symbolic_atoms.by_signature("sees", 2)]
        return tuple(sorted(str(a.arguments[1]) for a in atoms if str(a.arguments[0]) == role))

    states, looked = [game.initial], 0
    while states:
        state = states.pop()
        for move in state.legal_moves:
            after = state.play(move)
            assert state.sees(move) == {role: seen(after, role) for role in game.players}
            states.append(after)
            looked += 1
    assert looked == 9
    found = aspgames.equilibrium(game.initial)
    assert found.value["dealer"] == (Fraction(1, 2), Fraction(1, 2))
