"""Ground rules as a circuit: each atom the disjunction of its rules, each rule a conjunction.

A literal is a node's number, negative for its negation. There is one kind of gate, the conjunction;
a disjunction is the negation of one. Equal gates are one gate, constants are folded, and what
nothing depends on is left behind by whoever compiles a circuit. Atoms that depend on each other
positively (reachability, say) form a ``Loop``, which is iterated to its least fixpoint.

The nodes are kept and made in C (``native/circuit.c``, ``native/builder.c``).
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Collection, Iterable, Mapping, Sequence
from ctypes import POINTER, c_bool, c_int8, c_int32, c_int64, c_void_p
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, TypeVar

from ..gdl.reasoner import HIGHEST_GOAL
from ..runtime.errors import RulesError
from .calls import function, made
from .ground_rules import GroundRules

TRUE = 1
FALSE = -1
NO_VALUE = -1

Meaning = TypeVar("Meaning")

_INTS = POINTER(c_int32)


class _Loop(ctypes.Structure):
    """``struct loop``."""

    _fields_ = [
        ("count", c_int32),
        ("first", c_int32),
        ("end", c_int32),
        ("variables", _INTS),
        ("definitions", _INTS),
    ]


class _Circuit(ctypes.Structure):
    """``struct circuit``, as far as it is read here."""

    _fields_ = [
        ("size", c_int32),
        ("starts", POINTER(c_int64)),
        ("literals", _INTS),
        ("loop_count", c_int32),
        ("loops", POINTER(_Loop)),
    ]


class _Built(ctypes.Structure):
    """``struct built``."""

    _fields_ = [
        ("status", c_int32),
        ("culprit_count", c_int32),
        ("culprits", _INTS),
        ("circuit", c_void_p),
        ("literals", _INTS),
    ]


_new = function("circuit_new", c_void_p)
_free = function("circuit_free", None, c_void_p)
_input = function("circuit_input", c_int32, c_void_p)
_conjunction = function("circuit_conjunction", c_int32, c_void_p, c_void_p, c_int64)
_at_least = function("circuit_at_least", c_int32, c_void_p, c_int64, c_void_p, c_void_p, c_int64)
_loop = function("circuit_loop", c_bool, c_void_p, c_void_p, c_void_p, c_int32, c_int32, c_int32)
_assuming = function("circuit_assuming", c_void_p, c_void_p, c_void_p)
_unchanging = function(
    "circuit_unchanging", c_bool, c_void_p, c_void_p, c_void_p, c_void_p, c_int64
)
_build = function("circuit_build", c_void_p, c_void_p)
_built_free = function("built_free", None, c_void_p)


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
    """Nodes in an order in which each comes after what it depends on. Node 1 is the constant.

    ``handle`` is the address of a ``struct circuit`` in C, which lives as long as this object.
    """

    def __init__(self, handle: int | None = None) -> None:
        """Without a node but the constant, or with those that C has made."""
        self.handle = made(handle or _new())
        weakref.finalize(self, _free, self.handle)
        self._arrays = _Circuit.from_address(self.handle)
        self.true: dict[str, int] = {}
        """The inputs for the fluents of the state."""
        self.does: dict[tuple[str, str], int] = {}
        """The inputs for the moves, by role and move."""
        self._gates: dict[int, tuple[int, ...]] = {}
        self._read = TRUE  # the last node that was looked at for ``gates``

    @property
    def size(self) -> int:
        """The number of the last node."""
        return int(self._arrays.size)

    @property
    def gates(self) -> Mapping[int, tuple[int, ...]]:
        """The literals of each gate's conjunction; nodes without a gate are inputs."""
        size, arrays = self.size, self._arrays
        if self._read < size:
            starts = arrays.starts[self._read + 1 : size + 2]
            offset = starts[0]
            literals = arrays.literals[offset : starts[-1]]
            for place, (start, end) in enumerate(pairwise(starts), 1):
                if start < end:
                    gate = tuple(literals[start - offset : end - offset])
                    self._gates[self._read + place] = gate
            self._read = size
        return self._gates

    def gate(self, node: int) -> list[int]:
        """The literals of one gate's conjunction; none for an input."""
        starts = self._arrays.starts
        return list(self._arrays.literals[starts[node] : starts[node + 1]])

    @property
    def loops(self) -> list[Loop]:
        """The loops, in their order."""
        return [
            Loop(loop.variables[: loop.count], loop.definitions[: loop.count], loop.first, loop.end)
            for loop in self._arrays.loops[: self._arrays.loop_count]
        ]

    def new_input(self) -> int:
        """A node without a gate."""
        return made(_input(self.handle))

    def conjunction(self, literals: Iterable[int]) -> int:
        """The literal that is true when all the given ones are."""
        array = _ints(literals)
        return made(_conjunction(self.handle, array, len(array)))

    def disjunction(self, literals: Iterable[int]) -> int:
        """The literal that is true when any of the given ones is."""
        return -self.conjunction([-literal for literal in literals])

    def at_least(self, bound: int, weighted: Sequence[tuple[int, int]]) -> int:
        """The literal that is true when the weights of the true literals reach a bound."""
        literals = _ints(literal for literal, _ in weighted)
        weights = _ints(weight for _, weight in weighted)
        return made(_at_least(self.handle, bound, literals, weights, len(weighted)))

    def loop(self, variables: Sequence[int], definitions: Sequence[int], first: int) -> None:
        """Make inputs the variables of a loop; its round is the gates from ``first`` on."""
        arrays = _ints(variables), _ints(definitions)
        made(_loop(self.handle, *arrays, len(variables), first, self.size + 1))

    def assuming(self, values: Mapping[int, int]) -> tuple[Circuit, dict[int, int]]:
        """The circuit with some nodes held at literals, and what became of each node."""
        found, became = self.assumed(values)
        return found, dict(zip(range(TRUE, self.size + 1), became[TRUE:], strict=True))

    def assumed(self, values: Mapping[int, int]) -> tuple[Circuit, ctypes.Array[c_int32]]:
        """The same, with what became of each node in an array, as C has it."""
        became = (c_int32 * (self.size + 1))()
        for node, literal in values.items():
            became[node] = literal
        return Circuit(made(_assuming(self.handle, became))), became


