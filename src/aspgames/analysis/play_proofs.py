"""Proofs about all play: it ends, every role can move, and goal values are unique.

The closed net over-approximates the reachable states. A claim that holds in all its states and
steps holds in play, by induction. A claim that fails in some of its states may still hold in play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from ..gdl.reasoner import HIGHEST_GOAL, Facts
from ..propnet.circuit import NO_VALUE
from ..propnet.net import Net
from ..runtime.budget import Budget
from ..runtime.errors import LimitReached
from .invariants import Group, invariants
from .measures import Guesses, Measure
from .transitions import Transition, Transitions

_SHARE = 0.1  # of the remaining time, for other proofs after the proof that play ends
_MOST_STATES = 2000  # states that rule out candidates for invariants


@dataclass
class Proofs:
    """The properties proved within the time limit."""

    bound: int | None = None
    """The plies within which play ends."""
    because: str = ""
    """The reason why it ends, as a sentence without its full stop."""
    playable: bool = False
    """Whether every role has a legal move in every nonterminal state of play."""
    settled: bool = False
    """Whether every role has exactly one goal value from 0 to 100 in every terminal state of play.
    """
    never_win: list[str] = field(default_factory=list)
    """The roles that have 100 in no terminal state of play."""
    out_of_time: bool = False
    """Whether the time limit stopped a proof."""


class PlayProver:
    """Proves properties within the time limit."""

    def __init__(
        self,
        net: Net,
        roles: Sequence[str],
        initial: Facts,
        steps: Iterable[Transition],
        budget: Budget,
        returns: bool = False,
    ) -> None:
        """``steps`` are known steps of play, which ``returns`` to an earlier state or may end."""
        self._roles, self._budget = roles, budget
        known = frozenset(net.fluents)
        self._steps = [Transition(step.before & known, step.after & known) for step in steps]
        self._initial = known.intersection(initial)
        self._returns = returns
        self._transitions = Transitions(net, roles, budget)
        self._groups: list[Group] = []
        self._measures: list[Measure] = []
        self.found = Proofs()

    def prove(self) -> Proofs:
        """Prove the properties, the fastest first."""
        try:
            self._all()
        except LimitReached:
            self.found.out_of_time = True
        if self._measures:
            bounds = [m.highest(self._groups) - m.of(self._initial) for m in self._measures]
            self.found.bound = min(bounds)
            self.found.because = self._measures[bounds.index(self.found.bound)].text
        return self.found

    def _all(self) -> None:
        self._suppose(by_argument=False)
        guesses = Guesses(self._transitions, self._steps, self._budget)
        if not self._returns:
            self._measures.extend(guesses.counters(self._groups))
        self._questions()
        if self._measures and self.found.playable and self.found.settled:
            return
        if self._measures:  # the rest is worth less time
            self._transitions.budget = Budget(max(0.01, _SHARE * self._budget.seconds_left))
        self._suppose(by_argument=True)
        self._questions()
        if not self._measures and not self._returns:
            self._measures.extend(guesses.sums())

    def _suppose(self, by_argument: bool) -> None:
        """Prove invariants."""
        states = [self._initial, *(step.after for step in self._steps[:_MOST_STATES])]
        self._groups += invariants(self._transitions, states, by_argument)

    def _questions(self) -> None:
        """Look for counterexamples to the open claims."""
        found, transitions = self.found, self._transitions
        if not found.playable:
            found.playable = not self._possible(self._stuck)
        if not found.settled:
            found.settled = not self._possible(self._unsettled)
        for role in self._roles:
            win = transitions.goals.get((role, HIGHEST_GOAL))
            if role not in found.never_win and (
                win is None or not transitions.example(win, transitions.terminal)
            ):
                found.never_win.append(role)

    def _possible(self, broken: Callable[[], Iterable[Sequence[int]]]) -> bool:
        """Whether any of some conjunctions can hold."""
        with self._transitions.writing():
            literal = self._transitions.atom(broken())
        return self._transitions.example(literal) is not None

    def _stuck(self) -> Iterable[Sequence[int]]:
        """Conjunctions: a role has no legal move, and the game isn't over."""
        transitions = self._transitions
        for role in self._roles:
            moves = [[literal] for (who, _), literal in transitions.legal.items() if who == role]
            yield -transitions.terminal, -transitions.atom(moves)

    def _unsettled(self) -> Iterable[Sequence[int]]:
        """Conjunctions: at the end, a role has no goal value, several, or an invalid one."""
        transitions = self._transitions
        for role in self._roles:
            goals = {v: literal for (r, v), literal in transitions.goals.items() if r == role}
            yield transitions.terminal, -transitions.atom([literal] for literal in goals.values())
            yield transitions.terminal, transitions.several(goals.values())
            if NO_VALUE in goals:
                yield transitions.terminal, goals[NO_VALUE]
