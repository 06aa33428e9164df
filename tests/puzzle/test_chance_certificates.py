"""Certificates of games with chance: true ones are accepted, false ones are rejected."""

import copy
import json
import random
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from aspgames import Game
from aspgames.puzzle.problem import Puzzle
from aspgames.puzzle.proof.stepper import Probe, Stepper
from aspgames.puzzle.proof.verify import Verification, verify
from aspgames.runtime.budget import Budget
from aspgames.runtime.errors import AspgamesError, Rejected
from aspgames.solver.chance.chance_puzzle import PuzzleWithChance
from chance_graphs import ChanceGraph, Node, random_chance_graph
from false_certificates import Change, Json, checker_without, game, laxer, off
from thoroughly import amount

GRAPHS = amount(8, 400)
CHANGES = amount(12, 20)


def certified(
    rules: str, within: int | None, chance: str, goal: str = "win"
) -> tuple[Game, Json | None]:
    """A game, and the certificate of its puzzle if there is one."""
    own = game(rules)
    puzzle = Puzzle.read(own.initial, "white", goal, within, chance)
    solving = PuzzleWithChance(puzzle, Budget(20), lambda _: None)
    solution = solving.run()
    with suppress(AspgamesError):  # undecided, or play goes round within a turn
        return own, json.loads(json.dumps(solving.own_certificate(solution)))
    return own, None


def is_true(graph: ChanceGraph, found: Verification) -> bool:
    """Whether all lines of play agree with what is proved."""
    turns = 9 if found.puzzle.within is None else found.puzzle.within
    low, high = graph.bounds(turns)
    least, most = found.probability_at_least, found.probability_at_most
    if graph.expected:
        assert (found.at_most, found.not_within, least, most) == (None,) * 4
        least, most = found.expected_at_least, found.expected_at_most
    assert least is not None
    assert most is not None
    asked = found.puzzle.chance or Fraction(1)
    true = least <= high and low <= most
    if low == high and not graph.expected:
        true &= found.verdict in ("unknown", "forced" if low >= asked else "not_forced")
    if found.at_most is not None:
        true &= graph.bounds(found.at_most)[1] >= asked
    if found.not_within is not None and found.not_within >= 0:
        true &= graph.bounds(found.not_within)[0] < asked
    settled = found.distance if found.distance is not None else turns
    if found.distance is not None or (found.at_most is None and least == most):
        true &= set(found.keys) == graph.keys(settled)
    return true


def change(certificate: Json, rng: random.Random) -> Json:
    """A certificate with one change."""
    found = copy.deepcopy(certificate)
    what = "expected" if found["goal"] == "score" else "probability"
    most = 100 if found["goal"] == "score" else 1
    if rng.random() < 0.25:
        name = rng.choice([what, "distance", "keys", "within", "chance", "line"])
        found[name] = {
            what: str(Fraction(most * rng.randint(0, 12), 12)),
            "distance": rng.choice([None, 0, 1, 2]),
            "keys": rng.choice([[], found["keys"][1:], ["b"], ["b", "c"]]),
            "within": rng.choice([0, 1, 2, 3, None]),
            "chance": str(Fraction(rng.randint(1, 4), 4)),
            "line": found["line"][:-1],
        }[name]
        if "distance" in (name, rng.choice(["", "distance"])):
            found["verdict"] = rng.choice(["forced", "not_forced", "unknown"])
        return found
    proof = rng.choice(found["proofs"])
    if rng.random() < 0.3:
        part = rng.choice([what, "within", "side"])
        proof[part] = {
            what: str(Fraction(most * rng.randint(0, 12), 12)),
            "within": rng.choice([0, 1, 2, 3]),
            "side": "attack",
        }[part]
        return found
    nodes, leaves = proof["nodes"], ["goal", "over", "turns", "unproven", "50", "100"]
    number = rng.randrange(len(nodes))
    node = nodes[number]
    targets = next(iter(node.values())) if isinstance(node, dict) else None
    if not isinstance(targets, dict):
        other = rng.choice([*nodes, *leaves])
        nodes[number] = copy.deepcopy(other)
        return found
    move = rng.choice([*targets])
    if rng.random() < 0.4:
        del targets[move]
    else:
        targets[move] = rng.choice([*leaves, *range(len(nodes))])
    return found


