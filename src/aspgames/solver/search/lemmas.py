"""What clingo the solver can say of all states at once: that something is never true in them.

Such lemmas are about every set of the net's fluents, also those that no play leads to; so they may
fail where a claim about real positions would hold, and what they say is true all the more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import clingo

from ...propnet.circuit import FALSE, TRUE, Circuit, needed

_MOST_CONFLICTS = 2_000


class CircuitProgram:
    """Copies of circuits as a logic program, and the literals to ask for."""

    def __init__(self) -> None:
        self._control = clingo.Control(["--warn=none"])
        self._control.configuration.solve.solve_limit = str(_MOST_CONFLICTS)  # type: ignore[union-attr]

    def add(
        self, circuit: Circuit, outputs: Iterable[int], inputs: Mapping[int, int]
    ) -> Callable[[int], int]:
        """A copy of what some literals need; returns what gives the program's literal of each.

        ``inputs`` has the program's literals of inputs; the others are left open.
        """
        atoms: dict[int, int] = dict(inputs)
        with self._control.backend() as backend:
            true = backend.add_atom()
            backend.add_rule([true])
            atoms[TRUE] = true
            for node in sorted(needed(circuit, list(outputs))):
                if node in atoms:
                    continue
                atom = atoms[node] = backend.add_atom()
                gate = circuit.gates.get(node)
                if gate is None:
                    backend.add_rule([atom], [], choice=True)
                else:
                    backend.add_rule([atom], [_signed(atoms, literal) for literal in gate])
        return lambda literal: _signed(atoms, literal)

    def require_one(self, literals: list[int]) -> None:
        """Exactly one of some of the program's literals is true."""
        with self._control.backend() as backend:
            backend.add_rule([], [-literal for literal in literals])
            backend.add_weight_rule([], 2, [(literal, 1) for literal in literals])

    def imply(self, premise: int, conclusion: int) -> None:
        """Of two of the program's literals, the second is true if the first is."""
        with self._control.backend() as backend:
            backend.add_rule([], [premise, -conclusion])

    def never(self, literals: Iterable[int]) -> bool:
        """Whether it is proved that some of the program's literals are never true together."""
        return bool(self._control.solve(assumptions=list(literals)).unsatisfiable)


def _signed(atoms: Mapping[int, int], literal: int) -> int:
    return atoms[literal] if literal > 0 else -atoms[-literal]


def never(circuit: Circuit, literals: Iterable[int]) -> bool:
    """Whether it is proved that literals of a circuit are never true together."""
    gate = circuit.conjunction(literals)
    if gate == FALSE:
        return True
    if gate == TRUE or circuit.loops:
        return False  # a loop through gates that negate is not the same in a logic program
    program = CircuitProgram()
    literal = program.add(circuit, [gate], {})
    return program.never([literal(gate)])
