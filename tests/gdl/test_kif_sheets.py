"""Rule sheets in KIF: reading, errors with their places, comparison with a naive reasoner."""

import json
import pickle
import random
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import example, given, settings

import aspgames
from aspgames import AspgamesError, BadConstant, Game, LimitReached, RulesError, UnknownGame
from aspgames.asp.dependencies import unstratified
from aspgames.asp.grounding import Query, parse_statements
from aspgames.asp.rewrite import decompose, magic_sets
from aspgames.asp.rewrite.decompose import split
from aspgames.asp.rewrite.magic_sets import MagicSets
from aspgames.asp.symbols import known_symbol
from aspgames.cli.server.oracle import Server
from aspgames.game.kif_export.rule_sheet import sheet_of_game
from aspgames.game.reports import state_report
from aspgames.gdl.encoding import read_encoding
from aspgames.gdl.kif.names import is_name, spelled
from aspgames.gdl.kif.readable_encoding import encoding_of_sheet
from aspgames.gdl.kif.sheet import DEEPEST, KifError, expressions
from aspgames.gdl.reasoner.grounder import Grounder
from aspgames.propnet.reachable_nets import net_for
from cli_helpers import Call, check
from helpers import record_calls
from naive_gdl import Naive, write
from paths import ROOT
from thoroughly import amount

FOLDER = ROOT
SHEETS = sorted(
    [*(FOLDER / "tests/data/sheets").glob("*.kif"), FOLDER / "examples/four_in_a_row.kif"]
)
SLOW = {"four_in_a_row": pytest.mark.slow, "bridges": pytest.mark.slow}
FRAME = "(role a) (init (n 0)) (<= (legal a go) (role a)) "
"""The rules that every sheet needs."""


def load(folder: Path, text: str | bytes) -> Game:
    file = folder / "sheet.kif"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return aspgames.load(file)


# --- against a reasoner of another kind -----------------------------------------------------------


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    "sheet", [pytest.param(s, marks=SLOW.get(s.stem, ()), id=s.stem) for s in SHEETS]
)
def test_sheets_mean_what_another_reasoner_says(sheet: Path) -> None:
    oracle, game = Naive(sheet.read_text(encoding="utf-8")), aspgames.load(sheet)
    game.nets.make(game.initial.facts)
    assert sorted(map(write, oracle.roles)) == sorted(game.kif.text(r).lower() for r in game.roles)
    choose = random.Random(sheet.stem)
    same_all_along(oracle, game, choose, amount(4, 24) if sheet.stem in SLOW else 12)


def same_all_along(oracle: Naive, game: Game, choose: random.Random, plies: int = 12) -> None:
    """Compare all answers along a random game."""
    told, state = oracle.initial, game.initial

    def text(term: str) -> str:
        return game.kif.text(term).lower()

    for _ in range(plies):
        assert sorted(map(write, told)) == sorted(map(text, state.facts))
        assert {write(r): v for r, v in oracle.goals(told).items()} == {
            text(r): v for r, v in state.goals.items()
        }
        assert oracle.terminal(told) == state.is_terminal
        assert game.without_nets.state(state.facts).consequences == state.consequences
        if state.is_terminal:
            return
        legal = oracle.legal(told)
        assert {write(r): sorted(map(write, moves)) for r, moves in legal.items()} == {
            text(r): sorted(text(move.term) for move in moves) for r, moves in state.legal.items()
        }
        joint = {role: choose.choice(sorted(moves, key=write)) for role, moves in legal.items()}
        told = oracle.next(told, joint)
        written = {write(role): write(move) for role, move in joint.items()}
        state = state.play(game.kif.played(written))


NAMES = ["a", "b", "f", "++", "-1", "2"]
terms = st.recursive(
    st.sampled_from(["?x", "?y", *NAMES]),
    lambda inner: st.tuples(st.sampled_from(["g", "h", "true"]), inner),
    max_leaves=2,
)


@st.composite
def rules(draw: st.DrawFn, layer: int) -> str:
    """A rule for a predicate of some layer, which asks for those of lower ones."""

    def atom(low: int, name: str = "") -> tuple[object, ...]:
        low = draw(st.integers(0, low))
        arity = 2 if low % 2 else 1
        return (name or f"p{low}", *(draw(terms) for _ in range(arity)))

    positive = [atom(layer - 1) for _ in range(draw(st.integers(1, 3)))]
    if draw(st.booleans()):
        positive.append(("true", draw(terms)))
    bound = sorted(set(re.findall(r"\?\w", str(positive))))
    parts = [write(part) for part in positive]

    def closed(term: object) -> object:
        if isinstance(term, tuple):
            return tuple(map(closed, term))
        return term if term in bound or not str(term).startswith("?") else "a"

    for _ in range(draw(st.integers(0, 2))):
        one, other = write(closed(draw(terms))), write(closed(draw(terms)))
        denied = write(closed(atom(layer - 1)))
        kind = draw(st.sampled_from(["not", "distinct", "same", "or"]))
        parts.append(
            {
                "not": f"(not {denied})",
                "distinct": f"(distinct {one} {other})",
                "same": f"(not (distinct {one} {other}))",
                "or": f"(or (not {denied}) (and (distinct {one} {other}) {denied}))",
            }[kind]
        )
    arity = 2 if layer % 2 else 1
    head = (f"p{layer}", *(closed(draw(terms)) for _ in range(arity)))
    return f"(<= {write(head)} {' '.join(parts)})"


