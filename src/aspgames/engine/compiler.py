"""A circuit as Python code over bit lanes: each node is one integer, bit i of which is state i.

Python's long integers are and-ed, or-ed and complemented at the speed of memory, so straight-line
code over them needs no compiled extension. A gate is kept as a conjunction or as a disjunction,
whichever needs fewer complements, and stands in place where it is used once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from .circuit import FALSE, TRUE, Circuit, Loop

Lanes = Sequence[int]
Evaluate = Callable[[int, Lanes, Lanes], list[int]]
"""From the lane of all ones, the lanes of the fluents and those of the moves, to the outputs."""

# Python's compiler recurs: into parentheses, and from operand to operand.
_LONGEST = 200  # characters of an expression that is put in place
_WIDEST = 50  # operands of an expression


def compile_circuit(
    circuit: Circuit, outputs: Sequence[int], true: Sequence[int], does: Sequence[int] = ()
) -> Evaluate:
    """A function that computes literals from the inputs ``true`` and ``does`` (nodes, in order)."""
    writer = _Writer(circuit, needed(circuit, outputs))
    writer.count(outputs)
    for array, nodes in (("T", true), ("D", does)):
        for place, node in enumerate(nodes):
            writer.define(node, f"{array}[{place}]")
    writer.write_gates()
    results = ",".join(map(writer.value, outputs))
    source = "\n".join(["def evaluate(M,T,D):", *writer.lines, f" return [{results}]"])
    namespace: dict[str, Evaluate] = {}
    exec(compile(source, "<circuit>", "exec"), namespace)  # it holds numbers, no text of a user's
    return namespace["evaluate"]


def needed(circuit: Circuit, outputs: Sequence[int]) -> set[int]:
    """The nodes that outputs depend on; a loop is needed as a whole."""
    loop_of = {variable: loop for loop in circuit.loops for variable in loop.variables}
    needed: set[int] = set()
    work = [abs(literal) for literal in outputs]
    while work:
        node = work.pop()
        if node not in needed:
            needed.add(node)
            work += map(abs, circuit.gates.get(node, ()))
            if node in loop_of:
                work += map(abs, loop_of[node].definitions)
                work += loop_of[node].variables
    return needed


@dataclass
class _Writer:
    circuit: Circuit
    needed: set[int]
    lines: list[str] = field(default_factory=list)
    negated: set[int] = field(default_factory=set)
    """The gates whose negation is kept, which is a disjunction."""
    uses: Counter[int] = field(default_factory=Counter)
    """How often each literal is used."""
    texts: dict[int, str] = field(default_factory=dict)
    """The variable or expression of each literal."""

    def count(self, outputs: Sequence[int]) -> None:
        """Choose between conjunction and disjunction, and count the uses of each literal."""
        for node in sorted(self.needed):
            literals = self.circuit.gates.get(node, ())
            straight = sum(self.is_kept(literal) for literal in literals)
            if 2 * straight < len(literals):
                self.negated.add(node)
                literals = tuple(-literal for literal in literals)
            self.uses.update(literals)
        self.uses.update(outputs)
        for loop in self.circuit.loops:
            # Twice: whatever a loop computes must be a variable.
            self.uses.update([*loop.definitions, *loop.variables] * 2)

    def is_kept(self, literal: int) -> bool:
        """Whether the literal's own value is kept, not that of its complement."""
        return (literal > 0) != (abs(literal) in self.negated)

    def define(self, node: int, text: str, in_place: bool = False) -> None:
        """Give a node its value, and its complement a variable where that is used."""
        kept = -node if node in self.negated else node
        if abs(node) == TRUE or node not in self.needed:
            return  # an input that is held at a constant, or that nothing needs
        if in_place and self.uses[kept] == 1 and not self.uses[-kept] and len(text) < _LONGEST:
            self.texts[kept] = f"({text})"
            return
        self.lines.append(f" v{node}={text}")
        self.texts[kept] = f"v{node}"
        if self.uses[-kept]:
            self.lines.append(f" n{node}=M^v{node}")
            self.texts[-kept] = f"n{node}"

    def value(self, literal: int) -> str:
        """The text of a literal's value."""
        if abs(literal) == TRUE:
            return "0" if literal == FALSE else "M"
        return self.texts[literal]

    def write_gates(self) -> None:
        """Write all gates in order, loops as loops."""
        start = 0
        for loop in self.circuit.loops:
            self.write_range(start, loop.first)
            if loop.variables[0] in self.needed:
                self.write_loop(loop)
            start = loop.end
        self.write_range(start, self.circuit.size + 1)

    def write_range(self, start: int, end: int, in_place: bool = True) -> None:
        for node in range(start, end):
            if node in self.needed and node in self.circuit.gates:
                sign, operator = (-1, "|") if node in self.negated else (1, "&")
                values = [self.value(sign * literal) for literal in self.circuit.gates[node]]
                while len(values) > _WIDEST:
                    self.lines.append(f" v{node}={operator.join(values[:_WIDEST])}")
                    values = [f"v{node}", *values[_WIDEST:]]
                wide = values[0] == f"v{node}"
                self.define(node, operator.join(values), in_place and not wide)

    def write_loop(self, loop: Loop) -> None:
        """Repeat a round until nothing changes, from nothing on: the least fixpoint."""
        for variable in loop.variables:
            self.define(variable, "0")
        outside, self.lines = self.lines, []
        self.write_range(loop.first, loop.end, in_place=False)
        new = ",".join(map(self.value, loop.definitions))
        old = ",".join(f"v{variable}" for variable in loop.variables)
        self.lines += [f" new=[{new}]", f" if new==[{old}]: break", f" [{old}]=new"]
        self.lines += [f" n{v}=M^v{v}" for v in loop.variables if self.uses[-v]]
        self.lines = [*outside, " while True:", *(f" {line}" for line in self.lines)]
