"""Forced plies: each role has one move, whatever its name. A lone role is always on move."""

import math
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import pytest

import aspgames
from aspgames import State
from aspgames.puzzle.goal import Goal
from aspgames.puzzle.problem import Puzzle
from aspgames.runtime.budget import Budget
from aspgames.runtime.errors import BadRequest
from aspgames.solver.jobs.job_search import JobSearch
from aspgames.solver.planner.cooperative_search import together
from aspgames.solver.search import puzzle_search
from aspgames.solver.search.puzzle_search import Search
from cli_helpers import Call, strict_json
from engine_helpers import write
from paths import TESTS
from proofs import proved

ROSHAMBO = str(TESTS / "data/sheets/roshambo.kif")
FLIPS = str(TESTS / "data/flips.kif")
WALK = """
role(red). role(blue). init(at(0)). init(mover(red)).
bound(0..10). other(red,blue). other(blue,red).
wall(3). wall(7).                     % nobody has a choice there
legal(R,go(1..2)) :- true(mover(R)), true(at(N)), not wall(N), not terminal.
legal(R,noop)     :- true(mover(S)), other(R,S), true(at(N)), not wall(N), not terminal.
legal(red,climb)  :- true(at(N)), wall(N).
legal(blue,wait)  :- true(at(N)), wall(N).
next(at(N+K))     :- true(at(N)), does(R,go(K)), bound(N+K).
next(at(N+1))     :- true(at(N)), does(red,climb), does(blue,wait), bound(N+1).
next(mover(S))    :- true(mover(R)), other(R,S).
terminal          :- true(at(N)), N >= 9.
goal(R,100)       :- true(at(9)), true(mover(R)).
goal(R,100)       :- true(at(10)), true(mover(S)), other(R,S).
"""
"""Two sides walk; at a wall one climbs and the other waits, so that two sides seem to move."""
REST = WALK.replace("legal(R,noop) ", "legal(R,rest(R))")
"""The side that waits has a move with another name."""


@cache
def children(state: State) -> dict[str, State]:
    """The successors, by the mover's move; in a forced ply, by each role's."""
    if state.is_terminal:
        return {}
    legal = {role: [move.term for move in moves] for role, moves in state.legal.items()}
    mover = chooser(state)
    return {
        term: state.play({role: moves[0] for role, moves in legal.items()} | {role: term})
        for role in ([mover] if mover else legal)
        for term in legal[role]
    }


def chooser(state: State) -> str | None:
    able = [r for r, moves in state.legal.items() if [m.term for m in moves] != ["noop"]]
    if len(able) > 1:
        able = [role for role in able if len(state.legal[role]) > 1]
    return able[0] if len(able) == 1 else None


@cache
def turns(state: State, attacker: str, begun: bool = False) -> float:
    """The fewest turns of the attacker that win; a forced ply ends a turn, and is nobody's."""
    if state.is_terminal:
        return 0 if state.goals[attacker] == 100 else math.inf
    mine = chooser(state) == attacker
    after = [turns(child, attacker, mine) for child in children(state).values()]
    return min(after) + (not begun) if mine else max(after)


def keys(state: State, attacker: str) -> set[str]:
    least, after = turns(state, attacker), children(state).items()
    if chooser(state) != attacker or least == math.inf:
        return set()
    return {move for move, child in after if turns(child, attacker, True) == least - 1}


@pytest.fixture(scope="module")
def sheets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("walk")
    for name, text in (("walk", WALK), ("rest", REST)):
        (folder / f"{name}.lp").write_text(text)
    return {"flips": FLIPS, **{name: str(folder / f"{name}.lp") for name in ("walk", "rest")}}


def positions(path: str, count: int) -> Iterator[State]:
    """Positions near the ends of random games, those with a forced ply twice."""
    rng, game = random.Random(3), aspgames.load(path)
    for _ in range(count):
        line = [game.initial]
        while not line[-1].is_terminal:
            line.append(rng.choice([*children(line[-1]).values()]))
        yield line[max(0, len(line) - rng.randrange(3, 8))]
        yield from [state for state in line if not chooser(state)][-2:-1]


