"""Puzzles with chance: random graphs against all lines of play, limits, and what is refused."""

import random
import re
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from aspgames import load, solve
from aspgames.puzzle.problem import Puzzle
from aspgames.runtime.budget import MOST_RULES, Budget
from aspgames.runtime.errors import BadRequest, RulesError
from aspgames.solver.chance.chance_puzzle import PuzzleWithChance
from aspgames.solver.puzzles import solve_puzzles
from chance_graphs import ChanceGraph, random_chance_graph
from false_certificates import game
from paths import ROOT
from thoroughly import amount

GRAPHS = amount(32, 600)


def check_answer(graph: ChanceGraph, within: int, chance: Fraction, grounder: bool) -> bool:
    """Compare the answer with all lines; returns whether it is exact."""
    puzzle = Puzzle.read(game(graph.rules).initial, "white", "win", within, chance)
    most_rules = 1 if grounder else MOST_RULES
    solving = PuzzleWithChance(puzzle, Budget(20), lambda _: None, most_rules=most_rules)
    found, (low, high) = solving.run(), graph.bounds(within)
    if found.probability is None:
        assert (found.probability_at_least or 0) <= high
        assert (found.probability_at_most or 0) >= low
        return False
    assert low <= found.probability <= high
    if low != high:
        return False
    assert found.verdict == ("forced" if low >= chance else "not_forced")
    enough = [turns for turns in range(within + 1) if graph.bounds(turns)[0] >= chance]
    if found.at_most is not None:  # play goes round after some moves
        assert found.at_most in enough
        return False
    assert found.distance == min(enough, default=None)
    turns = within if found.distance is None else found.distance
    assert set(found.keys) == graph.keys(turns)
    check_line(graph, found.line, turns, graph.bounds(turns)[0])
    return True


def check_line(graph: ChanceGraph, line: tuple[str, ...], turns: int, best: Fraction) -> None:
    """Both sides' moves in a line keep the best probability, and it comes to the goal."""
    name, goes_on = "a", False
    for move in line:
        mover, targets, _ = graph.nodes[name]
        begun = mover == "white" and not goes_on
        goes_on = not graph.single and (goes_on if mover == "random" else mover == "white")
        turns -= begun
        after = graph.bounds(turns, move, goes_on)[0]
        assert move in targets
        assert mover == "random" or after == best
        name, best = move, after
    assert (graph.nodes[name].goal == 100) == bool(line or best)


@pytest.mark.quick(1)
@pytest.mark.parametrize("grounder", [False, True])
def test_random_graphs(grounder: bool) -> None:
    """The exact probability, the distance, the keys and the line."""
    exact = 0
    for seed in range(grounder, GRAPHS, 1 + 3 * grounder):
        graph, chance = random_chance_graph(seed), Fraction(1 + seed % 5, 5)
        exact += check_answer(graph, seed % 4, chance, grounder)
    assert exact > 0.6 * GRAPHS / (1 + 3 * grounder)


DATA = ROOT / "tests/data"
PIG = str(DATA / "small_pig.lp")


def pig_value(target: int) -> float:
    """The value of Pig for the player who begins, by value iteration with floats."""
    won: dict[tuple[int, int, int], float] = {}

    def after(mine: int, theirs: int, total: int) -> float:
        return 1.0 if mine + total >= target else won.get((mine, theirs, total), 0.0)

    places = range(target)
    for _ in range(60):
        for i, j, k in product(places, places, reversed(places)):
            if i + k < target:
                gains = sum(after(i, j, k + die) for die in range(2, 7))
                roll = (gains + 1 - after(j, i, 0)) / 6
                won[i, j, k] = max(roll, (1 - after(j, i + k, 0)) if k else 0.0)
    return won[0, 0, 0]


def test_play_that_goes_round_has_close_bounds() -> None:
    found = solve(load(PIG).initial, attacker="white", goal="win", chance="7/10")
    low, high = found.probability_at_least, found.probability_at_most
    assert low is not None
    assert high is not None
    assert 0 < high - low < Fraction(1, 10**9)
    assert float(low) - 1e-12 <= pig_value(10) <= float(high) + 1e-12
    assert (found.verdict, found.distance, found.keys) == ("forced", 3, ("roll",))


