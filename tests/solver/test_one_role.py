"""Puzzles of games with one role, against breadth-first search over single states."""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import aspgames
from aspgames import Game, State
from aspgames.puzzle.problem import Puzzle
from aspgames.puzzle.proof import certificate as writing
from aspgames.puzzle.proof.certificate import certificate
from aspgames.puzzle.proof.verify import verify
from aspgames.runtime.budget import Budget
from aspgames.runtime.errors import BadRequest, Rejected
from aspgames.solver.planner.cooperative_search import together
from aspgames.solver.search import puzzle_search
from aspgames.solver.search.puzzle_search import Search
from cli_helpers import Call, assert_refused, check, jsonl
from paths import TESTS

Json = dict[str, Any]

DATA = TESTS / "data"
PEGS, MAZE, SLIDING = (str(DATA / f"{name}.lp") for name in ("pegs", "maze", "sliding"))
TURNS = (0, 1, 2, 3, 8, None)
GOALS = {
    PEGS: ("win", "score>=56", "score>=0"),
    MAZE: ("win", "score>=6", "score>=8"),
    SLIDING: ("win", "score>=30"),
}
UNSOLVABLE = "cell(1,2,2) cell(2,2,1) cell(3,2,3) cell(1,1,4) cell(2,1,5)"
FARTHEST = "cell(1,2,4) cell(2,2,5) cell(1,1,1) cell(2,1,2) cell(3,1,3)"  # 21 moves


@cache
def game(path: str) -> Game:
    return aspgames.load(path)


@cache
def children(state: State) -> dict[str, State]:
    return {move.term: state.play(move) for move in state.legal_moves}


def reached(state: State, goal: str) -> bool:
    (value,) = state.goals.values()
    if goal == "win":
        return state.is_terminal and value == 100
    return value >= int(goal.removeprefix("score>="))


@cache
def distance(state: State, goal: str) -> int | None:
    """The fewest moves to a goal; None if it is unreachable."""
    met, level, moves = {state}, [state], 0
    while level:
        if any(reached(each, goal) for each in level):
            return moves
        level = list({child for each in level for child in children(each).values()} - met)
        met.update(level)
        moves += 1
    return None


@dataclass(frozen=True)
class Asked:
    state: State
    goal: str
    within: int | None

    @property
    def puzzle(self) -> Puzzle:
        return Puzzle.of(self.state, self.state.game.roles[0], self.goal, self.within)

    @property
    def truth(self) -> tuple[str, int | None, set[str]]:
        least = distance(self.state, self.goal)
        if least is None or (self.within is not None and least > self.within):
            return "not_forced", None, set()
        after = children(self.state).items()
        keys = {m for m, child in after if least and distance(child, self.goal) == least - 1}
        return "forced", least, keys


def positions(path: str, count: int) -> Iterator[State]:
    """The start, an unsolvable position if there is one, and some positions of random games."""
    yield game(path).initial
    if path == SLIDING:
        yield game(path).position(UNSOLVABLE)
    rng = random.Random(path.rsplit("/", maxsplit=1)[-1])
    for _ in range(count):
        state = game(path).initial if path != SLIDING else game(path).position(FARTHEST)
        for _ in range(rng.randrange(12)):
            if state.legal_moves:
                state = state.play(rng.choice(state.legal_moves))
        yield state


def questions(path: str, count: int) -> Iterator[Asked]:
    for state in positions(path, count):
        for goal in GOALS[path]:
            least = distance(state, goal) or 0
            for within in {*TURNS, least, max(0, least - 1)}:
                yield Asked(state, goal, within)


def line_reaches(asked: Asked, line: tuple[str, ...]) -> bool:
    state = asked.state
    for move in line:
        if reached(state, asked.goal):
            return False
        state = state.play(move)
    return reached(state, asked.goal)


