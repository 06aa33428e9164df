"""Random choice and random play: uniform, independent, and the same for the same seed."""

import warnings
from collections import Counter
from collections.abc import Iterable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aspgames import BadRequest, Game, LimitReached, playouts
from aspgames.propnet.circuit import FALSE, Circuit, Outputs
from aspgames.propnet.gate_tables import Tables
from aspgames.propnet.lanes import Ints, Keys, Lanes, Rows
from aspgames.propnet.table_writer import write_tables
from aspgames.runtime.budget import Budget
from awkward import AWKWARD
from circuits import new_input
from engine_helpers import EACH_VARIANT, VARIANTS, choose, unlikely, using, write
from game_texts import MIXED

STATES = 1 << 15
"""How many states choose, of three kinds (see ``choosers``)."""


def choosers(counts: Iterable[int]) -> Tables:
    """Roles with so many moves. States of three kinds allow all of them, half, or the last one."""
    circuit = Circuit()
    half, one = new_input(circuit), new_input(circuit)
    circuit.true = {"half": half, "one": one}
    legal = {}
    for role, count in enumerate(counts):
        for move in range(count):
            when = [] if move == count - 1 else [-one] if move % 2 else [-one, -half]
            legal[f"r{role}", f"m{move:04}"] = circuit.conjunction(when)
            circuit.does[f"r{role}", f"m{move:04}"] = new_input(circuit)
    roles = [f"r{role}" for role, _ in enumerate(counts)]
    outputs = Outputs(legal=legal, next={"half": half, "one": one}, terminal=FALSE)
    return write_tables(roles, circuit, outputs, (), ["half", "one"], True, ())


def kinds() -> Rows:
    """All moves are legal, every other one, or the last; alternating, so that neighbours differ."""
    return np.resize(np.array([0, 1, 2], np.uint64), STATES).reshape(STATES, 1)


def keys(first: int = 0) -> Keys:
    return np.arange(first, first + STATES, dtype=np.uint64)


def spread(choices: Ints, options: Iterable[int]) -> float:
    """Chi-squared against a uniform distribution over options; other choices are errors."""
    counted = Counter(choices.tolist())
    expected = len(choices) / len(options := list(options))
    assert counted.keys() <= set(options)
    return sum((counted[option] - expected) ** 2 for option in options) / expected


def allowed(first: int, count: int, kind: int) -> list[int]:
    if kind == 2:
        return [first + count - 1]
    return [first + m for m in range(count) if kind == 0 or m % 2 or m == count - 1]


@pytest.mark.parametrize("variant", EACH_VARIANT)
@pytest.mark.parametrize(
    "counts", [(1,), (2, 3), (7, 63), (64, 65), (128, 200), (1000, 5), (5000, 3)]
)
def test_every_legal_move_is_as_likely_as_any_other(variant: str, counts: tuple[int, ...]) -> None:
    """Also among more moves than a word has bits, and with different numbers of moves."""
    tables = choosers(counts)
    with using(variant):
        chosen = choose(Lanes(tables), kinds(), keys(), 0)
    first = 0
    for role, count in enumerate(counts):
        for kind in range(3):
            options = allowed(first, count, kind)
            found = spread(chosen[kind::3, role], options)
            assert len(options) == 1 or not unlikely(found, len(options) - 1), (role, kind, found)
        first += count


def assert_independent(one: Ints, other: Ints, options: int) -> None:
    pairs = np.bincount(one * options + other, minlength=options * options)
    expected = len(one) / options**2
    assert not unlikely(float(((pairs - expected) ** 2).sum()) / expected, options**2 - 1)


def test_choices_have_nothing_to_do_with_each_other() -> None:
    tables = choosers((10, 10))
    lanes, free = Lanes(tables), np.zeros((STATES, 1), np.uint64)
    chosen = choose(lanes, free, keys(), 0) - np.array([0, 10], np.int32)
    for other in (
        choose(lanes, free, keys(), 1),  # the next ply
        choose(lanes, free, keys(), 2),
        choose(lanes, free, keys(1), 0),  # the next game
        choose(lanes, free, keys(1), 1),
        choose(lanes, free, keys(512), 0),  # the next game in the same lane
        choose(lanes, free, keys(1 << 40), 0),
    ):
        for role, its in product(range(2), repeat=2):
            assert_independent(chosen[:, role], other[:, its] - 10 * its, 10)
    assert_independent(chosen[:, 0], chosen[:, 1], 10)  # the other role
    for shift in (1, 2, 64, 512):  # neighbours in any layout
        assert_independent(chosen[:-shift, 0], chosen[shift:, 0], 10)


