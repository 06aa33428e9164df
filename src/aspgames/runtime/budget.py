"""Limits on long work: time and positions."""

from __future__ import annotations

import math
import time

from .errors import BadRequest, Interrupted, LimitReached, OutOfTime

_interrupted = False


def interrupt() -> None:
    """Make the computation under way stop at its next position, and raise ``Interrupted``.

    For signal handlers: an exception that they raise can get lost in a destructor.
    """
    global _interrupted
    _interrupted = True
    raise Interrupted


def stop() -> None:
    """Make the computation under way stop when it next looks at its budget.

    A second time, before ``resume``, is ``interrupt``. Nothing is cut off in the middle, so what
    was being searched can be searched on.
    """
    global _interrupted
    if _interrupted:
        interrupt()
    _interrupted = True


def resume() -> None:
    """Forget a ``stop``."""
    global _interrupted
    _interrupted = False


class Budget:
    """What a computation may use: seconds, and positions that it looks at.

    The clock starts when it is made, so make one for each computation.
    """

    def __init__(self, seconds: float | None = None, positions: int | None = None) -> None:
        """Start the clock. None is no limit; raises ``BadRequest`` for anything not above zero."""
        for name, limit in (("time", seconds), ("positions", positions)):
            if limit is not None and not 0 < limit < math.inf:
                raise BadRequest(
                    f"the limit on {name} must be a finite number above zero, not {limit}"
                )
        self._seconds, self._positions = seconds, positions
        self._start = time.monotonic()
        self.positions = 0
        """The positions spent so far."""

    @property
    def seconds(self) -> float:
        """The seconds since the start."""
        return time.monotonic() - self._start

    @property
    def seconds_left(self) -> float:
        """The seconds until the time is over."""
        return math.inf if self._seconds is None else self._seconds - self.seconds

    @property
    def positions_left(self) -> float:
        """The positions that may still be spent."""
        return math.inf if self._positions is None else self._positions - self.positions

    def check(self) -> None:
        """Raise ``OutOfTime`` if the time is over, and ``Interrupted`` after a ``stop``."""
        if _interrupted:
            raise Interrupted
        if self._seconds is not None and self.seconds > self._seconds:
            raise OutOfTime(f"no answer within {self._seconds:g} seconds")

    def spend(self, positions: int = 1) -> None:
        """Count positions. Raises ``LimitReached`` when there aren't so many left."""
        self.check()
        if self._positions is not None and self.positions + positions > self._positions:
            raise LimitReached(f"no answer within {self._positions} positions")
        self.positions += positions


class Stoppable(Budget):
    """A budget that somebody else may end at any moment, from another thread, too."""

    def __init__(
        self,
        seconds: float | None = None,
        positions: int | None = None,
        of: Stoppable | None = None,
    ) -> None:
        """``of`` is the budget that this is a part of: it ends when that one does."""
        super().__init__(seconds, positions)
        self._stopped, self._of = False, of

    def stop(self) -> None:
        """Make whatever goes on raise ``Interrupted`` when it next looks at its budget."""
        self._stopped = True

    def check(self) -> None:
        """Raise ``Interrupted`` after a ``stop``, too."""
        if self._stopped:
            raise Interrupted
        if self._of:
            self._of.check()
        super().check()


SECONDS = 60.0
"""For a question about one position, and for reading a game, unless asked otherwise."""

MOST_RULES = 2_000_000
"""Ground rules: more are not grounded with the state left open, nor made a net of."""
MOST_RULES_UNASKED = 150_000
"""Ground rules of which a net is made in seconds, also where nobody has asked for one."""
MOST_RULES_IN_PLAY = 60_000
"""Ground rules of a net for the solver in a match: later in the game there is one."""

UNLIMITED = Budget()
"""No limits; whoever asks it notices an ``interrupt`` or a ``stop`` all the same."""
