"""What players perceive of moves: the grounder answers at first, and a net once that pays."""

from __future__ import annotations

import time
from collections.abc import Mapping
from threading import RLock
from typing import TYPE_CHECKING

from ..propnet.state_nets import GrounderTime
from ..runtime.budget import MOST_RULES, MOST_RULES_UNASKED, UNLIMITED, Budget
from ..runtime.errors import LimitReached, RulesError

if TYPE_CHECKING:
    from ..gdl.rules import Facts
    from ..propnet.percept_net import PerceptNet
    from .game import Game

_RULES_A_SECOND = 150_000  # ground rules that become a net in a second
_MOST_NETS = 4


class PerceptAnswers:
    """Tells what players perceive. Several threads may ask."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._nets: dict[Facts, PerceptNet] = {}
        """The newest nets, by the facts of the first state."""
        self._refused: dict[Facts, int] = {}
        """The limits that nets exceeded."""
        self._grounding = GrounderTime()
        self._lock = RLock()

    def of(self, facts: Facts, joint: Mapping[str, str]) -> Mapping[str, tuple[str, ...]]:
        """What each role perceives of a legal joint move: terms, sorted."""
        for net in tuple(self._nets.values()):
            if net.tables.row(facts) is not None:
                return net.seen(facts, joint)
        start = time.thread_time()
        found = self._game.grounder.percepts(facts, joint)
        self._charge(time.thread_time() - start)
        return found

    def net(
        self, start: Facts, most_rules: int = MOST_RULES, budget: Budget = UNLIMITED
    ) -> PerceptNet | None:
        """The net of the states reachable from a state; None if there is none within the limits."""
        from ..propnet.percept_net import PerceptNet

        with self._lock:
            if start in self._nets or most_rules <= self._refused.get(start, 0):
                return self._nets.get(start)
            try:
                found = PerceptNet(self._game.rules, start, ["hidden"], most_rules, budget)
            except (LimitReached, RulesError):
                self._refused[start] = most_rules
                return None
            while len(self._nets) >= _MOST_NETS:
                del self._nets[next(iter(self._nets))]
            self._nets[start] = found
            return found

    def _charge(self, seconds: float) -> None:
        """Count the grounder's time [s]: a net may take as much time as the questions so far."""
        pays = self._grounding.add(seconds) and self._game.has_nets
        if not pays or not self._lock.acquire(blocking=False):
            return
        try:
            start = self._game.vocabulary.initial
            most = min(MOST_RULES_UNASKED, int(_RULES_A_SECOND * self._grounding.seconds))
            if most >= 2 * self._refused.get(start, 0):
                self.net(start, most)
        finally:
            self._lock.release()
