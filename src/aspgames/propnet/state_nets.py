"""A game's nets for single states, made when they save time.

The number of future questions is unknown. So the grounder answers at first. When it has answered a
few, and taken a tenth of a second, a small net is made at once. Another process makes a large one,
while the grounder goes on. So a process that asks little pays for no net, and one that asks much
soon has it. The other process ends with this one.
"""

from __future__ import annotations

import gc
import json
import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Lock, Thread
from typing import TYPE_CHECKING

from ..gdl.rules import Facts, Rules
from ..runtime import cache
from ..runtime.budget import MOST_RULES, UNLIMITED, Budget
from ..runtime.errors import LimitReached, RulesError, TooLarge
from ..runtime.json_lines import is_of
from .gate_tables import FORMAT, Marked, Tables
from .kernel import kernel
from .single_state import Single

if TYPE_CHECKING:
    from .net import Net, StoredNet

_FEW_QUESTIONS = 4  # questions that no net is made for
_GROUNDING_SECONDS = 0.1  # seconds of grounding before a net is made
_QUICK_SECONDS = 0.003  # seconds of a question about a game whose net may be small
_SHARE_OF_MEMORY = 0.25  # of the machine's memory, for the process that makes a net
_SMALL_RULES = 15_000  # ground rules that become a net in as much time as _GROUNDING_SECONDS
Fits = Callable[[Tables], bool]
"""Tells whether a net is of the wanted kind."""

_WORTH_SECONDS = 0.02  # seconds; nets that are made faster are not stored
_REFUSED = "refused"  # the kind of an entry with the limit that a net exceeded


def key_of(rules: Rules, *more: str) -> str:
    """The key of a net: equal exactly for equal rules, constants and further texts."""
    constants = (f"{name}={value!r}" for name, value in sorted(rules.constants.items()))
    return "\n".join((str(FORMAT), rules.encoding.fingerprint, *constants, "", *more))


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
    refused, message = _refused(key)
    if most_rules <= refused:
        raise TooLarge(message)
    start = time.perf_counter()
    try:
        with without_collections():
            made = make()
    except TooLarge as error:
        cache.put(key, _REFUSED, json.dumps([most_rules, str(error)]).encode())
        raise
    if time.perf_counter() - start > _WORTH_SECONDS:
        kernel().trim()
        cache.put(key, "net", made.pack())
    return made


@contextmanager
def without_collections() -> Iterator[None]:
    """Let Python look for no cycles: a net has millions of objects and hardly any cycle."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _refused(key: str) -> tuple[int, str]:
    """The largest limit on ground rules known to be too low for a net, and the error's message."""
    with suppress(ValueError):
        found = json.loads(bytes(cache.get(key, _REFUSED) or b"null"))
        if is_of(found, tuple[int, str]):
            return found[0], found[1]
    return 0, ""


def knows(facts: Facts) -> Fits:
    """A test for nets that know the state with these facts, and all successors of their states."""
    return lambda tables: tables.after == tables.fluents and tables.row(facts) is not None


class GrounderTime:
    """The grounder's questions since the last net: how many, and the time that they took [s]."""

    def __init__(self) -> None:
        self.asked, self.seconds = 0, 0.0

    def add(self, seconds: float) -> bool:
        """Count a question; returns whether a net pays that is made in as much time."""
        self.asked += 1
        self.seconds += seconds
        return self.asked >= _FEW_QUESTIONS and self.seconds >= _GROUNDING_SECONDS


