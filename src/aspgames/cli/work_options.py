"""Options for the processes and the limits of long work."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import click

from ..runtime.budget import Budget, resume, stop
from ..runtime.errors import BadRequest, Interrupted, LimitReached, OutOfTime
from ..runtime.json_lines import JsonObject, read_lines
from ..runtime.process_messages import tell
from .files import opened, standard_input, standard_input_of_its_own
from .output import Show, status_line, warn
from .parameters import TIME
from .verb import MEMORY, ROOM, ParameterGroup, option

# What short work doesn't need is imported in functions.
if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ..game.game import Game
    from ..puzzle.many_puzzles import Line, PuzzleWork
    from ..runtime.workers.task_runner import TaskRunner

_TABLE_BYTES = float(4 << 30)  # bytes for the table of a search, as without workers
_JOB_TABLE_BYTES = float(1 << 30)


@contextlib.contextmanager
def stoppable() -> Iterator[None]:
    """Let Ctrl-C stop the current search; a second Ctrl-C raises ``Interrupted``.

    Searches treat an interruption as a result, so the second one is also raised at the end.
    """
    times = 0

    def pressed(*_: object) -> None:
        nonlocal times
        times += 1
        tell(heard=True)
        stop()

    try:
        before = signal.signal(signal.SIGINT, pressed)
    except ValueError:  # not the main thread: it has no signals to handle
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        resume()
    if times > 1:
        raise Interrupted
    if times:
        tell(heard=False)


THREADS = option(
    "--threads N", "Share the work between N threads, with the same result; default: one a core."
)
"""A field for the number of threads."""

REASONER = option(
    "--reasoner",
    "clingo state by state, or a net for thousands of states at a time; default: the faster.",
    type=click.Choice(["grounder", "propnet"]),
)
"""A field for the choice between clingo and the net."""


def resume_option(text: str = "Keep results in FILE, and continue with those it holds.") -> Any:
    """A field for a file that keeps results."""
    return option("--resume FILE", text)


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

    @contextmanager
    def executor(self, most_bytes: float | None = None) -> Iterator[Executor | None]:
        """The executor; None if this process does the work. An exception cancels its tasks.

        Each process may use ``most_bytes``, by default the value of ``--memory``. Raises
        ``BadRequest``.
        """
        limit = most_bytes or click.get_current_context().meta.get(MEMORY)
        if self.workers is not None and self.dask is not None:
            raise BadRequest("--workers and --dask don't go together")
        if self.dask is not None:
            import logging

            from ..runtime.workers.dask_cluster import Cluster

            logging.disable()  # errors are one line here
            with Cluster(self.dask, most_bytes=limit, warn=warn) as cluster:
                yield cluster
        elif self.workers is not None:
            from ..runtime.workers.worker_pool import Workers

            with Workers(self.workers, most_bytes=limit) as pool:
                yield pool
        else:
            yield None

    @contextmanager
    def way(
        self, resume: str | None, what: str, show: Show, budget: Budget
    ) -> Iterator[TaskRunner | None]:
        """The task runner, or None; ``what`` names the tasks. Raises ``BadRequest``."""
        if not self.given and resume is None:
            yield None
            return
        from ..runtime.workers.task_runner import Progress, task_runner

        with (
            self.executor() as executor,
            task_runner(executor, resume, budget, Progress(what), show) as way,
        ):
            yield way

    def answers(
        self,
        stream: IO[bytes],
        work: PuzzleWork,
        executor: Executor | None,
        resume: str | None,
        show: Show,
        *,
        counts: bool = False,
    ) -> Iterator[tuple[int, bytes | None, JsonObject]]:
        """Each line of a stream that isn't blank, with its number and the answer to its puzzle.

        With ``counts``, the progress text has the number of lines.
        """
        from ..puzzle.many_puzzles import answer_puzzles

        total = sum(1 for _ in numbered_lines(stream)) if counts else None
        if counts:
            stream.seek(0)
        lines = numbered_lines(stream)
        return answer_puzzles(lines, work, executor=executor, resume=resume, show=show, total=total)

    def threads_each(self, threads: int | None) -> int | None:
        """The threads of each process: by default, one a core in total."""
        if threads is not None or not self.given:
            return threads
        return 1 if self.workers is None else max(1, (os.cpu_count() or 1) // max(1, self.workers))

    def table_bytes(self, is_kept: bool = False) -> float | None:
        """The default memory for a search's table in each process [bytes].

        A table that is kept between tasks gets a smaller share.
        """
        if self.workers is None:
            return None
        from ..runtime.workers.worker_pool import share_of

        share = share_of(max(1, self.workers))
        return (
            min(_JOB_TABLE_BYTES, share / 4)
            if is_kept
            else min(_TABLE_BYTES, max(share / 2, share - ROOM))
        )

    def lines_of(self, name: str, game: Game | None = None) -> AbstractContextManager[IO[bytes]]:
        """A file of puzzles to read during the work ('-': standard input).

        EPD is read as JSON lines: a file whose name says so, and any if ``game`` is given. Raises
        ``BadRequest``.
        """
        from ..play.formats.position_lines import EPD
        from ..play.formats.record_lines import JSON_LINES

        is_input = name == "-"
        if game and name.lower().endswith(JSON_LINES.endings):
            raise BadRequest(f"GAME is that of puzzles in EPD; the puzzles in {name} name theirs")
        own = self.given and is_input
        plain = standard_input_of_its_own() if own else standard_input() if is_input else None
        stream: IO[bytes] = plain or opened(name, "rb")
        if game or (not is_input and name.lower().endswith(EPD.endings)):
            from .epd_puzzles import EpdPuzzles  # loaded only if necessary

            stream = EpdPuzzles(stream, game)  # type: ignore[assignment]
        return nullcontext(stream) if is_input else stream


def numbered_lines(stream: IO[bytes]) -> Iterator[Line]:
    """The lines that aren't blank."""
    for number, line in enumerate(read_lines(stream), start=1):
        if line is None or line.strip():
            yield number, line


class LongRun(NamedTuple):
    """Long work in progress."""

    show: Show
    way: TaskRunner | None
    """The map over tasks; None if this process does the work without keeping results."""
    budget: Budget

    def counting(self, text: Callable[[int], str]) -> Callable[[int], None]:
        """A function that shows a growing number; does nothing if the map shows its tasks."""
        return lambda number: None if self.way else self.show(text(number))


class RunOptions(WorkerOptions):
    """Options for work: the reasoner, threads, processes and time."""

    reasoner: str | None = REASONER
    threads: int | None = THREADS
    seconds: float | None = TIME

    @contextmanager
    def run(self, tasks: str, resume: str | None = None) -> Iterator[LongRun]:
        """Begin work in ``tasks``, their name in the progress text. The first Ctrl-C stops it."""
        budget = Budget(self.seconds)
        with status_line() as show, stoppable(), self.way(resume, tasks, show, budget) as way:
            yield LongRun(show, way, budget)


class ResumableRunOptions(RunOptions):
    """The options of ``RunOptions``, and a file that keeps results."""

    resume: str | None = resume_option()


@contextmanager
def continued_later(seconds: float | None) -> Iterator[None]:
    """Add to an ``OutOfTime`` error that the same command continues; add notes to any limit."""
    try:
        yield
    except LimitReached as error:
        stopped = str(error)
        if isinstance(error, OutOfTime):
            stopped = (
                f"not finished within {seconds:g} seconds: the same command continues from here"
            )
        raise type(error)("; ".join([stopped, *getattr(error, "__notes__", ())])) from None
