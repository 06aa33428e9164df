"""Cross-checks of games of any number of roles, and of moves at the same time."""

import random
import re
import shlex
import sys
from pathlib import Path

import pytest

import aspgames
from aspgames import BadRequest
from aspgames.crosscheck.engines.reference import Reference
from aspgames.crosscheck.engines.turn_labels import JointMoves, some
from aspgames.crosscheck.reduce.shrinker import moved_turn
from aspgames.game.notation.joint_moves import is_joint, parse_joint
from cli_helpers import PROGRAM, Call, check
from crosscheck_helpers import go, the_one
from engine_helpers import write
from paths import ROOT

THROWS = str(ROOT / "encodings/gallery/rock_paper_scissors.lp")
AUCTION = str(ROOT / "tests/data/auction.lp")
MAZE = str(ROOT / "tests/data/maze.lp")

# Two pieces on four squares, which go or stay at the same time.
BOARD = """
#include "shared/board.lp".
board(2,2).  role(white;black).  init(cell(1,1,white)).  init(cell(2,1,black)).
legal(R,go(X,Y,X,2)) :- true(cell(X,Y,R)).
legal(R,stay)        :- role(R).
next(cell(X,V,R)) :- does(R,go(X,_,_,V)).
next(cell(X,Y,R)) :- true(cell(X,Y,R)), does(R,stay).
terminal :- true(cell(1,2,white)), true(cell(2,2,black)).
goal(R,50) :- role(R).
#program board.
glyph(white,"W").  glyph(black,"B").  notation(go,"@x@").
"""

# White is on move, but Black has something to choose, too.
BOTH_CHOOSE = """
role(white;black).  to_move(white).  init(n(0)).
legal(white,(x;y)).  legal(black,(one;two)) :- not true(n(1)).  legal(black,noop) :- true(n(1)).
next(n(N+1)) :- true(n(N)), N < 4.  next(did(R,M)) :- does(R,M).
terminal :- true(n(3)).  goal(R,50) :- role(R).
"""


def serving(folder: Path, path: str, old: str, new: str) -> str:
    """An engine that serves a game with a mistake in it."""
    rules = Path(path).read_text()
    assert old in rules
    file = folder / "engine" / Path(path).name
    file.parent.mkdir()
    file.write_text(rules.replace(old, new))
    return f"cmd:{shlex.join([*PROGRAM, 'serve', '--load', str(file)])}"


@pytest.mark.quick(3)
@pytest.mark.parametrize("against", ["grounder", "propnet"])
@pytest.mark.parametrize("path", [THROWS, AUCTION, MAZE], ids=["throws", "auction", "maze"])
def test_reasoners_agree_on_games_of_any_roles(path: str, against: str) -> None:
    result = go(aspgames.load(path), against, games=2, made=20, depth=2)
    assert not result.findings
    assert result.tally.finished
    assert result.tally.positions > 20
    assert result.tally.divides == 1


def test_reasoners_agree_where_others_than_the_side_on_move_choose(tmp_path: Path) -> None:
    result = go(write(BOTH_CHOOSE, tmp_path), "grounder", games=4, made=5, depth=3)
    assert not result.findings
    assert (result.tally.finished, result.tally.divides) == (True, 1)


# Takes joint moves as objects alone, and names them in another order and with blanks.
PARTICULAR = f"""
import json, sys
import aspgames
from aspgames.cli.server.oracle import Server

server = Server([aspgames.load({THROWS!r}).encoding])
for line in sys.stdin.buffer:
    moves = json.loads(line).get("moves", [])
    answer = server.answer(line)
    if any(list(move) != ["white", "black"] for move in moves):
        answer = {{"error": "no object"}}
    if "divide" in answer:
        counts = ((key.split(","), count) for key, count in answer["divide"].items())
        answer["divide"] = {{" " + " , ".join(reversed(key)): count for key, count in counts}}
    print(json.dumps(answer), flush=True)
"""


def test_an_engine_is_sent_objects_and_may_name_joint_moves_in_any_way(tmp_path: Path) -> None:
    file = tmp_path / "engine.py"
    file.write_text(PARTICULAR)
    command = f"cmd:{shlex.join([sys.executable, str(file)])}"
    result = go(aspgames.load(THROWS), command, games=3, made=0, depth=2)
    assert not result.findings
    assert result.tally.divides == 1


def test_an_engine_with_a_bug_is_shown_the_joint_move(tmp_path: Path, call: Call) -> None:
    engine = serving(tmp_path, THROWS, "R != S, beats(H,G).\nnext", "R != S.\nnext")
    run = call("crosscheck", THROWS, "--against", engine, "--made", "0", "--json")
    assert run.code == 1
    (told,) = check(run.json, "crosscheck")["disagreements"]
    assert told["kind"] == "facts"
    (move,) = told["moves"]
    assert is_joint(move)
    assert list(parse_joint(move)) == ["white", "black"]
    assert told["why"]["claim"].startswith(f"after {move}, ")
    decided = told["decided_by"][0]
    assert (decided["condition"], decided["exact"]) == ("beats(H,G)", True)


def test_a_wrong_move_of_one_role_is_told_with_the_role(tmp_path: Path, call: Call) -> None:
    engine = serving(tmp_path, AUCTION, "bid(0..N))", "bid(0..N+1))")
    run = call("crosscheck", AUCTION, "--against", engine, "--games", "3", "--made", "0")
    assert run.code == 1
    (role,) = re.findall(r"^Facts: .*coins\((player\(.\)),2\)", run.out, re.MULTILINE)
    assert f"\nExtra:    {role}=bid(3)\n" in run.out, "and no other facts than this player's coins"
    assert f"bid(3) is not legal for {role}" in run.out


