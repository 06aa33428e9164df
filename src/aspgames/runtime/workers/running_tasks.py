"""Running tasks in any executor, taken as they finish: for work whose next tasks depend on results.

If all tasks are known from the start, ``TaskRunner.map`` yields their results in order.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar

from ..budget import Budget

T = TypeVar("T")

_LOOK = 0.1  # seconds between checks of the budget


class RunningTasks(Generic[T]):
    """The running tasks, each with a name from the caller."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._under_way: dict[Future[Any], T] = {}
        self._done: SimpleQueue[Future[Any]] = SimpleQueue()

    def __len__(self) -> int:
        return len(self._under_way)

    @property
    def room(self) -> int:
        """The number of further tasks that the executor can do at once."""
        return max(0, capacity(self._executor) - len(self))

    def start(self, name: T, function: Callable[..., Any], *arguments: Any) -> None:
        """Start a task."""
        future = self._executor.submit(function, *arguments)
        self._under_way[future] = name
        future.add_done_callback(self._done.put)

    def wait(self, budget: Budget) -> Iterator[tuple[T, Future[Any]]]:
        """Wait for a task, and take all finished ones. Raises the errors of the budget."""
        done = next_item(self._done, budget)
        while True:
            if done in self._under_way:
                yield self._under_way.pop(done), done
            try:
                done = self._done.get_nowait()
            except Empty:
                return

    def give_up(self) -> None:
        """Cancel all tasks."""
        for future in list(self._under_way):
            cancel(self._executor, future)
        self._under_way.clear()


def next_item(queue: SimpleQueue[T], budget: Budget) -> T:
    """Wait for the next item of a queue. Raises the errors of the budget."""
    while True:
        budget.check()
        with suppress(Empty):
            return queue.get(timeout=_LOOK)


def cancel(executor: Executor, future: Future[Any]) -> None:
    """Cancel a task; our executors also end a running task."""
    getattr(executor, "give_up", Future.cancel)(future)


def capacity(executor: Executor) -> int:
    """The number of tasks that an executor does at once; one a core if unknown."""
    for name in (
        "number",
        "_max_workers",
    ):  # ours, and the standard library's
        number = getattr(executor, name, None)
        if isinstance(number, int) and number > 0:
            return number
    return os.cpu_count() or 1