@pytest.mark.quick(1)
@pytest.mark.sample(5)
@pytest.mark.parametrize("lemmas", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("threads", "games"),
    [(2, 1), *(pytest.param(*each, marks=pytest.mark.slow) for each in ((1, 12), (2, 3)))],
)
@pytest.mark.parametrize("path", GOALS)
def test_answers_are_those_of_breadth_first_search(
    path: str, threads: int, games: int, lemmas: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if lemmas:
        monkeypatch.setattr(puzzle_search, "_EASY_EFFORT", 0)
    verdicts = set()
    for asked in questions(path, min(games, 3) if lemmas else games):
        solution = Search(asked.puzzle, Budget(), threads=threads).run()
        assert (solution.verdict, solution.distance, set(solution.keys)) == asked.truth
        if solution.distance is not None:
            assert len(solution.line) == solution.distance
            assert line_reaches(asked, solution.line)
        verdicts.add(solution.verdict)
        first = Search(asked.puzzle, Budget(), threads=threads).run(first=True)
        assert first.verdict == solution.verdict
    assert verdicts == {"forced", "not_forced"}


@pytest.mark.parametrize("path", GOALS)
def test_what_is_said_of_positions(path: str) -> None:
    for state in positions(path, 3):
        goal = GOALS[path][0]
        solved = Search(Asked(state, goal, None).puzzle, Budget())
        for move, child in solved.root.children():
            least = distance(children(state)[move], goal)
            # A move has already begun unless the game is over.
            needed = None if least is None else max(0, least - 1)
            for turns in (0, 1, 4, 30, float("inf")):
                assert child.forced(turns) == (needed is not None and needed <= turns)


@pytest.mark.slow
def test_a_small_table_changes_no_verdict() -> None:
    for position, within in ((FARTHEST, 20), (UNSOLVABLE, None)):
        asked = Asked(game(SLIDING).position(position), "win", within)
        for size in (100_000, 10**9):
            solution = Search(asked.puzzle, Budget(20), memory=size, threads=1).run()
            known = (solution.verdict, solution.distance, set(solution.keys))
            assert known in (asked.truth, ("unknown", None, set())) or not solution.is_complete


@pytest.mark.parametrize("path", GOALS)
def test_both_searches_find_lines_of_the_same_length(path: str) -> None:
    for asked in questions(path, 1):
        if asked.within not in (2, 8):
            continue
        found = together(asked.puzzle)
        assert found.verdict == ("possible" if asked.truth[0] == "forced" else "impossible")
        assert found.distance == asked.truth[1]
        if found.distance is not None:
            assert line_reaches(asked, found.line)


# --- certificates ---------------------------------------------------------------------------------


def written(asked: Asked) -> Json:
    solved = Search(asked.puzzle, Budget())
    found = certificate(solved, solved.run())
    check(found, "certificate")
    return json.loads(json.dumps(found))  # type: ignore[no-any-return]


@pytest.mark.parametrize("path", GOALS)
def test_too_many_positions_are_left_to_clingo(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "_MOST_POSITIONS", 1)
    refuted = set()
    for asked in questions(path, 2):
        if asked.within not in (2, 3):
            continue
        found = verify(written(asked))
        assert (found.verdict, found.distance, set(found.keys)) == asked.truth
        if found.plans > len(found.keys):  # not only plans of the attack
            refuted.add(found.verdict)
    assert refuted


def test_plans_of_any_line_are_refuted_where_a_line_comes_to_the_goal() -> None:
    asked = Asked(game(PEGS).initial, "score>=56", 3)
    proof = written(replace(asked, within=0))
    least = distance(asked.state, asked.goal)
    assert least is not None
    for within in range(least + 2):
        proof |= {"within": within, "defence": {"nodes": [{"plan": [None] * within}]}}
        if within < least:
            assert verify(proof).plans == 1
        else:
            with pytest.raises(Rejected, match=r"the plan doesn't hold: after jump.*the goal"):
                verify(proof)
    proof |= {"within": 3, "defence": {"nodes": [{"plan": [None] * 2}]}}
    with pytest.raises(Rejected, match="the attacker can go on"):
        verify(proof)
    proof |= {"defence": {"nodes": [{"plan": ["jump(1,3,1,1)"]}]}}
    with pytest.raises(Rejected, match="no other side"):
        verify(proof)


def in_depth(proof: Json) -> Json:
    """A defence with its nodes numbered down each line first."""
    nodes = proof["defence"]["nodes"]
    order: list[int] = []
    work = [0]
    while work:
        number = work.pop()
        if number not in order:
            order.append(number)
            targets = nodes[number]["replies"].values()
            work += [target for target in targets if isinstance(target, int)]
    place = {number: n for n, number in enumerate(order)}
    turned = [
        {m: place[t] if isinstance(t, int) else t for m, t in nodes[number]["replies"].items()}
        for number in order
    ]
    return proof | {"defence": {"nodes": [{"replies": replies} for replies in turned]}}


@pytest.mark.slow
def test_edges_lead_back_to_what_was_refuted_for_as_many_turns() -> None:
    unsolvable = game(SLIDING).position(UNSOLVABLE)
    assert verify(in_depth(written(Asked(unsolvable, "win", None)))).nodes == 360
    bounded = written(Asked(unsolvable, "win", 25))
    assert verify(bounded).verdict == "not_forced"
    with pytest.raises(Rejected, match="is for other turns"):
        verify(in_depth(bounded))


# --- outside --------------------------------------------------------------------------------------


def test_the_command_line(call: Call, tmp_path: Path) -> None:
    proof = tmp_path / "proof.json"
    rest = ("--attacker", "walker", "--goal", "win")
    solved = call("solve", MAZE, "startpos", *rest, "--certificate", str(proof))
    assert solved.code == 0
    assert "walker can win in 6 turns." in solved.out
    verified = call("verify", str(proof))
    assert verified.code == 0
    assert verified.out.startswith("Verified: walker can win in 6 turns and no fewer, by ")
    refuted = call("solve", MAZE, "startpos", *rest, "--within", "5", "--json")
    assert refuted.code == 1
    check(refuted.json, "solution")
    helped = call("solve", MAZE, "startpos", *rest, "--together")
    assert "walker can win in 6 turns." in helped.out
    puzzle = {"game": MAZE, "position": "startpos", "attacker": "walker", "goal": "win"}
    many = call("solve", "--puzzles", "-", stdin=jsonl(puzzle, puzzle | {"within": 2}))
    answers = many.lines
    assert [answer["distance"] for answer in answers] == [6, None]


def test_what_makes_no_sense_is_refused(call: Call) -> None:
    asked = ("solve", MAZE, "startpos", "--attacker", "walker", "--goal", "trap")
    assert_refused(call(*asked), "nobody to trap")
    with pytest.raises(BadRequest, match="the attacker must be walker"):
        Puzzle.of(game(MAZE).initial, "player", "win")
