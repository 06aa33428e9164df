"""A puzzle's goal, end and sides on move in the states of one phase, as literals of a circuit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ..propnet.circuit import FALSE, NO_VALUE, TRUE, Circuit, now
from ..propnet.kernel import Pointer
from ..propnet.net import Net
from ..puzzle.problem import Puzzle

# Proofs import clingo, which most puzzles don't need.
if TYPE_CHECKING:
    from ..propnet.circuit_program import CircuitCopy, CircuitProgram


class Phase:
    """The rules in one phase: the fluents that tell which side is on move are constants.

    So the circuit is small.
    """

    def __init__(
        self, net: Net, held: tuple[bool, ...] | None, puzzle: Puzzle, lemmas: bool = True
    ) -> None:
        """``lemmas`` tells whether to simplify with lemmas, which takes time."""
        self.net = net
        self.held = held
        self.circuit, self.became = net.at(held)
        self.attacker, self.defender = puzzle.attacker, puzzle.defender
        self.sides = puzzle.sides
        outputs = net.outputs
        self.terminal = now(self.became, outputs.terminal)
        self.legal = {move: now(self.became, outputs.legal[move]) for move in net.moves}
        self._atoms: Mapping[int, int] = {}  # of the program for proofs
        self._goal = puzzle.goal
        self._lemmas = lemmas

    def _of(self, role: str) -> dict[str, int]:
        """A role's moves, with their literals."""
        return {
            move: literal
            for (mover, move), literal in self.legal.items()
            if mover == role and literal != FALSE
        }

    @cached_property
    def on_move(self) -> dict[str, int]:
        """When each role is on move; see ``reasoner.the_one_on_move``."""
        circuit = self.circuit
        named = {r: now(self.became, lit) for r, lit in self.net.outputs.to_move.items()}
        any_named = circuit.disjunction(named.values())
        silent, candidate = {}, {}
        for role in self.sides:
            legal = self._of(role)
            passes = legal.pop("noop", FALSE) if self.defender else FALSE
            active = circuit.disjunction([-passes, *legal.values()])
            silent[role] = circuit.conjunction([-any_named, active])
        both = circuit.conjunction(silent.values()) if self.defender else FALSE
        for role in self.sides:
            waits = (
                FALSE if both == FALSE else circuit.conjunction([both, self._has_one_move(role)])
            )
            unnamed = circuit.conjunction([silent[role], -waits])
            candidate[role] = circuit.disjunction([named.get(role, FALSE), unnamed])
        return {
            role: circuit.conjunction(
                [candidate[role], *(-candidate[other] for other in self.sides if other != role)]
            )
            for role in self.sides
        }

    @property
    def attacks(self) -> int:
        """When the attacker is on move."""
        return self.on_move[self.attacker]

    @property
    def defends(self) -> int:
        """When the defender is on move, or the ply is forced."""
        if self.defender is None:
            return FALSE
        return self.circuit.disjunction([self.on_move[self.defender], self._forced])

    @cached_property
    def _forced(self) -> int:
        """When no role is on move and each has one move."""
        nobody = [-literal for literal in self.on_move.values()]
        if self.circuit.conjunction(nobody) == FALSE:
            return FALSE
        return self.circuit.conjunction([*nobody, *map(self._has_one_move, self.sides)])

    def _has_one_move(self, role: str) -> int:
        weighted = [(literal, 1) for literal in self._of(role).values()]
        at_least = self.circuit.at_least
        return self.circuit.conjunction([at_least(1, weighted), -at_least(2, weighted)])

    @cached_property
    def reached(self) -> int:
        """When the state reaches the goal."""
        when = self._goal.condition
        parts = [self._within(self.attacker, when.attacker, when.terminal)]
        if self.defender is not None:
            parts.append(self._within(self.defender, when.defender, when.terminal))
        parts += [self.terminal] * when.terminal + [self._trapped] * when.trapped
        return self.circuit.conjunction(parts)

    def _within(self, role: str, bounds: tuple[int, int], at_end: bool) -> int:
        least, most = bounds
        reached = self._scored(role, least, at_end)
        return self.circuit.conjunction([reached, -self._scored(role, most + 1, at_end)])

    def _scored(self, role: str, least: int, at_end: bool) -> int:
        """When a role's value is ``least`` or more; at the end of the game, values are clear."""
        if least == 0:
            return TRUE  # an ambiguous value counts as 0
        circuit, values = self.circuit, self._values(role)
        found = circuit.disjunction(lit for value, lit in values.items() if value >= least)
        if found == FALSE or at_end:
            return found
        unsettled = self._unsettled(role)
        if self._never(found, unsettled):
            return found
        return circuit.conjunction([found, -unsettled])

    @property
    def _trapped(self) -> int:
        circuit = self.circuit
        if self.defender is None:
            return FALSE
        on_move = self.on_move[self.defender]
        trapped = circuit.conjunction(
            [on_move, *(-legal for legal in self._of(self.defender).values())]
        )
        # In some games this equals the end of the game, which takes far fewer gates.
        ended = circuit.conjunction([on_move, self.terminal])
        same = self._never(trapped, -ended) and self._never(ended, -trapped)
        return ended if same else trapped

    def _values(self, role: str) -> dict[int, int]:
        """When the rules give a role each of its goal values."""
        goals = self.net.outputs.goal.items()
        return {value: now(self.became, lit) for (player, value), lit in goals if player == role}

    def _unsettled(self, role: str) -> int:
        """When a role has several goal values, or an invalid one."""
        circuit, values = self.circuit, self._values(role)
        several = circuit.at_least(2, [(literal, 1) for literal in values.values()])
        return circuit.disjunction([several, values.get(NO_VALUE, FALSE)])

    def _never(self, *literals: int) -> bool:
        return self._lemmas and self.never(literals)

    @cached_property
    def _program(self) -> CircuitProgram:
        from ..propnet.circuit_program import CircuitProgram

        return CircuitProgram()

    def never(self, literals: Iterable[int]) -> bool:
        """Whether there is a proof that literals of the circuit are never true together.

        A proof covers every set of the net's fluents, also sets that no play reaches. So a
        statement that is true in all reachable states may have no proof.
        """
        gate = self.circuit.conjunction(literals)
        if gate == FALSE:
            return True
        if gate == TRUE or self.circuit.loops:
            return False  # proofs about loops take too long
        with self._program.writing():
            literal = self._program.copy(self.circuit, self._atoms, outputs=[gate])
        self._atoms = literal.atoms
        return self._program.excludes(literal(gate))

    @cached_property
    def over(self) -> int:
        """When the game is over, or nobody can move, without the goal."""
        circuit = self.circuit
        stuck = circuit.disjunction(
            circuit.conjunction(
                [self.on_move[role], *(-legal for legal in self._of(role).values())]
            )
            for role in self.sides
        )
        if self._never(stuck, -self.terminal, -self.reached):
            stuck = FALSE
        return circuit.conjunction([-self.reached, circuit.disjunction([self.terminal, stuck])])

    def never_leads_to(self, then: Phase) -> bool:
        """Whether no state follows in another phase, or in this one, by constants alone."""
        net = self.net
        return any(
            now(self.became, net.outputs.next.get(net.fluents[place], FALSE))
            == (FALSE if holds else TRUE)
            for place, holds in zip(net.control, then.held or (), strict=False)
        )

    @property
    def needs_attacker_on_move(self) -> bool:
        """Whether the goal needs the attacker on move, by constants alone, as in a selfmate."""
        elsewhere = self.circuit.conjunction([self.reached, -self.on_move[self.attacker]])
        return elsewhere == FALSE

    @cached_property
    def mixed(self) -> int:
        """When the sides don't take turns, or the game is over with ambiguous goal values."""
        circuit = self.circuit
        waits = [self._forced]
        for mover in self.sides:
            others = (other for other in self.sides if other != mover)
            if self.on_move[mover] != FALSE:
                settled = [self.on_move[mover], *map(self._has_one_move, others)]
                waits.append(circuit.conjunction(settled))
        together = circuit.conjunction([-self.terminal, -self.reached, -circuit.disjunction(waits)])
        unsettled = circuit.disjunction(map(self._unsettled, self.sides))
        if self._never(self.terminal, unsettled):
            return together
        return circuit.disjunction([together, circuit.conjunction([self.terminal, unsettled])])

    @property
    def verdicts(self) -> Sequence[int]:
        """The literals that the kernel evaluates for a state, in its order."""
        return self.reached, self.over, self.attacks, self.defends, self.mixed

    @cached_property
    def successor(self) -> tuple[Circuit, dict[int, int], list[int]]:
        """The circuit for the next state, the new literals of nodes, and the fluents' literals.

        Moves that are never legal in this phase are constants. So are forced moves.
        """
        values = {}
        for move, literal in self.legal.items():
            node = self.became[self.net.circuit.does.get(move, TRUE)]
            settled = literal == FALSE or (literal == TRUE and len(self._of(move[0])) == 1)
            if settled and abs(node) != TRUE:
                values[node] = literal
        circuit, further = self.circuit.assumed(values)
        became = _Composed(self.became, further)
        return circuit, became, [now(became, literal) for literal in self._next]

    @cached_property
    def _next(self) -> list[int]:
        """When each fluent holds in the next state, in the net's circuit."""
        return [self.net.outputs.next.get(fluent, FALSE) for fluent in self.net.fluents]

    @cached_property
    def following(self) -> list[int]:
        """When each fluent holds in the next state, in the phase's circuit."""
        return [now(self.became, literal) for literal in self._next]


