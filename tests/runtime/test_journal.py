"""Results kept in a file, whatever happens to the process and to the file."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tracemalloc
from contextlib import closing
from pathlib import Path

import pytest

from aspgames.runtime.errors import BadRequest
from aspgames.runtime.workers.journal import Journal

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
    """A file with so many results."""
    with Journal(path) as journal:
        for each in range(number):
            journal.keep(str(each), [each])
    return path


def test_results_are_found_again(tmp_path: Path) -> None:
    path = filled(tmp_path / "kept", 3)
    with Journal(path) as journal:
        journal.keep("1", {"another": None})
        assert (len(journal), journal["0"], journal["1"]) == (3, [0], {"another": None})
        assert "2" in journal
        assert "3" not in journal
        with pytest.raises(KeyError):
            journal["3"]
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
        assert all(journal[str(number)][0] == number for number in range(said))


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
            assert all(journal[str(number)] == number for number in range(len(journal)))
            journal.keep("4", 4)
        with Journal(torn) as journal:
            assert journal["4"] == 4
    assert lengths == sorted(lengths)
    assert set(lengths) >= {0, 1, 2, 3, 4}


def test_a_full_disk_leaves_what_was_there(tmp_path: Path) -> None:
    path = filled(tmp_path / "kept", 3)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Journal(path) as journal:
        resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, before[1]))
        try:
            with pytest.raises(BadRequest, match=r"kept can't be written: the disk is full or"):
                journal.keep("large", "x" * 20_000)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert len(journal) == 3
        journal.keep("small", 1)
    with Journal(path) as journal:
        assert (len(journal), "large" in journal, journal["small"]) == (4, False, 1)


def other_database(path: Path) -> bytes:
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE results (task, result)")
    return path.read_bytes()


@pytest.mark.parametrize(
    "text",
    [b"{}\n", b"something else", b'{"aspgames": "results"}\n{"task": "a", "result": 1}\n',
     b'{"verdict": "forced"}\n', None],
)  # fmt: skip
def test_another_file_is_refused_and_stays(tmp_path: Path, text: bytes | None) -> None:
    path = tmp_path / "kept"
    if text is None:
        text = other_database(path)
    path.write_bytes(text)
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
            assert [journal[str(number)][0] for number in range(9, -1, -1)] == [*range(9, -1, -1)]
            assert tracemalloc.get_traced_memory()[0] < 1 << 20
    finally:
        tracemalloc.stop()


def test_a_file_is_used_by_one_run_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    with Journal(path), pytest.raises(BadRequest, match="kept is in use by another run"):
        Journal(path)
    Journal(path).close()


@pytest.mark.parametrize("path", ["", ".", "nowhere/kept", "/dev/null", "nul\0"])
def test_a_file_that_cannot_be(tmp_path: Path, path: str) -> None:
    with pytest.raises(BadRequest):
        Journal(tmp_path / path if path else path)
    assert os.listdir(tmp_path) == []
