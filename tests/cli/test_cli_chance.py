"""Chances and percepts in the output of the verbs and of the oracle."""

import json
from pathlib import Path

import pytest

from cli_helpers import Call, check, jsonl

SHEET = """\
(role Random) (role Guesser) (init (on random))
(<= (legal random (toss ?x)) (true (on random)) (side ?x)) (side Heads) (side Tails)
(<= (legal random noop) (true (on guesser)))
(<= (legal guesser noop) (true (on random)))
(<= (legal guesser (guess ?x)) (true (on guesser)) (side ?x))
(<= (next (on guesser)) (true (on random)))
(<= (next (fell ?x)) (does random (toss ?x)))
(<= (next (fell ?x)) (true (fell ?x)))
(<= (next over) (does guesser (guess ?x)))
(<= terminal (true over))
(<= (goal guesser 100) (true over)) (goal random 0)
(<= (sees guesser tossed) (does random (toss ?x)))
(<= (sees guesser (was ?x)) (does guesser (guess ?y)) (true (fell ?x)))
"""


@pytest.fixture
def coin(folder: Path) -> str:
    (folder / "coin.kif").write_text(SHEET)
    return "coin.kif"


def test_json_has_fractions_and_percepts(call: Call, coin: str) -> None:
    start = check(json.loads(call("legal", coin, "--json").out), "state")
    assert start["chance"] == [["toss(heads)", "1/2"], ["toss(tails)", "1/2"]]
    assert "sees" not in start
    moves = [coin, "startpos", "toss(heads)", "guess(tails)", "--json"]
    end = check(json.loads(call("play", *moves).out), "state")
    assert (end["chance"], end["sees"]) == ([], {"guesser": ["was(heads)"]})


def test_people_read_them_too(call: Call, coin: str) -> None:
    assert "chance: toss(heads) 1/2  toss(tails) 1/2" in call("legal", coin).out
    assert "chance: toss(heads) 1/2" in call("show", coin).out
    assert "guesser sees: tossed" in call("play", coin, "startpos", "toss(tails)").out


def test_the_oracle_answers_in_the_sheets_spelling(call: Call, coin: str) -> None:
    asked = {"op": "play", "game": "coin", "notation": "kif", "moves": ["(toss heads)"]}
    found = call("serve", "--load", coin, stdin=jsonl(asked, {"op": "legal", "game": "coin"}))
    played, legal = (check(json.loads(line), "state") for line in found.out.splitlines())
    assert played["sees"] == {"Guesser": ["tossed"]}
    assert legal["chance"] == [["toss(heads)", "1/2"], ["toss(tails)", "1/2"]]
