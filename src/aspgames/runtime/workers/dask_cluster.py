"""A Dask cluster as an executor: the client of a running scheduler.

Dask's own executor does batches of tasks: it does the tasks of a batch that it can begin within a
moment. The rest come back, and are sent again. So the duration of tasks need not be known, and a
long task delays few others. Each thread of each of the cluster's workers does one task at a time,
in a separate process (see ``worker.py``). So limits and faults are the same as with processes of
this machine.
"""

import math
import pickle
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent import futures
from concurrent.futures import CancelledError, Executor, Future, InvalidStateError
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar
from uuid import uuid4

from ..._version import __version__
from ..arguments import check_text
from ..call_arguments import optional_package
from ..errors import BadRequest, ExecutorFailed, LimitReached, one_line
from ..process_messages import machine_bytes
from .worker import Worker

T = TypeVar("T")

_GOODBYE_SECONDS = 0.5  # the time limit for leaving [s]
_PATIENCE = 10.0  # the time limit for the scheduler's answer [s]
_SHARE_OF_MEMORY = 0.75  # of a worker's memory, for its tasks

_COUNT_SECONDS = 1.0  # seconds between counts of the cluster's workers
_WARNING_AFTER = 3.0  # seconds without a worker before a warning

_own = threading.local()  # a worker's processes, one for each of its threads
MOMENT = 0.2
"""Seconds after which no further task of a batch begins."""

_BATCHES_AHEAD = 4  # running batches, for each task that can be done at a time
_MOST_IN_A_BATCH = 512  # tasks in a batch
_GROWTH = 4  # the largest growth factor from one batch to the next
_MOST_AHEAD = 4096


class BatchedTask(Future[Any]):
    """The future of a waiting or running task."""

    def __init__(self, work: bytes) -> None:
        super().__init__()
        self.work = work
        """The task, pickled."""
        self.is_alone = False
        """Whether its batch must have no other task."""
        self.number = 0
        """The number of tasks before it."""
        self.batch: Sequence[BatchedTask] = ()
        self.asked: Future[Any] | None = None
        """The future of its batch."""

    def settle(self, is_good: bool, result: Any) -> None:
        """Set the result or the exception, unless the task is done."""
        with suppress(InvalidStateError):
            if is_good:
                self.set_result(result)
            else:
                self.set_exception(result)


