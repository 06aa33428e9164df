"""Certificates of puzzles with hidden information: true ones, and changed ones."""

import copy
import json
from fractions import Fraction
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

import aspgames
from aspgames.game.game_rules import load_rules
from aspgames.puzzle.problem import Puzzle
from aspgames.puzzle.proof.hidden_steps import HiddenSteps
from aspgames.puzzle.proof.verify import verify
from aspgames.runtime.budget import Budget
from aspgames.runtime.errors import Rejected
from cli_helpers import Call, check


def proof(call: Call, folder: Path, *asked: str) -> dict[str, Any]:
    path = folder / "proof.json"
    assert call("solve", *asked, "--goal", "win", "--certificate", str(path)).code == 0
    report = check(call("verify", str(path), "--json").json, "verification")
    assert report["hidden"]
    assert report["verified"]
    found: dict[str, Any] = check(json.loads(path.read_text()), "certificate")
    return found


GAMES = [
    ("mastermind", "-c", "pegs=2", "-c", "colours=2"),
    ("monty_hall", "--chance", "2/3"),
    ("rabbit", "-c", "holes=4"),
    pytest.param(
        ("kriegspiel", "-c", "size=3", "-c", "defence=seeing", "--attacker", "white"),
        marks=pytest.mark.slow,
    ),
    ("counterfeit_coin", "-c", "coins=3", "-c", "weighings=2"),
]


@pytest.mark.quick(2)
@pytest.mark.parametrize("asked", GAMES, ids=lambda asked: asked[0])
def test_a_plan_is_verified_and_changed_ones_are_not(
    call: Call, tmp_path: Path, asked: tuple[str, ...]
) -> None:
    found, random = proof(call, tmp_path, *asked), Random(asked[0])

    def rejected(reason: str, change: Any) -> None:
        changed = copy.deepcopy(found)
        change(changed)
        with pytest.raises(Rejected, match=reason):
            verify(changed)

    nodes = found["plan"]["nodes"]
    inner = [number for number, node in enumerate(nodes) if "then" in node]
    for number in random.sample(inner, min(2, len(inner))):

        def of(changed: dict[str, Any], number: int = number) -> dict[str, Any]:
            node: dict[str, Any] = changed["plan"]["nodes"][number]
            return node

        lost = "is missing|with probability|nothing leads there"
        rejected(lost, lambda c: of(c)["then"].pop())
        rejected("is missing|nothing leads", lambda c: of(c)["then"][0][0].append(["nothing"]))
        rejected("isn't legal", lambda c: of(c).update(move="noop"))
        rejected("a later node", lambda c: of(c)["then"][0].__setitem__(1, 0))
        rejected("it must have a move", lambda c: of(c).pop("move"))
        rejected("is there twice", lambda c: of(c)["then"].append(of(c)["then"][0]))
    rejected("begin turn", lambda c: c.update(at_most=found["at_most"] - 1))
    rejected("nothing leads there", lambda c: c["plan"]["nodes"].append({"move": "noop"}))
    rejected("a list of nodes", lambda c: c.update(plan={"nodes": []}))
    rejected(
        "at_most and not_within are proved",
        lambda c: c.update(distance=c.pop("at_most"), not_within=None),
    )
    rejected("bounds.not_within: it proves", lambda c: c.update(not_within=found["at_most"]))
    if found["probability_at_least"] != "1":
        rejected("bounds.within: it proves", lambda c: c["bounds"].update(within=[]))
    more = Fraction(found["chance"]) / 2 + Fraction(1, 2)
    if more < 1:
        claim = {"chance": str(more), "probability_at_least": str(more)}
        rejected("with probability 2/3 only", lambda c: c.update(claim, probability_at_most="1"))


def test_the_attacker_must_know_its_turn_and_its_moves(tmp_path: Path) -> None:
    rules = """
        role(player). role(random). init(at(begin)).
        legal(random,(left;right)) :- true(at(begin)).
        legal(player,M) :- true(at(begin)), M = noop.
        legal(player,(go;wait)) :- true(at(left)).
        legal(player,MOVES) :- true(at(right)).
        legal(random,noop) :- not true(at(begin)).
        next(at(M)) :- does(random,M), true(at(begin)).
        next(at(over)) :- does(player,go).
        next(at(left)) :- does(player,(wait;noop)), not true(at(begin)).
        to_move(random) :- true(at(begin)).
        to_move(TURN) :- true(at(right)).
        to_move(player) :- true(at(left)).
        terminal :- true(at(over)). goal(player,100) :- true(at(over)).
        sees(player,over) :- does(player,go).
    """
    plan = {"start": [[[[]], 0]], "nodes": [{"move": "go"}]}
    for moves, turn, reason in (
        ("(go;wait)", "player", None),
        ("wait", "player", "go isn't legal in at"),
        ("noop", "random", "can't know whether it is on move"),
    ):
        path = tmp_path / f"{turn}_{len(moves)}.lp"
        path.write_text(rules.replace("MOVES", moves).replace("TURN", turn))
        game = load_rules(str(path), {})
        claim = {
            "certificate": 1, "game": str(path), "const": {}, "rules": game.encoding.fingerprint,
            "position": ["at(begin)"], "attacker": "player", "goal": "win", "within": None,
            "verdict": "forced", "distance": None, "keys": [], "line": [], "at_most": 1,
            "not_within": None, "keys_complete": False, "chance": "1", "plan": plan,
            "probability_at_least": "1", "probability_at_most": "1",
        }  # fmt: skip
        if reason is None:
            assert verify(claim).at_most == 1
        else:
            with pytest.raises(Rejected, match=reason):
                verify(claim)


def test_the_checker_sees_each_states_own_legal_moves() -> None:
    state = aspgames.load("phantom_tictactoe").initial
    moves = ("put(1,1)", "put(1,1)", "put(2,2)", "put(3,1)", "put(1,3)")
    states = [state, *(state := state.play(move) for move in moves)]
    claim: Any = SimpleNamespace(puzzle=Puzzle.read(state, "white", "win", 1, 1))
    for order in (states, states[::-1]):  # the first one is the model for the others
        steps = HiddenSteps(claim, Budget(), lambda _done, _all: None)
        steps.prepare(found := [steps.state_of(each.facts) for each in order])
        for found_state, each in zip(found, order, strict=True):
            legal = [tuple(sorted(move.term for move in moves)) for moves in each.legal.values()]
            assert list(steps.look(found_state).legal) == legal
