"""Messages from a process to its supervisor, and facts about other processes.

clingo's grounder can't be stopped, takes any amount of memory and can crash: some rules never end,
some make the processor fail in a division. So a separate process does the work, and may be killed
at any moment. The command line (see ``cli/supervisor.py``) and ``workers/worker.py`` have such
processes. On systems without ``fork`` (Windows), the command line works without a supervisor.
"""

import contextlib
import json
import os
import select
import signal
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

CAN_FORK = hasattr(os, "fork")
END_SIGNALS = (signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if CAN_FORK else []))
"""The signals that ask a program to end."""

PATIENCE = 60.0
"""The most time between two messages of a process that saves its work [s]."""

_pipe: int | None = None


def tell_through(pipe: int) -> None:
    """Send the messages of ``tell`` through this pipe from now on."""
    global _pipe
    _pipe = pipe


def tell(**what: Any) -> None:
    """Send a message to the supervisor of this process, if there is one.

    The words of messages:

    - ``within``: the current activity and its time limit [s]; None at its end.
    - ``seconds``: the time limit from now on, or None.
    - ``hint``: why the work may never end.
    - ``started`` and ``ended``: a process group to kill with this process.
    - ``saving``: no limit on time ends the process for so long [s]; None at the end of a save.
    - ``heard``: True if the process noticed a signal, False if it continues in spite of it.
    - ``over``: the exit code, when the process only has to end.
    - ``known``: what to print if the process is killed by a limit, and by Ctrl-C; or None.
    - ``move``: a turn, and a legal move in KIF, better than the one before (see ``ggp_player``).
    - ``answer``: the number of bytes of a worker's answer, which follow.
    """
    if _pipe is not None:
        with contextlib.suppress(OSError):
            os.write(_pipe, json.dumps(what).encode() + b"\n")


def within(what: str, seconds: float) -> AbstractContextManager[None]:
    """End this process if the code in the block takes longer than ``seconds`` seconds."""
    return _telling(within=(what, seconds))


def saving() -> AbstractContextManager[None]:
    """Let no limit on time end this process while the code in the block saves work.

    Call ``still_saving`` regularly in it, so that a process that hangs is ended.
    """
    return _telling(saving=PATIENCE)


def still_saving() -> None:
    """Tell the supervisor that a save continues."""
    tell(saving=PATIENCE)


def if_killed(by_limit: str, by_interrupt: str) -> AbstractContextManager[None]:
    """Let the supervisor print what is known if it kills this process in the block.

    These texts must be there before it does; empty ones aren't sent.
    """
    return _telling(known=(by_limit, by_interrupt)) if by_limit else contextlib.nullcontext()


def time_limit(seconds: float | None) -> AbstractContextManager[None]:
    """Limit the time of the code in the block only."""
    return _telling(seconds=seconds)


@contextlib.contextmanager
def _telling(**what: Any) -> Iterator[None]:
    """Send a message, and its end after the block."""
    tell(**what)
    try:
        yield
    finally:
        tell(**dict.fromkeys(what))


def end_with(pipe: int) -> None:
    """End this process when the other end of a pipe is closed. Nothing is read from the pipe."""
    import _thread  # loads faster than threading, and is enough to wait in a system call

    def wait() -> None:
        poll = select.poll()
        poll.register(pipe, 0)  # only the end is an event
        poll.poll()
        os._exit(128 + signal.SIGKILL)

    _thread.start_new_thread(wait, ())


def machine_bytes() -> float:
    """The memory of this machine, or of this control group if that is less [bytes]."""
    found = float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    with contextlib.suppress(OSError, ValueError):
        found = min(found, float(Path("/sys/fs/cgroup/memory.max").read_text()))
    return found


def resident_bytes(pid: int) -> int:
    """The memory that a process uses [bytes]; 0 if unknown (macOS)."""
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def memory_text(size: float) -> str:
    """An amount of memory in words."""
    return f"{size / 2**20:,.6g} MiB of memory"


def died_of_rules(number: int) -> bool:
    """Whether a signal means that the process crashed."""
    return number in (signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGSEGV)


def death_text(number: int) -> str:
    """A sentence about the signal that ended a process."""
    name = signal.Signals(number).name
    if died_of_rules(number):
        return f"clingo didn't survive it ({name}): a number is out of range, or a term too long"
    why = ": the system does so when memory runs out" if name == "SIGKILL" else ""
    return f"the work was ended from elsewhere ({name}){why}"
