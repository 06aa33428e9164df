"""The planner of a lone role, against breadth-first search over single states."""

import math
from functools import cache, partial
from pathlib import Path

import pytest

import aspgames
from aspgames import State
from aspgames.asp.solving import finish
from aspgames.propnet.reachable_nets import net_for
from aspgames.puzzle.problem import Puzzle
from aspgames.runtime.budget import Budget
from aspgames.runtime.errors import LimitReached
from aspgames.solver.phase_goals import Phase
from aspgames.solver.planner import planner as planners
from aspgames.solver.planner import unrolled_play
from aspgames.solver.planner.exclusive_fluents import Exclusive, exclusive_fluents
from aspgames.solver.planner.move_orders import MoveOrders
from aspgames.solver.planner.planner import Planner
from aspgames.solver.planner.unrolled_play import Line, UnrolledPlay
from aspgames.solver.search import puzzle_search
from aspgames.solver.search.puzzle_search import Search
from engine_helpers import write
from helpers import record_calls
from paths import TESTS
from proofs import proved

RULES = TESTS / "data/one_role"
PUZZLES = sorted(path.stem for path in RULES.iterdir())
UNSOLVABLE = {"queens": "board queen(2,2) queen(4,4)", "pegs": "peg(1) peg(2) peg(4) peg(5)"}
SWAPPED = {"lights", "queens", "sudoku"}


@cache
def distances(start: State) -> dict[State, float]:
    """The fewest moves to the goal, of each state that play reaches."""
    after: dict[State, list[State]] = {}
    level = [start]
    while level:
        for state in level:
            after[state] = [state.play(move) for move in state.legal_moves]
        level = [*{child for state in level for child in after[state]} - after.keys()]
    found = {state: 0.0 if state.goals["me"] == 100 else math.inf for state in after}
    changed = True
    while changed:
        better = {s: min([found[s], *(found[c] + 1 for c in after[s])]) for s in after}
        changed, found = better != found, better
    return found


def reaches(state: State, line: Line) -> bool:
    for move in line:
        if move not in {legal.term for legal in state.legal_moves}:
            return False
        state = state.play(move)
    return state.goals["me"] == 100


def starts(name: str) -> list[State]:
    game = aspgames.load(RULES / f"{name}.lp")
    more = [game.position(UNSOLVABLE[name])] if name in UNSOLVABLE else []
    return [game.initial, *more]


@pytest.mark.quick(4)
@pytest.mark.parametrize("name", PUZZLES)
@pytest.mark.parametrize("conflicts", [planners._CONFLICTS, 1])
def test_the_planner_finds_the_least_distance_and_all_keys(
    name: str, conflicts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planners, "_CONFLICTS", conflicts)
    for state in starts(name):
        least = distances(state)
        planner = Planner(Puzzle.of(state, "me", "win"), net_for(state.game.rules, state.facts))
        while not planner.advance(10):
            pass
        if least[state] == math.inf:
            assert (planner.line, planner.refuted) == (None, math.inf)
            continue
        assert planner.line is not None
        assert (len(planner.line), planner.refuted) == (least[state], least[state] - 1)
        keys = planner.keys(len(planner.line), partial(reaches, state), lambda: None)
        after = {move.term: least[state.play(move)] for move in state.legal_moves}
        assert list(keys) == sorted(m for m, left in after.items() if left == least[state] - 1)
        for key, line in keys.items():
            end = state
            for move in line:
                end = end.play(move)
            assert (line[0], end.goals["me"]) == (key, 100)


def plan_alone(search: Search, *_: object, planned: bool = False) -> bool:
    """In place of ``Search.work``: only the planner works."""
    return planned and search._plan(1)