@pytest.mark.slow
def test_a_report_in_kif(tmp_path: Path, call: Call) -> None:
    """Positions and moves are KIF, also in the command that shows the disagreement again."""
    engine = serving(tmp_path, AUCTION, "bid(0..N))", "bid(0..N+1))")
    arguments = ["--against", engine, "--games", "3", "--made", "0", "--notation", "kif"]
    run = call("crosscheck", AUCTION, *arguments)
    assert run.code == 1
    (role,) = re.findall(r"^Facts: .*\(coins (\(player .\)) 2\)", run.out, re.MULTILINE)
    assert f"\nExtra:    {role}=(bid 3)\n" in run.out
    again = run.out.partition("Again:    ")[2].splitlines()[0]
    words = shlex.split(again)
    assert f"(coins {role} 2)" in words[3]
    assert words[words.index("--notation") + 1] == "kif"
    assert f"{role}=(bid 3)" in call(*words[1:]).out
    (told,) = check(call("crosscheck", AUCTION, *arguments, "--json").json, "crosscheck")[
        "disagreements"
    ]
    assert told["position"] == sorted(told["position"])
    assert f"(coins {role} 2)" in told["position"]
    assert [item["term"] for item in told["extra"]] == [f"{role}=(bid 3)"]
    assert "(bid 3)" in told["engine"]["legal"][role]
    assert "(bid 3)" not in told["rules"]["legal"][role]


def test_what_is_made_small_can_be_played(tmp_path: Path) -> None:
    """Whose coins are taken away can't bid any more."""
    engine = serving(tmp_path, AUCTION, "next(coins(P,N-B)) :-", "next(coins(P,N)) :-")
    result = go(aspgames.load(AUCTION), engine, games=5, made=0)
    question = the_one(result).question
    assert question.before.play(*question.plies).facts == question.after
    assert len(question.plies) == 1
    assert len(question.facts) < len(result.findings[0].met.question.facts)


def test_the_squares_of_all_roles_moves_are_marked(tmp_path: Path, call: Call) -> None:
    write(BOARD, tmp_path)
    own = str(tmp_path / "own.lp")
    bug = "does(R,go(X,_,_,V)), { does(_,go(_,_,_,_)) } 1"
    engine = serving(tmp_path, own, "does(R,go(X,_,_,V))", bug)
    text = call("crosscheck", own, "--against", engine, "--games", "20", "--made", "0").out
    assert "\n2[.|.]\n1[W|B]\n" in text
    assert "white=a1-a2,black=b1-b2  (white=go(1,1,1,2),black=go(2,1,2,2))\n" in text


def test_a_joint_move_elsewhere_on_the_board(tmp_path: Path) -> None:
    game = write(BOARD, tmp_path)
    turn = ("white=go(1,1,1,2),black=stay", "go(1,1,1,2)", "stay")
    assert moved_turn(game, turn, 1, -2) == (
        "white=go(2,-1,2,0),black=stay",
        "go(2,-1,2,0)",
        "stay",
    )


@pytest.mark.parametrize("path", [THROWS, AUCTION, MAZE], ids=["throws", "auction", "maze"])
def test_engines_that_know_two_sides_in_turn_refuse_the_rest(path: str) -> None:
    with pytest.raises(BadRequest, match="is not played by two sides in turn"):
        go(aspgames.load(path), "perftree:cat")


def test_so_they_do_where_moves_at_the_same_time_come_later(tmp_path: Path) -> None:
    text = BOTH_CHOOSE.replace("not true(n(1))", "true(n(1))").replace("noop) :-", "noop) :- not")
    game = write(text, tmp_path)
    rules = Reference(game, whole_turns=True, reasoner="grounder")
    with pytest.raises(BadRequest, match="is not played by two sides in turn"):
        rules.ask(game.position("n(1)").facts)


def test_joint_moves_are_made_when_they_are_wanted() -> None:
    few = JointMoves({"a": ("x", "f(y)"), "b": ("x", "z")})
    assert list(few) == ["a=x,b=x", "a=x,b=z", "a=f(y),b=x", "a=f(y),b=z"]
    assert few["a=f(y),b=z"] == ("a=f(y),b=z",)
    assert len(few) == 4
    assert sorted(some(few, 9, random.Random(1))) == sorted((text,) for text in few)
    for wrong in ("a=x", "b=x,a=x", "a=x,b=y", "a=x,b=", "x"):
        assert wrong not in few
    many = JointMoves({f"r({n})": tuple(f"m({k})" for k in range(10)) for n in range(50)})
    assert len(many) > 10**18
    drawn = some(many, 3, random.Random(1))
    assert len(set(drawn)) == 3
    assert all(text in many for (text,) in drawn)


def test_a_game_of_very_many_joint_moves(tmp_path: Path) -> None:
    game = write(
        "role(r(1..20)). init(n(0)). legal(r(N),m(1..9)) :- role(r(N)). goal(R,50) :- role(R)."
        " next(n(N+1)) :- true(n(N)), N < 3. next(did(R)) :- does(R,m(5)). terminal :- true(n(3)).",
        tmp_path,
    )
    result = go(game, "grounder", games=2, made=2)
    assert not result.findings
    assert result.tally.finished
