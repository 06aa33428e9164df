"""Processes of this machine as an executor."""

import os
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from ..call_arguments import whole_number
from ..process_messages import machine_bytes
from .worker import Worker

T = TypeVar("T")

_MOST_WORKERS = 1024
_SHARE_OF_MEMORY = 0.75  # of the machine's memory, for all workers together


class Workers(Executor):
    """Processes of this machine, for any function that takes an ``executor``.

    If a process is killed, its task begins again, at most twice; other tasks aren't affected. A
    task that exceeds its memory ends, and its future gets ``LimitReached``. Functions must be
    importable, as with any executor of processes.

    >>> with Workers(2) as workers:
    ...     list(workers.map(abs, [1, -2, 3]))
    [1, 2, 3]
    """

    def __init__(self, number: int | None = None, *, most_bytes: float | None = None) -> None:
        """Prepare the processes; each starts with its first task.

        Args:
            number: The number of processes, from 1 to 1024; defaults to one a core.
            most_bytes: The memory of each [bytes]; defaults to a share of three quarters of the
                machine's memory.

        Raises:
            BadRequest: The number is invalid.
        """
        if number is not None:
            number = whole_number(number, "workers", 1, _MOST_WORKERS)
        self.number = number or os.cpu_count() or 1
        """The number of tasks done at once."""
        self._most_bytes = most_bytes or share_of(self.number)
        self._threads = ThreadPoolExecutor(self.number, "worker")
        self._own = threading.local()
        self._workers: list[Worker] = []
        self._given_up: WeakKeyDictionary[Future[Any], threading.Event] = WeakKeyDictionary()
        self._over = False

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Run a function in a process, as any executor does."""
        given_up = threading.Event()
        future = self._threads.submit(self._do, given_up, fn, args, kwargs)
        self._given_up[future] = given_up
        return future

    def give_up(self, future: Future[Any]) -> None:
        """Cancel a task, even if it has begun; its future gets a ``CancelledError``."""
        if not future.cancel() and future in self._given_up:
            self._given_up[future].set()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more tasks; with ``wait``, wait for the others and end the processes."""
        self._threads.shutdown(wait, cancel_futures=cancel_futures)
        if wait:
            self._close()

    def kill(self) -> None:
        """Kill all processes at once, whatever they are doing."""
        self._over = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in list(self._workers):
            worker.stop()
        self._threads.shutdown()
        self._close()

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Wait for all tasks, or kill them if an exception ended the block."""
        if kind is None:
            self.shutdown()
        else:
            self.kill()

    def _do(
        self, given_up: threading.Event, function: Callable[..., T], args: Any, kwargs: Any
    ) -> T:
        worker: Worker | None = getattr(self._own, "worker", None)
        if worker is None:
            worker = self._own.worker = Worker(self._most_bytes)
            self._workers.append(worker)
        if self._over:
            raise CancelledError
        found: T = worker.call(function, args, kwargs, lambda: not given_up.is_set())
        return found

    def _close(self) -> None:
        for worker in list(self._workers):
            worker.close()


def share_of(workers: int) -> float:
    """The default memory of each of ``workers`` workers [bytes]."""
    return _SHARE_OF_MEMORY * machine_bytes() / workers
