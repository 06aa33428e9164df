"""``solve --puzzles`` with workers: the same answers, also in interrupted and continued runs."""

import json
import signal
from pathlib import Path
from typing import Any

import pytest

import aspgames
from aspgames.runtime.workers.worker_pool import Workers
from cli_helpers import FILES, PUZZLE, Call, assert_refused, check, jsonl, strict_json
from hostile import DYING, FATAL_RULES, GROWS_FAST, HEAD
from workers_helpers import MANY, answers_in, begin, is_running, kept, lasting, wait_for, workers_of

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")

LONG = PUZZLE | {"position": "startpos"}
ASKED = ["solve", "--puzzles", "puzzles.jsonl", "--workers", "2"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "puzzles.jsonl").write_bytes(jsonl(*MANY))
    (tmp_path / "tictactoe.lp").write_bytes(FILES["tictactoe.lp"])
    return tmp_path


def test_answers_are_the_same_and_in_the_same_order(call: Call, folder: Path) -> None:
    own = {"game": "tictactoe.lp", "position": "startpos", "attacker": "xplayer", "goal": "win"}
    lines = jsonl(*MANY[:6], own, {"game": 3}) + b"no\n\n" + jsonl(PUZZLE | {"answer": {}})
    (folder / "puzzles.jsonl").write_bytes(lines)
    alone = call(*ASKED[:3])
    assert [len(alone.out.splitlines()), alone.code] == [10, 2]
    for asked in (ASKED, [*ASKED, "--resume", "kept"], [*ASKED, "--threads", "2"]):
        shared = call(*asked)
        assert answers_in(shared.out) == answers_in(alone.out)
        assert (shared.code, shared.err) == (alone.code, alone.err)
        for line in shared.out.splitlines():
            check_answer(strict_json(line))


def test_a_result_comes_as_soon_as_it_is_there(folder: Path) -> None:
    """A user who sends line by line would otherwise wait forever."""
    with begin("solve", "--puzzles", "-", "--workers", "2", cwd=folder) as process:
        assert process.stdin
        assert process.stdout
        for _ in range(3):
            process.stdin.write(jsonl(PUZZLE))
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["verdict"] == "forced"
        process.stdin.close()
        assert process.wait() == 0


def test_ctrl_c_while_a_puzzle_is_waited_for(folder: Path) -> None:
    with begin("solve", "--puzzles", "-", "--workers", "1", cwd=folder) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(jsonl(PUZZLE))
        process.stdin.flush()
        assert process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
        assert process.stderr
        assert process.stderr.read() == b"aspgames: interrupted\n"