class _Composed(dict[int, int]):
    """The literals of nodes after two simplifications, computed on demand."""

    def __init__(self, first: Mapping[int, int], then: Pointer) -> None:
        super().__init__()
        self._first, self._then = first, then

    def __missing__(self, node: int) -> int:
        literal = self._first[node]
        self[node] = self._then[literal] if literal > 0 else -self._then[-literal]
        return self[node]


def never_leads_to_goal(phase: Phase, then: Phase, lemmas: bool) -> bool:
    """Whether it is proved that no defender's move in ``phase`` reaches the goal in ``then``.

    Without ``lemmas``, only by the phases' constants, as where the goal needs the defender on move.
    """
    if phase.defends == FALSE or phase.defender is None or phase.never_leads_to(then):
        return True
    if then.reached == FALSE:
        return True
    if not lemmas:
        return False
    if then.never([then.reached]):
        return True
    found = one_ply(phase, phase.defender)
    if found is None:
        return False
    program, ply = found
    with program.writing():
        inputs = {}
        for fluent, literal in zip(phase.net.fluents, phase.following, strict=True):
            node = then.became[phase.net.circuit.true[fluent]]
            if abs(node) == TRUE:
                program.never(-ply(literal if node == TRUE else -literal))
            else:
                inputs[node] = ply(literal)
        second = program.copy(then.circuit, inputs, (then.reached,))
    return program.excludes(ply(phase.defends), second(then.reached))


