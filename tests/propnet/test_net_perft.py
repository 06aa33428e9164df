"""Perft on nets: counts in any number of threads, and counts that end early."""

import threading
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

import aspgames
from aspgames import LimitReached, RulesError, State, divide, perft
from aspgames.propnet.counting import PlyNets
from aspgames.runtime import budget
from aspgames.runtime.budget import Budget
from aspgames.runtime.errors import Interrupted
from awkward import AWKWARD
from engine_helpers import EACH_VARIANT, using, write
from helpers import record_calls
from paths import ROOT
from perft_counts import PERFT

THREADS = (1, 2, 7)


@pytest.fixture(autouse=True)
def _no_thread_is_left() -> Iterator[None]:
    def of_perft() -> set[threading.Thread]:  # on a busy machine, states begin a net beside
        return {each for each in threading.enumerate() if "_make_beside" not in each.name}

    before = of_perft()
    yield
    assert of_perft() <= before


@pytest.mark.parametrize("name", PERFT)
def test_perft_at_full_depth(name: str) -> None:
    state = aspgames.load(name).initial
    counts = [perft(state, depth, reasoner="propnet") for depth in range(1, len(PERFT[name]) + 1)]
    assert counts == PERFT[name]
    split = divide(state, len(counts) - 1, reasoner="propnet")
    assert (len(split), sum(split.values())) == (counts[0], counts[-2])


def assert_counts(state: State, *expected: int) -> None:
    """Check perft at depths 1, 2, … in any number of threads, and divide."""
    for depth, count in enumerate(expected, 1):
        splits = []
        for threads in THREADS:
            assert perft(state, depth, reasoner="propnet", threads=threads) == count
            splits.append(divide(state, depth, reasoner="propnet", threads=threads))
            assert sum(splits[-1].values()) == count
        assert all(split == splits[0] for split in splits)


def test_perft_of_a_whole_game_and_beyond() -> None:
    """Tic-tac-toe: games of all lengths, all over after nine plies."""
    file = ROOT / "encodings/gallery/tictactoe.lp"
    state = aspgames.load(str(file)).initial
    counts = [9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872, 0, 0]
    assert_counts(state, *counts)
    assert perft(state, 30, threads=2) == 0
    assert divide(state, 30, threads=2) == dict.fromkeys(divide(state, 1), 0)


@pytest.mark.quick(8)
@pytest.mark.parametrize("variant", EACH_VARIANT)
@pytest.mark.parametrize("name", AWKWARD)
def test_any_number_of_threads_counts_the_same(name: str, variant: str, tmp_path: Path) -> None:
    state = write(AWKWARD[name], tmp_path).initial
    with using(variant):
        for depth in range(1, 4):
            counts = divide(state, depth, reasoner="propnet", threads=1)
            for threads in THREADS[1:]:
                assert divide(state, depth, reasoner="propnet", threads=threads) == counts
                found = perft(state, depth, reasoner="propnet", threads=threads)
                assert found == sum(counts.values())
            if sum(counts.values()) > 5_000:
                break


FEWER = """
% After a ply there are 600 fluents, after the next one 3: later nets are smaller.
role(solo).  to_move(solo).  init(start).
legal(solo,pick(1..600)) :- true(start).
legal(solo,go(1..3))     :- true(picked(_)).
legal(solo,go(1..3))     :- true(gone(_)).
next(picked(X)) :- does(solo,pick(X)).
next(gone(X))   :- does(solo,go(X)).
"""

CERTAIN = """
% Nothing is ever open: a state is its ply.
role(a;b).  init(step(0)).  legal(a,(x;y;z)).  legal(b,(x;y)) :- true(step(N)), N != 2.
legal(b,only) :- true(step(2)).
next(step(N+1)) :- true(step(N)).
terminal :- true(step(5)).
"""

SOME_END = """
% Whoever takes three is out of the game, and it ends; the others' games go on.
role(a;b).  init(has(a,0)).  init(has(b,0)).  init(on(a)).  to_move(R) :- true(on(R)).
legal(R,take(1..3)) :- true(on(R)).  legal(R,noop) :- role(R), not true(on(R)).
next(on(S))     :- true(on(R)), role(S), R != S.
next(has(R,M))  :- does(R,take(M)).
next(has(R,M))  :- true(has(R,M)), does(R,noop).
terminal :- true(has(_,3)).
goal(R,M) :- true(has(R,M)).
"""


BUSY = """
% The first role waits while the others have hundreds of moves, one after the other or at once.
role(a;b;c).  init(step(0)).
legal(a,noop).  legal(b,m(1..300)) :- true(step(N)), N != 1.  legal(b,noop) :- true(step(1)).
legal(c,m(1..300)) :- true(step(1)).  legal(c,m(1..2)) :- true(step(2)).
legal(c,noop) :- true(step(0)).  legal(c,noop) :- true(step(3)).
next(step(N+1)) :- true(step(N)).  next(did(M)) :- does(R,m(M)).
"""


COUNTS = {
    FEWER: [600, 1800, 5400, 16_200],
    CERTAIN: [6, 36, 108, 648, 3888, 0, 0],
    SOME_END: [3 * 2**ply for ply in range(8)],
    BUSY: [300, 300**2, 300**2 * 600],
}


