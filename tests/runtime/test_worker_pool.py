"""Work in several processes: the same results in the same order, whatever happens to a process."""

import concurrent.futures
import os
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import tasks
from aspgames.runtime.budget import Budget
from aspgames.runtime.errors import BadRequest, OutOfTime
from aspgames.runtime.workers.journal import Journal
from aspgames.runtime.workers.task_runner import Progress, TaskRunner
from aspgames.runtime.workers.worker_pool import Workers
from workers_helpers import is_running, wait_for

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="nobody watches there")


# --- executors ------------------------------------------------------------------------------------


@pytest.fixture(params=["here", "threads", "workers"])
def executor(request: pytest.FixtureRequest) -> Iterator[concurrent.futures.Executor | None]:
    if request.param == "here":
        yield None
    elif request.param == "threads":
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            yield pool
    else:
        with Workers(3) as workers:
            yield workers


def test_results_come_in_order_each_once(executor: concurrent.futures.Executor | None) -> None:
    runner = TaskRunner(executor, progress=Progress("numbers", 20))
    assert [future.result() for future in runner.map(tasks.late, range(20))] == list(range(20))
    assert runner.progress
    assert runner.progress.done == 20


def test_a_task_that_is_refused_is_one_of_many(
    executor: concurrent.futures.Executor | None, tmp_path: Path
) -> None:
    found = list(TaskRunner(executor).map(tasks.refuses, [(str(tmp_path), n) for n in range(6)]))
    assert [n for n, future in enumerate(found) if future.exception()] == [3]
    assert repr(found[3].exception()) == "BadPosition('three is too many')"


def test_what_is_wrong_with_the_tasks_themselves_ends_it() -> None:
    def some() -> Iterator[int]:
        yield 1
        raise KeyError("no more")

    with Workers(2) as workers:
        found = TaskRunner(workers).map(tasks.late, some())
        with pytest.raises(KeyError, match="no more"):
            list(found)


def test_tasks_are_not_taken_long_before_their_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aspgames.runtime.workers.task_runner._TASKS_AHEAD", 5)
    taken = []

    def some() -> Iterator[int]:
        for number in range(100):
            taken.append(number)
            yield number

    with Workers(2) as workers:
        found = TaskRunner(workers).map(tasks.late, some())
        for number in range(20):
            assert next(found).result() == number
            assert len(taken) <= number + 7
        found.close()  # type: ignore[attr-defined]


def test_time_that_is_over_ends_it() -> None:
    with pytest.raises(OutOfTime), Workers(1) as workers:
        list(TaskRunner(workers, budget=Budget(0.2)).map(time.sleep, [1000.0]))


