"""Ground rules as a circuit: each atom the disjunction of its rules, each rule a conjunction.

A literal is a node's number, negative for its negation. All gates are conjunctions; a disjunction
is a negated conjunction. Equal gates are one gate, and constants are folded. The table writer
leaves out unused nodes. Atoms that depend on each other positively (reachability, say) form a
``Loop``, which is iterated to its least fixpoint.

C code makes and stores the nodes (``native/circuit.c``, ``native/builder.c``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING, Any, TypeVar

from ..gdl.rules import HIGHEST_GOAL
from ..runtime.errors import LimitReached, RulesError
from .kernel import NO_MEMORY, Pointer, kernel, made

if TYPE_CHECKING:
    from .open_grounding import GroundRules

TRUE = 1
FALSE = -1
NO_VALUE = -1
_LARGE_NODES = 100_000  # nodes; making such a circuit leaves much free memory

Meaning = TypeVar("Meaning")


@dataclass(frozen=True)
class Loop:
    """Atoms that depend on each other: ``gates`` from ``first`` on compute one round."""

    variables: Sequence[int]
    definitions: Sequence[int]
    first: int
    """The first gate that may depend on the variables."""
    end: int
    """The gate after the last that belongs to the round."""


class Circuit:
    """Nodes, each after the nodes that it depends on. Node 1 is the constant.

    ``handle`` points to a ``struct circuit`` in C, which this object owns.
    """

    def __init__(self, handle: Pointer = None) -> None:
        """Start with the constant alone, or take over a circuit of C."""
        self._kernel = kernel()
        made_now = self._kernel.circuit_new() if handle is None else handle
        self._owner = made(made_now, "circuit_free")
        self.handle = self._owner.pointer
        self.true: dict[str, int] = {}
        """The inputs for the fluents of the state."""
        self.does: dict[tuple[str, str], int] = {}
        """The inputs for the moves, by role and move."""
        self._gates: dict[int, tuple[int, ...]] = {}
        self._read = TRUE  # the last node that ``gates`` has read

    @property
    def size(self) -> int:
        """The number of the last node."""
        return int(self.handle.size)

    @property
    def gates(self) -> Mapping[int, tuple[int, ...]]:
        """The literals of each gate's conjunction; nodes without a gate are inputs."""
        size, arrays = self.size, self.handle
        if self._read < size:
            starts = self._kernel.numbers(arrays.starts + self._read + 1, size + 1 - self._read)
            offset = starts[0]
            literals = self._kernel.numbers(arrays.literals + offset, starts[-1] - offset)
            for place, (start, end) in enumerate(pairwise(starts), 1):
                if start < end:
                    gate = tuple(literals[start - offset : end - offset])
                    self._gates[self._read + place] = gate
            self._read = size
        return self._gates

    def gate(self, node: int) -> list[int]:
        """The literals of one gate's conjunction; empty for an input."""
        starts = self.handle.starts
        first = starts[node]
        return self._kernel.numbers(self.handle.literals + first, starts[node + 1] - first)

    @property
    def loops(self) -> list[Loop]:
        """The loops, in their order."""
        return [
            Loop(
                self._kernel.numbers(loop.variables, loop.count),
                self._kernel.numbers(loop.definitions, loop.count),
                *(loop.first, loop.end),
            )
            for loop in map(self.handle.loops.__getitem__, range(self.handle.loop_count))
        ]

    def conjunction(self, literals: Iterable[int]) -> int:
        """The literal that is true when all given literals are true."""
        array = self._kernel.ints(literals)
        return self._literal(self._kernel.circuit_conjunction(self.handle, array, len(array)))

    def disjunction(self, literals: Iterable[int]) -> int:
        """The literal that is true when any given literal is true."""
        return -self.conjunction([-literal for literal in literals])

    def at_least(self, bound: int, weighted: Sequence[tuple[int, int]]) -> int:
        """The literal that is true when the weights of the true literals reach a bound."""
        arrays = (self._kernel.ints(column) for column in zip(*weighted, strict=True))
        literals, weights = arrays if weighted else ([], [])
        found = self._kernel.circuit_at_least(self.handle, bound, literals, weights, len(weighted))
        return self._literal(found)

    def loop(self, variables: Sequence[int], definitions: Sequence[int], first: int) -> None:
        """Turn inputs into the variables of a loop; its round is the gates from ``first`` on."""
        arrays = self._kernel.ints(variables), self._kernel.ints(definitions)
        end = self.size + 1
        self._literal(self._kernel.circuit_loop(self.handle, *arrays, len(variables), first, end))

    def assuming(self, values: Mapping[int, int]) -> tuple[Circuit, dict[int, int]]:
        """The circuit with some nodes replaced by literals, and each node's literal in it.

        Its inputs have the same names.
        """
        found, array = self.assumed(values)
        became = dict(enumerate(self._kernel.numbers(array, self.size + 1)[TRUE:], TRUE))
        found.true = {f: became[node] for f, node in self.true.items() if node not in values}
        found.does = {m: became[node] for m, node in self.does.items() if node not in values}
        return found, became

    def assumed(self, values: Mapping[int, int]) -> tuple[Circuit, Pointer]:
        """The circuit of ``assuming``, with the literals of the nodes in an array of C."""
        became = self._kernel.ffi.new("int32_t[]", self.size + 1)
        for node, literal in values.items():
            became[node] = literal
        return Circuit(self._kernel.circuit_assuming(self.handle, became)), became

    def trim(self) -> None:
        """Give free memory back to the system, if the circuit is large."""
        if self.size > _LARGE_NODES:
            self._kernel.trim()

    def _literal(self, found: int) -> int:
        if not found:
            raise LimitReached(NO_MEMORY)
        return found