def test_a_choice_is_settled_by_key_and_draw_and_nothing_else() -> None:
    tables = choosers((10, 70))
    chosen = choose(Lanes(tables), kinds(), keys(), 5)
    lanes = Lanes(tables)
    for variant, threads, count in product(VARIANTS, (1, 2, 7), (700, STATES)):
        order = np.random.default_rng(threads).permutation(STATES)[:count]
        with using(variant):
            again = choose(Lanes(tables, threads), kinds()[order], keys()[order], 5)
        assert (again == chosen[order]).all()
    for place in order[:20]:
        alone = choose(lanes, kinds()[place : place + 1], keys()[place : place + 1], 5)
        assert (alone[0] == chosen[place]).all()


def exact(game: Game) -> tuple[dict[tuple[int, ...], float], dict[int, float]]:
    """The probability of each result and length of a random game, by the grounder."""
    results: dict[tuple[int, ...], float] = {}
    lengths: dict[int, float] = {}
    now: dict[tuple[str, ...], float] = {game.initial.facts: 1.0}
    ply = 0
    said = {}
    while now:
        following: dict[tuple[str, ...], float] = {}
        for facts, chance in now.items():
            if facts not in said:
                consequences = game.grounder.consequences(facts)
                legal = [consequences.playable(role) for role in game.roles]
                joints = [dict(zip(game.roles, terms, strict=True)) for terms in product(*legal)]
                after = [game.grounder.successor(facts, joint) for joint in joints]
                goals = tuple(consequences.goals[role] for role in game.roles)
                said[facts] = goals, after
            goals, after = said[facts]
            if not after:
                results[goals] = results.get(goals, 0.0) + chance
                lengths[ply] = lengths.get(ply, 0.0) + chance
            for state in after:
                following[state] = following.get(state, 0.0) + chance / len(after)
        now, ply = following, ply + 1
    return results, lengths


AGAIN = """
% Who plays 3 plays again, so games aren't in step; some end early.
role(white;black).  to_move(R) :- true(control(R)).
init(control(white)).  init(step(0)).  init(last(0)).
legal(R,play(1..3)) :- true(control(R)), not true(last(3)).
legal(R,play(2..3)) :- true(control(R)), true(last(3)).
legal(R,noop)       :- role(R), not true(control(R)).
next(step(N+1))     :- true(step(N)), N < 5.
next(control(R))    :- does(R,play(3)).
next(control(R))    :- does(S,play(M)), M < 3, role(R), R != S.
next(last((L*2+M) \\ 5)) :- does(_,play(M)), true(last(L)).
terminal            :- true(step(5)).
terminal            :- true(last(0)), true(step(N)), N > 1.
goal(R,L)           :- true(last(L)), true(control(R)).
"""


@pytest.mark.parametrize(
    "text", [AGAIN, MIXED, AWKWARD["over at once"]], ids=["again", "mixed", "over at once"]
)
def test_random_games_are_distributed_as_calculated(text: str, tmp_path: Path) -> None:
    state = write(text, tmp_path).initial
    results, lengths = exact(state.game)
    games = 40_000
    played = playouts(state, games, 5)
    expected_of: list[tuple[Counter[Any], dict[Any, float]]] = [
        (played.results, results),
        (played.lengths, lengths),
    ]
    for counted, chances in expected_of:
        assert counted.keys() <= chances.keys()
        assert sum(counted.values()) == games
        square = sum(
            (counted[key] - games * chance) ** 2 / (games * chance)
            for key, chance in chances.items()
        )
        assert len(chances) == 1 or not unlikely(square, len(chances) - 1)


def test_a_role_without_moves_ends_the_game(tmp_path: Path) -> None:
    text = """
        role(a;b).  init(n(0)).  to_move(a).  legal(a,(x;y)).
        legal(b,noop) :- true(n(0)).  legal(b,noop) :- true(n(1)), true(x).
        next(n(N+1)) :- true(n(N)), N < 2.  next(x) :- does(a,x).  goal(R,50) :- role(R).
    """
    state = write(text, tmp_path).initial
    for reasoner, games in (("propnet", 8000), ("grounder", 100)):
        played = playouts(state, games, reasoner=reasoner)
        assert played.results == {(50, 50): games}
        assert played.lengths.keys() == {1, 2}
        assert abs(played.lengths[1] - games / 2) < 5 * (games / 4) ** 0.5


