"""Certificates of what no plan can do with hidden information: true, false and changed ones."""

import copy
import json
from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

import aspgames
from aspgames.puzzle.problem import Puzzle
from aspgames.puzzle.proof.verify import verify
from aspgames.runtime.budget import Budget
from aspgames.runtime.errors import LimitReached, Rejected, RulesError
from aspgames.solver.belief.hidden_puzzle import HiddenPuzzle
from cli_helpers import check
from false_certificates import Change, Json, checker_without, game, off
from hidden_games import brute_force, random_game
from thoroughly import amount

# fmt: off

# Chance hides a ball on a side. The player guesses until the guess is right; RULES may tell more.
BALL = """
role(player). role(random). init(on(random)). side(left;right).
legal(random,S) :- side(S), true(on(random)).
legal(player,S) :- side(S), true(at(_)).
legal(player,noop) :- true(on(random)). legal(random,noop) :- true(at(_)).
to_move(R) :- true(on(R)). to_move(player) :- true(at(_)).
next(at(S)) :- does(random,S). next(at(S)) :- true(at(S)), not does(player,S).
next(over) :- true(at(S)), does(player,S).
terminal :- true(over). goal(player,100) :- true(over). sees(nobody,0) :- does(player,left).
"""
SEEN = "sees(player,S) :- does(random,S)."
START: Json = {
    "verdict": "not_forced", "distance": None, "keys": [], "line": [],
    "not_within": None, "keys_complete": False, "attacker": "player", "goal": "win", "within": 1,
    "chance": "1", "probability_at_least": "0", "probability_at_most": "1/2",
    "position": ["on(random)"],
}


def node(bound: str, turns: int | None = 1, states: tuple[int, ...] = (0, 1), **more: Any) -> Json:
    return {"states": list(states), "turns": turns, "bound": bound, **more}


def bounds(*nodes: Json, edges: Any = (((()), 0),), name: str = "within") -> Json:
    shown = [[[list(seen)], number] for seen, number in edges]
    return {"bounds": {"states": [["at(left)"], ["at(right)"]], "nodes": [*nodes], name: shown}}


