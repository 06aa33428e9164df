"""A Dask cluster as an executor: a client of a scheduler that somebody else has started.

Each thread of each of the cluster's workers does one task at a time, in a process of its own (see
``worker.py``), so limits and faults are the same as with processes of this machine.
"""

from __future__ import annotations

import math
import pickle
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent import futures
from concurrent.futures import CancelledError, Executor, Future, InvalidStateError
from contextlib import suppress
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any, TypeVar
from uuid import uuid4

from ..._version import __version__
from ..arguments import check_text
from ..errors import BadRequest, ExecutorFailed, LimitReached, one_line
from ..optional_imports import optional_package
from ..process_messages import machine_bytes
from .task_batches import MOMENT, Batches, Task
from .worker import Worker

T = TypeVar("T")

_GOODBYE = 0.5  # seconds that leaving may take
_PATIENCE = 10.0  # seconds in which the scheduler must answer
_SHARE = 0.75  # of a worker's memory, for its tasks

_COUNTED = 1.0  # seconds from one count of the cluster's workers to the next
_LONELY = 3.0  # seconds without a worker until that is told

_own = threading.local()
"""A worker's process, one for each of its threads."""


class Cluster(Executor):
    """The workers of an existing Dask cluster, for whatever takes an ``executor``.

    Short tasks are given out several at a time. When a worker is lost, others do its tasks; a task
    of which too many died has a ``LimitReached`` in its future. When the scheduler is lost, all
    futures have an ``ExecutorFailed``.
    """

    def __init__(
        self,
        address: str,
        *,
        most_bytes: float | None = None,
        warn: Callable[[str], None] = lambda _text: None,
    ) -> None:
        """``address`` is the scheduler's, such as ``tcp://host:8786``; ``most_bytes`` is the memory
        for each task, else a worker's is shared among its threads. ``warn`` is told, in another
        thread, if there is nobody who could do the work.

        Raises ``BadRequest`` if nobody answers there, or with another version of aspgames.
        """
        check_text(address, "a scheduler's address", BadRequest)
        distributed = optional_package("distributed", "work on a Dask cluster", "aspgames[cluster]")
        self._address, self._most_bytes, self._warn = address, most_bytes, warn
        self._batches = Batches()
        self._open: set[Future[Any]] = set()
        """Our futures that aren't done."""
        self._under_way: dict[Future[Any], tuple[Sequence[Task], Any]] = {}
        """For each of ours the tasks that were given out with it, and Dask's future for those."""
        self._done: SimpleQueue[tuple[list[Task], Any] | None] = SimpleQueue()
        """Batches and Dask's futures, as they are done; None at the end."""
        self._held_up: dict[str, list[Task]] = {}
        """Batches under way, by Dask's keys."""
        self._topic = f"aspgames-{uuid4()}"
        self._gone = False
        self._number, self._counted = 0, -math.inf
        try:
            _knock(distributed, address)
            self._client = distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
        except (OSError, ValueError, TypeError, ImportError) as error:
            reason = one_line(str(error))
            raise BadRequest(f"no Dask scheduler answers at {address!r}: {reason}") from None
        self._client.subscribe_topic(self._topic, self._hear)
        for work in (self._give_out, self._collect):
            threading.Thread(target=work, daemon=True).start()

    @property
    def number(self) -> int:
        """How many tasks the cluster does at once, as it was a moment ago; one at least."""
        if time.monotonic() > self._counted + _COUNTED:
            with suppress(Exception):  # of many kinds, if the connection is lost
                self._number = sum(self._client.nthreads().values())
            self._counted = time.monotonic()
        return max(1, self._number)

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """See ``concurrent.futures.Executor.submit``."""
        task = Task(pickle.dumps((fn, args, kwargs)))
        task.future.set_running_or_notify_cancel()
        self._open.add(task.future)
        task.future.add_done_callback(self._forget)
        if self._gone:  # asked only now: from here on, who notices it settles this future, too
            _settle(task.future, False, self._lost())
        self._batches.add(task)
        return task.future

    def give_up(self, future: Future[Any]) -> None:
        """Let a future have a ``CancelledError``, unless it is done.

        What is done for it is ended with that for the others it was given out with.
        """
        batch, asked = self._under_way.get(future, ((), None))
        _settle(future, False, CancelledError())
        if (
            asked is not None
            and self._client.status == "running"  # else it would be waited for
            and all(task.future.done() for task in batch)
        ):
            asked.cancel(force=True)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster, when all is done unless it isn't waited for; then that is given up."""
        if wait and not cancel_futures:
            futures.wait(list(self._open))
        self._batches.close()
        for future in list(self._open):
            self.give_up(future)
        with suppress(TimeoutError):
            self._client.close(timeout=_GOODBYE)
        self._done.put(None)

    def _forget(self, future: Future[Any]) -> None:
        """Keep nothing of what is done: Dask keeps a result as long as somebody has its future."""
        self._open.discard(future)
        self._under_way.pop(future, None)

    def _give_out(self) -> None:
        """Give batches to the cluster, as long as it has room for more."""
        lonely = time.monotonic()
        while (batches := self._batches.next(self.number, _COUNTED)) is not None:
            now = time.monotonic()
            if self._number or not self._open:
                lonely = now
            elif now - lonely >= _LONELY:
                self._warn(f"the Dask cluster at {self._address} has no worker: it is waited for")
                lonely = math.inf
            if not batches:
                continue
            work = [pickle.dumps([task.work for task in batch]) for batch in batches]
            try:
                asked = self._client.map(
                    _do,
                    work,
                    version=__version__,
                    most_bytes=self._most_bytes,
                    topic=self._topic,
                    priority=-batches[0][0].number,  # what came back goes first
                    pure=False,
                )
            except Exception:  # of many kinds, if the connection is lost
                self._fail()
                return
            for batch, future in zip(batches, asked, strict=True):
                self._held_up[future.key] = batch
                for task in batch:
                    if not task.future.done():
                        self._under_way[task.future] = batch, future
                future.add_done_callback(lambda done, batch=batch: self._done.put((batch, done)))

    def _collect(self) -> None:
        """Hand on what became of tasks, of all at a time that are done: each look has its price."""
        while (done := self._done.get()) is not None:
            came = [done]
            with suppress(Empty):
                while (more := self._done.get_nowait()) is not None:
                    came.append(more)
                self._done.put(None)  # that was the end: it is for the next turn
            whole = [(batch, asked) for batch, asked in came if asked.status == "finished"]
            try:
                found = self._client.gather([asked for _, asked in whole]) if whole else []
            except Exception:  # one of them is lost: each by itself
                whole, found = [], []
            for _, asked in came:
                self._held_up.pop(asked.key, None)
            for (batch, _), answers in zip(whole, found, strict=True):
                self._take(batch, *answers)
            for batch, asked in came:
                if not any(batch is each for each, _ in whole):
                    self._take_one(batch, asked)

    def _hear(self, event: tuple[float, Mapping[str, Any]]) -> None:
        """A batch is held up by one of its tasks: take what is there, and the rest back."""
        key, answers = event[1]["key"], event[1]["answers"]
        batch = self._held_up.pop(key, None)
        if batch is not None:
            left = batch[len(answers) + 1 :]
            del batch[len(answers) + 1 :]
            self._batches.back(left)
            for task, answer in zip(batch, answers, strict=False):
                _settle(task.future, *pickle.loads(answer))

    def _take_one(self, batch: Sequence[Task], asked: Any) -> None:
        """Hand on what became of a batch."""
        try:
            answers = asked.result()
        except CancelledError:
            if not all(task.future.done() for task in batch):
                self._fail()
            self._batches.came(batch, len(batch), 0)
        except Exception as error:  # not of a task itself
            if type(error).__name__ == "KilledWorker" and len(batch) > 1:
                self._batches.came(batch, 0, 0)  # it isn't known for which of them
                return
            told: Exception = LimitReached("all the workers that did this were killed")
            if type(error).__name__ != "KilledWorker":
                told = ExecutorFailed(
                    f"the Dask cluster can't do this: {error!r}; has it the same aspgames?"
                )
            for task in batch:
                _settle(task.future, False, told)
            self._batches.came(batch, len(batch), 0)
        else:
            self._take(batch, *answers)

    def _take(self, batch: Sequence[Task], answers: Sequence[bytes], seconds: float) -> None:
        """Hand on the answers to the first of a batch."""
        self._batches.came(batch, len(answers), seconds)
        for task, answer in zip(batch, answers, strict=False):
            _settle(task.future, *pickle.loads(answer))

    def _fail(self) -> None:
        """The scheduler is gone, and all that is open with it."""
        self._gone = True
        for future in list(self._open):
            _settle(future, False, self._lost())

    def _lost(self) -> ExecutorFailed:
        return ExecutorFailed(f"the Dask scheduler at {self._address} is gone")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Wait for all tasks, or give them up if the block was left by an exception."""
        self.shutdown(wait=kind is None)


def _settle(future: Future[Any], good: bool, result: Any) -> None:
    """Let a future have a result or an exception, unless it is done."""
    with suppress(InvalidStateError):
        if good:
            future.set_result(result)
        else:
            future.set_exception(result)


def _knock(distributed: Any, address: str) -> None:
    """Raise ``OSError`` if nobody listens: a client that finds nobody takes long to give up."""
    host, port = distributed.comm.get_address_host_port(address, strict=True)
    socket.create_connection((host, port), _PATIENCE).close()


def _do(
    work: bytes, version: str, most_bytes: float | None, topic: str
) -> tuple[list[bytes], float]:
    """Do a batch in a process of this thread of a Dask worker: the answers, and the seconds.

    What can't be begun within a moment has no answer. Where one takes longer, the answers before it
    are sent ahead.
    """
    begun = time.monotonic()
    tasks: list[bytes] = pickle.loads(work)
    if version != __version__:
        told = f"the Dask cluster has aspgames {__version__}, not {version}"
        return [pickle.dumps((False, ExecutorFailed(told)))] * len(tasks), 0.0
    worker: Worker | None = getattr(_own, "worker", None)
    if worker is None:
        worker = _own.worker = Worker()
    worker.most_bytes = most_bytes or _share()
    key, is_known = _is_wanted()
    answers: list[bytes] = []
    sent = False

    def is_wanted() -> bool:
        nonlocal sent
        if not sent and time.monotonic() - begun > 2 * MOMENT and len(tasks) > 1:
            sent = True
            _send(topic, {"key": key, "answers": list(answers)})
        return is_known()

    for task in tasks:
        if answers and (time.monotonic() - begun > MOMENT or not is_wanted()):
            break
        try:
            answers.append(worker.answer(task, is_wanted))  # which asks that now and then
        except Exception as error:
            answers.append(pickle.dumps((False, error)))
    return answers, time.monotonic() - begun


def _is_wanted() -> tuple[str, Callable[[], bool]]:
    """The key of what this thread of a Dask worker has begun; says whether anybody wants it."""
    from distributed import get_worker

    worker = get_worker()
    tasks, key = worker.state.tasks, worker.get_current_task()
    return str(key), lambda: key in tasks and tasks[key].state == "executing"


def _send(topic: str, message: Mapping[str, Any]) -> None:
    """Tell the client something from a Dask worker."""
    from distributed import get_worker

    get_worker().log_event(topic, message)


def _share() -> float:
    """The memory for each thread of this Dask worker."""
    from distributed import get_worker

    worker = get_worker()
    most = worker.memory_manager.memory_limit or machine_bytes()
    return float(_SHARE * most / worker.state.nthreads)