@st.composite
def sheets(draw: st.DrawFn) -> str:
    """A small random game, stratified by layers."""
    facts = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True))
    inits = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True))
    made = [draw(rules(layer)) for layer in (1, 2, 3, 4) for _ in range(draw(st.integers(1, 2)))]
    top = draw(st.sampled_from(["(p4 ?x)", "(p3 ?x ?y)", "(p2 ?x)", "(p1 ?x ?y)"]))
    return "\n".join(
        [
            "(role r) (role s)",
            *(f"(p0 {name})" for name in facts),
            *(f"(init {name})" for name in inits),
            *made,
            f"(<= (legal r ?x) {top}) (legal r stay) (<= (legal s (m ?x)) (p0 ?x))",
            "(<= (next ?x) (p2 ?x)) (<= (next ?x) (does s (m ?x)))",
            "(<= (next (t ?x)) (true ?x) (not (does r stay)) (true (k 0)))",
            f"(<= (goal r 100) {top}) (<= terminal (true (t ?x)))",
        ]
    )


@pytest.mark.slow
@settings(max_examples=amount(30, 300))
@given(sheets(), st.randoms(use_true_random=False))
def test_random_sheets(
    tmp_path_factory: pytest.TempPathFactory, text: str, choose: random.Random
) -> None:
    game = load(tmp_path_factory.mktemp("random"), text)
    same_all_along(Naive(text), game.without_nets, choose, plies=3)


@settings(max_examples=12)
@given(sheets())
def test_what_is_asked_for_is_found(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    game = load(tmp_path_factory.mktemp("random"), text)
    same_with_demand(game, game.initial.facts)


@pytest.mark.quick(3)
@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.stem)
def test_what_is_asked_for_is_found_in_sheets(sheet: Path) -> None:
    game = aspgames.load(sheet).without_nets
    state, choose = game.initial, random.Random(1)
    for _ in range(5):
        same_with_demand(game, state.facts)
        if state.is_terminal:
            break
        state = state.play({role: choose.choice(moves) for role, moves in state.legal.items()})


def same_with_demand(game: Game, facts: tuple[str, ...]) -> None:
    """Ground with magic sets, with split rules, and plainly."""
    statements = game.encoding.statements("base")
    demand, true = MagicSets(statements, 0, 0, {}), [known_symbol(fact) for fact in facts]
    for wanted in ([("legal", 2), ("terminal", 0)], [("goal", 2)], [("next", 1)]):
        asked = demand.statements(wanted)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(decompose, "_MANY_INSTANCES", 0)
            patched.setattr(decompose, "_FEW_VARIABLES", 0)
            ways = [asked, *(split(each, statements) for each in (statements, asked)), statements]
        answers = [
            {s: sorted(map(str, atoms)) for s, atoms in Query(way, {}, wanted)(true).items()}
            for way in ways
        ]
        assert all(answer == answers[-1] for answer in answers)


_PATHS = """
(<= (append ?x nil (cons ?x nil)) (square ?x))
(<= (append ?x (cons ?h ?t) (cons ?h ?u))
    (square ?h) (square ?x) (distinct ?x ?h) (path ?t) (append ?x ?t ?u) (path ?u))
(<= (from ?x ?y ?seen) (append ?x ?seen ?more) (step ?x ?y ?more))
(<= (step ?x ?y ?seen) (near ?x ?y) (true (on ?y)) (path ?seen))
(<= (step ?x ?y ?seen) (near ?x ?z) (true (on ?z)) (from ?z ?y ?seen) (path ?seen))
(<= terminal (true (on 1)) (from 1 12 nil))
(path nil)
"""


def test_lists_are_made_on_demand(tmp_path: Path) -> None:
    """A static predicate with 12^12 lists: paths over occupied squares that visit none twice."""
    squares = range(1, 13)
    near = {(a, b) for a in squares for b in squares if abs(a - b) in (1, 5)}
    rules = [FRAME, _PATHS, *(f"(square {n}) (init (on {n}))" for n in squares)]
    rules += (f"(near {a} {b})" for a, b in near)
    for length in squares:
        names = [f"?e{n}" for n in range(length)]
        path = "".join(f"(cons {name} " for name in names) + "nil" + ")" * length
        rules.append(f"(<= (path {path}) {' '.join(f'(square {name})' for name in names)})")
    game, choose = load(tmp_path, "\n".join(rules)).without_nets, random.Random(1)
    for _ in range(12):
        held = {1, 12, *choose.sample(squares, 5)}
        seen, left = {1}, [1]
        while left:
            more = {b for a, b in near if a == left[-1] and b in held} - seen
            left.pop()
            seen |= more
            left += more
        state = game.from_facts([f"on({n})" for n in held])
        assert state.is_terminal == (12 in seen)


def test_who_is_asked_says_no_more(tmp_path: Path) -> None:
    """A predicate with a million possible atoms, and a query for one of them."""
    numbers = " ".join(f"(n {n})" for n in range(100))
    text = f"{FRAME} {numbers} (<= (far ?a ?b ?c) (n ?a) (n ?b) (n ?c) (true (n 0)))"
    game = load(tmp_path, f"{text} (<= terminal (far 1 2 3))")
    wanted = [("terminal", 0)]
    (rule, *others) = [
        str(statement)
        for statement in MagicSets(
            game.encoding.statements("base"), 100_000, 10_000, {}
        ).statements(wanted)
        if "demand" in str(statement)
    ]
    assert rule == "far(A,B,C) :- demand far 3(A,B,C); n(A); n(B); n(C); true(n(0))."
    assert others == ["demand far 3(1,2,3)."]
    assert game.initial.is_terminal


