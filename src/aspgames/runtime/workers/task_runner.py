"""A map over tasks in any executor: results in the order of the tasks, each computed once."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sized
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from os import PathLike
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, TypeVar, get_type_hints

from ..arguments import quote
from ..budget import UNLIMITED, Budget
from ..call_arguments import no_show
from ..errors import BadRequest

if TYPE_CHECKING:
    from .journal import Journal

Name = TypeVar("Name")

_LOOK_SECONDS = 0.1  # seconds between checks of the budget
T = TypeVar("T")
_TASKS_AHEAD = 4096  # the most tasks that run or are done before the first is done
_END = -1  # marks the end of the tasks, instead of a number
Show = Callable[[str], None]
"""Takes a text about the progress now and then."""


class RunningTasks(Generic[Name]):
    """The running tasks, each with a name from the caller. Another thread may start them."""

    def __init__(self, executor: Executor) -> None:
        self._executor, self._is_over = executor, False
        self._under_way: dict[Future[Any], Name] = {}
        self._done: SimpleQueue[Future[Any]] = SimpleQueue()

    def __len__(self) -> int:
        return len(self._under_way)

    @property
    def room(self) -> int:
        """The number of further tasks that the executor can do at once."""
        return max(0, capacity(self._executor) - len(self))

    def start(self, name: Name, function: Callable[..., Any], *arguments: Any) -> None:
        """Start a task."""
        self.add(name, self._executor.submit(function, *arguments))

    def add(self, name: Name, future: Future[Any]) -> None:
        """Add a task that was started, or is done already."""
        self._under_way[future] = name
        if self._is_over:  # given up meanwhile
            self.give_up()
        future.add_done_callback(self._done.put)

    def wait(self, budget: Budget) -> Iterator[tuple[Name, Future[Any]]]:
        """Wait for a task, and take all finished ones. Raises the errors of the budget."""
        done = None
        while done is None:
            budget.check()
            with suppress(Empty):
                done = self._done.get(timeout=_LOOK_SECONDS)
        while True:
            if done in self._under_way:
                yield self._under_way.pop(done), done
            try:
                done = self._done.get_nowait()
            except Empty:
                return

    def give_up(self) -> None:
        """Cancel all tasks, also those of our executors that have begun."""
        self._is_over = True
        for future in list(self._under_way):
            getattr(self._executor, "give_up", Future.cancel)(future)
        self._under_way.clear()


def capacity(executor: Executor) -> int:
    """The number of tasks that an executor does at once; one a core if unknown."""
    for name in ("number", "_max_workers"):  # ours, and the standard library's
        number = getattr(executor, name, None)
        if isinstance(number, int) and number > 0:
            return number
    return os.cpu_count() or 1


class Progress:
    """Counts finished things, from now on."""

    def __init__(self, what: str, total: int | None = None) -> None:
        """``what`` names the things counted, such as "puzzles"."""
        self._what, self.total = what, total
        """The total number, if known."""
        self._begun = time.monotonic()
        self.done = 0
        """The number done, including earlier runs."""
        self._before = 0

    def count(self, number: int = 1, before: bool = False) -> None:
        """Count things done now, or ``before`` in an earlier run, which the rate leaves out."""
        self.done += number
        self._before += number if before else 0

    @property
    def rate(self) -> float:
        """The number done in a second."""
        seconds = time.monotonic() - self._begun
        return (self.done - self._before) / seconds if seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """The estimated time for the rest at this rate [s], if known."""
        if self.total is None or not self.rate:
            return None
        return (self.total - self.done) / self.rate

    def __str__(self) -> str:
        """A line such as ``1,204 of 10,000 puzzles, 35.2 a second, 4:10 left``."""
        of = "" if self.total is None else f" of {self.total:,}"
        text = f"{self.done:,}{of} {self._what}"
        if self.rate:
            text += f", {self.rate:,{'.3g' if self.rate < 100 else '.0f'}} a second"
        if self.seconds_left is not None:
            text += f", {_clock(self.seconds_left)} left"
        return text


def _clock(seconds: float) -> str:
    """A time as minutes and seconds, with hours if it is long."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@dataclass(frozen=True)
class TaskRunner:
    """Does tasks, keeps their results and shows the progress."""

    executor: Executor | None = None
    """The executor; None for this process, one task after the other."""
    journal: Journal | None = None
    """Keeps the results. Results in it are not computed again."""
    progress: Progress | None = None
    show: Show = no_show
    budget: Budget = UNLIMITED
    """Limits the time for all tasks."""

    def map(
        self,
        function: Callable[[T], Any],
        tasks: Iterable[T],
        here: Callable[[T], Any] | None = None,
        ahead: int | None = None,
    ) -> Iterator[Future[Any]]:
        """The results of tasks, in their order, as finished futures.

        With an executor, a thread reads at most ``ahead`` tasks before their results. The end
        of the iteration cancels the running tasks. A task's ``repr`` shows everything that its
        result depends on. A kept result of another type than ``function`` returns is computed
        again. Without an executor, ``here`` replaces ``function``. Raises ``BadRequest`` if results
        can't be kept, and the errors of ``tasks`` and the budget.
        """
        if self.progress and isinstance(tasks, Sized):
            self.progress.total = len(tasks)
        if self.executor is None:
            return self._map_here(function, tasks, here or function)
        return self._map_by(self.executor, function, tasks, ahead or _TASKS_AHEAD)

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

    def _map_by(
        self, executor: Executor, function: Callable[[T], Any], tasks: Iterable[T], ahead: int
    ) -> Iterator[Future[Any]]:
        running: RunningTasks[tuple[int, str | None]] = RunningTasks(executor)
        """By number and key; without a key, the journal held the result."""
        room, is_over = threading.Semaphore(ahead), threading.Event()

        def start_all() -> None:
            end: Future[int] = Future()
            number = 0
            try:
                for task in tasks:
                    room.acquire()
                    if is_over.is_set():
                        return
                    key = self.key(function, task)
                    if (kept := self.kept(key, function)) is not None:
                        running.add((number, None), kept)
                    else:
                        running.start((number, key), function, task)
                    number += 1
                end.set_result(number)
            except BaseException as error:
                end.set_exception(error)
            running.add((_END, None), end)

        threading.Thread(target=start_all, daemon=True).start()
        done: dict[int, Future[Any]] = {}
        turn, last = 0, None
        try:
            while turn != last:
                for (number, key), future in running.wait(self.budget):
                    if number == _END:
                        last = future.result()
                    elif key is None:
                        self.count(before=True)
                    else:
                        self.take(key, future)
                    done[number] = future
                    while turn in done:
                        yield done.pop(turn)
                        turn += 1
                        room.release()
        finally:
            is_over.set()
            room.release()
            running.give_up()

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
    """A task runner that keeps results in the file ``resume``, if given. Raises ``BadRequest``."""
    if isinstance(executor, TaskRunner):  # it has everything already
        yield executor
        return
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise BadRequest(f"an executor is one of concurrent.futures, not {quote(executor)}")
    if resume is None:
        yield TaskRunner(executor, None, progress, show, budget)
        return
    from .journal import Journal  # SQLite is loaded only if necessary

    with Journal(resume) as journal:
        yield TaskRunner(executor, journal, progress, show, budget)
