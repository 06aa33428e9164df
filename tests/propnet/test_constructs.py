"""Each construct of clingo's language: what the grounder, the net, ``why`` and KIF make of it."""

import re
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import pytest

import aspgames
from aspgames.game.game import Game
from aspgames.game.kif_export.rule_sheet import sheet_of_game
from aspgames.gdl.reasoner.grounder import Grounder
from aspgames.propnet.net_reasoner import NetReasoner
from aspgames.propnet.reachable_nets import net_for
from aspgames.runtime.errors import RulesError
from cli_helpers import write_rules
from paths import ROOT

GAME = """\
role(solo). n(1..3). init(on(1)). init(step(0)). to_move(solo).
legal(solo,flip(N)) :- n(N).
next(on(N)) :- true(on(N)), not does(solo,flip(N)).
next(on(N)) :- does(solo,flip(N)), not true(on(N)).
next(step(N+1)) :- true(step(N)), N < 3.
terminal :- true(step(3)).
goal(solo,100) :- yes.
goal(solo,0) :- not yes.
"""
CONSTRUCTS = {
    "`not p(X)`": "yes :- n(N), not true(on(N)).",
    "`not not p(X)`": "yes :- not not true(on(2)).",
    "`X = 1..3`, `(a;b)` in a body": "yes :- true(on((1;3))), true(on(N)), N = 2..3.",
    "`p(1..3)`, `p(a;b)` in a head": "m(1..2;a) :- true(on(2)). yes :- m(a).",
    "arithmetic, `\\`, `**`, `&`": "yes :- true(on(N)), (N**2-1)/2 = 4\\5, N & 3 = 3.",
    "`1 < X < Y`": "yes :- true(on(N)), true(on(M)), 0 < N < M < 3.",
    "texts, tuples, nested functions": 'm("a",(N,f(N))) :- true(on(N)). yes :- m(_,(2,f(2))).',
    "recursion": "r(1) :- true(on(1)). r(N+1) :- r(N), true(on(N+1)), N < 3. yes :- r(3).",
    "`#count`, `2 { p(X) } 3` in a body": "yes :- 2 { true(on(N)) } 2, #count{ N: true(on(N)) }>1.",
    "`#sum`, `#sum+`, also with negative weights": "yes :- #sum{ N: true(on(N)); -9: true(on(3)) }"
    " < 1, #sum+{ N: true(on(N)) } > 0.",
    "`#min`, `#max`": "yes :- #min{ N: true(on(N)) } = 2. yes :- #max{ N: true(on(N)) } = 1.",
    "`X = #sum { … }`": "sum(S) :- S = #sum{ N: true(on(N)) }. yes :- sum(5).",
    "`not #count { … } > 1`": "yes :- not #count{ N: true(on(N)) } > 1.",
    "`p(X) : q(X)` in a body, `q` fixed": "yes :- true(on(N)) : n(N), N > 1.",
    "`p(X) : q(X)` in a body, `q` of the state": "yes :- N < 3 : true(on(N)).",
    "`-p(X)`": "-dark :- true(on(1)). dark :- not true(on(1)). yes :- -dark.",
    "`-p(X)` beside `p(X)`": "-p :- true(on(1)). p :- true(on(2)). yes :- p. yes :- -p.",
    "`#const`, `#include`, `#defined`, `#show`": "#const k=2. #defined z/1. #show yes/0. "
    "yes :- true(on(k)).",
    "`#minimize`, `:~`, `#external`, `#project`, `#heuristic`, `#edge`": "yes :- true(on(2)). "
    "#external z. #project yes/0. #heuristic yes. [1,true] #edge (1,2).",
    "`:- …` about the state": ":- true(on(1)), true(on(3)). yes.",
    "`{ p }` in a head": "{ yes }.",
    "`p ; q` in a head": "yes ; no.",
    "recursion through negation": "yes :- not no. no :- not yes.",
    "`&theory { … }`": "&diff { a } <= 3. yes.",
    "`#script`, `@f(X)`": "yes :- @f(1) = 2.",
}
STATES = [
    tuple(sorted([f"on({n})" for n in each] + [f"step({s})"]))
    for s in (0, 3)
    for size in range(4)
    for each in combinations((1, 2, 3), size)
]


def answers(game: Game) -> tuple[str, ...]:
    """Whether the grounder, the net, ``why`` and the export answer."""
    grounder = Grounder(game.rules)

    def by_net() -> bool:
        assert net_for(game.rules, game.initial.facts)
        net = NetReasoner(game.rules, [f for facts in STATES for f in facts])
        return all(net.consequences(facts) == grounder.consequences(facts) for facts in STATES)

    return (
        answer(lambda: all(grounder.consequences(facts) for facts in STATES), "settle"),
        answer(by_net, r"own\.lp:9(: a constraint|: an atom and its classical|\))"),
        answer(lambda: game.initial.why("flip(1)"), r"own\.lp:9\b"),
        answer(lambda: sheet_of_game(game), r"own\.lp:9\b"),
    )


def answer(question: Callable[[], object], words: str) -> str:
    """Whether a question is answered; an error must have some words."""
    try:
        assert question()
    except RulesError as error:
        if not re.search(words, str(error)):
            raise
        return "no"
    return "yes"


def row(folder: Path, construct: str) -> str:
    file = write_rules(folder, GAME + CONSTRUCTS[construct])
    try:
        game = aspgames.load(file)
        assert game.initial.legal_moves
    except RulesError as error:
        if not re.search(r"(own\.lp:|^)9\b", str(error)):
            raise
        return f"| {construct} | refused when the file is read | | | |"
    return f"| {construct} | {' | '.join(answers(game))} |"


@pytest.mark.quick(10)
@pytest.mark.parametrize("construct", CONSTRUCTS)
def test_the_table_of_constructs_is_true(tmp_path: Path, construct: str) -> None:
    page = (ROOT / "encodings/README.md").read_text()
    assert row(tmp_path, construct) in page.split("\n")


SIDES = (
    "init(side(a)). next(side(b)) :- true(side(a)). next(side(a)) :- true(side(b))."
    "-p :- true(side(a)). p :- true(side(b)). yes :- p. yes :- -p."
)


def test_an_atom_and_its_negation_are_proved_apart(tmp_path: Path) -> None:
    game = aspgames.load(write_rules(tmp_path, GAME + SIDES))
    assert net_for(game.rules, game.initial.facts).fluents
    both = (*game.initial.facts, "side(b)")
    with pytest.raises(RulesError, match="may hold together, so there is no net"):
        net_for(game.rules, both)
