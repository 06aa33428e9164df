"""Work in several threads: they run in parallel, since the kernel releases Python's lock."""

import os
import time
from collections.abc import Callable, Iterable, Sequence
from threading import Event, Lock
from typing import Protocol, TypeVar

from ..runtime.budget import unbroken
from ..runtime.call_arguments import whole_number

T = TypeVar("T")

_MOST_THREADS = 1024  # threads
_PAUSE_SECONDS = 0.005  # seconds between two looks at the budget


class Job(Protocol):
    """Work in steps of a few milliseconds."""

    def step(self) -> bool:
        """Do one step; returns whether work is left."""


def number_of(threads: int | None) -> int:
    """The number of threads to use: the given number, or one for each core.

    Raises ``BadRequest`` for anything but a whole number from 1 to 1024.
    """
    if threads is None:
        try:
            return len(os.sched_getaffinity(0))
        except AttributeError:  # not on every system
            return os.cpu_count() or 1
    return whole_number(threads, "threads", 1, _MOST_THREADS)


def run(jobs: Iterable[Job], threads: int, check: Callable[[], None]) -> None:
    """Do all jobs. The calling thread calls ``check`` regularly; an exception in it ends the
    work."""
    if threads == 1:
        due = 0.0
        for job in jobs:
            while job.step():
                if time.monotonic() >= due:
                    check()
                    due = time.monotonic() + _PAUSE_SECONDS
        check()
        return
    from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

    waiting, lock, stop = iter(jobs), Lock(), Event()

    def work() -> None:
        while not stop.is_set():
            with lock:
                job = next(waiting, None)
            if job is None:
                return
            while not stop.is_set() and job.step():
                pass

    with ThreadPoolExecutor(threads) as pool:
        try:
            with unbroken():
                running = {pool.submit(work) for _ in range(threads)}
            while running:
                ended, running = wait(running, _PAUSE_SECONDS, FIRST_EXCEPTION)
                for future in ended:
                    future.result()
                check()
        finally:
            stop.set()


def side_by_side(work: Callable[[int, int], T], parts: Sequence[tuple[int, int]]) -> list[T]:
    """Do the parts of a task, each in a thread, for tasks too short to be stopped."""
    if len(parts) == 1:
        return [work(*parts[0])]
    from concurrent.futures import ThreadPoolExecutor

    with unbroken(), ThreadPoolExecutor(len(parts) - 1) as pool:
        others = [pool.submit(work, *part) for part in parts[1:]]
        return [work(*parts[0]), *(other.result() for other in others)]
