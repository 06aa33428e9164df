"""A map over tasks through any executor: results in the order of the tasks, none done twice."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from os import PathLike
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar

from ..arguments import told
from ..budget import UNLIMITED, Budget
from ..errors import BadRequest
from .progress import Progress

if TYPE_CHECKING:
    from .journal import Journal

T = TypeVar("T")

_AHEAD = 4096  # tasks that may be under way or done before the first of them is
_LOOK = 0.1  # seconds between looks at the budget
_END = -1  # stands for a number when there are no more tasks

Show = Callable[[str], None]
"""Is told now and then how far the work is."""


def no_show(_text: str) -> None:
    """Tell nobody."""


@dataclass(frozen=True)
class TaskRunner:
    """The way that work takes."""

    executor: Executor | None = None
    """Who does it; None: it is done here, a task after the other."""
    journal: Journal | None = None
    """Where results are kept, and found if they were kept before."""
    progress: Progress | None = None
    """Counts the tasks."""
    show: Show = no_show
    """Is told of the progress."""
    budget: Budget = UNLIMITED
    """Is looked at while results are waited for."""

    def map(
        self,
        function: Callable[[T], Any],
        tasks: Iterable[T],
        here: Callable[[T], Any] | None = None,
    ) -> Iterator[Future[Any]]:
        """The results of ``function`` for some tasks, in their order, as futures that are done.

        ``here`` does the same where there is no executor, if that is to be done in another way.

        Tasks are taken one at a time, in a thread of their own where there is an executor, and not
        many more than there are results. A result that isn't its task's turn yet waits. What is
        under way when the iteration is left is given up, as far as the executor can.

        Raises what ``tasks`` raises, what the budget does, and ``BadRequest`` if results can't be
        kept.
        """
        if self.executor is None:
            return self._here(function, tasks, here or function)
        return _Run(self, self.executor, function).results(tasks)

    def _here(
        self, function: Callable[[T], Any], tasks: Iterable[T], here: Callable[[T], Any]
    ) -> Iterator[Future[Any]]:
        for task in tasks:
            key = self.key(function, task)
            future = self.kept(key)
            if future is not None:
                self.count(before=True)
            else:
                future = Future()
                try:
                    future.set_result(here(task))
                except Exception as error:
                    future.set_exception(error)
                self.take(key, future)
            yield future

    def key(self, function: Callable[[T], Any], task: T) -> str:
        """By what a result is kept."""
        return "" if self.journal is None else self.journal.key(function, task)

    def kept(self, key: str) -> Future[Any] | None:
        """The result of a task, if it was kept before."""
        if self.journal is None or key not in self.journal:
            return None
        future: Future[Any] = Future()
        future.set_result(self.journal[key])
        return future

    def take(self, key: str, future: Future[Any]) -> None:
        """Note that a task is done, and keep its result. (What failed is tried again next time.)"""
        if self.journal is not None and not future.cancelled() and not future.exception():
            self.journal.keep(key, future.result())
        self.count()

    def count(self, before: bool = False) -> None:
        """Count a task that is done."""
        if self.progress:
            self.progress.count(before=before)
            self.show(str(self.progress))


@contextmanager
def task_runner(
    executor: Executor | None,
    resume: str | PathLike[str] | None,
    budget: Budget = UNLIMITED,
    progress: Progress | None = None,
    show: Show = no_show,
) -> Iterator[TaskRunner]:
    """A way for work, with the file ``resume`` for its results if there is to be one.

    Raises ``BadRequest`` for what is no executor, and if the file can't be gone on with.
    """
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise BadRequest(f"an executor is one of concurrent.futures, not {told(executor)}")
    if resume is None:
        yield TaskRunner(executor, None, progress, show, budget)
        return
    from .journal import Journal  # SQLite is loaded only where it is needed

    with Journal(resume) as journal:
        yield TaskRunner(executor, journal, progress, show, budget)


class _Run:
    """One map through an executor."""

    def __init__(
        self, runner: TaskRunner, executor: Executor, function: Callable[[Any], Any]
    ) -> None:
        self._runner, self._executor, self._function = runner, executor, function
        self._came: SimpleQueue[tuple[int, str | None, Future[Any]]] = SimpleQueue()
        """Each task's number and key with its future, once that is done; no key: it was kept."""
        self._room = threading.Semaphore(_AHEAD)
        self._under_way: dict[int, Future[Any]] = {}
        self._over = False
        self._number: int | None = None
        """How many tasks there are, once that is known."""

    def results(self, tasks: Iterable[Any]) -> Iterator[Future[Any]]:
        """See ``TaskRunner.map``."""
        feeder = threading.Thread(target=self._feed, args=(tasks,), daemon=True)
        feeder.start()
        done: dict[int, Future[Any]] = {}
        turn = 0
        try:
            while turn != self._number:
                while turn not in done:
                    number, key, future = self._next()
                    if number == _END:
                        self._number = future.result()
                        break
                    if key is None:
                        self._runner.count(before=True)
                    else:
                        del self._under_way[number]
                        self._runner.take(key, future)
                    done[number] = future
                while turn in done:
                    yield done.pop(turn)
                    turn += 1
                    self._room.release()
        finally:
            self._over = True
            self._room.release()
            for future in list(self._under_way.values()):
                self._give_up(future)

    def _next(self) -> tuple[int, str | None, Future[Any]]:
        """What comes next. Raises what the budget does."""
        while True:
            self._runner.budget.check()
            with suppress(Empty):
                return self._came.get(timeout=_LOOK)

    def _feed(self, tasks: Iterable[Any]) -> None:
        """Have all tasks done, as long as there is room for more."""
        end: Future[int] = Future()
        number = 0
        try:
            for task in tasks:
                self._room.acquire()
                if self._over:
                    return
                self._submit(number, task)
                number += 1
            end.set_result(number)
        except BaseException as error:
            end.set_exception(error)
        self._came.put((_END, None, end))

    def _submit(self, number: int, task: Any) -> None:
        key = self._runner.key(self._function, task)
        kept = self._runner.kept(key)
        if kept is not None:
            self._came.put((number, None, kept))
            return
        future = self._under_way[number] = self._executor.submit(self._function, task)
        if self._over:  # since the last look
            self._give_up(future)
        future.add_done_callback(lambda done: self._came.put((number, key, done)))

    def _give_up(self, future: Future[Any]) -> None:
        """Have what is done for a future ended, where the executor can do that."""
        getattr(self._executor, "give_up", Future.cancel)(future)
