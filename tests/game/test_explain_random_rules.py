"""Explanations of random rules: the facts that an explanation calls sufficient do suffice."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

import clingo
import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

import aspgames
from aspgames import BadMove, Explanation, Game, Reason

FEW = settings(
    derandomize=True,
    max_examples=2,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.reuse, Phase.generate),  # shrinking takes minutes
)
FLUENTS = ("p(1)", "p(2)", "p(3)", "q(1)", "q(2)", "r")
STATES = [frozenset(chosen) for n in range(7) for chosen in combinations(FLUENTS, n)]
FRAME = """
role(solo). to_move(solo). d(1..3). e(1,2). e(2,3).
base(p(1..3)). base(q(1..2)). base(r). init(p(1)). init(r).
next(F) :- true(F).
"""
MOVES = ("m(1)", "m(2)", "m(3)", "m(4)", "m(-1)", "stop")

signs = st.sampled_from(["", "", "", "not ", "not ", "not not "])
terms = st.sampled_from(
    ["X", "X", "X", "1", "2", "3", "X+1", "X-1", "3-X", "1..2", "X..3", "(1;3)", "(X;X+1)", "_"]
)
heads = st.sampled_from(["X", "X", "1", "X+1", "1..X", "(X;4)", "X..X+1", "|X-3|", "-X"])


def atoms(level: int) -> st.SearchStrategy[str]:
    """Atoms that a rule of a level may ask for."""
    names = ["true(p({}))"] * 2 + ["true(q({}))", "true(r)"]
    names += [f"h{n}({{}})" for n in range(level)]
    return st.builds(str.format, st.sampled_from(names), terms)


def conditions(level: int) -> st.SearchStrategy[str]:
    """What the body of a rule of a level may have."""
    inner = [f"h{n}(Y)" for n in range(level)] + ["true(p(Y))", "not true(p(Y))", "true(q(Y))"]
    of = st.sampled_from(inner)
    return st.one_of(
        *[st.builds("{}{}".format, signs, atoms(level))] * 3,
        st.builds("{}#count {{ Y : d(Y), {} }} {} X".format, signs, of, st.sampled_from("<>=")),
        st.builds("1 <= #sum {{ Y,1 : d(Y), {}; -1,2 : {} }} <= 3".format, of, atoms(level)),
        st.builds("{} : d(Y), Y {} X".format, of, st.sampled_from(["<", "!=", ">"])),
        st.sampled_from(["X < 3", "X != 2", "X = 1..2", "X = (1;3)", "not X = 3", "1 < X <= 3"]),
    )


def rules(level: int, head: str) -> st.SearchStrategy[str]:
    """Rules for a head, which ask for levels below."""
    bodies = st.lists(conditions(level), min_size=1, max_size=3)
    recursion = st.sampled_from([[], [], [], [f"h{level}(X-1)"]])
    return st.builds(
        lambda h, bound, body, more: f"{head.format(h)} :- {'; '.join([bound, *body, *more])}.",
        heads,
        st.sampled_from(["d(X)", "d(X)", "e(X,_)", "true(p(X))"]),
        bodies,
        recursion if head.startswith("h") else st.just([]),
    )


programs = st.tuples(
    st.lists(rules(0, "h0({})"), min_size=1, max_size=2),
    st.lists(rules(1, "h1({})"), min_size=1, max_size=2),
    st.lists(rules(2, "legal(solo,m({}))"), min_size=1, max_size=3),
    st.lists(rules(2, "terminal"), max_size=2),
    st.lists(rules(2, "goal(solo,10*({}))"), max_size=1),
).map(lambda parts: "\n".join(line for part in parts for line in part))


def load(rules: str, frame: str = FRAME) -> Game:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "own.lp"
        file.write_text("#defined h0/1. #defined h1/1.\n" + frame + rules)
        return aspgames.load(str(file))


def follows(game: Game, state: frozenset[str], asked: Sequence[str]) -> frozenset[str]:
    """What holds in a state, as clingo has it: atoms, and conditions by their texts."""
    return clingo_says(game.encoding.sources[-1].text, state, tuple(asked))


@lru_cache(maxsize=1 << 12)
def clingo_says(text: str, state: frozenset[str], asked: tuple[str, ...]) -> frozenset[str]:
    control = clingo.Control(["--warn=none"])
    text += "".join(f"true({fluent}). " for fluent in state)
    text += "".join(f'asked("{n}") :- {condition}.\n' for n, condition in enumerate(asked))
    control.add("base", [], text)
    control.ground()
    found = list[str]()
    with control.solve(yield_=True) as models:
        for model in models:
            found += map(str, model.symbols(atoms=True))
    return frozenset(found)


def everything(reasons: Sequence[Reason]) -> Iterator[Reason]:
    for reason in reasons:
        yield reason
        yield from everything(reason.because)


def assert_right(game: Game, state: frozenset[str], found: Explanation, atom: str) -> None:
    """The claim holds in every state with the facts of the explanation."""
    parts = list(everything(found.reasons))
    present = {fact for part in parts for fact in part.facts}
    absent = {fact for part in parts for fact in part.absent}
    assert present <= state
    assert not absent & state
    asked = sorted({part.condition for part in parts if not part.condition.startswith("_")})
    counted = "h0(N)" in game.encoding.sources[-1].text  # isn't looked into
    unclear = [text for text in asked if "#" in text or ": " in text or (counted and "h0" in text)]
    now = follows(game, state, unclear)
    assert found.holds == (atom in now), (atom, sorted(state))
    here = {a for a in now if a.startswith("asked")}
    hidden = atom.partition("(")[0] in {name for name, _ in game.explainer._rules._hidden}
    agreeing = [other for other in STATES if present <= other and not absent & other]
    for other in agreeing:
        then = follows(game, other, unclear)
        if hidden or here != {a for a in then if a.startswith("asked")}:
            continue
        assert found.holds == (atom in then), (atom, sorted(state), sorted(other), str(found))
    if found.never or (found.whole and not found.holds and not present | absent):
        assert not any(atom in follows(game, other, ()) for other in STATES)
    if "in every position" in str(found):
        assert all(atom in follows(game, other, ()) for other in STATES)


def assert_explained(game: Game, facts: frozenset[str]) -> None:
    """Every question about a state has a right answer."""
    state = game.state(tuple(sorted(facts)))
    now = follows(game, facts, ())
    goals = {atom for atom in now if atom.startswith("goal(")}
    settled = len(goals) < 2 and not any("(solo,-" in atom for atom in goals)
    explained = game.explainer.legal(state.facts, "solo", dict.fromkeys(MOVES, ""))
    for move, found in zip(MOVES, explained, strict=True):
        assert_right(game, facts, found, f"legal(solo,{move})")
        if "terminal" in now and not settled:
            continue  # the rules are at fault
        try:
            state.why(move)
        except BadMove:
            assert not any(f"legal(solo,{move})" in follows(game, s, ()) for s in STATES)
    if settled:
        assert_right(game, facts, state.why_terminal(), "terminal")
        found = state.why_goal("solo")
        assert found.holds == bool(goals)
        for atom in goals or [f"goal(solo,{value})" for value in range(-10, 50, 10)]:
            assert_right(game, facts, found, atom)


@given(program=programs, state=st.sampled_from(STATES))
@example(
    program="legal(solo,(m(X);stop)) :- true(p(X)), not true(q(1..2)).", state=frozenset({"p(2)"})
)
@example(program="legal(solo,m(X*X)) :- true(p(X)).", state=frozenset({"p(2)"}))
@example(
    program="h0(N) :- #count { Y : true(p(Y)) } = N.\nlegal(solo,m(X)) :- d(X), not h0(X).",
    state=frozenset({"p(2)"}),
)
@example(  # each demand computes another one
    program="h1((X;4)) :- true(p(X)), h1(X-1).\n"
    "legal(solo,m(-X)) :- d(X), not not h0(X..3), h1((X;X+1)).\nh0(X) :- true(p(X)).",
    state=frozenset({"p(3)", "r"}),
)
@FEW
def test_what_is_named_is_enough(program: str, state: frozenset[str]) -> None:
    assert_explained(load(program), state)


@pytest.mark.slow
@given(program=programs, state=st.sampled_from(STATES))
@example(program="legal(solo,m(1..X)) :- true(p(X)).", state=frozenset({"p(2)"}))
@example(program="legal(solo,m(|X|)) :- true(p(X)).", state=frozenset({"p(2)"}))
@example(
    program="h0(N) :- #count { Y : true(p(Y)) } = N.\nlegal(solo,m(X)) :- h0(X).",
    state=frozenset({"p(2)"}),
)
@example(
    program="h0((X;4)) :- d(X), X != 3.\n"
    "legal(solo,m(X..X+1)) :- d(X), not not #count { Y : d(Y), h0(Y) } < X, true(r).",
    state=frozenset({"r"}),
)
@settings(FEW, max_examples=25)
def test_what_is_named_is_enough_in_many_games(program: str, state: frozenset[str]) -> None:
    assert_explained(load(program), state)
