"""A worker: a process of its own that does one task at a time, and may be ended at any moment."""

from __future__ import annotations

import contextlib
import json
import math
import os
import pickle
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError
from typing import Any

from ..errors import LimitReached, RulesError
from ..process_messages import CAN_FORK, death_text, died_of_rules, resident_bytes
from ..watchdog import LOOK, Limits
from .worker_process import ANSWER, LENGTH

_SETTLED = 16  # tasks, after which a process that is large has grown
_ATTEMPTS = 3  # at a task whose process is ended from elsewhere
_START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv.pop()); "
    "from aspgames.runtime.workers.worker_process import main; main()"
)


class _Ended(Exception):
    """The process is no more, and this was no wish of ours."""


class Worker:
    """Does tasks in a process that starts with the first of them.

    The process has no more memory than it is given, and of time what the task is given, or says
    itself that it needs (see ``tell``); a task that takes more is ended, and ``LimitReached``
    raised. When the process is ended from elsewhere, the task is begun again in a new one, twice.
    """

    def __init__(self, most_bytes: float = math.inf) -> None:
        self.most_bytes = most_bytes
        """The memory that its process may take."""
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False
        self._groups: set[int] = set()
        """What the process has started, and is to end with it."""

    def call(
        self,
        function: Callable[..., Any],
        arguments: Sequence[Any],
        named: Mapping[str, Any],
        is_wanted: Callable[[], bool] = lambda: True,
        seconds: float | None = None,
    ) -> Any:
        """What the function returns there, or raises.

        ``is_wanted`` is asked now and then; as soon as it says no, the task is ended. So it is
        when it takes more than so many seconds.

        Raises ``LimitReached`` if the task takes too much or its process is ended again and again,
        ``RulesError`` if it kills the process, and ``CancelledError`` if it isn't wanted any more,
        and after ``stop``.
        """
        good, result = pickle.loads(
            self.answer(pickle.dumps((function, arguments, named)), is_wanted, seconds)
        )
        if good:
            return result
        raise result

    def answer(
        self, task: bytes, is_wanted: Callable[[], bool], seconds: float | None = None
    ) -> bytes:
        """The same of a pickled task: whether it went well with what came of it, pickled.

        Raises what ``call`` does of itself.
        """
        code = 0
        for _ in range(_ATTEMPTS):
            if self._closed:
                raise CancelledError
            process = self._process or self._start()
            try:
                answer = self._ask(process, task, is_wanted, Limits(seconds, self.most_bytes))
            except _Ended:
                code = self._end()
                if self._closed:
                    raise CancelledError from None
                if code < 0 and died_of_rules(-code):
                    raise RulesError(death_text(-code)) from None
                continue
            except (LimitReached, CancelledError):
                self._end()
                raise
            self._done += 1
            if resident_bytes(process.pid) > self.most_bytes / (1 + (self._done >= _SETTLED)):
                self._end()  # clingo never gives back the memory of what it has seen
            return answer
        raise LimitReached(_gone(code))

    def stop(self) -> None:
        """End the process, whatever it is doing. May be called from another thread."""
        self._closed = True
        process = self._process
        if process is not None:
            with contextlib.suppress(OSError):
                process.kill()

    def close(self) -> None:
        """End the process, and wait until it has ended. It does nothing now."""
        self._closed = True
        self._end()

    def _start(self) -> subprocess.Popen[bytes]:
        """Start the process: in a group of its own, so that Ctrl-C isn't its affair."""
        self._heard, self._done = bytearray(), 0
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _START, json.dumps(sys.path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise LimitReached(f"no process can be started: {error.strerror}") from None
        if self._closed:  # meanwhile
            self._process.kill()
        return self._process

    def _end(self) -> int:
        """End the process; returns its exit code."""
        process, self._process = self._process, None
        if process is None:
            return 0
        process.kill()
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                assert pipe
                pipe.close()
        code = process.wait()
        for group in self._groups:
            with contextlib.suppress(OSError):
                os.killpg(group, signal.SIGKILL)
        self._groups.clear()
        return code

    def __del__(self) -> None:
        with contextlib.suppress(AttributeError):
            self._end()

    def _ask(
        self,
        process: subprocess.Popen[bytes],
        task: bytes,
        is_wanted: Callable[[], bool],
        limits: Limits,
    ) -> bytes:
        """The answer of the process. Raises ``LimitReached``, ``CancelledError`` and ``_Ended``."""
        assert process.stdin
        assert process.stdout
        left = memoryview(LENGTH.pack(len(task)) + task)
        try:
            while left:
                left = left[os.write(process.stdin.fileno(), left) :]
        except OSError:
            raise _Ended from None
        answers = process.stdout.fileno()
        while True:
            while (answer := _next(self._heard)) is not None:
                if answer.startswith(ANSWER):
                    return answer[len(ANSWER) + LENGTH.size :]
                told = limits.hear(answer)
                self._groups |= {told["started"]} if "started" in told else set()
                self._groups -= {told.get("ended", 0)}
            if _has_something(answers):
                heard = os.read(answers, 1 << 20)
                if not heard:
                    raise _Ended
                self._heard += heard
            elif trouble := limits.trouble(process.pid):
                raise trouble
            elif not is_wanted():
                raise CancelledError


def _next(heard: bytearray) -> bytes | None:
    """Take the next whole line or answer off what was heard; None if there is none yet."""
    if heard.startswith(ANSWER):
        begin = len(ANSWER) + LENGTH.size
        if len(heard) < begin:
            return None
        end = begin + LENGTH.unpack(heard[len(ANSWER) : begin])[0]
    else:
        end = heard.find(b"\n") + 1
    if not end or len(heard) < end:
        return None
    found = bytes(heard[:end])
    del heard[:end]
    return found


def _has_something(descriptor: int) -> bool:
    """Wait a moment for something to read; where pipes can't be asked, it is waited for at once."""
    if not CAN_FORK:
        return True
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(LOOK * 1000))


def _gone(code: int) -> str:
    """What is said of a process that ended again and again."""
    if code < 0:
        return f"{death_text(-code)}, {_ATTEMPTS} times"
    return f"the process that does the work ended, {_ATTEMPTS} times"