@pytest.mark.parametrize("rules", COUNTS, ids=["fewer", "certain", "some end", "busy"])
def test_plies_with_nets_of_all_kinds(rules: str, tmp_path: Path) -> None:
    assert_counts(write(rules, tmp_path).initial, *COUNTS[rules])


def test_counts_have_64_bits(tmp_path: Path) -> None:
    text = """
        role(a;b;c).  init(step(0)).  legal(R,m(1..N)) :- role(R), many(N).
        many(2000) :- true(step(0)), true(many).  many(70) :- not true(many).
        next(step(N+1)) :- true(step(N)).
    """
    game = write(text, tmp_path)
    assert perft(game.from_facts(["step(0)", "many"]), 1, reasoner="propnet") == 2000**3
    for threads in (1, 2):
        found = perft(game.initial, 2, reasoner="propnet", threads=threads)
        assert found == 70**6


LATER = """
% What follows from step(3) is not settled: two answer sets, and no net.
role(solo).  to_move(solo).  init(step(0)).
legal(solo,m(1..40)).
next(step(N+1)) :- true(step(N)).
next(did(M))    :- does(solo,m(M)).
heads :- true(step(3)), not tails.
tails :- true(step(3)), not heads.
next(heads) :- heads.
#const most = 0.
terminal :- true(step(2)), true(did(M)), M > most.
"""


def test_an_error_in_the_net_of_a_later_ply_comes_out_once(tmp_path: Path) -> None:
    write(LATER, tmp_path)
    state = aspgames.load(str(tmp_path / "own.lp"), most=20).initial
    for threads in (*THREADS, *THREADS):
        assert perft(state, 3, reasoner="propnet", threads=threads) == 40 * 40 * 20
        with pytest.raises(RulesError, match="recur through negation"):
            perft(state, 4, reasoner="propnet", threads=threads)
        with pytest.raises(RulesError, match="recur through negation"):
            divide(state, 5, reasoner="propnet", threads=threads)
    # Unreachable faulty rules do no harm.
    ends = aspgames.load(str(tmp_path / "own.lp"), most=0).initial
    assert_counts(ends, 40, 1600, 0, 0, 0)


def test_the_net_of_a_ply_is_made_when_a_game_comes_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = record_calls(monkeypatch, PlyNets, "after")
    write(LATER, tmp_path)
    state = aspgames.load(str(tmp_path / "own.lp"), most=-1).initial
    for threads in THREADS:
        assert perft(state, 9, reasoner="propnet", threads=threads) == 0
    assert max(ply for _, ply, _ in asked) == 2


def test_progress_is_told_and_ends_with_the_count() -> None:
    state = aspgames.load("breakthrough").initial
    for threads, (depth, count) in product((1, 2), ((3, 11_132), (5, 6_182_818))):
        told: list[int] = []
        perft(state, depth, reasoner="propnet", threads=threads, progress=told.append)
        assert told == sorted(told)
        assert told[-1] == count


@pytest.mark.parametrize("reasoner", ["propnet", "grounder"])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_budget_of_positions_is_enough_or_not(reasoner: str, threads: int) -> None:
    """The budget counts the positions of all plies but the last."""
    state = aspgames.load("breakthrough", width=3, height=5).initial
    needed = 1 + perft(state, 1) + perft(state, 2)

    def count(positions: int) -> int:
        limit = Budget(positions=positions)
        return perft(state, 3, reasoner=reasoner, threads=threads, budget=limit)

    assert count(needed) == perft(state, 3)
    with pytest.raises(LimitReached, match=f"within {needed - 1} positions"):
        count(needed - 1)


@pytest.mark.parametrize("threads", THREADS)
def test_a_limit_on_time_ends_a_count(threads: int) -> None:
    state = aspgames.load("breakthrough").initial
    perft(state, 3, reasoner="propnet")  # the nets exist now
    for count in (perft, divide):
        with pytest.raises(LimitReached, match=r"within 0.05 seconds"):
            count(state, 12, reasoner="propnet", threads=threads, budget=Budget(seconds=0.05))


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("how", [budget.stop, budget.interrupt])
def test_a_count_can_be_interrupted(how: object, threads: int) -> None:
    """Like a signal during the count: `stop` takes effect at the next check of the budget."""
    state = aspgames.load("breakthrough").initial
    assert callable(how)
    told = 0

    def progress(_paths: int) -> None:
        nonlocal told
        told += 1
        if told == 2:
            how()

    try:
        with pytest.raises(Interrupted):
            perft(state, 12, reasoner="propnet", threads=threads, progress=progress)
    finally:
        budget.resume()
    assert perft(state, 3, reasoner="propnet", threads=threads) == 11_132


@pytest.mark.parametrize("threads", THREADS)
def test_random_games_can_be_interrupted(threads: int) -> None:
    state = aspgames.load("breakthrough").initial
    aspgames.playouts(state, 1, reasoner="propnet")  # the net exists now
    timer = threading.Timer(0.1, budget.stop)
    timer.start()
    try:
        with pytest.raises(Interrupted):
            aspgames.playouts(state, 10**9, reasoner="propnet", threads=threads)
    finally:
        timer.join()
        budget.resume()
