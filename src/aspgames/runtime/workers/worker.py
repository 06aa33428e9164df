"""A worker: a process that does one task at a time, and may be killed at any moment."""

import contextlib
import gc
import json
import math
import os
import pickle
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError
from typing import Any

from ..child_process import ChildProcess
from ..errors import LimitReached, RulesError
from ..process_messages import (
    CAN_FORK,
    death_text,
    died_of_rules,
    end_with,
    resident_bytes,
    tell,
    tell_through,
)
from ..watchdog import LOOK, Watchdog

_SETTLED_TASKS = 16  # tasks after which a process is restarted at half of its memory limit
_COLLECTION_OBJECTS = 20_000  # new objects between two garbage collections; by default 700
_ATTEMPTS = 3  # attempts at a task whose process other programs kill
_START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv.pop()); "
    "from aspgames.runtime.workers.worker import main; main()"
)


def main() -> None:
    """Do the tasks from standard input, and end at its end."""
    gc.set_threshold(_COLLECTION_OBJECTS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process handles Ctrl-C
    answers = os.dup(1)
    os.dup2(2, 1)  # printed text is not an answer
    tell_through(answers)
    if CAN_FORK:
        end_with(0)  # even in the middle of a task
    ended = contextlib.suppress(EOFError, pickle.UnpicklingError, OSError)  # so has the parent
    with ended, open(0, "rb", closefd=False) as tasks, open(answers, "wb") as sink:
        while True:
            answer = _answer(pickle.load(tasks))
            tell(answer=len(answer))
            sink.write(answer)
            sink.flush()
    os._exit(0)


def _answer(task: bytes) -> bytes:
    try:
        function, arguments, named = pickle.loads(task)
        return pickle.dumps((True, function(*arguments, **named)))
    except Exception as error:
        try:
            answer = pickle.dumps((False, error))
            pickle.loads(answer)  # some exceptions can't be unpickled
        except Exception:
            return pickle.dumps((False, RuntimeError(repr(error))))
        return answer


class Worker:
    """Does tasks in a process that starts with the first task.

    The process has limits: the memory from the caller, and the time from the caller or from the
    task itself (see ``tell``). A task that exceeds them ends with ``LimitReached``. If another
    program kills the process, a new one begins the task again, at most twice.
    """

    def __init__(
        self,
        most_bytes: float = math.inf,
        *,
        keeps_state: bool = False,
        hears: Callable[[Mapping[str, Any]], None] = lambda _message: None,
    ) -> None:
        """``hears`` gets the messages of tasks that limit nothing.

        With ``keeps_state``, later tasks need what earlier ones leave in the process: no new
        process takes its place.
        """
        self.most_bytes = most_bytes
        """The memory limit of the process [bytes]."""
        self._keeps_state, self._hears = keeps_state, hears
        self._child: ChildProcess | None = None
        self._is_closed = False

    def call(
        self,
        function: Callable[..., Any],
        arguments: Sequence[Any],
        named: Mapping[str, Any],
        is_wanted: Callable[[], bool] = lambda: True,
        seconds: float | None = None,
    ) -> Any:
        """Call an importable function in the process; returns or raises what the function does.

        ``is_wanted`` is called now and then; False ends the task with ``CancelledError``. Raises
        ``LimitReached`` for a task that exceeds a limit, or whose process is killed again and
        again, and ``RulesError`` for a task that crashes its process.
        """
        is_good, result = pickle.loads(
            self.answer(pickle.dumps((function, arguments, named)), is_wanted, seconds)
        )
        if is_good:
            return result
        raise result

    def answer(
        self, task: bytes, is_wanted: Callable[[], bool], seconds: float | None = None
    ) -> bytes:
        """``call`` for a pickled task; returns whether it succeeded and its result, pickled.

        Raises the errors of ``call`` itself.
        """
        code, attempts = 0, 1 if self._keeps_state else _ATTEMPTS
        for _ in range(attempts):
            if self._is_closed:
                raise CancelledError
            child = self._child or self._start()
            try:
                answer = self._ask(child, task, is_wanted, seconds)
            except EOFError:
                code = self._end()
                if self._is_closed:
                    raise CancelledError from None
                if code < 0 and died_of_rules(-code):
                    raise RulesError(death_text(-code)) from None
                continue
            except (LimitReached, CancelledError):
                self._end()
                raise
            self._done += 1
            most = self.most_bytes / (1 + (self._done >= _SETTLED_TASKS))
            if not self._keeps_state and resident_bytes(child.pid) > most:
                self._end()  # clingo never frees terms
            return answer
        how = death_text(-code) if code < 0 else "the process that does the work ended"
        raise LimitReached(how if attempts == 1 else f"{how}, {attempts} times")

    def stop(self) -> None:
        """Kill the process, whatever it is doing. Another thread may call this."""
        self._is_closed = True
        child = self._child
        if child is not None:
            child.kill()

    def close(self) -> None:
        """Kill the process, and wait for its end."""
        self._is_closed = True
        self._end()

    def _start(self) -> ChildProcess:
        try:
            self._child = ChildProcess([sys.executable, "-P", "-c", _START, json.dumps(sys.path)])
        except OSError as error:
            raise LimitReached(f"no process can be started: {error.strerror}") from None
        self._watchdog = Watchdog(None, self.most_bytes)
        self._done = 0
        if self._is_closed:  # closed meanwhile
            self._child.kill()
        return self._child

    def _end(self) -> int:
        child, self._child = self._child, None
        if child is None:
            return 0
        code = child.close()
        self._watchdog.kill_groups()
        return code

    def __del__(self) -> None:
        with contextlib.suppress(AttributeError):
            self._end()

    def _ask(
        self, child: ChildProcess, task: bytes, is_wanted: Callable[[], bool], seconds: float | None
    ) -> bytes:
        """The answer of the process. Raises ``LimitReached``, ``CancelledError``, ``EOFError``.

        A note of ``LimitReached`` has what the process knows by then (see ``if_killed``).
        """
        self._watchdog.most_bytes = self.most_bytes
        self._watchdog.begin(seconds)
        child.send(pickle.dumps(task))
        size: int | None = None
        known: Sequence[str] | None = None
        while True:
            child.receive(LOOK)
            while size is None and (line := child.take_line()) is not None:
                message = self._watchdog.hear(line)
                self._hears(message)
                size, known = message.get("answer"), message.get("known", known)
            if size is not None and len(child.received) >= size:
                return child.take(size)
            if trouble := self._watchdog.trouble(child.pid):
                if known:
                    trouble.add_note(known[0])
                raise trouble
            if not is_wanted():
                raise CancelledError
