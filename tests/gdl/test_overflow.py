"""Arithmetic outside clingo's 32 bits: an error with its place, never an answer."""

from collections.abc import Sequence
from pathlib import Path

import pytest

import aspgames
from aspgames.asp.clingo_api import AST
from aspgames.asp.grounding import parse_statements
from aspgames.asp.rewrite import overflow
from aspgames.asp.rewrite.overflow import unproved, with_checks
from aspgames.asp.terms import Constants
from aspgames.gdl.encoding import games, read_encoding
from aspgames.gdl.predicates import NAMED
from aspgames.puzzle.problem import Puzzle
from aspgames.puzzle.proof.stepper import Probe, Stepper
from aspgames.runtime.budget import UNLIMITED
from aspgames.runtime.errors import BadPosition, RulesError

_TURNS = """role(white). role(black). init(control(white)). init(n(5)).
legal(R,go) :- true(control(R)).   legal(R,noop) :- role(R), not true(control(R)).
next(control(white)) :- true(control(black)).   next(control(black)) :- true(control(white)).
goal(white,100) :- terminal.   goal(black,0) :- terminal.
"""
_MOST = 2**31 - 1


def _game(folder: Path, rules: str, start: int = 5) -> aspgames.Game:
    file = folder / "game.lp"
    file.write_text(_TURNS.replace("n(5)", f"n({start})") + rules, encoding="utf-8")
    return aspgames.load(str(file))


