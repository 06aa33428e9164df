"""Nets of games whose numbers only ``legal/2`` or ``base/1`` bounds, against the grounder."""

import random
from pathlib import Path

import pytest

import aspgames
from aspgames.game.game import Game
from aspgames.propnet import open_grounding
from aspgames.propnet.reachable_nets import net_for
from aspgames.runtime.errors import TooLarge
from cli_helpers import Call, write_rules

TURNS = """\
role(p). role(q). other(p,q). other(q,p). init(control(p)).
next(control(R)) :- true(control(S)), other(S,R).
legal(R,noop) :- role(R), not true(control(R)).
goal(R,100) :- true(control(R)). goal(R,0) :- role(R), not true(control(R)).
"""
STONES = TURNS + "init(h(9)). terminal :- true(h(0..1)).\n"
MOVE = "next(h(N-M)) :- true(h(N)), does(_,take(M)).\n"
PILES = "init(h(1,4)). init(h(2,3)). terminal :- true(h(1,0)), true(h(2,0)).\n"
BOUNDED = {
    "interval": f"{STONES}{MOVE}legal(R,take(1..2)) :- true(control(R)), true(h(N)), N >= 2.",
    "variable": f"{STONES}{MOVE}legal(R,take(M)) :- true(control(R)), true(h(N)), M=1..3, M<=N.",
    "from a start": f"{STONES}{MOVE}some(1..3). legal(R,take(M)) :- true(control(R)), some(M), "
    "true(h(N)), not M > N.",
    "difference": f"{STONES}{MOVE}legal(R,take(N-M)) :- true(control(R)), true(h(N)), M=N-2..N-1, "
    "M >= 0.",
    "piles": f"{TURNS}{PILES}legal(R,take(P,M)) :- true(control(R)), true(h(P,N)), M=1..2, M<=N."
    "next(h(P,N-M)) :- true(h(P,N)), does(_,take(P,M))."
    "next(h(P,N)) :- true(h(P,N)), not does(_,take(P,_)).",
    "sum": f"{STONES}legal(R,add(V)) :- true(control(R)), true(h(N)), V = 1..2, "
    "N+V <= #sum { W,X : weight(X,W) }. weight(a,5). weight(b,9). legal(R,end) :- "
    "true(control(R)). next(h(N+M)) :- true(h(N)), does(_,add(M)). next(h(0)) :- does(_,end).",
    "product": f"{STONES}legal(R,times(2..3)) :- true(control(R)), true(h(N)), N <= 50. "
    "legal(R,end) :- true(control(R)). next(h(N*M)) :- true(h(N)), does(_,times(M)). "
    "next(h(0)) :- does(_,end).",
    "two rules": f"{STONES}{MOVE}legal(R,take(1)) :- true(control(R)), true(h(N)), N >= 1. "
    "legal(R,take(2)) :- true(control(R)), true(h(N)), N >= 2.",
    "another fluent": f"{STONES}next(h(N+M)) :- true(h(N)), does(_,add(M)). init(most(13)). "
    "next(most(N)) :- true(most(N)). legal(R,add(1..2)) :- true(control(R)), true(h(N)), "
    "true(most(K)), N+2 <= K. legal(R,end) :- true(control(R)). next(h(0)) :- does(_,end).",
    "helper of legal": f"{STONES}{MOVE}enough(N,M) :- at(N), N >= M, M = 1..2. at(N) :- M = N, "
    "true(h(M)), N > 0. can(M) :- enough(_,M). legal(R,take(M)) :- true(control(R)), can(M).",
    "helpers of next": f"{STONES}amount(N) :- true(h(N)). taken(M) :- does(p,take(M)). taken(M) :- "
    "does(q,take(M)). next(h(N-M)) :- amount(N), taken(M). legal(R,take(1..2)) :- "
    "true(control(R)), amount(N), N >= 2.",
    "base": f"{STONES}{MOVE}can(1). can(2) :- true(h(N)), N >= 2. base(h(0..9)). "
    "base(control(R)) :- role(R). legal(R,take(M)) :- true(control(R)), can(M).",
}


def load(folder: Path, rules: str) -> Game:
    return aspgames.load(str(write_rules(folder, rules)))


