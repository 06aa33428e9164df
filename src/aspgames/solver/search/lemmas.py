"""Lemmas about all states at once: some literals of a circuit are never true together.

They are about every set of the net's fluents, also those that play doesn't lead to. So a lemma may
fail that holds in all real positions, but what is proved holds in them.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...propnet.circuit import FALSE, TRUE, Circuit
from ...propnet.circuit_program import CircuitProgram

_MOST_CONFLICTS = 2_000


def new_program() -> CircuitProgram:
    """A program whose solver gives up soon."""
    program = CircuitProgram()
    program.control.configuration.solve.solve_limit = str(_MOST_CONFLICTS)  # type: ignore[union-attr]
    return program


def excluded(program: CircuitProgram, literals: Iterable[int]) -> bool:
    """Whether it is proved that some of the program's literals are never true together."""
    return bool(program.control.solve(assumptions=list(literals)).unsatisfiable)


def never(circuit: Circuit, literals: Iterable[int]) -> bool:
    """Whether it is proved that literals of a circuit are never true together."""
    gate = circuit.conjunction(literals)
    if gate == FALSE:
        return True
    if gate == TRUE or circuit.loops:
        return False  # proofs about loops take too long
    program = new_program()
    with program.writing():
        literal = program.copy(circuit, outputs=[gate])
    return excluded(program, [literal(gate)])
