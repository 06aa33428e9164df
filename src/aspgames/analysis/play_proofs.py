"""Proofs about all play: it ends, every role can move, and goal values are unique.

The closed net over-approximates the reachable states. A claim that holds in all its states and
steps holds in play, by induction. A claim that fails in some of its states may still hold in play.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ..gdl.predicates import CHANCE
from ..gdl.rules import HIGHEST_GOAL, Facts
from ..propnet.invariants import Group, invariants
from ..propnet.net import Net
from ..propnet.transitions import Transition, Transitions, wrong_states
from ..runtime.budget import Budget
from ..runtime.errors import LimitReached
from .measures import Guesses, Measure

_SHARE_OF_TIME = 0.1  # of the remaining time, for other proofs after the proof that play ends
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
            self._transitions.budget = Budget(max(0.01, _SHARE_OF_TIME * self._budget.seconds_left))
        self._suppose(by_argument=True)
        self._questions()
        if not self._measures and not self._returns:
            self._measures.extend(guesses.sums())

    def _suppose(self, by_argument: bool) -> None:
        states = [self._initial, *(step.after for step in self._steps[:_MOST_STATES])]
        self._groups += invariants(self._transitions, states, by_argument)

    def _questions(self) -> None:
        found, transitions = self.found, self._transitions
        if not found.playable:
            found.playable = not self._possible("stuck")
        if not found.settled:
            found.settled = not self._possible("goal_missing", "goals")
        for role in self._roles:
            if role == CHANCE:
                continue
            win = transitions.goals.get((role, HIGHEST_GOAL))
            if role not in found.never_win and (
                win is None or not transitions.example(win, transitions.terminal)
            ):
                found.never_win.append(role)

    def _possible(self, *kinds: str) -> bool:
        """Whether a state can be wrong in one of these ways (see ``wrong_states``)."""
        play = self._transitions
        with play.writing():
            found = wrong_states(play, self._roles, play.terminal, play.legal, play.goals)
            literal = play.atom(body for kind in kinds for body in found[kind])
        return play.example(literal) is not None
