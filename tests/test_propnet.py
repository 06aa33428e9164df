"""The net against the grounder: random play, artificial positions, encodings made to be awkward."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import aspgames
from aspgames import BadPosition, Game, LimitReached, RulesError, State, divide, perft, playouts
from aspgames.encoding import read_encoding
from aspgames.engine.net import Net, net_for
from aspgames.engine.single import Single, consequences_of
from aspgames.reasoner import Rules
from aspgames.reasoner.batch import BatchReasoner

SLOW_SPLIT = pytest.param("amazons_10x10", marks=pytest.mark.slow)
SPLIT_AND_OTHERS = [SLOW_SPLIT, "amazons_8x8", "breakthrough", "skirmish"]


def random_game(state: State, rng: random.Random) -> Iterator[tuple[State, dict[str, str]]]:
    """The states of a random game, each with the joint move that is played in it."""
    while not state.is_terminal and all(state.legal.values()):
        joint = {role: rng.choice(moves).term for role, moves in state.legal.items()}
        yield state, joint
        state = state.play(joint)
    yield state, {}


def assert_agreement(net: BatchReasoner, state: State, joint: dict[str, str]) -> None:
    grounder = state.game.reasoner
    assert net.consequences([state.facts]) == [grounder.consequences(state.facts)], state
    if joint:
        after = grounder.successor(state.facts, joint)
        assert net.successors([state.facts], [joint]) == [after], (state, joint)


@pytest.mark.parametrize("name", SPLIT_AND_OTHERS)
def test_both_reasoners_agree_along_random_games(name: str) -> None:
    game = aspgames.load(name)
    net = BatchReasoner(game.rules, game.initial.facts)
    for seed in range(2):
        for state, joint in random_game(game.initial, random.Random(seed)):
            assert_agreement(net, state, joint)


@pytest.mark.slow
@pytest.mark.parametrize("name", SPLIT_AND_OTHERS)
def test_both_reasoners_agree_along_many_random_games(name: str) -> None:
    game = aspgames.load(name)
    net = BatchReasoner(game.rules, game.initial.facts)
    for seed in range(100, 160):
        for state, joint in random_game(game.initial, random.Random(seed)):
            assert_agreement(net, state, joint)


@pytest.mark.parametrize("stuck", ["mover", "either"])
def test_both_reasoners_agree_at_the_end_of_one_phase_amazons(stuck: str) -> None:
    game = aspgames.load("amazons", stuck=stuck)
    played = list(random_game(game.initial, random.Random(3)))[-20:]
    tables = net_for(game.rules, played[0][0].facts).tables()
    net, names = Single(tables), tables.names
    for state, joint in played:
        row = tables.row(state.facts)
        assert row is not None
        said = consequences_of(net.ask(row), names, game.roles)
        assert said == game.reasoner.consequences(state.facts), state
        if joint:
            after = net.play(row, [tables.places[role, joint[role]] for role in names.roles])
            assert tables.facts(after) == game.reasoner.successor(state.facts, joint), state
    assert played[-1][0].is_terminal


def artificial(game: Game, rng: random.Random) -> State:
    """A position made at random: things anywhere, in any number."""
    board = game.board
    assert board is not None
    squares = [(x, y) for x in range(1, board.width + 1) for y in range(1, board.height + 1)]
    fill = rng.random()
    while True:
        facts = [
            f"cell({x},{y},{rng.choice(sorted(board.glyphs))})"
            for x, y in squares
            if (x, y) not in board.holes and rng.random() < fill
        ]
        side = rng.choice([text for text in board.fields[1] if "fire" not in text])
        try:
            return game.from_facts([*facts, board.fields[1][side]])
        except BadPosition:
            fill *= 0.9


@pytest.mark.parametrize("name", SPLIT_AND_OTHERS)
def test_both_reasoners_agree_on_artificial_positions(name: str) -> None:
    """Also ones that hold what no game reaches: a net that lacks a fluent is replaced."""
    game = aspgames.load(name)
    rng = random.Random(5)
    net = BatchReasoner(game.rules, game.initial.facts)
    for _ in range(6):
        for state, joint in itertools.islice(random_game(artificial(game, rng), rng), 3):
            assert_agreement(net, state, joint)


def test_a_net_that_lacks_a_fluent_is_replaced_never_misread() -> None:
    game = aspgames.load("skirmish")
    net = BatchReasoner(game.rules, game.initial.facts)
    king = game.position("8/8/2#2#2/8/4K3/2#2#2/8/r7 w 0 0 1")
    assert "cell(5,4,king(white))" not in net._names.fluents
    (said,) = net.consequences([king.facts])
    assert said == game.reasoner.consequences(king.facts)
    assert len(said.legal["white"]) == 7


def test_what_never_changes_is_constant_in_the_net_of_a_position() -> None:
    game = aspgames.load("amazons_8x8")
    rows = ["*" * 8] * 6 + ["2" + "*" * 6, "qQ1" + "*" * 5]
    state = game.position("/".join(rows) + " w")
    net = net_for(game.rules, state.facts)
    arrows = {fact for fact in state.facts if "arrow" in fact}
    assert set(net.certain) == arrows
    assert len(net.moves) < 60  # the board has 5 open squares; the whole game 3,042 moves
    # A state of the same game without one of the arrows, or quite another, is none of this net's.
    tables = net.tables()
    freer = tuple(fact for fact in state.facts if fact != "cell(3,2,arrow)")
    assert tables.row(state.facts) is not None
    assert tables.row(freer) is None
    assert tables.row(game.initial.facts) is None


def test_what_can_never_move_or_be_reached_is_constant_too() -> None:
    game = aspgames.load("amazons_8x8")
    rows = ["*" * 8, "*" * 6 + "1*", *["*" * 8] * 5, "*qQ1***Q"]
    state = game.position("/".join(rows) + " w")
    net = net_for(game.rules, state.facts)
    assert "cell(8,1,white)" in net.certain  # walled in
    assert "cell(3,1,white)" in net.fluents
    assert "cell(7,7,arrow)" not in net.fluents  # an empty square that nobody gets to


def test_what_is_guessed_to_last_makes_no_difference_to_the_net() -> None:
    """A net after many others of the game, and the first one of its rules."""
    game = aspgames.load("amazons_8x8")
    played = [state for state, _ in random_game(game.initial, random.Random(2))]
    for state in played[-24::6]:
        rules = Rules(game.encoding, game.constants, game.roles)
        one, other = net_for(game.rules, state.facts), net_for(rules, state.facts)
        assert set(one.certain) == set(other.certain)
        assert one.fluents == other.fluents
        assert one.moves == other.moves
        assert one.outputs.next.keys() == other.outputs.next.keys()


AWKWARD = {
    "recursion through the state": """
        role(solo).  to_move(solo).
        edge(1..4,1..4).  edge(X,X+1) :- X = 4..7.
        init(at(1)).  init(open(X,Y)) :- edge(X,Y), X < Y.
        legal(solo,cut(X,Y)) :- true(open(X,Y)).
        legal(solo,turn(X,Y)) :- true(open(X,Y)), edge(Y,X).
        next(at(X))     :- true(at(X)).
        next(open(X,Y)) :- true(open(X,Y)), not does(solo,cut(X,Y)), not does(solo,turn(X,Y)).
        next(open(Y,X)) :- does(solo,turn(X,Y)).
        reach(X)        :- true(at(X)).
        reach(Y)        :- reach(X), true(open(X,Y)).
        terminal        :- not reach(8).
        goal(solo,N)    :- N = #count { X : reach(X) }.
    """,
    "negation under negation": """
        role(solo).  to_move(solo).
        init(lit(1)). init(lit(3)). lamp(1..4).
        legal(solo,press(X)) :- lamp(X).
        dark(X)      :- lamp(X), not true(lit(X)).
        bright(X)    :- lamp(X), not dark(X).
        flips(X)     :- does(solo,press(Y)), |X-Y| <= 1, lamp(X).
        next(lit(X)) :- bright(X), not flips(X).
        next(lit(X)) :- dark(X), flips(X).
        all          :- not some_dark.
        some_dark    :- not none_dark.
        none_dark    :- not dark(1), not dark(2), not dark(3), not dark(4).
        terminal     :- all.
        goal(solo,S) :- S = #sum { X,X : bright(X); -1,X : dark(X) }.
    """,
    "simultaneous moves of three roles": """
        role(a;b;c).  init(round(0)).
        legal(R,(rock;paper)) :- role(R), R != c.
        legal(c,noop)         :- not true(round(1)).
        legal(c,(rock;noop))  :- true(round(1)).
        beats(paper,rock).
        next(won(R))     :- does(R,M), does(S,N), beats(M,N).
        next(round(N+1)) :- true(round(N)), N < 3.
        terminal         :- true(round(3)).
        goal(R,100)      :- true(won(R)).
    """,
    "nested terms and moves legal for nobody": """
        role(white;black).  to_move(white).
        init(box(f(g(1),"a, b"),-3)).
        legal(R,take(T))   :- true(box(T,N)), role(R), N > 0.
        legal(white,wait)  :- not true(box(f(g(1),"a, b"),0)).
        legal(black,noop).
        next(box(T,N+1))   :- true(box(T,N)), N < 1, not does(white,take(T)).
        next(seen(T,R))    :- true(box(T,0)), role(R).
        goal(R,N*10)       :- role(R), N = #count { T : true(seen(T,R)) }.
    """,
    "sums with bounds on both sides": """
        role(solo).  to_move(solo).  coin(1;2;5).
        init(left(C)) :- coin(C).
        legal(solo,spend(C)) :- true(left(C)).
        next(left(C))  :- true(left(C)), not does(solo,spend(C)).
        middle         :- 2 <= #sum { C : true(left(C)) } <= 6.
        odd            :- #count { C : true(left(C)) } != 2.
        terminal       :- middle, odd.
        goal(solo,100) :- #min { C : true(left(C)) } > 1.
    """,
}


def load(text: str, folder: Path) -> Game:
    file = folder / "own.lp"
    file.write_text(text)
    return aspgames.load(str(file))


@pytest.mark.parametrize("name", AWKWARD)
def test_both_reasoners_agree_on_awkward_encodings(name: str, tmp_path: Path) -> None:
    game = load(AWKWARD[name], tmp_path)
    net = BatchReasoner(game.rules, game.initial.facts)
    seen = 0
    for seed in range(12):
        for state, joint in itertools.islice(random_game(game.initial, random.Random(seed)), 12):
            assert_agreement(net, state, joint)
            seen += 1
    assert seen > 12
    for depth in (1, 2, 3):
        assert perft(game.initial, depth, reasoner="propnet") == perft(
            game.initial, depth, reasoner="grounder"
        )
        assert divide(game.initial, depth, reasoner="propnet") == divide(
            game.initial, depth, reasoner="grounder"
        )


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("{ lucky }. next(a) :- lucky.", "the rules choose something"),
        (":- true(a).", "constrain or choose"),
        ("p :- true(a), not q. q :- true(a), not p. next(a) :- p.", "recur through negation"),
        ("terminal :- true(a), not terminal.", "terminal.* own negation"),
        ("a | b :- true(a).", "constrain or choose"),
    ],
)
def test_rules_that_settle_nothing_have_no_net(rules: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "own.lp"
    file.write_text(f"role(solo). init(a). legal(solo,go) :- true(a). {rules}")
    with pytest.raises(RulesError, match=message):
        Net(Rules(read_encoding(str(file)), {}, ("solo",)), (), ("a",), closed=True)


ENDLESS = """
role(white;black).  init(count(0)).  init(control(white)).  to_move(R) :- true(control(R)).
legal(R,(add;pass)) :- to_move(R).  legal(R,noop) :- role(R), not to_move(R).
next(count(N+1)) :- true(count(N)), does(_,add).
next(count(N))   :- true(count(N)), not does(_,add).
next(control(S)) :- true(control(R)), role(S), S != R.
terminal :- true(count(3)), true(control(black)).
goal(R,100) :- role(R), terminal.
"""


@pytest.mark.slow
def test_a_counter_without_a_bound_is_refused_with_advice(tmp_path: Path) -> None:
    game = load(ENDLESS, tmp_path)
    with pytest.raises(LimitReached, match="give it one"):
        playouts(game.initial, 10, reasoner="propnet")
    # What doesn't need all of the game works all the same.
    assert perft(game.initial, 6, reasoner="propnet") == perft(game.initial, 6, reasoner="grounder")
    with pytest.raises(LimitReached, match="give it one"):
        aspgames.solve(game.initial, attacker="white", goal="win", within=3)


def test_a_net_that_would_be_too_large_is_not_made() -> None:
    game = aspgames.load("amazons")
    with pytest.raises(LimitReached, match="more than 150,000 ground rules"):
        net_for(game.rules, game.initial.facts)


PERFT = {
    "amazons": [2_176, 4_307_152],
    "amazons_10x10": [80, 2_176, 168_420, 4_307_152],
    "amazons_8x8": [60, 1_232, 70_386, 1_331_198, 77_251_700],
    "skirmish": [6, 36, 300, 2_544, 25_222],
    "breakthrough": [22, 484, 11_132, 256_036, 6_182_818, 149_264_638],
}


@pytest.mark.parametrize("name", PERFT)
def test_perft_at_full_depth(name: str) -> None:
    state = aspgames.load(name).initial
    counts = [perft(state, depth, reasoner="propnet") for depth in range(1, len(PERFT[name]) + 1)]
    assert counts == PERFT[name]
    split = divide(state, len(counts) - 1, reasoner="propnet")
    assert (len(split), sum(split.values())) == (counts[0], counts[-2])


@pytest.mark.parametrize("name", ["breakthrough", "skirmish", "amazons_8x8"])
def test_perft_and_divide_agree_from_late_positions(name: str) -> None:
    rng = random.Random(11)
    for seed in range(2):
        game = list(random_game(aspgames.load(name).initial, random.Random(seed)))
        state, _ = rng.choice(game[-12:-2])
        assert divide(state, 2, reasoner="propnet") == divide(state, 2, reasoner="grounder")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["breakthrough", "skirmish"])
def test_playouts_of_both_reasoners_have_the_same_distribution(name: str) -> None:
    state = aspgames.load(name).initial
    many = playouts(state, 4000, 1, reasoner="propnet")
    few = playouts(state, 20, 1, reasoner="grounder")
    assert many.games == 4000
    assert sum(many.lengths.values()) == sum(many.results.values()) == 4000
    spread = float(np.std(list(many.lengths.elements())))
    assert abs(many.mean_length - few.mean_length) < 5 * max(spread, 0.01) / 20**0.5


def test_playouts_of_tic_tac_toe_are_as_calculated() -> None:
    """Random play: X wins 737/1260, O 363/1260, draws 160/1260 (by counting all the lines)."""
    game = aspgames.load(str(Path(__file__).parents[1] / "examples/tictactoe.lp"))
    played = playouts(game.initial, 60_000, 2)
    for result, share in (((100, 0), 737), ((0, 100), 363), ((50, 50), 160)):
        p = share / 1260
        assert abs(played.results[result] - 60_000 * p) < 5 * (60_000 * p * (1 - p)) ** 0.5


def test_the_same_seed_gives_the_same_games() -> None:
    state = aspgames.load("breakthrough", width=4, height=5).initial
    one, other = (playouts(state, 500, 7) for _ in range(2))
    assert (one.results, one.lengths) == (other.results, other.lengths)
    assert playouts(state, 500, 8).lengths != one.lengths
    assert playouts(state, 0).games == 0


def test_a_finished_game_is_a_playout_of_no_plies() -> None:
    over = aspgames.load("breakthrough").position("4P3/8/8/8/8/8/p7/8 b")
    played = playouts(over, 5)
    assert played.results == {(100, 0): 5}
    assert played.lengths == {0: 5}
    assert perft(over, 2, reasoner="propnet") == 0
