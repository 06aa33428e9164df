"""Likely mistakes in users' own rules, and their messages."""

from pathlib import Path

import pytest

import aspgames
from aspgames.gdl.encoding import read_encoding
from aspgames.gdl.lint import growing, mistakes
from cli_helpers import Call, assert_refused, run, write_rules
from paths import ROOT

END = (ROOT / "encodings/shared/lines.lp").read_text().partition("% ---")[0]
TICTACTOE = (ROOT / "encodings/gallery/tictactoe.lp").read_text()
TICTACTOE = TICTACTOE.replace('#include "shared/lines.lp".', "")
TICTACTOE = TICTACTOE.replace("#program board.", END + "#program board.")
"""Tic-tac-toe, with the rules of its end in the same file."""


def told(folder: Path, text: str) -> list[str]:
    return list(map(str, mistakes(read_encoding(str(write_rules(folder, text))))))


def changed(old: str, new: str) -> str:
    assert old in TICTACTOE
    return TICTACTOE.replace(old, new)


def test_sentences_may_ask_for_what_those_of_shared_files_say(tmp_path: Path) -> None:
    more = 'because(empty(X,Y),"{} is there",(N,)) :- fails(empty(X,Y)), seen(X,Y,N).\n'
    assert told(tmp_path, TICTACTOE + more) == []
    (tmp_path / "why").mkdir()
    (tmp_path / "why/own.lp").write_text(more.replace("seen(", "sene("))
    assert told(tmp_path, TICTACTOE) == [
        "why/own.lp:1: sene/3 is never defined; did you mean seen/3?"
    ]


