"""Tables that are damaged, or crafted to be false: none is accepted."""

import json
import os
import random
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import aspgames
from aspgames.puzzle.problem import Puzzle
from aspgames.puzzle.proof.certificate import certificate
from aspgames.puzzle.proof.verify import verify
from aspgames.runtime.budget import Budget
from aspgames.runtime.errors import BadPosition, BadRequest, Rejected
from aspgames.solver.table import table_file
from aspgames.solver.table.lookup import Table
from aspgames.solver.table.table_check import verify_samples, verify_whole
from aspgames.solver.table.table_maker import make_table
from aspgames.solver.table.table_puzzle import SolvedByTable
from cli_helpers import Call, assert_refused
from helpers import few_fast
from thoroughly import amount

GAME = aspgames.load("breakthrough", width=2, height=4)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    path = tmp_path_factory.mktemp("table") / "small.arrow"
    return make_table(GAME.initial, path).table


def content(table: Table) -> tuple[Any, ...]:
    states, values = zip(*table.parts(), strict=True)
    return table.about, np.concatenate(states), np.concatenate(values)


def accepted(path: Path) -> Table | None:
    """The table, if the program accepts it; any other exception than ours fails the test."""
    try:
        table = Table(path)
        verify_whole(table, GAME, 1, Budget())
        verify_samples(table, GAME, 3, 0, Budget())
    except (BadRequest, Rejected):
        return None
    return table


def check_damage(table: Table, path: Path, damaged: Iterable[bytes]) -> None:
    """A damaged file is refused, or has the same content: some bytes fill gaps."""
    refused = 0
    for data in damaged:
        path.write_bytes(data)
        found = accepted(path)
        refused += found is None
        assert found is None or str(content(found)) == str(content(table))
    assert refused > 20


def changed(data: bytes, place: int, value: int) -> bytes:
    return data[:place] + bytes([value]) + data[place + 1 :]


