"""Games as other authors write them; clingo alone says what each program means."""

import random
from pathlib import Path

import clingo
import pytest

import aspgames
from aspgames.game.game import Game
from aspgames.game.state import State
from aspgames.gdl.encoding import read_encoding
from aspgames.gdl.lint import mistakes
from cli_helpers import Call, write_rules

PILES = """\
role(a). role(b).
legal(X,take(P,N)) :- true(has(P,M)), N = 1..2, N <= M, true(control(X)), not terminal.
0 { does(X,A) } 1 :- legal(X,A), not terminal.
:- does(X,Y), does(X,Z), Y < Z.
:- not does(X,_), true(control(X)), not terminal.
next(control(Y)) :- true(control(X)), role(Y), distinct(X,Y), not terminal.
next(has(P,N-M)) :- does(_,take(P,M)), true(has(P,N)), N >= M.
next(has(P,N))   :- not does(_,take(P,_)), true(has(P,N)).
goal(X,-1)   :- not left, true(control(X)).
goal(X,-1*G) :- goal(Y,G), role(X), not distinct(X,Y) = 0, X != Y.
terminal     :- goal(_,_).
left         :- true(has(_,N)), N > 0.
true(control(a)). true(has(1,3)). true(has(2,2)).
""".replace("not distinct(X,Y) = 0, ", "")
BLOCKS = """\
role(r).
1 { does(R,put(B,P)) : B = 1..3, P = (table;1;2;3) } 1 :- role(R), not terminal.
:- does(R,M), not legal(R,M).
:- role(R), not 1 { does(R,M) } 1, not terminal.
true(on(1,table)). true(on(2,1)). true(on(3,table)).
clear(table). clear(B) :- B = 1..3, not true(on(_,B)).
legal(R,put(B,P)) :- role(R), clear(B), B != table, clear(P), B != P, not true(on(B,P)).
next(on(B,P)) :- does(_,put(B,P)).
next(on(B,P)) :- true(on(B,P)), not does(_,put(B,_)).
terminal :- true(on(1,2)), true(on(2,3)).
goal(R,1) :- role(R), terminal.
goal(R,0) :- role(R), not terminal.
"""
PROGRAMS = {"piles": PILES, "blocks": BLOCKS}


def load(folder: Path, text: str) -> Game:
    return aspgames.load(str(write_rules(folder, text)))


def answers(text: str, state: State) -> set[tuple[frozenset[str], frozenset[str]]]:
    """The moves and the next state of each answer set, as clingo has them."""
    rules = [line for line in text.splitlines() if not line.startswith("true(")]
    rules += ["distinct(X,Y) :- role(X), role(Y), X != Y."]
    rules += [f"true({fact})." for fact in state.facts]
    control = clingo.Control(["0"], logger=lambda _code, _message: None)
    control.add("base", [], "\n".join(rules))
    control.ground([("base", [])])
    found = set()
    with control.solve(yield_=True) as handle:
        for model in handle:
            atoms = model.symbols(atoms=True)
            made = frozenset(str(s.arguments[1]) for s in atoms if s.match("does", 2))
            after = frozenset(str(s.arguments[0]) for s in atoms if s.match("next", 1))
            found.add((made, after))
    return found


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_moves_and_states_are_those_of_clingos_answer_sets(tmp_path: Path, text: str) -> None:
    game, chosen = load(tmp_path, text), random.Random(1)
    for _ in range(4):
        state = game.initial
        for _ in range(30):
            if state.is_terminal:
                break
            moves = state.legal_moves
            assert {
                (frozenset({str(m)}), frozenset(state.play(m).facts)) for m in moves
            } == answers(text, state)
            state = state.play(chosen.choice(moves))


def test_each_change_is_told_with_its_line(tmp_path: Path) -> None:
    told = list(map(str, mistakes(load(tmp_path, PILES).encoding)))
    one_move = "is left out: each role makes exactly one legal move anyway"
    assert told == [
        "own.lp:2: a role that isn't in control waits, as by "
        "legal(R,noop) :- role(R), not true(control(R)).",
        f"own.lp:3: this choice {one_move}",
        f"own.lp:4: this constraint {one_move}",
        f"own.lp:5: this constraint {one_move}",
        "own.lp:6: distinct(A,B) is read as A != B",
        "own.lp:9: goals from -1 to 1 are read as 0 to 100",
        "own.lp:13: facts of true/1 are the start, as init/1",
    ]
    report = aspgames.check(load(tmp_path, PILES))
    assert report.verdict == "game"
    assert {f.severity for f in report.findings if f.kind == "adapted"} == {"note"}


def test_negative_goals_are_mapped_and_a_draw_is_in_the_middle(tmp_path: Path) -> None:
    rules = PILES.replace("goal(X,-1)   :- not left", "goal(X,-2) :- true(has(1,0))")
    rules += "goal(X,0) :- role(X), true(has(2,0)), not true(has(1,0)).\n"
    game = load(tmp_path, rules)
    lost = game.position("control(a) has(1,0) has(2,2)")
    drawn = game.position("control(a) has(1,1) has(2,0)")
    assert (lost.goals, drawn.goals) == ({"a": 0, "b": 100}, {"a": 50, "b": 50})


@pytest.mark.parametrize(
    "constraint",
    [
        ":- does(_,take(1,N)), true(has(2,N)).",
        ":- does(X,take(P,N)), does(Y,take(Q,N)), P < Q.",
        ":- does(X,take(P,N)), not true(has(P,N)).",
        ":- not does(_,take(1,_)), true(has(1,3)).",
        ":- not 1 { does(X,take(1,N)) } 1, role(X).",
    ],
)
def test_constraints_that_forbid_a_move_stay(tmp_path: Path, constraint: str) -> None:
    found = mistakes(read_encoding(str(write_rules(tmp_path, PILES + constraint))))
    kinds = {m.kind for m in found if m.line == PILES.count("\n") + 1}
    assert kinds - {"single_variable"} == {"constraint"}


def test_programs_in_our_words_stay_as_they_are(tmp_path: Path) -> None:
    rules = PILES.replace("true(control(a)). true(has(1,3)). true(has(2,2)).", "")
    rules += "init(control(a)). init(has(1,3)). distinct(1,2). legal(X,noop) :- role(X).\n"
    rules = rules.replace("goal(X,-1)  ", "goal(X,10) ").replace("goal(X,-1*G) :-", "goal(X,7) :-")
    rules = "\n".join(line for line in rules.splitlines() if "{" not in line and line[:2] != ":-")
    assert [m for m in mistakes(load(tmp_path, rules).encoding) if m.kind == "adapted"] == []


def test_the_changes_are_told_on_standard_error(tmp_path: Path, call: Call) -> None:
    shown = call("legal", str(write_rules(tmp_path, BLOCKS)))
    assert shown.code == 0
    assert "put(2,table)" in shown.out
    assert "own.lp:2: this choice is left out" in shown.err
