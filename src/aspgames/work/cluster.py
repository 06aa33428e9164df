"""A Dask cluster as an executor: a client of a scheduler that somebody else has started.

Each thread of each of the cluster's workers does one task at a time, in a process of its own (see
``worker.py``), so limits and faults are the same as with processes of this machine.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent import futures
from concurrent.futures import CancelledError, Executor, Future
from contextlib import suppress
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any, TypeVar
from weakref import WeakSet

from .. import __version__
from ..arguments import check_text
from ..errors import BadRequest, ExecutorFailed, LimitReached, one_line
from ..optional import optional_package
from ..processes import machine_bytes
from .worker import Worker

T = TypeVar("T")

_GOODBYE = 0.5  # seconds that leaving may take
_PATIENCE = 10.0  # seconds in which the scheduler must answer
_SHARE = 0.75  # of a worker's memory, for its tasks

_own = threading.local()
"""A worker's process, one for each of its threads."""


class Cluster(Executor):
    """The workers of an existing Dask cluster, for whatever takes an ``executor``.

    When a worker is lost, others do its tasks; a task of which too many died has a ``LimitReached``
    in its future. When the scheduler is lost, all futures have an ``ExecutorFailed``.
    """

    def __init__(self, address: str, *, most_bytes: float | None = None) -> None:
        """``address`` is the scheduler's, such as ``tcp://host:8786``; ``most_bytes`` is the memory
        for each task, else a worker's is shared among its threads.

        Raises ``BadRequest`` if nobody answers there, or with another version of aspgames.
        """
        check_text(address, "a scheduler's address", BadRequest)
        distributed = optional_package("distributed", "work on a Dask cluster", "aspgames[cluster]")
        self._address, self._most_bytes = address, most_bytes
        self._under_way: dict[Future[Any], Any] = {}
        """Dask's future for each of ours."""
        self._given_up: WeakSet[Future[Any]] = WeakSet()
        self._done: SimpleQueue[tuple[Future[Any], Any] | None] = SimpleQueue()
        """Our futures and Dask's, as they are done; None at the end."""
        try:
            _knock(distributed, address)
            self._client = distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
        except (OSError, ValueError, TypeError, ImportError) as error:
            reason = one_line(str(error))
            raise BadRequest(f"no Dask scheduler answers at {address!r}: {reason}") from None
        threading.Thread(target=self._collect, daemon=True).start()

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """See ``concurrent.futures.Executor.submit``."""
        try:
            asked = self._client.submit(
                _do, __version__, self._most_bytes, fn, args, kwargs, pure=False
            )
        except Exception:  # of many kinds, if the connection is lost
            raise self._lost() from None
        future: Future[T] = Future()
        future.set_running_or_notify_cancel()
        self._under_way[future] = asked
        future.add_done_callback(lambda done: self._under_way.pop(done, None))
        asked.add_done_callback(lambda done: self._done.put((future, done)))
        return future

    def give_up(self, future: Future[Any]) -> None:
        """Have what is done for a future ended; then it has a ``CancelledError``, or its result."""
        asked = self._under_way.pop(future, None)
        if asked is not None:
            self._given_up.add(future)
            if self._client.status == "running":  # else it would be waited for
                asked.cancel(force=True)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster, when all is done unless it isn't waited for; then that is given up."""
        if wait and not cancel_futures:
            futures.wait(list(self._under_way))
        self._client.close(timeout=_GOODBYE)
        self._done.put(None)

    def _collect(self) -> None:
        """Hand on what became of tasks, of all at a time that are done: each look has its price."""
        while (done := self._done.get()) is not None:
            batch = [done]
            with suppress(Empty):
                while (more := self._done.get_nowait()) is not None:
                    batch.append(more)
                self._done.put(None)  # that was the end: it is for the next turn
            whole = [(future, asked) for future, asked in batch if asked.status == "finished"]
            try:
                found = self._client.gather([asked for _, asked in whole]) if whole else []
            except Exception:  # one of them is lost: each by itself
                whole, found = [], []
            for (future, _), (good, result) in zip(whole, found, strict=True):
                _settle(future, good, result)
            for future, asked in batch:
                if not future.done():
                    _settle(future, *self._outcome(future, asked))

    def _outcome(self, future: Future[Any], asked: Any) -> tuple[bool, Any]:
        """What became of one task: whether it went well, and how."""
        try:
            good, result = asked.result()
        except CancelledError as error:
            return False, error if future in self._given_up else self._lost()
        except Exception as error:  # not of the task itself
            if type(error).__name__ == "KilledWorker":
                return False, LimitReached("all the workers that did this were killed")
            told = f"the Dask cluster can't do this: {error!r}; has it the same aspgames?"
            return False, ExecutorFailed(told)
        return good, result

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
    if good:
        future.set_result(result)
    else:
        future.set_exception(result)


def _knock(distributed: Any, address: str) -> None:
    """Raise ``OSError`` if nobody listens: a client that finds nobody takes long to give up."""
    host, port = distributed.comm.get_address_host_port(address, strict=True)
    socket.create_connection((host, port), _PATIENCE).close()


def _do(
    version: str,
    most_bytes: float | None,
    function: Callable[..., Any],
    arguments: Sequence[Any],
    named: Mapping[str, Any],
) -> tuple[bool, Any]:
    """Do a task in a process of this thread of a Dask worker: whether that went well, and how."""
    if version != __version__:
        told = f"the Dask cluster has aspgames {__version__}, not {version}"
        return False, ExecutorFailed(told)
    worker: Worker | None = getattr(_own, "worker", None)
    if worker is None:
        worker = _own.worker = Worker()
    worker.most_bytes = most_bytes or _share()
    try:
        return True, worker.call(function, arguments, named, _is_wanted())
    except Exception as error:
        return False, error


def _is_wanted() -> Callable[[], bool]:
    """Says whether anybody wants the task that this thread of a Dask worker has begun."""
    from distributed import get_worker

    worker = get_worker()
    tasks, key = worker.state.tasks, worker.get_current_task()
    return lambda: key in tasks and tasks[key].state == "executing"


def _share() -> float:
    """The memory for each thread of this Dask worker."""
    from distributed import get_worker

    worker = get_worker()
    most = worker.memory_manager.memory_limit or machine_bytes()
    return float(_SHARE * most / worker.state.nthreads)