OPEN = {"verdict": "unknown", "within": 3, "not_within": 1, "probability_at_most": "1"}
PLAN = {"plan": {"start": [[[[]], 0]], "nodes": [{"move": "left"}]}}
TRUE: dict[str, tuple[str, Json]] = {
    "one guess of two": ("", bounds(node("1/2"))),
    "the best": ("", bounds(node("1/2")) | PLAN | {"probability_at_least": "1/2"}),
    "a bound for any number of turns": ("", bounds(node("1"), node("1/2"), edges=[((), 1)])),
    "undecided: one turn is too few": ("", bounds(node("1/2"), name="not_within") | OPEN),
    "undecided, with a plan": (
        "", bounds(node("1/2"), name="not_within") | OPEN | PLAN
        | {"probability_at_least": "1/2", "chance": "2/3"},
    ),
}
WRONG: dict[str, tuple[str, Json, str, tuple[Change, ...]]] = {
    "a bound that is too small": (
        "", bounds(node("1/3")) | {"probability_at_most": "1/3"}, "left may win 1 of 2",
        (off("most > node.bound"),),
    ),
    "a probability that isn't proved": (
        "", bounds(node("1/2")) | {"probability_at_most": "1/3"}, "it proves at most 1/2, not 1/3",
        (off("found > most"),),
    ),
    "a number of turns that isn't refuted": (
        "", bounds(node("1", 2), name="not_within") | {
            "within": 2, "verdict": "forced", "probability_at_least": "1", "at_most": 2,
            "not_within": 2, "probability_at_most": "1", "plan": {
                "start": [[[[]], 0]],
                "nodes": [{"move": "left", "then": [[[[]], 1]]}, {"move": "right"}],
            },
        }, "bounds.not_within: it proves at most 1", (off("found >= claim.puzzle.asked"),),
    ),
    "undecided, though the turns suffice": (
        "", bounds(node("1", 2), name="not_within") | OPEN | {"not_within": 2},
        "bounds.not_within: it proves at most 1", (off("found >= claim.puzzle.asked"),),
    ),
    "undecided, with a node for fewer turns": (
        "", bounds(node("1/2"), name="not_within") | OPEN | {"not_within": 2},
        "bounds.not_within: it proves at most 1", (("if node.turns >= left:", "if True:"),),
    ),
    "undecided, with turns of another claim": (
        "", bounds(node("1/2"), name="not_within") | OPEN | {"not_within": 2},
        "bounds.not_within: it proves at most 1", (("begun, claim.not_within", "begun, 1"),),
    ),
    "undecided, though the bounds decide it": (
        "", bounds(node("1/2")) | {"verdict": "unknown"}, "by the probability it is not_forced",
        (off("claim.verdict != true"),),
    ),
    "undecided, with a plan that reaches less": (
        "", bounds(node("1/2"), name="not_within") | OPEN | PLAN
        | {"probability_at_least": "3/5", "chance": "2/3"},
        "with probability 1/2 only", (off("self._won < (claim.probability_at_least or 0)"),),
    ),
    "a node for too few turns": (
        "", bounds(node("1/2")) | {"within": 2}, "bounds.within: it proves at most 1, not 1/2",
        (("if node.turns >= left:", "if True:"),),
    ),
    "a node for no turn": (
        "", bounds(node("0", 0)) | {"probability_at_most": "0"}, "it proves at most 1, not 0",
        (("if node.turns >= left:", "if True:"),),
    ),
    "turns of another claim": (
        "", bounds(node("1/2")) | {"within": 2}, "it proves at most 1, not 1/2",
        (('bounds, begun, claim.puzzle.turns', 'bounds, begun, 1'),),
    ),
    "weights below 0": (
        "", bounds(node("0", weights=[-1, -1])) | {"probability_at_most": "0"},
        "a whole number above 0 for each state",
        (("not all(_is_number(weight, math.inf) and weight for weight in weights)", "False"),),
    ),
    "moves left out": (
        "", bounds(node("0")) | {"probability_at_most": "0"}, "left may win 1 of 2, more than 0",
        (("for state in belief for", "for state in [*belief][:0] for"),),
    ),
    "a set that has more states": (
        "", bounds(node("1", states=(0,))), "it proves at most 1, not 1/2",
        (("found = rest = sum(belief.values())", "found = rest = 0"),),
    ),
    "what is seen is mixed up": (
        SEEN, bounds(node("1/2")), "it proves at most 1, not 1/2",
        (("(*seen, percepts)", "(*seen, ())"),),
    ),
    "a probability without a plan": (
        "", bounds(node("1/2")) | {"probability_at_least": "1/2"}, "plan: it must have",
        (off("claim.probability_at_least"),),
    ),
    "a probability without bounds": (
        "", {"probability_at_most": "1/2"}, "bounds: it must have",
        (off("claim.not_within is not None or claim.probability_at_most != 1"),),
    ),
    "a plan that reaches less": (
        "", PLAN | {"probability_at_least": "2/3", "probability_at_most": "1", "chance": "2/3",
                    "verdict": "forced", "at_most": 1},
        "with probability 1/2 only", (off("self._won < (claim.probability_at_least or 0)"),),
    ),
    "a move that isn't legal in a state that looks alike": (
        "next(ill) :- does(random,right). next(ill) :- true(ill). next(over) :- does(player,both). "
        "legal(player,both) :- true(at(_)), not true(ill).",
        {"plan": {"start": [[[[]], 0]], "nodes": [{"move": "both"}]}, "verdict": "forced",
         "at_most": 1, "probability_at_least": "1", "probability_at_most": "1"},
        "both isn't legal in at.right. ill",
        (("if TRUE in literal.signatures:", "if TRUE in literal.signatures[literal.sign or 0:]:"),),
    ),
    "a key": (
        "", bounds(node("1/2")) | {"keys": ["left"]}, "at_most and not_within are proved",
        (off("claim.keys or claim.line or claim.distance is not None"),),
    ),
}