class StateNets:
    """The nets of one game for single states."""

    def __init__(
        self, rules: Rules, initial: Facts, base: Iterable[str], marked: Marked | None, forms: str
    ) -> None:
        """Make no net yet.

        ``base`` are the declared fluents of all positions; ``forms`` is a text that identifies
        ``marked``, which is None if no move is ever marked.
        """
        self._rules, self._initial, self._base = rules, initial, base
        self.marked, self._forms = marked, forms
        self._nets: list[Single] = []
        """First the net of all reachable states, then the net of all positions."""
        self._around: Facts = ()  # the fluents of the net of all positions
        self._looked = 0  # how many of these were looked up on disk
        self._grounding = GrounderTime()
        self._lock = Lock()
        self.making: Thread | None = None
        """Waits for the process that makes the next net."""
        self._is_over = False  # whether there can be no further net

    def __reduce__(self) -> tuple[object, ...]:
        return StateNets, (self._rules, self._initial, self._base, self.marked, self._forms)

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
            around = self.all_with(facts) if place else ()
            key = self._key_of_all(around) if place else self._key(self._initial)
            if found := kept_already(key, knows(facts if place else self._initial)):
                self._nets = [*self._nets, Single(found)]
                self._around = around

    def all_positions(self, most_rules: int) -> Single | None:
        """Let the net of all positions with declared fluents answer alone, and return it.

        None for a game that declares none. Raises as ``net_for``.
        """
        with self._lock:
            if self._base and not self._around:
                around = tuple(sorted(self._base))
                self._nets = [Single(self.widest(around, most_rules))]
                self._around, self._looked, self._is_over = around, 2, True
            return self._nets[-1] if self._around else None

    def stored(self, states: Sequence[Facts]) -> tuple[StoredNet, Single] | None:
        """The net that knows some states, for searches; None if there is none yet."""
        from .net import StoredNet

        nets = {found and found[0] for found in map(self.find, states)}
        net = nets.pop()
        if nets or net is None:
            return None

        def make() -> Net:
            from .net import Net
            from .reachable_nets import net_for

            if key == self._key(self._initial):
                return net_for(self._rules, self._initial, MOST_RULES)
            return Net(self._rules, (), self._around, True, MOST_RULES)

        is_widest = self._around and net is self._nets[-1]
        key = self._key_of_all(self._around) if is_widest else self._key(self._initial)
        return StoredNet(net.tables, key, make), net

    def charge(self, facts: Facts, seconds: float) -> None:
        """Count a question about a state with its time [s], and begin a net if that pays.

        The time is that of the grounder's thread.
        """
        if not self._lock.acquire(blocking=False):
            return  # another thread is making one
        try:
            pays = self._grounding.add(seconds) and not (self._is_over or self.making)
            if pays and not self.find(facts):
                self._begin(facts)
        finally:
            self._lock.release()

    def _begin(self, facts: Facts) -> None:
        """Make the next net if it is small; else let another process make it.

        Raises ``NotBuilt`` without a library, which the other process could tell nobody.
        """
        kernel()
        try:
            if self._grounding.seconds > self._grounding.asked * _QUICK_SECONDS:
                raise TooLarge
            self.make(facts, _SMALL_RULES)
            self._grounding = GrounderTime()
        except TooLarge:
            self.making = Thread(target=self._make_beside, args=(facts,), daemon=True)
            self.making.start()
        except (LimitReached, RulesError, MemoryError):
            self._is_over = True

    def _make_beside(self, facts: Facts) -> None:
        """Let another process make the next net."""
        from ..runtime.process_messages import CAN_FORK, machine_bytes
        from ..runtime.workers.worker import Worker  # few processes need it

        most_bytes = _SHARE_OF_MEMORY * machine_bytes() if CAN_FORK else math.inf
        place = len(self._nets)
        known = self.all_with(facts) if place else self._initial
        worker, packed = Worker(most_bytes), b""
        with suppress(Exception):  # there is no such net, or its process failed
            packed = worker.call(
                _packed, (self, place, known), {}, lambda: place == len(self._nets)
            )
        worker.close()
        with self._lock:
            if place == len(self._nets):
                self._is_over = not packed
                if packed:
                    made = Tables.unpack(memoryview(bytearray(packed)))
                    self._nets = [*self._nets[:1], Single(made)]
                    self._around = known if place else ()
            self._grounding, self.making = GrounderTime(), None

    def make(self, facts: Facts, most_rules: int = MOST_RULES) -> None:
        """Make the next net at once.

        The first is the net of all states reachable from the game's start, the second the net of
        all positions with known fluents and these facts.
        """
        if self._nets:
            around = self.all_with(facts)
            self._nets = [self._nets[0], Single(self.widest(around, most_rules))]
            self._around = around
        else:
            self.tables_from(self._initial, most_rules)

    def from_the_start(self, most_rules: int) -> Single:
        """Make the net of all states reachable from the game's start at once."""
        with self._lock:
            self.tables_from(self._initial, most_rules)
            return self._nets[0]

    def tables_from(
        self, facts: Facts, most_rules: int, budget: Budget = UNLIMITED, made: Net | None = None
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

    def widest(self, fluents: Facts, most_rules: int = MOST_RULES) -> Tables:
        """The net of all positions with some fluents."""

        def make() -> Tables:
            from .net import Net

            return Net(self._rules, (), fluents, True, most_rules).tables(self.marked)

        def fits(found: Tables) -> bool:
            return found.after == found.fluents

        return kept(self._key_of_all(fluents), fits, make, most_rules)

    def all_with(self, facts: Facts) -> Facts:
        """All known fluents, and those of a state."""
        known = {*self._base, *facts}
        for net in self._nets:
            known.update(net.tables.names.certain, net.tables.names.fluents)
        return tuple(sorted(known))

    def _key(self, facts: Facts) -> str:
        return key_of(self._rules, "from", self._forms, " ".join(facts))

    def _key_of_all(self, fluents: Facts) -> str:
        return key_of(self._rules, "of", self._forms, " ".join(fluents))


def _packed(nets: StateNets, place: int, facts: Facts) -> bytes:
    """A net in the form for storage: of all positions with some fluents, or from some facts."""
    return (nets.widest(facts) if place else nets.tables_from(facts, MOST_RULES)).pack()