def check(seed: int) -> tuple[int, int]:
    """Prove and change; returns the numbers of certificates accepted and rejected."""
    graph, rng = random_chance_graph(seed, expected=seed % 2 > 0), random.Random(seed)
    goal, asked = ("score", "1") if graph.expected else ("win", str(Fraction(1 + seed % 5, 5)))
    own, proof = certified(graph.rules, seed // 2 % 4, asked, goal)
    if proof is None:
        return 0, 0
    assert is_true(graph, verify(proof, Budget(20), load=lambda *_: own))
    rejected = 0
    for _ in range(CHANGES):
        try:
            told = verify(change(proof, rng), Budget(20), load=lambda *_: own)
        except AspgamesError:
            rejected += 1
        else:
            assert is_true(graph, told)
    return 1, rejected


def test_random_graphs() -> None:
    accepted, rejected = map(sum, zip(*map(check, range(GRAPHS)), strict=True))
    assert accepted > 0.6 * GRAPHS
    assert rejected > 0.5 * CHANGES * accepted


def with_ends(
    weighted: bool, expected: bool = False, **nodes: tuple[str, dict[str, int]]
) -> ChanceGraph:
    """A graph of these nodes, each the role on move and its moves.

    White wins in e, not in f, and has 40 in g.
    """
    ends = {name: Node("nobody", {}, goal) for name, goal in (("e", 100), ("f", 0), ("g", 40))}
    played = {name: Node(*node) for name, node in nodes.items()}
    return ChanceGraph(played | ends, False, weighted, quiet=False, expected=expected)


# The roller gives White c (3 of 4 chances) or d; in c White wins by e, and in d Black chooses.
DICE = with_ends(
    weighted=True,
    a=("white", {"b": 1, "f": 1}),
    b=("random", {"c": 3, "d": 1}),
    c=("white", {"e": 1, "f": 1}),
    d=("black", {"e": 1, "f": 1}),
)


def proofs() -> Json:
    """The certificate that White wins with 3/4 in one turn: an attack, and a defence."""
    found = certified(DICE.rules, 2, "1/2")[1]
    assert found is not None
    return found


def attack(found: Json) -> Any:
    return found["proofs"][0]["nodes"]


def defence(found: Json) -> Any:
    return found["proofs"][1]["nodes"]


def test_the_form_of_a_certificate() -> None:
    found = proofs()
    assert (found["distance"], found["keys"], found["probability"]) == (1, ["b"], "3/4")
    assert attack(found) == [
        {"moves": {"b": 1}},
        {"chance": {"c": 2, "d": "unproven"}},
        {"move": "e", "to": "goal"},
    ]
    assert defence(found) == [
        {"replies": {"b": 1, "f": "over"}},
        {"chance": {"c": "unproven", "d": 2}},
        {"move": "f", "to": "over"},
    ]
    told = verify(found, load=lambda *_: game(DICE.rules))
    assert told.probability_at_least == told.probability_at_most == Fraction(3, 4)


# The same roll: in c White gets 100 by e, and in d Black may go to g, where White has 40.
SCORES = with_ends(
    weighted=True,
    expected=True,
    a=("white", {"b": 1, "f": 1}),
    b=("random", {"c": 3, "d": 1}),
    c=("white", {"e": 1, "f": 1}),
    d=("black", {"e": 1, "g": 1}),
)
# White has 100 in c before the end, too, and at f only Black has a value.
SCORED = SCORES.rules.replace("worth(f,0).", "worth(c,100).") + "goal(black,90) :- true(at(f)).\n"
SCORED = SCORED.replace("terminal.\n", "terminal, not true(at(f)).\n")


def scores() -> Json:
    """The certificate that White can expect 85 in one turn."""
    found = certified(SCORED, 1, "1", "score")[1]
    assert found is not None
    return found


def test_the_form_of_an_expected_value() -> None:
    found = scores()
    assert [found[name] for name in ("distance", "keys", "expected")] == [None, ["b"], "85"]
    assert attack(found) == [
        {"moves": {"b": 1}},
        {"chance": {"c": 2, "d": 3}},
        {"move": "e", "to": "100"},
        {"replies": {"e": "100", "g": "40"}},
    ]
    assert defence(found)[:2] == [
        {"replies": {"b": 1, "f": "0"}},
        {"chance": {"c": "unproven", "d": 2}},
    ]
    told = verify(found, load=lambda *_: game(SCORED))
    assert told.expected_at_least == told.expected_at_most == Fraction(85)


def put(found: Json, name: str, value: Any) -> None:
    found[name] = value


def put_all(found: Json, text: str) -> None:
    what = "expected" if found["goal"] == "score" else "probability"
    for each in (found, *found["proofs"][:2]):
        each[what] = text


WRONG: Mapping[str, tuple[Any, str, tuple[Change, ...]]] = {
    "a probability that is a little too high": (
        lambda c: put_all(c, "751/1000"),
        r"proofs\[0\].probability: the nodes prove 3/4, not 751/1000",
        (off("found < stated if strategy.attacks else found > stated"),),
    ),
    "a probability that is a little too low": (
        lambda c: put(c, "probability", "749/1000"),
        "none proves a probability of at most 749/1000",
        (off("most < top and not self.below(within, most, is_strict=False)"),),
    ),
    "a move of chance left out": (
        lambda c: attack(c)[1]["chance"].pop("d"),
        r"proofs\[0\].nodes\[1\]: the move d is missing",
        (off("term not in targets"),),
    ),
    "a move of chance that there is not": (
        lambda c: attack(c)[1]["chance"].update(f="goal"),
        r"proofs\[0\].nodes\[1\]: 'f' is not legal there",
        (),
    ),
    "a reply left out": (
        lambda c: defence(c)[0]["replies"].pop("f"),
        r"proofs\[1\].nodes\[0\]: the reply f is missing",
        (off("term not in targets"),),
    ),
    "chance as a choice of White": (
        lambda c: attack(c).__setitem__(1, {"move": "c", "to": 2}),
        "random is on move there",
        (off('view.rolls != (kind == "chance")'),),
    ),
    "a choice of Black as chance": (
        lambda c: defence(c).__setitem__(2, {"chance": {"e": "unproven", "f": "over"}}),
        "random is not on move there",
        (off('view.rolls != (kind == "chance")'),),
    ),
    "a choice of Black as White's": (
        lambda c: (
            attack(c)[1]["chance"].update(d=3),
            attack(c).append({"move": "e", "to": "goal"}),
        ),
        "the other side is on move there",
        (off("not view.rolls and view.attacks != (self.attacks if is_own else not self.attacks)"),),
    ),
    "a goal that isn't reached": (
        lambda c: attack(c)[1]["chance"].update(d="goal"),
        "the goal doesn't stand there",
        (),
    ),
    "an end that is none": (
        lambda c: defence(c)[1]["chance"].update(c="over"),
        "the game isn't over there",
        (),
    ),
    "another key": (
        lambda c: put(c, "keys", ["b", "f"]),
        "proofs: none proves 3/4 for each key",
        (
            off(
                "keys and not any(self.gives(s, best, turns) for s in self.strategies if s.attacks)"
            ),
        ),
    ),
    "no key": (lambda c: put(c, "keys", []), "keys: there must be some", ()),
    "a move that isn't refuted as a key": (
        lambda c: defence(c)[0]["replies"].update(f="unproven"),
        "the nodes prove 1, not 3/4",
        (off("found < stated if strategy.attacks else found > stated"),),
    ),
    "a distance that is too long": (
        lambda c: put(c, "distance", 2),
        "none proves less than 1/2 within 1 turns",
        (),
    ),
    "a verdict that doesn't fit": (
        lambda c: put(c, "chance", "4/5"),
        "verdict: by the probability it is not_forced",
        (off("claim.verdict != true"),),
    ),
    "an edge back": (
        lambda c: defence(c)[1]["chance"].update(c=0),
        "an edge must not lead back, as to node 0",
        (off("known.place >= place and not self.may_return"),),
    ),
    "a line that fails": (
        lambda c: put(c, "line", ["b", "d", "f"]),
        "line: it doesn't come to the goal",
        (),
    ),
}
LEAF = off("leaf is None or leaf != worth")
WORTH = "worth(V,P,k) :- attacker(R), value(R,V,P,k), s_terminal(P,k)."
WRONG_SCORES: Mapping[str, tuple[Any, str, tuple[Change, ...]]] = {
    "a goal value that is another": (
        lambda c: attack(c)[3]["replies"].update(g="50"),
        r"proofs\[0\].nodes\[3\], g: the goal value at the end is 40",
        (LEAF,),
    ),
    "the other side's goal value": (
        lambda c: defence(c)[0]["replies"].update(f="90"),
        "f: the goal value at the end is 0",
        (laxer(WORTH, "attacker(R), "),),
    ),
    "a goal value before the end": (
        lambda c: attack(c)[1]["chance"].update(c="100"),
        r"proofs\[0\].nodes\[1\], c: no end is there",
        (laxer(WORTH, ", s_terminal(P,k)"),),
    ),
    "no goal value": (
        lambda c: attack(c)[1]["chance"].update(c=None),
        r"proofs\[0\].nodes\[1\], c: no end is there",
        (),
    ),
    "the goal in place of a value": (
        lambda c: attack(c)[3]["replies"].update(g="goal"),
        "g: the goal value at the end is 40",
        (off('self.puzzle.goal.expected and leaf not in ("over", "turns")'),),
    ),
    "what isn't refuted counts 100": (
        lambda c: defence(c)[2].update(to="unproven"),
        "the nodes prove 100, not 85",
        (("self.puzzle.goal.measure[1]", "1"),),
    ),
    "a value that is a little too high": (
        lambda c: put_all(c, "851/10"),
        r"proofs\[0\].expected: the nodes prove 85, not 851/10",
        (off("found < stated if strategy.attacks else found > stated"),),
    ),
    "a value that is a little too low": (
        lambda c: put(c, "expected", "849/10"),
        "none proves a goal value of at most 849/10",
        (off("most < top and not self.below(within, most, is_strict=False)"),),
    ),
    "a value above 100": (
        lambda c: put(c, "expected", "101"),
        "expected: it must be a fraction from 0 to 100, as text",
        (("Fraction(text) <= most", "True"),),
    ),
    "a value that isn't forced": (
        lambda c: put(c, "verdict", "not_forced"),
        "verdict: by the probability it is forced",
        (off("claim.verdict != true"),),
    ),
    "a distance": (
        lambda c: put(c, "distance", 1),
        "the goal score has none, nor at_most and not_within",
        (off("set(numbers.values()) != {None}"),),
    ),
}
Case = tuple[Callable[[], Json], str, str, Callable[[Json], Any], str, tuple[Change, ...]]
CASES: list[Case] = [
    *((proofs, DICE.rules, name, *case) for name, case in WRONG.items()),
    *((scores, SCORED, name, *case) for name, case in WRONG_SCORES.items()),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[2])
def test_what_is_wrong_is_rejected(case: Case) -> None:
    true, rules, _, spoil, reason, _ = case
    wrong = true()
    spoil(wrong)
    with pytest.raises(Rejected, match=reason):
        verify(wrong, load=lambda *_: game(rules))


@pytest.mark.slow
@pytest.mark.parametrize("case", [case for case in CASES if case[-1]], ids=lambda case: case[2])
def test_it_is_the_condition_that_rejects_it(case: Case, tmp_path: Path) -> None:
    """Without the condition, the checker gives no such reason."""
    true, rules, _, spoil, reason, without = case
    wrong = true()
    spoil(wrong)
    with checker_without(without, tmp_path) as changed:
        try:
            changed("verify").verify(wrong, load=lambda *_: game(rules))
        except (Rejected, KeyError) as error:
            assert not re.search(reason, str(error))  # noqa: PT017


# White, Black and White move before the roll, so White needs two turns for 1/2.
TWO_TURNS = with_ends(
    weighted=False,
    a=("white", {"b": 1}),
    b=("black", {"c": 1}),
    c=("white", {"d": 1}),
    d=("random", {"e": 1, "f": 1}),
)


def test_a_turn_ends_with_the_other_sides_ply() -> None:
    found = certified(TWO_TURNS.rules, 2, "1/2")[1]
    assert found is not None
    assert found["distance"] == 2
    assert verify(found, load=lambda *_: game(TWO_TURNS.rules)).distance == 2
    attack_proof = next(proof for proof in found["proofs"] if proof["side"] == "attack")
    attack_proof["within"] = 1
    with pytest.raises(Rejected, match="the attacker is out of turns there"):
        verify(found, load=lambda *_: game(TWO_TURNS.rules))


@pytest.mark.parametrize("goal", ["win", "score"])
def test_a_key_that_needs_more_turns(goal: str) -> None:
    """c is as good as d, but takes a turn more."""
    graph = with_ends(
        weighted=False,
        a=("white", {"c": 1, "d": 1}),
        c=("white", {"d": 1}),
        d=("random", {"e": 1} if goal == "score" else {"e": 1, "f": 1}),
    )
    rules = replace(graph, single=True).rules
    for within, keys in ((1, ["d"]), (2, ["c", "d"]), (3, ["c", "d"])):
        found = certified(rules, within, "1", goal)[1]
        assert found is not None
        assert found["keys"] == keys
        verify(found, load=lambda *_: game(rules))


def test_weights_count() -> None:
    """With equal chances the same strategies prove 1/2."""
    wrong, equal = proofs(), DICE.rules.replace("weight(M,W)", "weighed(M,W)")
    wrong["rules"] = game(equal).encoding.fingerprint
    with pytest.raises(Rejected, match="the nodes prove 1/2, not 3/4"):
        verify(wrong, load=lambda *_: game(equal))


def test_a_weight_is_a_number_above_0() -> None:
    wrong, zero = proofs(), DICE.rules.replace("weigh(b,c,3)", "weigh(b,c,0)")
    wrong["rules"] = game(zero).encoding.fingerprint
    with pytest.raises(Rejected, match="weight/2 gives c no single whole number above 0"):
        verify(wrong, load=lambda *_: game(zero))


def stepper_of(rules: str) -> Stepper:
    return Stepper(Puzzle.read(game(rules).initial, "white", "win", 1, "1"), Budget())


@pytest.mark.parametrize(
    ("sides", "named"), [("white;random", "go(white)"), ("white;black", "go(black)")]
)
def test_one_side_names_a_forced_ply(sides: str, named: str) -> None:
    """The attacker, unless there is a defender."""
    stepper = stepper_of(f"""
        role({sides}). init(at(a)). legal(R,go(R)) :- role(R), true(at(a)).
        next(at(b)) :- true(at(a)), does(white,go(white)). terminal :- true(at(b)).
    """)
    after = stepper.ask(Probe(stepper.start, moves=True)).after
    assert {move: list(map(str, stepper.fluents(state))) for move, state in after.items()} == {
        named: ["at(b)"]
    }


def test_weights_are_read_once() -> None:
    """Also of a state that is asked about again."""
    stepper = stepper_of(DICE.rules)
    roll = stepper.ask(Probe(stepper.start, moves=True)).after["b"]
    assert stepper.look(roll).rolls
    weights = stepper.ask(Probe(roll, moves=True)).weights
    assert {move: list(map(str, each)) for move, each in weights.items()} == {
        "c": ["3"],
        "d": ["1"],
    }