def test_what_demand_makes_recur_is_not_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """With demand for ``d``, ``b`` depends on its own negation; without it, ``e`` has no demand."""
    statements = parse_statements("""
        n(1..3). step(1,2). step(2,3).
        e(Y) :- step(Y,Z), true(Z).
        d(Y) :- e(Y).
        b(X) :- n(X), true(X), not d(X).
        t(Y) :- n(Y), b(Y).
        t(Y) :- n(Y), b(Y), d(Y).
    """)
    tries, wanted = iter(range(9)), [("t", 1)]

    def counted(rules: Any) -> Any:
        next(tries)  # at first they were tried for ever
        return unstratified(rules)

    monkeypatch.setattr(magic_sets, "unstratified", counted)
    asked = MagicSets(statements, 0, 0, {}).statements(wanted)
    assert "demand b 1(Y) :- n(Y)." in map(str, asked)
    true = [known_symbol(fact) for fact in ("2", "3")]
    (one,), (other,) = (Query(way, {}, wanted)(true).values() for way in (asked, statements))
    assert set(map(str, one)) == set(map(str, other)) == {"t(3)"}


def test_what_is_small_after_all_is_not_asked_for(tmp_path: Path) -> None:
    """Eight arguments with many possible values, and few atoms: the net needs no demand."""
    squares = " ".join(f"(init (cell {n} {m} b))" for n in range(8) for m in range(8))
    steps = " ".join(f"(succ {n} {n + 1})" for n in range(7))
    text = f"""{FRAME} {squares} {steps}
        (<= (square ?a ?b ?c ?b ?a ?d ?c ?d) (succ ?a ?c) (succ ?b ?d))
        (<= (square ?a ?b ?c ?d ?e ?f ?g ?h) (succ ?g ?i) (succ ?c ?j) (succ ?d ?k)
            (square ?a ?b ?j ?k ?e ?f ?i ?h))
        (<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)))
        (<= terminal (true (cell ?a ?b x)) (true (cell ?c ?d x)) (true (cell ?e ?f x))
            (true (cell ?g ?h x)) (square ?a ?b ?c ?d ?e ?f ?g ?h))
        (<= (next (cell ?x ?y x)) (does a (mark ?x ?y)))
        (<= (legal a (mark ?x ?y)) (true (cell ?x ?y b)))"""
    game = load(tmp_path, text)
    assert MagicSets(game.encoding.statements("base"), 1e6, 1e6, {}).large == set()
    assert net_for(game.rules, game.initial.facts, 20_000).fluents


