"""The grounding reasoner: encodings made to be awkward, and nothing left over between states."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import clingo
import pytest

import aspgames
from aspgames import Game, RulesError
from aspgames.asp.grounding import Query
from aspgames.gdl.encoding import read_encoding
from aspgames.play.perft import perft
from engine_helpers import write

Writer = Callable[[str], Game]


@pytest.fixture
def own(tmp_path: Path) -> Writer:
    return partial(write, folder=tmp_path)


COUNTER = """
role(solo).  init(count(0)).  to_move(solo).
legal(solo,add(1..2)).
next(count(N+M)) :- true(count(N)), does(solo,add(M)).
terminal :- true(count(N)), N >= 4.
goal(solo,100) :- true(count(4)).
"""


def test_one_role_and_a_goal_that_is_missing_elsewhere(own: Writer) -> None:
    state = own(COUNTER).initial
    assert (state.to_move, state.goals, state.fen) == ("solo", {"solo": 0}, None)
    state = state.play("add(2)").play("add(2)")
    assert (state.is_terminal, state.goals, len(state.legal_moves)) == (True, {"solo": 100}, 0)
    assert perft(own(COUNTER).initial, 3) == 2 + 4  # 1+1+1, 1+1+2, 1+2+1, 1+2+2, 2+1+1, 2+1+2


def test_recursion_through_the_state_and_negation_under_negation(own: Writer) -> None:
    game = own(
        """
        role(solo).  to_move(solo).
        edge(1,2).  edge(2,3).  edge(4,5).
        init(at(1)).
        legal(solo,cut(X,Y)) :- edge(X,Y), not true(gone(X,Y)).
        next(F)         :- true(F).
        next(gone(X,Y)) :- does(solo,cut(X,Y)).
        reach(X)        :- true(at(X)).
        reach(Y)        :- reach(X), edge(X,Y), not true(gone(X,Y)).
        safe            :- not reach(3).
        terminal        :- not unsafe.
        unsafe          :- not safe.
        goal(solo,N)    :- N = #count { X : reach(X) }.
        """
    )
    assert game.initial.goals == {"solo": 3}
    assert not game.initial.is_terminal
    after = game.initial.play("cut(2,3)")
    assert (after.is_terminal, after.goals) == (True, {"solo": 2})


def test_one_answer_set_found_by_solving_is_as_good(own: Writer) -> None:
    rules = COUNTER + "{ lucky }. :- not lucky. terminal :- lucky, true(count(3))."
    state = own(rules).initial.play("add(2)").play("add(1)")
    assert state.is_terminal


def test_what_a_choice_depends_on_is_not_left_out(own: Writer) -> None:
    rules = "chance :- true(count(3)). { lucky } :- chance. :- chance, not lucky."
    state = own(COUNTER + rules + "terminal :- lucky.").initial.play("add(2)").play("add(1)")
    assert state.is_terminal


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("{ lucky }. legal(solo,win) :- lucky.", "more than one answer set"),
        (":- true(count(0)).", "no answer set"),
        ("terminal :- not terminal.", "no answer set"),
        ("terminal. goal(solo,1). goal(solo,2).", "several goals"),
        ("terminal. goal(solo,much).", "no whole number"),
    ],
)
def test_rules_that_settle_nothing_are_refused(own: Writer, rules: str, message: str) -> None:
    with pytest.raises(RulesError, match=message):
        _ = own(COUNTER + rules).initial.consequences.goals


def test_nothing_of_one_state_is_left_in_the_next() -> None:
    game = aspgames.load("breakthrough")
    full, bare = game.initial, game.position("8/8/8/8/8/8/4P3/p7 w")
    before = game.grounder.consequences(bare.facts)
    for state in (full, full.play("a2-a3"), bare):
        game.grounder.consequences(state.facts)
        game.grounder.successor(full.facts, {"white": "move(1,2,1,3)", "black": "noop"})
    assert game.grounder.consequences(bare.facts) == before
    assert before.legal["white"] == ("move(5,2,4,3)", "move(5,2,5,3)", "move(5,2,6,3)")
    assert game.grounder.successor(bare.facts, {"white": "move(5,2,5,3)", "black": "noop"}) == (
        "cell(1,1,black)",
        "cell(5,3,white)",
        "control(black)",
    )


def test_what_never_changes_is_grounded_once_and_only_what_is_needed() -> None:
    """The same answer with and without the short cuts, and the short cuts really are taken."""
    encoding = read_encoding("skirmish")
    state = aspgames.load("skirmish").initial.play("b1-a3")
    query = Query(encoding.statements("base"), encoding.constants, [("legal", 2)])
    true = [clingo.parse_term(fact) for fact in state.facts]

    control = clingo.Control(["--warn=none"])
    for source in encoding.sources:
        control.add("base", [], source.text)
    control.add("base", [], "".join(f"true({fact})." for fact in state.facts))
    control.ground([("base", [])])
    plain = [atom.symbol for atom in control.symbolic_atoms.by_signature("legal", 2)]
    assert sorted(query(true)["legal", 2]) == sorted(plain)

    text = "\n".join(map(str, query.statements))
    assert '@static("step",5)' in text
    assert "next(" not in text


def test_a_predicate_that_never_changes_may_be_called_as_a_constant(own: Writer) -> None:
    game = own("""
        #const size = 3.
        size.  role(solo).  init(at(1)).  -size(X) :- true(at(X)).  row(1..size).
        legal(solo,go(X)) :- size, row(X), not -size(X).
    """)
    assert game.initial.consequences.legal["solo"] == ("go(2)", "go(3)")


def test_rules_that_are_settled_only_by_solving(own: Writer) -> None:
    game = own("""
        role(solo).  init(at(1)).
        odd  :- not even.  even :- not odd.  odd :- even.
        here :- not away, true(at(1)).  away :- not here.  here :- away.
        legal(solo,go) :- odd, here.
        legal(solo,stay) :- even.  legal(solo,leave) :- away.
    """)
    assert game.initial.consequences.legal["solo"] == ("go",)
