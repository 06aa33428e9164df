"""Lemmas about all states at once: some literals of a circuit are never true together.

They cover every set of the net's fluents, also sets that no play reaches. So a statement that is
true in all reachable states may have no proof, but each proved lemma is true there.
"""

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
    """Whether there is a proof that some of the program's literals are never true together."""
    return bool(program.control.solve(assumptions=list(literals)).unsatisfiable)


def never(circuit: Circuit, literals: Iterable[int]) -> bool:
    """Whether there is a proof that some literals of a circuit are never true together."""
    gate = circuit.conjunction(literals)
    if gate == FALSE:
        return True
    if gate == TRUE or circuit.loops:
        return False  # proofs about loops take too long
    program = new_program()
    with program.writing():
        literal = program.copy(circuit, outputs=[gate])
    return excluded(program, [literal(gate)])
