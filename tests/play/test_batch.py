"""Batches of states, compared with the grounder state by state."""

import copy
import pickle
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aspgames
from aspgames import (
    BadMove,
    BadPosition,
    BadRequest,
    Batch,
    Game,
    IllegalMove,
    LimitReached,
    Move,
    RulesError,
    State,
)
from engine_helpers import write
from game_texts import MIXED

TICTACTOE = "tictactoe"


@pytest.fixture
def mixed(tmp_path: Path) -> Game:
    return write(MIXED, tmp_path)


@pytest.fixture(scope="module")
def small() -> Game:
    return aspgames.load("breakthrough", width=3, height=4)


def legal_terms(batch: Batch, number: int) -> set[tuple[str, str]]:
    moves = batch.game.moves
    return {(moves[m].role, moves[m].term) for m in np.flatnonzero(batch.legal[number]).tolist()}


def assert_agreement(batch: Batch, number: int, joint: bool) -> None:
    game, facts = batch.game, batch[number].facts
    said = game.grounder.consequences(facts)
    assert batch.is_terminal[number] == said.terminal
    assert tuple(batch.goals[number]) == tuple(said.goals.values())
    assert [f for f, held in zip(game.fluents, batch.holds[number], strict=True) if held] == [
        fact for fact in facts if fact in game.fluents
    ]
    mover = None if said.terminal else said.to_move
    assert batch.to_move[number] == (game.roles.index(mover) if mover else -1)
    shown = (mover,) if mover and not joint else game.roles
    assert legal_terms(batch, number) == {(r, term) for r in shown for term in said.playable(r)}


def joint_of(batch: Batch, number: int, moves: Any) -> dict[str, str]:
    """The joint move of some numbers; a role without a number makes its only move."""
    game = batch.game
    legal = game.grounder.consequences(batch[number].facts).legal
    joint = {role: terms[0] for role, terms in legal.items() if len(terms) == 1}
    for move in np.atleast_1d(moves[number]).tolist():
        if move >= 0:
            joint[game.moves[move].role] = game.moves[move].term
    return joint


def by_hand(batch: Batch, rng: random.Random) -> Any:
    """Legal moves not from ``sample``, so that the batch checks them."""
    moves, roles = batch.game.moves, batch.game.roles
    chosen = np.full((len(batch), len(roles)), -1)
    for number, legal in enumerate(batch.legal):
        for place, role in enumerate(roles):
            own = [move for move in np.flatnonzero(legal).tolist() if moves[move].role == role]
            if len(own) > 1 or (own and rng.random() < 0.5):
                chosen[number, place] = rng.choice(own)
    return chosen if batch.joint else chosen[np.arange(len(batch)), batch.to_move]


def play_and_compare(batch: Batch, plies: int, joint: bool = False) -> None:
    rng = random.Random(plies)
    for ply in range(plies):
        for number in range(len(batch)):
            assert_agreement(batch, number, joint)
        moves, terminal = by_hand(batch, rng) if ply % 3 else batch.sample(), batch.is_terminal
        facts = [state.facts for state in batch.states()]
        joints = [joint_of(batch, number, moves) for number in range(len(batch))]
        batch.step(moves)
        for number, before in enumerate(facts):
            after = batch[number].facts
            if terminal[number]:
                assert after == before
            else:
                assert after == batch.game.grounder.successor(before, joints[number])


def test_the_earlier_name_of_is_terminal() -> None:
    batch = Batch(aspgames.load("tictactoe"), 2)
    with pytest.warns(DeprecationWarning, match="use is_terminal"):
        assert np.array_equal(batch.terminal, batch.is_terminal)


@pytest.mark.quick(2)
@pytest.mark.parametrize("joint", [False, True])
@pytest.mark.parametrize("name", ["breakthrough", "amazons_8x8", TICTACTOE])
def test_batches_and_the_grounder_agree_along_random_games(name: str, joint: bool) -> None:
    batch = Batch(aspgames.load(name), 3, seed=5, joint=joint)
    assert batch.joint == joint
    play_and_compare(batch, 10, joint)


@pytest.mark.sample(2)
@pytest.mark.slow
@pytest.mark.parametrize("name", ["breakthrough", "amazons_8x8", "amazons_10x10", "skirmish"])
def test_batches_and_the_grounder_agree_to_the_end_of_random_games(name: str) -> None:
    batch = Batch(aspgames.load(name), 3, seed=7)
    play_and_compare(batch, 150)


def test_batches_and_the_grounder_agree_where_roles_move_at_once(mixed: Game) -> None:
    batch = Batch(mixed, 40, seed=3)
    assert batch.joint
    assert (batch.to_move == -1).all()
    play_and_compare(batch, 4, joint=True)
    assert batch.is_terminal.all()
    assert {tuple(goals) for goals in batch.goals.tolist()} > {(0, 60), (60, 20), (60, 60)}