@pytest.mark.parametrize("cached", [True, False])
def test_which_predicates_are_asked_for_is_found_out_once(
    cached: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASPGAMES_CACHE", str(tmp_path / "kept") if cached else "off")
    numbers = " ".join(f"(n {n})" for n in range(100))
    far = "(<= (far ?a ?b ?c) (n ?a) (n ?b) (n ?c) (true (n 0))) (<= terminal (far 1 2 3))"
    game = load(tmp_path, f"{FRAME} {numbers} {far}")
    looked = record_calls(monkeypatch, magic_sets, "Counts")
    for _ in range(2):
        grounder = Grounder(game.rules)
        assert grounder.consequences(("n(0)",)).terminal
        assert not grounder.consequences(("n(1)",)).terminal
    assert len(looked) == (1 if cached else 2)
    assert grounder._demand.large == {("far", 3)}


def test_a_rule_is_split_where_its_parts_have_little_to_do_with_each_other(tmp_path: Path) -> None:
    """The content of a square has nothing to do with the move that leaves it alone."""
    numbers = " ".join(f"(n {n})" for n in range(8))
    text = f"""{FRAME} {numbers} (content x) (content o)
        (<= (init (cell ?x ?y ?c)) (n ?x) (n ?y) (content ?c))
        (<= (differ ?a ?b ?c ?d) (n ?a) (n ?b) (n ?c) (n ?d) (or (distinct ?a ?c) (distinct ?b ?d)))
        (<= (legal a (move ?u ?v ?s ?t)) (n ?u) (n ?v) (n ?s) (n ?t))
        (<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (does ?r (move ?u ?v ?s ?t))
            (differ ?x ?y ?u ?v) (differ ?x ?y ?s ?t) (not (true (n ?x))))"""
    game = load(tmp_path, text)
    statements = game.encoding.statements("base")
    parts = [str(rule) for rule in split(statements, statements) if "part" in str(rule)]
    assert parts == [
        "part 0(X,Y) :- does(_,move(U,V,S,T)); differ(X,Y,U,V); differ(X,Y,S,T).",
        "next(cell(X,Y,C)) :- true(cell(X,Y,C)); not true(n(X)); part 0(X,Y).",
    ]


def test_a_rule_is_split_until_little_is_left(tmp_path: Path) -> None:
    """A sum of four dice: no step alone has fewer instances than half of the rule."""
    numbers = " ".join(f"(n {n})" for n in range(16))
    text = f"""{FRAME} {numbers} (sum 0 0 0)
        (<= (sum ?x ?y ?z) (n ?x) (n ?y) (n ?z))
        (<= (init (die ?d ?x)) (n ?d) (n ?x))
        (<= (goal a ?z) (true (die 1 ?a)) (true (die 2 ?b)) (sum ?a ?b ?x)
            (true (die 3 ?c)) (sum ?x ?c ?y) (true (die 4 ?d)) (sum ?y ?d ?z))"""
    statements = load(tmp_path, text).encoding.statements("base")
    rules = [str(rule) for rule in split(statements, statements) if "part" in str(rule)]
    assert max(len(set(re.findall(r"\b[A-Z]", rule))) for rule in rules) == 3
    assert "goal(a,Z)" in rules[-1]


def test_a_rule_is_joined_in_steps_where_clingo_would_join_badly(tmp_path: Path) -> None:
    """Four corners of one colour: corners are joined first, not all squares four times."""
    text = f"""{FRAME} {" ".join(f"(n {n}) (step {n} {n + 2})" for n in range(8))} (colour red)
        (<= (init (cell ?x ?y ?p)) (n ?x) (n ?y) (colour ?p))
        (<= (corners ?a ?b ?a ?d ?c ?b ?c ?d) (n ?a) (n ?b) (step ?a ?c) (step ?b ?d))
        (<= (four ?p) (true (cell ?a ?b ?p)) (true (cell ?c ?d ?p)) (true (cell ?e ?f ?p))
            (true (cell ?g ?h ?p)) (corners ?a ?b ?c ?d ?e ?f ?g ?h))
        (<= terminal (four red))"""
    statements = load(tmp_path, text).encoding.statements("base")
    rules = [str(rule) for rule in split(statements, statements) if "part" in str(rule)]
    assert rules == [
        "part 0(C,D,E,F,G,H,P) :- corners(A,B,C,D,E,F,G,H); true(cell(A,B,P)).",
        "part 1(E,F,G,H,P) :- part 0(C,D,E,F,G,H,P); true(cell(C,D,P)).",
        "part 2(G,H,P) :- part 1(E,F,G,H,P); true(cell(E,F,P)).",
        "four(P) :- part 2(G,H,P); true(cell(G,H,P)).",
    ]


# --- oddities, each alone -------------------------------------------------------------------------

ODDITIES = {
    "an odd name of a relation": ("(++ 0 1) (<= terminal (++ 0 1))", True),
    "a relation with several arities": ("(p 1) (p 1 2) p (<= terminal p (p 1) (p 1 2))", True),
    "no argument, in parentheses": ("(open) (<= terminal open)", True),
    "no argument, in the body": ("open (<= terminal (open))", True),
    "terminal in parentheses": ("(<= (terminal) (true (n 0)))", True),
    "capitals": ("(P Xy) (<= TERMINAL (p xY) (TRUE (N 0)))", True),
    "variables in capitals": ("(p b) (q c) (<= terminal (p ?X) (q ?x))", False),
    "a number with a sign": ("(p -1) (<= terminal (p -1))", True),
    "numbers that are names": ("(p 01) (<= terminal (p 1))", False),
    "a number beyond clingo's": ("(p 99999999999) (<= terminal (p 99999999999))", True),
    "the word not as data": ("(p not) (<= terminal (p not))", True),
    "words of the language as data": (
        "(init (true does)) (init next) (<= terminal (true (true does)) (true next))",
        True,
    ),
    "nested functions": ("(p (f (g a) (g (h b)))) (<= terminal (p (f ?x (g (h ?y)))))", True),
    "or": ("(<= terminal (or (true (n 1)) (true (n 0))))", True),
    "or within and": ("(p b) (<= terminal (p ?x) (or (and (distinct ?x b) (p b)) (p c)))", False),
    "a term within itself": ("(p b) (<= (q (g ?y) ?y) (p ?y)) (<= terminal (q ?x ?x))", False),
    "a denied or": ("(<= terminal (not (or (true (n 1)) (true (n 2)))))", True),
    "denied twice": ("(<= terminal (not (not (true (n 0)))))", True),
    "a denied and": ("(<= terminal (not (and (true (n 0)) (true (n 1)))))", True),
    "an empty or is never": ("(<= terminal (or))", False),
    "a denied distinct": ("(p b) (<= terminal (p ?x) (not (distinct ?x b)))", True),
    "a denied distinct that binds": ("(p b) (<= terminal (not (distinct ?x b)) (p ?x))", True),
    "a rule without a body": ("(<= terminal)", True),
    "comments anywhere": ("(<= ; (here\n terminal;here too\n (true (n 0)))", True),
    "recursion": (
        "(e 1 2) (e 2 3) (<= (p ?x ?y) (e ?x ?y)) "
        "(<= (p ?x ?z) (p ?x ?y) (e ?y ?z)) (<= terminal (p 1 3))",
        True,
    ),
    "names that mean something to us": (
        "(board 3 3) (hole 9 a) (to_move b) (<= terminal (board 3 3) (title x))",
        False,
    ),
    "names that differ in a hyphen": ("(p a-b) (<= terminal (p a_b))", False),
    "a goal of nobody": ("(goal nobody 100) (<= terminal (true (n 0)))", True),
    "several goals before the end": ("(goal a 10) (goal a 20)", False),
    "the same rule twice": ("(<= terminal (true (n 0))) (<= terminal (true (n 0)))", True),
    "a windows file": ("(<= terminal\r\n  (true (n 0)))\r\n", True),
}


@pytest.mark.parametrize("oddity", ODDITIES)
def test_oddities(oddity: str, tmp_path: Path) -> None:
    text, over = ODDITIES[oddity]
    game = load(tmp_path, FRAME + text)
    assert game.initial.is_terminal == over
    assert Naive(FRAME + text).terminal(Naive(FRAME + text).initial) == over
    assert dict(game.initial.goals) == {"a": 0}


def test_what_is_no_utf8_may_stand_in_comments(tmp_path: Path) -> None:
    game = load(tmp_path, b"\xef\xbb\xbf; caf\xe9\n" + FRAME.encode())
    assert game.roles == ("a",)
    with pytest.raises(RulesError, match=r"sheet\.kif:1:10: this is not UTF-8 text"):
        load(tmp_path, b"(role caf\xe9)")


def test_names_come_back_as_the_sheet_has_them(tmp_path: Path) -> None:
    symbols = ["++", "-1", "<", "speed+", "a-b", "a_b", "01", "x'", "ünï", "not", "n_01", "2d"]
    facts = " ".join(f"(init ({symbol} {symbol})) (init {symbol})" for symbol in symbols)
    game = load(tmp_path, FRAME + facts)
    told = {game.kif.text(fact) for fact in game.initial.facts}
    assert told == {"(n 0)", *symbols, *(f"({symbol} {symbol})" for symbol in symbols)}
    assert game.kif.position(" ".join(told).upper()).facts == game.initial.facts


@given(st.lists(st.text(min_size=1, max_size=6), unique=True, max_size=8))
def test_different_symbols_have_different_names(symbols: list[str]) -> None:
    names = spelled(symbol.lower() for symbol in symbols)
    assert len(set(names.values())) == len(names)
    assert all(map(is_name, names.values()))


# --- errors ---------------------------------------------------------------------------------------

WRONG = {
    "(role a": ("1:1", "this ( is never closed"),
    "(role a)\n  (init (b)": ("2:3", "this ( is never closed"),
    "(role a))": ("1:9", "a ) too many"),
    "(role a)\n\n  (p ?x)": ("3:3", "the variable ?x is unsafe"),
    "(role a)\n(<= (p ?x) (role ?y))": ("2:1", "the variable ?x is unsafe"),
    "(<= terminal (not (p ?x)))": ("1:1", "the variable ?x is unsafe"),
    "(<= terminal (role ?x) (distinct ?x ?y))": ("1:1", "the variable ?y is unsafe"),
    "(<= terminal (or (role ?x) (p b)) (distinct ?x b))": ("1:1", "the variable ?x is unsafe"),
    "(role)": ("1:1", "role takes one argument, not 0: (role)"),
    "(role a b)": ("1:1", "role takes one argument, not 2: (role a b)"),
    "(<= terminal (true a b))": ("1:14", "true takes one argument, not 2"),
    "(<= (terminal a) b)": ("1:5", "terminal takes no argument, not 1"),
    "(<= (goal a) b)": ("1:5", "goal takes two arguments, not 1"),
    "(<= (true a) b)": ("1:1", "true can't be the head of a rule"),
    "(does a b)": ("1:1", "does can't be the head of a rule"),
    "(<= (or a b) c)": ("1:1", "or can't be the head of a rule"),
    "(<=)": ("1:1", "(<=) has no head"),
    "<= terminal": ("1:1", "<= stands outside of parentheses"),
    "(<= ?x b)": ("1:5", "?x stands where a relation should"),
    "(<= terminal ?x)": ("1:14", "?x stands where a relation should"),
    "(<= terminal (not))": ("1:14", "not takes one argument, not 0"),
    "(<= terminal (not a b))": ("1:14", "not takes one argument, not 2"),
    "(<= terminal (p ()))": ("1:17", "() is no term"),
    "()": ("1:1", "() is no term"),
    "((role a))": ("1:2", "(role a) stands where a name should"),
    "(role (?f a))": ("1:8", "?f stands where a name should"),
    "(role ?)": ("1:7", "a variable has no name"),
    "(" * 100_000: (f"1:{DEEPEST + 1}", f"parentheses are nested more than {DEEPEST} deep"),
    "(role a)\0": ("1:9", "there is a NUL character"),
    "(<= terminal " + "(or a b) " * 13 + ")": ("1:1", "the rule stands for more than 4096 rules"),
}


@pytest.mark.parametrize("text", WRONG, ids=lambda text: text[:40].replace("\0", "NUL"))
def test_what_is_wrong_has_line_and_column(text: str, tmp_path: Path) -> None:
    place, what = WRONG[text]
    with pytest.raises(RulesError) as error:
        load(tmp_path, text)
    assert str(error.value).startswith(f"{tmp_path / 'sheet.kif'}:{place}: {what}")
    assert error.value.kind == "bad_rules"


@pytest.mark.parametrize(
    "listed",
    [
        "(base control (player white)) ( base cell ( x 1 2 ) (val 1 b) )",
        "(base) (input go) (input a (?x)) (BASE (at ?x)) base",
        "(<= (base (at ?x ?y)) (num ?x)) (<= (input ?r go)) (<= (input ?r (go ?x)) (role ?r))",
        "(<= (base (at ?x)) (?y 1)) (<= (base a b c) (role ?r)) (num 1)",
    ],
)
def test_base_and_input_may_be_anything(listed: str, tmp_path: Path) -> None:
    game, plain = load(tmp_path, f"{FRAME}{listed}"), load(tmp_path, FRAME)
    assert (game.initial.facts, game.roles) == (plain.initial.facts, plain.roles)
    assert [*map(str, game.initial.legal_moves)] == [*map(str, plain.initial.legal_moves)]


def test_rules_that_need_a_malformed_base_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match=r"sheet\.kif:2:1: the variable \?x is unsafe"):
        load(tmp_path, f"{FRAME}\n(base (at ?x))\n(<= terminal (base (at 1)))")
    text = f"{FRAME} (base (at 1)) (<= terminal (base (at 1)))"
    assert load(tmp_path, text).initial.is_terminal


