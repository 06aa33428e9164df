"""The most of some fluents that a ply can remove.

Three-valued logic doesn't know that a side with five pieces has some left after four captures: any
single one may be gone. So this module finds gates for "none of these fluents holds". For each it
proves an upper bound on the loss: how many fewer of the fluents hold after any move of a side.
clingo's solver finds the proof, so the bound holds in every state.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ...propnet.circuit import TRUE, needed
from ...propnet.circuit_program import CircuitCopy, CircuitProgram
from ...propnet.invariants import argument_groups
from ...propnet.net import Net
from ..phase_goals import Phase, one_ply

_FEWEST_FLUENTS = 6  # the fewest fluents for which counting pays
_PLIES = 4  # plies that must not remove all fluents
_MOST_GATES = 4
_MOST_NODES = 5_000  # of a phase; in larger ones, proofs take too long


@dataclass(frozen=True)
class Count:
    """A gate of the net that is true if none of some fluents holds."""

    gate: int
    fluents: Sequence[int]
    """The fluents' places in the net."""
    drops: tuple[int, int]
    """The most fluents that a ply of the defender, and of the attacker, removes."""


def counts(net: Net, phases: Sequence[Phase], held: frozenset[str]) -> list[Count]:
    """Gates of the goal for which there is a proof that they become true slowly.

    ``held`` are the fluents of the first state.
    """
    cone = needed(net.circuit, [net.outputs.terminal, *net.outputs.goal.values()])
    place_of = {net.circuit.true[fluent]: place for place, fluent in enumerate(net.fluents)}
    none_of = {
        gate: [place_of.get(-literal, -1) for literal in net.circuit.gates[gate]]
        for gate in cone & net.circuit.gates.keys()
        if len(net.circuit.gates[gate]) >= _FEWEST_FLUENTS
    }
    gates = [gate for gate, fluents in none_of.items() if min(fluents) >= 0]
    proofs = []
    for phase in phases if gates else []:
        mover = phase.attacker if phase.attacks == TRUE else phase.defender
        fits = TRUE in (phase.attacks, phase.defends) and phase.circuit.size <= _MOST_NODES
        ply = one_ply(phase, mover) if mover and fits else None
        if ply is None:
            return []
        proofs.append(_PlyProof(phase, *ply))
    if not proofs:
        return []
    for groups in argument_groups(net.fluents):
        _suppose_exclusive(proofs, [group for group in groups if len(held.intersection(group)) < 2])
    found = []
    for gate in sorted(gates, key=lambda gate: (-len(none_of[gate]), gate))[:_MOST_GATES]:
        drops = {False: 0, True: 0}
        for proof in proofs:
            lost = proof.most_lost([net.fluents[place] for place in none_of[gate]])
            drops[proof.attacks] = max(drops[proof.attacks], lost)
        if _PLIES * max(drops.values()) <= len(none_of[gate]):
            found.append(Count(gate, none_of[gate], (drops[False], drops[True])))
    return found


class _PlyProof:
    """All plies in one phase, in a program."""

    def __init__(self, phase: Phase, program: CircuitProgram, ply: CircuitCopy) -> None:
        self.attacks = phase.attacks == TRUE
        self.program = program
        true = phase.net.circuit.true
        names = phase.net.fluents
        self.before = {name: ply(phase.became[true[name]]) for name in names}
        self.after = dict(zip(names, map(ply, phase.following), strict=True))

    def most_lost(self, fluents: Sequence[str]) -> int:
        """The most of some fluents that a ply removes; if there is no proof, all of them."""
        program, change = self.program, list[tuple[int, int]]()
        with program.writing():
            for name in fluents:
                before, after = self.before[name], self.after[name]
                change.append((program.atom([[before, -after]]), 1))
                change.append((program.atom([[-before, after]]), -1))
            more = [program.at_least(n + 1, change) for n in range(len(fluents) // _PLIES + 1)]
        if not program.excludes(more[-1]):
            return len(fluents)
        return next(n for n, literal in enumerate(more) if program.excludes(literal))


def _suppose_exclusive(plies: Sequence[_PlyProof], groups: Sequence[Sequence[str]]) -> None:
    """Suppose that at most one fluent of each group holds, if no ply changes that."""
    supposed = []
    for ply in plies:
        with ply.program.writing():
            before, after = (
                ply.program.atom(
                    [ply.program.several(literals[f] for f in group)] for group in groups
                )
                for literals in (ply.before, ply.after)
            )
        if not ply.program.excludes(-before, after):
            return
        supposed.append((ply.program, before))
    for program, before in supposed:
        with program.writing():
            program.never(before)