def one_ply(phase: Phase, mover: str) -> tuple[CircuitProgram, CircuitCopy] | None:
    """A program for a state in which play goes on, and a move of one role.

    It has the literals of the next state, too (``Phase.following``). None if another role has a
    choice.
    """
    if phase.circuit.loops or phase.held is None:
        return None
    if any(role != mover and abs(legal) != TRUE for (role, _), legal in phase.legal.items()):
        return None
    circuit = phase.net.circuit
    made = {move: phase.became[node] for move, node in circuit.does.items()}
    before = [phase.reached, phase.over, phase.defends]
    before += [phase.became[node] for node in circuit.true.values()]
    outputs = [*before, *phase.following, *phase.legal.values(), *made.values()]
    from ..propnet.circuit_program import CircuitProgram

    program = CircuitProgram()
    with program.writing():
        ply = program.copy(phase.circuit, outputs=outputs)
        choices = []
        for move, node in made.items():
            legal = phase.legal[move]
            if legal == FALSE or move[0] != mover:
                program.never(-ply(node if legal == TRUE else -node))
            else:
                program.never(ply(node), -ply(legal))
                choices.append(ply(node))
        program.never(*(-choice for choice in choices))
        program.never(program.several(choices))
        program.never(ply(phase.reached))
        program.never(ply(phase.over))
    return program, ply