def openspiel_value(state: Any, player: int, depth: int) -> float:
    """The probability that a player of OpenSpiel wins within so many moves, by plain expectimax."""
    if state.is_terminal():
        return float(state.player_return(player) > 0)
    if depth == 0:
        return 0.0
    if state.is_chance_node():
        chances = state.chance_outcomes()
        return sum((p * openspiel_value(state.child(a), player, depth) for a, p in chances), 0.0)
    after = (openspiel_value(state.child(a), player, depth - 1) for a in state.legal_actions())
    return (max if state.current_player() == player else min)(after)


@pytest.mark.parametrize("seed", range(amount(3, 20)))
def test_einstein_as_in_openspiel(seed: int) -> None:
    """Positions after twelve random moves: what the side on move wins in one turn, and in two."""
    pyspiel = pytest.importorskip("pyspiel")
    rng, moves = random.Random(seed), 0
    state = pyspiel.load_game("einstein_wurfelt_nicht").new_initial_state()
    while moves < 12 or not state.is_chance_node():
        actions = [a for a, _ in state.chance_outcomes()] if state.is_chance_node() else None
        moves += actions is None
        state.apply_action(rng.choice(actions or state.legal_actions()))
        if state.is_terminal():
            state = pyspiel.load_game("einstein_wurfelt_nicht").new_initial_state()
            moves = 0
    rows = [re.findall(r"\|(\w\w)\|", line) for line in str(state).splitlines()]
    sides = {"b": "black", "w": "white"}
    facts = [
        f"cell({x + 1},{5 - y},stone({sides[content[0]]},{content[1]}))"
        for y, row in enumerate(rows)
        for x, content in enumerate(row)
        if content != "__"
    ]
    player = state.child(state.chance_outcomes()[0][0]).current_player()
    mover = ["black", "white"][player]
    start = load("einstein").position(" ".join([*facts, f"rolling({mover})"]))
    for turns in (1, 2):
        found = solve(start, attacker=mover, goal="win", within=turns).probability
        assert found is not None
        assert float(found) == pytest.approx(openspiel_value(state, player, 2 * turns), abs=1e-12)


def test_values_count_as_memory() -> None:
    """The whole graph fits, the values of many turns don't."""
    found = solve(load(PIG).initial, attacker="white", goal="win", memory=4e6)
    low, high = found.probability_at_least, found.probability_at_most
    assert low is not None
    assert high is not None
    assert Fraction(1, 10**9) < high - low < Fraction(1, 2)


@pytest.mark.parametrize("limits", [{"memory": 3e6}, {"budget": Budget(positions=3000)}])
def test_a_limit_leaves_bounds(limits: Mapping[str, Any]) -> None:
    start = load(PIG, target=30).initial
    found = solve(start, attacker="white", goal="win", within=3, chance="1/5", **limits)
    exact = solve(start, attacker="white", goal="win", within=1).probability
    assert (found.verdict, found.distance, found.probability) == ("forced", 1, None)
    assert found.probability_at_least == exact
    assert (found.probability_at_most or 0) > Fraction("0.4577")  # the probability in three turns


def test_puzzles_of_a_file_have_chance() -> None:
    dice: dict[str, Any] = {"game": str(DATA / "dice.lp"), "position": "startpos", "goal": "win"}
    within: list[dict[str, Any]] = [
        {"within": 2},
        {"within": 2, "chance": "1/4"},
        {"within": 0},
        {"chance": 0.5},
    ]
    one, enough, none, bad = solve_puzzles([{**dice, **each} for each in within])
    assert (one["probability"], one["verdict"], one["keys"]) == ("11/36", "not_forced", ["roll"])
    assert (enough["verdict"], enough["distance"], enough["chance"]) == ("forced", 2, "1/4")
    assert (none["probability"], none["keys"], none["line"]) == ("0", [], [])
    assert bad["kind"] == "bad_request"
    assert bad["error"].startswith("a chance is a fraction as text, such as 2/3, above 0 and at")


@pytest.mark.parametrize("given", ["0", "5/4", "1/0", "1e9", "-1/2", True, 0, None, 0.5])
def test_what_is_no_probability_is_refused(given: Any) -> None:
    if given is None:  # as functions that know no chance call it
        with pytest.raises(RulesError, match="means chance"):
            Puzzle.read(load(PIG).initial, "white", "win", 1)
    else:
        with pytest.raises(BadRequest, match="above 0 and at most 1"):
            solve(load(PIG).initial, attacker="white", goal="win", chance=given)


def test_chance_attacks_nobody() -> None:
    with pytest.raises(BadRequest, match="must be white or black, not 'random': random moves by"):
        solve(load(PIG).initial, attacker="random", goal="win")


