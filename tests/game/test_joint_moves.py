"""Joint moves: roles that choose at the same time, one role, three roles; as text, JSON, Python."""

import math
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import aspgames
from aspgames import BadMove, Game, IllegalMove, Move, State, divide, perft, playouts
from aspgames.cli.server.oracle import Server
from aspgames.game.notation.joint_moves import format_joint, is_joint, moves_in, parse_joint
from aspgames.runtime.json_lines import encode
from awkward import AWKWARD
from cli_helpers import Call, assert_refused, check
from engine_helpers import on_net, write
from paths import ROOT

THROWS = "rock_paper_scissors"
AUCTION = str(ROOT / "tests/data/auction.lp")
MAZE = str(ROOT / "tests/data/maze.lp")

# --- as text --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("white=rock,black=paper", {"white": "rock", "black": "paper"}),
        (" white = rock ,\n black=paper ", {"white": "rock", "black": "paper"}),
        ("player( 1 )=bid(2),player(2)=f(a,b)", {"player(1)": "bid(2)", "player(2)": "f(a,b)"}),
        ("white=(mark 1 2),black=noop", {"white": "(mark 1 2)", "black": "noop"}),
        ('a=say("x=1,(y"),b=say("\\",")', {"a": 'say("x=1,(y")', "b": 'say("\\",")'}),
        ('"the first"=x', {'"the first"': "x"}),
        ("a=b=c", {"a": "b=c"}),
        ("(robot \n 1)=(move  up)", {"(robot 1)": "(move  up)"}),
        ("a=b),c=d", {"a": "b)", "c": "d"}),
    ],
)
def test_a_joint_move_is_read(text: str, moves: dict[str, str]) -> None:
    assert is_joint(text)
    assert parse_joint(text) == moves
    assert moves_in(text) == list(moves.values())


@pytest.mark.parametrize("text", ["rock", "d1-d7/g7", "f(a=b)", 'say("a=b")', "", "(((=", "é"])
def test_any_other_text_is_one_move(text: str) -> None:
    assert not is_joint(text)
    assert moves_in(text) == [text]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("white=rock,", "a part is empty"),
        ("=rock", "'=rock' in it isn't"),
        ("white=,black=rock", "'white=' in it isn't"),
        ("white=rock,paper", "'paper' in it isn't"),
        ("white=rock, white = paper", "has two moves for white"),
        ("(robot\n1)=x,(robot 1)=y", r"has two moves for \(robot 1\)"),
        ("r(1)=x,r( 1)=x", r"has two moves for r\(1\)"),
    ],
)
def test_what_is_wrong_with_a_joint_move(text: str, words: str) -> None:
    with pytest.raises(BadMove, match=words):
        parse_joint(text)


TERMS = st.sampled_from(["rock", "bid(2)", "f(g(a,b),-1)", '"a=b,c"', "r(1)", '"\\")="', "(1,2)"])


@given(st.dictionaries(TERMS, TERMS, min_size=1))
def test_what_is_written_is_read(joint: dict[str, str]) -> None:
    assert parse_joint(format_joint(joint)) == joint


# --- Python ---------------------------------------------------------------------------------------


@pytest.fixture(params=["net", "grounder"])
def throws(request: pytest.FixtureRequest) -> State:
    game = aspgames.load(THROWS)
    return (on_net(game) if request.param == "net" else game.without_nets).initial


def test_a_joint_move_is_played(throws: State) -> None:
    after = throws.play("white=rock,black=paper")
    assert after.facts == ("throw(2)", "won(black,1)")
    assert after == throws.play({"black": "paper", "white": throws.legal["white"][1]})
    assert after == throws.play(" black = paper , white=rock")
    assert throws.play("white=rock,black=rock", {"white": "paper", "black": "rock"}).facts == (
        "throw(3)",
        "won(white,2)",
    )
    assert throws.joint("white=rock,black=paper") == {"white": "rock", "black": "paper"}


