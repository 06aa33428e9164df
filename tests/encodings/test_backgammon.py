"""Backgammon: in lockstep with OpenSpiel, and races against dice rolled by hand."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest

import aspgames
from aspgames import State
from thoroughly import amount

Board = tuple[tuple[int, ...], ...]
"""For White and Black: the men on points 1 to 24, and on the bar."""


def ours(state: State) -> Board:
    board = {role: [0] * 25 for role in ("white", "black")}
    for fact in state.facts:
        name, _, rest = fact.rstrip(")").partition("(")
        words = rest.split(",")
        if name == "men":
            board[words[1]][int(words[0]) - 1] = int(words[2])
        elif name == "bar":
            board[words[0]][24] = int(words[1])
    return tuple(tuple(men) for men in board.values())


def theirs(state: Any) -> Board:
    bar = 100
    return tuple(
        (*(state.board(player, 23 - point) for point in range(24)), state.board(player, bar))
        for player in (0, 1)
    )


def after_two(state: State) -> Iterator[State]:
    """The states after at most two moves of the side on move: what OpenSpiel has as one."""
    for move in state.legal_moves:
        one = state.play(move)
        if one.is_terminal or one.to_move != state.to_move:
            yield one
        else:
            yield from (one.play(move) for move in one.legal_moves)


@pytest.mark.parametrize(
    ("setup", "checkers", "games", "longest"),
    [
        ("backgammon(hyper_backgammon=true)", 3, amount(1, 200), 400),
        pytest.param("backgammon", 15, amount(2, 200), amount(60, 2000), marks=pytest.mark.slow),
    ],
)
@pytest.mark.slow
def test_men_move_as_in_openspiel(setup: str, checkers: int, games: int, longest: int) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game = aspgames.load("backgammon", points=24, checkers=checkers, sides=6)
    for seed in range(games):
        random, state, other = Random(seed), game.initial, pyspiel.load_game(setup)
        other = other.new_initial_state()
        for _ in range(longest):
            assert ours(state) == theirs(other)
            if other.is_terminal():
                break
            if other.is_chance_node():
                assert state.to_move == "random"
                outcomes = other.chance_outcomes()
                action, chance = random.choice(outcomes)
                text = other.action_to_string(-1, action)
                dice = text.partition("roll: ")[2][:2]
                if "starts" in text:
                    dice = "".join(sorted(dice, reverse="X" in text))
                roll = f"roll({dice[0]},{dice[1]})"
                assert float(
                    {move.term: part for move, part in state.chance}[roll]
                ) == pytest.approx(chance)
                state = state.play(roll)
            else:
                assert state.to_move == ("white", "black")[other.current_player()]
                boards = {ours(one): one for one in after_two(state)}
                actions = {theirs(other.child(move)): move for move in other.legal_actions()}
                assert boards.keys() == actions.keys()
                board = random.choice(sorted(boards))
                state, action = boards[board], actions[board]
            other.apply_action(action)


@cache
def race(mine: tuple[int, ...], yours: tuple[int, ...], sides: int) -> Fraction:
    """The chance of the side that is about to roll, if the sides have passed each other."""
    if not yours:
        return Fraction(0)
    total = Fraction(0)
    for roll in product(range(1, sides + 1), repeat=2):
        ends = moved(mine, roll * 2 if roll[0] == roll[1] else roll, 3)
        total += max(1 - race(yours, men, sides) for men in ends)
    return total / sides**2


def moved(men: tuple[int, ...], dice: tuple[int, ...], home: int) -> set[tuple[int, ...]]:
    """What men at these distances become if as many dice as possible are used."""
    ends = set[tuple[int, tuple[int, ...]]]()

    def go(men: tuple[int, ...], dice: tuple[int, ...], used: int) -> None:
        ends.add((used, men))
        for place, die in enumerate(dice):
            for man in set(men):
                far = max(men)
                if die < man or (far <= home and (die == man or man == far)):
                    rest = list(men)
                    rest.remove(man)
                    left = (*rest, man - die) if die < man else (*rest,)
                    go(tuple(sorted(left)), dice[:place] + dice[place + 1 :], used + die)

    go(men, dice, 0)
    most = max(used for used, _ in ends)
    return {men for used, men in ends if used == most}


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("white", "black"),
    [
        ((1, 2), (2, 2)),
        pytest.param((3, 3), (2, 3), marks=pytest.mark.slow),
        pytest.param((2, 4), (1, 1), marks=pytest.mark.slow),
        ((2, 3, 5), (3,)),
    ],
)
def test_a_race_is_won_as_by_hand(white: tuple[int, ...], black: tuple[int, ...]) -> None:
    points = {distance: white.count(distance) for distance in white}
    facts = [f"men({p},white,{n})" for p, n in points.items()]
    facts += [f"men({13 - d},black,{black.count(d)})" for d in set(black)]
    game = aspgames.load("backgammon", points=12, checkers=3, sides=3)
    found = aspgames.solve(
        game.position(" ".join([*facts, "control(white)"])), attacker="white", goal="win"
    )
    assert found.probability == race(white, black, 3)