class Batches:
    """Decides which tasks are sent next. Several threads may call it.

    Batches grow until one takes half a moment. Just enough batches run to keep all workers busy, so
    that the size of later batches is decided late. If single tasks take longer than a moment, more
    and more batches run: that costs little then, and shows a cluster how much work waits.
    """

    def __init__(self) -> None:
        self._waiting: deque[BatchedTask] = deque()
        self._changed = threading.Condition()
        self._under_way, self._size, self._ahead = 0, 1, _BATCHES_AHEAD
        self._over, self._added = False, 0

    def add(self, task: BatchedTask) -> None:
        """Add a task to the queue."""
        with self._changed:
            task.number, self._added = self._added, self._added + 1
            self._waiting.append(task)
            self._changed.notify()

    def next(self, hands: int, seconds: float) -> list[list[BatchedTask]] | None:
        """The next batches; empty if there is no room for one within ``seconds``; None at the end.

        ``hands`` is the number of tasks that can be done at a time.
        """

        def has_room() -> bool:
            return bool(self._waiting) and 2 * self._under_way <= hands * self._ahead

        with self._changed:
            self._changed.wait_for(lambda: self._over or has_room(), seconds)
            if self._over:
                return None
            found: list[list[BatchedTask]] = []
            if has_room():
                while self._waiting and self._under_way < hands * self._ahead:
                    share = -(-len(self._waiting) // hands)
                    if batch := self._take(min(self._size, share)):
                        found.append(batch)
                        self._under_way += 1
            return found

    def _take(self, size: int) -> list[BatchedTask]:
        """The first tasks that are neither done nor cancelled, at most ``size``."""
        batch: list[BatchedTask] = []
        while self._waiting and len(batch) < size:
            if batch and (batch[0].is_alone or self._waiting[0].is_alone):
                break
            task = self._waiting.popleft()
            if not task.done():
                batch.append(task)
        return batch

    def came(self, batch: Sequence[BatchedTask], done: int, seconds: float) -> None:
        """Note that the first ``done`` tasks of a batch took ``seconds``; the others go next.

        If ``done`` is 0, the others are sent one by one.
        """
        left = batch[done:]
        with self._changed:
            self._under_way -= 1
            self._waiting.extendleft(reversed(left))
            if not done:
                for task in left:
                    task.is_alone = True
            elif left:
                self._size = max(done, self._size // 2)
            else:
                growth = min(_GROWTH, MOMENT / 2 / max(seconds, 1e-6))
                self._size = max(self._size, min(math.ceil(growth * done), _MOST_IN_A_BATCH))
            is_long = done == 1 and seconds > MOMENT
            self._ahead = min(2 * self._ahead, _MOST_AHEAD) if is_long else _BATCHES_AHEAD
            self._changed.notify()

    def back(self, tasks: Sequence[BatchedTask]) -> None:
        """Return tasks to the front of the queue."""
        with self._changed:
            self._waiting.extendleft(reversed(tasks))
            self._changed.notify()

    def close(self) -> None:
        """Send nothing more."""
        with self._changed:
            self._over = True
            self._changed.notify()


class Cluster(Executor):
    """The workers of an existing Dask cluster, for any function that takes an ``executor``.

    Short tasks are sent several at a time. If a worker is lost, others do its tasks; a task that
    loses too many workers gets ``LimitReached``. If the scheduler is lost, all futures get
    ``ExecutorFailed``.
    """

    def __init__(
        self,
        address: str,
        *,
        most_bytes: float | None = None,
        warn: Callable[[str], None] = lambda _text: None,
    ) -> None:
        """Connect to the scheduler.

        Args:
            address: The scheduler's address, such as ``tcp://host:8786``.
            most_bytes: The memory for each task [bytes]; by default the threads of a worker share
                its memory.
            warn: Called in another thread if the cluster has no worker.

        Raises:
            BadRequest: No scheduler answers there.
        """
        check_text(address, "a scheduler's address", BadRequest)
        distributed = optional_package("distributed", "work on a Dask cluster", "aspgames[cluster]")
        self._address, self._most_bytes, self._warn = address, most_bytes, warn
        self._batches = Batches()
        self._open: set[BatchedTask] = set()  # the tasks that aren't done
        self._sent: dict[str, list[BatchedTask]] = {}  # the running batches, by Dask's keys
        self._topic = f"aspgames-{uuid4()}"
        self._is_gone = False
        self._number, self._counted = 0, -math.inf
        try:
            # Dask's client would take long to find that nothing listens there.
            place = distributed.comm.get_address_host_port(address, strict=True)
            socket.create_connection(place, _PATIENCE).close()
            self._client = distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
        except (OSError, ValueError, TypeError, ImportError) as error:
            reason = one_line(str(error))
            raise BadRequest(f"no Dask scheduler answers at {address!r}: {reason}") from None
        self._executor = self._client.get_executor(pure=False)
        self._client.subscribe_topic(self._topic, self._hear)
        threading.Thread(target=self._send_batches, daemon=True).start()

    @property
    def number(self) -> int:
        """The number of tasks that the cluster does at once, from a recent count; at least one."""
        if time.monotonic() > self._counted + _COUNT_SECONDS:
            with suppress(Exception):  # many kinds of error, if the connection is lost
                self._number = sum(self._client.nthreads().values())
            self._counted = time.monotonic()
        return max(1, self._number)

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Run a function on a worker, as any executor does."""
        task = BatchedTask(pickle.dumps((fn, args, kwargs)))
        task.set_running_or_notify_cancel()
        self._open.add(task)
        task.add_done_callback(self._open.discard)
        if self._is_gone:  # checked only now: later losses settle this task, too
            task.settle(False, self._lost())
        self._batches.add(task)
        return task

    def give_up(self, future: Future[Any]) -> None:
        """Cancel a task, unless it is done; its future gets a ``CancelledError``.

        The batch ends when all its tasks are done or cancelled.
        """
        assert isinstance(future, BatchedTask)
        future.settle(False, CancelledError())
        batch, asked = future.batch, future.asked  # read now: the batch may be on its way
        if (
            asked is not None
            and self._client.status == "running"  # else Dask would wait for it
            and all(task.done() for task in batch)
        ):
            asked.cancel()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster when all tasks are done, or at once without ``wait``."""
        if wait and not cancel_futures:
            futures.wait(list(self._open))
        self._batches.close()
        for task in list(self._open):
            self.give_up(task)
        with suppress(TimeoutError):
            self._client.close(timeout=_GOODBYE_SECONDS)

    def _send_batches(self) -> None:
        """Send batches to the cluster, as long as it has room for more."""
        lonely = time.monotonic()
        while (batches := self._batches.next(self.number, _COUNT_SECONDS)) is not None:
            now = time.monotonic()
            if self._number or not self._open:
                lonely = now
            elif now - lonely >= _WARNING_AFTER:
                self._warn(f"the Dask cluster at {self._address} has no worker: it is waited for")
                lonely = math.inf
            try:
                for batch in batches:
                    self._send(batch)
            except Exception:  # many kinds of error, if the connection is lost
                self._fail()
                return

    def _send(self, batch: list[BatchedTask]) -> None:
        key = f"{self._topic}-{uuid4()}"
        self._sent[key] = batch
        asked = self._executor.submit(
            _do,
            pickle.dumps([task.work for task in batch]),
            version=__version__,
            most_bytes=self._most_bytes,
            topic=self._topic,
            key=key,
            priority=-batch[0].number,  # returned tasks go first
        )
        for task in batch:
            task.batch, task.asked = batch, asked
        if all(task.done() for task in batch):  # given up meanwhile
            asked.cancel()
        asked.add_done_callback(partial(self._receive, key, batch))

    def _hear(self, event: tuple[float, Mapping[str, Any]]) -> None:
        """A task delays its batch: take the answers before it, and take back the tasks after it."""
        key, answers = event[1]["key"], event[1]["answers"]
        batch = self._sent.pop(key, None)
        if batch is not None:
            left = batch[len(answers) + 1 :]
            del batch[len(answers) + 1 :]
            self._batches.back(left)
            _settle(batch, answers)

    def _receive(self, key: str, batch: Sequence[BatchedTask], asked: Future[Any]) -> None:
        """Settle the tasks of a batch that the cluster has done, or can't do."""
        self._sent.pop(key, None)
        for task in batch:
            task.batch, task.asked = (), None  # Dask keeps a result as long as its future
        try:
            answers, seconds = asked.result()
        except CancelledError:
            self._batches.came(batch, len(batch), 0)
            if not all(task.done() for task in batch):
                self._fail()
        except Exception as error:  # an error of the batch, not of a task
            is_killed = type(error).__name__ == "KilledWorker"
            if len(batch) > 1 if is_killed else not batch[0].is_alone:
                # The failing task is unknown, or none fails: Dask's executor takes a result for an
                # error if its worker is lost at this moment.
                self._batches.came(batch, 0, 0)
                return
            self._batches.came(batch, len(batch), 0)
            reason: Exception = LimitReached("all the workers that did this were killed")
            if not is_killed:
                reason = ExecutorFailed(
                    f"the Dask cluster can't do this: {error!r}; has it the same aspgames?"
                )
            for task in batch:
                task.settle(False, reason)
        else:
            self._batches.came(batch, len(answers), seconds)
            _settle(batch, answers)

    def _fail(self) -> None:
        """Settle all open tasks after the scheduler is lost."""
        self._is_gone = True
        for task in list(self._open):
            task.settle(False, self._lost())

    def _lost(self) -> ExecutorFailed:
        return ExecutorFailed(f"the Dask scheduler at {self._address} is gone")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Wait for all tasks, or cancel them if an exception ended the block."""
        self.shutdown(wait=kind is None)


def _settle(batch: Sequence[BatchedTask], answers: Sequence[bytes]) -> None:
    """Settle the first tasks of a batch with their answers."""
    for task, answer in zip(batch, answers, strict=False):
        task.settle(*pickle.loads(answer))


def _do(
    work: bytes, version: str, most_bytes: float | None, topic: str
) -> tuple[list[bytes], float]:
    """Do a batch in the process of this thread of a Dask worker; returns answers and seconds.

    Tasks that can't begin within a moment get no answer. If a task takes longer, the answers before
    it are sent ahead.
    """
    begun = time.monotonic()
    tasks: list[bytes] = pickle.loads(work)
    if version != __version__:
        reason = f"the Dask cluster has aspgames {__version__}, not {version}"
        return [pickle.dumps((False, ExecutorFailed(reason)))] * len(tasks), 0.0
    from distributed import get_worker  # on the cluster only

    dask, worker = get_worker(), getattr(_own, "worker", None)
    if worker is None:
        worker = _own.worker = Worker()
    if most_bytes is None:
        most_bytes = dask.memory_manager.memory_limit or machine_bytes()
        most_bytes *= _SHARE_OF_MEMORY / dask.state.nthreads
    worker.most_bytes = most_bytes
    known, key = dask.state.tasks, dask.get_current_task()
    answers: list[bytes] = []
    sent = False

    def is_wanted() -> bool:
        nonlocal sent
        if not sent and time.monotonic() - begun > 2 * MOMENT and len(tasks) > 1:
            sent = True
            dask.log_event(topic, {"key": str(key), "answers": list(answers)})
        return key in known and known[key].state == "executing"

    for task in tasks:
        if answers and (time.monotonic() - begun > MOMENT or not is_wanted()):
            break
        try:
            answers.append(worker.answer(task, is_wanted))
        except Exception as error:
            answers.append(pickle.dumps((False, error)))
    return answers, time.monotonic() - begun