TWELVE_PLIES = """
    role(a;b).  init(n(0)).
    side(a)      :- true(n(X)), X \\ 3 = 0.
    side(b)      :- not side(a).
    next(n(X+1)) :- true(n(X)), X < 12.
    terminal     :- true(n(12)).
"""


@pytest.mark.parametrize("turns", [True, False])
@pytest.mark.parametrize("waits", ["noop", "rest(R)"])
def test_who_is_on_move_may_take_more_than_a_fluent_to_say(
    turns: bool, waits: str, tmp_path: Path
) -> None:
    """More fluents than the limit of phases, and the turn depends on several of them."""
    rules = """
        legal(R,(go;jump(R))) :- side(R).
        legal(R,noop)         :- role(R), not side(R).
        next(fell(R,X))       :- does(R,jump(R)), true(n(X)).
        next(fell(R,X))       :- true(fell(R,X)).
    """
    told = "to_move(R) :- side(R)." if turns else ""
    game = write(TWELVE_PLIES + rules.replace("noop", waits) + told, tmp_path)
    batch = Batch(game, 5, seed=2)
    assert not batch.joint
    play_and_compare(batch, 13)
    assert batch.is_terminal.all()


def test_who_is_on_move_may_be_asked_of_moves_that_are_given_alone(tmp_path: Path) -> None:
    """Only the check of a move needs the mover, and the states weren't queried before."""
    rules = "legal(R,go(R)) :- role(R).  to_move(R) :- side(R)."
    game = write(TWELVE_PLIES + rules, tmp_path)
    begun = [game.from_facts([f"n({number})"]) for number in range(12)]
    right = [0 if number % 3 == 0 else 1 for number in range(12)]
    assert [game.moves[number].term for number in (0, 1)] == ["go(a)", "go(b)"]
    batch = Batch(game, start=begun)
    batch.step(right)
    assert batch.states() == [game.from_facts([f"n({number})"]) for number in range(1, 13)]
    for wrong in range(12):
        moves = [*right[:wrong], 1 - right[wrong], *right[wrong + 1 :]]
        with pytest.raises(IllegalMove, match=f"state {wrong}, move {moves[wrong]}: .* on move"):
            Batch(game, start=begun).step(moves)


def test_states_far_apart_in_their_games_are_asked_together(small: Game) -> None:
    """States of different phases; after steps from the start, all have the same phase."""
    states = [small.initial]
    rng = random.Random(1)
    while len(states) < 700:
        after = states[-1].play(rng.choice(states[-1].legal_moves))
        states.append(small.initial if after.is_terminal and rng.random() < 0.8 else after)
        if after.is_terminal:
            states.append(small.initial)
    batch = Batch(small, start=states)
    assert len(set(batch.to_move.tolist())) > 1
    for number in range(0, len(states), 7):
        state = states[number]
        assert batch[number] == state
        assert legal_terms(batch, number) == {(m.role, m.term) for m in state.legal_moves}
    moves = batch.sample()
    batch.step(moves)
    for number, (state, move) in enumerate(zip(states, moves.tolist(), strict=True)):
        assert batch[number] == (state if move < 0 else state.play(small.moves[move]))


def record(batch: Batch, plies: int) -> list[Any]:
    seen = []
    for _ in range(plies):
        moves = batch.sample()
        batch.step(moves)
        seen.append((moves[:5].tolist(), batch.holds[:5].tolist()))
    return seen


def test_the_same_seed_chooses_the_same_however_many_states_and_threads(small: Game) -> None:
    first = record(Batch(small, 5, seed=4, autoreset=True), 30)
    assert record(Batch(small, 5, seed=4, autoreset=True), 30) == first
    assert record(Batch(small, 5, seed=5, autoreset=True), 30) != first
    for threads in (1, 3):
        batch = Batch(small, 20_011, seed=4, autoreset=True, threads=threads)
        assert record(batch, 30) == first
    other = Batch(small, 20_011, seed=4, autoreset=True, threads=1)
    for _ in range(30):
        other.step(other.sample())
    assert (other.holds == batch.holds).all()
    assert (other.goals == batch.goals).all()
    assert (other.legal == batch.legal).all()


def test_each_choice_is_uniform_and_independent_of_others() -> None:
    batch = Batch(aspgames.load("breakthrough"), 22_000, seed=2)
    first, second = batch.sample(), batch.sample()
    choices = np.flatnonzero(batch.legal[0])
    assert set(first.tolist()) == set(second.tolist()) == set(choices.tolist())
    for chosen in (first, second):
        counts = np.unique(chosen, return_counts=True)[1]
        assert ((counts - 1000) ** 2 / 1000).sum() < 46.8  # chi-squared, 21 degrees: p = 0.001
    pairs = np.unique(first.astype(np.int64) * 1000 + second, return_counts=True)[1]
    assert ((pairs - 22_000 / 484) ** 2 / (22_000 / 484)).sum() < 583  # 483 degrees
    beside = np.unique(first[:-1].astype(np.int64) * 1000 + first[1:], return_counts=True)[1]
    assert ((beside - 22_000 / 484) ** 2 / (22_000 / 484)).sum() < 583


