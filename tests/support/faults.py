"""Faults that tests cause: a process that is killed, a disk that is full."""

import os
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any
from unittest.mock import patch


def killed(steps: int, run: Callable[[Callable[..., None]], object]) -> bool:
    """Whether ``run(step)`` in a child process called ``step`` more often; it is then killed."""
    pid = os.fork()
    if not pid:
        signal.alarm(60)  # a child may wait for a lock that a thread of its parent holds
        left = iter(range(steps))

        def step(*_: object) -> None:
            if next(left, None) is None:
                os.kill(os.getpid(), signal.SIGKILL)

        try:
            run(step)
            os._exit(0)
        finally:
            os._exit(1)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    assert code in (0, -signal.SIGKILL)
    return code != 0


def at_each_line(step: Callable[..., None], *functions: Callable[..., Any]) -> None:
    """Call ``step`` before each line of these Python functions, from now on."""
    codes: set[CodeType] = {function.__code__ for function in functions}

    def trace(frame: FrameType, event: str, _argument: object) -> Any:
        if event == "line":
            step()
        return trace if frame.f_code in codes else None

    sys.settrace(trace)


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """No file may exceed this size [bytes]."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    # A compiled Python file would be cut off, and later count as complete.
    with patch("sys.dont_write_bytecode", True):
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
