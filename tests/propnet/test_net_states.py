"""States and moves of a net have the same values as those of the grounder."""

import copy
import pickle
import random
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from threading import Barrier

import pytest

import aspgames
from aspgames import AspgamesError, Game, IllegalMove, Move, State
from aspgames.gdl.rules import Facts
from aspgames.propnet.net import Net
from aspgames.propnet.single_state import Single
from engine_helpers import assert_same, on_net, on_net_alone, random_game, write

SMALL = aspgames.load("breakthrough", width=3, height=5)


@pytest.fixture(scope="module")
def net() -> Game:
    """A small game that uses its net."""
    return on_net_alone(SMALL)


@pytest.fixture(scope="module")
def ground() -> Game:
    return SMALL.without_nets


def outcome(state: State, move: Move | str) -> str:
    try:
        return " ".join(state.play(move).facts)
    except AspgamesError as error:
        return f"{type(error).__name__}: {error}"


def test_every_move_is_played_or_refused_in_the_same_words(net: Game, ground: Game) -> None:
    rng = random.Random(1)
    terms = [f"move({x},{y},{u},{v})" for x, y, u, v in product(range(4), range(1, 6), repeat=2)]
    for state, _ in list(random_game(ground.initial, rng))[::5]:
        legal = [move.term for moves in state.legal.values() for move in moves]
        for term in [*legal, *rng.sample(terms, 12), "dance(1)", "a2-a3"]:
            assert outcome(net.state(state.facts), term) == outcome(state, term)
            for role in ("white", "black", "green"):
                move = Move(role, net.parse_move(term), "as you like")
                assert outcome(net.state(state.facts), move) == outcome(state, move)


def test_a_move_is_one_object_in_a_net_and_can_be_played_anywhere(net: Game, ground: Game) -> None:
    first, again = net.initial.legal_moves[0], net.state(SMALL.initial.facts).legal_moves[0]
    assert first is again
    later = net.initial.play(net.initial.legal_moves[3]).play("c4-c3")
    (same,) = (move for move in later.legal_moves if move == first)
    assert later.play(first) == later.play(same) == later.play(first.term)
    # Moves of another object for the same game, of the grounder's game, and of another game.
    other = aspgames.load("breakthrough", width=4, height=6)
    for strange in (on_net(SMALL), ground, other, on_net(other)):
        (move,) = (m for m in strange.initial.legal_moves if m.term == first.term)
        assert net.initial.play(move) == net.initial.play(first)
        assert ground.initial.play(move) == ground.initial.play(first)
    # A move that is legal only there is refused here, with the usual message.
    (off,) = (m for m in on_net(other).initial.legal_moves if m.term == "move(4,2,4,3)")
    assert outcome(net.initial, off) == outcome(ground.initial, off)
    assert outcome(net.initial, off).startswith("IllegalMove: d2-d3 ")
    (noop,) = net.initial.legal["black"]
    with pytest.raises(IllegalMove, match="noop is a move of black, but white is on move"):
        net.initial.play(noop)


def test_a_capture_and_a_step_of_the_same_term_are_told_apart(net: Game, ground: Game) -> None:
    """They are the same move with different texts, and each can be played in place of the other."""
    texts = {"takes": "3/p2/2p/1P1/3 w", "steps": "3/p1p/3/1P1/3 w"}
    states = {name: net.state(ground.position(fen).facts) for name, fen in texts.items()}
    found = {}
    for name, state in states.items():
        found[name] = {move.term: move for move in state.legal_moves}["move(2,2,3,3)"]
        assert_same(state, ground.position(texts[name]))
    takes, steps = found["takes"], found["steps"]
    assert (takes.text, steps.text) == ("b2xc3", "b2-c3")
    assert takes == steps
    assert hash(takes) == hash(steps)
    for state in states.values():
        assert state.play(takes) == state.play(steps) == state.play("move(2,2,3,3)")
    assert states["takes"].play(steps) != states["steps"].play(takes)


def test_states_and_moves_of_a_net_are_values(net: Game, ground: Game) -> None:
    move = net.initial.legal_moves[2]
    state, same = net.initial.play(move), ground.initial.play(move.term)
    for one, other in ((state, same), (move, ground.initial.legal_moves[2])):
        assert one == other
        assert hash(one) == hash(other)
        assert len({one, other}) == 1
        assert repr(one) == repr(other)
        assert one != "other"
        for copied in (pickle.loads(pickle.dumps(one)), copy.copy(one), copy.deepcopy(one)):
            assert copied == one
    assert pickle.loads(pickle.dumps(move)).text == move.text
    assert pickle.dumps(state) == pickle.dumps(same)