@pytest.mark.slow
def test_games_with_two_goals_at_the_end_are_counted_apart(tmp_path: Path) -> None:
    text = """
        role(a;b).  init(n(0)).  to_move(a).  legal(a,m(0..99)).  legal(b,noop).
        next(n(1)).  next(y) :- does(a,m(37)).  terminal :- true(n(1)).
        goal(a,1).  goal(b,1).  goal(b,2) :- true(y).
    """
    state = write(text, tmp_path).initial
    end = state.play("m(37)")
    for reasoner, games, threads in (("propnet", 5000, 1), (None, 5000, 3), ("grounder", 300, 1)):
        found = playouts(state, games, reasoner=reasoner, threads=threads)
        assert not unlikely((found.unsettled - games / 100) ** 2 / (games / 100), 1)
        assert found.results == {(1, 1): games - found.unsettled}
        assert (found.lengths, found.unsettled_end) == ({1: games}, end)
        again = playouts(end, 2, reasoner=reasoner)
        assert (again.unsettled, again.lengths, again.unsettled_end) == (2, {0: 2}, end)


WALK = """
    role(white;black).  init(at(3)).  init(control(white)).
    legal(R,(left;right)) :- true(control(R)).  legal(R,noop) :- role(R), not true(control(R)).
    next(at(N-1)) :- true(at(N)), does(_,left), N > 0.
    next(at(N+1)) :- true(at(N)), does(_,right), N < 6.
    next(at(6)) :- true(at(6)), does(_,right).
    next(control(white)) :- true(control(black)).  next(control(black)) :- true(control(white)).
    terminal :- true(at(0)).  goal(white,100) :- true(at(0)).
"""


@pytest.mark.parametrize("reasoner", ["propnet", "grounder"])
def test_games_are_broken_off_after_a_number_of_plies(reasoner: str, tmp_path: Path) -> None:
    """A random walk from 3 to 0, counted by hand: 1 in 8 ends in 3 plies, 3 in 32 in 5."""
    state, games = write(WALK, tmp_path).initial, 8000 if reasoner == "propnet" else 50
    for most, part in ((2, 0), (3, 1 / 8), (4, 1 / 8), (5, 7 / 32)):
        found = playouts(state, games, 1, max_plies=most, reasoner=reasoner)
        assert found.games + found.broken_off == games == found.requested
        assert set(found.lengths) == {n for n in (3, 5) if n <= most}
        assert not part or not unlikely((found.games - part * games) ** 2 / (part * games), 1)
        assert (found.is_biased, found.results[100, 0]) == (True, found.games)
        assert found.states == 4 * found.lengths[3] + 6 * found.lengths[5] + (
            (most + 1) * found.broken_off
        )
    with pytest.raises(BadRequest, match="the most plies of a game must be a whole number from 1"):
        playouts(state, 1, max_plies=0)


def test_a_game_without_end_is_broken_off_with_a_warning(tmp_path: Path) -> None:
    endless = write(WALK.replace("at(0)", "at(-9)"), tmp_path).initial
    with pytest.warns(UserWarning, match="9 of 9 games were broken off after 1,000 plies"):
        found = playouts(endless, 9)
    assert (found.games, found.broken_off, found.mean_length, found.states) == (0, 9, 0, 9009)
    with warnings.catch_warnings(action="error"):
        assert playouts(endless, 9, max_plies=1000).broken_off == 9


def test_a_proved_bound_is_the_default_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every ply takes one of 1,020 stones, so play ends within 1,020 plies."""
    monkeypatch.setattr("aspgames.analysis.properties._SECONDS_OF_A_BOUND", 60.0)
    game = write(
        """
        role(solo).  init(stone(1..1020)).  legal(solo,take(S)) :- true(stone(S)).
        next(stone(S)) :- true(stone(S)), not does(solo,take(S)).
        left :- true(stone(_)).  terminal :- not left.  goal(solo,100) :- terminal.
        """,
        tmp_path,
    )
    with warnings.catch_warnings(action="error"):
        found = playouts(game.initial, 5, 1)
    assert (found.lengths, found.broken_off, found.max_plies) == ({1020: 5}, 0, 1020)


def test_progress_is_told_and_a_budget_ends_the_games(tmp_path: Path) -> None:
    state = write(AGAIN, tmp_path).initial
    told: list[int] = []
    played = playouts(state, 3000, progress=told.append, threads=2)
    assert told == sorted(told)
    assert told[-1] == played.games == 3000
    needed = played.states
    for threads in (1, 2):
        assert playouts(state, 3000, threads=threads, budget=Budget(positions=needed)).games == 3000
        with pytest.raises(LimitReached, match=f"within {needed - 1} positions"):
            playouts(state, 3000, threads=threads, budget=Budget(positions=needed - 1))
