"""Goals have one meaning in play, both reasoners, counts, batches and puzzles."""

from collections.abc import Callable
from pathlib import Path

import pytest

import aspgames
from aspgames import Batch, RulesError, State
from cli_helpers import Call, assert_refused
from false_certificates import game, rules_of

# The game is over after two moves.
FRAME = """
role(a). role(b). init(n(0)).
to_move(a) :- true(n(N)), N \\ 2 = 0.  to_move(b) :- true(n(1)).
legal(R,go) :- to_move(R).  legal(R,noop) :- role(R), not to_move(R).
next(n(N+1)) :- true(n(N)), N < 2.
terminal :- true(n(2)).
end :- true(n(2)).  middle :- true(n(1)).
goal(a,100) :- end.
"""
UNSETTLED = {
    "several": "goal(a,50)",
    "too much": "goal(b,1000)",
    "much too much": "goal(b,2147483647)",
    "less than nothing": "goal(b,-1)",
    "a word": "goal(b,foo)",
    "a text": 'goal(b,"50")',
    "two words": "goal(b,(foo;bar))",
    "a number and a word": "goal(b,(foo;0))",
    "three": "goal(b,(1;2;3))",
}


def write(folder: Path, rules: str) -> str:
    (folder / "own.lp").write_text(FRAME + rules)
    return str(folder / "own.lp")


def batched(state: State) -> list[int]:
    batch = Batch(state.game, 1)
    batch.set(0, state)
    return [int(value) for value in batch.goals[0]]


ASKED: list[Callable[[State], object]] = [
    lambda state: state.goals,
    lambda state: state.outcome,
    lambda state: state.game.without_nets.state(state.facts).goals,
    lambda state: state.game.grounder.consequences(state.facts).goals,
    batched,
]


@pytest.mark.parametrize("rule", UNSETTLED.values(), ids=UNSETTLED)
def test_at_the_end_they_must_be_settled(rule: str, tmp_path: Path) -> None:
    start = aspgames.load(write(tmp_path, f"{rule} :- end.")).initial
    end = start.play("go").play("go")
    for ask in ASKED:
        with pytest.raises(RulesError, match="several goals, or one that is no whole number"):
            ask(end)
    assert end.is_terminal
    assert not end.legal_moves
    for reasoner in ("propnet", "grounder"):
        found = aspgames.playouts(start, 3, reasoner=reasoner)
        assert (found.games, found.unsettled, found.results) == (3, 3, {})
        assert found.unsettled_end == end
    assert aspgames.perft(start, 2) == 1


@pytest.mark.parametrize("rule", UNSETTLED.values(), ids=UNSETTLED)
def test_before_they_are_nothing(rule: str, tmp_path: Path) -> None:
    rules = f"{rule} :- middle. goal(a,100) :- middle."
    start = aspgames.load(write(tmp_path, rules)).initial
    middle = start.play("go")
    expected = [0 if rule == "goal(a,50)" else 100, 0]
    assert list(middle.goals.values()) == batched(middle) == expected
    assert list(ASKED[2](middle).values()) == expected  # type: ignore[attr-defined]
    for reasoner in ("propnet", "grounder"):
        assert aspgames.playouts(start, 3, reasoner=reasoner).results == {(100, 0): 3}
    role = "a" if rule == "goal(a,50)" else "b"
    found = middle.why_goal(role)
    assert found.claim.startswith(f"{role} has 0, as what the rules give isn't one value")
    assert not found.holds


@pytest.mark.quick(6)
@pytest.mark.parametrize("rule", UNSETTLED.values(), ids=UNSETTLED)
def test_what_is_proved_can_be_verified(rule: str, tmp_path: Path, call: Call) -> None:
    file = write(tmp_path, f"{rule} :- middle. goal(a,70) :- middle.")
    for goal in ("win", "score>=60", "score>=0"):
        asked = ("--attacker", "a", "--goal", goal, "--certificate", str(tmp_path / "c.json"))
        found = call("solve", file, "startpos", *asked, "--json")
        distance = 0 if goal == "score>=0" else 1
        assert found.json["distance"] == distance, goal
        assert call("verify", str(tmp_path / "c.json")).code == 0
    file = write(tmp_path, f"{rule} :- end.")
    found = call("solve", file, "startpos", "--attacker", "a", "--goal", "win")
    assert_refused(found, "the game is over, but the rules give ")


def test_a_role_without_a_value_has_0() -> None:
    start = game(rules_of("a w: b / b b: c / c end 5")).initial
    assert aspgames.solve(start, attacker="white", goal="score>=0").distance == 0