@pytest.mark.parametrize("name", ["net", "ground"])
def test_states_and_moves_cannot_be_changed(name: str, request: pytest.FixtureRequest) -> None:
    game: Game = request.getfixturevalue(name)
    state = game.initial.play(game.initial.legal_moves[0])
    facts, goals, legal = state.facts, state.goals, state.legal
    for slot in ("facts", "_facts", "_row", "_moves", "game", "anything"):
        with pytest.raises(AttributeError, match="a state can't be changed"):
            setattr(state, slot, ())
        with pytest.raises(AttributeError, match="a state can't be changed"):
            delattr(state, slot)
    goals["white"] = 55
    assert state.goals == {"white": 0, "black": 0}
    assert (state.facts, state.legal) == (facts, legal)
    move = state.legal_moves[0]
    for slot in ("role", "term", "text", "number", "anything"):
        with pytest.raises(AttributeError, match="a move can't be changed"):
            setattr(move, slot, "noop")
        with pytest.raises(AttributeError, match="a move can't be changed"):
            delattr(move, slot)
    assert state.play(move) != state


def test_a_game_that_is_over_has_no_moves(net: Game) -> None:
    over = net.state(SMALL.position("P2/3/2p/3/3 b").facts)
    assert (over.is_terminal, len(over.legal_moves)) == (True, 0)
    assert over.legal == {"white": (), "black": ()}
    assert (over.to_move, over.goals) == ("black", {"white": 100, "black": 0})
    for move in ("c3-c2", Move("black", "move(3,3,3,2)", ""), {"black": "c3-c2"}, {}):
        with pytest.raises(IllegalMove, match="the game is over"):
            over.play(move)


# A role that always waits, one that waits in this state, and one that has a choice but isn't on
# move.
OTHERS = """
role(a;b;c;d).  to_move(a).  init(n(0)).
legal(a,(x;y)).  legal(b,noop).
legal(c,(one;two)) :- true(n(1)).  legal(c,noop) :- not true(n(1)).
legal(d,only) :- not true(n(2)).   legal(d,other) :- true(n(2)).
next(n(1)) :- true(n(0)).
next(n(2)) :- true(n(1)).
next(did(R,M)) :- does(R,M), M != noop.
goal(R,0) :- role(R).
"""


def test_what_the_roles_that_are_not_on_move_do(tmp_path: Path) -> None:
    game = write(OTHERS, tmp_path)
    for state in (on_net(game).initial, game.without_nets.initial):
        after = state.play(state.legal_moves[0])
        assert after.facts == ("did(a,x)", "did(d,only)", "n(1)")
        for move in (after.legal_moves[1], "y", {"a": "y"}):
            with pytest.raises(IllegalMove, match="say what c does: it has 2 moves"):
                after.play(move)
            assert not after.is_legal(move)
        assert game.initial.is_legal("y")
        later = after.play({"a": "y", "c": "two"})
        assert later.facts == ("did(a,y)", "did(c,two)", "did(d,only)", "n(2)")
        assert later.play(later.legal_moves[1]).facts == ("did(a,y)", "did(d,other)")


def test_several_threads_may_ask_one_state() -> None:
    """Also while the game's net is being made."""
    ground = SMALL.without_nets
    expected = [state for state, _ in random_game(ground.initial, random.Random(4))]
    game = Game(SMALL.encoding, SMALL.constants)
    for number, same in enumerate(expected):
        state, barrier = game.state(same.facts), Barrier(6)

        def ask(place: int) -> list[State]:
            barrier.wait()  # noqa: B023
            if place == 0 and number == 2:  # noqa: B023
                game.nets.make(game.initial.facts)
            assert_same(state, same)  # noqa: B023
            return [state.play(move) for move in state.legal_moves]  # noqa: B023

        with ThreadPoolExecutor(6) as pool:
            after = list(pool.map(ask, range(6)))
        assert all(children == after[0] for children in after)
        assert after[0] == [same.play(move) for move in same.legal_moves]
    assert game.nets.find(game.initial.facts)


class TakesTurns:
    """Nets among which each thread finds a different one."""

    def __init__(self, nets: list[Single]) -> None:
        self._nets = nets
        self._found: Iterator[Single] = iter(())
        self.barrier = Barrier(len(nets))

    def find(self, facts: Facts) -> tuple[Single, bytes]:
        if self.barrier.wait() == 0:
            self._found = iter(self._nets)
        self.barrier.wait()
        net = next(self._found)
        row = net.tables.row(facts)
        assert row is not None
        return net, row


def test_a_state_keeps_to_one_net_when_threads_find_two() -> None:
    """The same row is another state in another net."""
    ground = SMALL.without_nets
    game = on_net_alone(SMALL)
    found = game.nets.find(game.initial.facts)
    assert found
    names = found[0].tables.names
    other = Net(game.rules, (), [*names.certain, *names.fluents, "a(1)", "b(1)"], True)
    nets = TakesTurns([found[0], Single(other.tables())])
    vars(game)["nets"] = nets
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(2) as pool:
            for seed in range(8):
                for same, _ in random_game(ground.initial, random.Random(seed)):
                    state = game.state(same.facts)
                    said = list(pool.map(lambda _: state.legal_moves, range(2)))  # noqa: B023
                    assert said == [same.legal_moves] * 2
    finally:
        sys.setswitchinterval(interval)