def _ints(numbers: Iterable[int]) -> ctypes.Array[c_int32]:
    numbers = list(numbers)
    return (c_int32 * len(numbers))(*numbers)


def now(became: Mapping[int, int], literal: int) -> int:
    """What became of a literal, given what became of each node."""
    return became[literal] if literal > 0 else -became[-literal]


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
class Outputs:
    """What a circuit computes: literals, by what they mean. Whatever is missing is false."""

    legal: dict[tuple[str, str], int] = field(default_factory=dict)
    next: dict[str, int] = field(default_factory=dict)
    goal: dict[tuple[str, int], int] = field(default_factory=dict)
    """By role and value; ``NO_VALUE`` stands for whatever is no whole number from 0 to 100."""
    to_move: dict[str, int] = field(default_factory=dict)
    terminal: int = FALSE

    def where(self, became: Mapping[int, int]) -> Outputs:
        """The outputs of the same circuit simplified, given what became of each node."""

        def left(literals: Mapping[Meaning, int]) -> dict[Meaning, int]:
            return {key: new for key, old in literals.items() if (new := now(became, old)) != FALSE}

        return Outputs(
            left(self.legal),
            left(self.next),
            left(self.goal),
            left(self.to_move),
            now(became, self.terminal),
        )


def unchanging(circuit: Circuit, outputs: Outputs, facts: Collection[str]) -> dict[int, int]:
    """The inputs that are the same in every state that can follow from one, and what they are.

    Each literal is true, false or open. Begin with the given state, and with no move: a move opens
    when it may be legal, a fluent when it may become something else, and a gate when it is no
    longer decided by what isn't open. (Loops are open from the start.)
    """
    inputs = [*circuit.true.values(), *circuit.does.values()]
    follows = [outputs.next.get(fluent, FALSE) for fluent in circuit.true]
    follows += [outputs.legal.get(move, FALSE) for move in circuit.does]
    values = [TRUE if fluent in facts else FALSE for fluent in circuit.true]
    values += [FALSE] * len(circuit.does)
    found = (c_int8 * len(values))(*values)
    made(_unchanging(circuit.handle, _ints(inputs), _ints(follows), found, len(values)))
    return {node: value for node, value in zip(inputs, found, strict=True) if value}


def build(ground: GroundRules) -> tuple[Circuit, Outputs]:
    """The circuit of ground rules, and what its literals mean.

    Raises ``RulesError`` for rules that choose, constrain, or recur through negation, and what
    ``GroundRules.check`` raises.
    """
    address = made(_build(ground.handle))
    try:
        built = _Built.from_address(address)
        _check(built, ground)
        circuit = Circuit(built.circuit)
        built.circuit = None
        literals = built.literals[: ground.atoms + 1]
    finally:
        _built_free(address)
    ground.check()
    _name_inputs(circuit, ground, literals)
    ground.check()
    return circuit, _outputs(circuit, ground, literals)


def _check(built: _Built, ground: GroundRules) -> None:
    """Raise what was found to be wrong."""
    culprits = set(built.culprits[: built.culprit_count])
    match built.status:
        case 0:
            return
        case 2:
            raise RulesError("a rule derives true/1 or does/2, which are given")
        case 3:
            shown = sorted(_terms(ground, culprits))
            what = ", ".join(shown[:5]) or "predicates that aren't shown"
            raise RulesError(
                f"the rules recur through negation: {what} depend on their own negation"
            )
    made(None)


def _name_inputs(circuit: Circuit, ground: GroundRules, literals: Sequence[int]) -> None:
    """Name the nodes of the fluents and moves that are left open."""
    choices = {atom for atom in ground.choices if literals[atom] != TRUE}
    for (fluent,), atom in _shown(ground, "true"):
        if atom in choices:
            circuit.true[fluent] = literals[atom]
    for move, atom in _shown(ground, "does"):
        if atom in choices:
            circuit.does[move] = literals[atom]
    if len(circuit.true) + len(circuit.does) < len(choices):
        named = {*circuit.true.values(), *circuit.does.values()}
        others = {atom for atom in choices if literals[atom] not in named}
        what = min(_terms(ground, others), default="something")
        raise RulesError(f"the rules choose {what}: they settle no successor")


def _outputs(circuit: Circuit, ground: GroundRules, literals: Sequence[int]) -> Outputs:
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
    )


def _terms(ground: GroundRules, atoms: Collection[int]) -> list[str]:
    """The texts of those of some atoms that are shown."""
    return [
        f"{predicate}({','.join(arguments)})" if arguments else predicate
        for predicate in ground.shown
        for arguments, atom in _shown(ground, predicate)
        if atom in atoms
    ]


def _shown(ground: GroundRules, predicate: str) -> Iterable[tuple[Any, int]]:
    """Arguments and number of each atom of a predicate that is shown."""
    return zip(*ground.shown.get(predicate, ((), ())), strict=True)
