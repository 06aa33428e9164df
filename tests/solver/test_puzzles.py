"""Puzzles: an independent engine's answers, a brute-force search, and cases by hand."""

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import aspgames
from aspgames import BadRequest, State, solve
from aspgames.puzzle.goal import Goal
from aspgames.puzzle.problem import Puzzle
from aspgames.puzzle.verdict_text import verdict_text
from aspgames.runtime.budget import Budget
from aspgames.solver.search import puzzle_search
from aspgames.solver.search.puzzle_search import Search
from brute_force import Tree, reached
from engine_helpers import write
from proofs import proved, puzzle_of
from puzzle_files import HARD, MIXED, SAMPLE, SMALL, is_quick

SIDES = ("white", "black")
QUICK = [*SMALL[:4], *filter(is_quick, [*SAMPLE[::4], *MIXED[::32]])]


MORE = [p for p in (*SMALL[::2], *SAMPLE, *MIXED[::2], *HARD[::2]) if p not in QUICK]
CERTIFIED = [known.values[0] for known in (*QUICK, *SAMPLE)]


@pytest.mark.quick(2)
@pytest.mark.sample(40)
@pytest.mark.parametrize(
    "puzzle", [*QUICK, *(pytest.param(*p.values, id=p.id, marks=pytest.mark.slow) for p in MORE)]
)
def test_the_answers_of_an_independent_engine(puzzle: dict[str, Any]) -> None:
    asked = puzzle_of(puzzle)
    search = Search(asked, Budget())
    solution = search.run()
    assert puzzle["answer"] == {
        "verdict": solution.verdict,
        "distance": solution.distance,
        "keys": len(solution.keys),
    }
    check_line(asked.state, asked.attacker, asked.goal.text, solution)
    if puzzle in CERTIFIED:
        proved(search, solution)


def check_line(state: State, attacker: str, goal: str, solution: aspgames.Solution) -> None:
    """The line is playable, reaches the goal only at its end, and takes the whole distance."""
    if not solution.distance:
        return
    assert solution.line
    if solution.keys:
        assert solution.line[0] in solution.keys
    turns = 0
    mover = None
    for move, text in zip(solution.line, solution.line_text, strict=True):
        assert not reached(state, attacker, goal)
        if state.to_move == attacker and mover != attacker:
            turns += 1
        mover = state.to_move
        assert state.move_text(move) == text
        state = state.play(move)
    assert reached(state, attacker, goal)
    assert turns == solution.distance


def amazons_in_a_corner(name: str, chance: random.Random) -> State:
    """A mostly burned position: three amazons in a room of seven squares."""
    game = aspgames.load(name)
    size = game.board.width if game.board else 0
    squares = [(x, y) for x in range(1, size + 1) for y in range(1, size + 1)]
    room = chance.sample([s for s in squares if s[0] <= 4 and s[1] <= 3], 7)
    facts = [f"cell({x},{y},arrow)" for x, y in squares if (x, y) not in room]
    colours = [*SIDES, chance.choice(SIDES)]
    facts += [f"cell({x},{y},{c})" for (x, y), c in zip(room, colours, strict=False)]
    mover = chance.choice(SIDES)
    side = f"control({mover})" if name == "amazons" else f"turn({mover},move)"
    state = game.from_facts([*facts, side])
    if name != "amazons" and state.legal_moves and chance.random() < 0.3:
        return state.play(chance.choice(state.legal_moves))  # begin in the fire phase
    return state


def breakthrough_of_few_pieces(chance: random.Random) -> State:
    """Five pieces, none of which has won."""
    game = aspgames.load("breakthrough", width=3, height=4)
    squares = [(x, y) for x in (1, 2, 3) for y in (2, 3)]
    colours = [*SIDES, *SIDES, chance.choice(SIDES)]
    facts = [
        f"cell({x},{y},{c})" for (x, y), c in zip(chance.sample(squares, 5), colours, strict=True)
    ]
    return game.from_facts([*facts, f"control({chance.choice(SIDES)})"])


@cache
def tiny_positions() -> list[State]:
    return [*_tiny_positions()]


def _tiny_positions() -> Iterator[State]:
    rng = random.Random(7)
    for _ in range(15):
        yield breakthrough_of_few_pieces(rng)
    for name in ("amazons", "amazons_8x8"):
        for _ in range(15):
            yield amazons_in_a_corner(name, rng)
    skirmish = aspgames.load("skirmish")
    for _ in range(8):
        squares = rng.sample([(x, y) for x in (1, 2, 4, 5) for y in (2, 4)], 3)
        pieces = rng.sample(("rook", "knight", "bishop", "king", "pawn"), 3)
        placed = zip(squares, pieces, ("white", "black", "black"), strict=True)
        facts = [f"cell({x},{y},{piece}({colour}))" for (x, y), piece, colour in placed]
        side = f"control({rng.choice(SIDES)})"
        yield skirmish.from_facts([*facts, side, "step(57)"])


