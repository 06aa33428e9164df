"""A game's nets for single states, made as soon as that pays.

Nobody knows beforehand how many states will be asked for. So the grounder answers at first, and a net is
made when as much time has gone into that as the net will take (the ski rental problem): at worst that
doubles the time. How large a net will be isn't known either: it is tried with a limit that grows with
the time spent.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from threading import Lock

from ..errors import LimitReached, RulesError
from ..reasoner import Facts, Rules
from .net import Net, net_for
from .open_grounding import MOST_RULES
from .single import Single
from .tables import Marked, Tables

_FIRST = 0.1  # seconds of grounding before a net is tried
_RATE = 150_000  # ground rules of which a net is made in a second


class OnDemand:
    """The nets of one game for single states."""

    def __init__(self, rules: Rules, initial: Facts, base: Iterable[str], marked: Marked) -> None:
        """``base`` has the fluents of all positions, as far as the encoding says."""
        self._rules, self._initial, self._base, self._marked = rules, initial, base, marked
        self._nets: list[Single] = []
        self._spent, self._next = 0.0, _FIRST
        self._lock = Lock()

    def find(self, facts: Facts) -> tuple[Single, bytes] | None:
        """A net that knows a state, and the state's row in it; None if there is none yet."""
        for net in self._nets:
            row = net.tables.row(facts)
            if row is not None:
                return net, row
        return None

    def charge(self, facts: Facts, seconds: float) -> None:
        """Take note that the grounder took some time for a state, and make a net if that pays."""
        self._spent += seconds
        if self._spent < self._next or not self._lock.acquire(blocking=False):
            return
        try:
            most = min(MOST_RULES, int(_RATE * self._spent))
            self.make(facts, most)
            self._next = 2 * self._spent
        except LimitReached:
            self._next = 2 * self._spent if most < MOST_RULES else math.inf
        except (RulesError, MemoryError):
            self._next = math.inf
        finally:
            self._lock.release()

    def make(self, facts: Facts, most: int = MOST_RULES) -> None:
        """Make the next net, of at most so many ground rules: see ``_make``.

        Raises what ``Net`` raises, and ``MemoryError``.
        """
        self._nets = [*self._nets[:1], Single(self._make(facts, most))]

    def _make(self, facts: Facts, most: int) -> Tables:
        """The net of all that play leads to; once there is that one, one of all positions."""
        if not self._nets:
            return net_for(self._rules, self._initial, most).tables(self._marked)
        known = {*self._base, *facts}
        for net in self._nets:
            known.update(net.tables.names.certain, net.tables.names.fluents)
        return Net(self._rules, (), sorted(known), True, most).tables(self._marked)
