"""Encodings as rule sheets in KIF: changed rules, refused rules, and the way back."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import aspgames
import ggp_grammar
from aspgames import Game, RulesError
from aspgames.asp.grounding import Query
from aspgames.asp.statements import Signature, rule_of
from aspgames.asp.symbols import known_symbol
from aspgames.game.kif_export.rule_sheet import sheet_of_game
from aspgames.gdl.kif.sheet import Expression, Word, without_comments
from cli_helpers import Call, assert_refused
from gdl_helpers import PAWNS, WALK, exported, imported, in_lockstep, sheet
from helpers import few_or_many
from paths import ROOT

LARGE = ("breakthrough", "skirmish", "amazons_8x8", "amazons_10x10", "amazons")

# What each test adds rules to; it is a game of a role that counts.
COUNTING = """
role(me).
init(at(1)).
legal(me,go(N)) :- true(at(N)).
next(at(N)) :- does(me,go(N)).
terminal :- true(at(5)).
goal(me,100) :- terminal.
"""


def game(folder: Path, rules: str, name: str = "own") -> Game:
    file = folder / f"{name}.lp"
    file.write_text(rules, encoding="utf-8")
    return aspgames.load(file)


def lines(folder: Path, rules: str) -> list[str]:
    """The lines that rules add to the sheet of a game, each rule on one."""
    bare, told = (
        sheet_of_game(game(folder, text)).replace("\n    ", " ").split("\n")
        for text in (COUNTING, COUNTING + rules)
    )
    return [line for line in told if line not in bare]


# --- there and back -------------------------------------------------------------------------------


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("name", "constants"),
    [
        ("breakthrough", {"width": 3, "height": 5}),
        ("tictactoe", {}),
        (str(ROOT / "tests/data/maze.lp"), {}),
        *(pytest.param(name, {}, marks=pytest.mark.slow) for name in LARGE),
    ],
)
def test_games_walk_in_lockstep_with_what_is_made_of_them(
    tmp_path: Path, name: str, constants: Mapping[str, int]
) -> None:
    original = aspgames.load(name, **constants)
    file = exported(original, tmp_path)
    in_lockstep(original, aspgames.load(file))
    in_lockstep(original, imported(file))


# KIF can't express a rule of checkers and nine men's morris. Chess has the fluents passed(none) and
# passed(X,Y), and ggp-base wants one number of arguments for each function.
EXPORTED = sorted({*aspgames.games()} - {"checkers", "nine_mens_morris", "chess"})
FAST = ("breakthrough", "minichess", "nim", "tablut")


@pytest.mark.sample(10)
@pytest.mark.parametrize(
    "name",
    [pytest.param(each, marks=() if each in FAST else pytest.mark.slow) for each in EXPORTED],
)
def test_written_sheets_are_valid_for_the_software_of_general_game_playing(name: str) -> None:
    text = sheet_of_game(aspgames.load(name))
    assert ggp_grammar.check(text) == []
    assert [*map(plain, without_comments(text))] == ggp_grammar.read(text)


def plain(expression: Expression) -> object:
    """An expression as the other reader has it."""
    return expression.spelling if isinstance(expression, Word) else [*map(plain, expression.items)]


INVALID = {
    "(p 1) (p 1 2)": "p has 2 arguments and 1",
    "(init (f 1)) (init (f 1 2))": "f has 2 arguments and 1",
    "(<= (p ?x) (not (q ?x))) (q 1)": "['?x'] are unsafe in ['p', '?x']",
    "(<= (p ?x) (q ?x) (distinct ?x ?y)) (q 1)": "['?y'] are unsafe in ['p', '?x']",
    "(<= p (not q)) (<= q p)": "p needs not q, which needs p",
    "(<= (role c) p) p": "role is in the head of a rule",
    "(<= p (next x))": "next is in a body",
    "(<= (init x) (true x))": "init depends on the state",
    "(<= (legal a y) (does a x))": "legal depends on does",
    "(<= (p ?x) (p (s ?x))) (p 0)": "the recursion of ['p', '?x'] may have no end",
    "(init (next x))": "next is used as a function",
    "(<= (p))": "['p'] is a rule without a body",
}


@pytest.mark.parametrize("rules", INVALID)
def test_the_validator_finds_what_is_invalid(rules: str) -> None:
    valid = "(role a) (legal a x) (goal a 50) (<= Terminal (TRUE x))"
    assert ggp_grammar.check(valid) == []
    assert INVALID[rules] in ggp_grammar.check(f"{valid} {rules}")


def test_names_with_capitals_are_written_and_read(tmp_path: Path) -> None:
    own = game(
        tmp_path,
        """role(me). init(cellA(1)). legal(me,pushUp(X)) :- true(cellA(X)), X < 3.
        next(cellA(X+1)) :- does(me,pushUp(X)). terminal :- true(cellA(3)). goal(me,100).""",
    )
    back = aspgames.load(exported(own, tmp_path))
    for each, term in (own, "pushUp(2)"), (back, "pushup(2)"):
        state = each.kif.position("(CELLA 2)")
        assert [each.kif.text(fact) for fact in state.facts] == ["(cellA 2)"]
        assert [each.kif.move_text(move) for move in state.legal_moves] == ["(pushUp 2)"]
        assert each.kif.move("(pushUP 2)") == term
        assert state.play(each.kif.move("(pushUp 2)")).is_terminal


@pytest.mark.parametrize("rules", [PAWNS, WALK], ids=["pawns", "walk"])
def test_sheets_come_back_with_their_own_names(tmp_path: Path, rules: str) -> None:
    first = imported(sheet(tmp_path, rules))
    second = aspgames.load(exported(first, tmp_path))
    in_lockstep(first, second)
    assert second.vocabulary.kif_names == first.vocabulary.kif_names
    texts = [exported(made, tmp_path).read_text() for made in (first, second)]
    one, other = ([line for line in text.split("\n") if "(" in line] for text in texts)
    assert one == other


CONSTANTS = ("a", "+", "Not_A", "1", "(f a)", "(speed+ 1 b)")
VARIABLES = ("?x", "?y")
TERMS = (*CONSTANTS, *VARIABLES)


@st.composite
def sheets(draw: st.DrawFn) -> str:
    """A small sheet in which each relation says something of those before it."""
    rules = ["(role me)", "(<= (legal me (go ?x)) (true (p ?x)))", "terminal"]
    known: list[tuple[str, int]] = [("true p", 1)]
    arguments = st.sampled_from(TERMS)

    def atom(relation: tuple[str, int]) -> str:
        name, arity = relation
        inner = f"{name.split()[-1]} {' '.join(draw(arguments) for _ in range(arity))}"
        return f"(true ({inner}))" if name.startswith("true") else f"({inner})" if arity else name

    for number in range(draw(st.integers(1, 5))):
        name = draw(st.sampled_from(["r", "board", "Go-2", "goal2"])) + str(number)
        head = name, draw(st.integers(0, 2))
        for _ in range(draw(st.integers(1, 3))):
            body = [atom(draw(st.sampled_from(known))) for _ in range(draw(st.integers(0, 2)))]
            bound = [v for v in VARIABLES if any(v in part for part in body)]
            terms = (*CONSTANTS, *bound)
            more = []
            if draw(st.booleans()):
                before, arity = draw(st.sampled_from(known))
                inner = " ".join(draw(st.sampled_from(terms)) for _ in range(arity))
                text = f"({before.split()[-1]} {inner})" if arity else before
                more.append(f"(not (true {text}))" if before == "true p" else f"(not {text})")
            if draw(st.booleans()):
                pair = " ".join(draw(st.sampled_from(terms)) for _ in range(2))
                more.append(
                    draw(st.sampled_from([f"(distinct {pair})", f"(not (distinct {pair}))"]))
                )
            inner = " ".join(draw(st.sampled_from(terms)) for _ in range(head[1]))
            said = f"({name} {inner})" if head[1] else name
            rules.append(f"(<= {said} {' '.join([*body, *more])})")
        known.append(head)
    rules += (f"(init (p {term}))" for term in draw(st.lists(st.sampled_from(CONSTANTS))))
    rules.append("(init (p a))")
    return "\n".join(rules)


def atoms(
    one: Game, facts: Sequence[str], wanted: Sequence[Signature]
) -> Mapping[Signature, list[str]]:
    query = Query(one.encoding.statements("base"), one.constants, wanted)
    return {
        key: sorted(map(str, found)) for key, found in query([*map(known_symbol, facts)]).items()
    }


def comes_back(folder: Path, text: str) -> None:
    first = imported(sheet(folder, text))
    second = aspgames.load(exported(first, folder))
    base = first.encoding.parts["base"]
    wanted = sorted({signature for rule in map(rule_of, base) for signature in rule.heads})
    for facts in ((), first.initial.facts):
        assert atoms(first, facts, wanted) == atoms(second, facts, wanted)


@few_or_many(12, 100, text=sheets())
def test_the_same_follows_from_what_comes_back(text: str) -> None:
    with TemporaryDirectory() as folder:
        comes_back(Path(folder), text)


COMPUTING = (
    "p(X+{a}) :- true(at(X)), X < {b}.",
    "p(X*{a}) :- true(at(X)), true(by(Y,_)), X+Y >= {b}, not true(at(Y+{a})).",
    "q(|X-{a}|,Y) :- true(by(X,Y)).",
    "q({a}..X,c) :- true(at(X)), not true(by(_,X)).",
    "r(f(X)) :- p(X), X \\ 2 = 1.",
    "r(Z) :- p(X), q(Z,_), Z-X != {b}, not X = {a}.",
    "s :- {a} <= X <= {b}, true(at(X)).",
    "s :- W = X*X-{a}, true(at(X)), true(at(W)).",
    "t(X,Y) :- true(at(X)), n(Y), X = Y+({a};{b}).",
    "t(f(X),Y) :- q(X,Y), not n(X+{a}), X/{b} = Y, X > Y.",
)
BESIDE = """
n(1..3). base(at(1..4)). base(by(1..3,(2;b))). to_move(me).
terminal :- true(at(9)), p(_), q(_,_), r(_), s, t(_,_).
"""


@given(
    forms=st.lists(st.sampled_from(COMPUTING), min_size=1, max_size=6, unique=True),
    numbers=st.lists(st.integers(1, 4), min_size=2, max_size=2),
    facts=st.sets(st.sampled_from(["at(1)", "at(2)", "at(4)", "by(1,2)", "by(3,b)", "by(2,2)"])),
)
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_computed_comes_back(
    tmp_path: Path, forms: list[str], numbers: list[int], facts: set[str]
) -> None:
    rules = "\n".join(form.format(a=numbers[0], b=numbers[1]) for form in forms)
    first = game(tmp_path, f"{COUNTING}{BESIDE}{rules}")
    second = aspgames.load(exported(first, tmp_path))
    wanted = [("p", 1), ("q", 2), ("r", 1), ("s", 0), ("t", 2)]
    assert atoms(first, sorted(facts), wanted) == atoms(second, sorted(facts), wanted)


# --- the text of sheets ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("p(a;b). q(1..2,c). terminal :- p(X), not q(X,c).",
         ["(p a) (p b) (q 1 c) (q 2 c)", "(<= terminal (p ?x) (not (q ?x c)))"]),
        ("p(X) :- true(at(X)), X != 2.", ["(<= (p ?x) (true (at ?x)) (distinct ?x 2))"]),
        ("p(X) :- true(at(X)), not X != 2.", ["(<= (p 2) (true (at 2)))"]),
        (
            "n(1..3). terminal :- n(X), true(at(X)), not X < 3.",
            [
                "(n 1) (n 2) (n 3)",
                "(<= terminal (n ?x) (true (at ?x)) (at_least_3 ?x))",
                "; (at_least_3 ?1): ?1 >= 3",
            ],
        ),
        ("p(X,Y) :- true(at(X)), Y = f(X).", ["(<= (p ?x (f ?x)) (true (at ?x)))"]),
        ("p(X) :- true(at(X)), f(X,1) = f(2,Y), true(at(Y)).",
         ["(<= (p 2) (true (at 2)) (true (at 1)))"]),
        ("p(X) :- true(at(X)), f(X) = g(X). q.", ["q"]),
        ("p :- true(at(_)), not not q. q :- true(at(1)).",
         ["(<= p (true (at ?any)) q)", "(<= q (true (at 1)))"]),
        ("#const most = 3. p :- true(at(most)).", ["(<= p (true (at 3)))"]),
        (
            "p(X,x) :- true(at(X)), not true(by(_,X,_)). true_by(X) :- true(by(1,X,Y)).",
            [
                "(<= (some_by ?x1) (true (by ?any ?x1 ?any_2)))",
                "(<= (p ?x x) (true (at ?x)) (not (some_by ?x)))",
                "(<= (true_by ?x) (true (by 1 ?x ?y)))",
            ],
        ),
        (
            "next(at(N+1)) :- true(at(N)), N < 4.",
            [
                "(<= (next (at ?n2)) (true (at ?n)) (less_than_4 ?n) (plus_1 ?n ?n2))",
                "; (less_than_4 ?1): ?1 < 4",
                "(less_than_4 1) (less_than_4 2) (less_than_4 3)",
                "; (plus_1 ?1 ?2): ?2 = ?1+1",
                "(plus_1 1 2) (plus_1 2 3) (plus_1 3 4)",
            ],
        ),
        ("n(1..3). p(X,Y) :- n(X), n(Y), X < Y. terminal :- p(3,1).",
         ["(n 1) (n 2) (n 3) (p 1 2) (p 1 3) (p 2 3)", "(<= terminal (p 3 1))"]),
        (
            "n(1..2). terminal :- true(at(X)), n(Y), X+1 < Y.",
            [
                "(n 1) (n 2)",
                "(<= terminal (true (at ?x)) (n ?y) (plus_1_less_than ?x ?y))",
                "; (plus_1_less_than ?1 ?2): ?1+1 < ?2",
            ],
        ),
        ("goal(me,f,1) :- true(at(1)).", ["(<= (goal_2 me f 1) (true (at 1)))"]),
        ("or(X) :- true(at(X)).", ["(<= (or_2 ?x) (true (at ?x)))"]),
        ("p(aB,ab) :- true(at(1)).", ["(<= (p aB_2 ab) (true (at 1)))"]),
        ("p(Ab,AB) :- true(at(Ab)), true(at(AB)).",
         ["(<= (p ?ab ?ab_2) (true (at ?ab)) (true (at ?ab_2)))"]),
        ('#program board. kif_name(at,"@"). kif_relation(p,"p?"). #program base. p.', ["p?"]),
    ],
)  # fmt: skip
def test_what_is_said_otherwise(tmp_path: Path, rules: str, said: list[str]) -> None:
    found = lines(tmp_path, rules)
    assert found[: len(said)] == said or sorted(set(said) - set(found)) == []
    in_lockstep(
        game(tmp_path, COUNTING + rules),
        imported(exported(game(tmp_path, COUNTING + rules), tmp_path)),
    )


_TWO = "init(die(1)). next(die(3-M)) :- true(die(M)). init(on(1,1)). "


@pytest.mark.quick(6)
@pytest.mark.parametrize(
    "rules",
    [
        "next(at(N+M)) :- true(at(N)), true(die(M)), N < 4.",
        "next(at(|N-M|)) :- true(at(N)), true(die(M)), N < 4.",
        "next(on(N+M,M)) :- true(on(N,K)), true(die(M)), N+K < 9.",
        "next(at(4)) :- true(at(N)), true(die(M)), (N,M) != (1,2).",
        "next(at(4)) :- true(at(N)), true(die(M)), (N,M) <= (M,N).",
        "next(at(4)) :- true(at(N)), true(die(M)), (N,M,1) > (1,2,0), not (N,M) = (9,9).",
        "next(at(4)) :- true(at(N)), true(die(M)), (N,M) = (M+1,2), (N,N) != (M,M,M).",
        "next(on(N,M)) :- true(at(N)), true(die(M)), (N,1) < (M,2), (N,M) != (M,N).",
        "p((N,M)) :- true(at(N)), true(die(M)). next(at(4)) :- p((1,M)), not p((M,M)).",
        "p((1,2),a). p((),(3,)). next(at(4)) :- p((N,M),a), true(at(N)), p((),P), P != (N,).",
        "tuple(tuple(1),(1,2)). next(at(4)) :- tuple(A,B), A != B, P = (N,2), P = B, true(at(N)).",
    ],
)
def test_sums_of_fluents_and_tuples_are_played_alike(tmp_path: Path, rules: str) -> None:
    """The export is read back, and every line of play is compared."""
    own = game(tmp_path, COUNTING + _TWO + rules)
    in_lockstep(own, imported(exported(own, tmp_path)))


_COUNTS = (
    "next(by(N,2)) :- N = #count { X : true(at(X)) }, true(die(_)).",
    "next(by(K,S)) :- true(die(K)), S = #sum { X,Y : true(on(X,Y)), X < 5; -X,Y : true(on(Y,X)) }.",
    "next(by(K,1)) :- true(die(K)), true(on(_,M)), #count { X : true(at(X)), X != K } >= M, M < 3.",
    "next(by(1,K)) :- true(die(K)), not 1 < #count { X : true(on(X,_)) }.",
    "terminal :- 2 <= { true(at(X)) : X = 1..5; true(die(1)) } <= 4, true(on(3,_)).",
    "next(at(2)) :- true(on(K,_)), 2 < #sum { 1,a : true(die(K)); X-2,b : true(at(X)) }.",
    "next(by(N,3)) :- K = 1..3, true(at(K)), N = #count { X,K : true(on(X,_)), not true(die(X)) }.",
    "next(at(1)) :- #count { X : true(at(X)), X > 9 } < 1, not true(at(4)).",
    "next(by(N,4)) :- N = #sum { a,X : true(at(X)); X,X : true(on(X,X)) }.",
)


@given(
    rules=st.lists(st.sampled_from(_COUNTS), min_size=1, max_size=3, unique=True),
    start=st.sets(st.sampled_from(["at(2)", "at(3)", "on(2,2)", "on(3,1)"])),
)
@settings(max_examples=3, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_counts_and_sums_are_played_alike(
    tmp_path: Path, rules: list[str], start: set[str]
) -> None:
    more = "".join(f"init({fluent}). " for fluent in start)
    kept = "next(at(N)) :- true(at(N)), N < 4. next(on(N,M)) :- true(on(M,N)), true(die(_))."
    own = game(tmp_path, "\n".join([COUNTING, _TWO, more, kept, *rules]))
    in_lockstep(own, imported(exported(own, tmp_path)))


@pytest.mark.parametrize(
    ("rules", "what"),
    [
        ("{ next(at(1)) } :- true(at(9)).", "a choice"),
        ("next(at(1)) ; next(at(2)) :- true(at(9)).", "a disjunction"),
        (":- true(at(2)).", "a constraint"),
        ("terminal :- 2 #max { N : true(at(N)) }.", "an aggregate other than #count and #sum"),
        ("p :- 1 #count { N : true(at(N)), p }. terminal :- p.", "a count of what depends on it"),
        (
            "next(at(N)) :- N = #count { X : true(at(X)) }.",
            "a count of elements that depend on a count",
        ),
        ("terminal :- not true(at(N)) : role(N).", "a conditional literal"),
        ('next(at("here")) :- true(at(1)).', "a string"),
        ("next(at((1,2))) :- true(at(1)).", "a tuple"),
        ("-q :- true(at(1)). terminal :- -q.", "a classical negation"),
        (
            "distinct(a,N) :- true(at(N)). terminal :- distinct(a,1).",
            "distinct/2, which is a keyword of KIF",
        ),
        ("#external next(at(7)).", "this directive (#external)"),
        ("terminal :- true(F), F < at(3).", "a computation with F, whose values aren't known"),
    ],
)
def test_what_cannot_be_said_is_refused_with_its_line(
    tmp_path: Path, rules: str, what: str
) -> None:
    with pytest.raises(RulesError) as refused:
        sheet_of_game(game(tmp_path, f"{COUNTING}\n{rules}"))
    line = COUNTING.count("\n") + 2
    assert str(refused.value) == f"{tmp_path}/own.lp:{line}: KIF can't express {what}"


def test_what_no_question_needs_is_left_out_if_it_cannot_be_said(tmp_path: Path) -> None:
    rules = "p(S) :- S = #count { N : true(at(N)) }. to_move(me). q(N+1) :- true(at(N)), q(N)."
    assert lines(tmp_path, rules) == []


@pytest.mark.parametrize(
    "rule", ["N+1)) :- true(at(N))", "N*2)) :- true(at(N))", "N-1)) :- true(at(N)), N < 9"]
)
def test_numbers_without_a_bound_are_refused_with_the_line(tmp_path: Path, rule: str) -> None:
    told = r"own.lp:9: KIF can't count: the numbers at argument 1 of at/1 .* such as N < 60"
    with pytest.raises(RulesError, match=told):
        lines(tmp_path, f"\nnext(at({rule}.")


def test_recursion_through_negation_is_refused(tmp_path: Path) -> None:
    rules = "p :- not q. q :- not p, true(at(1)). terminal :- p."
    with pytest.raises(RulesError, match=r"own.lp:8: [pq]/0 depends on its own negation"):
        lines(tmp_path, rules)


def test_comments_stand_above_their_rules(tmp_path: Path) -> None:
    told = """
