"""Progress of work: the number done, the rate, and the time left."""

from __future__ import annotations

import time


class Progress:
    """Counts finished things, from now on."""

    def __init__(self, what: str, total: int | None = None) -> None:
        """``what`` names the things counted, such as "puzzles"."""
        self._what, self.total = what, total
        """The total number, if known."""
        self._begun = time.monotonic()
        self.done = 0
        """The number done, including earlier runs."""
        self._before = 0

    def count(self, number: int = 1, before: bool = False) -> None:
        """Count things done now, or ``before`` in an earlier run, which the rate leaves out."""
        self.done += number
        self._before += number if before else 0

    @property
    def rate(self) -> float:
        """The number done in a second."""
        seconds = time.monotonic() - self._begun
        return (self.done - self._before) / seconds if seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """The estimated time for the rest at this rate [s], if known."""
        if self.total is None or not self.rate:
            return None
        return (self.total - self.done) / self.rate

    def __str__(self) -> str:
        """A line such as ``1,204 of 10,000 puzzles, 35.2 a second, 4:10 left``."""
        of = "" if self.total is None else f" of {self.total:,}"
        text = f"{self.done:,}{of} {self._what}"
        if self.rate:
            text += f", {self.rate:,{'.3g' if self.rate < 100 else '.0f'}} a second"
        if self.seconds_left is not None:
            text += f", {_clock(self.seconds_left)} left"
        return text


def _clock(seconds: float) -> str:
    """A time as minutes and seconds, with hours if it is long."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
