"""The interface to a solved puzzle: its results for positions, compared with brute force."""

import math
import random

import pytest

import aspgames
from aspgames import State
from aspgames.puzzle.problem import Puzzle
from aspgames.puzzle.solved import Position
from aspgames.runtime.budget import Budget
from aspgames.runtime.errors import LimitReached
from aspgames.solver.search.puzzle_search import Search
from brute_force import Tree
from false_certificates import game, rules_of

TICTACTOE = "tictactoe"
SPLIT = "********/********/********/********/*****Qq1/*****1q*/*******1/*****1*1 w fire f4"

ASKED = [
    ("breakthrough", "startpos", {"width": 2, "height": 5}, "white", "win"),
    ("breakthrough", "1p1/3/P1P/3 w", {"width": 3, "height": 4}, "black", "win"),
    ("amazons_8x8", SPLIT, {}, "black", "trap"),
    (TICTACTOE, "X1O/1O1/2X w", {}, "white", "win"),
]
TURNS = (-1, 0, 1, 2, 3, math.inf)


def of(index: int) -> tuple[Search, Tree]:
    game, position, constants, attacker, goal = ASKED[index]
    state = aspgames.load(game, **constants).position(position)
    puzzle = Puzzle.of(state, attacker, goal)
    return Search(puzzle, Budget()), Tree(puzzle)


def met(solved: Search, games: int) -> dict[State, Position]:
    """States of random games with their positions; two ways to a state give the same position."""
    rng = random.Random(1)
    found: dict[State, Position] = {solved.puzzle.state: solved.root}
    for _ in range(games):
        state, position = solved.puzzle.state, solved.root
        while children := position.children():
            moves = [move for move, _ in children]
            assert moves == [move.term for move in state.legal_moves]
            number = rng.randrange(len(children))
            state, position = state.play(moves[number]), children[number][1]
            known = found.setdefault(state, position)
            assert (known, hash(known)) == (position, hash(position))
    return found


@pytest.mark.parametrize("index", range(len(ASKED)))
def test_what_is_said_of_positions(index: int) -> None:
    solved, tree = of(index)
    for state, position in met(solved, games=12).items():
        seen = tree.see(state)
        assert (position.goal_reached, position.attacks) == (seen.reached, seen.attacks)
        assert position.over == (seen.over and not seen.reached)
        assert position.fluents == set(solved.fluents).intersection(state.facts)
        least = next((turns for turns in range(9) if tree.forces(state, turns)), math.inf)
        for turns in TURNS:
            forced = tree.forces(state, turns)
            assert position.known(turns) in (None, forced)
            assert position.forced(turns) == forced == position.known(turns)
            lower, upper = position.bounds
            assert lower <= least <= upper


@pytest.mark.parametrize("index", range(len(ASKED)))
def test_best_moves_and_lines(index: int) -> None:
    solved, tree = of(index)
    for state, position in met(solved, games=12).items():
        turns = next((turns for turns in (*range(9), math.inf) if tree.forces(state, turns)), None)
        if turns is None:
            continue
        best = dict(position.best_moves(turns))
        children = tree.see(state).moves
        left = {move: tree.left(state, child, turns) for move, child in children.items()}
        if position.attacks:
            assert set(best) == {m for m in children if tree.forces(children[m], left[m])}
        elif turns:
            assert set(best) == {m for m in children if not tree.forces(children[m], left[m] - 1)}
        for move in position.best_line(turns):
            turns = tree.left(state, children[move], turns)
            state, children = children[move], tree.see(children[move]).moves
        assert tree.see(state).reached
        assert turns == 0


def test_every_reply_is_best_where_each_reaches_the_goal() -> None:
    start = game(rules_of("a b: c d / c w won / d w won")).initial
    root = Search(Puzzle.of(start, "white", "win"), Budget()).root
    assert root.forced(0)
    assert [move for move, _ in root.best_moves(0)] == ["c", "d"]
    assert root.best_line(0) == ["c"]


def test_positions_of_more_fluents_than_a_word_has_bits() -> None:
    state = aspgames.load("breakthrough").initial
    solved = Search(Puzzle.of(state, "white", "win"), Budget())
    assert len(solved.fluents) > 128
    for move, child in solved.root.children():
        assert child.fluents == set(solved.fluents).intersection(state.play(move).facts)


def test_another_attacker_and_another_state() -> None:
    solved, tree = of(0)
    solved.at(solved.puzzle.state, None, Budget(1e-9))  # has limits of its own
    other = solved.for_attacker("black")
    assert other.puzzle == Puzzle.of(solved.puzzle.state, "black", "win")
    assert other.fluents == solved.fluents
    assert {solved.run().verdict, other.run().verdict} == {"forced", "not_forced"}
    state = solved.puzzle.state.play(solved.puzzle.state.legal_moves[1])
    later = solved.at(state, 2, Budget())
    assert later.puzzle == Puzzle.of(state, "white", "win", 2)
    assert later.turns_left == 2
    assert (later.run().verdict == "forced") == tree.forces(state, 2)


def test_all_moves_are_looked_at_unless_there_is_no_time() -> None:
    solved, tree = of(0)
    solved.look_at_moves()
    for move, child in solved.root.children():
        after = solved.puzzle.state.play(move)
        assert child.known(math.inf) == tree.forces(after, math.inf)
    game = aspgames.load("breakthrough").initial
    hard = Search(Puzzle.of(game, "white", "win"), Budget(positions=1000))
    hard.look_at_moves()
    assert None in {child.known(math.inf) for _, child in hard.root.children()}
    with pytest.raises(LimitReached):
        hard.root.forced(math.inf)
