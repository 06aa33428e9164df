"""A child process: start it, exchange bytes with deadlines, and kill it with its children."""

import contextlib
import math
import os
import select
import signal
import subprocess
from collections import deque
from collections.abc import Sequence

from .process_messages import CAN_FORK

_CHUNK_BYTES = 1 << 16  # bytes sent or received at a time
_COMPLAINT_BYTES = 1 << 12  # bytes of standard error to keep


class ChildProcess:
    """A program in its own process group, so that a terminal's Ctrl-C doesn't reach it.

    Whatever the program does (ignore its input, flood, hang, die), no call blocks longer than its
    deadline. On Windows, where pipes have no deadlines, ``send`` and ``receive`` block.
    """

    def __init__(self, words: Sequence[str], *, stderr: int | None = None) -> None:
        """Start the program; ``stderr`` is as for ``subprocess``. Raises ``OSError``."""
        self._process = subprocess.Popen(
            words,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            start_new_session=CAN_FORK,
        )
        assert self._process.stdin
        assert self._process.stdout
        self._input, self._output = self._process.stdin.fileno(), self._process.stdout.fileno()
        self._errors = self._process.stderr.fileno() if self._process.stderr else None
        self.received = bytearray()
        """The output that no call has taken yet."""
        self.complaint = b""
        """The end of its standard error, if that is a pipe."""
        self._is_closed = False
        self._unsent: deque[memoryview] = deque()
        if CAN_FORK:
            self._poll = select.poll()
            self._poll.register(self._output, select.POLLIN)
            os.set_blocking(self._input, False)
            if self._errors is not None:
                self._poll.register(self._errors, select.POLLIN)
                os.set_blocking(self._errors, False)

    @property
    def pid(self) -> int:
        """The id of the process and of its group."""
        return self._process.pid

    def send(self, data: bytes) -> None:
        """Send bytes; ``receive`` sends the rest while it waits.

        A program that has ended gets nothing.
        """
        self._unsent.append(memoryview(data))
        self._send_what_is_read()

    def receive(self, seconds: float) -> None:
        """Wait at most so long for output, and add it to ``received``.

        Raises ``EOFError`` at the end of the output.
        """
        ready = self._wait(seconds) if CAN_FORK else [self._output]
        if self._input in ready:
            self._send_what_is_read()
        if self._errors in ready:
            self._read_errors()
        if self._output in ready:
            found = os.read(self._output, _CHUNK_BYTES)
            if not found:
                raise EOFError
            self.received += found

    def take_line(self, most: float = math.inf) -> bytes | None:
        """Take a line off ``received``, or all of it if no line ends within ``most`` bytes."""
        end = self.received.find(b"\n") + 1
        if not end and len(self.received) < most:
            return None
        return self.take(end or len(self.received))

    def take(self, size: int) -> bytes:
        """Take the first bytes off ``received``."""
        found = bytes(self.received[:size])
        del self.received[:size]
        return found

    def close_input(self) -> None:
        """Close the program's input."""
        self._unsent.clear()
        assert self._process.stdin
        with contextlib.suppress(OSError):
            self._process.stdin.close()

    def exit_code(self, seconds: float) -> int | None:
        """The exit code, as in ``subprocess``; None if the program still runs after the time."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
            self._read_errors()
        return self._process.returncode

    def kill(self) -> None:
        """Kill the program and its children. Another thread may call it."""
        with contextlib.suppress(OSError):
            if self._is_closed:
                return
            if CAN_FORK:
                os.killpg(self.pid, signal.SIGKILL)
            else:
                self._process.kill()

    def close(self) -> int:
        """Kill the program and its children, and close the pipes; returns the exit code."""
        self.kill()
        self._is_closed = True
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        return self._process.wait()

    def _wait(self, seconds: float) -> list[int]:
        sends = bool(self._unsent)
        if sends:
            self._poll.register(self._input, select.POLLOUT)
        ready = self._poll.poll(1000 * seconds)
        if sends:
            self._poll.unregister(self._input)
        return [pipe for pipe, _ in ready]

    def _send_what_is_read(self) -> None:
        try:
            while self._unsent:
                left = self._unsent[0]
                self._unsent[0] = left[os.write(self._input, left[:_CHUNK_BYTES]) :]
                if not self._unsent[0]:
                    self._unsent.popleft()
        except BlockingIOError:
            return
        except OSError:  # the program has closed its input
            self._unsent.clear()

    def _read_errors(self) -> None:
        """Add the available standard error to ``complaint``."""
        if self._errors is None:
            return
        with contextlib.suppress(BlockingIOError):
            while found := os.read(self._errors, _CHUNK_BYTES):
                self.complaint = (self.complaint + found)[-_COMPLAINT_BYTES:]
            self._poll.unregister(self._errors)  # the end of standard error
            self._errors = None
