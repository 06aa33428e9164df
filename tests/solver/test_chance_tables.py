"""Tables and unlimited puzzles of games with chance, against value iteration and OpenSpiel."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aspgames import load, make_table, solve
from aspgames.propnet import mean_values
from aspgames.puzzle.problem import Puzzle
from aspgames.runtime.budget import MOST_RULES, Budget
from aspgames.runtime.errors import BadRequest, Interrupted, LimitReached, Rejected, RulesError
from aspgames.solver.chance import chance_puzzle, unlimited_values
from aspgames.solver.solvers import open_any_puzzle
from aspgames.solver.table import enumeration, expected_values, table_maker
from aspgames.solver.table.lookup import Table
from aspgames.solver.table.table_check import verify_samples, verify_whole
from aspgames.solver.table.table_file import write
from chance_graphs import ChanceGraph, random_chance_graph
from false_certificates import game
from helpers import Stopping
from paths import ROOT
from thoroughly import amount

pytest.importorskip("pyarrow")
PIG = str(ROOT / "tests/data/small_pig.lp")
GRAPHS = amount(12, 400)


def by_iteration(graph: ChanceGraph) -> Mapping[str, float]:
    """White's best probability at each node for any number of turns: floats, from 0 upwards."""
    values = {name: float(node.goal == 100) for name, node in graph.nodes.items()}
    for _ in range(3000):
        for name, (mover, targets, _) in graph.nodes.items():
            after = [values[m] for m in targets]
            if mover == "random":
                weights = list(targets.values()) if graph.weighted else [1] * len(after)
                values[name] = sum(np.multiply(weights, after)) / sum(weights)
            elif targets:
                values[name] = (max if mover == "white" else min)(after)
    return values


def test_random_graphs(tmp_path: Path) -> None:
    """Tables, and puzzles that value all states; exact values where play doesn't go round."""
    exact = circular = 0
    for seed in range(GRAPHS):
        graph = random_chance_graph(seed)
        start, expected = game(graph.rules).initial, by_iteration(graph)
        table = make_table(start, tmp_path / f"{seed}.arrow").table
        low, high = (each / 100 for each in (table.value(start).expected or {})["white"])
        assert high - low < 1e-9
        assert float(low) - 1e-9 < expected["a"] < float(high) + 1e-9
        exact += low == high
        circular += table.about.has_circles
        if not table.about.has_circles:
            assert (low, low) == graph.bounds(40) == (high, high)
        assert verify_whole(table, start.game, 1, Budget()) == len(table)
        assert verify_samples(table, start.game, 9, seed, Budget()) == min(10, len(table) + 1)
    assert exact > GRAPHS / 4
    assert circular > GRAPHS / 9


@pytest.mark.parametrize("ends", [LimitReached, Interrupted])
def test_a_stopped_table_tells_bounds_of_the_values(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ends: type[BaseException]
) -> None:
    """Wherever it is stopped they are true, while states are found, too; later they are narrow."""
    monkeypatch.setattr(mean_values, "_VALUES_AT_ONCE", 20)
    monkeypatch.setattr(enumeration, "CHUNK", 16)
    monkeypatch.setattr(expected_values, "_SMALL_PART", 64)
    monkeypatch.setattr(table_maker, "_LAST_SECONDS", (60, 60))
    start, seen = load(PIG, target=6).initial, list[float]()
    whole = make_table(start, tmp_path / "whole.arrow").table.value(start).expected or {}
    for looks in range(0, 60, amount(6, 1)):
        path = tmp_path / f"{looks}.arrow"
        with pytest.raises(ends) as stopped:
            make_table(start, path, budget=Stopping(looks, ends), threads=1)
        known = "".join(getattr(stopped.value, "__notes__", ()))
        told = re.fullmatch(r"expected goals: white (.*), black (.*)", known)
        assert told
        both = [re.findall(r"[0-9.]+", each) for each in told.groups()]
        bounds = [(float(each[0]), float(each[-1])) for each in both]
        for (low, high), role in zip(bounds, whole, strict=True):
            least, most = map(float, whole[role])
            assert low - 1e-9 <= least <= most <= high + 1e-9
        seen.append(max(high - low for low, high in bounds))
    assert seen[0] == 100
    assert any(1 < width < 99 for width in seen), "from a part of the states"
    assert seen[-1] < 1e-6


