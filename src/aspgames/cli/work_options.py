"""Options for the processes and the limits of long work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import click

from ..runtime.budget import Budget
from ..runtime.errors import OutOfTime
from .executors import executor_of, threads_for, way_of
from .files import opened, standard_input, standard_input_of_its_own
from .output import Show, status_line
from .parameters import time_option
from .signals import stoppable
from .verb import MEMORY, ParameterGroup, option

if TYPE_CHECKING:
    from ..runtime.workers.task_runner import TaskRunner


def threads_option() -> Any:
    """A field for the number of threads."""
    return option(
        "--threads N",
        "Share the work between N threads, with the same result; default: one a core.",
    )


def reasoner_option() -> Any:
    """A field for the choice between clingo and the net."""
    return option(
        "--reasoner",
        "clingo state by state, or a net for thousands of states at a time; default: the faster.",
        type=click.Choice(["grounder", "propnet"]),
    )


def resume_option(told: str = "Keep results in FILE, and continue with those it holds.") -> Any:
    """A field for a file that keeps results."""
    return option("--resume FILE", told)


class WorkerOptions(ParameterGroup):
    """The options ``--workers`` and ``--dask``."""

    workers: int | None = option(
        "--workers N", "Share the work between N processes, with the same result."
    )
    dask: str | None = option(
        "--dask ADDRESS",
        "Share the work on the Dask cluster with this scheduler, such as tcp://host:8786, "
        "with the same result.",
    )

    @property
    def given(self) -> bool:
        """Whether other processes do the work."""
        return self.workers is not None or self.dask is not None

    def executor(self, most_bytes: float | None = None) -> AbstractContextManager[Executor | None]:
        """The executor; None if this process does the work. Raises ``BadRequest``.

        Each process may use ``most_bytes``, by default the value of ``--memory``.
        """
        limit = most_bytes or click.get_current_context().meta.get(MEMORY)
        return executor_of(self.workers, self.dask, limit)

    def threads_each(self, threads: int | None) -> int | None:
        """The threads of each process."""
        return threads_for(threads, self.workers, self.dask)

    def lines_of(self, name: str) -> AbstractContextManager[IO[bytes]]:
        """A file to read during the work ('-': standard input). Raises ``BadRequest``."""
        if name != "-":
            return opened(name, "rb")
        return nullcontext(standard_input_of_its_own() if self.given else standard_input())


class LongRun(NamedTuple):
    """Long work in progress."""

    show: Show
    """Shows the progress."""
    way: TaskRunner | None
    """The map over tasks; None if this process does the work without keeping results."""
    budget: Budget

    def counting(self, text: Callable[[int], str]) -> Callable[[int], None]:
        """A function that shows a growing number; does nothing if the map shows its tasks."""
        return lambda number: None if self.way else self.show(text(number))


class RunOptions(WorkerOptions):
    """Options for work: the reasoner, threads, processes and time."""

    reasoner: str | None = reasoner_option()
    threads: int | None = threads_option()
    seconds: float | None = time_option()

    @contextmanager
    def run(self, tasks: str, resume: str | None = None) -> Iterator[LongRun]:
        """Begin work in ``tasks``, their name in the progress text. The first Ctrl-C stops it."""
        budget = Budget(self.seconds)
        with (
            status_line() as show,
            stoppable(),
            way_of(self.workers, self.dask, resume, tasks, show, budget) as way,
        ):
            yield LongRun(show, way, budget)


class ResumableRunOptions(RunOptions):
    """The same options, and a file that keeps results."""

    resume: str | None = resume_option()


@contextmanager
def continued_later(seconds: float | None) -> Iterator[None]:
    """Add to an ``OutOfTime`` error that the same command continues the work."""
    try:
        yield
    except OutOfTime:
        raise OutOfTime(
            f"not finished within {seconds:g} seconds: the same command continues from here"
        ) from None