def test_the_first_argument_of_legal_and_goal_is_a_role(tmp_path: Path) -> None:
    text = "(role a) (role b) (init (n 0)) (<= (legal ?p ?p) (true (n 0))) (<= (goal ?p 50))"
    state = load(tmp_path, text).initial
    assert {role: [*map(str, moves)] for role, moves in state.legal.items()} == {
        "a": ["a"],
        "b": ["b"],
    }
    assert state.goals == {"a": 50, "b": 50}
    with pytest.raises(RulesError, match=r"the variable \?m is unsafe"):
        load(tmp_path, "(role a) (<= (legal ?p (go ?m)))")


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n"], ids=["CR", "LF", "CRLF"])
def test_comments_end_with_their_line(end: str, tmp_path: Path) -> None:
    lines = [
        "(role a)(init (n 0))",
        "; numbers",
        "(num 1) ; one",
        "(num 2)",
        "(<= (legal a (go ?n)) (num ?n))",
    ]
    game = load(tmp_path, end.join(lines).encode())
    assert [*map(str, game.initial.legal_moves)] == ["go(1)", "go(2)"]
    told = encoding_of_sheet(tmp_path / "sheet.kif")
    assert told.partition("\n\n")[2].startswith(
        "role(a).  init(n(0)).\n% numbers\nnum(1).  % one\nnum(2).\nlegal(a,go(N)) :- num(N).\n"
    )
    state = game.kif.position(f"; where{end}(n 0)")
    assert state.facts == ("n(0)",)
    with pytest.raises(RulesError, match=r"sheet\.kif:6:5: \(\) is no term"):
        load(tmp_path, end.join([*lines, "(p  ())"]).encode())


