"""Each condition of the checker rejects a certificate (``false_certificates.py``)."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from aspgames.puzzle.problem import Puzzle
from aspgames.puzzle.proof import plans as planning
from aspgames.puzzle.proof.plans import PlacedPlan, counterexample
from aspgames.puzzle.proof.stepper import Probe, Stepper
from aspgames.puzzle.proof.verify import verify
from aspgames.runtime.budget import Budget
from aspgames.runtime.errors import BadRequest, LimitReached, Rejected, RulesError
from false_certificates import (
    IN_ONE,
    ONE,
    WRONG,
    Json,
    Wrong,
    checker_without,
    forced,
    game,
    move,
    plan,
    refuted,
    replies,
    rules_of,
)


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_refused(name: str) -> None:
    each = WRONG[name]
    with pytest.raises((Rejected, RulesError), match=each.reason):
        verify(each.certificate, load=each.load)


@pytest.mark.sample(34)
@pytest.mark.slow
@pytest.mark.parametrize("name", WRONG)
def test_it_is_the_condition_that_refuses_it(name: str, tmp_path: Path) -> None:
    """Without the condition the checker accepts it, or crashes in code that relies on it."""
    each = WRONG[name]
    with checker_without(each.without, tmp_path) as check, suppress(KeyError, AttributeError):
        check("verify").verify(each.certificate, load=each.load)


def test_what_is_not_settled_is_not_dropped(tmp_path: Path) -> None:
    """Even if the checker takes the rules for deterministic ones."""
    each = WRONG["a choice"]
    with (
        checker_without(each.without[:1], tmp_path) as check,
        pytest.raises(RulesError, match="the rules don't settle what follows"),
    ):
        check("verify").verify(each.certificate, load=each.load)


QUEENS = """
role(white;black). init(row(1)).
to_move(black) :- true(row(R)), R <= 6.
legal(black,put(1..6)) :- true(row(R)), R <= 6.
legal(R,noop) :- role(R), not to_move(R).
next(row(R+1)) :- true(row(R)).
next(queen(R,C)) :- true(row(R)), does(black,put(C)).
next(queen(R,C)) :- true(queen(R,C)).
terminal :- true(row(7)).
check :- true(queen(R,C)), true(queen(S,D)), R < S, (D-C)*(D-C-S+R)*(D-C+S-R) = 0.
goal(white,1) :- terminal, check.
"""


def test_a_limit_on_conflicts_is_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """Black places six queens so that none attacks another, for which clingo must search."""
    puzzle = Puzzle.read(game(QUEENS).initial, "white", "score>=1", None)
    start = Stepper(puzzle, Budget())
    planned = PlacedPlan("", True, start.start, [None] * 6, 0)
    found = counterexample(puzzle, [planned], start.fluents, Budget())
    assert found
    assert found[1].endswith("the game is over without the goal")
    monkeypatch.setattr(planning, "_MOST_CONFLICTS", 1)
    with pytest.raises(LimitReached, match="within 1 conflicts"):
        counterexample(puzzle, [planned], start.fluents, Budget())


def test_a_limit_on_atoms_is_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    each = WRONG["a stuck defender in a plan"]
    monkeypatch.setattr(planning, "_MOST_ATOMS", 1)
    with pytest.raises(LimitReached, match="makes the program too large"):
        verify(each.certificate, load=each.load)


def accepts(rules: str, claim: Json) -> bool:
    """Whether the checker accepts a claim about a game of these rules."""
    each = Wrong(rules, claim, "", ())
    return verify(each.certificate, load=each.load) is not None


WAITING = rules_of("a b: b x / b w: c / x w: c / c end").replace("noop", "rest")
WAITING += "next(seen) :- does(black,rest). goal(white,50) :- true(seen)."


def test_the_waiting_side_makes_its_only_move_whatever_its_name() -> None:
    for attack in (
        [replies(b=1, x=2), move("c", "goal"), move("c", "goal")],
        [replies(b=plan("c"), x=plan("c"))],
    ):
        assert accepts(WAITING, forced(1, "b c", attack, [move("b", "turns")]))
    rules = rules_of("a b: b x / b w: c / x w: d / c end 5 / d end").replace("noop", "rest")
    with pytest.raises(Rejected, match="the game is over without the goal"):
        accepts(rules, forced(1, "b c", [replies(b=plan("c"), x=plan("d"))], [move("b", "turns")]))


def test_a_forced_ply_counts_as_the_defenders() -> None:
    """Nobody is on move in a."""
    rules = rules_of("a / b w: c / c won", "next(at(b)) :- true(at(a)).")
    for attack in (
        [replies(noop=1), move("c", "goal")],
        [replies(noop=plan("c"))],
        [plan(None, "c")],
    ):
        assert accepts(rules, forced(1, "noop c", attack, [move("noop", "turns")]))


TWO_STEPS = """
role(white). init(n(0)). legal(white,go) :- true(n(N)), N < 2. next(n(N+1)) :- true(n(N)).
terminal :- true(n(2)). goal(white,1) :- true(n(2)).
"""


def test_a_line_may_repeat_a_move() -> None:
    go: list[Any] = [{"moves": {"go": 1}}, move("go", "goal")]
    claim = forced(2, "go go", go, [replies(go=1), "turns"], "go") | {"position": ["n(0)"]}
    assert accepts(TWO_STEPS, claim)
    # A lone role is on move, even if it can only wait.
    waits = json.loads(json.dumps(claim).replace('"go"', '"noop"'))
    assert accepts(TWO_STEPS.replace("go)", "noop)"), waits)
    with pytest.raises(Rejected, match="a forced goal has one"):
        accepts(TWO_STEPS, claim | {"distance": 2.0})
    for field, value in (("line", "gogo"), ("line", ["go", 1]), ("keys", {"go": 1})):
        with pytest.raises(Rejected, match=f"{field}: it must be a list"):
            accepts(TWO_STEPS, claim | {field: value})


@pytest.mark.parametrize("name", [5, None, ["graph"]])
def test_a_game_has_a_name(name: Any) -> None:
    with pytest.raises(Rejected, match="game: it must be a game's name or path"):
        accepts(rules_of(ONE), IN_ONE | {"game": name})


@pytest.mark.parametrize("facts", [[], ["startpos"], ["empty"], ["at(a) at(b)"], ["at("]])
def test_a_position_has_facts(facts: list[str]) -> None:
    with pytest.raises(Rejected, match="position: "):
        accepts(rules_of(ONE), IN_ONE | {"position": facts})


def test_after_a_defenders_plan_the_defender_may_be_stuck() -> None:
    assert accepts(rules_of("a b: b / b b"), refuted(plan("b"), within=3))


@pytest.mark.parametrize("version", [True, 1.0, "1", None, 0, 2, [1]])
def test_a_version_is_a_whole_number(version: Any) -> None:
    each = WRONG["a distance above within"]
    with pytest.raises(BadRequest, match="version"):
        verify(each.certificate | {"certificate": version}, load=each.load)


@pytest.mark.parametrize(
    ("leaf", "reason"),
    [
        (["plan"], "it isn't a node"),
        (plan("c") | {"to": 1}, "it isn't a node"),
        ({"plans": ["c"]}, "it isn't a node"),
        (1.0, "it isn't a node"),
        (plan(*["c"] * 1001), "plan: it is longer than 1000 plies"),
        ({"plan": "c"}, "plan: it must be a list"),
        ({"plan": ["c", 0]}, "plan: it must be a list"),
        ({"plan": ["c", None, False]}, "plan: it must be a list"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_malformed_leaves(leaf: Any, reason: str) -> None:
    with pytest.raises(Rejected, match=reason):
        accepts(rules_of(ONE), forced(1, "b c", [replies(b=leaf)], [move("b", "turns")]))


def test_the_longest_plan() -> None:
    replies_ = [replies(b=plan(*["c"] * 1000))]
    assert accepts(rules_of(ONE), forced(1, "b c", replies_, [move("b", "turns")]))


def test_many_groups_of_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each plan is a group of its own; only the last one fails, at its second ply."""
    monkeypatch.setattr(planning, "_GROUP", 1)
    monkeypatch.setattr(planning, "_KEPT_PLIES", 10_000)
    targets = [f"n{number}" for number in range(200)]
    graph = f"a b: {' '.join(targets)} / c b: d / d won / "
    graph += " / ".join(f"{each} w: c" for each in targets)
    puzzle = Puzzle.read(game(rules_of(graph)).initial, "white", "win", None)
    checker = Stepper(puzzle, Budget())
    after = checker.ask(Probe(checker.start, moves=True)).after
    right = [PlacedPlan(term, True, state, ["c", None], 1) for term, state in after.items()]
    wrong = PlacedPlan("wrong", True, right[-1].state, ["c", "d"], 1)
    assert counterexample(puzzle, right, checker.fluents, Budget()) is None
    found = counterexample(puzzle, [*right, wrong], checker.fluents, Budget())
    assert found
    assert found[0] is wrong