def now(became: Mapping[int, int], literal: int) -> int:
    """The literal that replaces a literal, given the literals that replace the nodes."""
    return became[literal] if literal > 0 else -became[-literal]


def needed(circuit: Circuit, outputs: Sequence[int], most: float = inf) -> set[int]:
    """The nodes that outputs depend on; a loop is needed as a whole.

    Of more than ``most`` nodes, only some.
    """
    loop_of = {variable: loop for loop in circuit.loops for variable in loop.variables}
    needed: set[int] = set()
    work = [abs(literal) for literal in outputs]
    while work and len(needed) <= most:
        node = work.pop()
        if node not in needed:
            needed.add(node)
            work += map(abs, circuit.gates.get(node, ()))
            if node in loop_of:
                work += map(abs, loop_of[node].definitions)
                work += loop_of[node].variables
    return needed


def nodes_below(circuit: Circuit, literal: int, most: int) -> list[int] | None:
    """The nodes on which a literal depends, in order; None if there are more than ``most``."""
    cone = needed(circuit, [literal], most)
    return sorted(cone) if len(cone) <= most else None


def conjuncts(circuit: Circuit, literal: int) -> Iterator[int]:
    """The literals that all hold where a literal does."""
    gate = circuit.gates.get(literal)
    if gate is None:
        yield literal
    for each in gate or ():
        yield from conjuncts(circuit, each)


def circuit_values(
    circuit: Circuit,
    cone: Sequence[int],
    literal: int,
    given: Mapping[int, tuple[int, int]],
    lanes: int,
) -> tuple[int, int]:
    """A literal in three-valued logic in several lanes: where it is true, and where it is false.

    Sets of lanes are bits of numbers; ``lanes`` are all.
    """
    values = {TRUE: (lanes, 0), **given}
    gates = circuit.gates
    for node in cone:
        gate = gates.get(node)
        if gate is not None and node not in values:
            true, false = lanes, 0
            for operand in gate:
                known = values.get(abs(operand), (0, 0))
                true &= known[operand < 0]
                false |= known[operand > 0]
                if false == lanes:
                    break
            values[node] = true & ~false, false
    true, false = values.get(abs(literal), (0, 0))
    return (true, false) if literal > 0 else (false, true)


@dataclass
class Outputs:
    """The output literals of a circuit, by their meaning. Missing entries are false."""

    legal: dict[tuple[str, str], int] = field(default_factory=dict)
    next: dict[str, int] = field(default_factory=dict)
    goal: dict[tuple[str, int], int] = field(default_factory=dict)
    """By role and value; ``NO_VALUE`` marks anything but a whole number from 0 to 100."""
    to_move: dict[str, int] = field(default_factory=dict)
    terminal: int = FALSE
    clash: int = FALSE
    """Whether an atom and its classical negation hold, which no state of play may have."""

    def where(self, became: Mapping[int, int]) -> Outputs:
        """The outputs of a simplified circuit, given the literals that replace the nodes."""

        def left(literals: Mapping[Meaning, int]) -> dict[Meaning, int]:
            return {key: new for key, old in literals.items() if (new := now(became, old)) != FALSE}

        return Outputs(
            left(self.legal),
            left(self.next),
            left(self.goal),
            left(self.to_move),
            now(became, self.terminal),
            now(became, self.clash),
        )