@pytest.mark.quick(6)
@pytest.mark.parametrize("rules", BOUNDED.values(), ids=BOUNDED)
def test_bounds_of_legal_and_base_are_those_of_the_net(tmp_path: Path, rules: str) -> None:
    game, chosen = load(tmp_path, rules), random.Random(1)
    net = net_for(game.rules, game.initial.facts)
    numbers = [int(f.rstrip(")").split("(")[1].split(",")[-1]) for f in net.fluents if f[0] == "h"]
    assert min(numbers) >= 0
    assert max(numbers) <= 150
    tables = game.nets.tables_from(game.initial.facts, 10_000, made=net)
    for _ in range(5):
        state = game.initial
        while not state.is_terminal:
            assert tables.row(state.facts) is not None
            assert game.nets.find(state.facts) is not None
            asked = aspgames.load(game.encoding.reference).state(state.facts)
            assert {m.term for m in state.legal_moves} == {m.term for m in asked.legal_moves}
            for move in asked.legal_moves:
                assert state.play(move.term).facts == asked.play(move.term).facts
            state = state.play(chosen.choice(asked.legal_moves).term)


def test_positions_of_which_the_net_knows_nothing_are_left_to_the_grounder(tmp_path: Path) -> None:
    game = load(tmp_path, BOUNDED["interval"])
    facts = game.initial.facts
    tables = game.nets.tables_from(facts, 10_000, made=net_for(game.rules, facts))
    two = game.state(("control(p)", "h(3)", "h(9)"))
    assert tables.row(two.facts) is None
    assert set(two.play("take(2)").facts) == {"control(q)", "h(1)", "h(7)"}


@pytest.mark.parametrize(
    "more",
    [
        "next(h(N)) :- true(h(N)), does(_,take(2)).",  # then there are two of them
        "init(h(5)).",
        "legal(R,wait) :- true(control(R)). next(h(N)) :- true(h(N)), does(_,wait). "
        "next(h(7)) :- does(_,wait).",
    ],
)
def test_bounds_are_not_taken_from_another_instance(
    tmp_path: Path, more: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_grounding, "_MOST_RESULTS", 100)
    game = load(tmp_path, BOUNDED["interval"] + more)
    with pytest.raises(TooLarge, match=r"own\.lp:6: next\(h\(\(N-M\)\)\) has no end while .* body"):
        net_for(game.rules, game.initial.facts)


def test_base_does_not_take_fluents_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_grounding, "_MOST_RESULTS", 100)
    rules = BOUNDED["base"].replace("base(h(0..9))", "base(h(4..9))")
    game = load(tmp_path, rules)
    with pytest.raises(TooLarge, match="no end"):
        net_for(game.rules, game.initial.facts)


def test_bounded_nets_keep_what_they_know_on_the_disk(tmp_path: Path) -> None:
    game = load(tmp_path, BOUNDED["piles"])
    tables = net_for(game.rules, game.initial.facts).tables()
    again = type(tables).unpack(memoryview(bytearray(tables.pack())))
    places = [{again.names.fluents[int(n)] for n in each.split()} for each in again.names.exclusive]
    assert {f"h(1,{n})" for n in range(5)} in places
    assert again.row(("control(p)", "h(1,2)", "h(1,3)", "h(2,3)")) is None
    assert again.row(("control(p)", "h(1,2)", "h(2,3)")) is not None


def test_games_without_such_numbers_have_the_net_of_their_rules(tmp_path: Path) -> None:
    rules = STONES + MOVE.replace("take(M)).", "take(M)), N >= M.")
    game = load(tmp_path, rules + "legal(R,take(1..2)) :- true(control(R)).")
    net = net_for(game.rules, game.initial.facts)
    assert net.exclusive == []


def test_the_usual_nim_is_solved_with_a_proof(tmp_path: Path, call: Call) -> None:
    file, proof = write_rules(tmp_path, BOUNDED["interval"]), tmp_path / "proof.json"
    puzzle = str(file), "startpos", "--attacker", "p", "--goal", "win"
    found = call("solve", *puzzle, "--certificate", str(proof))
    assert "p can win in 3 turns" in found.out
    assert call("verify", str(proof)).code == 0
    assert call("check", str(file)).out.splitlines()[3].startswith("  Play ends within 8 plies")


def test_a_search_that_has_not_begun_has_no_number_of_positions(tmp_path: Path, call: Call) -> None:
    rules = BOUNDED["interval"] + "init(h(5))."
    puzzle = str(write_rules(tmp_path, rules)), "startpos", "--attacker", "p", "--goal", "win"
    found = call("solve", *puzzle, "--time", "0.1")
    assert found.code == 3
    assert "(the search hadn't begun, 0." in found.out
