"""The checker's rule for each goal, in all states between which goals differ.

White, the attacker, chooses between the states of ``STATES``. So a certificate whose keys are the
moves to some of them says of every state whether the goal stands there.
"""

import re
import runpy
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import product
from typing import Any

import pytest

from aspgames.puzzle.goal import Goal, GoalKind
from aspgames.puzzle.problem import Puzzle
from aspgames.puzzle.proof import situations
from aspgames.puzzle.proof.stepper import Probe, Stepper
from aspgames.puzzle.proof.verify import verify
from aspgames.runtime.budget import Budget
from aspgames.runtime.errors import AspgamesError, Rejected
from aspgames.solver.grounded_puzzle import SolvedByGrounder
from aspgames.solver.search.puzzle_search import Search
from false_certificates import Json, Wrong, forced, game, move, refuted, replies, rules_of
from goals_by_hand import REACHED, Shape, reaches
from paths import TESTS
from proofs import proved

of_encoding = runpy.run_path(str(TESTS / "mutants.py"))["of_encoding"]


VALUES = [*product((0, 50, 100), repeat=2), (None, None), (None, 100), (100, None), (1, 100)]
STATES = {
    f"n{number}": Shape(*kind, *values)
    for number, (kind, values) in enumerate(
        product(
            [
                *product(("w", "b"), (False, True), (False, True)),
                ("w mute", False, True),
                ("", False, True),
            ],
            VALUES,
        )
    )
}

CHOSEN = [*(kind for kind in REACHED if kind != "score"), "score>=50", "score>=100"]
GOALS = [*CHOSEN, "score>=0"]  # it stands at the start


def chosen(goal: str) -> set[str]:
    """The states that reach a goal."""
    return {name for name, state in STATES.items() if reaches(goal, state)}


def rules(names: Iterable[str]) -> str:
    """The rules of the choice between some states. A state's own move leads back to it."""
    graph, black = [f"a w: {' '.join(names)}"], ""
    for name in names:
        sides, moves, ends, white, value = STATES[name]
        words = f"{sides} {'' if white is None else white} {'end' if ends else ''}"
        graph.append(f"{name} {words}: {name if moves else ''}")
        black += "" if value is None else f"goal(black,{value}) :- true(at({name}))."
    return rules_of(" / ".join(graph), more=black)


def claim(goal: str, names: Iterable[str], keys: set[str]) -> Wrong:
    """The claim that exactly these moves reach a goal, with its certificate."""
    targets: Json = {}
    nodes: list[Any] = []
    for name in names:
        state = STATES[name]
        if name in keys:
            targets[name] = "turns"
        elif state.ends or not state.moves:
            targets[name] = "over"
        else:
            targets[name] = len(nodes) + 1
            back = replies(**{name: targets[name]})
            nodes.append(back if state.sides == "w" else move(name, targets[name]))
    defence = [replies(**targets), *nodes]
    found = refuted(*defence, within=1)
    if keys:
        attack = {"moves": dict.fromkeys(sorted(keys), "goal")}
        found = forced(1, min(keys & chosen(goal)), [attack], defence, " ".join(sorted(keys)))
    return Wrong(rules(names), found | {"goal": goal}, "", ())


def checked(goal: str, names: Iterable[str], keys: set[str]) -> None:
    """Check the claim that exactly these moves reach a goal."""
    each = claim(goal, names, keys)
    verify(each.certificate, load=each.load)


def test_each_kind_has_its_meaning_here() -> None:
    """The tests below iterate over it."""
    assert {*REACHED} == set(GoalKind)


@pytest.mark.parametrize("goal", CHOSEN)
def test_the_checker_accepts_what_is_true(goal: str) -> None:
    """A forced goal, with all other moves refuted, and a goal that no move reaches."""
    keys = chosen(goal)
    checked(goal, STATES, keys)
    checked(goal, [name for name in STATES if name not in keys], set())


@pytest.mark.parametrize("goal", CHOSEN)
def test_the_checker_refuses_what_is_false(goal: str) -> None:
    keys = chosen(goal)
    with pytest.raises(Rejected, match=r"defence.nodes.*: the goal stands there"):
        checked(goal, STATES, keys - {max(keys)})
    with pytest.raises(Rejected, match=r"attack.nodes.*: the goal doesn't stand there"):
        checked(goal, STATES, keys | {min(STATES.keys() - keys)})


@pytest.mark.parametrize("goal", CHOSEN)
@pytest.mark.parametrize("by_grounder", [False, True])
def test_the_searches_find_what_is_true(goal: str, by_grounder: bool) -> None:
    """And their certificates are accepted. The grounder gets a third of the states."""
    names = [*STATES][:: 3 if by_grounder else 1]
    puzzle = Puzzle.of(game(rules(names)).initial, "white", goal, 1)
    search = SolvedByGrounder(puzzle, Budget(), print) if by_grounder else Search(puzzle, Budget())
    with search:
        found = search.run()
        assert set(found.keys) == chosen(goal).intersection(names)
        proved(search, found)


def changed_parts(kind: GoalKind) -> Iterator[tuple[str, str]]:
    """``puzzle.lp`` with one change in the goal's part, and the change."""
    text = situations.puzzle_text()
    found = re.finditer(r"^#program (\w+)\(k\)\.$([^#]*)", text, re.MULTILINE)
    parts = {part[1]: part for part in found}
    start, end = parts[kind].span(2)
    lines = range(text.count("\n", 0, start), text.count("\n", 0, end) + 1)
    for mutant in of_encoding("src/aspgames/puzzle/proof/puzzle.lp"):
        if mutant.line in lines:
            yield mutant.text, mutant.change
    for other in set(GoalKind) - {kind}:
        yield text[:start] + parts[other][2] + text[end:], f"the rule for {other}"


def reached(goal: str) -> set[str]:
    """The states of which the checker says that they reach a goal."""
    stepper = Stepper(Puzzle.of(game(rules(STATES)).initial, "white", goal, 1), Budget())
    after = stepper.ask(Probe(stepper.start, moves=True)).after
    stepper.prepare(Probe(state) for state in after.values())
    return {name for name, state in after.items() if stepper.look(state).reached}


@pytest.mark.parametrize("kind", GoalKind)
def test_a_change_of_the_rule_is_noticed(kind: GoalKind, monkeypatch: pytest.MonkeyPatch) -> None:
    goals = [goal for goal in GOALS if Goal.parse(goal).kind is kind]
    assert all(reached(goal) == chosen(goal) for goal in goals)
    changes = [*changed_parts(kind)]
    assert len(changes) > len(GoalKind)
    monkeypatch.setattr(situations, "_asked", situations._asked.__wrapped__)
    for text, change in changes:
        monkeypatch.setattr(situations, "puzzle_text", lambda text=text: text)
        with suppress(AspgamesError, RuntimeError):  # a rule without meaning
            assert any(reached(goal) != chosen(goal) for goal in goals), change