@pytest.mark.parametrize("first", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_a_damaged_byte_is_noticed(table: Table, tmp_path: Path, first: int) -> None:
    data, chance = Path(table.path).read_bytes(), random.Random(first)
    places = range(first, len(data), 41 if first == 0 else amount(23, 3))
    values = [(p, data[p] ^ 1 << chance.randrange(8)) for p in places]
    if first:
        values += [(p, value) for p in places[::5] for value in (0, 255)]
    check_damage(table, tmp_path / "damaged", (changed(data, *value) for value in values))


@pytest.mark.parametrize("step", [97, pytest.param(amount(7, 1), marks=pytest.mark.slow)])
def test_a_truncated_file_is_noticed(table: Table, tmp_path: Path, step: int) -> None:
    data = Path(table.path).read_bytes()
    check_damage(table, tmp_path / "cut", (data[:size] for size in range(0, len(data), step)))


def test_a_table_without_checksums_opens(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_file, "FORMAT", 1)
    monkeypatch.setattr(table_file, "_sum", lambda _columns, _before: 0)
    table_file.write(tmp_path / "old", table.about, table.parts())
    monkeypatch.undo()
    assert str(content(Table(tmp_path / "old", GAME))) == str(content(table))


def test_a_false_distance_is_told(table: Table, tmp_path: Path) -> None:
    about, states, values = content(table)
    values = values.copy()
    ends = [place for place in range(len(table)) if table.value_at(place).distance == 0]
    values[ends[0]] += 1
    table_file.write(tmp_path / "false", about, iter([(states, values)]))
    with pytest.raises(Rejected, match=r": the table has .* after 1 ply: the game is over"):
        verify_whole(Table(tmp_path / "false"), GAME, 1, Budget())


def test_a_lookup_reads_no_damaged_row(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, last = tmp_path / "damaged", GAME.state(table.facts(len(table) - 1))
    states = np.concatenate([states for states, _ in table.parts()]).tobytes()
    first = table.value_at(0)
    monkeypatch.setattr(table_file, "RUN", 64)
    table_file.write(path, table.about, table.parts())
    data = path.read_bytes()
    path.write_bytes(changed(data, data.index(states) + len(states) - 1, 255))
    damaged = Table(path, GAME)
    assert damaged.value_at(0) == first
    with pytest.raises(BadRequest, match="damaged is damaged: make the table again"):
        damaged.value_at(len(damaged) - 1)
    with pytest.raises(BadRequest, match="damaged is damaged"):
        damaged.value(last)


HEADERS: dict[str, Any] = {
    "roles": [("white",), ("black", "white"), ("white", "bla\x7fk"), ("white", "black", "red")],
    "fluents": [(), ("cell(1,1,white)",), ("cell(1,\x00,white)",)],
    "certain": [("cell(1,1,white)",), ("p(",), ("other",)],
    "start": [("p(",), (), ("control(black)",)],
    "symmetries": [((0,),), ((0,) * 17,), ((-1, *range(16)),)],
    "outcomes": [((100, 0),), ((100, 0), (100, 0)), ((0, 100), (100, 0)), ((1,), (2,))],
    "states": [0, 1, 10**30, -1],
    "constants": [{}, {"width": 3, "height": 4}, {"width": "\x00"}],
    "name": ["other"],
    "rules": ["other"],
    "longest": [1000],
    "stuck": [True],
    "one": [1, -1],
}


@pytest.mark.parametrize(
    ("name", "value"), [(n, v) for n, values in HEADERS.items() for v in values]
)
def test_no_other_header_is_accepted(table: Table, tmp_path: Path, name: str, value: Any) -> None:
    """The checksums are right."""
    about = replace(table.about, **{name: value})
    assert value != getattr(table.about, name)
    try:
        table_file.write(tmp_path / "false", about, table.parts())
    except (pa.ArrowException, ValueError, OverflowError):
        return  # the columns don't fit this header
    found = accepted(tmp_path / "false")
    assert found is None or name in ("longest", "stuck")


@pytest.mark.quick(5)
@pytest.mark.sample(5)
@pytest.mark.parametrize("seed", few_fast(12, 26))
def test_no_false_value_is_accepted(table: Table, tmp_path: Path, seed: int) -> None:
    """The checksums are right: one value, or one state, is another."""
    about, states, values = content(table)
    chance = random.Random(seed)
    states, values = states.copy(), values.copy()
    place, other = chance.randrange(len(states)), chance.randrange(len(states))
    match seed % 4:
        case 0:  # another distance
            values[place] += 1
        case 1:  # another outcome
            values[place] ^= 1 << 16
        case 2:  # two values exchanged
            if values[place] == values[other]:
                return
            values[[place, other]] = values[[other, place]]
        case _:  # a state is missing, or another
            states[place] = states[place] ^ 1
    table_file.write(tmp_path / "false", about, iter([(states, values)]))
    assert accepted(tmp_path / "false") is None
    wrong = Table(tmp_path / "false", GAME)
    near = [place % len(wrong) for place in range(place - 3, place + 4)]
    for facts in [GAME.initial.facts, *map(table.facts, near)]:
        puzzle = Puzzle.of(GAME.state(facts), "black", "win")
        truth = SolvedByTable(puzzle, table).run()
        try:
            solved = SolvedByTable(puzzle, wrong)
            found = verify(json.loads(json.dumps(certificate(solved, solved.run()))))
        except (BadPosition, BadRequest, Rejected):
            continue
        assert (found.verdict, found.distance) == (truth.verdict, truth.distance)


@pytest.mark.parametrize("old", ["roles", "fluents"])
def test_the_command_line_refuses_it(call: Call, table: Table, tmp_path: Path, old: str) -> None:
    data = Path(table.path).read_bytes()
    word = {"roles": b'"black"', "fluents": b"cell(1,1,black)"}[old]
    (tmp_path / "t").write_bytes(data.replace(word, word.replace(b"a", b"\x7f")))
    for more in ([], ["--whole"]):
        assert_refused(call("table", "--verify", "t", *more), "t isn't a")
    game = ["breakthrough", "-c", "width=2", "-c", "height=4", "startpos"]
    asked = [*game, "--attacker", "black", "--goal", "win", "--table", "t"]
    assert_refused(call("solve", *asked), "t isn't a")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names there")
def test_no_table_in_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadRequest, match="isn't a complete table"):
        Table(tmp_path / "pipe")