@pytest.mark.sample(14)
@pytest.mark.quick(3)
@pytest.mark.parametrize(
    "number", [pytest.param(n, marks=[pytest.mark.slow] * (n % 6 > 0)) for n in range(53)]
)
def test_tiny_positions_by_brute_force(number: int) -> None:
    state = tiny_positions()[number]
    rng = random.Random(str(state.fen))
    within = 2 if state.game.name == "skirmish" else 3
    goals = ["trap", "win"] if state.goals == {"white": 0, "black": 0} else ["win"]
    if state.game.name == "skirmish":
        goals = [f"score>={rng.choice((0, 10, 20))}"]
    for goal in goals:
        attacker = rng.choice(state.game.roles)
        solution = solve(state, attacker=attacker, goal=goal, within=within)
        tree = Tree(Puzzle.of(state, attacker, goal, within))
        distance = tree.distance(within)
        assert solution.verdict == ("not_forced" if distance is None else "forced")
        assert solution.distance == distance
        assert solution.keys == tuple(sorted(() if distance is None else tree.keys(distance)))
        check_line(state, attacker, goal, solution)
        children = tree.see(state).moves
        for move, turns in solution.replies:
            begun = tree.see(children[move]).attacks
            forced = [tree.forces(children[move], most - begun) for most in range(within + 1)]
            assert (forced.index(True) if any(forced) else None) == turns
        assert distance is None or len(solution.replies) in (0, len(children))


@pytest.mark.parametrize(("seconds", "positions"), [(None, 50), (0.1, None)])
def test_a_limit_gives_what_is_known(seconds: float | None, positions: int | None) -> None:
    state = aspgames.load("breakthrough").initial
    solution = solve(
        state, attacker="white", goal="win", within=9, budget=Budget(seconds, positions)
    )
    assert (solution.verdict, solution.distance, solution.keys) == ("unknown", None, ())
    assert (solution.not_within or 0) in range(4 if positions else 9)
    assert positions is None or solution.positions < 5_000  # a single expansion
    if seconds:
        plain = solve(state, attacker="white", goal="win", within=9, time=seconds, memory=1e7)
        assert plain.verdict == "unknown"
        with pytest.raises(BadRequest, match="a time or a budget, not both"):
            solve(state, attacker="white", goal="win", time=1, budget=Budget(1))


@pytest.mark.parametrize("position", ["pp1p/p2p/4/P2P/PP1P w", "pp2/p3/4/P3/PP2 w"])
def test_bounds_at_a_limit_are_told_and_proved(position: str) -> None:
    """A win is found, but not in how few turns."""
    state = aspgames.load("breakthrough", width=4, height=5).position(position)
    puzzle = Puzzle.of(state, "white", "win")
    search = Search(puzzle, Budget(), threads=1)
    assert search.run(first=True).verdict == "forced"
    found = search.at(state, None, Budget(positions=1)).run()
    whole = solve(state, attacker="white", goal="win")
    assert (found.verdict, found.distance, found.line) == ("forced", None, ())
    assert found.not_within is not None
    assert found.at_most is not None
    assert whole.distance is not None
    assert found.not_within < whole.distance <= found.at_most
    assert not found.keys_complete
    for key in found.keys:
        within, after = found.at_most - 1, state.play(key)
        assert solve(after, attacker="white", goal="win", within=within).verdict == "forced"
    text = f"white forces a win, in at most {found.at_most} turns (not within {found.not_within})."
    assert verdict_text(puzzle, found) == text
    search = search.at(state, None, Budget())
    told = proved(search, found)
    assert (told.at_most, told.not_within) == (found.at_most, found.not_within)


@pytest.mark.parametrize(
    "rules",
    [
        "role(a;b;c). init(x). legal(R,go) :- role(R).",
        "role(a;b). init(x). legal(R,(go;stay)) :- role(R).",
        "role(a;b). init(x). to_move(a). legal(a,go). legal(b,(noop;sleep)).",
    ],
)
def test_puzzles_are_for_one_role_or_two_that_alternate(rules: str, tmp_path: Path) -> None:
    game = write(rules, tmp_path)
    with pytest.raises(BadRequest, match="puzzles are for"):
        solve(game.initial, attacker=game.roles[0], goal="win")


def test_goals_are_written_in_one_form() -> None:
    assert Goal.parse("score:010") == Goal.parse("score>=10")


@pytest.mark.parametrize(
    "puzzle", [*SMALL[2:40:12], pytest.param(*HARD[15].values, marks=pytest.mark.slow)]
)
def test_slices_threads_and_memory_never_change_an_answer(
    puzzle: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(puzzle_search, "_EASY_EFFORT", 0)
    asked, answers = puzzle_of(puzzle), set()
    for evaluations, threads, memory in (
        (1000, 1, None),
        (100, 2, None),
        (5_000, 3, 1 << 20),
        (2_000, 1, 600_000),
    ):
        search = Search(asked, Budget(), memory=memory, threads=threads)
        search.table.slice = evaluations
        solution = search.run()
        answers.add((solution.verdict, solution.distance, solution.keys))
    assert len(answers) == 1