% What it is.

% --- the roles ---
role(me). % not above anything
%* not a line
*%
% of a constant
#const a = 1.
% where it begins
init(at(a)).
#include "other.lp".

% The end.
terminal.
"""
    (tmp_path / "other.lp").write_text("% another file\nlegal(me,go).\n")
    assert (
        sheet_of_game(game(tmp_path, told))
        == """; own

; another file
(legal me go)

; What it is.

; --- the roles ---
(role me)
; where it begins
(init (at 1))

; The end.
terminal
"""
    )


def test_all_fluents_are_told_where_all_are_known(tmp_path: Path) -> None:
    told = "base(at(1..5))."
    all_of_them = "(base (at 1)) (base (at 2)) (base (at 3)) (base (at 4)) (base (at 5))"
    assert lines(tmp_path, told) == [all_of_them]
    listed = lines(tmp_path, f"#program board. {told}")
    assert listed[:2] == ["; Every fluent there is.", all_of_them]
    unlisted = "next(by(1)) :- true(at(1)). #program board. base(at(1..5))."
    assert not any("base" in line for line in lines(tmp_path, unlisted))


@pytest.mark.parametrize(
    "name", ["breakthrough", *(pytest.param(name, marks=pytest.mark.slow) for name in LARGE[1:3])]
)
def test_every_legal_move_is_an_input(tmp_path: Path, name: str) -> None:
    state = aspgames.load(name).initial
    second = aspgames.load(exported(state.game, tmp_path))
    inputs = set(atoms(second, (), [("input", 2)])["input", 2])
    for _ in range(6):
        for role, moves in state.legal.items():
            assert {f"input({role},{move.term})" for move in moves} <= inputs
        state = state.play(state.legal_moves[-1])


def test_moves_that_rules_do_not_name_are_no_inputs(tmp_path: Path) -> None:
    listed = "#program board. base(at(1..5))."
    assert "(input ?r (go ?x1))" in "".join(lines(tmp_path, listed))
    anything = "legal(me,M) :- option(M). option(go(7))."
    assert not any("input" in line for line in lines(tmp_path, anything + listed))


# --- the command line -----------------------------------------------------------------------------


def test_export_writes_a_file_or_to_standard_output(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "b.kif"
    small = ("breakthrough", "-c", "width=2", "-c", "height=4")
    run = call("export", *small, "-o", str(file))
    assert (run.code, run.out, run.err) == (0, f"Rule sheet: {file}\n", "")
    assert file.read_text() == call("export", *small).out
    assert call("perft", str(file), "--depth", "3").code == 0


def test_what_cannot_be_exported(call: Call, tmp_path: Path) -> None:
    own = game(tmp_path, f"{COUNTING}:- true(at(2)).", "refused")
    assert_refused(call("export", own.encoding.reference), "can't express a constraint")
    assert_refused(call("export", "breakthrough", "-o", str(tmp_path / "no/b")), "can't be written")
