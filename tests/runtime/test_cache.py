"""The cache: an entry is found whole or not at all; faults only cost time."""

import errno
import os
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs
import pytest
from hypothesis import strategies as st

import aspgames
from aspgames.runtime import cache, cache_upkeep
from cli_helpers import PROGRAM, TIMEOUT, Call, assert_refused, check, run
from faults import at_each_line, full_disk, killed
from helpers import few_or_many, record_calls
from new_process import python
from thoroughly import amount

DATA = bytes(range(256)) * 20
HEADER = 64


def entries() -> list[cache_upkeep.Entry]:
    return cache_upkeep.entries(cache.folder())


def clear() -> int:
    return cache_upkeep.clear(cache.folder())


def only_file(kept: Path) -> Path:
    (file,) = kept.iterdir()
    return file


def found(key: str, kind: str = "net") -> bytes | None:
    view = cache.get(key, kind)
    return None if view is None else bytes(view)


# --- entries are found ----------------------------------------------------------------------------


@few_or_many(
    20,
    200,
    contents=st.dictionaries(
        st.tuples(st.text(max_size=9), st.sampled_from(["net", "rules"])), st.binary(max_size=99)
    ),
)
def test_what_is_put_is_found_until_the_cache_is_cleared(
    contents: dict[tuple[str, str], bytes],
) -> None:
    for (key, kind), data in contents.items():
        cache.put(key, kind, data)
    for (key, kind), data in contents.items():
        assert found(key, kind) == data
    clear()
    assert all(found(key, kind) is None for key, kind in contents)


def test_what_is_found_is_mapped_in_place(kept: Path) -> None:
    cache.put("a", "net", np.arange(1000, dtype=np.uint32).data)
    view = cache.get("a", "net")
    assert view is not None
    numbers = np.frombuffer(view, dtype=np.uint32)
    assert numbers.ctypes.data % HEADER == 0
    cache.put("a", "net", b"other")
    clear()
    assert list(kept.iterdir()) == []
    assert (numbers == range(1000)).all()


def test_what_is_written_to_it_stays_here(kept: Path) -> None:
    cache.put("a", "net", DATA)
    view = cache.get("a", "net")
    assert view is not None
    view[:2] = b"xy"
    assert found("a") == DATA
    assert bytes(view) == b"xy" + DATA[2:]
    assert only_file(kept).read_bytes()[HEADER:] == DATA


def test_nobody_else_may_look(kept: Path) -> None:
    cache.put("a", "net", DATA)
    assert stat.S_IMODE(kept.stat().st_mode) == 0o700
    assert stat.S_IMODE(only_file(kept).stat().st_mode) == 0o600


# --- damaged entries ------------------------------------------------------------------------------


def changed(place: int) -> Callable[[bytes], bytes]:
    return lambda file: file[:place] + bytes([file[place] ^ 1]) + file[place:][1:]


def cut(length: int) -> Callable[[bytes], bytes]:
    return lambda file: file[:length]


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    # The mark, the layout, the checksum, the length and the digest of the key; padding follows.
    **{f"changed {place}": changed(place) for place in (0, 8, 12, 13, 16, 23, 24, 55)},
    **{f"changed {place}": changed(place) for place in (HEADER, HEADER + 777, -1)},
    **{f"cut {n}": cut(n) for n in (0, 1, HEADER - 1, HEADER, HEADER + 1, HEADER + 777, -1)},
    "longer": lambda file: file + b"\0",
    "foreign": lambda _: b"No entry at all, but long enough to be taken for one." * 9,
    "zeros": lambda file: bytes(len(file)),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_entry_is_not_there(kept: Path, damage: Callable[[bytes], bytes]) -> None:
    cache.put("a", "net", DATA)
    file = only_file(kept)
    file.write_bytes(damage(file.read_bytes()))
    assert cache.get("a", "net") is None
    assert not file.exists()
    cache.put("a", "net", DATA)
    assert found("a") == DATA


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo], ids=["folder", "pipe"])
def test_what_is_no_file_is_not_there(kept: Path, make: Callable[[Path], None]) -> None:
    cache.put("a", "net", DATA)
    file = only_file(kept)
    file.unlink()
    make(file)
    assert cache.get("a", "net") is None
    cache.put("a", "net", DATA)
    assert found("a") in (None, DATA)
    assert [entry.size for entry in entries()] in ([], [HEADER + len(DATA)])


