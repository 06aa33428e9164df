"""What a process tells the one that watches over it, and what is known of another process.

clingo's grounder can't be stopped, takes any amount of memory and doesn't survive everything that
it is given: some rules never end, some divide in a way that the processor refuses. So work on them
is done in a process of its own, which may be ended at any moment: the command line's (see
``cli/supervisor.py``), and those of ``work/worker.py``. Where processes can't be forked (Windows),
the command line does the work where it is asked for, and nobody watches.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

CAN_FORK = hasattr(os, "fork")
END_SIGNALS = (signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if CAN_FORK else []))
"""The signals by which somebody wants a program to end."""

_pipe: int | None = None


def tell_through(pipe: int) -> None:
    """From now on, what is told goes through this pipe."""
    global _pipe
    _pipe = pipe


def tell(**what: Any) -> None:
    """Tell the process that watches over this one, if there is one.

    ``heard=True``: a signal was noticed; ``heard=False``: and it isn't the end. ``within=(TEXT,
    SECONDS)``: what is done now, and how long that may take; ``within=None``: that is over.
    ``seconds``: the time there is from now on, None for any. ``started`` and ``ended``: a process
    group that is to be killed with this process. ``hint``: why it may never end. ``over``: the exit
    code, when all is said and nothing is left but to end.
    """
    if _pipe is not None:
        with contextlib.suppress(OSError):
            os.write(_pipe, json.dumps(what).encode() + b"\n")


@contextlib.contextmanager
def within(what: str, seconds: float) -> Iterator[None]:
    """Have this process ended if what is done meanwhile takes longer than so many seconds."""
    tell(within=(what, seconds))
    try:
        yield
    finally:
        tell(within=None)


@contextlib.contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Limit the time of the code in the block, and of nothing after it."""
    tell(seconds=seconds)
    try:
        yield
    finally:
        tell(seconds=None)


def end_with(pipe: int) -> None:
    """End this process as soon as nobody has the other end of a pipe any more."""
    import _thread  # one that only waits in a system call needs nothing of what is in threading

    def wait() -> None:
        os.read(pipe, 1)
        os._exit(128 + signal.SIGKILL)

    _thread.start_new_thread(wait, ())


def machine_bytes() -> float:
    """The memory of this machine, or of the part of it that may be used here."""
    found = float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    with contextlib.suppress(OSError, ValueError):
        found = min(found, float(Path("/sys/fs/cgroup/memory.max").read_text()))
    return found


def resident_bytes(pid: int) -> int:
    """The memory that a process has in use; 0 where that can't be told (macOS)."""
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def memory_text(size: float) -> str:
    """So much memory."""
    return f"{size / 2**20:,.6g} MiB of memory"


def died_of_rules(number: int) -> bool:
    """Whether a signal is one by which a process dies of itself."""
    return number in (
        signal.SIGABRT,
        signal.SIGBUS,
        signal.SIGFPE,
        signal.SIGILL,
        signal.SIGSEGV,
    )


def death_text(number: int) -> str:
    """Why a process was ended by a signal, in a sentence."""
    name = signal.Signals(number).name
    if died_of_rules(number):
        return f"clingo didn't survive it ({name}): a number is out of range, or a term too long"
    return f"the work was ended from elsewhere ({name})"