def test_in_which_order_things_are_asked_makes_no_difference(small: Game) -> None:
    """A batch computes the values that were read before together, even unneeded ones."""
    names = ["is_terminal", "to_move", "goals", "legal", "legal_bits", "holds"]
    plain, asked = (Batch(small, 40, seed=6, autoreset=True) for _ in range(2))
    rng = random.Random(3)
    for _ in range(40):
        for name in rng.sample(names, rng.randrange(len(names))):
            getattr(asked, name)
        if rng.random() < 0.3:
            assert (plain.sample() == asked.sample()).all()
        for name in names:
            assert (getattr(plain.copy(), name) == getattr(asked, name)).all(), name
        moves = asked.sample()
        assert (plain.sample() == moves).all()
        asked.step(moves)
        plain.step(moves.tolist())


def test_a_state_that_is_over_stays_or_begins_anew(small: Game) -> None:
    """The move given for it has no effect."""
    won = small.position("1P1/p2/2P/2P b")
    assert won.is_terminal
    stays, anew = (Batch(small, start=[won, small.initial], autoreset=on) for on in (False, True))
    for batch in (stays, anew):
        assert batch.is_terminal.tolist() == [True, False]
        assert batch.to_move.tolist() == [-1, 0]
        assert not batch.legal[0].any()
        assert batch.goals[0].tolist() == [100, 0]
        assert batch.sample()[0] == -1
        batch.set(1, won)
        batch.step([10**6, -7])
    assert stays.states() == [won, won]
    assert anew.states() == [won, small.initial]


def test_each_state_begins_anew_where_it_began(small: Game) -> None:
    begun = [small.initial] * 4500 + [small.position("p2/3/3/1P1 b")] * 4501
    batch = Batch(small, start=begun, autoreset=True, threads=2)
    before = batch.holds
    batch.set(None, "1P1/p2/2P/2P b")
    assert batch.is_terminal.all()
    batch.step(batch.sample())
    assert (batch.holds == before).all()


def test_reset_puts_states_back_to_where_they_began(small: Game) -> None:
    begun = [small.initial.play(move) for move in small.initial.legal_moves]
    batch = Batch(small, start=begun)
    for _ in range(3):
        batch.step(batch.sample())
    later = batch.states()
    assert batch.to_move.tolist() == [0] * len(begun)
    batch.reset(1)
    batch.reset(np.arange(len(begun)) == 2)
    batch.reset([-1])
    assert batch.states() == [later[0], begun[1], begun[2], *later[3:-1], begun[-1]]
    assert (batch.to_move == 1).tolist() == [state.to_move == "black" for state in batch.states()]
    batch.reset(slice(3))
    assert batch.states(slice(3)) == begun[:3]
    batch.reset()
    assert batch.states() == begun


def test_a_batch_begins_at_one_position_for_all_or_one_for_each(small: Game) -> None:
    text = "p2/3/3/1P1 b"
    assert Batch(small, 3, start=text).states() == [small.position(text)] * 3
    batch = Batch(small, 2, start=(text, small.initial))
    assert batch.states() == [small.position(text), small.initial]
    assert len(Batch(small, start=iter([text]))) == 1
    assert list(Batch(small, 2)) == [small.initial] * 2


def test_states_from_elsewhere_and_of_the_net_are_set(small: Game) -> None:
    batch, other = Batch(small, 5, seed=1), Batch(small, 3, seed=2)
    for _ in range(2):
        other.step(other.sample())
    asked, was_on_move = batch.legal, batch.to_move
    assert was_on_move.tolist() == [0] * 5
    batch.set([4, 0], [other[1], small.from_facts(other[2].facts)])
    batch.set(np.array([False, True, False, False, False]), "p2/3/3/1P1 b")
    batch.set([], [])
    expected = [other[2], small.position("p2/3/3/1P1 b"), *[small.initial] * 2, other[1]]
    assert batch.states() == expected
    assert batch.to_move.tolist() == [0 if s.to_move == "white" else 1 for s in expected]
    assert (asked == Batch(small, 5).legal).all(), "what was asked before is as it was"
    moves = batch.sample()
    batch.step(moves)
    played = [s.play(small.moves[m]) for s, m in zip(expected, moves.tolist(), strict=True)]
    assert batch.states() == played


