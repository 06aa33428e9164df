"""Random programs from a grammar of clingo's language: grounder and net agree.

With ``--thorough`` they are compared on 10,000 states of 100 programs.
"""

import random
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import aspgames
from aspgames.gdl.reasoner.grounder import Grounder
from aspgames.propnet.net_reasoner import NetReasoner
from thoroughly import amount

FLUENTS = ("p(1)", "p(2)", "p(3)", "q(1)", "q(2)", "r", 's("one")', "t((1,f(2)))")
STATES = [tuple(sorted(each)) for n in range(9) for each in combinations(FLUENTS, n)]
FRAME = """
#include "more.lp".
role(solo). to_move(solo). init(p(1)). init(r). next(r) :- true(r), not does(solo,m(2)).
-h0(X) :- d(X), not h0(X).
#defined h0/1. #defined h1/1.
"""
MORE = """
#const k = 2.
d(1..k+1). e(1,2). e(k,3). name("one",1). name("two",k). pair((1,f(k)),1). pair((2,g(1)),3).
"""


def numbers(variable: str) -> st.SearchStrategy[str]:
    """Terms of a number, and of another one."""
    forms = ("{0}", "{0}", "{0}+1", "3-{0}", "({0}*2)\\3", "|{0}-2|", "1..{0}", "({0};2)", "-{0}",
             "{0}/k", "({0}+1)**2", "{0}&3", "f({0})", "({0},a)")  # fmt: skip
    return st.builds(str.format, st.sampled_from(forms), st.just(variable))


def conditions(level: int) -> st.SearchStrategy[str]:
    """What the body of a rule of a level may have."""
    own = [f"h{n}({{}})" for n in range(level)] + ["true(p({}))", "true(q({}))"] * 2
    own += ["-h0({})"] * (level > 0)
    atom = st.builds(str.format, st.sampled_from(own), st.sampled_from(["X", "X", "X+1", "3-X"]))
    inner = st.builds(str.format, st.sampled_from(own), st.just("Y"))
    sign = st.sampled_from(["", "", "not ", "not not "])
    signed = st.builds("{}{}".format, sign, inner)
    return st.one_of(
        *[st.builds("{}{}".format, sign, atom)] * 3,
        st.builds("{} : d(Y), {}".format, signed, inner),
        st.builds("{} : d(Y), Y {} X".format, signed, st.sampled_from(["<", "!=", ">"])),
        st.builds(
            "{}{} {{ Y,1 : d(Y), {}; -2*Y,2 : d(Y), {} }} {}".format,
            st.sampled_from(["", "not "]),
            st.sampled_from(["#sum", "#sum+", "#min", "#max", "#count"]),
            *(signed, signed),
            st.sampled_from(["<= X", ">= X", "!= 1", "= -2", "> -3"]),
        ),
        st.builds("X {} #sum {{ Y,1 : d(Y), {}; -1,2 : {} }}".format,
                  st.sampled_from("<>="), signed, atom),
        st.builds("1 {{ d(Y) : {} }} X".format, signed),
        st.sampled_from(
            ["X < 3", "not X = 3", "1 < X <= 3", "X = (1;3)", "name(S,X), true(s(S))", "true(r)",
             "not true(r)", "pair(T,X), true(t(T))", "true(t((X,f(_))))", "not true(s(_))",
             "true(p((X;2)))", "not true(q(1..X))", "X = #min { Y : d(Y), true(p(Y)) }"]
        ),
    )  # fmt: skip


def rules(level: int, head: str, *more: str) -> st.SearchStrategy[str]:
    """Rules for a head, which ask for levels below; ``more`` binds the number in its place."""
    binding = more or ["d(X)", "d(X)", "e(X,_)", "true(p(X))"]
    return st.builds(
        lambda term, bound, body: f"{head.format(term)} :- {'; '.join([bound, *body])}.",
        numbers("X") if "{" in head else st.just(""),
        st.sampled_from(binding),
        st.lists(conditions(level), min_size=1, max_size=3),
    )


PROGRAMS = st.tuples(
    st.lists(rules(0, "h0(X)"), min_size=1, max_size=2),
    st.lists(rules(1, "h1(X)"), max_size=2),
    st.lists(rules(2, "legal(solo,m({}))"), min_size=1, max_size=3),
    st.lists(rules(2, "next(p({}))", "does(solo,m(X)); d(X)", "true(p(X)); d(X)"), max_size=2),
    st.lists(
        rules(2, "next(q({}))", "does(_,m(X)); d(X)", "true(q(X)); d(X)"), min_size=1, max_size=2
    ),
    st.lists(rules(2, 'next((s("one");t((1,f(2)))))', "does(solo,m(X))", "d(X)"), max_size=1),
    st.lists(rules(2, "terminal"), max_size=2),
    st.lists(rules(2, "goal(solo,10*X)"), max_size=1),
).map(lambda parts: "\n".join(line for part in parts for line in part))


def compared(rules: str, states: int) -> int:
    """Compare the reasoners on so many states; returns how many the grounder has answers for."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "more.lp").write_text(MORE)
        (Path(folder) / "own.lp").write_text(FRAME + rules)
        game = aspgames.load(Path(folder) / "own.lp")
        grounder = Grounder(game.rules)
        net = NetReasoner(game.rules, FLUENTS)
        for facts in random.Random(1).sample(STATES, states):
            said = grounder.consequences(facts)
            assert net.consequences(facts) == said, (facts, rules)
            for move in said.legal["solo"][-1:]:
                joint = {"solo": move}
                then = grounder.successor(facts, joint)
                assert net.successor(facts, joint) == then, (facts, move, rules)
    return states


def settings_of(programs: int) -> settings:
    return settings(
        derandomize=True,
        max_examples=programs,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.explicit, Phase.generate),
    )


@settings_of(4)
@given(PROGRAMS)
def test_grounder_and_net_agree(rules: str) -> None:
    assert compared(rules, 4)


@pytest.mark.slow
@settings_of(amount(20, 100))
@given(PROGRAMS)
def test_grounder_and_net_agree_on_many_states(rules: str) -> None:
    assert compared(rules, 100)