@pytest.mark.parametrize("name", ["amazons", "amazons_8x8", "breakthrough", "skirmish"])
def test_nothing_would_be_said_of_the_games_that_come_with_it(tmp_path: Path, name: str) -> None:
    sources = aspgames.load(name).encoding.sources
    parts = ["#program base.\n" + source.text for source in sources]
    assert told(tmp_path, "\n".join(parts)) == []
    assert mistakes(aspgames.load(name).encoding) == []


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("empty(X,Y).", "emtpy(X,Y).", "17: emtpy/2 is never defined; did you mean empty/2?"),
        ("\nlegal(", "\nleagl(", "17: leagl/2 is never used; did you mean legal/2?"),
        ("legal(R,mark(X,Y))", "legal(mark(X,Y))", "17: legal/1 is never used; legal(R,M) has"),
        ("does(R,mark(X,Y))", "does(mark(X,Y),R)", "23: does(mark(X,Y),R): mark(X,Y) is no role"),
        (":- does(", ":- doess(", "23: doess/2 is never defined; did you mean does/2?"),
        ("does(R,mark(X,Y))", "does(R,mrak(X,Y))", "23: no move is called mrak/2; did you"),
        ("true(cell(X,Y,R)).", "true(sell(X,Y,R)).", "22: no rule makes the fluent sell/3"),
        ('#include "shared/board.lp".', "", "17: empty/2 is never defined; shared/board.lp"),
        ("terminal", "terminus", "own.lp: there is no terminal, so the game never ends"),
        ("\ngoal(", "\npoints(", "own.lp: there is no goal/2, so nobody can win"),
        ("terminal :- line(_).", "p :- not q. q :- not p. terminal :- p.", "40: p/0 depends"),
        ("init(", "n(0). n(N+1) :- n(N). init(", "12: n/1 may grow without end: give"),
        ("init(", "p(1) :- not q(f(1)). q(f(X)) :- p(X). init(", "12: q/1 depends on"),
        ("init(", "#const n=1. p(n) :- not p(1). init(", "12: p/1 depends on its own"),
        ("init(", "init(c(0)). next(c(N+1)) :- true(c(N)). init(", "12: next/1 may"),
        ("init(", "init(c(0)). next(c(f(N))) :- true(c(N)). init(", "12: next/1 may"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_its_place(
    tmp_path: Path, old: str, new: str, sentence: str
) -> None:
    found = told(tmp_path, changed(old, new))
    assert any(sentence in line and line.startswith("own.lp:") for line in found), found


def test_what_a_game_lacks(tmp_path: Path) -> None:
    assert [line.partition("no ")[2].split(",")[0] for line in told(tmp_path, "role(a).")] == [
        "legal/2",
        "next/1",
        "terminal",
        "goal/2",
        "init/1",
    ]


@pytest.mark.parametrize(
    "rules",
    [
        "n(0). n(N+1) :- n(N), N < 9.",
        "n(0). n(M) :- n(_), M = 1..9.",
        "won(a,100) :- not won(a,0). won(a,0) :- true(control(b)). terminal :- won(a,100).",
        "init(c(0)). next(c(N+1)) :- true(c(N)), N < 60.",
        "init(c(0)). next(c(N)) :- true(c(N)).",
        "p(X+1) :- q(X). q(1..3).",
        "#defined never_said/1. q :- never_said(1).",
        "#const one = xplayer. legal(one,mark(1,1)) :- true(cell(9,9,b)).",
        ":- role(_), not role(S), role(S).",
        "q(X) :- board(X,_). -r :- q(1). :- -r, q(9).",
    ],
)
def test_what_is_no_mistake(tmp_path: Path, rules: str) -> None:
    assert told(tmp_path, changed("init(", f"{rules} init(")) == []


def test_each_is_told_once_in_the_order_of_the_lines(tmp_path: Path) -> None:
    found = told(tmp_path, changed("opponent(R,S)", "oponent(R,S), empy(1,1), empy(1,2)"))
    assert [line.split(": ")[0] for line in found] == ["own.lp:44", "own.lp:44"]
    assert growing(read_encoding("breakthrough")) == []


@pytest.mark.parametrize("verb", [["legal"], ["show"], ["play", "b2"], ["legal", "--json"]])
def test_a_warning_is_told_beside_the_answer(call: Call, folder: Path, verb: list[str]) -> None:
    write_rules(folder, changed("line(S)", "lime(S)"))
    name, *rest = verb
    words = ["startpos", *rest] if rest == ["b2"] else rest
    result = call(name, "own.lp", *words)
    assert result.code == 0
    assert result.err == (
        "aspgames: warning: own.lp:44: lime/1 is never defined; did you mean line/1?\n"
    )


@pytest.mark.slow
def test_what_may_never_end_is_named_when_it_did_not(tmp_path: Path) -> None:
    write_rules(
        tmp_path, TICTACTOE.replace("init(", "n(0). n(N+1) :- n(N). terminal :- n(-1). init(")
    )
    result = run("legal", "own.lp", "--time", "1", cwd=tmp_path)
    assert_refused(result, "own.lp:12: n/1 may grow without end: give (N+1) a bound", code=3)


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        ("p :- not p. terminal :- p.", "no answer set (p/0 depends on its own negation: "),
        ("p :- not q. q :- not p. terminal :- p.", "q/0 depends on its own negation"),
        ("{ p }. terminal :- p.", "own.lp:12 is no rule with one atom as its head"),
    ],
)
def test_rules_that_settle_nothing_say_where(tmp_path: Path, rules: str, reason: str) -> None:
    path = write_rules(tmp_path, TICTACTOE.replace("init(", f"{rules} init("))
    with pytest.raises(aspgames.RulesError) as refused:
        _ = aspgames.load(str(path)).initial.legal_moves
    assert reason in str(refused.value)


def test_a_rule_is_shown_as_it_was_written(tmp_path: Path) -> None:
    path = write_rules(tmp_path, TICTACTOE.replace("init(", "terminal :- not p(X). init("))
    with pytest.raises(aspgames.RulesError) as refused:
        _ = aspgames.load(str(path)).initial.legal_moves
    assert "inc_base" not in str(refused.value)
    assert "<string>" not in str(refused.value)
    assert "own.lp:12" in str(refused.value)


@pytest.mark.parametrize(
    ("rules", "grows"),
    [
        ("next(turn(3-N)) :- true(turn(N)).", False),
        ("next(turn(-1*N)) :- true(turn(N)).", False),
        ("next(turn(3-N)) :- true(turn(N)), odd. next(turn(4-N)) :- true(turn(N)), not odd.", True),
        ("next(turn(N-3)) :- true(turn(N)).", True),
    ],
)
def test_numbers_that_only_alternate_do_not_grow(tmp_path: Path, rules: str, grows: bool) -> None:
    text = f"role(a). init(turn(1)). odd :- true(turn(1)). {rules}"
    assert any("may grow" in sentence for sentence in told(tmp_path, text)) == grows