@pytest.mark.slow
def test_a_puzzle_that_never_ends_or_kills_costs_no_other_one_anything(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", DYING["PYTHONPATH"])
    (folder / "endless.lp").write_text(HEAD + GROWS_FAST)
    (folder / "fatal.lp").write_text(HEAD + FATAL_RULES)
    start = PUZZLE | {"position": "startpos", "attacker": "a"}
    own = [start | {"game": str(folder / name)} for name in ("endless.lp", "fatal.lp")]
    with Workers(2, most_bytes=200 << 20) as workers:
        found = aspgames.solve_puzzles([PUZZLE, *own, PUZZLE], executor=workers)
        first, endless, fatal, last = (check_answer(answer) for answer in found)
    assert lasting(first) == lasting(last)
    assert first["verdict"] == "forced"
    assert endless["kind"] == "limit"
    assert "within 200 MiB of memory (endless.lp:2: p/1 may grow" in endless["error"]
    assert fatal["kind"] == "bad_rules"
    assert "clingo didn't survive it" in fatal["error"]


def check_answer(answer: dict[str, Any]) -> dict[str, Any]:
    check(answer, "error" if "error" in answer else "solution")
    return answer


def test_a_search_that_does_not_heed_its_limit_is_undecided(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "aspgames.runtime.watchdog.LATE", -9.9
    )  # seconds: interrupted before it ends by itself
    with Workers(1) as workers:
        (answer,) = aspgames.solve_puzzles([LONG], executor=workers, seconds=10)
    assert check(answer, "solution")["verdict"] == "unknown"


@pytest.mark.parametrize(
    ("number", "output"),
    [
        (signal.SIGKILL, True),
        pytest.param(signal.SIGINT, False, marks=pytest.mark.slow),
        pytest.param(signal.SIGTERM, True, marks=pytest.mark.slow),
    ],
)
def test_a_run_that_was_ended_is_gone_on_with(
    call: Call, folder: Path, number: signal.Signals, output: bool
) -> None:
    (folder / "puzzles.jsonl").write_bytes(jsonl(*MANY, LONG, LONG, *MANY[:2]))
    asked = [*ASKED, "--resume", "kept", *(["--output", "results"] if output else [])]
    with begin(*asked, "--time", "1000", cwd=folder) as process:
        wait_for(lambda: len(kept(folder / "kept")) >= len(MANY), "results")
        workers = workers_of(process.pid)
        process.send_signal(number)
        out, err = process.communicate()
    assert process.returncode == (130 if number == signal.SIGINT else -number)
    assert err == (b"" if number == signal.SIGKILL else b"aspgames: interrupted\n")
    assert len(workers) == 2
    wait_for(lambda: not any(map(is_running, workers)), "the end of the workers")
    done = out if not output else (folder / "results").read_bytes()
    assert len(answers_in(done)) <= len(MANY)
    before = kept(folder / "kept")
    # Another time limit must not make other tasks.
    (folder / "puzzles.jsonl").write_bytes(jsonl(*MANY))
    again = call(*asked, "--time", "1000")
    told = again.out if not output else (folder / "results").read_text()
    assert answers_in(told) == answers_in(call(*ASKED[:3]).out)
    assert kept(folder / "kept") == before, "a puzzle was solved twice"
    assert len(set(before)) == len(before)


@pytest.mark.quick(1)
@pytest.mark.parametrize("option", ["--resume", "--output"])
def test_a_disk_that_is_full(call: Call, folder: Path, option: str) -> None:
    asked = [*ASKED, option, "file"]
    with begin(*asked, cwd=folder, most_blocks=4) as process:
        err = process.communicate()[1]
    assert process.returncode == 2
    assert err.startswith(b"aspgames: ")
    said = "File too large" if option == "--output" else "the disk is full or fails, or files may"
    assert f"can't be written: {said}".encode() in err
    assert err.count(b"\n") == 1
    if option == "--output":
        assert_refused(call(*asked), "file exists already")
        (folder / "file").unlink()
    again = call(*asked)
    assert again.code == 0
    told = again.out if option == "--resume" else (folder / "file").read_text()
    assert answers_in(told) == answers_in(call(*ASKED[:3]).out)


def test_rules_that_changed_are_asked_anew(call: Call, folder: Path) -> None:
    own = {"game": "tictactoe.lp", "position": "startpos", "attacker": "xplayer", "goal": "win"}
    (folder / "puzzles.jsonl").write_bytes(jsonl(own))
    asked = [*ASKED, "--resume", "kept"]
    assert answers_in(call(*asked).out)[0]["verdict"] == "not_forced"
    rules = (folder / "tictactoe.lp").read_text()
    (folder / "tictactoe.lp").write_text(rules.replace("line(M) :-", "line(M) :- open,", 0))
    call(*asked)
    assert len(kept(folder / "kept")) == 1
    (folder / "tictactoe.lp").write_text(rules + "line(M) :- mark(_,M), true(cell(2,2,M)).\n")
    assert answers_in(call(*asked).out)[0]["verdict"] == "forced"
    assert len(kept(folder / "kept")) == 2


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--workers", "0"], "workers must be a whole number from 1"),
        (["--workers", "2", "--dask", "x:1"], "--workers and --dask don't go together"),
        (["--resume", "puzzles.jsonl"], "puzzles.jsonl is no file of kept results"),
        (["--resume", "nowhere/kept"], "can't be opened"),
    ],
)
def test_what_cannot_be_is_refused(call: Call, options: list[str], words: str) -> None:
    assert_refused(call(*ASKED[:3], *options), words)


def test_in_python_puzzles_are_objects_or_lines() -> None:
    asked: list[Any] = [PUZZLE, json.dumps(PUZZLE), json.dumps(PUZZLE).encode(), {"game": "no"}]
    found = list(aspgames.solve_puzzles(asked, first=True))
    assert [answer.get("verdict") for answer in found] == ["forced"] * 3 + [None]
    with Workers(2) as workers:
        again = list(aspgames.solve_puzzles(asked, first=True, executor=workers))
        told: list[str] = []
        list(aspgames.solve_puzzles(asked, executor=workers, progress=told.append))
    assert list(map(lasting, again)) == list(map(lasting, found))
    assert told[-1].startswith("4 puzzles, ")
    with pytest.raises(aspgames.BadRequest, match="JSON object"):
        list(aspgames.solve_puzzles([{1, 2}]))  # type: ignore[list-item]
    with pytest.raises(aspgames.BadRequest, match="limit on time"):
        aspgames.solve_puzzles([PUZZLE], seconds=0)