def test_a_user_s_function_is_found_and_what_it_prints_is_no_answer(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with Workers(1) as workers:
        assert workers.submit(tasks.prints, "=hello").result() == "=hello"
    assert capfd.readouterr() == ("", "=hello\nfrom another process\n")


def test_large_tasks_and_results() -> None:
    with Workers(2) as workers:
        assert workers.submit(len, bytes(10_000_000)).result() == 10_000_000
        assert workers.submit(bytes, 10_000_000).result() == bytes(10_000_000)


@pytest.mark.parametrize("number", [0, -1, 1025, 1.5, True, "2"])
def test_a_number_of_workers_that_cannot_be(number: Any) -> None:
    with pytest.raises(BadRequest, match="workers must be a whole number"):
        Workers(number)


# --- faults ---------------------------------------------------------------------------------------

FAULTS: dict[str, tuple[Callable[..., int], str, int]] = {
    "killed each time": (tasks.dies, r"LimitReached\('the work was ended from elsewhere", 3),
    "crashes": (tasks.crashes, r"RulesError\(\"clingo didn't survive it \(SIGFPE\)", 1),
    "takes all memory": (tasks.grows, r"LimitReached\('no answer within 300 MiB", 1),
    "takes too long": (tasks.takes_long, r"OutOfTime\('no answer within 0.1 seconds'", 1),
}
"""The task, its error, and the number of attempts."""


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_costs_no_other_task_anything(tmp_path: Path, fault: str) -> None:
    function, said, attempts = FAULTS[fault]
    asked = [(str(tmp_path), number) for number in range(12)]
    with Workers(2, most_bytes=300 << 20) as workers:
        found = list(TaskRunner(workers).map(function, asked))
    assert [n for n, future in enumerate(found) if future.exception() is None] == [
        number for number in range(12) if number != 3
    ]
    pids = (tmp_path / "3").read_text().split()
    assert len(set(pids)) == attempts
    assert re.match(said, repr(found[3].exception()))
    for number in (*range(3), *range(4, 12)):
        assert len((tmp_path / str(number)).read_text().splitlines()) == 1, "done twice"


def test_a_task_whose_process_is_killed_is_done_again(tmp_path: Path) -> None:
    asked = [(str(tmp_path), number) for number in range(12)]
    with Workers(2) as workers:
        found = [f.result() for f in TaskRunner(workers).map(tasks.dies_at_first, asked)]
    assert found == list(range(12))
    attempts = {n: len((tmp_path / str(n)).read_text().splitlines()) for n in range(12)}
    assert attempts == {n: 2 if n == 3 else 1 for n in range(12)}


def test_nothing_is_left_running(tmp_path: Path) -> None:
    def leave_early() -> None:
        with Workers(2) as workers:
            for future in [workers.submit(tasks.noted, (str(tmp_path), n)) for n in range(2)]:
                future.result()
            for _ in range(5):
                workers.submit(time.sleep, 1000)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        leave_early()
    pids = [int((tmp_path / str(n)).read_text()) for n in range(2)]
    assert not any(is_running(pid) for pid in pids)


def test_what_a_task_has_started_ends_with_it(tmp_path: Path) -> None:
    with Workers(1) as workers:
        assert workers.submit(tasks.starts_another, str(tmp_path)).exception()
    started = [int(file.name) for file in tmp_path.iterdir()]
    assert len(started) == 3
    wait_for(lambda: not any(map(is_running, started)), "their end")


# --- kept results ---------------------------------------------------------------------------------


def test_what_is_kept_is_not_done_again(
    executor: concurrent.futures.Executor | None, tmp_path: Path
) -> None:
    asked = [(str(tmp_path), number) for number in range(10)]
    for wanted in (asked[2:7], asked):
        with Journal(tmp_path / "kept") as journal:
            progress = Progress("numbers", len(wanted))
            found = TaskRunner(executor, journal, progress).map(tasks.noted, wanted)
            assert [future.result() for future in found] == [number for _, number in wanted]
            assert (progress.done, len(journal)) == (len(wanted), len(wanted))
    assert all(len((tmp_path / str(n)).read_text().splitlines()) == 1 for n in range(10))


def test_what_failed_is_tried_again(tmp_path: Path) -> None:
    asked = [(str(tmp_path), number) for number in range(5)]
    for _ in range(2):
        with Journal(tmp_path / "kept") as journal:
            assert [
                f.exception() is None for f in TaskRunner(None, journal).map(tasks.refuses, asked)
            ] == [True, True, True, False, True]
    assert [len((tmp_path / str(n)).read_text().splitlines()) for n in range(5)] == [1, 1, 1, 2, 1]


# --- progress -------------------------------------------------------------------------------------


def test_progress_is_told_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    progress = Progress("puzzles", 10_000)
    assert str(progress) == "0 of 10,000 puzzles"
    progress.count(1000, before=True)
    clock[0] += 10
    progress.count(200)
    assert str(progress) == "1,200 of 10,000 puzzles, 20 a second, 7:20 left"
    clock[0] += 990
    assert str(progress) == "1,200 of 10,000 puzzles, 0.2 a second, 12:13:20 left"
    assert str(Progress("games")) == "0 games"