_WRONG = {  # rules, and a number of which they compute too large a one
    "double": ("next(n(N*2)) :- true(n(N)). terminal :- true(n(N)), N < 0.", 1_100_000_000),
    "sum": ("next(n(N+M)) :- true(n(N)), true(n(M)). terminal :- true(n(N)), N < 0.", 2**30),
    "difference": ("next(n(N-M)) :- true(n(N)), M = -N. terminal :- true(n(N)), N < 0.", 2**30),
    "power": ("next(n(N**N)) :- true(n(N)). terminal :- true(n(N)), N < 0.", 2**20),
    "comparison": ("next(n(N)) :- true(n(N)). terminal :- true(n(N)), N*3 < 0.", 10**9),
    "negated": ("next(n(N)) :- true(n(N)). terminal :- not true(n(N+1)), true(n(N)).", _MOST),
    "inside": ("next(n(N)) :- true(n(N)). terminal :- true(n(N)), (N+N)/2 < N.", 2**30),
    "legal": ("next(n(N)) :- true(n(N)). legal(white,f(-N-9)) :- true(n(N)). terminal.", _MOST),
    "goal": ("next(n(N)) :- true(n(N)). terminal. goal(white,-N-9) :- true(n(N)).", _MOST),
    "count": (
        "next(n(N)) :- true(n(N)). terminal :- true(n(M)), 0 { true(n(X)) : X*M < 0 } 0.", 10**6,
    ),
    "elements": (
        "next(n(N)) :- true(n(N)). terminal :- 0 < #count { X*4 : true(n(X)) }.", 10**9,
    ),
    "total": (
        "next(n(N)) :- true(n(N)). terminal :- S = #sum { M,A : true(n(M)), A = 1..3 }, S < 0.",
        10**9,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", _WRONG)
def test_no_way_of_asking_answers(tmp_path: Path, name: str) -> None:
    """Neither the grounder nor the net, nor the checker, computes with a wrong number."""
    rules, start = _WRONG[name]
    game = _game(tmp_path, rules, start)
    place = r"game\.lp:5: .* is too large: numbers go up to 2,147,483,647"

    def ask() -> None:
        state = game.initial
        for _ in range(2):
            assert not state.is_terminal
            state = state.play("go")

    with pytest.raises(RulesError, match=place):
        ask()
    with pytest.raises(RulesError, match=place):
        aspgames.perft(game.initial, 2)
    with pytest.raises(RulesError, match=place):
        aspgames.solve(game.initial, attacker="white", goal="win", within=2)
    stepper = Stepper(Puzzle.read(game.initial, "white", "win", 2), UNLIMITED)

    def step() -> None:
        after = stepper.ask(Probe(stepper.start, moves=True)).after
        for state in after.values():
            stepper.ask(Probe(state, moves=True))

    with pytest.raises(RulesError, match=place):
        step()


@pytest.mark.parametrize("start", [5, 2**30 - 1, 2**30])
def test_only_numbers_that_the_rule_uses_count(tmp_path: Path, start: int) -> None:
    """A rule whose other conditions fail computes nothing."""
    rules = "next(n(N*2)) :- true(n(N)), N < M, small(M). small(1000). terminal :- true(n(0))."
    game = _game(tmp_path, rules, start)
    after = game.initial.play("go").facts
    assert ("n(10)" in after) == (start == 5)


_PROVED = {
    "bounded": "next(n(N+1)) :- true(n(N)), N < 60.",
    "other side": "next(n(M)) :- true(n(N)), M = N+1, 60 > N.",
    "result": "next(n(N+7)) :- true(n(N)), N+7 <= 60.",
    "square": "next(n(N+D)) :- true(n(N)), D = (-1;1), square(N+D). square(1..8).",
    "denied": "next(n(N*N)) :- true(n(N)), not N >= 100, not N < 1.",
    "count": "next(n(N*2)) :- N = #count { X : true(n(X)) }.",
    "total": "next(n(N*2)) :- N = #sum { X : p(X) }. p(1..9).",
    "chain": "next(n(N)) :- true(n(M)), big(M,N). big(M,M*M) :- M = 1..w. #const w = 9.",
}


@pytest.mark.parametrize("name", _PROVED)
def test_bounds_are_understood(tmp_path: Path, name: str) -> None:
    """Rules with bounds need no checks."""
    game = _game(tmp_path, _PROVED[name] + " terminal :- true(n(9)).")
    assert unproved(game.encoding.statements("base"), game.constants) == []


def test_rules_that_come_with_the_package_need_no_checks() -> None:
    """Their speed stays the same. Some have sums along chains, whose lengths aren't proved."""
    chains = {"backgammon", "battleship", "checkers", "mancala"}
    for name in set(games()) - chains:
        encoding = read_encoding(name)
        parts = encoding.statements("base", "board", "position")
        assert unproved(parts, encoding.constants) == []


def test_positions_have_numbers_for_which_rules_are_proved(tmp_path: Path) -> None:
    """A number beyond what play comes to is refused; one that play comes to is not."""
    game = _game(tmp_path, "next(n(N*900)) :- true(n(N)), N < 999. terminal :- true(n(0)).")
    for number in (2_000_000_000, -5):
        with pytest.raises(BadPosition, match=f"never come to a number like {number}"):
            game.position(f"n({number}) control(white)")
    assert "n(898200)" in game.position("n(898200) control(white)").facts


def test_positions_have_the_numbers_that_are_listed(tmp_path: Path) -> None:
    rules = "next(n(N)) :- true(n(N)), N < 30000. terminal :- true(n(N)), N+N < 0."
    listed = "base(n(5;20000;1100000000)). base(control(R)) :- role(R)."
    game = _game(tmp_path, f"{rules} {listed}")
    assert "n(20000)" in game.position("n(20000) control(white)").facts
    with pytest.raises(RulesError, match=r"1100000000\+1100000000 is too large"):
        _ = game.position("n(1100000000) control(white)").is_terminal


def test_a_constant_that_is_too_large(tmp_path: Path) -> None:
    """A default is computed, too."""
    with pytest.raises(RulesError, match=r"game.lp:5: the value of the constant k is too large"):
        _game(tmp_path, "#const k = 2147483647 + 1. terminal.")


def test_a_sum_beside_a_conditional_literal(tmp_path: Path) -> None:
    rules = "d(1..3). terminal :- true(n(X)) : d(X), X < 2; #sum { X : true(n(X)) } > 3.\n"
    assert not _game(tmp_path, rules).initial.is_terminal


@pytest.mark.parametrize(
    ("rules", "constants", "told"),
    [
        ("number(1..999).", {}, "game.lp:5: the range 1..999 has no end: numbers go up to"),
        ("number(1..n). #const n = 9.", {"n": 999}, "the range 1..n has no end"),
        ("number(1..n/2). #const n = 1998.", {}, "1..(n/2)"),
        ("p(N) :- N = 1..500+499.", {}, "1..(500+499)"),
        ("number(1..998).", {}, ""),
        ("number(1..n). #const n = 998.", {"n": 4}, ""),
        ("p(N) :- true(n(M)), N = 1..M.", {}, ""),
    ],
)
def test_a_range_up_to_the_largest_number_is_refused_when_the_file_is_read(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    rules: str,
    constants: dict[str, int],
    told: str,
) -> None:
    monkeypatch.setattr(
        overflow, "_ENDLESS_NUMBER", 999
    )  # clingo counts to the true one without an end
    file = tmp_path / "game.lp"
    file.write_text(_TURNS + rules, encoding="utf-8")
    if not told:
        assert aspgames.load(str(file), **constants)
        return
    with pytest.raises(RulesError) as error:
        aspgames.load(str(file), **constants)
    assert told in str(error.value)


@pytest.mark.usefixtures("kept")
def test_arithmetic_is_proved_once_for_all_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes a third of the preparation of a large rule book."""
    asked = list[object]()

    def counted(statements: Sequence[AST], constants: Constants, only: object) -> list[int]:
        asked.append(only)
        return unproved(statements, constants)

    monkeypatch.setattr(overflow, "unproved", counted)
    encoding = read_encoding("checkers")
    given = encoding.constants
    for parts in (("base", "board"), ("base",), ("base", "board", "position")):
        statements = encoding.statements(*parts)
        checks = with_checks(statements, unproved(statements, given))
        assert [*map(str, encoding.checked(given, *parts))] == [*map(str, checks)]
    assert asked == [()]


def test_names_need_no_proof_of_the_other_rules() -> None:
    """``aspgames games`` reads the names of all rule books."""
    encoding = read_encoding("checkers")
    every, named = (
        [*map(str, encoding.checked(encoding.constants, "base", "board", only=only))]
        for only in ((), NAMED)
    )
    assert any("checked " in text for text in every)
    assert not any("checked " in text for text in named)
    numbers = unproved(
        parse_statements("p(N*N) :- q(N). q(99999). r(N*N) :- q(N)."), {}, [("r", 1)]
    )
    assert numbers == [2]


def test_a_part_that_adds_numbers_to_another_ones_predicate_is_seen(tmp_path: Path) -> None:
    rules = f"terminal. p(1). base(n(N*2)) :- p(N). #program board. p({_MOST})."
    with pytest.raises(RulesError, match="too large"):
        _game(tmp_path, rules)
