"""Work on a Dask cluster: a real scheduler and workers, and all their failures."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future
from pathlib import Path
from typing import Any

import pytest

import aspgames
import tasks
from aspgames import Cluster
from aspgames.play.perft import perft
from aspgames.runtime.budget import Budget
from aspgames.runtime.errors import BadRequest, ExecutorFailed, LimitReached, OutOfTime
from aspgames.runtime.workers.task_runner import TaskRunner
from cli_helpers import DOCS, FILES, PUZZLE, TIMEOUT, jsonl, run
from paths import SUPPORT
from workers_helpers import (
    MANY,
    answers_in,
    begin,
    descendants,
    is_running,
    kept,
    lasting,
    wait_for,
    workers_of,
)

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")

LONG = PUZZLE | {"position": "startpos"}
CERTIFICATE = str(DOCS.parent / "examples/puzzles/breakthrough_3x4.certificate.json")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The scheduler of a cluster with two processes."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
    ) as cluster:
        yield cluster.scheduler_address


@pytest.fixture(scope="module")
def cluster(address: str) -> Iterator[Cluster]:
    with Cluster(address) as found:
        yield found


class OwnCluster:
    """A scheduler and a worker that a test may kill."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{port}"
        self._folder = folder
        host = ["--host", "127.0.0.1", "--no-dashboard"]
        self.scheduler = self._run("dask_scheduler", *host, "--port", str(port))
        two = ["--nworkers", "2", "--nthreads", "1"]
        self.worker = self._run("dask_worker", self.address, *host, *two)

    def wait(self) -> None:
        with distributed.Client(self.address, timeout=TIMEOUT) as client:
            client.wait_for_workers(2, timeout=TIMEOUT)

    def _run(self, program: str, *words: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{program}", *words],
            cwd=self._folder,
            env=os.environ | {"PYTHONPATH": str(SUPPORT)},  # for the tasks
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def end(self) -> None:
        left = [*descendants(self.worker.pid), *descendants(self.scheduler.pid)]
        for process in (self.worker, self.scheduler):
            process.kill()
            process.wait()
        wait_for(lambda: not any(map(is_running, left)), "the end of the cluster")


@pytest.fixture
def own(tmp_path: Path) -> Iterator[OwnCluster]:
    found = OwnCluster(tmp_path)
    try:
        found.wait()
        yield found
    finally:
        found.end()


# --- the same results -----------------------------------------------------------------------------


def test_results_come_in_order_each_once(cluster: Cluster) -> None:
    found = [future.result() for future in TaskRunner(cluster).map(tasks.late, range(40))]
    assert found == list(range(40))


def test_many_short_tasks_are_done_each_once(cluster: Cluster) -> None:
    assert list(cluster.map(abs, range(-3000, 0))) == list(range(3000, 0, -1))
    wait_for(lambda: len(cluster._client.futures) < 20, "results to be given back")


@pytest.mark.slow
def test_a_long_task_holds_up_no_other(cluster: Cluster) -> None:
    """Neither earlier tasks of its batch, nor later ones."""
    assert list(cluster.map(abs, range(2000))) == list(range(2000)), "batches are large now"
    # Only one of the two processes may be busy for long: with both, earlier tasks may wait, too.
    seconds = [0.001] * 400
    seconds[100] = 5 * TIMEOUT
    found = [cluster.submit(time.sleep, each) for each in seconds]
    assert [future.result() for future in found[:100] + found[101:]] == [None] * 399
    assert not found[100].done()
    cluster.give_up(found[100])


def test_one_of_several_is_given_up(cluster: Cluster) -> None:
    found = [cluster.submit(tasks.late, number) for number in range(30)]
    cluster.give_up(found[20])
    for number, future in enumerate(found):
        if number == 20:
            assert isinstance(future.exception(), (CancelledError, type(None)))
        else:
            assert future.result() == number


def test_counts_and_puzzles_are_the_same(cluster: Cluster, tmp_path: Path) -> None:
    state = aspgames.load("breakthrough", width=4, height=5).initial
    assert perft(state, 4, executor=cluster) == perft(state, 4)
    (tmp_path / "own.lp").write_bytes(FILES["tictactoe.lp"])
    own = {"game": str(tmp_path / "own.lp"), "position": "startpos", "goal": "win"}
    asked: list[dict[str, Any]] = [PUZZLE, own | {"attacker": "xplayer"}, {"game": 3}]
    alone = list(aspgames.solve_puzzles(asked))
    assert alone[1]["verdict"] == "not_forced"
    shared = aspgames.solve_puzzles(asked, executor=cluster)
    assert list(map(lasting, shared)) == list(map(lasting, alone))


def test_rules_go_with_the_task(cluster: Cluster, tmp_path: Path) -> None:
    """The file is missing where the work is done."""
    path = tmp_path / "own.lp"
    path.write_bytes(FILES["tictactoe.lp"])
    state = aspgames.load(path).initial
    wanted = perft(state, 4)
    path.unlink()
    assert perft(state, 4, executor=cluster) == wanted


@pytest.mark.slow
def test_the_command_line_has_the_same_answers(address: str, tmp_path: Path) -> None:
    (tmp_path / "puzzles.jsonl").write_bytes(jsonl(*MANY[:8], {"game": 3}))
    for words in (
        ["solve", "--puzzles", "puzzles.jsonl"],
        ["perft", "breakthrough", "--depth", "3", "--divide"],
        ["verify", CERTIFICATE, "missing"],
    ):
        alone = run(*words, cwd=tmp_path)
        shared = run(*words, "--dask", address, cwd=tmp_path)
        assert (shared.code, shared.err) == (alone.code, alone.err)
        if words[0] == "solve":
            assert answers_in(shared.out) == answers_in(alone.out)
        else:
            assert re.sub(r"\d\.\d s", "", shared.out) == re.sub(r"\d\.\d s", "", alone.out)


# --- faults ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_fault_in_a_task_costs_no_other_one_anything(cluster: Cluster, tmp_path: Path) -> None:
    for function, error in (
        (tasks.dies, LimitReached),
        (tasks.takes_long, OutOfTime),
        (tasks.refuses, aspgames.BadPosition),
    ):
        asked = [(str(tmp_path), number) for number in range(6)]
        found = list(TaskRunner(cluster).map(function, asked))
        assert [number for number, future in enumerate(found) if future.exception()] == [3]
        assert type(found[3].exception()) is error


@pytest.mark.slow
def test_a_task_over_its_memory_is_ended(address: str, tmp_path: Path) -> None:
    with Cluster(address) as cluster:
        assert cluster.submit(tasks.late, 1).result() == 1
    with (
        Cluster(address, most_bytes=300 << 20) as cluster,
        pytest.raises(LimitReached, match=r"no answer within 300 MiB of memory"),
    ):
        cluster.submit(tasks.grows, (str(tmp_path), 3)).result()


@pytest.mark.slow
def test_what_is_given_up_is_ended(cluster: Cluster) -> None:
    state = aspgames.load("breakthrough").initial
    with pytest.raises(OutOfTime):
        perft(state, 30, executor=cluster, budget=Budget(0.5))
    assert perft(state, 3, executor=cluster) == perft(state, 3), "the workers are free again"


@pytest.mark.slow
def test_what_is_given_up_on_its_way_is_ended(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    submit, known, sent = cluster._executor.submit, threading.Event(), list[Any]()

    def slow_submit(*arguments: Any, **named: Any) -> Any:
        known.wait()
        sent.append(submit(*arguments, **named))
        cluster.give_up(task)
        return sent[0]

    monkeypatch.setattr(cluster._executor, "submit", slow_submit)
    task = cluster.submit(time.sleep, 1000)
    known.set()
    with pytest.raises(CancelledError):
        task.result(10)
    wait_for(lambda: sent[0].cancelled(), "the end of the batch")


@pytest.mark.parametrize("times", [1, 9])
def test_an_error_of_dask_is_told_when_it_comes_again(
    address: str, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    real, errors = distributed.cfexecutor.ClientExecutor.submit, iter(range(times))

    def submit(*args: Any, **kwargs: Any) -> Future[Any]:
        asked: Future[Any] = Future()
        if next(errors, None) is None:
            return real(*args, **kwargs)  # type: ignore[no-any-return]
        asked.set_exception(ValueError("not enough values to unpack (expected 3, got 2)"))
        return asked

    monkeypatch.setattr("distributed.cfexecutor.ClientExecutor.submit", submit)
    with Cluster(address) as cluster:
        task = cluster.submit(pow, 2, 3)
        if times == 1:
            assert task.result(TIMEOUT) == 8
        else:
            with pytest.raises(ExecutorFailed, match="expected 3, got 2"):
                task.result(TIMEOUT)


@pytest.mark.slow
def test_a_worker_of_the_cluster_is_killed_in_the_middle(own: OwnCluster, tmp_path: Path) -> None:
    asked = [(str(tmp_path), number) for number in range(150)]
    with Cluster(own.address) as cluster:
        found = TaskRunner(cluster).map(tasks.noted, asked)
        next(found)
        workers = [pid for pid in descendants(own.worker.pid) if workers_of(pid)]
        os.kill(workers[-1], signal.SIGKILL)
        assert [future.result() for future in found] == list(range(1, 150))
    assert sorted(int(file.name) for file in tmp_path.glob("[0-9]*")) == list(range(150))


@pytest.mark.sample(2)
@pytest.mark.slow
@pytest.mark.parametrize("number", [None, signal.SIGKILL, signal.SIGINT])
def test_the_scheduler_or_the_client_is_killed_and_the_run_gone_on_with(
    own: OwnCluster, tmp_path: Path, number: signal.Signals | None
) -> None:
    (tmp_path / "puzzles.jsonl").write_bytes(jsonl(*MANY, LONG))
    asked = ["solve", "--puzzles", "puzzles.jsonl", "--time", "1000", "--resume", "kept"]
    with begin(*asked, "--dask", own.address, cwd=tmp_path) as process:
        wait_for(lambda: len(kept(tmp_path / "kept")) >= len(MANY), "results")
        if number:
            process.send_signal(number)
        else:
            own.scheduler.kill()
        out, err = process.communicate()
    gone = f"aspgames: the Dask scheduler at {own.address} is gone\n"
    assert (process.returncode, err.decode()) == {
        None: (4, gone),
        signal.SIGKILL: (-signal.SIGKILL, ""),
        signal.SIGINT: (130, "aspgames: interrupted\n"),
    }[number]
    assert len(answers_in(out)) == len(MANY)
    # A cluster that still runs does nothing for a client that has left.
    goes_on(tmp_path, [*asked, *(["--dask", own.address] if number else [])])


def goes_on(folder: Path, asked: list[str]) -> None:
    """The run continues with its kept results, and computes nothing again."""
    before = kept(folder / "kept")
    assert len(before) == len(set(before)) == len(MANY)
    (folder / "puzzles.jsonl").write_bytes(jsonl(*MANY))
    again = run(*asked, cwd=folder)
    assert (again.code, again.err) == (0, "")
    assert answers_in(again.out) == answers_in(run(*asked[:3], cwd=folder).out)
    assert kept(folder / "kept") == before


# --- errors ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["nonsense", "", "tcp://127.0.0.1:1", "no://127.0.0.1:1"])
def test_an_address_without_a_scheduler(address: str) -> None:
    with pytest.raises(BadRequest, match="no Dask scheduler answers"):
        Cluster(address)


def test_another_version_of_aspgames_is_told(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("aspgames.runtime.workers.dask_cluster.__version__", "0.0")
    with pytest.raises(ExecutorFailed, match=r"the Dask cluster has aspgames \S+, not 0\.0"):
        cluster.submit(tasks.late, 1).result()


def test_without_the_package_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(BadRequest, match=r'pip install "aspgames\[cluster\]"'):
        Cluster("tcp://127.0.0.1:1")


@pytest.mark.slow
def test_work_waits_for_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aspgames.runtime.workers.dask_cluster._COUNT_SECONDS", 0.05)
    monkeypatch.setattr("aspgames.runtime.workers.dask_cluster._WARNING_AFTER", 0.2)
    told: list[str] = []
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address=":0") as empty,
        Cluster(empty.scheduler_address, warn=told.append) as cluster,
    ):
        time.sleep(0.5)
        assert not told, "there is nothing to do"
        future = cluster.submit(tasks.late, 7)
        wait_for(lambda: told, "a warning")
        assert not future.done()
        empty.scale(1)
        assert future.result() == 7
        time.sleep(0.5)
    address = empty.scheduler_address
    assert told == [f"the Dask cluster at {address} has no worker: it is waited for"]


@pytest.mark.slow
def test_it_is_said_on_the_command_line_that_there_is_no_worker(tmp_path: Path) -> None:
    with distributed.LocalCluster(n_workers=0, dashboard_address=":0") as empty:
        words = ["perft", "breakthrough", "--depth", "3", "--time", "15"]
        found = run(*words, "--dask", empty.scheduler_address, cwd=tmp_path)
    assert (found.code, found.out) == (3, "")
    waits, over = found.err.splitlines()
    assert waits.endswith("has no worker: it is waited for")
    assert over == "aspgames: no answer within 15 seconds"


@pytest.mark.slow
def test_one_hard_puzzle(address: str, tmp_path: Path) -> None:
    """The cluster does its jobs."""
    board = ["breakthrough", "startpos", "-c", "width=3", "-c", "height=5", "--goal", "win"]
    asked = ["solve", *board, "--attacker", "black", "--dask", address, "--resume", "kept"]
    found = run(*asked, "--certificate", "proof.json", cwd=tmp_path)
    assert (found.code, found.err) == (0, "")
    assert "black can win in 9 turns." in found.out
    assert len(kept(tmp_path / "kept")) > 5
    assert (tmp_path / "proof.json").exists()
    with Cluster(address) as cluster:
        assert cluster.number == 2
