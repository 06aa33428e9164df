"""Single states, batches, perft and random games, on random nets."""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import chain, product

import numpy as np
from hypothesis import strategies as st

from aspgames.gdl.reasoner.net_answer import bounds_of
from aspgames.propnet.counting import PlyNets, _WalkPiece
from aspgames.propnet.gate_tables import Tables
from aspgames.propnet.lanes import Lanes, Rows
from aspgames.propnet.random_play import play_games
from aspgames.propnet.single_state import Single
from aspgames.runtime.budget import Budget
from circuits import Drawing, Said, ask, drawings, joint_moves, play, tables_of
from engine_helpers import VARIANTS, choose, evaluation, using
from helpers import few_or_many

Results = Counter[tuple[tuple[int, ...], int]]
"""How many games ended with these goals after so many plies."""


def row(state: int, tables: Tables) -> bytes:
    return state.to_bytes(tables.row_bytes, "little")


def to_rows(states: Sequence[int], tables: Tables) -> Rows:
    packed = b"".join(row(state, tables) for state in states)
    return np.frombuffer(packed, np.uint64).reshape(len(states), tables.row_bytes // 8)


def some_states(drawing: Drawing, numbers: Sequence[int]) -> list[int]:
    return [number % (1 << drawing.fluents) for number in numbers]


def nearby(state: int, drawing: Drawing, rng: random.Random) -> int:
    """A state that differs from another in no, one or many fluents."""
    for _ in range(rng.choice([0, 1, 2, 3, drawing.fluents])):
        state ^= 1 << rng.randrange(drawing.fluents)
    return state


@few_or_many(10, 100, drawing=drawings() | drawings(clock=60), seed=st.integers(0, 2**32))
def test_single_states_are_answered_as_by_the_evaluator(drawing: Drawing, seed: int) -> None:
    """For any previous question: less is computed for a state like the previous one."""
    tables, rng = tables_of(drawing), random.Random(seed)
    states = [drawing.start]
    while len(states) < 25:
        states.append(nearby(states[-1], drawing, rng))
    joints = [[rng.randrange(*bounds) for bounds in drawing.bounds] for _ in states]
    following = play(drawing, states, joints)
    single = Single(tables)
    for place, expected in enumerate(ask(drawing, states)):
        packed = row(states[place], tables)
        said = single.ask(packed)
        on_move = expected.on_move or [-1]
        assert said[:3] == [expected.terminal, len(expected.on_move), on_move[-1]]
        for role, legal in enumerate(expected.legal):
            marked = [any(states[place] >> f & 1 for f in drawing.marks[move]) for move in legal]
            first, end = bounds_of(said, role)
            assert said[first:end] == [2 * m + by for m, by in zip(legal, marked, strict=True)]
            assert said[3 + 3 * role] == expected.goals[role]
        # The next state is defined for illegal moves, too.
        assert single.play(packed, joints[place]) == row(following[place], tables)
        for role, move in enumerate(joints[place]):
            after = single.play_one(packed, role, move)
            if after is not None:
                # The other roles wait: each has one move.
                joint = [move if r == role else m for r, (m,) in others(expected, role)]
                (then,) = play(drawing, [states[place]], [joint])
                assert after == row(then, tables)


def others(said: Said, role: int) -> list[tuple[int, list[int]]]:
    return [(r, [-1] if r == role else legal) for r, legal in enumerate(said.legal)]


@few_or_many(
    8,
    80,
    drawing=drawings(clock=60) | drawings(),
    count=st.sampled_from([0, 1, 2, 511, 512, 513, 700]),
    seed=st.integers(0, 2**32),
)
def test_batches_of_states_in_all_phases_are_answered_as_by_the_evaluator(
    drawing: Drawing, count: int, seed: int
) -> None:
    tables, rng = tables_of(drawing), random.Random(seed)
    states = [rng.getrandbits(drawing.fluents) for _ in range(count)]
    expected = ask(drawing, states)
    going = [place for place, said in enumerate(expected) if all(said.legal)]
    joints = [[rng.choice(legal) for legal in expected[place].legal] for place in going]
    following = play(drawing, [states[place] for place in going], joints)
    for variant in VARIANTS:
        with using(variant):
            lanes = Lanes(tables)
            rows = to_rows(states, tables)
            answer = evaluation(lanes, rows)
            chosen = choose(lanes, rows, np.arange(count, dtype=np.uint64), 3)
            moves = np.array(joints, np.int32).reshape(len(going), len(drawing.moves))
            after = lanes.play(np.ascontiguousarray(rows[going]), moves)
            del lanes
        assert after.tobytes() == to_rows(following, tables).tobytes()
        assert len(answer.legal) == len(chosen) == count
        for place, said in enumerate(expected):
            assert answer.terminal[place] == said.terminal
            assert answer.goals[place].tolist() == said.goals
            if said.on_move:
                (mover,) = said.on_move if len(said.on_move) == 1 else [-1]
                assert answer.mover[place] == mover
            assert np.flatnonzero(answer.legal[place]).tolist() == list(chain(*said.legal))
            for move, legal in zip(chosen[place].tolist(), said.legal, strict=True):
                assert move in (legal or [-1])


def children(drawing: Drawing, states: list[int], joints: list[list[tuple[int, ...]]]) -> list[int]:
    spread = [state for state, its in zip(states, joints, strict=True) for _ in its]
    return play(drawing, spread, list(chain(*joints)))


class OneNet(PlyNets):
    """Uses one closed net for every ply."""

    def __init__(self, tables: Tables) -> None:
        self._one = tables

    def after(self, _ply: int, _budget: Budget) -> Tables:
        return self._one


def walked(tables: Tables, states: Sequence[int], depth: int, collect: bool = False) -> _WalkPiece:
    """The result of a walk from some states."""
    packed = b"".join(row(state, tables) for state in states)
    walk = _WalkPiece(OneNet(tables), 0, packed, len(states), depth, collect)
    while walk.step():
        pass
    return walk


@few_or_many(
    8,
    80,
    drawing=drawings(clock=60) | drawings(),
    numbers=st.lists(st.integers(0, 2**80), max_size=8),
)
def test_perft_counts_the_paths_of_the_evaluator_and_collects_its_states(
    drawing: Drawing, numbers: list[int]
) -> None:
    tables = tables_of(drawing)
    start = now = [drawing.start, *some_states(drawing, numbers)]
    for depth in (1, 2, 3):
        joints = list(map(joint_moves, ask(drawing, now)))
        paths = sum(map(len, joints))
        if paths > 1000:
            break
        now = children(drawing, now, joints)
        for variant in VARIANTS:
            with using(variant):
                assert walked(tables, start, depth).paths == paths
                found, count = walked(tables, start, depth, collect=True).collected()
            assert count == paths
            assert in_rows(found, tables) == sorted(row(state, tables) for state in now)
            # From one state, in the order of the joint moves, as in divide.
            if depth == 1:
                with using(variant):
                    found, count = walked(tables, start[:1], 1, collect=True).collected()
                expected = [row(state, tables) for state in now[: len(joints[0])]]
                assert found == b"".join(expected)


def in_rows(packed: bytes, tables: Tables) -> list[bytes]:
    size = tables.row_bytes
    return sorted(packed[place : place + size] for place in range(0, len(packed), size))


WORD = (1 << 64) - 1


def mix(number: int) -> int:
    """SplitMix64's output function."""
    number &= WORD
    number = ((number ^ number >> 30) * 0xBF58476D1CE4E5B9) & WORD
    number = ((number ^ number >> 27) * 0x94D049BB133111EB) & WORD
    return number ^ number >> 31


def random_games(drawing: Drawing, seed: int, games: int) -> Results:
    """The games of a seed: each draw depends only on the game's number, the ply and the role."""
    found: Results = Counter()
    states = [drawing.start] * games
    keys = [
        mix(mix(seed + 0x9E3779B97F4A7C15) + mix(game * 0xD1342543DE82EF95 + 0x2545F4914F6CDD1D))
        for game in range(games)
    ]
    ply, roles = 0, len(drawing.moves)
    while states:
        going, joints = [], []
        for place, said in enumerate(ask(drawing, states)):
            if said.terminal or not all(said.legal):
                found[tuple(said.goals), ply] += 1
                continue
            joint = []
            for role, legal in enumerate(said.legal):
                random = mix(keys[place] + (ply * roles + role + 1) * 0x9E3779B97F4A7C15)
                joint.append(legal[random * len(legal) >> 64])
            going.append(place)
            joints.append(joint)
        states = play(drawing, [states[place] for place in going], joints)
        keys = [keys[place] for place in going]
        ply += 1
    return found


@few_or_many(6, 60, drawing=drawings(clock=4) | drawings(clock=12), seed=st.integers(0, 2**64 - 1))
def test_random_games_are_those_of_the_evaluator(drawing: Drawing, seed: int) -> None:
    """Also the games that begin when others end, and with several threads."""
    tables = tables_of(drawing)
    expected = random_games(drawing, seed, 550)
    for variant, threads in product(VARIANTS, (1, 2, 3)):
        found: Results = Counter()
        with using(variant):
            start, roles = row(drawing.start, tables), len(drawing.moves)
            for end in play_games(tables, start, roles, range(550), seed, Budget(), threads):
                found[end.goals, end.plies] += end.games
        assert found == expected, (variant, threads)