@pytest.mark.parametrize("name", ["small.gdl", "SMALL.KIF"])
def test_endings_of_sheets(name: str, tmp_path: Path, call: Call) -> None:
    sheet = tmp_path / name
    sheet.write_text(f"{FRAME} (<= terminal (true (n 1)))")
    assert [*map(str, aspgames.load(sheet).initial.legal_moves)] == ["go"]
    assert "legal(a,go) :- role(a)." in call("import", str(sheet)).out
    other = tmp_path / "small.txt"
    other.write_text(FRAME)
    with pytest.raises(UnknownGame, match=r"small\.txt' ends in none of \.lp, \.kif, \.gdl"):
        aspgames.load(other)
    with pytest.raises(UnknownGame, match="is a folder: give a game's file"):
        aspgames.load(tmp_path)


@pytest.mark.parametrize("name", ["small", "small.pl", "small.kiff"])
def test_a_file_with_another_ending_is_proposed(name: str, tmp_path: Path) -> None:
    (tmp_path / "small.kif").write_text("(role x)")
    with pytest.raises(UnknownGame, match=r"did you mean .*/small\.kif\?$"):
        aspgames.load(str(tmp_path / name))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("% two\nrole(x). role(o).", "% stands outside of parentheses: this is not KIF"),
        ("role(x).\nlegal(P, go) :- role(P).", "this is GDL in infix form, as pyggp writes"),
        ("terminal :- not open.", "terminal stands outside of parentheses: this is not KIF"),
        ('{"role": "a"}', '{"role": stands outside of parentheses: this is not KIF'),
    ],
)
def test_other_languages_are_told(text: str, what: str, tmp_path: Path) -> None:
    with pytest.raises(RulesError, match=rf"sheet\.kif:1:1: {re.escape(what)}"):
        load(tmp_path, text)


SEVERAL = """
(role a) (role b) (init (goal a 7)) (won b 90) (lost b 0) (stated_goal 1 2 3)
(<= (legal ?r wait)) (<= (next over) (does a wait)) (<= terminal (true over))
(<= (goal b 20) (true over) (distinct (goal a 1) (goal a 2))) (<= (goal a 60) (goal b 90))
(<= (goal b ?n) (or (won b ?n) (lost b ?n)))
(goal a 40)
(<= (goal b 100) (goal a 40) (not (goal a 60)))
"""
"""Roles with several goals, goals in bodies, and other things called goal."""