@pytest.mark.quick(4)
@pytest.mark.parametrize("name", PUZZLES)
def test_answers_and_certificates_from_the_planner_alone(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search does nothing here; the answers are those of the search without a planner."""
    for state in starts(name):
        alone = Search(Puzzle.of(state, "me", "win"), Budget(positions=10**9)).run()
        with monkeypatch.context() as changed:
            changed.setattr(puzzle_search, "_PLANNED_EFFORT", 0)
            changed.setattr(Search, "work", plan_alone)
            solved = Search(Puzzle.of(state, "me", "win"), Budget())
            found = solved.run()
        assert (found.verdict, found.distance) == (alone.verdict, alone.distance)
        assert (found.keys, found.line) == (alone.keys, alone.line)
        proved(solved, found)


@pytest.mark.parametrize("within", [1, 4])
def test_too_few_turns_are_refuted(within: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzle_search, "_PLANNED_EFFORT", 0)
    monkeypatch.setattr(Search, "work", plan_alone)
    state = aspgames.load(RULES / "lights.lp").initial
    solved = Search(Puzzle.of(state, "me", "win", within), Budget())
    found = solved.run()
    assert (found.verdict == "forced") == (distances(state)[state] <= within)
    proved(solved, found)


@pytest.mark.slow
def test_a_puzzle_that_the_search_alone_does_not_solve() -> None:
    """Sudoku: the cells may be filled in any order, and the search meets far too many states."""
    game = aspgames.load(RULES / "sudoku.lp")
    empty = game.position("cell(1,1,1) cell(2,3,4)")
    puzzle = Puzzle.of(empty, "me", "win")
    found = Search(puzzle, Budget(seconds=60)).run()
    assert (found.verdict, found.distance) == ("forced", 14)
    assert not Search(puzzle, Budget(positions=20_000)).run().is_complete


def test_the_budget_stops_the_planner() -> None:
    state = aspgames.load(RULES / "lights.lp").initial
    planner = Planner(Puzzle.of(state, "me", "win"), net_for(state.game.rules, state.facts))
    assert not planner.advance(0)
    with pytest.raises(LimitReached):
        planner.keys(3, partial(reaches, state), Budget(seconds=1e-9).check)


@pytest.mark.quick(4)
@pytest.mark.parametrize("name", PUZZLES)
def test_moves_change_places_unless_their_order_matters(name: str) -> None:
    """Played both ways in every state of play; a state without a way to go on doesn't count."""
    state = starts(name)[0]
    net = net_for(state.game.rules, state.facts)
    phase = Phase(net, None, Puzzle.of(state, "me", "win"), lemmas=False)
    following = {node: net.outputs.next[fluent] for fluent, node in phase.circuit.true.items()}
    exceptions = finish(MoveOrders(phase, net.moves, following).exceptions(), lambda: None)
    swapped = 0
    for before in distances(state):
        after = {move.term: before.play(move) for move in before.legal_moves}
        for one, between in after.items():
            for move in between.legal_moves:
                end, two = between.play(move), move.term
                dead = end.is_terminal and end.goals["me"] < 100
                if dead or one == two or (("me", one), ("me", two)) in exceptions:
                    continue
                assert two in after
                if after[two].goals["me"] < 100:
                    assert after[two].play(one) == end
                    swapped += 1
    assert (swapped > 0) == (name in SWAPPED)


FILLED = """
role(me).  cell(1..6).  init(empty(1..5)).
legal(me,fill(X)) :- true(empty(X)).
next(empty(X)) :- true(empty(X)), does(me,fill(Y)), cell(Y), Y != X.
terminal :- not true(empty(_)).
goal(me,100) :- not true(empty(_)).  goal(me,0) :- true(empty(_)).
"""


def test_the_moves_that_the_missing_parts_of_a_goal_need(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of five cells is filled by one move, so no question is about fewer than five moves."""
    asked = record_calls(monkeypatch, UnrolledPlay, "continues")
    state = write(FILLED, tmp_path).initial
    planner = Planner(Puzzle.of(state, "me", "win"), net_for(state.game.rules, state.facts))
    assert planner.refuted == 4
    assert planner.advance(60)
    assert (planner.line is not None, asked) == (True, [])


def test_keys_have_the_short_proofs_even_if_the_planner_did_not_begin(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = record_calls(monkeypatch, unrolled_play, "exclusive_fluents")
    state = aspgames.load(RULES / "lights.lp").initial
    planner = Planner(Puzzle.of(state, "me", "win"), net_for(state.game.rules, state.facts))
    distance = int(distances(state)[state])
    assert planner.keys(distance, partial(reaches, state), lambda: None)
    assert len(asked) == 1


@pytest.mark.parametrize("name", PUZZLES)
def test_exclusive_fluents_exclude_each_other_in_all_play(name: str) -> None:
    for state in starts(name):
        groups = [(set(group.fluents), group.exactly) for group in exclusive(state)]
        for other in distances(state):
            facts = set(other.facts)
            for fluents, exactly in groups:
                held = len(fluents & facts)
                assert held == 1 or (held == 0 and not exactly)


BLANKS = """
role(me).  cell(1..4).  digit(1..4).  init(at(1,1)).  init(at(2..4,blank)).  init(all).
used(D) :- true(at(_,D)).
legal(me,mark(X,D)) :- true(at(X,blank)), digit(D), not used(D).
next(at(X,D)) :- does(me,mark(X,D)).
next(at(X,D)) :- true(at(X,D)), does(me,mark(Y,_)), X != Y.
next(all) :- true(all), not does(me,mark(2,3)).
next(some) :- true(all), does(me,mark(2,3)).
next(some) :- true(some), not true(at(2,3)).
terminal :- not legal(me,_).
goal(me,100) :- true(at(2,2)), true(at(3,2)).
goal(me,0) :- not goal(me,100).
"""


def test_what_excludes_what(tmp_path: Path) -> None:
    state = write(BLANKS, tmp_path).initial
    groups = {tuple(group.fluents): group.exactly for group in exclusive(state)}
    cells = {tuple(f"at({x},{d})" for d in (2, 3, 4, "blank")): True for x in (2, 3, 4)}
    digits = {tuple(f"at({x},{d})" for x in (2, 3, 4)): False for d in (2, 3, 4)}
    assert {fluents: groups.pop(fluents, None) for fluents in cells} == cells
    assert {fluents: groups.pop(fluents, None) for fluents in digits} == digits
    assert groups == {
        ("at(1,1)",): True,
        ("all", "some"): False,
        ("all", "at(2,3)"): False,
        ("at(2,2)", "at(2,4)", "at(2,blank)", "some"): False,
    }


def test_the_planner_knows_what_excludes_what(tmp_path: Path) -> None:
    """The goal, with a digit in two cells, is refuted without a search."""
    state = write(BLANKS, tmp_path).initial
    puzzle = Puzzle.of(state, "me", "win")
    play = UnrolledPlay(puzzle, net_for(state.game.rules, state.facts))
    finish(play.shorten_proofs(), lambda: None)
    assert finish(play.reach(3, conflicts=1), lambda: None) is None


def exclusive(state: State) -> list[Exclusive]:
    net = net_for(state.game.rules, state.facts)
    phase = Phase(net, None, Puzzle.of(state, "me", "win"), lemmas=False)
    return finish(exclusive_fluents(net, phase, frozenset(state.facts)), lambda: None)
