"""The time that went into states for want of a net, summed up from one process to the next.

Many a process asks about one state and ends. Together they may have spent more than the net takes.
"""

from __future__ import annotations

import math
import struct

from ..runtime import cache

_KIND = "spent"
_KEPT = struct.Struct("<dd")  # the sum, and the one at which the net is due


class Spent:
    """The seconds spent for want of one net, and the sum at which it is to be tried.

    Any number of processes may add to it. What is lost, because two write at once or something is
    damaged, costs time only.
    """

    def __init__(self, key: str, due: float) -> None:
        """``due`` is the sum at which the net is to be tried first."""
        self.key = key
        self._before, self._due = _read(key) or (0.0, due)
        self._new = self._written = 0.0
        self.own = 0.0
        """The seconds that this process has added."""

    @property
    def seconds(self) -> float:
        """The sum, those of other processes as they were when this one last wrote."""
        return self._before + self._new

    def add(self, seconds: float) -> bool:
        """Add some, and say whether the net is to be tried."""
        self._new += seconds
        self.own += seconds
        if self._new >= self._written:  # what this process has added has doubled
            self._write()
        return self.seconds >= self._due

    def next_at(self, due: float) -> None:
        """Have the net tried when the sum is so large."""
        self._write(due)

    def _write(self, due: float | None = None) -> None:
        before, known = _read(self.key) or (self._before, self._due)
        self._written += self._new
        self._before, self._new = before + self._new, 0.0
        self._due = known if due is None else due
        cache.put(self.key, _KIND, _KEPT.pack(self._before, self._due))


def _read(key: str) -> tuple[float, float] | None:
    """What is kept, if that makes sense."""
    kept = cache.get(key, _KIND)
    if kept is None or len(kept) != _KEPT.size:
        return None
    seconds, due = _KEPT.unpack(kept)
    return (seconds, due) if 0 <= seconds < math.inf and due >= 0 else None