def test_several_goals_at_the_end_are_refused_or_chosen(folder: Path, call: Call) -> None:
    assert load(folder, SEVERAL).initial.play("wait").is_terminal
    match = ["ggp-manager", "sheet.kif", "random", "random"]
    told = call(*match)
    assert (told.code, "several goals" in told.err) == (2, True)
    stated: dict[str, list[int]] = {"a": [], "b": []}
    for _, role, value in Naive(SEVERAL)._all(("goal", "?r", "?n"), {("true", "over")}):
        stated[role].append(int(value))
    assert {role: sorted(values) for role, values in stated.items()} == {
        "a": [40, 60],
        "b": [0, 20, 90],
    }
    highest = {role: max(values) for role, values in stated.items()}
    for choice, goals in {"highest": highest, "first": {"a": 60, "b": 20}}.items():
        end = aspgames.load(folder / "sheet.kif", goals=choice).initial.play("wait")
        assert (end.goals, end.facts) == (goals, ("over",))
        assert pickle.loads(pickle.dumps(end)) == end
        told = call(*match, "--goals", choice, "--json")
        assert (told.code, told.json["goals"]) == (0, goals)


def test_choices_of_goals_that_are_refused(tmp_path: Path) -> None:
    text = f"{FRAME} (<= terminal (true (n 0))) (<= (goal a ?n) (worth ?n)) (worth 3) (worth 20)"
    load(tmp_path, text)
    sheet = tmp_path / "sheet.kif"
    assert aspgames.load(sheet, goals="highest").initial.goals == {"a": 20}
    with pytest.raises(RulesError, match="several goals"):  # of one rule, so none is the first
        _ = aspgames.load(sheet, goals="first").initial.goals
    with pytest.raises(BadConstant, match="'last' chooses no goals: give highest or first"):
        aspgames.load(sheet, goals="last")
    with pytest.raises(BadConstant, match=r"no constant 'size' \(it has: goals\)"):
        aspgames.load(sheet, goals="first", size=3)
    with pytest.raises(BadConstant, match="no constant 'goals'"):
        aspgames.load("nim", goals="first")
    load(tmp_path, f"{text} (named goals)")
    with pytest.raises(RulesError, match="the sheet has a symbol goals"):
        aspgames.load(sheet, goals="first")


def test_kif_has_the_spelling_of_the_sheet(tmp_path: Path) -> None:
    text = """
        (role Red) (role BLUE) (init (Cell 1 B)) (succ 1 2) (Big 1) ; (PUSH) is only a comment
        (<= (legal Red (Push ?x)) (Succ ?x 2)) (<= (LEGAL ?p Wait) (role ?p) (true (cell 1 b)))
    """
    game = load(tmp_path, text)
    assert [game.kif.text(role) for role in game.roles] == ["Red", "BLUE"]
    report = game.kif.report(state_report(game.initial))
    assert report["facts"] == ["(Cell 1 B)"]
    assert report["legal"] == {"Red": ["(Push 1)", "Wait"], "BLUE": ["Wait"]}
    assert game.kif.position("(CELL 1 b)") == game.initial
    assert game.kif.move("(pUSH 1)") == "push(1)"
    exported = sheet_of_game(game)
    assert "(legal Red (Push ?x))" in exported
    assert "(role Red) (role BLUE)" in exported.replace("\n", " ")
    (tmp_path / "again.lp").write_text(encoding_of_sheet(tmp_path / "sheet.kif"))
    assert aspgames.load(tmp_path / "again.lp").kif.text("push(1)") == "(Push 1)"


def test_what_clingo_says_has_the_sheets_line(tmp_path: Path) -> None:
    text = f"{FRAME}\n; a loop\n\n(<= p (not q)) (<= q\n (not p))\n(<= terminal p)"
    with pytest.raises(RulesError, match=r"depends on its own negation: .*sheet\.kif:4\)"):
        _ = load(tmp_path, text).initial.is_terminal


@given(st.text(st.sampled_from("() \n;?<=abnot1-\t\"'|\\%"), max_size=60))
@example("(a . b)")
def test_the_reader_never_crashes(text: str) -> None:
    places = []
    try:
        places += [part.at for part in expressions(text)]
    except KifError as error:
        places.append(error.at)
    assert all(0 <= at < len(text) for at in places)


