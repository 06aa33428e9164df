"""Tasks in batches, for a place where everything that is given out has its price.

Of a batch is done what can be begun within a moment; the rest comes back, and is given out again.
So nothing need be known of how long tasks take, and a long one holds up few others.
"""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

MOMENT = 0.2
"""Seconds after which nothing more of a batch is begun."""

_AHEAD = 4  # batches under way, for each task that can be done at a time
_MOST = 512  # tasks of a batch
_GROWTH = 4  # at most, from one batch to the next
_MOST_AHEAD = 4096


@dataclass(eq=False)
class Task:
    """A task that waits or is under way."""

    work: bytes
    future: Future[Any] = field(default_factory=Future)
    is_alone: bool = False
    """Whether it is to be given out by itself."""
    number: int = 0
    """How many were there before it."""


class Batches:
    """Says what is to be given out next. For several threads.

    Batches grow until one takes half of a moment. No more of them are under way than keep everybody
    busy, so that it is known late how large the next ones are to be; and several are given out at
    once. Where a task alone takes longer than a moment, more and more of them are: it costs little
    then, and shows how much there is to do.
    """

    def __init__(self) -> None:
        self._waiting: deque[Task] = deque()
        self._changed = threading.Condition()
        self._under_way, self._size, self._ahead = 0, 1, _AHEAD
        self._over, self._added = False, 0

    def add(self, task: Task) -> None:
        """Let a task wait for its turn."""
        with self._changed:
            task.number, self._added = self._added, self._added + 1
            self._waiting.append(task)
            self._changed.notify()

    def next(self, hands: int, seconds: float) -> list[list[Task]] | None:
        """The next batches, none if there is none to give out for so many seconds; None at the end.

        ``hands`` is how many tasks can be done at a time.
        """

        def has_room() -> bool:
            return bool(self._waiting) and 2 * self._under_way <= hands * self._ahead

        with self._changed:
            self._changed.wait_for(lambda: self._over or has_room(), seconds)
            if self._over:
                return None
            found: list[list[Task]] = []
            if has_room():
                while self._waiting and self._under_way < hands * self._ahead:
                    share = -(-len(self._waiting) // hands)
                    if batch := self._take(min(self._size, share)):
                        found.append(batch)
                        self._under_way += 1
            return found

    def _take(self, size: int) -> list[Task]:
        """The first tasks that somebody wants, so many at most."""
        batch: list[Task] = []
        while self._waiting and len(batch) < size:
            if batch and (batch[0].is_alone or self._waiting[0].is_alone):
                break
            task = self._waiting.popleft()
            if not task.future.done():
                batch.append(task)
        return batch

    def came(self, batch: Sequence[Task], done: int, seconds: float) -> None:
        """So many of a batch are done, in so many seconds; those that are left wait again, first.

        If none is done, those will be given out one by one.
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

    def back(self, tasks: Sequence[Task]) -> None:
        """Let tasks wait again, first of all."""
        with self._changed:
            self._waiting.extendleft(reversed(tasks))
            self._changed.notify()

    def close(self) -> None:
        """Nothing more is to be given out."""
        with self._changed:
            self._over = True
            self._changed.notify()
