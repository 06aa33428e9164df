"""Circuits as a logic program, so that clingo's solver can search or prove over all states."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from ..asp.literal_program import LiteralProgram
from .circuit import TRUE, Circuit, needed


class CircuitCopy:
    """A copy of a circuit in a program: a function from its literals to those of the program."""

    def __init__(self, atoms: dict[int, int]) -> None:
        self.atoms = atoms
        """The program's literals for nodes of the circuit."""
        self.negations: dict[int, int] = {}
        """The atoms of nodes that are false, if these depend on a loop."""

    def __call__(self, literal: int) -> int:
        """The program's literal for one of the circuit."""
        if literal > 0:
            return self.atoms[literal]
        return self.negations.get(-literal) or -self.atoms[-literal]


class CircuitProgram(LiteralProgram):
    """Copies of circuits in one program, with rules and constraints on their literals."""

    def copy(
        self,
        circuit: Circuit,
        inputs: Mapping[int, int] = MappingProxyType({}),
        outputs: Sequence[int] | None = None,
        nodes: Sequence[int] = (),
    ) -> CircuitCopy:
        """Add a circuit.

        A gate that depends on a loop becomes two atoms, one for true and one for false. Otherwise a
        negation could support the loop, and the loop would not have its least fixpoint.

        Args:
            circuit: The circuit. inputs: The program's literals for some nodes; other inputs are
            open. outputs: The literals that are needed. Defaults to all. nodes: The nodes that
            are needed, if they are known, in order.
        """
        literal = CircuitCopy({TRUE: self.true} | dict(inputs))
        atoms = literal.atoms
        looped = {
            variable: definition
            for loop in circuit.loops
            for variable, definition in zip(loop.variables, loop.definitions, strict=True)
        }
        regions = [(loop.first, loop.end) for loop in circuit.loops]
        gates = circuit.gates

        depending: set[int] = set(looped)
        everything = range(TRUE + 1, circuit.size + 1)
        for node in nodes or sorted(everything if outputs is None else needed(circuit, outputs)):
            if node in atoms:
                continue
            gate = gates.get(node)
            if gate is None:
                atoms[node] = self.atom() if node in looped else self.choice()
                continue
            atoms[node] = self.atom([[literal(each) for each in gate]])
            if any(first <= node < end for first, end in regions) and any(
                abs(each) in depending for each in gate
            ):
                depending.add(node)
                literal.negations[node] = self.atom([literal(-each)] for each in gate)
        for variable, definition in looped.items():
            if variable in atoms:
                self.derive(atoms[variable], literal(definition))
        return literal