@settings(max_examples=50)
@given(st.text(st.sampled_from("() ;?ab1-<=") | st.characters(codec="utf-8"), max_size=40))
def test_no_sheet_crashes(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    with suppress(AspgamesError):
        _ = load(tmp_path_factory.mktemp("any"), text).initial.legal


def test_nonsense_of_ten_megabytes(tmp_path: Path) -> None:
    with pytest.raises(LimitReached, match="longer than 8,000,000 bytes"):
        load(tmp_path, b"(role a)\n" * 1_100_000)


# --- counts that are known ------------------------------------------------------------------------


def test_perft_of_known_games() -> None:
    counts = {"four_in_a_row": 117_649, "noughts": 54_720}
    for sheet in SHEETS:
        if sheet.stem in counts:
            assert aspgames.perft(aspgames.load(sheet).initial, 6) == counts.pop(sheet.stem)
    assert not counts


def test_who_waits_need_not_call_it_noop(tmp_path: Path) -> None:
    game = aspgames.load(FOLDER / "examples/four_in_a_row.kif")
    start = game.initial
    assert (start.to_move, start.legal["red"][0].term) == ("yellow", "noop")
    assert game.kif.text("noop") == "wait"
    assert game.kif.move("WAIT") == "noop" != game.kif.move("noop")
    assert start.play("drop(3)").play("drop(3)") == start.play("yellow=drop(3)", "red=drop(3)")
    # With several candidates, no move is renamed to noop.
    text = "(role a) (role b) (init x) (<= (legal ?r go) (role ?r)) (legal a stay) (legal b (do 1))"
    game = load(tmp_path, text)
    assert {move.term for move in game.initial.legal["a"]} == {"go", "stay"}


def test_a_move_that_one_role_alone_can_make(tmp_path: Path) -> None:
    text = "(role a) (role b) (init x) (legal a (go 1)) (legal b (stay 1))"
    state = load(tmp_path, f"{text} (<= (next y) (does a (go 1))) (<= terminal (true y))").initial
    assert [len(moves) for moves in state.legal.values()] == [1, 1]
    assert state.play("go(1)") == state.play("a=go(1)") == state.play(state.legal["a"][0])
    assert state.play("stay(1)").is_terminal
    with pytest.raises(aspgames.IllegalMove, match="several roles move at once"):
        state.play("go(2)")


def test_terms_may_be_nested_as_deep_as_they_are(tmp_path: Path) -> None:
    """The rules alone bound the fluents, and no fluent is missing."""
    text = "(role a) (init (n 0)) (legal a go) (<= (next (n (s ?x))) (true (n ?x)))"
    state = load(tmp_path, f"{text} (<= terminal (true (n {'(s ' * 12}0{')' * 12})))").initial
    for _ in range(12):
        state = state.play("go")
        assert state.game.from_facts(state.facts) == state
    assert state.is_terminal
    with pytest.raises(aspgames.BadPosition, match="no fluent m"):
        state.game.from_facts(["m(0)"])


def test_puzzles_in_kif(call: Call, tmp_path: Path) -> None:
    """The command line in KIF: two in a row for each side, cross on move."""
    sheet = str(FOLDER / "tests/data/sheets/noughts.kif")
    rows = ("cross cross empty", "nought nought empty", "empty empty empty")
    cells = [
        f"(cell {x} {y} {m})" for y, row in enumerate(rows, 1) for x, m in enumerate(row.split(), 1)
    ]
    position = " ".join([*cells, "(turn cross)"])
    asked = {"game": sheet, "position": position, "attacker": "CROSS", "goal": "win"}
    arguments = ["solve", sheet, position, "--attacker", "CROSS", "--goal", "win"]
    told = call(*arguments, "--notation", "kif", "--all-lines")
    assert told.out.splitlines()[-1] == "(mark 3 1)"
    for line in ("cross can win in 1 turn.", "Key:  (mark 3 1)", "Line:  (mark 3 1)"):
        assert f"\n{line}\n" in told.out
    assert "(cell 3 3 empty)" in told.out
    tree = call(*arguments, "--notation", "kif", "--all-lines", "--json").json
    assert check(tree, "solution")["tree"] == {"(mark 3 1)": {}}
    helped = call(*arguments, "--notation", "kif", "--together")
    assert helped.out.endswith("Line:  (mark 3 1)\n")
    file = tmp_path / "puzzles.jsonl"
    file.write_text(json.dumps(asked | {"notation": "kif"}) + "\n")
    (line,) = call("solve", "--puzzles", str(file), "--json").out.splitlines()
    assert check(json.loads(line), "solution")["keys"] == ["(mark 3 1)"]
    assert call("solve", "--puzzles", str(file), "--notation", "kif").code == 2


def test_a_refused_move_shows_one_in_kif(call: Call) -> None:
    sheet = str(FOLDER / "tests/data/sheets/noughts.kif")
    for verb in ("play", "why"):
        told = call(verb, sheet, "startpos", "(put 1 1)", "--notation", "kif")
        assert told.code == 2
        assert "(put 1 1) is no move of noughts: moves look like (mark 1 1)\n" in told.err


def test_requests_in_kif() -> None:
    file = FOLDER / "tests/data/sheets/noughts.kif"
    server = Server([read_encoding(str(file))])
    asked = {"game": "noughts", "notation": "kif"}
    rows = ("cross cross empty", "nought nought empty", "empty empty empty")
    marks = [(x, y, mark) for y, row in enumerate(rows, 1) for x, mark in enumerate(row.split(), 1)]
    position = " ".join(f"(CELL {x} {y} {mark})" for x, y, mark in marks)

    def ask(**more: Any) -> Any:
        return server.answer(json.dumps(asked | more).encode())

    here = {"position": f"{position} (turn cross)"}
    counted = check(ask(op="perft", depth=1, divide=True, **here), "perft")
    assert counted["divide"] == {
        f"(mark {x} {y})": 1 for x, y, mark in sorted(marks) if mark == "empty"
    }
    puzzle = {"attacker": "CROSS", "goal": "win", "within": 2}
    solved = check(ask(op="solve", **here, **puzzle), "solution")
    assert (solved["distance"], solved["keys"]) == (1, ["(mark 3 1)"])
    assert solved["line"] == solved["line_text"] == solved["keys_text"] == ["(mark 3 1)"]
    lost = {"position": f"{position} (turn nought)", "attacker": "nought", "goal": "win"}
    assert check(ask(op="solve", **lost), "solution")["keys"] == ["(mark 3 2)"]
    played = check(ask(op="play", moves=[{"CROSS": "(Mark 3 1)"}], **here), "state")
    assert (played["terminal"], played["goals"]) == (True, {"cross": 100, "nought": 0})
    refused = check(ask(op="play", moves=["(put 1 1)"]), "error")
    assert refused["error"].endswith("moves look like (mark 1 1)")
    refused = check(ask(op="legal", position="(cell 1 1 ?x)"), "error")
    assert refused["kind"] == "bad_position"