# fmt: on


def certificate(rules: str, claim: Mapping[str, Any]) -> Json:
    digest = game(BALL + rules).encoding.fingerprint
    return {"certificate": 1, "game": "graph", "const": {}, "rules": digest, **START, **claim}


def test_a_state_without_facts_is_refused() -> None:
    claim = bounds(node("1/2"))
    claim["bounds"]["states"].append([])
    with pytest.raises(Rejected, match=r"bounds.states\[2\]: there is no position"):
        verify(certificate("", claim), load=lambda *_: game(BALL))


@pytest.mark.parametrize("name", TRUE)
def test_what_is_true_is_accepted(name: str) -> None:
    rules, claim = TRUE[name]
    found = check(certificate(rules, claim), "certificate")
    assert verify(found, load=lambda *_: game(BALL + rules))


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_refused(name: str) -> None:
    rules, claim, reason, _ = WRONG[name]
    found = certificate(rules, claim)
    with pytest.raises(Rejected, match=reason):
        verify(found, load=lambda *_: game(BALL + rules))


@pytest.mark.parametrize("name", WRONG)
def test_it_is_the_condition_that_refuses_it(name: str, tmp_path: Path) -> None:
    rules, claim, _, without = WRONG[name]
    found = certificate(rules, claim)
    with checker_without(without, tmp_path) as changed, suppress(AttributeError):
        changed("verify").verify(found, load=lambda *_: game(BALL + rules))


def proof(path: Path, within: int | None, stop: int = 99, **asked: Any) -> Json | None:
    """The certificate of a puzzle, as JSON; None if play has no end.

    A limit stops the search before it looks at ``stop`` turns.
    """
    start = aspgames.load(path).initial
    puzzle = HiddenPuzzle(
        Puzzle.read(start, "player", "win", within, asked.get("chance", 1)), Budget(), print
    )
    suffices = puzzle._suffices

    def until(turns: int) -> bool:
        if turns == stop:
            raise LimitReached("stop")
        return suffices(turns)

    puzzle._suffices = until  # type: ignore[method-assign]
    try:
        found = puzzle.own_certificate(puzzle.run())
    except LimitReached:
        return None
    return None if found is None else check(json.loads(json.dumps(found)), "certificate")


