"""The process that was started watches over another one, which does the work.

It ends it when its time or memory is over, when it doesn't heed a Ctrl-C, and tells in one line
what it died of. The two share everything else: terminal, input and output. What the work tells of
itself comes through a pipe (see ``processes.tell``).
"""

from __future__ import annotations

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

_DEAF = 0.8  # seconds until work that doesn't notice a Ctrl-C is ended
_SLOW = 5.0  # seconds until work is ended that has noticed it
_ALONE = 0.05  # seconds in which a terminal's Ctrl-C has come to the work without help
_SHARE = 0.75  # of the machine's memory, unless a limit is given


def supervise(seconds: float | None = None, most_bytes: float | None = None) -> int | None:
    """Go on in a process of its own, which may take so much time and memory.

    There, and where processes can't be forked, returns None. Here, returns the program's exit code
    once that process has ended, or was ended; then why is told on standard error.
    """
    if not CAN_FORK:
        return None
    hears, tells = os.pipe()
    waits, lives = os.pipe()
    signal.pthread_sigmask(signal.SIG_BLOCK, END_SIGNALS)  # until both know what to do then
    pid = os.fork()
    if not pid:
        os.close(hears)
        os.close(lives)
        tell_through(tells)
        end_with(waits)
        for number in END_SIGNALS:  # what it has started is to end with it
            signal.signal(number, signal.getsignal(signal.SIGINT))
        signal.pthread_sigmask(signal.SIG_UNBLOCK, END_SIGNALS)
        return None
    os.close(tells)
    os.close(waits)
    return _Watch(pid, hears, seconds, most_bytes or _SHARE * machine_bytes()).exit_code()


class _Watch:
    """The watch over one process."""

    def __init__(self, pid: int, hears: int, seconds: float | None, most_bytes: float) -> None:
        self._pid, self._hears = pid, hears
        os.set_blocking(hears, False)
        self._heard = b""
        self._watchdog = Watchdog(seconds, most_bytes)
        self._over: int | None = None
        """The exit code, once nothing is left but to end: to free memory may take seconds."""
        self._wish: int | None = None
        """The signal by which somebody wants it to end."""
        self._settings = _terminal_settings()

    def exit_code(self) -> int:
        """Wait until the work has ended."""
        woken = _wake_for_signals(self._wished)
        while True:
            select.select([woken, self._hears], [], [], _ALONE if self._wish else LOOK)
            with contextlib.suppress(BlockingIOError):
                os.read(woken, 1 << 10)
            self._listen()
            ended, status = os.waitpid(self._pid, os.WNOHANG)
            if ended:
                return self._ended(os.waitstatus_to_exitcode(status))
            trouble = self._heed(self._wish) if self._wish else self._limit()
            if trouble:
                os.kill(self._pid, signal.SIGKILL)
                os.waitpid(self._pid, 0)
                self._clear_away()
                code = fail(*trouble) if self._over is None else self._over
                return self._as_wished(code)

    def _wished(self, number: int, _frame: FrameType | None) -> None:
        if not self._wish:
            self._wish, self._since = number, time.monotonic()
            self._sent = self._noticed = False

    def _listen(self) -> None:
        """Hear what the work tells."""
        with contextlib.suppress(BlockingIOError):
            while text := os.read(self._hears, 1 << 16):
                *lines, self._heard = (self._heard + text).split(b"\n")
                for line in lines:
                    for word, value in self._watchdog.hear(line).items():
                        self._hear(word, value)

    def _hear(self, word: str, value: Any) -> None:
        if word == "heard":
            self._noticed = value
            self._wish = self._wish if value else None
        elif word == "over":
            self._over = value

    def _heed(self, number: int) -> tuple[str, int] | None:
        """See to it that a signal is heeded; returns what is told, if it isn't.

        A terminal sends it to both processes, somebody else perhaps to this one only.
        """
        waited = time.monotonic() - self._since
        alone = waited <= _ALONE and _in_foreground()
        if not (self._noticed or self._sent or alone):
            os.kill(self._pid, number)
            self._sent = True
        over = waited > (_SLOW if self._noticed else _DEAF)
        return ("interrupted", INTERRUPTED) if over else None

    def _limit(self) -> tuple[str, int] | None:
        """What is told if time or memory are over."""
        trouble = self._watchdog.trouble(self._pid)
        return (str(trouble), UNDECIDED) if trouble else None

    def _ended(self, code: int) -> int:
        """The exit code after the work has ended with one, or by a signal."""
        if code < 0:
            self._clear_away()
            if -code == self._wish:  # it came when Python was ending already
                return self._as_wished(fail("interrupted", INTERRUPTED))
            about = f"{self._watchdog.activity}: " if self._watchdog.activity else ""
            return fail(about + death_text(-code), BAD_INPUT if died_of_rules(-code) else UNDECIDED)
        self._end_groups()  # a Ctrl-C may have come right after a start
        return self._as_wished(code)

    def _as_wished(self, code: int) -> int:
        """The exit code; a signal that asks for the end is what this process ends by, too."""
        if self._wish and self._wish != signal.SIGINT:
            signal.signal(self._wish, signal.SIG_DFL)
            os.kill(os.getpid(), self._wish)
        return code

    def _clear_away(self) -> None:
        """Leave nothing behind of work that had no time to see to it."""
        self._end_groups()
        if self._settings:
            import termios

            termios.tcsetattr(0, termios.TCSADRAIN, self._settings)
        if sys.stderr is not None and sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr)  # the line that says how far it is

    def _end_groups(self) -> None:
        """Kill what was started and hasn't ended."""
        self._listen()
        self._watchdog.kill_groups()


def _wake_for_signals(wished: Callable[[int, FrameType | None], None]) -> int:
    """The end of a pipe that has something to read when a signal came, or the work has ended."""
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
    """Whether a terminal sends what is typed, Ctrl-C for one, to this process and its group."""
    try:
        with open("/dev/tty", "rb") as terminal:
            return os.tcgetpgrp(terminal.fileno()) == os.getpgrp()
    except OSError:
        return False


def _terminal_settings() -> list[Any] | None:
    """How the terminal is set that this runs on, if it does."""
    import termios  # where there is fork, there is this

    try:
        return termios.tcgetattr(0)
    except termios.error:
        return None