@pytest.mark.parametrize(
    ("move", "error", "words"),
    [
        ("rock", IllegalMove, "several roles move at once here: give a move for each, as in ROLE="),
        ("white=rock", IllegalMove, "say what black does: it has 3 moves"),
        ("white=rock,red=rock", IllegalMove, "no role 'red'; there are: white, black"),
        ("white=rock,black=well", IllegalMove, "well is not legal for black"),
        ("white=rock,white=rock", BadMove, "two moves for white"),
        ("white=rock,black=((", BadMove, "is no move"),
        ("white=rock,black=a=b", BadMove, "'a=b' is no move"),
        ({}, IllegalMove, "say what white does"),
        ({"white": "white=rock"}, BadMove, "'white=rock' is no move"),
    ],
)
def test_what_cannot_be_played(
    throws: State, move: str | dict[str, str], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        throws.play(move)
    assert not throws.is_legal(move)
    with pytest.raises(error, match=f"move 2: .*{words}"):
        throws.play("white=rock,black=rock", move)


def test_is_legal_is_what_play_takes(throws: State) -> None:
    assert throws.is_legal("white=rock,black=paper")
    assert throws.is_legal({"white": throws.legal["white"][0], "black": "paper"})
    others: dict[str, Move | str] = {"black": throws.legal["white"][0], "white": "paper"}
    assert not throws.is_legal(others)
    with pytest.raises(IllegalMove, match="a move of white, but black is on move"):
        throws.play(others)
    over = throws.play(*["white=rock,black=rock"] * 3)
    assert over.is_terminal
    assert not over.is_legal("white=rock,black=paper")
    with pytest.raises(IllegalMove, match="the game is over"):
        over.play("white=rock,black=paper")


def test_a_role_with_one_move_may_be_left_out(tmp_path: Path) -> None:
    state = write(AWKWARD["simultaneous moves of three roles"], tmp_path).initial
    after = state.play("a=paper,b=rock")
    assert after == state.play("c=noop,b=rock,a=paper") == state.play({"a": "paper", "b": "rock"})
    assert state.is_legal("a=paper,b=rock")
    assert not after.is_legal("a=paper,b=rock")
    with pytest.raises(IllegalMove, match="say what c does: it has 2 moves"):
        after.play("a=paper,b=rock")


LONE = """
role(a;b;c).  init(n(0)).  next(n(N+1)) :- true(n(N)), N < 3.  next(did(M)) :- does(b,M).
legal(R,wait) :- role(R).  legal(b,go) :- true(n(1)).
terminal :- true(n(3)).
"""


def test_a_role_that_alone_has_a_choice_needs_no_name(tmp_path: Path) -> None:
    """First no role has a choice, then only b, so b is on move."""
    start = write(LONE, tmp_path).initial
    assert (start.status, start.consequences.movers) == ("each role has one move", ("a", "b", "c"))
    state = start.play({})
    assert state == start.play("b=wait")
    assert (state.to_move, state.status) == ("b", "b to move")
    assert state.play("go").facts == ("did(go)", "n(2)")
    assert state.is_legal("go")
    assert not state.is_legal("stay")
    assert list(divide(start, 1)) == ["a=wait,b=wait,c=wait"]
    assert divide(start, 2) == {"a=wait,b=wait,c=wait": 2}
    assert divide(state, 1) == {"go": 1, "wait": 1}
    assert all(state.is_legal(move) for move in divide(state, 1))


def test_moves_as_people_write_them(tmp_path: Path) -> None:
    state = write(
        """
        #include "shared/board.lp".
        board(2,2).  role(white;black).  init(cell(1,1,white)).  init(cell(2,1,black)).
        legal(R,go(X,Y,X,2)) :- true(cell(X,Y,R)).  legal(R,stay) :- role(R).
        next(cell(X,V,R)) :- does(R,go(X,_,_,V)).
        next(cell(X,Y,R)) :- true(cell(X,Y,R)), does(R,stay).
        #program board.
        glyph(white,"W").  glyph(black,"B").  notation(go,"@x@").
        """,
        tmp_path,
    ).initial
    terms = "white=go(1,1,1,2),black=go(2,1,2,2)"
    assert state.move_text(terms) == "white=a1-a2,black=b1-b2"
    assert state.play("white=a1a2,black=b1-b2") == state.play(terms)
    assert state.why_next("white=a1-a2,black=stay", "cell(1,2,white)").claim == (
        "after white=a1-a2,black=stay, cell(1,2,white) holds"
    )
    both = state.svg(last_move="white=a1-a2,black=b1-b2")
    assert both not in (state.svg(), state.svg(last_move="a1-a2"))
    with pytest.raises(BadMove, match="names no squares"):
        state.svg(last_move="white=stay,black=stay")


# --- counting and random games, against all joint moves one by one -------------------------------

GAMES = {
    "throws": THROWS,
    "auction": AUCTION,
    "maze": MAZE,
    "three": AWKWARD["simultaneous moves of three roles"],
    "who moves changes": AWKWARD["several on move, or nobody, or another one than who may choose"],
    "bids": AWKWARD["sums over moves"],
}


def load(name: str, folder: Path) -> Game:
    rules = GAMES[name]
    return aspgames.load(rules) if "\n" not in rules else write(rules, folder)


@cache
def children(state: State) -> tuple[tuple[dict[str, str], State], ...]:
    """All joint moves of a state, by the grounder; none if some role has no move."""
    said = state.game.grounder.consequences(state.facts)
    legal = [said.playable(role) for role in state.game.roles]
    joints = [dict(zip(state.game.roles, terms, strict=True)) for terms in product(*legal)]
    successor = state.game.grounder.successor
    return tuple((joint, state.game.state(successor(state.facts, joint))) for joint in joints)


@cache
def paths(state: State, depth: int) -> int:
    return sum(paths(child, depth - 1) for _, child in children(state)) if depth else 1


@pytest.mark.quick(3)
@pytest.mark.parametrize(
    "name", [*sorted(GAMES.keys() - {"bids"}), pytest.param("bids", marks=pytest.mark.slow)]
)
def test_counts_are_those_of_all_joint_moves(name: str, tmp_path: Path) -> None:
    state = load(name, tmp_path).without_nets.initial
    for depth in range(1, 4):
        for reasoner in ("propnet", "grounder") if depth < 3 else ("propnet",):
            assert perft(state, depth, reasoner=reasoner) == paths(state, depth)
            split = divide(state, depth, reasoner=reasoner)
            after = {state.play(move): behind for move, behind in split.items()}
            assert len(split) == len(children(state))
            assert sum(split.values()) == paths(state, depth)
            assert after == {child: paths(child, depth - 1) for _, child in children(state)}
            named = {str(sorted(state.joint(move).items())) for move in split}
            assert named == {str(sorted(joint.items())) for joint, _ in children(state)}


def results(
    state: State, chance: Fraction = Fraction(1)
) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """The goals of the games from a state on, each with its probability."""
    after = Counter(child for _, child in children(state))
    if not after:
        yield tuple(state.goals.values()), chance
    for child, times in after.items():
        yield from results(child, chance * times / after.total())


@pytest.mark.parametrize("reasoner", ["propnet", "grounder"])
@pytest.mark.parametrize("name", ["throws", "three"])
def test_random_games_choose_for_each_role_alone(name: str, reasoner: str, tmp_path: Path) -> None:
    state = load(name, tmp_path).without_nets.initial
    expected: Counter[tuple[int, ...]] = Counter()
    for goals, chance in results(state):
        expected[goals] += chance  # type: ignore[assignment]
    games = 4000 if reasoner == "propnet" else 60
    played = playouts(state, games, seed=2, reasoner=reasoner)
    assert played.roles == state.game.roles
    assert set(played.results) <= set(expected)
    for goals, share in expected.items():
        deviation = math.sqrt(games * share * (1 - share))
        assert abs(played.results[goals] - games * share) < 4 * deviation + 1


# --- JSON -----------------------------------------------------------------------------------------


def test_requests_with_joint_moves() -> None:
    server = Server([aspgames.load(THROWS).encoding])

    def ask(*moves: object, **more: object) -> Any:
        request = {"op": "play", "game": "rock_paper_scissors", "moves": moves, **more}
        return server.answer(encode(request).encode())

    answer = check(ask({"white": "rock", "black": "paper"}), "state")
    assert answer == ask("white=rock,black=paper")
    assert answer["facts"] == ["throw(2)", "won(black,1)"]
    assert answer["to_move"] is None
    over = [{"white": "rock", "black": "rock"}] * 3
    assert ask(*over)["terminal"] is True
    wrong: dict[str, list[Any]] = {
        "bad_move": [5, None, ["rock"], {"white": 5}, {"white": {"black": "rock"}}, "white=rock,"],
        "illegal_move": [{"white": "rock"}, {}, "rock", {"red": "rock"}, {"white": "well"}],
    }
    for kind, moves in wrong.items():
        for move in moves:
            answer = check(ask(move), "error")
            assert answer["kind"] == kind, answer
    assert "the move of black must be a text, not None" in str(ask({"black": None})["error"])
    split = check(ask(op="perft", depth=2, divide=True), "perft")["divide"]
    assert len(split) == 9
    assert split["white=rock,black=paper"] == 9


# --- the command line -----------------------------------------------------------------------------


def test_the_verbs_take_joint_moves(call: Call) -> None:
    shown = call("legal", THROWS).out
    assert shown.splitlines() == [
        "several roles move at once",
        "white: paper  rock  scissors",
        "black: paper  rock  scissors",
        "A move is written white=paper,black=paper",
    ]
    assert shown.splitlines()[1:] == call("show", THROWS).out.splitlines()[1:]
    played = call("play", THROWS, "startpos", "white=rock, black=paper")
    assert "throw(2)  won(black,1)" in played.out
    assert shown.splitlines()[1:] == played.out.splitlines()[1:]
    assert "white=rock,black=paper: 9\n" in call("perft", THROWS, "--depth", "2", "--divide").out
    over = call("play", THROWS, "startpos", *["white=rock,black=paper"] * 3).out
    assert "A move is written" not in over
    assert "no move" not in over
    assert_refused(call("play", THROWS, "startpos", "white=rock,"), "move 1: ", "a part is empty")
    assert_refused(call("play", THROWS, "startpos", "rock"), "ROLE=MOVE")
    assert "A move is written" not in call("show", "breakthrough").out


def test_why_takes_joint_moves(call: Call) -> None:
    text = call("why", THROWS, "startpos", "white=rock,black=well").out
    assert "rock is legal for white\n" in text
    assert "\n\nwell is not legal for black, whatever the position\n" in text
    both = check(
        call("why", THROWS, "startpos", "white=rock,black=well", "--json").json, "explanation"
    )
    assert list(both["roles"]) == ["white", "black"]
    one = check(call("why", THROWS, "startpos", "black=well", "--json").json, "explanation")
    assert {key: one[key] for key in both["roles"]["black"]} == both["roles"]["black"]
    assert_refused(call("why", THROWS, "startpos", "rock"), "say whose move it is, as in ROLE=MOVE")
    following = ["why", THROWS, "startpos", "white=rock,black=paper", "--next", "won(black,1)"]
    assert "after white=rock,black=paper, won(black,1) holds" in call(*following).out
