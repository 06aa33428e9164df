"""A map over tasks in any executor: results in the order of the tasks, each computed once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

from ..arguments import told
from ..budget import UNLIMITED, Budget
from ..errors import BadRequest
from .progress import Progress
from .running_tasks import cancel, next_item

if TYPE_CHECKING:
    from .journal import Journal

T = TypeVar("T")

_AHEAD = 4096  # the most tasks that run or are done before the first is done
_END = -1  # marks the end of the tasks, instead of a number

Show = Callable[[str], None]
"""Takes a text about the progress now and then."""


def no_show(_text: str) -> None:
    """Show nothing."""


@dataclass(frozen=True)
class TaskRunner:
    """Does tasks, keeps their results and shows the progress."""

    executor: Executor | None = None
    """The executor; None for this process, one task after the other."""
    journal: Journal | None = None
    """Keeps the results. Results in it are not computed again."""
    progress: Progress | None = None
    """Counts the tasks."""
    show: Show = no_show
    """Takes progress texts."""
    budget: Budget = UNLIMITED
    """Limits the time for all tasks."""

    @property
    def is_direct(self) -> bool:
        """Whether there is neither an executor nor a file of results: tasks aren't needed."""
        return self.executor is None and self.journal is None

    def map(
        self,
        function: Callable[[T], Any],
        tasks: Iterable[T],
        here: Callable[[T], Any] | None = None,
    ) -> Iterator[Future[Any]]:
        """The results of tasks, in their order, as finished futures.

        With an executor, a thread reads the tasks, at most some thousands ahead of their results.
        The end of the iteration cancels the running tasks.

        Args:
            function: Computes the result of a task; it must be importable. A kept result of
                another type than it returns is computed again.
            tasks: The tasks. Their ``repr`` shows everything that their results depend on.
            here: Replaces ``function`` if there is no executor.

        Raises:
            BadRequest: Results can't be kept.
            Exception: The errors of ``tasks`` and the budget.
        """
        if self.executor is None:
            return self._map_here(function, tasks, here or function)
        return _ExecutorMap(self, self.executor, function).results(tasks)

    def _map_here(
        self, function: Callable[[T], Any], tasks: Iterable[T], here: Callable[[T], Any]
    ) -> Iterator[Future[Any]]:
        for task in tasks:
            key = self.key(function, task)
            future = self.kept(key, function)
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
        """The journal's key of a result."""
        return "" if self.journal is None else self.journal.key(function, task)

    def kept(self, key: str, function: Callable[[T], Any]) -> Future[Any] | None:
        """The result of a task, if the journal holds one of the type that the function returns."""
        if self.journal is None:
            return None
        found = self.journal.find(key, get_type_hints(function).get("return", Any))
        if found is None:
            return None
        future: Future[Any] = Future()
        future.set_result(found)
        return future

    def take(self, key: str, future: Future[Any]) -> None:
        """Count a finished task, and keep its result; the next run repeats failed tasks."""
        if self.journal is not None and not future.cancelled() and not future.exception():
            self.journal.keep(key, future.result())
        self.count()

    def count(self, before: bool = False) -> None:
        """Count a task that is finished now, or was finished ``before``."""
        if self.progress:
            self.progress.count(before=before)
            self.show(str(self.progress))


@contextmanager
def task_runner(
    executor: Executor | TaskRunner | None,
    resume: str | PathLike[str] | None = None,
    budget: Budget = UNLIMITED,
    progress: Progress | None = None,
    show: Show = no_show,
) -> Iterator[TaskRunner]:
    """A task runner that keeps results in the file ``resume``, if given.

    Raises ``BadRequest`` if the executor or the file is unusable.
    """
    if isinstance(executor, TaskRunner):  # it has everything already
        yield executor
        return
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise BadRequest(f"an executor is one of concurrent.futures, not {told(executor)}")
    if resume is None:
        yield TaskRunner(executor, None, progress, show, budget)
        return
    from .journal import Journal  # SQLite is loaded only if necessary

    with Journal(resume) as journal:
        yield TaskRunner(executor, journal, progress, show, budget)


class _ExecutorMap:
    """One map in an executor."""

    def __init__(
        self, runner: TaskRunner, executor: Executor, function: Callable[[Any], Any]
    ) -> None:
        self._runner, self._executor, self._function = runner, executor, function
        self._done: SimpleQueue[tuple[int, str | None, Future[Any]]] = SimpleQueue()
        """Each task's number and key with its future; no key if the journal held the result."""
        self._room = threading.Semaphore(_AHEAD)
        self._under_way: dict[int, Future[Any]] = {}
        self._is_over = False

    def results(self, tasks: Iterable[Any]) -> Iterator[Future[Any]]:
        """See ``TaskRunner.map``."""
        threading.Thread(target=self._submit_all, args=(tasks,), daemon=True).start()
        done: dict[int, Future[Any]] = {}
        turn, end = 0, None
        try:
            while turn != end:
                number, key, future = next_item(self._done, self._runner.budget)
                if number == _END:
                    end = future.result()
                    continue
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
            self._is_over = True
            self._room.release()
            for future in list(self._under_way.values()):
                cancel(self._executor, future)

    def _submit_all(self, tasks: Iterable[Any]) -> None:
        """Submit all tasks, as long as there is room for more."""
        end: Future[int] = Future()
        number = 0
        try:
            for task in tasks:
                self._room.acquire()
                if self._is_over:
                    return
                self._submit(number, task)
                number += 1
            end.set_result(number)
        except BaseException as error:
            end.set_exception(error)
        self._done.put((_END, None, end))

    def _submit(self, number: int, task: Any) -> None:
        key = self._runner.key(self._function, task)
        kept = self._runner.kept(key, self._function)
        if kept is not None:
            self._done.put((number, None, kept))
            return
        future = self._under_way[number] = self._executor.submit(self._function, task)
        if self._is_over:  # ended since the last check
            cancel(self._executor, future)
        future.add_done_callback(lambda done: self._done.put((number, key, done)))