def questions(path: str, count: int) -> Iterator[Puzzle]:
    for state in positions(path, count):
        for role in state.game.roles:
            yield Puzzle.of(state, role, "win")


@pytest.mark.quick(3)
@pytest.mark.parametrize("lemmas", [False, True])
@pytest.mark.parametrize("sheet", ["flips", "walk", "rest"])
def test_answers_are_those_of_a_plain_evaluation(
    sheet: str, sheets: dict[str, str], lemmas: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if lemmas:
        monkeypatch.setattr(puzzle_search, "_EASY_EFFORT", 0)
    verdicts, passes = set(), 0
    for puzzle in questions(sheets[sheet], 7):
        state, attacker = puzzle.state, puzzle.attacker
        found = Search(puzzle, Budget()).run()
        least = turns(state, attacker)
        assert (found.verdict == "forced") == (least < math.inf)
        assert found.distance == (least if least < math.inf else None)
        assert set(found.keys) == keys(state, attacker)
        for move in found.line:
            passes += not chooser(state)
            state = state.play(move)  # a forced ply is played by the move of one role
        assert found.verdict == "not_forced" or state.goals[attacker] == 100
        verdicts.add(found.verdict)
    assert verdicts == {"forced", "not_forced"}
    assert passes > 0


@pytest.mark.parametrize("sheet", ["flips", "walk", "rest"])
def test_certificates_are_accepted(sheet: str, sheets: dict[str, str]) -> None:
    for puzzle in questions(sheets[sheet], 3):
        solved = Search(puzzle, Budget())
        proved(solved, solved.run())


def test_jobs_and_cooperation_know_forced_plies() -> None:
    for puzzle in questions(FLIPS, 3):
        with ThreadPoolExecutor(1) as executor, JobSearch(puzzle, Budget(), executor) as jobs:
            found = jobs.run()
        least = turns(puzzle.state, puzzle.attacker)
        assert found.distance == (least if least < math.inf else None)
        if least < math.inf:
            assert (together(puzzle).distance or 0) <= least


def test_a_forced_ply_is_described_and_played(sheets: dict[str, str]) -> None:
    state = aspgames.load(sheets["walk"]).position("at(3) mover(blue)")
    assert state.to_move is None
    assert state.status == "each role has one move"
    assert state.consequences.forced
    assert len({state.play(move) for move in ("climb", "wait", {}, {"red": "climb"})}) == 1
    with pytest.raises(BadRequest, match="puzzles are for"):
        Puzzle.of(both := aspgames.load(ROSHAMBO).initial, both.game.roles[0], "win")


LONE = """
role(me). init(at(0)).
legal(me,noop)    :- true(at(N)), N < 6.
legal(me,quit)    :- true(at(N)), N > 2.
next(at(N+1))     :- true(at(N)), does(me,noop), N < 6.
next(over(N))     :- true(at(N)), does(me,quit).
terminal          :- true(over(N)).
goal(me,100)      :- true(over(5)).
goal(me,0)        :- not true(over(5)).
"""


def test_a_lone_role_is_always_on_move(tmp_path: Path, call: Call) -> None:
    state = write(LONE, tmp_path, "lone.lp").initial
    assert (state.to_move, [str(move) for move in state.legal_moves]) == ("me", ["noop"])
    puzzle = Puzzle.of(state, "me", "win")
    solved = Search(puzzle, Budget())
    found = solved.run()
    assert (found.distance, found.keys, found.line) == (6, ("noop",), ("noop",) * 5 + ("quit",))
    proved(solved, found)
    assert together(puzzle).distance == 6
    assert Goal.parse("win").holds(state.play("noop").consequences, "me") is False
    path = str(tmp_path / "lone.lp")
    told = strict_json(call("legal", path, "at(3)", "--json").out)
    assert (told["to_move"], told["legal"]) == ("me", {"me": ["noop", "quit"]})
    assert aspgames.Batch(state.game, 2).to_move.tolist() == [0, 0]