def test_states_of_a_batch_are_like_any_others(small: Game) -> None:
    batch = Batch(small, 2, seed=9)
    batch.step(batch.sample())
    state = batch[0]
    assert state == small.from_facts(state.facts)
    assert hash(state) == hash(small.from_facts(state.facts))
    assert [small.moves.index(move) for move in state.legal_moves] == np.flatnonzero(
        batch.legal[0]
    ).tolist()
    assert state.play(state.legal_moves[0]).to_move == "white"
    assert pickle.loads(pickle.dumps(state)) == state


def test_copies_go_on_alike_and_apart(small: Game) -> None:
    batch = Batch(small, 30, seed=1, autoreset=True)
    record(batch, 4)
    copies = [batch.copy(), copy.copy(batch), copy.deepcopy(batch)]
    before = batch.states()
    assert batch.take([0]).sample() == copies[0].take([0]).sample()
    first = record(batch, 20)
    for other in copies:
        assert other.states() == before
        assert record(other, 20) == first


def test_states_are_taken_with_where_they_began(small: Game) -> None:
    begun = [small.initial.play(move) for move in small.initial.legal_moves]
    batch = Batch(small, start=begun, seed=1)
    batch.step(batch.sample())
    taken = batch.take([2, 0, 2, -1])
    assert taken.states() == [batch[2], batch[0], batch[2], batch[-1]]
    taken.reset()
    assert taken.states() == [begun[2], begun[0], begun[2], begun[-1]]
    assert batch[2] != begun[2]
    many, more = (batch.take(np.zeros(200, np.int64)).sample() for _ in range(2))
    assert len(set(many.tolist())) > 1, "states that are the same choose for themselves"
    assert (many != more).any()
    again = [batch.take(np.zeros(200, np.int64), seed=3).sample().tolist() for _ in range(2)]
    assert again[0] == again[1]


def test_arrays_cannot_be_written_to_and_stay_as_they_were(small: Game) -> None:
    names = ["is_terminal", "to_move", "goals", "legal", "legal_bits", "holds"]
    batch = Batch(small, 50, seed=1, autoreset=True)
    held: list[tuple[Any, Any]] = []
    for _ in range(12):
        for name in names:
            shown = getattr(batch, name)
            assert not shown.flags.writeable or name == "holds"
            part = shown[3:9][..., :1] if shown.ndim > 1 else shown[3:9]
            del shown
            held.append((part, part.copy()))
        moves = batch.sample()
        held.append((moves, moves.copy()))
        batch.step(moves)
    for array, was in held:
        assert (array == was).all()