@pytest.mark.quick(2)
@pytest.mark.parametrize("seed", range(amount(6, 100)))
def test_random_games(seed: int, tmp_path: Path) -> None:
    """The proved probability is the one by brute force; an opponent leaves what is sure."""
    path, foe = tmp_path / f"graph_{seed}.lp", tmp_path / f"foe_{seed}.lp"
    path.write_text(random_game(seed))
    foe.write_text(random_game(seed).replace("random", "foe"))
    start = aspgames.load(path).initial
    for turns in (1, 3):
        exact = brute_force(start, "player", turns)
        found = proof(path, turns)
        assert found is not None
        claim = verify(found)
        assert (claim.probability_at_least, claim.probability_at_most) == (exact, exact)
        if exact == 1 and claim.not_within is not None:
            assert brute_force(start, "player", claim.not_within) < 1
        against = proof(foe, turns)
        assert against is not None
        assert (verify(against).verdict == "forced") == (exact == 1)
    for asked in (1, Fraction(9, 10)):
        exact = brute_force(start, "player", 1)
        found = proof(path, None, stop=2, chance=asked)
        if found is not None and (claim := verify(found)).verdict == "unknown":
            assert claim.not_within == 1
            assert claim.probability_at_least == exact or asked == 1 > exact


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to all values in a JSON value."""
    pairs: Any = value.items() if isinstance(value, dict) else ()
    if isinstance(value, list):
        pairs = enumerate(value)
    return [path] + [found for key, each in pairs for found in places(each, (*path, key))]


def changed(found: Json, random: Random) -> Json:
    """A certificate with a few changes: values replaced by others of it, removed or doubled."""
    found = copy.deepcopy(found)
    for _ in range(random.choice((1, 1, 2, 3))):
        keys = ("plan", "bounds", "at_most", "not_within", "probability_at_most", "within",
                "probability_at_least", "chance", "verdict")  # fmt: skip
        roots = [key for key in keys if key in found]
        key = random.choice(roots + ["bounds"] * 4 if "bounds" in found else roots)
        *way, last = key, *random.choice(places(found[key]))
        inner: Any = found
        for step in way:
            inner = inner[step]
        value, kind = inner[last], random.random()
        others = [
            each
            for each in (at(found, place) for place in places(found))
            if type(each) is type(value)
        ]
        if (isinstance(value, str) and "/" in value) or value in ("0", "1"):
            inner[last] = str(Fraction(random.randint(0, 6), 6))
        elif isinstance(value, int):
            inner[last] = max(0, value + random.choice((-1, 1)))
        elif isinstance(inner, list) and kind < 0.5:
            inner.remove(value)
        elif isinstance(inner, list) and kind < 0.6:
            inner.append(value)
        else:
            inner[last] = copy.deepcopy(random.choice(others))
    return found


def at(value: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


@pytest.mark.parametrize("seed", range(amount(2, 40)))
def test_no_changed_certificate_proves_what_is_false(seed: int, tmp_path: Path) -> None:
    path, random = tmp_path / f"graph_{seed}.lp", Random(seed)
    path.write_text(random_game(seed))
    start = aspgames.load(path).initial
    true = {turns: brute_force(start, "player", turns) for turns in range(5)}
    stopped = [proof(path, None, stop=2, chance=asked) for asked in (1, "9/10")]
    originals = [proof(path, 3), proof(path, 1), proof(path, 2, chance="1/3"), *stopped]
    accepted = 0
    for number in range(amount(10, 60)):
        original = originals[number % 5]
        if original is None:  # decided, without a proof
            assert number % 5 > 2
            continue
        try:
            claim = verify(changed(original, random))
        except (Rejected, RulesError, aspgames.BadRequest):
            continue
        accepted += 1
        value = true[int(min(claim.puzzle.turns, 4))]
        assert (claim.probability_at_least or 0) <= value
        if claim.puzzle.turns <= 4:
            assert value <= (claim.probability_at_most or 0)
        if claim.at_most is not None:
            assert true[min(claim.at_most, 4)] >= claim.puzzle.asked
        if claim.not_within is not None:
            assert true[min(claim.not_within, 4)] < claim.puzzle.asked
    print(f"{accepted} true certificates among the changed ones")


@pytest.mark.parametrize(
    ("name", "constants", "within", "proved"),
    [
        ("monty_hall", {}, None, (None, None, "2/3")),
        ("rabbit", {"holes": 5}, None, (6, 5, "1")),
        ("rabbit", {"holes": 4}, 3, (None, None, "13/16")),
        ("mastermind", {"pegs": 2, "colours": 3}, None, (3, 2, "1")),
        ("counterfeit_coin", {"coins": 4, "weighings": 2}, None, (None, None, "7/8")),
        pytest.param("mastermind", {"pegs": 4, "colours": 6}, 4, (None, None, "265/324"),
                     marks=pytest.mark.slow),
    ],
)  # fmt: skip
def test_published_values(
    name: str, constants: dict[str, int], within: int | None, proved: tuple[Any, ...]
) -> None:
    start = aspgames.load(name, **constants).initial
    puzzle = HiddenPuzzle(Puzzle.read(start, None, "win", within, 1), Budget(), print)
    found = puzzle.own_certificate(puzzle.run())
    assert found is not None
    claim = verify(found)
    assert (claim.at_most, claim.not_within, str(claim.probability_at_most)) == proved
