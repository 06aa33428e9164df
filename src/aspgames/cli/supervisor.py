"""The command line runs in two processes: a supervisor, and its child, which does the work.

The supervisor kills a child that exceeds its time or memory or ignores Ctrl-C, and prints the
reason in one line. Both share terminal, input and output. The child sends messages through a pipe
(see ``process_messages.tell``).
"""

import contextlib
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

from ..runtime.process_messages import (
    CAN_FORK,
    END_SIGNALS,
    death_text,
    died_of_rules,
    end_with,
    machine_bytes,
    tell_through,
)
from ..runtime.watchdog import LOOK, Watchdog
from .exit_codes import BAD_INPUT, INTERRUPTED, UNDECIDED, fail

_UNHEARD_SECONDS = 0.8  # seconds until a child that doesn't notice Ctrl-C is killed
_SLOW_SECONDS = 5.0  # seconds until a child that has noticed Ctrl-C is killed
_TERMINAL_SECONDS = 0.05  # seconds in which a terminal's own Ctrl-C reaches the child
_SHARE_OF_MEMORY = 0.75  # of the machine's memory, by default


def supervise(
    seconds: float | None = None, most_bytes: float | None = None, late: float | None = None
) -> int | None:
    """Fork a child with limits on time and memory; the child does the work.

    ``late`` is the extra time to end by itself [s]; see ``Watchdog``.

    In the child, and on systems without ``fork``, returns None. In the parent, waits for the
    child's end and returns the program's exit code. If the child was killed, standard error has the
    reason.
    """
    if not CAN_FORK:
        return None
    hears, tells = os.pipe()
    waits, lives = os.pipe()
    signal.pthread_sigmask(signal.SIG_BLOCK, END_SIGNALS)  # until both processes handle them
    pid = os.fork()
    if not pid:
        os.close(hears)
        os.close(lives)
        tell_through(tells)
        end_with(waits)
        for number in END_SIGNALS:  # they also end the processes that the child has started
            signal.signal(number, signal.getsignal(signal.SIGINT))
        signal.pthread_sigmask(signal.SIG_UNBLOCK, END_SIGNALS)
        return None
    os.close(tells)
    os.close(waits)
    watchdog = Watchdog(seconds, most_bytes or _SHARE_OF_MEMORY * machine_bytes(), late)
    return _Supervisor(pid, hears, watchdog).exit_code()


class _Supervisor:
    def __init__(self, pid: int, hears: int, watchdog: Watchdog) -> None:
        self._pid, self._hears = pid, hears
        os.set_blocking(hears, False)
        self._heard = b""
        self._watchdog = watchdog
        self._over: int | None = None
        """The exit code, once the child only has to end; freeing memory may take seconds."""
        self._known: tuple[str, str] | None = None  # what to print if the child is killed
        self._wish: int | None = None  # the signal that asks the program to end, and its time:
        self._since = 0.0
        self._settings = _terminal_settings()

    def exit_code(self) -> int:
        woken = _wake_for_signals(self._wished)
        while True:
            select.select([woken, self._hears], [], [], _TERMINAL_SECONDS if self._wish else LOOK)
            with contextlib.suppress(BlockingIOError):
                os.read(woken, 1 << 10)
            self._listen()
            ended, status = os.waitpid(self._pid, os.WNOHANG)
            if ended:
                return self._ended(os.waitstatus_to_exitcode(status))
            limit = None if self._wish else self._watchdog.trouble(self._pid)
            trouble = self._heed(self._wish) if self._wish else limit and (str(limit), UNDECIDED)
            if trouble:
                os.kill(self._pid, signal.SIGKILL)
                os.waitpid(self._pid, 0)
                self._clear_away()
                if self._known and self._known[0] and self._over is None:
                    with contextlib.suppress(OSError):
                        os.write(1, (self._known[bool(self._wish)] + "\n").encode())
                code = fail(*trouble) if self._over is None else self._over
                return self._as_wished(code)

    def _wished(self, number: int, _frame: FrameType | None) -> None:
        now = time.monotonic()
        if not self._wish or now > self._since + _UNHEARD_SECONDS:  # not the same key once more
            self._wish, self._since = number, now
            self._sent = self._noticed = False

    def _listen(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while text := os.read(self._hears, 1 << 16):
                *lines, self._heard = (self._heard + text).split(b"\n")
                for line in lines:
                    message = self._watchdog.hear(line)
                    self._over = message.get("over", self._over)
                    self._known = message.get("known", self._known)
                    if "heard" in message:
                        self._noticed = message["heard"]
                        self._wish = self._wish if self._noticed else None

    def _heed(self, number: int) -> tuple[str, int] | None:
        """Pass a signal on to the child; returns a message and exit code if the child ignores it.

        A terminal sends Ctrl-C to both processes; other programs may send it to this one only.
        """
        waited = time.monotonic() - self._since
        alone = waited <= _TERMINAL_SECONDS and _in_foreground()
        if not (self._noticed or self._sent or alone):
            os.kill(self._pid, number)
            self._sent = True
        if self._noticed:
            over = time.monotonic() > max(self._since, self._watchdog.saved) + _SLOW_SECONDS
        else:
            over = waited > _UNHEARD_SECONDS
        return ("interrupted", INTERRUPTED) if over else None

    def _ended(self, code: int) -> int:
        """The exit code for a child that ended with this code, or by a signal if negative."""
        if code < 0:
            self._clear_away()
            if -code == self._wish:  # the signal arrived while Python was exiting
                return self._as_wished(fail("interrupted", INTERRUPTED))
            about = f"{self._watchdog.activity}: " if self._watchdog.activity else ""
            return fail(about + death_text(-code), BAD_INPUT if died_of_rules(-code) else UNDECIDED)
        self._end_groups()  # a Ctrl-C may have come right after a start
        return self._as_wished(code)

    def _as_wished(self, code: int) -> int:
        """The exit code; but SIGTERM and SIGHUP end this process, too."""
        if self._wish and self._wish != signal.SIGINT:
            signal.signal(self._wish, signal.SIG_DFL)
            os.kill(os.getpid(), self._wish)
        return code

    def _clear_away(self) -> None:
        self._end_groups()
        if self._settings:
            import termios

            termios.tcsetattr(0, termios.TCSADRAIN, self._settings)
        if sys.stderr is not None and sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr)  # the status line

    def _end_groups(self) -> None:
        """Kill the child's processes that still run."""
        self._listen()
        self._watchdog.kill_groups()


def _wake_for_signals(wished: Callable[[int, FrameType | None], None]) -> int:
    """A pipe that becomes readable when a signal arrives or the child ends."""
    reads, writes = os.pipe()
    os.set_blocking(reads, False)
    os.set_blocking(writes, False)
    signal.set_wakeup_fd(writes, warn_on_full_buffer=False)
    for number in END_SIGNALS:
        signal.signal(number, wished)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, END_SIGNALS)
    return reads


def _in_foreground() -> bool:
    """Whether a terminal sends Ctrl-C to this process and its group."""
    try:
        with open("/dev/tty", "rb") as terminal:
            return os.tcgetpgrp(terminal.fileno()) == os.getpgrp()
    except OSError:
        return False


def _terminal_settings() -> list[Any] | None:
    import termios  # exists on every system with fork

    try:
        return termios.tcgetattr(0)
    except termios.error:
        return None
