"""One step of play as a program for clingo's solver: any state, a joint move, the next state.

The state is open: it may hold any of the fluents that a closed net knows, so what holds of each
step here holds of each step of play. (It may be a state that play never comes to, so what doesn't
hold here may hold in play all the same.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import clingo
from clingo.backend import HeuristicType

from ..propnet.circuit import FALSE, TRUE, Circuit
from ..propnet.net import Net
from ..runtime.budget import Budget
from ..runtime.errors import LimitReached

Weighted = Sequence[tuple[int, int]]
"""Literals with their weights."""

_WAIT = 0.05  # seconds between looks at the budget


@dataclass(frozen=True)
class Step:
    """A step that the solver has found."""

    before: frozenset[str]
    """The open fluents of the state."""
    after: frozenset[str]
    """The open fluents of the next state."""


class Transitions:
    """Asks clingo whether there is a state, or a step, of which something holds.

    Literals are numbers, negative for their negations.
    """

    def __init__(self, net: Net, roles: Iterable[str], budget: Budget) -> None:
        self.budget = budget
        self.control = clingo.Control(
            ["--configuration=handy", "--heuristic=Domain"], logger=lambda *_: None
        )
        self.fluents = net.fluents
        """The fluents that are open."""
        with self.control.backend() as backend:
            self._backend: clingo.Backend | None = backend
            self.true_atom = self.atom([()])
            literal = self.literal = self.copy(net.circuit)
            """What has become of the circuit's literals."""
            following = net.outputs.next
            self.true = {f: literal(net.circuit.true[f]) for f in self.fluents}
            self.next = {f: literal(following.get(f, FALSE)) for f in self.fluents}
            self.gained = {f: self.atom([(self.next[f], -self.true[f])]) for f in self.fluents}
            self.lost = {f: self.atom([(self.true[f], -self.next[f])]) for f in self.fluents}
            self.terminal = literal(net.outputs.terminal)
            self.legal = {move: literal(node) for move, node in net.outputs.legal.items()}
            self.goals = {value: literal(node) for value, node in net.outputs.goal.items()}
            self.by_move = self.choice()
            """Whether clingo is to look at one move after the other: a hint, no more."""
            self.step = self.choice()
            """Whether a joint move is made: each role makes one of its legal moves."""
            self.does = {move: literal(node) for move, node in net.circuit.does.items()}
            self._play(roles)
        self._backend = None
        self.assumed: tuple[int, ...] = ()
        """Literals that hold in every state of play (see ``invariants``)."""

    # --- writing ----------------------------------------------------------------------------------

    def write(self, written: Callable[[], None]) -> None:
        """Add to the program what a function writes with the following ones."""
        with self.control.backend() as backend:
            self._backend = backend
            written()
        self._backend = None

    def atom(self, bodies: Iterable[Sequence[int]]) -> int:
        """A literal that is true where one of some conjunctions is."""
        assert self._backend
        atom = self._backend.add_atom()
        for body in bodies:
            self._backend.add_rule([atom], body)
        return atom

    def choice(self) -> int:
        """A literal that may be true or not."""
        assert self._backend
        atom = self._backend.add_atom()
        self._backend.add_rule([atom], [], True)
        return atom

    def never(self, *body: int) -> None:
        """Forbid that all of some literals hold."""
        assert self._backend
        self._backend.add_rule([], body)

    def at_least(self, bound: int, weighted: Weighted) -> int:
        """A literal that is true where the weights of the true literals come to a bound."""
        assert self._backend
        positive = []
        for literal, weight in weighted:
            if weight < 0:  # clingo wants none of these
                bound -= weight
                literal, weight = -literal, -weight
            if weight:
                positive.append((literal, weight))
        if bound <= 0:
            return self.true_atom
        atom = self._backend.add_atom()
        self._backend.add_weight_rule([atom], bound, positive)
        return atom

    def copy(
        self, circuit: Circuit, inputs: Mapping[int, int] = MappingProxyType({})
    ) -> Callable[[int], int]:
        """Add the nodes of a circuit; the function says what has become of its literals.

        Inputs are open, but for those for which a literal is given.
        Of a gate that depends on a loop there are two atoms, one for its being true and one for its
        being false, so that the loop has its least fixpoint: negations would let it hold itself up.
        """
        atoms = {TRUE: self.true_atom}
        negations: dict[int, int] = {}
        looped = {
            variable: definition
            for loop in circuit.loops
            for variable, definition in zip(loop.variables, loop.definitions, strict=True)
        }
        regions = [(loop.first, loop.end) for loop in circuit.loops]
        gates = circuit.gates

        def literal(number: int) -> int:
            if number > 0:
                return atoms[number]
            return negations.get(-number) or -atoms[-number]

        depending: set[int] = set(looped)
        for node in range(TRUE + 1, circuit.size + 1):
            gate = gates.get(node)
            if gate is None:
                atoms[node] = self.atom(()) if node in looped else inputs.get(node) or self.choice()
                continue
            atoms[node] = self.atom([[literal(each) for each in gate]])
            if any(first <= node < end for first, end in regions) and any(
                abs(each) in depending for each in gate
            ):
                depending.add(node)
                negations[node] = self.atom([literal(-each)] for each in gate)
        assert self._backend
        for variable, definition in looped.items():
            self._backend.add_rule([atoms[variable]], [literal(definition)])
        return literal

    def _play(self, roles: Iterable[str]) -> None:
        """Let each role make at most one of its legal moves, and one in a step."""
        assert self._backend
        for role in roles:
            made = []
            for move, legal in self.legal.items():
                if move[0] == role:
                    if move not in self.does:  # nothing depends on it
                        self.does[move] = self.choice()
                    made.append(self.does[move])
                    self._backend.add_heuristic(made[-1], HeuristicType.True_, 1, 1, [self.by_move])
                    self.never(made[-1], -legal)
            self.never(self.at_least(2, [(literal, 1) for literal in made]))
            self.never(self.step, -self.atom((literal,) for literal in made))

    # --- asking -----------------------------------------------------------------------------------

    @property
    def played(self) -> tuple[int, int]:
        """The literals by which a joint move is made, in a game that isn't over."""
        return self.step, -self.terminal

    def find(self, *assumptions: int) -> Step | None:
        """A state of which some literals hold, and what follows; None if there is none.

        Raises ``LimitReached`` when the time is over.
        """
        wanted = [*self.assumed, *assumptions]
        with self.control.solve(assumptions=wanted, yield_=True, async_=True) as handle:
            while not handle.wait(_WAIT):
                self.budget.check()
            model = handle.model()
            if model is not None:
                return Step(_held(model, self.true), _held(model, self.next))
            if not handle.get().exhausted:
                raise LimitReached("clingo gave up")
        return None


def _held(model: clingo.Model, literals: Mapping[str, int]) -> frozenset[str]:
    return frozenset(fluent for fluent, literal in literals.items() if model.is_true(literal))
