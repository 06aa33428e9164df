"""One step of play as a program for clingo's solver: any state, a joint move, the next state.

The state is open: any of a closed net's fluents may hold. So a statement about all steps here is
true of all steps of play. The reverse is false, because some of these states are unreachable.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..asp.clingo_api import Model
from ..gdl.predicates import CHANCE
from ..runtime.budget import Budget
from .circuit import FALSE, NO_VALUE
from .circuit_program import CircuitProgram

if TYPE_CHECKING:
    from .net import Net


@dataclass(frozen=True)
class Transition:
    """A step of play from the solver."""

    before: frozenset[str]
    """The open fluents of the state."""
    after: frozenset[str]
    """The open fluents of the next state."""


class Transitions(CircuitProgram):
    """Asks clingo for a state, or a step of play, in which some literals hold."""

    def __init__(self, net: Net, roles: Iterable[str], budget: Budget) -> None:
        super().__init__("--configuration=handy", "--heuristic=Domain")
        self.budget = budget
        self.fluents = net.fluents
        with self.writing():
            literal = self.literal = self.copy(net.circuit)
            """The program's literal for one of the circuit."""
            following = net.outputs.next
            self.holds = {f: literal(net.circuit.true[f]) for f in self.fluents}
            self.next = {f: literal(following.get(f, FALSE)) for f in self.fluents}
            self.gained = {f: self.atom([(self.next[f], -self.holds[f])]) for f in self.fluents}
            self.lost = {f: self.atom([(self.holds[f], -self.next[f])]) for f in self.fluents}
            self.terminal = literal(net.outputs.terminal)
            self.legal = {move: literal(node) for move, node in net.outputs.legal.items()}
            self.goals = {value: literal(node) for value, node in net.outputs.goal.items()}
            self.by_move = self.choice()
            """Whether clingo should decide moves first: a hint for its heuristic."""
            self.step = self.choice()
            """Whether a joint move is made: each role makes one of its legal moves."""
            self.does = {move: literal(node) for move, node in net.circuit.does.items()}
            self._play(roles)
        self.assumed: tuple[int, ...] = ()
        """Literals that hold in every state of play (see ``invariants``)."""

    def _play(self, roles: Iterable[str]) -> None:
        for role in roles:
            made = []
            for move, legal in self.legal.items():
                if move[0] == role:
                    if move not in self.does:  # nothing depends on it
                        self.does[move] = self.choice()
                    made.append(self.does[move])
                    self.try_first(made[-1], self.by_move)
                    self.never(made[-1], -legal)
            self.never(self.several(made))
            self.never(self.step, -self.atom((literal,) for literal in made))

    @property
    def played(self) -> tuple[int, int]:
        """The literals that mean: the roles make a joint move, and the game isn't over."""
        return self.step, -self.terminal

    def example(self, *assumptions: int) -> Transition | None:
        """A state in which some literals hold, and the next state; or None.

        Raises ``LimitReached`` after the time limit.
        """

        def transition(model: Model) -> Transition:
            return Transition(_held(model, self.holds), _held(model, self.next))

        return self.find(self.budget, [*self.assumed, *assumptions], transition)


def _held(model: Model, literals: Mapping[str, int]) -> frozenset[str]:
    return frozenset(fluent for fluent, literal in literals.items() if model.is_true(literal))


def wrong_states(
    program: CircuitProgram,
    roles: Iterable[str],
    terminal: int,
    legal: Mapping[tuple[str, str], int],
    goals: Mapping[tuple[str, int], int],
) -> dict[str, list[Sequence[int]]]:
    """Conjunctions by kind: a role has no move; at the end, it has no goal, or several."""
    found: dict[str, list[Sequence[int]]] = {"stuck": [], "goal_missing": [], "goals": []}
    for role in roles:
        can = program.atom([number] for (who, _), number in legal.items() if who == role)
        values = {value: number for (who, value), number in goals.items() if who == role}
        found["stuck"].append((-terminal, -can))
        if role == CHANCE:  # it wants nothing
            continue
        found["goal_missing"].append((terminal, *(-number for number in values.values())))
        found["goals"].append((terminal, program.several(values.values())))
        found["goals"] += [(terminal, values[NO_VALUE])] if NO_VALUE in values else []
    return found
