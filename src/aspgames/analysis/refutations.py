"""Search for a step of play that refutes a property of a game.

clingo's solver looks for such a step (see ``transitions``). The program also has the rules after
the step. So its terminal states are states that a step leads to.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product

from ..game.game import Game
from ..propnet.circuit import NO_VALUE, TRUE
from ..propnet.invariants import Group, invariants
from ..propnet.net import Net
from ..propnet.transitions import Transition, Transitions, wrong_states
from ..runtime.budget import Budget
from ..runtime.errors import LimitReached
from .fluent_phases import Held, Phases
from .measures import Guesses
from .net_sample import NetSample


class Refutations:
    """Looks for a step of play that refutes a property. Raises ``LimitReached``."""

    def __init__(self, game: Game, net: Net, several: Sequence[Phases], budget: Budget) -> None:
        self._game, self._net, self._budget = game, net, budget
        self._sample = NetSample(game, budget)
        self._several = several
        self._changed: list[int] = []  # for each loop of atoms, whether a step changes its inputs
        self._open()

    def _open(self) -> None:
        self._transitions = transitions = Transitions(self._net, self._game.roles, self._budget)
        for each in self._several:
            bodies = [_values(held, each, transitions.holds) for held in self._reached(each)]
            with transitions.writing():
                transitions.never(-transitions.atom(bodies))
        with transitions.writing():
            self._write_after()
        self._learn()

    def _reached(self, found: Phases) -> set[Held]:
        transitions = self._transitions
        reached, work = set[Held](), [found.first]
        while work:
            held = work.pop()
            if held not in reached:
                reached.add(held)
                after = found.following[held]
                here = _values(held, found, transitions.holds)
                work += [
                    each
                    for each in after
                    if len(after) < 2
                    or transitions.example(
                        transitions.by_move,
                        *transitions.played,
                        *here,
                        *_values(each, found, transitions.next),
                    )
                ]
        return reached

    def _write_after(self) -> None:
        transitions, net = self._transitions, self._net
        following = {net.circuit.true[f]: literal for f, literal in transitions.next.items()}
        literal = transitions.copy(net.circuit, following)
        self._over = literal(net.outputs.terminal)
        self._goals = {goal: literal(node) for goal, node in net.outputs.goal.items()}
        self._write_loops(literal)
        wrong = wrong_states(transitions, self._game.roles, self._over, {}, self._goals)
        self._settled = -transitions.atom(wrong["goals"])  # other states stop play
        self._missing = transitions.atom(wrong["goal_missing"])

    def _write_loops(self, after: Callable[[int], int]) -> None:
        """Write that a loop's atoms don't change if its inputs don't."""
        transitions, circuit = self._transitions, self._net.circuit
        for loop in circuit.loops:
            gates = range(loop.first, loop.end)
            literals = {*loop.definitions}.union(*map(circuit.gate, gates))
            inputs = {abs(literal) for literal in literals} - {TRUE, *gates, *loop.variables}

            def differ(nodes: Iterable[int]) -> int:
                return transitions.atom(
                    [sign * transitions.literal(node), -sign * after(node)]
                    for node in nodes
                    for sign in (1, -1)
                )

            changed = differ(inputs)
            transitions.never(-changed, differ(loop.variables))
            self._changed.append(changed)

    def _learn(self) -> None:
        """Add the phases in which loops don't change; the solver doesn't find them by itself."""
        transitions = self._transitions
        for changed, found in product(self._changed, self._several):
            for held in found.following:
                here = *transitions.played, *_values(held, found, transitions.holds), changed
                if transitions.example(transitions.by_move, *here) is None:
                    with transitions.writing():
                        transitions.never(*here)

    def _can_end(self, broken: int) -> bool:
        transitions = self._transitions
        asked = *transitions.played, self._over, self._settled, broken
        return transitions.example(transitions.by_move, *asked) is not None

    def take_turns(self) -> bool:
        """Whether at most one role has a choice in any nonterminal state."""
        transitions = self._transitions
        with transitions.writing():
            several = transitions.several(
                transitions.several(
                    atom for (who, _), atom in transitions.legal.items() if who == role
                )
                for role in self._game.roles
            )
        return transitions.example(several, -transitions.terminal) is None

    def lowest(self) -> int:
        """The least goal value of the rules, if every role always has one at the end; else 0."""
        least = min((value for _, value in self._goals if value != NO_VALUE), default=0)
        return 0 if least == 0 or self._can_end(self._missing) else least

    def total(self) -> int | None:
        """The sum of the goal values at the sampled ends, if it is proved for every end."""
        if not self._sample.totals or len(self._sample.totals) > 1:
            return None
        (total,), transitions = self._sample.totals, self._transitions
        goals = [(literal, value) for (_, value), literal in self._goals.items()]
        with transitions.writing():
            least, more = (transitions.at_least(n, goals) for n in (total, total + 1))
            other = transitions.atom([[-least], [more]])
        return None if self._can_end(other) else total

    def bound(self) -> int | None:
        """The plies within which a measure reaches its upper bound."""
        if self._sample.returns:
            return None
        known = frozenset(self._net.fluents)
        steps = [Transition(step.before & known, step.after & known) for step in self._sample.steps]
        initial = known.intersection(self._game.initial.facts)
        guesses = Guesses(self._transitions, steps, self._budget)
        measure, groups = next(guesses.sums(), None), list[Group]()
        try:  # invariants lower the bound, or help prove that each step increases the sum
            states = [initial, *(step.after for step in steps)]
            groups = invariants(self._transitions, states, by_argument=True)
            measure = measure or next(guesses.sums(), None)
        except LimitReached:
            pass
        return None if measure is None else measure.highest(groups) - measure.of(initial)


def _values(held: Held, found: Phases, literals: Mapping[str, int]) -> list[int]:
    """Literals that are true if exactly these of the phases' fluents hold."""
    return [literals[f] if f in held else -literals[f] for f in found.fluents]
