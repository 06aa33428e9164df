"""What a process that is watched over may still take, by what it was given and by what it tells."""

from __future__ import annotations

import json
import math
import time
from typing import Any

from .errors import LimitReached, OutOfTime
from .process_messages import memory_text, resident_bytes

LATE = 1.5
"""Seconds that work may take beyond its limit, to end by itself and show what it has."""

LOOK = 0.1
"""Seconds between looks at time and memory."""


class Limits:
    """Time and memory of one process."""

    def __init__(self, seconds: float | None, most_bytes: float) -> None:
        """The clock starts at once."""
        self._most_bytes = most_bytes
        self.allow(seconds)
        self._within: tuple[str, float, float] | None = None
        """What is done now, how many seconds that may take, and when they are over."""
        self._hint = ""
        """What may be the reason if it doesn't end."""

    @property
    def doing(self) -> str | None:
        """What is done now, if that was told."""
        return self._within and self._within[0]

    def allow(self, seconds: float | None) -> None:
        """Let it have so many seconds from now on."""
        self._seconds = seconds
        self._deadline = time.monotonic() + (math.inf if seconds is None else seconds + LATE)

    def hear(self, line: bytes) -> dict[str, Any]:
        """Take what the process tells in a line (see ``tell``); returns what is of other things."""
        left = {}
        for word, value in json.loads(line).items():
            if word == "within":
                self._within = value and (*value, time.monotonic() + value[1])
            elif word == "seconds":
                self.allow(value)
            elif word == "hint":
                self._hint = f" ({value})" if value else ""
            else:
                left[word] = value
        return left

    def trouble(self, pid: int) -> LimitReached | None:
        """What is said if the process has taken too much."""
        now = time.monotonic()
        what, seconds, until = self._within or ("no answer", self._seconds, self._deadline)
        if now > self._deadline:
            return OutOfTime(f"{what} within {self._seconds:g} seconds{self._hint}")
        if now > until:
            return LimitReached(f"{what} within {seconds:g} seconds{self._hint}")
        if resident_bytes(pid) > self._most_bytes:
            return LimitReached(f"{what} within {memory_text(self._most_bytes)}{self._hint}")
        return None