def test_another_version_finds_nothing(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.put("a", "net", DATA)
    with monkeypatch.context() as other:
        other.setattr("aspgames._version.__version__", "0.0.0")
        cache._edition.cache_clear()
        assert cache.get("a", "net") is None
        cache.put("a", "net", b"another version's")
    cache._edition.cache_clear()
    assert found("a") == DATA
    assert len(list(kept.iterdir())) == 2


def test_a_changed_package_finds_nothing(tmp_path: Path) -> None:
    script = "import sys; from aspgames.runtime import cache; print(cache.get('a', 'net')); "
    script += "cache.put('a', 'net', b'1')"
    package = tmp_path / "aspgames"
    subprocess.run(["cp", "-r", str(Path(aspgames.__file__).parent), str(package)], check=True)
    environment = os.environ | {
        "ASPGAMES_CACHE": str(tmp_path / "kept"),
        "PYTHONPATH": str(tmp_path),
    }

    def ask() -> str:
        return python(script, cwd=tmp_path, environment=environment).out

    assert ask() == "None\n"
    assert ask().startswith("<memory")
    with (package / "game/explain/minimal_reasons.lp").open("a") as file:
        file.write("\n")
    assert ask() == "None\n"
    assert ask().startswith("<memory")
    os.utime(package / "game/game.py")
    assert ask() == "None\n"


def test_another_clingo_finds_nothing(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert cache._MAKERS == ("aspgames", "clingo")
    (tmp_path / "stand_in").mkdir()
    module = tmp_path / "stand_in" / "__init__.py"
    module.write_text("raise AssertionError('nobody asked for it')\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(cache, "_MAKERS", ("stand_in",))
    cache._edition.cache_clear()
    try:
        cache.put("a", "net", DATA)
        cache._edition.cache_clear()
        assert found("a") == DATA
        cache._edition.cache_clear()
        module.write_text("x = 1\n")
        assert cache.get("a", "net") is None
        cache._edition.cache_clear()
        monkeypatch.setattr(cache, "_MAKERS", ("there_is_none",))
        cache.put("a", "net", DATA)
        assert cache.get("a", "net") is None
    finally:
        cache._edition.cache_clear()
    assert len(list(kept.iterdir())) == 1


# --- room -----------------------------------------------------------------------------------------


def used_at(key: str, seconds: float) -> None:
    place = cache._place(key, "net")
    assert place
    os.utime(place[0], (seconds, seconds))


@pytest.fixture
def always_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound is checked after each new entry."""
    monkeypatch.setattr(cache, "_CHECK_ENTRIES", 1)


@pytest.mark.usefixtures("always_looks")
def test_what_was_not_used_for_longest_makes_room(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "MOST_BYTES", 3 * (HEADER + 100))
    for number, key in enumerate("abc"):
        cache.put(key, "net", key.encode() * 100)
        used_at(key, 1000 + number)
    assert found("a") == b"a" * 100  # this counts as a use
    cache.put("d", "net", b"d" * 100)
    assert {key: found(key) is not None for key in "abcd"} == {
        "a": True, "b": False, "c": True, "d": True,
    }  # fmt: skip
    assert sum(file.stat().st_size for file in kept.iterdir()) <= cache.MOST_BYTES
    cache.put("e", "net", b"e" * (3 * 100 + 2 * HEADER))
    assert [found(key) is not None for key in "abcde"] == [False] * 4 + [True]


def test_what_is_too_large_is_not_kept(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST_BYTES", 1000)
    cache.put("a", "net", b"1")
    cache.put("b", "net", bytes(1000 - HEADER + 1))
    assert (found("a"), found("b")) == (b"1", None)
    assert len(list(kept.iterdir())) == 1


@pytest.mark.usefixtures("always_looks")
def test_there_are_never_too_many_entries(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_upkeep, "_MOST_ENTRIES", 3)
    for number in range(10):
        cache.put(str(number), "net", b"")
        used_at(str(number), 1000 + number)
        assert len(list(kept.iterdir())) <= 3
    assert [key for key in map(str, range(10)) if found(key) is not None] == ["7", "8", "9"]


def test_all_are_looked_at_seldom_and_that_is_often_enough(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_upkeep, "_MOST_ENTRIES", 10)
    monkeypatch.setattr(cache, "_CHECK_ENTRIES", 20)
    looked = record_calls(monkeypatch, cache_upkeep, "_files")
    for number in range(200):
        cache.put(str(number), "net", b"")
        assert len(list(kept.iterdir())) <= 10 + 20
    assert 2 * 9 <= len(looked) <= 2 * 11  # for entries, and for unfinished files


def test_all_are_looked_at_sooner_where_entries_are_large(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "MOST_BYTES", 100_000)
    for number in range(100):
        cache.put(str(number), "net", bytes(10_000))
        assert len(list(kept.iterdir())) <= 10
    assert len(list(kept.iterdir())) == 9


def test_each_process_begins_at_a_place_of_its_own() -> None:
    script = "from aspgames.runtime import cache; print(cache._until_look)"
    begun = [python(script).out for _ in range(3)]
    assert len(set(begun)) == 3
    assert all(0 <= float(text) < 1 for text in begun)


@pytest.mark.usefixtures("always_looks")
def test_what_was_begun_and_never_ended_is_removed_in_time(kept: Path) -> None:
    cache.put("a", "net", b"1")
    begun = [kept / f".{only_file(kept).name}.{16 * digit}" for digit in "01"]
    for file in begun:
        file.write_bytes(b"half")
    os.utime(begun[0], (time.time() - 4000,) * 2)
    cache.put("b", "net", b"2")
    assert [file.exists() for file in begun] == [False, True]
    assert len(entries()) == 2
    clear()
    assert list(kept.iterdir()) == []


# --- entries that can't be kept -------------------------------------------------------------------


def test_off_is_off(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.put("a", "net", b"1")
    monkeypatch.setenv("ASPGAMES_CACHE", "off")
    monkeypatch.chdir(kept)
    assert cache.get("a", "net") is None
    cache.put("b", "net", b"2")
    assert (cache.folder(), entries(), clear()) == (None, [], 0)
    monkeypatch.setenv("ASPGAMES_CACHE", str(kept))
    assert (found("a"), found("b")) == (b"1", None)


def test_it_is_in_the_users_cache_directory_unless_it_is_moved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = platformdirs.user_cache_path("aspgames", appauthor=False)
    for nothing in (None, ""):
        if nothing is None:
            monkeypatch.delenv("ASPGAMES_CACHE")
        else:
            monkeypatch.setenv("ASPGAMES_CACHE", nothing)
        assert cache.folder() == usual
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASPGAMES_CACHE", "kept")
    cache.put("a", "net", b"1")
    assert cache.folder() == tmp_path / "kept"
    assert only_file(tmp_path / "kept").is_file()


def test_who_has_no_home_has_no_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("ASPGAMES_CACHE")
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda *_, **__: Path("~/.cache"))
    monkeypatch.chdir(tmp_path)
    cache._users_folder.cache_clear()
    try:
        cache.put("a", "net", b"1")
        assert (cache.folder(), cache.get("a", "net")) == (None, None)
    finally:
        cache._users_folder.cache_clear()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["file/kept", "file", "x" * 300, "file/../kept\n"])
def test_a_directory_that_cannot_be_made_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (tmp_path / "file").write_text("a file")
    monkeypatch.setenv("ASPGAMES_CACHE", str(tmp_path / name))
    cache.put("a", "net", DATA)
    assert found("a") in (None, DATA)
    clear()
    assert entries() == []
    assert (tmp_path / "file").read_text() == "a file"


def test_a_directory_that_vanishes_is_made_again(kept: Path) -> None:
    cache.put("a", "net", DATA)
    only_file(kept).unlink()
    kept.rmdir()
    assert cache.get("a", "net") is None
    assert entries() == []
    cache.put("a", "net", DATA)
    assert found("a") == DATA


@pytest.mark.parametrize(
    "function",
    [
        *("os.open", "os.fdopen", "os.scandir", "os.utime", "mmap.mmap"),
        *("pathlib.Path.mkdir", "pathlib.Path.replace", "pathlib.Path.unlink"),
    ],
)
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EMFILE])
def test_what_fails_costs_time_only(
    kept: Path, monkeypatch: pytest.MonkeyPatch, function: str, code: int
) -> None:
    def failing(*_: Any, **__: Any) -> None:
        raise OSError(code, os.strerror(code))

    cache.put("a", "net", DATA)
    with monkeypatch.context() as broken:
        broken.setattr(function, failing)
        assert found("a") in (None, DATA)
        cache.put("a", "net", b"other")
        cache.put("b", "net", b"new")
        assert found("b") in (None, b"new")
        entries()
        clear()
    assert found("a") in (None, DATA, b"other")
    if function != "pathlib.Path.unlink":
        assert not [file for file in kept.iterdir() if file.name.startswith(".")]


def test_a_full_disk_costs_time_only(kept: Path) -> None:
    cache.put("a", "net", bytes(500))
    with full_disk(1000):
        cache.put("a", "net", bytes(5000))
        cache.put("b", "net", bytes(5000))
        assert (found("a"), found("b")) == (bytes(500), None)
    assert only_file(kept).stat().st_size == HEADER + 500


def test_a_file_may_vanish_while_the_directory_is_looked_through(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for key in "abc":
        cache.put(key, "net", DATA)
    looked_through = os.scandir

    @contextmanager
    def vanishing(place: Path) -> Iterator[list[os.DirEntry[str]]]:
        with looked_through(place) as files:
            listed = list(files)
        for file in listed[:1]:
            Path(file.path).unlink(missing_ok=True)
        yield listed

    monkeypatch.setattr(os, "scandir", vanishing)
    assert len(entries()) == 2
    assert clear() <= 1
    cache.put("d", "net", DATA)
    assert len(list(kept.iterdir())) <= 2


# --- several processes ----------------------------------------------------------------------------

WRITER = """if True:
    import sys, time
    from aspgames.runtime import cache, cache_upkeep
    cache.MOST_BYTES, cache._CHECK_ENTRIES = 60_000, 1
    mine, end, seen = int(sys.argv[1]), time.monotonic() + 0.5, set()
    while time.monotonic() < end:
        for length in (9_000, 20_000, 31_000):
            cache.put(f"of {length} bytes", "net", bytes([mine]) * length)
            view = cache.get(f"of {length} bytes", "net")
            if view is not None:
                assert len(view) == length, len(view)
                (value,) = set(view)
                seen.add(value)
        if cache_upkeep.entries(cache.folder()) and mine == 1:
            cache_upkeep.clear(cache.folder())
    print(*seen)
"""


def test_several_processes_write_and_read_and_clear(kept: Path) -> None:
    started = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(number)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in (1, 2, 3)
    ]
    ended = [process.communicate(timeout=TIMEOUT) for process in started]
    assert [errors for _, errors in ended] == ["", "", ""]
    seen = [set(map(int, out.split())) for out, _ in ended]
    assert all(number in values for number, values in enumerate(seen, start=1))
    assert any(len(values) > 1 for values in seen), "nobody read what another one wrote"
    assert not [file for file in kept.iterdir() if file.name.startswith(".")]


def test_a_killed_process_leaves_entries_whole(kept: Path) -> None:
    cache.put("a", "net", DATA)

    def run(step: Callable[..., None]) -> None:
        at_each_line(step, cache._write)
        cache.put("a", "net", DATA[::-1])

    lines = 0
    while killed(lines, run):
        lines += 1
        assert found("a") in (DATA, DATA[::-1])
        cache.put("b", "net", DATA)
        assert found("b") == DATA
    assert lines > 5
    assert found("a") == DATA[::-1]
    assert len(entries()) == 2 < len(list(kept.iterdir()))
    clear()
    assert list(kept.iterdir()) == []


@pytest.mark.parametrize("number", [4, pytest.param(amount(25, 100), marks=pytest.mark.slow)])
def test_many_processes_make_one_net(kept: Path, number: int) -> None:
    words = [*PROGRAM, "perft", "breakthrough", "--depth", "3", "--reasoner", "propnet"]
    piped = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    started = [subprocess.Popen(words, **piped) for _ in range(number)]  # type: ignore[call-overload]
    said = {process.communicate(timeout=4 * TIMEOUT)[0] for process in started}
    assert said == {b"11132 nodes\n"}
    assert "net" in {entry.kind for entry in entries()}
    assert not [file for file in kept.iterdir() if file.name.startswith(".")]


# --- the verb -------------------------------------------------------------------------------------


def test_the_verb_shows_and_clears(call: Call, kept: Path) -> None:
    empty = check(call("cache", "--json").json, "cache")
    assert (empty["folder"], empty["entries"], empty["kinds"]) == (str(kept), 0, {})
    cache.put("a", "net", bytes(2_000_000))
    cache.put("b", "net", b"")
    cache.put("a", "rules", b"12")
    (kept / "mine.txt").write_text("not the cache's")
    full = check(call("cache", "--json").json, "cache")
    assert (full["entries"], full["removed"]) == (3, 0)
    assert full["bytes"] == 2_000_002 + 3 * HEADER
    assert full["kinds"] == {
        "net": {"entries": 2, "bytes": 2_000_000 + 2 * HEADER},
        "rules": {"entries": 1, "bytes": 2 + HEADER},
    }
    shown = call("cache").out.splitlines()
    assert shown == [
        f"{kept}: 3 entries, 2.00 MB of 1,074 at most",
        "  net: 2 entries, 2.00 MB",
        "  rules: 1 entry, 0.00 MB",
    ]
    cleared = check(call("cache", "--clear", "--json").json, "cache")
    assert cleared == empty | {"removed": 3}
    assert only_file(kept).name == "mine.txt"
    cache.put("a", "net", b"1")
    assert call("cache", "--clear").out.splitlines()[0] == "Removed: 1 entry"


def test_the_verb_says_that_there_is_no_cache(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASPGAMES_CACHE", "off")
    for option in ([], ["--clear"]):
        off = check(call("cache", "--json", *option).json, "cache")
        assert (off["folder"], off["entries"], off["removed"]) == (None, 0, 0)
        assert call("cache", *option).out.startswith("There is no cache")


def test_the_verb_says_that_it_cannot_clear(
    call: Call, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.put("a", "net", b"1")
    monkeypatch.setattr(cache_upkeep, "_removed", lambda _: False)
    assert_refused(call("cache", "--clear"), "1 entry of", kept.name, "can't be removed")


def test_no_verb_says_anything_of_a_cache_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("a file")
    for place in (tmp_path / "file", tmp_path / "file" / "kept"):
        result = run(
            "legal", "breakthrough", cwd=tmp_path, environment={"ASPGAMES_CACHE": str(place)}
        )
        assert (result.code, result.err) == (0, "")
        assert result.out.startswith("white to move, 22 legal moves")
