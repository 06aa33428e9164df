"""A game's nets for single states, made when they save time.

The number of future questions is unknown. So the grounder answers at first. When it has taken as
much time as the net needs, the net is made (the ski rental problem): at worst that doubles the
time. The size of a net is unknown, too, so its limit grows with the time spent. The time of other
processes counts (``time_spent``). But a process that asks about one state should not pay for all
others, so only processes that have spent much time themselves try large nets.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from threading import Lock
from time import thread_time
from typing import TYPE_CHECKING

from ..gdl.reasoner import Facts, Rules
from ..runtime.budget import MOST_RULES, UNLIMITED, Budget
from ..runtime.errors import LimitReached, RulesError
from .gate_tables import Marked, Tables
from .net_cache import facts_key, kept, kept_already, key_of, knows, most_refused
from .single_state import Single
from .time_spent import Spent

if TYPE_CHECKING:
    from .net import Net

_FIRST = 0.1  # seconds of grounding before a net is tried
_RATE = 150_000  # ground rules that become a net in a second
_MORE = 2  # factor on a failed limit on rules before a new trial
_SOON = 0.5  # seconds that any process may spend on making a net
_VAIN = 2.0  # wait after a failed trial, as a multiple of its duration


class StateNets:
    """The nets of one game for single states."""

    def __init__(
        self, rules: Rules, initial: Facts, base: Iterable[str], marked: Marked, told: str
    ) -> None:
        """Make no net yet.

        ``base`` are the declared fluents of all positions; ``told`` is a text that identifies
        ``marked``.
        """
        self._rules, self._initial, self._base = rules, initial, base
        self._marked, self._told = marked, told
        self._nets: list[Single] = []
        """First the net of all reachable states, then the net of all positions."""
        self._looked = 0  # how many of these were looked up on disk
        self._spent: dict[str, Spent] = {}
        self._lock = Lock()

    def find(self, facts: Facts) -> tuple[Single, bytes] | None:
        """A net that knows a state, and the state's row in it; None if no net knows it yet."""
        while True:
            for net in self._nets:
                row = net.tables.row(facts)
                if row is not None:
                    return net, row
            if self._looked == 2 or self._looked > len(self._nets):
                return None
            self._look(facts)

    def _look(self, facts: Facts) -> None:
        """Read the next net from the disk, if it exists."""
        place = self._looked
        self._looked += 1
        if place == len(self._nets):
            key = self._key_of_all(self._all_with(facts)) if place else self._key(self._initial)
            if found := kept_already(key, knows(facts if place else self._initial)):
                self._nets = [*self._nets, Single(found)]

    def charge(self, facts: Facts, seconds: float) -> None:
        """Add the grounder's processor time [s] for a state, and make a net if that pays."""
        if not self._lock.acquire(blocking=False):
            return  # another thread is making one
        try:
            key = self._key_of_all(()) if self._nets else self._key(self._initial)
            if key not in self._spent:
                self._spent[key] = Spent(key, _FIRST)
            if self._spent[key].add(seconds) and not self.find(facts):
                self._try(facts, self._spent[key])
        finally:
            self._lock.release()

    def _try(self, facts: Facts, spent: Spent) -> None:
        """Make a net unless it is too large for the time spent."""
        most = int(min(MOST_RULES, _RATE * min(spent.seconds, max(_SOON, spent.own))))
        if most < min(MOST_RULES, _MORE * most_refused(spent.key)):
            spent.next_at(2 * spent.seconds)
            return
        # Set this now, so that no other process tries the same net meanwhile, or again after a
        # crash: clingo crashes on the open grounding of some rules, though it grounds their single
        # states.
        spent.next_at(math.inf)
        later, start = 2 * spent.seconds, thread_time()
        try:
            self.make(facts, most)
            later = 0.0  # a process that finds no net has paid for one
        except LimitReached:
            # Reading the rules takes time, too, whatever the limit on their number.
            later = max(later, spent.seconds + _VAIN * (thread_time() - start))
            if most == MOST_RULES:
                later = math.inf
        except RulesError:
            later = math.inf
        except MemoryError:
            pass  # there may be more later
        finally:
            spent.next_at(later)

    def make(self, facts: Facts, most_rules: int = MOST_RULES) -> None:
        """Make the next net at once.

        The first is the net of all states reachable from the game's start, the second the net of
        all positions with known fluents and these facts.
        """
        if self._nets:
            self._nets = [self._nets[0], Single(self._widest(facts, most_rules))]
        else:
            self.tables_from(self._initial, most_rules)

    def from_the_start(self, most_rules: int) -> Single:
        """Make the net of all states reachable from the game's start at once."""
        with self._lock:
            self.tables_from(self._initial, most_rules)
            return self._nets[0]

    def tables_from(
        self,
        facts: Facts,
        most_rules: int,
        budget: Budget = UNLIMITED,
        made: Net | None = None,
    ) -> Tables:
        """The net of all states reachable from a state, or ``made``. Raises as ``net_for``."""
        if facts == self._initial and self._nets:
            return self._nets[0].tables

        def make() -> Tables:
            from .net import net_for  # imports clingo, which a stored net doesn't need

            net = made or net_for(self._rules, facts, most_rules, budget)
            return net.tables(self._marked)

        found = kept(self._key(facts), knows(facts), make, most_rules)
        if facts == self._initial and not self._nets:
            self._nets = [Single(found)]
        return found

    def _widest(self, facts: Facts, most_rules: int) -> Tables:
        """The net of all positions, for states that play from the start does not reach."""
        fluents = self._all_with(facts)

        def make() -> Tables:
            from .net import Net

            return Net(self._rules, (), fluents, True, most_rules).tables(self._marked)

        return kept(self._key_of_all(fluents), knows(facts), make, most_rules)

    def _all_with(self, facts: Facts) -> Facts:
        """All known fluents, and those of a state."""
        known = {*self._base, *facts}
        for net in self._nets:
            known.update(net.tables.names.certain, net.tables.names.fluents)
        return tuple(sorted(known))

    def _key(self, facts: Facts) -> str:
        return key_of(self._rules, "from", self._told, facts_key(facts))

    def _key_of_all(self, fluents: Facts) -> str:
        return key_of(self._rules, "of", self._told, facts_key(fluents))
