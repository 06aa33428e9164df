"""Tables, compared with brute force, on games of all kinds and with all ways to make them."""

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import aspgames
from aspgames import Game, State
from aspgames.propnet.state_set import ABSENT, StateSet
from aspgames.puzzle.problem import Puzzle
from aspgames.solver.table import enumeration, induction, sorted_runs
from aspgames.solver.table.lookup import Table
from aspgames.solver.table.sorted_runs import Mapped
from aspgames.solver.table.table_check import verify_samples, verify_whole
from aspgames.solver.table.table_maker import make_table
from aspgames.solver.table.table_puzzle import SolvedByTable
from helpers import few_fast, record_calls
from naive_table import NaiveTable, Outcome, walk_game
from paths import ROOT
from proofs import proved

pytest.importorskip("pyarrow")

PEGS = ROOT / "tests/data/pegs.lp"
TICTACTOE = ROOT / "encodings/gallery/tictactoe.lp"
SLIDING = ROOT / "tests/data/sliding.lp"
SLID = "cell(1,1,4) cell(1,2,3) cell(2,2,1) cell(3,1,5) cell(3,2,2)"


def compare(state: State, path: Path, circles: bool = False, threads: int = 1) -> Table:
    """Make a table, and compare all of it with brute force."""
    table = make_table(state, path, threads=threads, with_symmetries=False).table
    naive = NaiveTable(state.game.without_nets.state(state.facts))
    expected = naive.values(circles)
    assert len(table) == len(expected)
    assert {s: table.value(s) for s in expected} == expected
    folded = make_table(state, path.with_name("folded"), threads=threads).table
    assert {s: folded.value(s) for s in expected} == expected
    return table


@pytest.mark.parametrize(
    "game",
    [
        aspgames.load(PEGS),
        pytest.param(
            aspgames.load("breakthrough", width=2, height=4), marks=pytest.mark.slow, id="2x4"
        ),
    ],
)
def test_games_that_end(game: Game, tmp_path: Path) -> None:
    assert not compare(game.initial, tmp_path / "table").about.has_circles


@pytest.mark.slow
def test_a_game_of_one_role_that_goes_round_in_circles(tmp_path: Path) -> None:
    start = aspgames.load(SLIDING).position(SLID)
    assert compare(start, tmp_path / "table", threads=2).about.has_circles


def random_walk(seed: int, folder: Path) -> tuple[Game, bool]:
    """A walk on a random graph, and whether it may have cycles."""
    chance = random.Random(seed)
    size, roles, circles = chance.randint(5, 14), chance.choice((1, 2, 2, 3)), chance.random() < 0.7
    circles = circles and roles < 3
    ends: dict[int, Outcome] = {}
    for place in chance.sample(range(1, size), chance.randint(1, 4)):
        one = chance.choice((0, 25, 50, 100))
        goals = tuple(chance.choice((0, 30, 50, 100)) for _ in range(roles))
        ends[place] = (one, 100 - one) if roles == 2 and circles else goals
    edges = set()
    for place in range(size):
        if place not in ends:
            others = [n for n in range(size) if (n != place if circles else n > place)]
            count = min(len(others), chance.choice((1, 2, 2, 3)))
            edges |= {(place, other) for other in chance.sample(others, count)}
    movers = {n: ("white", "black", "red")[chance.randrange(roles)] for n in range(size)}
    return walk_game(folder, sorted(edges), movers, ends), circles


@pytest.mark.sample(8)
@pytest.mark.parametrize("seed", few_fast(5, 30))
def test_random_games(seed: int, tmp_path: Path) -> None:
    game, circles = random_walk(seed, tmp_path)
    path = tmp_path / "table"
    table = compare(game.initial, path, circles)
    assert verify_whole(table, game, 1, aspgames.runtime.budget.Budget()) == len(table)
    assert verify_samples(table, game, 100, 0, aspgames.runtime.budget.Budget()) == len(table) + 1


