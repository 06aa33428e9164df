"""Tasks through any executor, each taken when it is done: for work whose next tasks depend on that.

Where all tasks are known from the start, ``ordered`` has their results in order.
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

_LOOK = 0.1  # seconds between looks at the budget


class RunningTasks(Generic[T]):
    """The tasks that are under way, each known by a name that the one who asks gives it."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._under_way: dict[Future[Any], T] = {}
        self._done: SimpleQueue[Future[Any]] = SimpleQueue()

    def __len__(self) -> int:
        return len(self._under_way)

    @property
    def room(self) -> int:
        """How many more can be done at once, as far as the executor tells."""
        return max(0, capacity(self._executor) - len(self))

    def start(self, name: T, function: Callable[..., Any], *arguments: Any) -> None:
        """Have a task done."""
        future = self._executor.submit(function, *arguments)
        self._under_way[future] = name
        future.add_done_callback(self._done.put)

    def wait(self, budget: Budget) -> Iterator[tuple[T, Future[Any]]]:
        """Those that are done, one at least; waits for it. Raises what the budget does."""
        while True:
            budget.check()
            with suppress(Empty):
                done = self._done.get(timeout=_LOOK)
                break
        while True:
            if done in self._under_way:
                yield self._under_way.pop(done), done
            try:
                done = self._done.get_nowait()
            except Empty:
                return

    def give_up(self) -> None:
        """Have all of them ended, as far as the executor can."""
        give_up = getattr(self._executor, "give_up", Future.cancel)
        for future in list(self._under_way):
            give_up(future)
        self._under_way.clear()


def capacity(executor: Executor) -> int:
    """How many tasks an executor does at once; where it doesn't tell, one a core."""
    for name in ("number", "_max_workers"):  # ours, and those of the standard library
        number = getattr(executor, name, None)
        if isinstance(number, int) and number > 0:
            return number
    return os.cpu_count() or 1