def unchanging(circuit: Circuit, outputs: Outputs, facts: Collection[str]) -> dict[int, int]:
    """The inputs that never change in play from one state, and their values.

    Each literal is true, false or open. At first the state is given, and no move is made. A move
    opens when it may be legal, a fluent when it may change, and a gate when no closed literal
    decides it any longer. (Loops are open from the start.)
    """
    inputs = [*circuit.true.values(), *circuit.does.values()]
    follows = [outputs.next.get(fluent, FALSE) for fluent in circuit.true]
    follows += [outputs.legal.get(move, FALSE) for move in circuit.does]
    values = [TRUE if fluent in facts else FALSE for fluent in circuit.true]
    values += [FALSE] * len(circuit.does)
    found = kernel().ffi.new("int8_t[]", values)
    arrays = kernel().ints(inputs), kernel().ints(follows)
    if not kernel().circuit_unchanging(circuit.handle, *arrays, found, len(values)):
        raise LimitReached(NO_MEMORY)
    return {node: value for node, value in zip(inputs, found, strict=True) if value}


def build(ground: GroundRules) -> tuple[Circuit, Outputs]:
    """The circuit of ground rules, and its outputs.

    Raises ``RulesError`` for rules that choose, constrain, or recur through negation.
    """
    owner = made(kernel().build_new(ground.handle), "build_free")
    built = owner.pointer
    _check(built, ground)
    handle, built.circuit = built.circuit, kernel().ffi.NULL
    circuit = Circuit(handle)
    circuit.trim()
    literals = kernel().view(built.literals, ground.atoms + 1)
    ground.check()
    _name_inputs(circuit, ground, literals)
    ground.check()
    return circuit, _outputs(circuit, ground, literals)


def _check(built: Pointer, ground: GroundRules) -> None:
    """Raise the error of a build, if it has one."""
    if built.status == kernel().NOT_STRATIFIED:
        culprits = set(kernel().numbers(built.culprits, built.culprit_count))
        what = ", ".join(sorted(_terms(ground, culprits))[:5]) or "predicates that aren't shown"
        raise RulesError(f"the rules recur through negation: {what} depend on their own negation")
    if built.status == kernel().NO_MEMORY:
        raise LimitReached(NO_MEMORY)
    kernel().check(built.status)


def _name_inputs(circuit: Circuit, ground: GroundRules, literals: Sequence[int]) -> None:
    """Name the nodes of the open fluents and moves."""
    is_open = bytearray(len(literals))
    for atom in ground.choices:
        is_open[atom] = literals[atom] != TRUE
    for (fluent,), atom in _shown(ground, "true"):
        if is_open[atom]:
            circuit.true[fluent] = literals[atom]
    for move, atom in _shown(ground, "does"):
        if is_open[atom]:
            circuit.does[move] = literals[atom]
    if len(circuit.true) + len(circuit.does) < sum(is_open):
        named = {*circuit.true.values(), *circuit.does.values()}
        others = {atom for atom in ground.choices if is_open[atom] and literals[atom] not in named}
        what = min(_terms(ground, others), default="something")
        raise RulesError(f"the rules choose {what}: they settle no successor")


def _outputs(circuit: Circuit, ground: GroundRules, literals: Sequence[int]) -> Outputs:
    from ..asp.rewrite.plain_literals import BOTH  # imports clingo

    def found(predicate: str) -> dict[Any, int]:
        return {
            arguments: literal
            for arguments, atom in _shown(ground, predicate)
            if (literal := literals[atom]) != FALSE
        }

    goals: dict[tuple[str, int], list[int]] = {}
    for (role, text), literal in found("goal").items():
        value = int(text) if text.isdecimal() and len(text) < 4 else NO_VALUE
        goals.setdefault((role, value if value <= HIGHEST_GOAL else NO_VALUE), []).append(literal)
    return Outputs(
        legal=found("legal"),
        next={fluent: literal for (fluent,), literal in found("next").items()},
        goal={key: circuit.disjunction(literals) for key, literals in goals.items()},
        to_move={role: literal for (role,), literal in found("to_move").items()},
        terminal=found("terminal").get((), FALSE),
        clash=circuit.disjunction(found(BOTH[0]).values()),
    )


def _terms(ground: GroundRules, atoms: Collection[int]) -> list[str]:
    """The texts of the shown atoms among some atoms."""
    return [
        f"{predicate}({','.join(arguments)})" if arguments else predicate
        for predicate in ground.shown
        for arguments, atom in _shown(ground, predicate)
        if atom in atoms
    ]


def _shown(ground: GroundRules, predicate: str) -> Iterable[tuple[Any, int]]:
    """Arguments and number of each shown atom of a predicate."""
    return zip(*ground.shown.get(predicate, ((), ())), strict=True)