def test_types_and_shapes_are_as_told(small: Game) -> None:
    batch = Batch(small, 6)
    moves, fluents = len(small.moves), len(small.fluents)
    for array, kind, shape in (
        (batch.is_terminal, np.bool_, (6,)),
        (batch.to_move, np.int32, (6,)),
        (batch.goals, np.int32, (6, 2)),
        (batch.legal, np.bool_, (6, moves)),
        (batch.legal_bits, np.uint8, (6, (moves + 7) // 8)),
        (batch.holds, np.bool_, (6, fluents)),
        (batch.sample(), np.int32, (6,)),
        (Batch(small, 6, joint=True).sample(), np.int32, (6, 2)),
    ):
        assert array.dtype == kind
        assert array.shape == shape
    unpacked = np.unpackbits(batch.legal_bits, axis=1, count=moves, bitorder="little")
    assert (unpacked == batch.legal).all()
    assert len(batch) == 6
    assert repr(batch) == "<6 states of breakthrough>"
    assert batch.game is small


@pytest.mark.parametrize("name", ["mixed", "small"])
def test_what_is_legal_can_be_asked_of_some_states(
    name: str, request: pytest.FixtureRequest
) -> None:
    game: Game = request.getfixturevalue(name)
    batch = Batch(game, 30, seed=4)
    mask = np.arange(30) % 3 == 1
    room = np.ones((10, len(game.moves)), np.bool_)
    while not batch.is_terminal.all():
        for where in (None, 7, -1, [3, 3, 0], slice(20, None), slice(None, None, -2), [], mask):
            found = batch.legal_of(where)
            assert (found == batch.legal[np.atleast_1d(np.arange(30)[where])]).all()
            assert found.dtype == np.bool_
            assert found.flags.writeable
        for where in (slice(10), mask, range(20, 30)):
            assert batch.legal_of(where, out=room) is room
            assert (room == batch.legal[np.arange(30)[where]]).all()
        batch.step(batch.sample())
    assert not batch.legal_of(None).any()


def test_where_what_is_legal_is_written_to_must_be_fit_for_it(small: Game) -> None:
    batch, moves = Batch(small, 6), len(small.moves)
    room = np.zeros((6, moves), np.bool_)
    strange = [
        (np.zeros((5, moves), np.bool_), rf"not bool \(5, {moves}\)"),
        (np.zeros((6, moves), np.uint8), rf"not uint8 \(6, {moves}\)"),
        (np.zeros((moves, 6), np.bool_).T, "contiguous"),
        (np.zeros((12, moves), np.bool_)[::2], "contiguous"),
        (batch.legal, "that can be written to"),
        ([[False] * moves] * 6, "not ..False"),
    ]
    for out, message in strange:
        with pytest.raises(BadRequest, match=message):
            batch.legal_of(None, out=out)  # type: ignore[arg-type]
    assert not room.any()
    with pytest.raises(BadRequest, match="there is no state 6"):
        batch.legal_of(6, out=room)
    with pytest.raises(BadRequest, match=rf"\(1, {moves}\)"):
        batch.legal_of(5, out=room)


def test_moves_are_taken_in_every_integer_type(small: Game) -> None:
    expected = None
    for kind in ("i1", "u1", "i2", "u2", "<i4", ">i4", "u4", "i8", "u8"):
        batch = Batch(small, 4, seed=1)
        batch.step(batch.sample().astype(kind))
        expected = expected or batch.states()
        assert batch.states() == expected
    for too_large in (2**32, -(2**32)):
        with pytest.raises(BadMove, match="state 0: there is no move"):
            batch.step(batch.sample().astype(np.int64) + too_large)
    batch = Batch(small, 4, seed=1)
    strided = np.zeros((4, 3), np.int32)
    strided[:, 1] = batch.sample()
    batch.step(strided[:, 1])
    assert batch.states() == expected


@pytest.mark.parametrize("at_once", [False, True])
def test_some_states_go_on_and_the_others_stay(at_once: bool, mixed: Game, small: Game) -> None:
    rng = np.random.default_rng(1)
    game = mixed if at_once else small
    batch = Batch(game, 1000, seed=2)
    for ply in range(8 if at_once else 20):
        alone, before, moves = batch.copy(), batch.holds, batch.sample()
        alone.step(moves)
        chosen = rng.random(len(batch)) < 0.5
        if ply % 2:
            batch.step(moves[chosen], chosen)
        else:  # in another order, so that moves aren't those of ``sample``
            order = rng.permutation(np.flatnonzero(chosen))
            batch.holds_bits_of()
            batch.reset([])
            batch.step(moves[order], order)
        after = np.where(chosen[:, None], alone.holds, before)
        assert np.array_equal(batch.holds, after)
        assert np.array_equal(batch.is_terminal, Batch(game, start=batch.states()).is_terminal)
    assert batch.is_terminal.any()
    assert not batch.is_terminal.all()


def test_where_some_states_go_on_the_others_are_not_reset(small: Game) -> None:
    batch = Batch(small, 600, autoreset=True, seed=1)
    while not batch.is_terminal.any():
        batch.step(batch.sample())
    over, held = batch.is_terminal, batch.holds
    batch.step(batch.sample()[~over], ~over)
    assert np.array_equal(batch.holds[over], held[over])
    batch.step(batch.sample()[over], over)
    assert batch.states(over) == [small.initial] * over.sum()


def test_a_state_can_not_make_two_moves_at_a_time(small: Game) -> None:
    batch = Batch(small, 3, seed=1)
    moves = batch.sample()
    with pytest.raises(BadRequest, match="a state makes one move at a time: it is named twice"):
        batch.step(moves[:2], where=[1, -2])
    with pytest.raises(BadRequest, match=r"moves have the shape \(2,\) or \(2, 2\)"):
        batch.step(moves, where=[0, 1])
    with pytest.raises(IllegalMove, match=r"state 2, move "):
        batch.step([moves[0], moves[0] + len(small.moves) // 2], where=[0, 2])
    assert batch.states() == [small.initial] * 3
    batch.step(moves[:1].astype(np.uint8), where=0)
    assert batch.states() == [small.initial.play(small.moves[moves[0]]), *[small.initial] * 2]


def test_a_roles_moves_are_numbered_one_after_the_other(mixed: Game, small: Game) -> None:
    for game in (mixed, small):
        numbers = [number for role in game.roles for number in game.moves.of(role)]
        assert sorted(numbers) == list(range(len(game.moves)))
        for role in game.roles:
            assert {game.moves[number].role for number in game.moves.of(role)} == {role}
        with pytest.raises(BadRequest, match="'red' is no role: there are "):
            game.moves.of("red")


def test_moves_are_numbered_as_the_game_says() -> None:
    game = aspgames.load("breakthrough")
    moves = game.moves
    state = game.initial
    assert [moves[moves.index(move)] for move in state.legal_moves] == list(state.legal_moves)
    assert len(moves) == len(list(moves)) == len(moves[:])
    assert moves[-1] == Move("black", "noop", "")
    assert moves[:2] == (moves[0], moves[1])
    assert {move.role for move in moves} == {"white", "black"}
    assert state.legal_moves[0] in moves
    assert Move("white", "castle", "0-0") not in moves
    assert "a2-a3" not in moves
    for stranger in (Move("white", "castle", "0-0"), "a2-a3"):
        with pytest.raises(ValueError, match="isn't one of these moves"):
            moves.index(stranger)
    with pytest.raises(ValueError, match="isn't one of these moves"):
        moves.index(moves[0], 1)
    with pytest.raises(IndexError):
        moves[len(moves)]
    assert [fluent for fluent in game.fluents if fluent in state.facts] == list(state.facts)


def test_some_moves_chosen_at_random_and_some_by_hand_are_all_checked(small: Game) -> None:
    batch = Batch(small, 1000, seed=1)
    moves = batch.sample()
    moves[::2] = np.flatnonzero(batch.legal[0])[0]
    batch.step(moves)
    assert len(set(batch.states(slice(0, None, 2)))) == 1
    moves = batch.sample()
    moves[777] = small.moves.index(small.initial.legal_moves[0])
    with pytest.raises(IllegalMove, match="state 777"):
        batch.step(moves)


def test_what_was_chosen_is_checked_when_the_states_have_changed(small: Game) -> None:
    batch = Batch(small, 4, seed=1)
    moves = batch.sample()
    batch.step(moves)
    with pytest.raises(IllegalMove, match="state 0"):
        batch.step(moves)
    later = batch.states()
    changes: list[Callable[[], None]] = [
        lambda: batch.reset(3),
        lambda: batch.set(3, "p2/3/3/1P1 w"),
    ]
    for change in changes:
        batch.set(None, later)
        moves = batch.sample()
        change()
        with pytest.raises(IllegalMove, match="state 3"):
            batch.step(moves)


def test_a_move_for_each_role_is_read_as_one_of_the_role_on_move(small: Game) -> None:
    one, both = Batch(small, 5, seed=1), Batch(small, 5, seed=1)
    noop = small.moves.index(Move("black", "noop", ""))
    moves = one.sample()
    one.step(moves)
    both.step(np.stack([moves, [noop, -1, noop, -1, -1]], axis=1))
    assert one.states() == both.states()
    moves = one.sample()
    one.step(moves)
    both.step(np.stack([np.full(5, -1), moves], axis=1))
    assert one.states() == both.states()


def test_where_another_role_has_a_choice_too_all_moves_are_wanted(mixed: Game) -> None:
    batch = Batch(mixed, 1, seed=1, joint=False)
    assert batch.sample().tolist() == [-1]
    with pytest.raises(IllegalMove, match="say what a does"):
        batch.step(batch.sample())
    number = {(move.role, move.term): place for place, move in enumerate(mixed.moves)}
    with pytest.raises(IllegalMove, match="several roles move at once"):
        batch.step([number["a", "rock"]])
    batch.step([[number["a", "paper"], number["b", "rock"]]])
    batch.step([[number["a", "paper"], number["b", "rock"]]])
    assert batch.to_move.tolist() == [1]
    assert legal_terms(batch, 0) == {("b", "left"), ("b", "right")}
    assert batch.sample().tolist() == [-1], "a has something to say, too"
    with pytest.raises(IllegalMove, match="say what a does: it has 2 moves"):
        batch.step([number["b", "left"]])
    batch.step([[number["a", "smile"], number["b", "left"]]])
    assert batch.goals.tolist() == [[60, 20]]
    # If b has won, a has only one move; in other states it may have more.
    batch.reset()
    for _ in range(2):
        batch.step([[number["a", "rock"], number["b", "paper"]]])
    batch.step([number["b", "right"]])
    assert batch.goals.tolist() == [[0, 60]]


def test_where_nobody_is_on_move_alone_no_move_of_one_is_taken(tmp_path: Path) -> None:
    """Also if each role has only one move."""
    game = write(
        "role(a;b). to_move(a). to_move(b). init(n(0)). legal(R,go) :- role(R). next(n(1)). "
        "terminal :- true(n(1)).",
        tmp_path,
    )
    batch = Batch(game, 2, joint=False)
    assert batch.sample().tolist() == [-1, -1]
    with pytest.raises(IllegalMove, match="state 1, move 0: say what each role does"):
        batch.step([-1, 0])
    batch.step([-1, -1])
    assert batch.is_terminal.all()


def test_a_role_without_a_move_is_told_of(tmp_path: Path) -> None:
    game = write(
        "role(solo). to_move(solo). init(on). legal(solo,off) :- true(on). next(off) :- true(on).",
        tmp_path,
    )
    batch = Batch(game, 2)
    batch.step([0, -1])
    assert batch.sample().tolist() == [-1, -1]
    assert not batch.is_terminal.any()
    for moves in ([-1, -1], batch.sample(), [0, 0]):
        with pytest.raises(IllegalMove, match="state 0, move"):
            batch.step(moves)


REFUSED_MOVES: list[tuple[Any, type[Exception], str]] = [
    ([0, 1, 2], BadRequest, r"shape \(4,\) or \(4, 2\).*not \(3,\)"),
    (7, BadRequest, r"not \(\)"),
    ([[0]] * 4, BadRequest, r"not \(4, 1\)"),
    ([[0, 0, 0]] * 4, BadRequest, r"not \(4, 3\)"),
    ([[0], [0, 1], [0], [0]], BadRequest, "whole numbers"),
    ([0.0, 1.0, 2.0, 3.0], BadRequest, "whole numbers"),
    ([True] * 4, BadRequest, "whole numbers"),
    ("abcd", BadRequest, "whole numbers, not 'abcd'"),
    (None, BadRequest, "whole numbers, not None"),
    ([None] * 4, BadRequest, "whole numbers"),
    ([10**30] * 4, BadRequest, "whole numbers"),
    ([-2] * 4, BadMove, "state 0: there is no move -2"),
    (np.array([2**40] * 4), BadMove, "state 0: there is no move 1099511627776"),
    (np.array([2**64 - 1] * 4, np.uint64), BadMove, "there is no move 18446744073709551615"),
    (np.array([-(2**63)] * 4), BadMove, "there is no move -9223372036854775808"),
    ([[2**31, -1]] * 4, BadMove, "there is no move 2147483648"),
    ([-1] * 4, IllegalMove, "state 0, move -1: say what white does: it has 4 moves"),
]


@pytest.mark.parametrize(("moves", "error", "says"), REFUSED_MOVES, ids=str)
def test_moves_that_are_none_are_refused(
    small: Game, moves: Any, error: type[Exception], says: str
) -> None:
    batch = Batch(small, 4)
    for _ in range(2):  # also after the states were queried
        with pytest.raises(error, match=says):
            batch.step(moves)
        batch.sample()
    assert batch.states() == [small.initial] * 4


def test_an_illegal_move_is_named_and_nothing_is_changed(small: Game) -> None:
    batch = Batch(small, 9000, seed=1, threads=2)
    number = {(move.role, move.term): place for place, move in enumerate(small.moves)}
    batch.step(batch.sample())
    before = batch.holds
    wrong = {
        "move(1,2,1,3)": "is a move of white, but black is on move",
        "noop": "is a move of white, but black is on move",
    }
    for term, says in wrong.items():
        for states in ([8999], [4700, 8999, 17], [0, 600]):
            moves = batch.sample()
            moves[states] = number["white", term]
            with pytest.raises(IllegalMove, match=rf"^state {min(states)}, move \d+: .*{says}"):
                batch.step(moves)
            assert (batch.holds == before).all()
    moves = np.stack([np.full(9000, -1), batch.sample()], axis=1)
    moves[8500] = moves[8500, ::-1]
    with pytest.raises(IllegalMove, match=r"^state 8500, move \d+, -1: .* is a move of black"):
        batch.step(moves)
    assert (batch.holds == before).all()
    batch.step(batch.sample())


def test_the_first_state_with_an_illegal_move_is_named_whoevers_it_is(mixed: Game) -> None:
    batch = Batch(mixed, 9)
    moves = batch.sample()
    moves[5, 0] = moves[2, 1] = 0  # a's noop
    with pytest.raises(IllegalMove, match=r"^state 2, move \d+, 0: "):
        batch.step(moves)


def test_an_illegal_move_is_explained_by_the_rules() -> None:
    game = aspgames.load("breakthrough")
    batch = Batch(game, 2)
    moves = batch.sample()
    moves[1] = next(place for place, move in enumerate(game.moves) if move.term == "move(1,1,1,2)")
    with pytest.raises(IllegalMove, match="on a2 stands a white piece"):
        batch.step(moves)


REFUSED_BATCHES: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"n": None}, BadRequest, "give the number of states"),
    ({"n": 0}, BadRequest, "from 1 on, not 0"),
    ({"n": 10**15}, LimitReached, "no memory"),
    ({"seed": -1}, BadRequest, "seed must be a whole number from 0"),
    ({"seed": 2**64}, BadRequest, "seed must"),
    ({"seed": None}, BadRequest, "seed must.* not None"),
    ({"seed": 1.5}, BadRequest, "seed must"),
    ({"seed": False}, BadRequest, "seed must"),
    ({"threads": 0}, BadRequest, "threads must be a whole number from 1"),
    ({"threads": "2"}, BadRequest, "threads must"),
    ({"autoreset": 1}, BadRequest, "autoreset must be True or False, not 1"),
    ({"joint": "yes"}, BadRequest, "joint must be True or False, not 'yes'"),
    ({"start": 5}, BadRequest, "a position is a State or a text, not 5"),
    ({"start": [None] * 4}, BadRequest, "a position is a State or a text, not None"),
    ({"start": []}, BadRequest, "there are 0 positions for 4 states"),
    ({"start": [], "n": None}, BadRequest, "from 1 on, not 0"),
    ({"start": ["startpos"] * 3}, BadRequest, "there are 3 positions for 4 states"),
    ({"start": "nonsense"}, BadPosition, "nonsense"),
    ({"start": aspgames.load("skirmish").initial}, BadRequest, "is not a state of"),
]


@pytest.mark.parametrize(("given", "error", "says"), REFUSED_BATCHES, ids=str)
def test_arguments_that_make_no_sense_are_refused(
    small: Game, given: dict[str, Any], error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        Batch(small, **{"n": 4, **given})


def test_numpys_own_numbers_are_taken(small: Game) -> None:
    numbers: list[Any] = [np.int64(3), np.uint64(2**64 - 1), np.int32(2), np.uint64(1)]
    batch = Batch(small, numbers[0], seed=numbers[1], start=np.str_("startpos"))
    assert batch[numbers[2]] == small.initial
    assert batch.take(numbers[3]).states() == [small.initial]


def test_what_cannot_be_set_or_taken_is_refused(small: Game) -> None:
    batch = Batch(small, 4)
    batch.step(batch.sample())
    before = batch.states()
    for states, error, says in (
        ([small.initial], BadRequest, "1 positions for 2 states"),
        ([small.initial, 7], BadRequest, "not 7"),
        ([small.initial, "nonsense"], BadPosition, "nonsense"),
        ([small.initial, aspgames.load("breakthrough").initial], BadRequest, "is not a state of"),
    ):
        with pytest.raises(error, match=says):
            batch.set([0, 1], states)  # type: ignore[arg-type]
    assert batch.states() == before
    with pytest.raises(BadRequest, match="one state at least"):
        batch.take([])
    with pytest.raises(BadRequest, match="seed must"):
        batch.take(0, seed=-1)
    with pytest.raises(IndexError, match="there is no state 4"):
        batch[4]
    with pytest.raises(BadRequest, match="a state's number"):
        batch["0"]  # type: ignore[index]
    with pytest.raises(TypeError, match=r"can't be pickled; its states can"):
        pickle.dumps(batch)


def test_what_is_no_game_or_has_no_net_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(BadRequest, match="give a Game, as load returns it, not 'breakthrough'"):
        Batch("breakthrough", 3)  # type: ignore[arg-type]
    chooses = write(
        "role(solo). init(x(1)). legal(solo,go) :- a. legal(solo,stop) :- b. "
        "next(x(3-X)) :- true(x(X)). "
        "a :- true(x(1)). a :- true(x(_)), not b. b :- true(x(_)), not a.",
        tmp_path,
    )
    assert len(chooses.initial.legal_moves) == 1
    with pytest.raises(RulesError):
        Batch(chooses, 3)
    with pytest.raises(RulesError):
        chooses.moves  # noqa: B018
    monkeypatch.setattr("aspgames.play.batch.MOST_RULES", 10)
    many = write("role(a). init(n(1..20)). legal(a,M) :- true(n(M)). next(n(1..20)).", tmp_path)
    with pytest.raises(LimitReached, match="10"):
        Batch(many, 3)


def test_a_position_that_play_does_not_lead_to_is_refused(tmp_path: Path) -> None:
    game = write(
        """
        role(solo). to_move(solo). init(wall(1)). init(at(1)).
        legal(solo,go(X+1)) :- true(at(X)), X < 3.
        next(at(X))   :- does(solo,go(X)).
        next(wall(X)) :- true(wall(X)).
        terminal      :- true(at(3)).
        """,
        tmp_path,
    )
    batch = Batch(game, 2)
    assert game.fluents == ("at(1)", "at(2)", "at(3)")
    for facts, says in ((["wall(1)", "at(7)"], "has at\\(7\\)"), (["at(1)"], "lacks wall\\(1\\)")):
        with pytest.raises(BadPosition, match=says):
            Batch(game, 1, start=game.from_facts(facts))
        with pytest.raises(BadPosition, match=says):
            batch.set(0, game.from_facts(facts))
    batch.set(0, game.from_facts(["wall(1)", "at(3)"]))
    assert batch.is_terminal.tolist() == [True, False]
    assert batch[0].facts == ("at(3)", "wall(1)")


def test_a_game_without_fluents_that_change_has_batches(tmp_path: Path) -> None:
    game = write("role(solo). to_move(solo). init(on). legal(solo,go). next(on).", tmp_path)
    batch = Batch(game, 3)
    batch.step(batch.sample())
    assert batch.holds.shape == (3, 0)
    assert batch[0] == game.initial
    batch.set(1, "on")
    assert isinstance(batch[1], State)
    assert len(batch.take([0, 1])) == 2
