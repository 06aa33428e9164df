"""Cross-checks of games with chance and hidden information: probabilities and percepts."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import aspgames
from aspgames.crosscheck.engines.engine import Answer, Question
from cli_helpers import Call, check
from crosscheck_helpers import SERVE, Changed, go, the_one
from paths import ROOT

KUHN, PIG = aspgames.load("kuhn_poker"), aspgames.load("pig", target=6)
PHANTOM, DOORS = aspgames.load("phantom_tictactoe"), aspgames.load("monty_hall")
OWN = "sees(R,card(C))   :- true(dealing(R)), does(random,deal(C)).\n"
ENCODINGS = ROOT / "encodings"


def hand_in(folder: Path, name: str, change: Callable[[str], str]) -> str:
    """A student's file: the rules with a mistake."""
    rules = (ENCODINGS / f"gallery/{name}.lp").read_text()
    file, changed = folder / f"{name}.lp", change(rules)
    assert changed != rules
    file.write_text(changed.replace('"shared/', f'"{ENCODINGS}/shared/'))
    return str(file)


@pytest.mark.quick(3)
@pytest.mark.parametrize("against", ["grounder", "propnet", SERVE])
@pytest.mark.parametrize("game", [KUHN, PIG, PHANTOM, DOORS], ids=lambda game: game.name)
def test_reasoners_and_the_oracle_agree(game: aspgames.Game, against: str) -> None:
    result = go(game, against, games=8, made=8)
    assert not result.findings
    assert result.tally.finished
    assert result.tally.positions > 30


@pytest.mark.parametrize(
    ("name", "old", "new", "kind", "missing", "extra"),
    [
        ("kuhn_poker", OWN, "", "sees", {"sees(white,card(king))"}, set()),
        ("kuhn_poker", OWN, OWN.replace("true(dealing(R))", "opponent(R,_)"), "sees", set(),
         {"sees(black,card(king))"}),
        ("pig", "#program board.", "weight(die(N),N) :- N = 1..6.\n#program board.", "chance",
         {f"die({n}) 1/6" for n in (1, 2, 3, 4, 5, 6)},
         {"die(1) 1/21", "die(2) 2/21", "die(3) 1/7", "die(4) 4/21", "die(5) 5/21", "die(6) 2/7"}),
        ("pig", "(1..sides)", "(2..sides)", "legal", {"die(1)"}, set()),
    ],
)  # fmt: skip
def test_a_hand_in_with_other_percepts_or_chances(
    tmp_path: Path, name: str, old: str, new: str, kind: str, missing: set[str], extra: set[str]
) -> None:
    file = hand_in(tmp_path, name, lambda rules: rules.replace(old, new))
    starts = (PIG.initial.play("roll"),) if name == "pig" else (KUHN.initial,)
    game = starts[0].game
    found = the_one(go(game, file, games=8, made=0, starts=(starts[0].facts,)))
    assert found.kind == kind
    assert (set(found.missing), set(found.extra)) == (missing, extra) or kind == "sees"
    assert bool(found.missing) == bool(missing)
    assert bool(found.extra) == bool(extra)
    assert kind != "sees" or all(
        each.startswith("sees(") and "card(" in each for each in (*found.missing, *found.extra)
    )


def test_rules_that_hide_nothing_differ_from_those_that_do(tmp_path: Path, call: Call) -> None:
    def open_cards(rules: str) -> str:
        return "\n".join(line for line in rules.splitlines() if not line.startswith("sees(")) + "\n"

    file = hand_in(tmp_path, "kuhn_poker", open_cards)
    run = call("crosscheck", "kuhn_poker", "--against", file, "--made", "0")
    assert run.code == 1
    assert "disagrees on what the roles see" in run.out
    assert "Extra:    every role sees all facts" in run.out
    assert "kuhn_poker.lp:41" in run.out, "the rule that the file lacks"
    (told,) = check(
        call("crosscheck", "kuhn_poker", "--against", file, "--made", "0", "--json").json,
        "crosscheck",
    )["disagreements"]
    assert told["kind"] == "sees"


def test_an_engine_that_sees_too_much() -> None:
    def changed(_question: Question, answer: Answer) -> Answer:
        told = (answer.sees or frozenset()) | {"sees(black,card(jack))"}
        return replace(answer, sees=told if answer.sees is not None else None)

    found = the_one(go(KUHN, Changed(changed, name="changed"), games=4, made=0))
    assert (found.kind, found.extra) == ("sees", ("sees(black,card(jack))",))


@pytest.mark.parametrize("told", ['[["die(1)"]]', '[["die(1)","1/0"]]', '[["die(1)","x"]]'])
def test_a_malformed_chance_is_named(call: Call, tmp_path: Path, told: str) -> None:
    engine = tmp_path / "engine.py"
    engine.write_text(
        "import sys\nfor _ in sys.stdin:\n"
        '    print(\'{"facts":[],"to_move":null,"terminal":false,"goals":{"white":0,"black":0,'
        '"random":0},"legal":{"white":[],"black":[],"random":[]},"chance":' + told + "}', "
        "flush=True)\n"
    )
    run = call("crosscheck", "pig", "--against", f"cmd:python {engine}", "--made", "0")
    assert run.code == 4
    assert "in 'chance' a pair is a move and a fraction" in run.err


@pytest.mark.quick(4)
@pytest.mark.parametrize(
    ("name", "constants"),
    [
        ("pig", {"target": 10}),
        ("kuhn_poker", {}),
        ("leduc_poker", {}),
        ("liars_dice", {"sides": 3}),
        ("liars_dice", {"dice": 2, "sides": 2}),
        ("phantom_tictactoe", {}),
        ("dark_hex", {"size": 2}),
    ],
)
def test_openspiel_plays_alike(name: str, constants: dict[str, int]) -> None:
    pytest.importorskip("pyspiel")
    result = go(aspgames.load(name, **constants), "openspiel", games=6, made=0)
    assert not result.findings
    assert result.tally.finished
    assert result.tally.positions > 18


def test_openspiels_chances_are_compared(tmp_path: Path) -> None:
    pytest.importorskip("pyspiel")
    loaded = "weight(deal(king),2). weight(deal(queen),1). weight(deal(jack),1).\n#program board."
    file = hand_in(tmp_path, "kuhn_poker", lambda rules: rules.replace("#program board.", loaded))
    peers = tmp_path / "peers"
    peers.mkdir()
    (peers / "kuhn_poker.lp").write_text((ENCODINGS / "peers/gallery/kuhn_poker.lp").read_text())
    found = the_one(go(aspgames.load(file), "openspiel", games=1, made=0))
    assert found.kind == "chance"
    assert set(found.missing) == {"deal(king) 1/2", "deal(queen) 1/4", "deal(jack) 1/4"}