@pytest.mark.parametrize("seed", range(2))
def test_long_ways_round_in_circles(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    size = 60
    outcomes: list[Outcome] = [(100, 0), (0, 100), (50, 50)]
    ends = {place: chance.choice(outcomes) for place in (20, 40, 59)}
    edges = set()
    for place in set(range(size)) - set(ends):
        others = {(place + step) % size for step in chance.sample((1, 2, 3, 5, -1, -4, -7), 3)}
        edges |= {(place, other) for other in others}
    movers = {place: chance.choice(("white", "black")) for place in range(size)}
    game = walk_game(tmp_path, sorted(edges), movers, ends)
    table = compare(game.initial, tmp_path / "table", circles=True)
    assert table.about.has_circles
    assert table.about.longest > 5


STARTS: dict[str, Callable[[], State]] = {
    "tictactoe": lambda: aspgames.load(TICTACTOE).initial,
    "sliding": lambda: aspgames.load(SLIDING).position(SLID),
    "breakthrough": lambda: aspgames.load("breakthrough", width=2, height=5).initial,
}


@pytest.fixture
def _little_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small steps, and few states in each sort."""
    monkeypatch.setattr(enumeration, "CHUNK", 100)
    monkeypatch.setattr(enumeration, "PIECE", 150)
    monkeypatch.setattr(enumeration, "_ROWS_READ", 70)
    monkeypatch.setattr(sorted_runs, "_BLOCK", 40)


def content(table: Table) -> tuple[object, ...]:
    states, values = zip(*table.parts(), strict=True)
    return table.about, np.concatenate(states).tobytes(), np.concatenate(values).tolist()


@pytest.mark.usefixtures("_little_room")
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    "how", ["tictactoe", "sliding", pytest.param("breakthrough", marks=pytest.mark.slow)]
)
def test_what_has_no_room_in_memory_goes_to_disk(
    how: str, threads: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = STARTS[how]()
    whole = make_table(start, tmp_path / "whole", with_symmetries=False)
    sorts = record_calls(monkeypatch, enumeration, "sort")
    little = make_table(
        start,
        tmp_path / "little",
        threads=threads,
        with_symmetries=False,
        most_bytes={"sliding": 28_000, "tictactoe": 45_000, "breakthrough": 60_000}[how],
    )
    assert {"run1", "run2"} < {stem.name for stem, *_ in sorts}
    assert content(little.table) == content(whole.table)
    assert little.edges == whole.edges


@pytest.mark.parametrize("how", ["tictactoe", "sliding"])
def test_values_that_have_no_room_in_memory(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = STARTS[how]()
    whole = make_table(start, tmp_path / "whole")
    monkeypatch.setattr(induction, "SMALL_BLOCK", 64)
    relieved = record_calls(monkeypatch, Mapped, "relieve")
    # With one thread the number of blocks is always the same.
    little = make_table(start, tmp_path / "little", most_bytes=1000, threads=1)
    assert len(relieved) >= 8
    assert all(mapped.is_large for (mapped,) in relieved)
    assert content(little.table) == content(whole.table)


def test_the_key_of_the_metadata_is_part_of_the_format(tmp_path: Path) -> None:
    make_table(aspgames.load("breakthrough", width=2, height=4).initial, tmp_path / "table")
    with pa.ipc.open_file(str(tmp_path / "table")) as file:
        assert set(file.schema.metadata) == {b"aspgames.table"}


@pytest.mark.parametrize("height", [4, pytest.param(5, marks=pytest.mark.slow)])
def test_puzzles_by_table_are_as_solve_has_them(height: int, tmp_path: Path) -> None:
    game = aspgames.load("breakthrough", width=2, height=height)
    table = make_table(game.initial, tmp_path / "table", with_symmetries=False).table
    for place in random.Random(1).sample(range(len(table)), 4):
        state = game.state(table.facts(place))
        for attacker in game.roles:
            for within in (None, 1, 2):
                solved = SolvedByTable(Puzzle.of(state, attacker, "win", within), table)
                found = solved.run()
                known = aspgames.solve(state, attacker=attacker, goal="win", within=within)
                assert (found.verdict, found.distance) == (known.verdict, known.distance)
                assert found.keys == tuple(sorted(known.keys))
                if found.distance is not None:
                    assert sorted(found.replies) == sorted(known.replies)
                    assert len(found.line) == len(known.line) == table.distance(state)
                else:
                    assert len(found.replies) == len(known.replies)
                proved(solved, found)


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("words", [1, 3])
def test_a_set_numbers_each_state_once(words: int, threads: int) -> None:
    chance = np.random.default_rng(1)
    states, known = StateSet(words), dict[bytes, int]()
    for _ in range(6):
        # So that threads find the same states at the same time.
        parts = [chance.integers(0, 9, (3000, words)).astype(np.uint64)] * threads
        for rows, numbers in zip(parts, states.add(parts), strict=True):
            for row, number in zip(rows, numbers.tolist(), strict=True):
                assert known.setdefault(row.tobytes(), number) == number
    assert sorted(known.values()) == list(range(len(states)))
    rows = states.rows(0, len(states))
    assert [known[row.tobytes()] for row in rows] == list(range(len(states)))
    assert states.find(rows).tolist() == list(range(len(states)))
    assert states.find(rows + np.uint64(100)).tolist() == [ABSENT] * len(states)


@pytest.mark.usefixtures("_little_room")
@pytest.mark.slow
def test_states_of_several_words(tmp_path: Path) -> None:
    chance = random.Random(1)
    edges = [(place, place + step) for place in range(140) for step in (1, 2, 7)]
    edges += [(chance.randrange(140), chance.randrange(140)) for _ in range(40)]
    edges = sorted({(a, min(b, 140)) for a, b in edges if a != b})
    movers = {place: chance.choice(("white", "black")) for place in range(140)}
    game = walk_game(tmp_path, edges, movers, {140: (100, 0), 66: (0, 100)})
    table = compare(game.initial, tmp_path / "table", circles=True)
    assert len(table.about.fluents) > 128
    little = make_table(game.initial, tmp_path / "little", most_bytes=27_400).table
    assert content(little) == content(table)


# --- published results ----------------------------------------------------------------------------


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("width", "height", "winner", "plies"),
    [
        (2, 4, "black", 8),
        pytest.param(2, 5, "black", 10, marks=pytest.mark.slow),
        pytest.param(2, 6, "white", 15, marks=pytest.mark.slow),
        pytest.param(3, 4, "black", 12, marks=pytest.mark.slow),
        pytest.param(2, 7, "black", 20, marks=pytest.mark.slow),
        pytest.param(3, 5, "black", 18, marks=pytest.mark.slow),
        pytest.param(4, 4, "black", 14, marks=pytest.mark.slow),
    ],
)
def test_breakthrough_is_won_as_published(
    width: int, height: int, winner: str, plies: int, tmp_path: Path
) -> None:
    game = aspgames.load("breakthrough", width=width, height=height)
    value = make_table(game.initial, tmp_path / "table").table.value(game.initial)
    assert value.goals == {"white": 0, "black": 0} | {winner: 100}
    assert value.distance == plies


@pytest.mark.parametrize(
    ("name", "constants", "folds", "states", "plies"),
    [
        ("tictactoe", {}, False, 5478, 9),
        ("tictactoe", {}, True, 765, 9),
        ("connect_four", {"width": 4, "height": 4}, False, 161_029, 16),
    ],
)
def test_draws_whose_states_others_have_counted(
    name: str, constants: dict[str, int], folds: bool, states: int, plies: int, tmp_path: Path
) -> None:
    game = aspgames.load(name, **constants)
    table = make_table(game.initial, tmp_path / "table", with_symmetries=folds).table
    assert len(table) == states
    assert table.goals(game.initial) == {"white": 50, "black": 50}
    assert table.distance(game.initial) == plies


@pytest.mark.sample(0)
@pytest.mark.parametrize("size", [2, 3, pytest.param(4, marks=pytest.mark.slow)])
def test_who_begins_wins_at_hex(size: int, tmp_path: Path) -> None:
    game = aspgames.load("hex", size=size)
    table = make_table(game.initial, tmp_path / "table").table
    assert table.goals(game.initial) == {"white": 100, "black": 0}
    assert not table.about.has_circles
