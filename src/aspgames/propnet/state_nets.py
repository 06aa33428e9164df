"""A game's nets for single states, made when they save time.

The number of future questions is unknown. So the grounder answers at first. When it has taken as
much time as the net needs, the net is made (the ski rental problem): at worst that doubles the
time. The size of a net is unknown, too, so its limit grows with the time spent. The time of other
processes counts (``Spent``). But a process that asks about one state should not pay for all
others, so only processes that have spent much time themselves try large nets.
"""

from __future__ import annotations

import json
import math
import struct
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from threading import Lock
from time import thread_time
from typing import TYPE_CHECKING

from ..gdl.reasoner import Facts, Rules
from ..runtime import cache
from ..runtime.budget import MOST_RULES, UNLIMITED, Budget
from ..runtime.errors import LimitReached, RulesError, TooLarge
from ..runtime.json_lines import is_of
from .gate_tables import FORMAT, Marked, Tables
from .single_state import Single

if TYPE_CHECKING:
    from .net import Net

_FIRST = 0.1  # seconds of grounding before a net is tried
_RATE = 150_000  # ground rules that become a net in a second
_MORE = 2  # factor on a failed limit on rules before a new trial
_SOON = 0.5  # seconds that any process may spend on making a net
_VAIN = 2.0  # wait after a failed trial, as a multiple of its duration
Fits = Callable[[Tables], bool]
"""Tells whether a net is of the wanted kind."""

_WORTH = 0.02  # seconds; nets that are made faster are not stored
_REFUSED = "refused"  # the kind of an entry with the limit that a net exceeded
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


def key_of(rules: Rules, *more: str) -> str:
    """The key of a net: equal exactly for equal rules, constants and further texts."""
    constants = (f"{name}={value!r}" for name, value in sorted(rules.constants.items()))
    return "\n".join((str(FORMAT), rules.encoding.fingerprint, *constants, "", *more))


def facts_key(facts: Facts) -> str:
    """The part of a key that names the state from which a net is made."""
    return " ".join(facts)


def kept_already(key: str, fits: Fits) -> Tables | None:
    """The net on disk under a key, or None.

    A damaged file, or a net that does not fit, counts as absent.
    """
    found = cache.get(key, "net")
    if found is None:
        return None
    try:
        tables = Tables.unpack(found)
        return tables if fits(tables) else None
    except ValueError:
        return None


def kept(key: str, fits: Fits, make: Callable[[], Tables], most_rules: int = MOST_RULES) -> Tables:
    """The net on disk under a key; if it is missing, make and store it.

    ``make`` raises ``TooLarge`` for more than ``most_rules`` ground rules. The limit is stored,
    too: later requests with no larger limit fail at once.
    """
    found = kept_already(key, fits)
    if found:
        return found
    refused, told = _refused(key)
    if most_rules <= refused:
        raise TooLarge(told)
    start = time.perf_counter()
    try:
        made = make()
    except TooLarge as error:
        cache.put(key, _REFUSED, json.dumps([most_rules, str(error)]).encode())
        raise
    if time.perf_counter() - start > _WORTH:
        cache.put(key, "net", made.pack())
    return made


def most_refused(key: str) -> int:
    """The largest limit on ground rules known to be too low for a net."""
    return _refused(key)[0]


def _refused(key: str) -> tuple[int, str]:
    """The same, and the message of the error."""
    with suppress(ValueError):
        found = json.loads(bytes(cache.get(key, _REFUSED) or b"null"))
        if is_of(found, tuple[int, str]):
            return found[0], found[1]
    return 0, ""


def knows(facts: Facts) -> Fits:
    """A test for nets that know the state with these facts, and all successors of their states."""
    return lambda tables: tables.after == tables.fluents and tables.row(facts) is not None


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
        self.marked, self._told = marked, told
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
            key = self._key_of_all(self.all_with(facts)) if place else self._key(self._initial)
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
            from .reachable_nets import net_for  # imports clingo, which a stored net doesn't need

            net = made or net_for(self._rules, facts, most_rules, budget)
            return net.tables(self.marked)

        found = kept(self._key(facts), knows(facts), make, most_rules)
        if facts == self._initial and not self._nets:
            self._nets = [Single(found)]
        return found

    def _widest(self, facts: Facts, most_rules: int) -> Tables:
        """The net of all positions, for states that play from the start does not reach."""
        fluents = self.all_with(facts)

        def make() -> Tables:
            from .net import Net

            return Net(self._rules, (), fluents, True, most_rules).tables(self.marked)

        return kept(self._key_of_all(fluents), knows(facts), make, most_rules)

    def all_with(self, facts: Facts) -> Facts:
        """All known fluents, and those of a state."""
        known = {*self._base, *facts}
        for net in self._nets:
            known.update(net.tables.names.certain, net.tables.names.fluents)
        return tuple(sorted(known))

    def _key(self, facts: Facts) -> str:
        return key_of(self._rules, "from", self._told, facts_key(facts))

    def _key_of_all(self, fluents: Facts) -> str:
        return key_of(self._rules, "of", self._told, facts_key(fluents))
