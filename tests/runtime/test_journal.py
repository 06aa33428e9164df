"""Results kept in a file, whatever happens to the process and to the file."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tracemalloc
from contextlib import closing
from pathlib import Path
from typing import Any, TypedDict

import pytest

from aspgames.runtime.errors import BadRequest
from aspgames.runtime.workers.journal import Journal
from faults import full_disk

KEEPS_FOR_EVER = """
import sys
from itertools import count
from aspgames.runtime.workers.journal import Journal
with Journal(sys.argv[1]) as journal:
    for number in count():
        journal.keep(str(number), [number, "x" * 100])
        print(number, flush=True)
"""


def filled(path: Path, number: int) -> Path:
    with Journal(path) as journal:
        for each in range(number):
            journal.keep(str(each), [each])
    return path


def test_results_are_found_again(tmp_path: Path) -> None:
    path = filled(tmp_path / "kept", 3)
    with Journal(path) as journal:
        journal.keep("1", {"another": None})
        assert (len(journal), journal.find("0"), journal.find("1")) == (3, [0], {"another": None})
        assert journal.find("3") is None
    assert [file.name for file in tmp_path.iterdir()] == ["kept"]


def test_a_killed_process_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    words = [sys.executable, "-c", KEEPS_FOR_EVER, str(path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as process:
        assert process.stdout
        for _ in range(500):
            process.stdout.readline()
        with pytest.raises(BadRequest, match="kept is in use by another run"):
            Journal(path)
        process.send_signal(signal.SIGKILL)
        said = 500 + len(process.stdout.read().splitlines())
    with Journal(path) as journal:
        assert said <= len(journal) <= said + 1
        assert all(journal.find(str(number))[0] == number for number in range(said))


def test_what_was_half_written_counts_as_nothing(tmp_path: Path) -> None:
    """The log of a killed process may end anywhere."""
    path, torn = tmp_path / "kept", tmp_path / "torn"
    with Journal(path) as journal:
        for number in range(5):
            journal.keep(str(number), number)
        for suffix in ("", "-wal"):
            shutil.copy(f"{path}{suffix}", f"{torn}{suffix}")
    main, log = torn.read_bytes(), Path(f"{torn}-wal").read_bytes()
    lengths = []
    for length in range(0, len(log) + 1, 997):
        torn.write_bytes(main)
        Path(f"{torn}-wal").write_bytes(log[:length])
        with Journal(torn) as journal:
            lengths.append(len(journal))
            assert all(journal.find(str(number)) == number for number in range(len(journal)))
            journal.keep("4", 4)
        with Journal(torn) as journal:
            assert journal.find("4") == 4
    assert lengths == sorted(lengths)
    assert set(lengths) >= {0, 1, 2, 3, 4}


def test_a_full_disk_leaves_what_was_there(tmp_path: Path) -> None:
    path = filled(tmp_path / "kept", 3)
    refused = pytest.raises(BadRequest, match=r"kept can't be written: the disk is full or")
    with Journal(path) as journal:
        with full_disk(10_000), refused:
            journal.keep("large", "x" * 20_000)
        assert len(journal) == 3
        journal.keep("small", 1)
    with Journal(path) as journal:
        assert (len(journal), journal.find("large"), journal.find("small")) == (4, None, 1)


@pytest.mark.parametrize("kept", [
    "'999'", "-5", "1.5", "'true'", "'NaN'", "'null'", "'[]'", "''", "x'ff00'",
    "CAST(x'ff00' AS TEXT)", "replace(result, '268', '999')",
    "(SELECT result FROM results WHERE task = '269')",
])  # fmt: skip
def test_a_damaged_result_counts_as_missing(tmp_path: Path, kept: str) -> None:
    path = tmp_path / "kept"
    with Journal(path) as journal:
        for number in (268, 269):
            journal.keep(str(number), number)
    change(path, f"UPDATE results SET result = {kept} WHERE task = '268'")
    with Journal(path) as journal:
        assert journal.find("269", int) == 269
        with pytest.warns(UserWarning, match="kept has damaged results: they are computed again"):
            assert journal.find("268", int) is None
        journal.keep("268", 268)
        assert journal.find("268", int) == 268


class Sides(TypedDict):
    white: list[int]
    black: float | None


@pytest.mark.parametrize(
    ("kind", "right", "wrong"),
    [
        (int, [3, -1], [True, 0.5, "3", [], {}]),
        (float, [0.5, 3], [False, "0.5"]),
        (str, ["3"], [3, ["3"]]),
        (list[int], [[], [3, 4]], [3, ["a"], [[3]], {"3": 3}]),
        (dict[str, int], [{}, {"a": 3}], [{"a": None}, [3]]),
        (tuple[int, str], [[3, "a"]], [[3], [3, "a", 3], ["a", 3], 3]),
        (float | str, [3, "a"], [[3], {}]),
        (Sides, [{"white": [3], "black": None}, {"white": [], "black": 1}], [
            {}, {"white": [], "black": "a"}, {"black": 1}, [], 3]),
    ],
)  # fmt: skip
def test_a_result_of_another_type_counts_as_missing(
    tmp_path: Path, kind: Any, right: list[Any], wrong: list[Any]
) -> None:
    with Journal(tmp_path / "kept") as journal:
        for value in right:
            journal.keep("1", value)
            assert journal.find("1", kind) == value
        for value in wrong:
            journal.keep("1", value)
            with pytest.warns(UserWarning, match="damaged results"):
                assert journal.find("1", kind) is None


def change(path: Path, *steps: str) -> bytes:
    """Change a database behind the program's back; returns the file's content."""
    with closing(sqlite3.connect(path)) as database, database:
        for step in steps:
            database.execute(step)
    return path.read_bytes()


OURS = int.from_bytes(b"aspg", "big")


@pytest.mark.parametrize(
    "content",
    [b"{}\n", b"something else", b'{"aspgames": "results"}\n{"task": "a", "result": 1}\n',
     b'{"verdict": "forced"}\n',
     ["CREATE TABLE results (task TEXT PRIMARY KEY, result TEXT NOT NULL)"],
     [f"PRAGMA application_id = {OURS}", "CREATE TABLE results (task, result)"],
     [f"PRAGMA application_id = {OURS}", "CREATE VIEW results AS SELECT 1 AS task, 2 AS result"],
     [f"PRAGMA application_id = {OURS}", "CREATE TABLE other (task TEXT)"]],
)  # fmt: skip
def test_another_file_is_refused_and_stays(tmp_path: Path, content: bytes | list[str]) -> None:
    path = tmp_path / "kept"
    if isinstance(content, bytes):
        path.write_bytes(content)
        text = content
    else:
        text = change(path, *content)
    with pytest.raises(BadRequest, match="kept is no file of kept results"):
        Journal(path)
    assert path.read_bytes() == text
    assert [file.name for file in tmp_path.iterdir()] == ["kept"]


@pytest.mark.parametrize("part", [0.01, 0.3, 0.7, 0.999])
def test_a_damaged_file_is_refused_and_stays(tmp_path: Path, part: float) -> None:
    path = filled(tmp_path / "kept", 500)
    whole = path.read_bytes()
    for damaged in (
        whole[: int(part * len(whole))],
        whole[: int(part * len(whole))].ljust(len(whole), b"\xee"),
    ):
        path.write_bytes(damaged)
        with pytest.raises(BadRequest, match=r"kept is (damaged|no file of kept results)"):
            Journal(path)
        assert path.read_bytes() == damaged


def test_results_are_not_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    large = ["x" * 1000] * 1000
    with Journal(path) as journal:
        for number in range(10):
            journal.keep(str(number), [number, *large])
    tracemalloc.start()
    try:
        with Journal(path) as journal:
            assert tracemalloc.get_traced_memory()[0] < 1 << 20
            assert [journal.find(str(number))[0] for number in range(9, -1, -1)] == [
                *range(9, -1, -1)
            ]
            assert tracemalloc.get_traced_memory()[0] < 1 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("path", ["", ".", "nowhere/kept", "/dev/null", "nul\0"])
def test_a_file_that_cannot_be(tmp_path: Path, path: str) -> None:
    with pytest.raises(BadRequest):
        Journal(tmp_path / path if path else path)
    assert os.listdir(tmp_path) == []
