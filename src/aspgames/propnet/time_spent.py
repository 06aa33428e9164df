"""The grounder's time spent for lack of a net, summed over processes.

Many processes ask about one state and end. Together they may spend more time than a net takes.
"""

import math
import struct

from ..runtime import cache

_KIND = "spent"
_KEPT = struct.Struct("<dd")  # the sum, and the sum at which the net is due


class Spent:
    """The time [s] spent without one net, and the sum at which the net is due.

    Any number of processes may add to it. If two processes write at once, or the file is damaged,
    only some time is lost.
    """

    def __init__(self, key: str, due: float) -> None:
        """``due`` is the sum at which the net is first tried."""
        self.key = key
        self._before, self._due = _read(key) or (0.0, due)
        self._new = self._written = 0.0
        self.own = 0.0
        """The seconds that this process has added."""

    @property
    def seconds(self) -> float:
        """The sum, with the other processes' time as of this process's last write."""
        return self._before + self._new

    def add(self, seconds: float) -> bool:
        """Add some time; returns whether the net is due."""
        self._new += seconds
        self.own += seconds
        if self._new >= self._written:  # this process's time has doubled
            self.next_at(None)
        return self.seconds >= self._due

    def next_at(self, due: float | None) -> None:
        """Write the sum to the disk, and the sum at which the net is due, unless it stays."""
        before, known = _read(self.key) or (self._before, self._due)
        self._written += self._new
        self._before, self._new = before + self._new, 0.0
        self._due = known if due is None else due
        cache.put(self.key, _KIND, _KEPT.pack(self._before, self._due))


def _read(key: str) -> tuple[float, float] | None:
    """The sum and the due time on disk, if they are sound."""
    kept = cache.get(key, _KIND)
    if kept is None or len(kept) != _KEPT.size:
        return None
    seconds, due = _KEPT.unpack(kept)
    return (seconds, due) if 0 <= seconds < math.inf and due >= 0 else None
