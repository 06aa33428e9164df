"""Limits on long work: time and positions."""

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager

from .errors import BadRequest, Interrupted, LimitReached, OutOfTime

_interrupted = False
_unbroken: list[None] = []
"""As many items as there are ``unbroken`` blocks; two threads may add to a list at once."""


def interrupt() -> None:
    """Raise ``Interrupted``, here and in the current computation at its next position.

    It is for signal handlers, whose own exceptions can get lost in a destructor. Within an
    ``unbroken`` block it only raises at the next position.
    """
    global _interrupted
    _interrupted = True
    if not _unbroken:
        raise Interrupted


@contextmanager
def unbroken() -> Iterator[None]:
    """Let no ``interrupt`` leave a block, which may have threads that nobody would wait for.

    The next check of a budget raises ``Interrupted`` instead.
    """
    _unbroken.append(None)
    try:
        yield
    finally:
        _unbroken.pop()


def stop() -> None:
    """Make the current computation stop when it next checks its budget.

    A second call before ``resume`` interrupts it. A stopped search can continue later.
    """
    global _interrupted
    if _interrupted:
        interrupt()
    _interrupted = True


def is_interrupted() -> bool:
    """Whether ``interrupt`` or ``stop`` was called since the last ``resume``."""
    return _interrupted


def resume() -> None:
    """Forget a ``stop``."""
    global _interrupted
    _interrupted = False


class Budget:
    """Limits of a computation: its time, and the positions that it examines.

    The clock starts with the object, so make one for each computation.
    """

    def __init__(
        self, seconds: float | None = None, positions: int | None = None, of: "Budget | None" = None
    ) -> None:
        """Start the clock; None means no limit. The end of the budget ``of`` also ends this one.

        Raises ``BadRequest`` for a limit of 0 or less.
        """
        for name, limit in (("time", seconds), ("positions", positions)):
            if limit is not None and not 0 < limit < math.inf:
                raise BadRequest(
                    f"the limit on {name} must be a finite number above zero, not {limit}"
                )
        self._seconds, self._positions = seconds, positions
        self._stopped, self._of = False, of
        self._start = time.monotonic()
        self._later: float | None = None  # the seconds before ``allow``
        self.positions = 0
        """The positions spent so far."""
        self.reserve = 0.0
        """The time kept back for what follows the search [s]."""

    @property
    def seconds(self) -> float:
        """The seconds since the start."""
        return time.monotonic() - self._start

    @property
    def seconds_left(self) -> float:
        """The seconds until the time limit."""
        return math.inf if self._seconds is None else self._seconds - self.seconds - self.reserve

    @property
    def positions_left(self) -> float:
        """The positions that may still be spent."""
        return math.inf if self._positions is None else self._positions - self.positions

    def stop(self) -> None:
        """End the computation when it next checks its budget. Any thread may call this."""
        self._stopped = True

    def check(self) -> None:
        """Raise ``OutOfTime`` after the time limit, and ``Interrupted`` after a ``stop``."""
        if _interrupted or self._stopped:
            raise Interrupted
        if self._of:
            self._of.check()
        if self._seconds is not None and self.seconds > self._seconds - self.reserve:
            if self._later is None:
                raise OutOfTime(f"no answer within {self._seconds:g} seconds")
            spent = self._seconds - self._later - self.reserve
            raise OutOfTime(f"the {spent:.3g} seconds left for it were too few")

    def allow(self, seconds: float) -> None:
        """Replace all limits: so many seconds from now on, for what follows the answer."""
        self._later = self.seconds
        self._seconds = None if seconds == math.inf else self._later + seconds
        self._positions, self.reserve = None, 0.0

    def spend(self, positions: int = 1) -> None:
        """Count positions. Raises ``LimitReached`` if fewer are left."""
        self.check()
        if self._positions is not None and self.positions + positions > self._positions:
            raise LimitReached(f"no answer within {self._positions} positions")
        self.positions += positions


SECONDS = 60.0
"""The default time limit for a question about one position, and for reading a game [s]."""

MOST_RULES = 2_000_000
"""The most ground rules of a net whose state is open."""
MOST_RULES_UNASKED = 150_000
"""The most ground rules of a net without a request for one: it takes seconds to make."""
MOST_RULES_IN_PLAY = 64_000
"""The most ground rules of a net for the solver in a match."""

UNLIMITED = Budget()
"""No limits, but ``interrupt`` and ``stop`` work."""