def test_a_stopped_puzzle_keeps_the_bounds_of_all_states(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are true wherever it is stopped, and narrower than those of the rounds."""
    monkeypatch.setattr(mean_values, "_VALUES_AT_ONCE", 20)
    monkeypatch.setattr(unlimited_values, "_CHUNK", 16)
    monkeypatch.setattr(expected_values, "_SMALL_PART", 64)
    monkeypatch.setattr(unlimited_values, "_LAST_SECONDS", 60)
    monkeypatch.setattr(chance_puzzle, "_MOST_NODES", 0)
    start, seen = load(PIG, target=6).initial, list[Fraction]()
    known = solve(start, attacker="white", goal="win").probability_at_least
    assert known
    for looks in range(1, amount(140, 400), 6):
        puzzle = Puzzle.read(start, "white", "win", None, 1)
        found = chance_puzzle.PuzzleWithChance(puzzle, Stopping(looks), lambda _: None).run()
        low, high = found.probability_at_least, found.probability_at_most
        assert low is not None
        assert high is not None
        assert low - Fraction(1, 10**9) <= known <= high
        seen.append(high - low)
    assert seen[0] == 1, "nothing is known before the first round"
    assert any(Fraction(1, 100) < width < Fraction(1, 2) for width in seen)
    assert seen[-1] < Fraction(1, 10**6)


@pytest.mark.parametrize("most_rules", [1, MOST_RULES])
def test_puzzles_without_a_limit(monkeypatch: pytest.MonkeyPatch, most_rules: int) -> None:
    monkeypatch.setattr(chance_puzzle, "_MOST_NODES", 0)
    for seed in range(40, 40 + GRAPHS // (1 if most_rules > 1 else 4)):
        graph = random_chance_graph(seed)
        expected, asked = by_iteration(graph), Fraction(seed % 7 + 1, 8)
        puzzle = Puzzle.read(game(graph.rules).initial, "white", "win", None, asked)
        solving = chance_puzzle.PuzzleWithChance(
            puzzle, Budget(20), lambda _: None, most_rules=most_rules
        )
        found = solving.run()
        low = found.probability_at_least if found.probability is None else found.probability
        high = found.probability_at_most if found.probability is None else found.probability
        assert low is not None
        assert high is not None
        assert high - low < 1e-9
        assert float(low) - 1e-9 < expected["a"] < float(high) + 1e-9
        if low > asked or high < asked:
            assert found.verdict == ("forced" if low > asked else "not_forced")
        root = graph.nodes["a"]
        if found.keys and found.distance is None and root.mover == "white":
            best = max(expected[move] for move in root.targets)
            assert all(abs(expected[key] - best) < 1e-9 for key in found.keys)


def test_play_that_stays_in_an_end_component(tmp_path: Path) -> None:
    """White may wait for ever among rolls, where only a bet of 1/3 leads out."""
    rules = """role(white;random). init(at(a)). end(w;l). terminal :- true(at(N)), end(N).
    goal(white,100) :- true(at(w)). goal(white,0) :- true(at(l)). goal(random,0).
    legal(white,noop) :- true(at(r;s;t)). legal(white,(r;t)) :- true(at(a)).
    to_move(white) :- true(at(a)). to_move(random) :- true(at(r;s;t)).
    legal(random,noop) :- true(at(a)). legal(random,(a;s)) :- true(at(r)).
    legal(random,(r;a)) :- true(at(s)). legal(random,(w;l)) :- true(at(t)).
    weight(w,1). weight(l,2). weight(a,1). weight(s,3). weight(r,1).
    next(at(M)) :- does(white,M), true(at(a)). next(at(M)) :- does(random,M), not true(at(a))."""
    start = game(rules).initial
    table = make_table(start, tmp_path / "wait.arrow").table
    low, high = (table.value(start).expected or {})["white"]
    assert low <= Fraction(100, 3) <= high
    assert high - low < 1e-12
    found = solve(start, attacker="white", goal="win", chance="1/4")
    assert (found.probability_at_most or found.probability or 1) - Fraction(1, 3) < 1e-9


def test_fractions_of_several_words(tmp_path: Path) -> None:
    """Ninety rolls: at least 30 of them are a one with the chance 2/7, which 253 bits tell."""
    rules = """role(white;random). init(at(0,0)). legal(white,noop). legal(random,(one;two)).
    next(at(N+1,K+1)) :- true(at(N,K)), N < 90, does(random,one).
    next(at(N+1,K))   :- true(at(N,K)), N < 90, does(random,two).
    to_move(random). terminal :- true(at(90,_)). weight(one,2). weight(two,5).
    goal(random,0). goal(white,100) :- true(at(_,K)), K >= 30.
    goal(white,0) :- true(at(_,0..29))."""
    start = game(rules).initial
    table = make_table(start, tmp_path / "rolls.arrow").table
    lost = sum(
        math.comb(90, k) * Fraction(2, 7) ** k * Fraction(5, 7) ** (90 - k) for k in range(30)
    )
    assert (table.value(start).expected or {})["white"] == (100 * (1 - lost),) * 2
    assert table.about.one == 7**90
    assert verify_whole(table, start.game, 1, Budget()) == len(table) == 91 * 92 // 2


@pytest.fixture
def pig(tmp_path: Path) -> Table:
    return make_table(load(PIG, target=4).initial, tmp_path / "pig.arrow").table


def test_a_puzzle_asks_the_table(pig: Table) -> None:
    start = load(PIG, target=4).initial
    searched = solve(start, attacker="white", goal="win", chance="7/10")
    asked = Puzzle.read(start, "white", "win", None, "7/10")
    with open_any_puzzle(asked, Budget(), None, pig.path) as solving:
        found = solving.run()
    assert (found.verdict, found.keys) == ("forced", ("roll",))
    assert (found.probability_at_least or 0) <= (searched.probability_at_most or 0)
    assert (found.probability_at_most or 0) >= (searched.probability_at_least or 1)
    for goal, within in (("win", 3), ("score>=100", None)):
        puzzle = Puzzle.read(start, "white", goal, within, 1)
        with pytest.raises(BadRequest, match="answers the goals win and score, without"):
            open_any_puzzle(puzzle, Budget(), None, pig.path)


@pytest.mark.parametrize("check", [verify_whole, verify_samples])
def test_a_wrong_bound_is_found(pig: Table, tmp_path: Path, check: Callable[..., int]) -> None:
    states, values = next(pig.parts())
    rng = np.random.default_rng(1)
    for bound, by in ((0, 1), (0, -1), (1, -1), (1, 1)):
        wrong = values.copy()
        among = np.flatnonzero(values[:, 0, 0, 0] % (100 * pig.about.one))
        place = rng.choice(among), 0, bound, 0
        wrong[place] = np.uint64(int(wrong[place]) + by)
        path = tmp_path / f"{bound}{by}.arrow"
        write(path, replace(pig.about), iter([(states, wrong)]))
        given = (1,) if check is verify_whole else (len(pig), 0)
        with pytest.raises(Rejected, match="the table has white"):
            check(Table(path), load(PIG, target=4), *given, Budget())


def openspiel_pig(target: int) -> Mapping[str, float]:
    """The first player's probability in each state of OpenSpiel's Pig, by value iteration."""
    pyspiel = pytest.importorskip("pyspiel")
    root = pyspiel.load_game(f"pig(horizon=1000,winscore={target})").new_initial_state()
    after: dict[str, tuple[int, list[tuple[str, float]]]] = {}
    values, stack = {str(root): 0.0}, [root]
    while stack:
        state: Any = stack.pop()
        odds = dict(state.chance_outcomes()) if state.is_chance_node() else {}
        children = [(state.child(a), odds.get(a, 1.0)) for a in state.legal_actions()]
        after[str(state)] = state.current_player(), [(str(s), p) for s, p in children]
        for child, _ in children:
            if str(child) not in values:
                values[str(child)] = float(child.is_terminal() and child.player_return(0) > 0)
                stack += [] if child.is_terminal() else [child]
    for _ in range(150):
        for name, (player, children) in after.items():
            found = [values[child] for child, _ in children]
            mean = sum(p * value for (_, p), value in zip(children, found, strict=True))
            values[name] = (max(found), min(found), mean)[player if player >= 0 else 2]
    return values


def test_pig_as_in_openspiel(tmp_path: Path) -> None:
    values = openspiel_pig(9)
    start = load("pig", target=9).initial
    made = make_table(start, tmp_path / "pig.arrow").table
    low, high = (made.value(start).expected or {})["white"]
    assert high - low < 1e-9
    assert float(low) / 100 == pytest.approx(next(iter(values.values())), abs=1e-9)


@pytest.mark.slow
def test_pig_to_100() -> None:
    """The published value (Neller and Presser 2004) is 0.5306."""
    found = solve(load("pig").initial, attacker="white", goal="win")
    low, high = found.probability_at_least, found.probability_at_most
    assert low is not None
    assert high is not None
    assert high - low < 1e-12
    assert Fraction("0.53055") < low < high < Fraction("0.53065")
    assert found.keys == ("roll",)


@pytest.mark.parametrize("most_rules", [1, MOST_RULES])
def test_expected_goal_values(tmp_path: Path, most_rules: int) -> None:
    exact = 0
    for seed in range(GRAPHS if most_rules > 1 else GRAPHS // 3):
        graph = random_chance_graph(seed, expected=True)
        start = game(graph.rules).initial
        for within in (2, None):
            puzzle = Puzzle.read(start, "white", "score", within, 1)
            solving = chance_puzzle.PuzzleWithChance(
                puzzle, Budget(20), lambda _: None, most_rules=most_rules
            )
            found = solving.run()
            by_hand = graph.bounds(within or 9)[0]
            assert found.probability is None
            if found.expected is None:
                assert (found.expected_at_most or 0) >= by_hand
                continue
            assert found.verdict == "forced"
            assert found.expected >= by_hand
            is_whole = all(m > name for name, node in graph.nodes.items() for m in node.targets)
            assert found.expected == by_hand or not is_whole
            exact += is_whole
            if within is None and is_whole and most_rules > 1:
                path = make_table(start, tmp_path / f"{seed}.arrow").table.path
                with open_any_puzzle(puzzle, Budget(), None, path) as by_table:
                    assert by_table.run().expected == by_hand
    assert exact > (GRAPHS / 3 if most_rules > 1 else 1)


def test_what_has_no_expected_value() -> None:
    for name in ("breakthrough", "kuhn_poker"):
        with pytest.raises(BadRequest, match="the goal score, the expected goal value, is for"):
            solve(load(name).initial, attacker="white", goal="score")
    with pytest.raises(BadRequest, match="asks for a value"):
        solve(load(PIG).initial, attacker="white", goal="score", chance="1/2")


def test_hidden_information_has_no_table(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match="sees"):
        make_table(load("kuhn_poker").initial, tmp_path / "kuhn.arrow")
