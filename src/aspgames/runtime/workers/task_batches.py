"""Tasks in batches, for an executor where each call is expensive.

The executor does the tasks of a batch that it can begin within a moment. The rest come back, and
are sent again. So the duration of tasks need not be known, and a long task delays few others.
"""

import math
import threading
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from typing import Any

MOMENT = 0.2
"""Seconds after which no further task of a batch begins."""

_AHEAD = 4  # running batches, for each task that can be done at a time
_MOST = 512  # tasks in a batch
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
        self._under_way, self._size, self._ahead = 0, 1, _AHEAD
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
                self._size = max(self._size, min(math.ceil(growth * done), _MOST))
            is_long = done == 1 and seconds > MOMENT
            self._ahead = min(2 * self._ahead, _MOST_AHEAD) if is_long else _AHEAD
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