TOGETHER = """role(white;random). init(now). terminal :- not true(now). goal(white,100).
legal(random,a;random,b) :- true(now). next(then) :- true(now)."""


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        (
            "legal(white,a;white,b;black,a;black,b) :- true(now). role(black). goal(black,0).",
            "puzzles are for one role, or two that move",
        ),
        ("to_move(random). legal(white,noop) :- true(now). stuck.", "random has no move"),
    ],
)
@pytest.mark.parametrize("most_rules", [1, MOST_RULES])
def test_states_that_no_puzzle_has_are_refused(more: str, reason: str, most_rules: int) -> None:
    rules = TOGETHER + more
    if "stuck" in more:
        rules = rules.replace("legal(random,a;random,b)", "legal(random,a) :- true(never)")
        rules = rules.replace(":- true(never) :- true(now)", ":- true(never)")
        rules += " init(never) :- not stuck. next(never) :- true(never)."
    puzzle = Puzzle.read(game(rules).initial, "white", "win", 1, 1)
    with pytest.raises((BadRequest, RulesError), match=reason):
        PuzzleWithChance(puzzle, Budget(9), lambda _: None, most_rules=most_rules).run()


Joint = Mapping[tuple[str, str], str]
"""The next node by the player's move and the roll."""


def random_joint_game(seed: int) -> tuple[str, Mapping[str, tuple[str, Joint]]]:
    """Rules in which random moves together with a player; the player and where to, by node."""
    rng, nodes = random.Random(seed), dict[str, tuple[str, Joint]]()
    rules = (
        """role(white;black;random). init(at(a)). won(0). leads(0,white,0,0,0). weigh(0,0).
    option(N,P,M) :- leads(N,P,M,_,_).    option(N,random,O) :- leads(N,_,_,O,_).
    legal(R,M) :- true(at(N)), option(N,R,M).
    legal(R,noop) :- role(R), true(at(N)), not option(N,R,_).
    next(at(T)) :- true(at(N)), leads(N,P,M,O,T), does(P,M), does(random,O).
    terminal :- true(at(N)), not option(N,random,_).
    goal(white,100) :- true(at(N)), won(N). goal(white,0) :- true(at(N)), not won(N).
    goal(black,0). goal(random,0). weight(O,W) :- legal(random,O), weigh(O,W).
    """
        + "weigh(o1,1). weigh(o2,2). weigh(o3,4). weigh(noop,1). " * (seed % 2)
    )
    names = "abcdef"
    for place, name in enumerate(names):
        later, joint = names[place + 1 :], dict[tuple[str, str], str]()
        player = rng.choice(("white", "black"))
        if len(later) > 1 and (not place or rng.random() < 0.8):
            moves = [f"m{n}" for n in range(1, rng.randint(2, 4))]
            rolls = [f"o{n}" for n in range(1, rng.randint(2, 4))]
            joint = {each: rng.choice(later) for each in product(moves, rolls)}
        elif rng.random() < 0.5:
            rules += f"won({name}). "
        nodes[name] = player, joint
        rules += "".join(f"leads({name},{player},{m},{o},{t}). " for (m, o), t in joint.items())
    return rules, nodes


def joint_value(nodes: Mapping[str, tuple[str, Joint]], name: str, rules: str) -> Fraction:
    """White's probability where the player doesn't see the roll."""
    player, joint = nodes[name]
    if not joint:
        return Fraction(f"won({name})" in rules)
    odds = (
        {"o1": 1, "o2": 2, "o3": 4}
        if "weigh(o1,1)" in rules
        else dict.fromkeys(("o1", "o2", "o3"), 1)
    )
    rolls = {o for _, o in joint}
    means = [
        sum(odds[o] * joint_value(nodes, joint[m, o], rules) for o in rolls)
        / Fraction(sum(odds[o] for o in rolls))
        for m in {m for m, _ in joint}
    ]
    return (max if player == "white" else min)(means)


@pytest.mark.parametrize("most_rules", [1, MOST_RULES])
def test_rolls_together_with_a_players_move(most_rules: int) -> None:
    between = 0
    for seed in range(amount(12, 200) // (2 if most_rules == 1 else 1)):
        rules, nodes = random_joint_game(seed)
        puzzle = Puzzle.read(game(rules).initial, "white", "win", 9, 1)
        solving = PuzzleWithChance(puzzle, Budget(9), lambda _: None, most_rules=most_rules)
        found = solving.run()
        assert found.probability == joint_value(nodes, "a", rules)
        between += found.probability not in (0, 1)
    assert between
