"""Limits on the time and memory of another process, from its settings and its messages."""

import contextlib
import json
import math
import os
import signal
import time
from typing import Any

from .errors import LimitReached, OutOfTime
from .process_messages import memory_text, resident_bytes

LATE = 1.5
"""The least extra time after the limit, in which work can end and show its results [s]."""

_SECONDS_LATER = 0.1
"""More of this extra time, as a part of the limit: on a busy machine, ends take longer, too."""

LOOK = 0.1
"""The time between checks of time and memory [s]."""


class Watchdog:
    """The limits of one process, and the process groups that end with it."""

    def __init__(self, seconds: float | None, most_bytes: float, late: float | None = None) -> None:
        """``late`` replaces the default extra time."""
        self.most_bytes = most_bytes
        self._late = late
        self._groups: set[int] = set()
        self.saved = 0.0
        """The time until which the process may save its work, or when it last ended a save."""
        self.begin(seconds)

    @property
    def activity(self) -> str | None:
        """The current activity in words, if the process has reported one."""
        return self._within and self._within[0]

    def begin(self, seconds: float | None) -> None:
        """Begin new work with so much time."""
        self._allow(seconds)
        self._within: tuple[str, float, float] | None = None
        """The current activity, its time limit [s], and the time at which it ends."""
        self._hint = ""  # why the work may never end

    def hear(self, line: bytes) -> dict[str, Any]:
        """Take a message of the process (see ``tell``); returns the words for other readers."""
        others = {}
        for word, value in json.loads(line).items():
            if word == "within":
                self._within = value and (*value, time.monotonic() + value[1])
            elif word == "seconds":
                self._allow(value)
            elif word == "hint":
                self._hint = f" ({value})" if value else ""
            elif word == "saving":
                self.saved = time.monotonic() + (value or 0.0)
            elif word == "started":
                self._groups.add(value)
            elif word == "ended":
                self._groups.discard(value)
            else:
                others[word] = value
        return others

    def trouble(self, pid: int) -> LimitReached | None:
        """The error if the process exceeds a limit."""
        now = time.monotonic()
        what, seconds, until = self._within or ("no answer", self._seconds, math.inf)
        if now > max(self._deadline, self.saved + self._after_saving):
            return OutOfTime(f"{what} within {self._seconds:g} seconds{self._hint}")
        if now > max(until, self.saved, 0.0 if self._seconds is None else self._deadline):
            return LimitReached(f"{what} within {seconds:g} seconds{self._hint}")
        if resident_bytes(pid) > self.most_bytes:
            return LimitReached(f"{what} within {memory_text(self.most_bytes)}{self._hint}")
        return None

    def kill_groups(self) -> None:
        """Kill the process groups that the process has started and that still run."""
        for group in self._groups:
            with contextlib.suppress(OSError):
                os.killpg(group, signal.SIGKILL)
        self._groups.clear()

    def _allow(self, seconds: float | None) -> None:
        self._seconds = seconds
        limit = math.inf if seconds is None else seconds
        late = LATE + _SECONDS_LATER * limit if self._late is None else self._late
        self._after_saving = late
        self._deadline = time.monotonic() + limit + late
