"""Tasks in batches, for an executor where each call is expensive.

The executor does those tasks of a batch that it can begin within a moment; the rest come back, and
are sent again. So it needn't be known how long tasks take, and a long task holds up few others.
"""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from typing import Any

MOMENT = 0.2
"""Seconds after which nothing more of a batch is begun."""

_AHEAD = 4  # batches under way, for each task that can be done at a time
_MOST = 512  # tasks of a batch
_GROWTH = 4  # at most, from one batch to the next
_MOST_AHEAD = 4096


class BatchedTask(Future[Any]):
    """The future of a task that waits or is under way."""

    def __init__(self, work: bytes) -> None:
        super().__init__()
        self.work = work
        """The task, pickled."""
        self.is_alone = False
        """Whether its batch is to have no other task."""
        self.number = 0
        """How many tasks there were before it."""
        self.batch: Sequence[BatchedTask] = ()
        """The tasks that were sent with it."""
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

    Batches grow until one takes half a moment. Only so many are under way that everybody is busy,
    so that the size of the next ones is decided late. Where single tasks take longer than a moment,
    more and more are under way: that costs little then, and shows a cluster how much work waits.
    """

    def __init__(self) -> None:
        self._waiting: deque[BatchedTask] = deque()
        self._changed = threading.Condition()
        self._under_way, self._size, self._ahead = 0, 1, _AHEAD
        self._over, self._added = False, 0

    def add(self, task: BatchedTask) -> None:
        """Let a task wait for its turn."""
        with self._changed:
            task.number, self._added = self._added, self._added + 1
            self._waiting.append(task)
            self._changed.notify()

    def next(self, hands: int, seconds: float) -> list[list[BatchedTask]] | None:
        """The next batches, none if there is no room for one within ``seconds``; None at the end.

        ``hands`` is how many tasks can be done at a time.
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
        """The first tasks that aren't done or cancelled, so many at most."""
        batch: list[BatchedTask] = []
        while self._waiting and len(batch) < size:
            if batch and (batch[0].is_alone or self._waiting[0].is_alone):
                break
            task = self._waiting.popleft()
            if not task.done():
                batch.append(task)
        return batch

    def came(self, batch: Sequence[BatchedTask], done: int, seconds: float) -> None:
        """The first tasks of a batch are done, in so many seconds; the others wait again, first.

        If ``done`` is 0, they will be sent one by one.
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
        """Let tasks wait again, first of all."""
        with self._changed:
            self._waiting.extendleft(reversed(tasks))
            self._changed.notify()

    def close(self) -> None:
        """Send nothing more."""
        with self._changed:
            self._over = True
            self._changed.notify()
