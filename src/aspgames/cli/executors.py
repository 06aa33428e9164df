"""Where a verb does its work: in this process, in several processes here, or on a cluster."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from ..runtime.errors import BadRequest
from .verb import MEMORY, ROOM

if TYPE_CHECKING:
    from ..runtime.budget import Budget
    from ..runtime.workers.task_runner import TaskRunner

_TABLE = float(4 << 30)  # bytes for the table of a search, as without workers
_JOBS = float(1 << 30)


@contextmanager
def executor_of(
    workers: int | None, dask: str | None, most_bytes: float | None = None
) -> Iterator[Executor | None]:
    """The executor for the options, or None. An exception cancels its tasks.

    ``most_bytes`` is the memory of each process. Raises ``BadRequest``.
    """
    if workers is not None and dask is not None:
        raise BadRequest("--workers and --dask don't go together")
    if dask is not None:
        from ..runtime.workers.dask_cluster import Cluster  # loaded only if necessary

        logging.disable()  # errors are one line here
        with Cluster(dask, most_bytes=most_bytes, warn=_warn) as cluster:
            yield cluster
    elif workers is not None:
        from ..runtime.workers.worker_pool import Workers

        with Workers(workers, most_bytes=most_bytes) as pool:
            yield pool
    else:
        yield None


def _warn(text: str) -> None:
    click.echo(f"aspgames: {text}", err=True)


@contextmanager
def way_of(
    workers: int | None,
    dask: str | None,
    resume: str | None,
    what: str,
    show: Callable[[str], None],
    budget: Budget,
) -> Iterator[TaskRunner | None]:
    """The task runner for the options, or None; ``what`` names the tasks.

    Raises ``BadRequest``.
    """
    if workers is None and dask is None and resume is None:
        yield None
        return
    from ..runtime.workers.progress import Progress
    from ..runtime.workers.task_runner import task_runner  # loaded only if necessary

    most_bytes = click.get_current_context().meta.get(MEMORY)
    with (
        executor_of(workers, dask, most_bytes) as executor,
        task_runner(executor, resume, budget, Progress(what), show) as way,
    ):
        yield way


def threads_for(threads: int | None, workers: int | None, dask: str | None) -> int | None:
    """The number of threads in each process: by default, one a core in total."""
    if threads is not None or (workers is None and dask is None):
        return threads
    return 1 if workers is None else max(1, (os.cpu_count() or 1) // max(1, workers))


def table_bytes(workers: int | None) -> float | None:
    """The default memory for a search's table in each process [bytes]."""
    if workers is None:
        return None
    from ..runtime.workers.worker_pool import share_of

    share = share_of(max(1, workers))
    return min(_TABLE, max(share / 2, share - ROOM))


def job_bytes(workers: int | None) -> float | None:
    """The same for a process that keeps its table between tasks: a smaller share."""
    if workers is None:
        return None
    from ..runtime.workers.worker_pool import share_of

    return min(_JOBS, share_of(max(1, workers)) / 4)
