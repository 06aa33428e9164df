"""A net's circuit as tables, evaluated by machine code for 256 states at a time.

Where few states are at hand at a time (the children of one position), long integers cost more in
Python's own work than in bits. Here a node of the circuit is four 64-bit words, and a table of
gates is walked through by compiled code. Evaluated in three values (Kleene's strong logic of
certainty), a node is two such lanes: what is certain, and what is possible.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..engine.circuit import TRUE, Circuit, needed
from ..engine.net import Net
from ..native import inner, tiny

Ints = npt.NDArray[np.int32]
Words = npt.NDArray[np.uint64]

WIDTH = 4
LANES = 64 * WIDTH
"""The states of one evaluation."""
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)

_DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
_PLACES = np.zeros(64, dtype=np.int32)
for _place in range(64):
    _PLACES[((1 << _place) * int(_DE_BRUIJN) % (1 << 64)) >> 58] = _place


class Tables(NamedTuple):
    """Some programs, each a list of gates that computes what some question needs.

    Values stand in slots: slot 0 is the constant true, then come the net's fluents, then what moves
    bring about, then the gates. A literal is twice its slot, and one more if it is negated.
    """

    programs: Ints
    """For each program, its first segment and the one after its last."""
    segments: Ints
    """For each segment, its first gate and the one after its last, and the same of its loop."""
    variables: Ints
    """The slots of the loops' variables ..."""
    definitions: Ints
    """... and the literals that define them."""
    outs: Ints
    """For each gate, its slot."""
    starts: Ints
    """For each gate, its first literal; the next gate's is the one after its last."""
    literals: Ints
    effect_ends: Ints
    """For each program, the slot after the last of what moves bring about."""
    effect_starts: Ints
    """For each program and move, where its effects begin; the next move's is the one after them."""
    effects: Ints
    """Slots: each is true if any of the moves is made that have it among their effects.

    Few moves are made at a time, and many occur in one gate: to go through the moves that are made
    is much quicker than to go through all gates' literals.
    """


class Writer:
    """Collects programs for one net."""

    def __init__(self, net: Net, counted: Sequence[int] = ()) -> None:
        """``counted``: gates of the net, conjunctions of fluents that don't hold.

        They come first in each program, so that a limit can be put on them (``evaluate_open``).
        """
        self._net = net
        self._counted = counted
        self._programs: list[tuple[int, int]] = []
        self._segments: list[tuple[int, int, int, int]] = []
        self._variables: list[int] = []
        self._definitions: list[int] = []
        self._outs: list[int] = []
        self._starts = [0]
        self._literals: list[int] = []
        self._effect_ends: list[int] = []
        self._effect_starts: list[list[int]] = []
        self._effects: list[int] = []
        self.groups: dict[tuple[int, ...], int] = {}
        """Of the last program: groups of moves, as nodes, each with the slot of what it causes."""
        self.slots = 1
        """The most slots that a program has."""

    def add(self, circuit: Circuit, became: Mapping[int, int], outputs: Sequence[int]) -> list[int]:
        """A program that computes some literals of a circuit; returns the tables' literals of them.

        ``circuit`` is the net's, perhaps with some nodes held; ``became`` says what became of each.
        """
        counted = [became.get(node, TRUE) for node in self._counted]
        wanted = needed(circuit, [*outputs, *(node for node in counted if node in circuit.gates)])
        loops = [loop for loop in circuit.loops if loop.variables[0] in wanted]
        moves = {became.get(self._net.circuit.does[m]): p for p, m in enumerate(self._net.moves)}
        slots = {TRUE: 0}
        for place, fluent in enumerate(self._net.fluents, start=1):
            slots[became.get(self._net.circuit.true[fluent], TRUE)] = place
        slots[TRUE] = 0
        end = 1 + len(self._net.fluents)
        effects = self.groups = {}

        def caused(group: tuple[int, ...]) -> int:
            """The slot of what some moves bring about."""
            return effects.setdefault(group, end + len(effects))

        def encoded(literal: int) -> int:
            node = abs(literal)
            slot = caused((node,)) if node in moves else slots[node]
            return 2 * slot + (literal < 0)

        gates = {}
        for node in sorted(wanted & circuit.gates.keys()):
            gate = circuit.gates[node]
            unmade = tuple(-literal for literal in gate if -literal in moves)
            gates[node] = [2 * caused(unmade) + 1] if unmade else []
            for literal in gate:
                if literal in moves:
                    gates[node].append(2 * caused((literal,)))
        for literal in (*outputs, *(d for loop in loops for d in loop.definitions)):
            if abs(literal) in moves:
                caused((abs(literal),))
        self._write_effects(effects, moves)
        end += len(effects)

        def write_gate(node: int) -> None:
            nonlocal end
            slots.setdefault(node, end)
            self._outs.append(end)
            self._literals += gates.get(node, ())
            self._literals += (
                encoded(literal)
                for literal in circuit.gates.get(node, ())
                if abs(literal) not in moves
            )
            self._starts.append(len(self._literals))
            end += 1

        def write(begin: int, until: int, variables: Sequence[int], ends: Sequence[int]) -> None:
            nonlocal end
            first_gate, first_variable = len(self._outs), len(self._variables)
            for variable in variables:
                slots[variable] = end
                self._variables.append(end)
                end += 1
            for node in counted if begin == 0 else ():
                write_gate(node)
            for node in range(begin, until):
                if node in gates and node not in slots:
                    write_gate(node)
            self._definitions += map(encoded, ends)
            self._segments.append(
                (first_gate, len(self._outs), first_variable, len(self._variables))
            )

        first_segment, start = len(self._segments), 0
        for loop in loops:
            write(start, loop.first, (), ())
            write(loop.first, loop.end, loop.variables, loop.definitions)
            start = loop.end
        write(start, circuit.size + 1, (), ())
        self._programs.append((first_segment, len(self._segments)))
        self.slots = max(self.slots, end)
        return [encoded(literal) for literal in outputs]

    def _write_effects(
        self, effects: Mapping[tuple[int, ...], int], moves: Mapping[int | None, int]
    ) -> None:
        of_move: list[list[int]] = [[] for _ in self._net.moves]
        for group, slot in effects.items():
            for node in group:
                of_move[moves[node]].append(slot)
        starts = [len(self._effects)]
        for slots in of_move:
            self._effects += slots
            starts.append(len(self._effects))
        self._effect_starts.append(starts)
        self._effect_ends.append(1 + len(self._net.fluents) + len(effects))

    def tables(self) -> Tables:
        """All programs, numbered in the order in which they were added."""
        return Tables(
            _ints(self._programs, (-1, 2)),
            _ints(self._segments, (-1, 4)),
            _ints(self._variables),
            _ints(self._definitions),
            _ints(self._outs),
            _ints(self._starts),
            _ints(self._literals),
            _ints(self._effect_ends),
            _ints(self._effect_starts, (-1, len(self._net.moves) + 1)),
            _ints(self._effects),
        )


def _ints(numbers: Sequence[object], shape: tuple[int, ...] = (-1,)) -> Ints:
    return np.array(numbers, dtype=np.int32).reshape(shape)


@tiny
def sign(literal: int) -> np.uint64:
    """All ones if a literal is negated, else zero."""
    return np.uint64(0) - np.uint64(literal & 1)


@tiny
def lanes_between(start: int, end: int, word: int) -> np.uint64:
    """The bits of one word for the lanes from ``start`` to ``end``."""
    low, high = max(start - 64 * word, 0), min(end - 64 * word, 64)
    return (ALL >> np.uint64(64 - (high - low))) << np.uint64(low) if low < high else np.uint64(0)


@tiny
def lowest(bits: np.uint64) -> int:
    """The place of the lowest bit that is set (Leiserson, Prokop and Randall 1998)."""
    return int(_PLACES[((bits & (~bits + np.uint64(1))) * _DE_BRUIJN) >> np.uint64(58)])


@inner
def make(effects: Ints, first: int, end: int, lane: int, until: int, values: Words) -> None:
    """Make a move, given the range of its effects, in the lanes from ``lane`` to ``until``."""
    for word in range(lane >> 6, (until + 63) >> 6):
        mask = lanes_between(lane, until, word)
        for place in range(first, end):
            values[effects[place], word] |= mask


@inner
def evaluate(tables: Tables, program: int, values: Words) -> None:
    """Fill the slots of a program's gates from those of its inputs."""
    for segment in range(tables.programs[program, 0], tables.programs[program, 1]):
        first, end, loop, loop_end = tables.segments[segment]
        for place in range(loop, loop_end):
            values[tables.variables[place]] = 0
        while True:
            for gate in range(first, end):
                a = b = c = d = ALL
                for place in range(tables.starts[gate], tables.starts[gate + 1]):
                    literal = tables.literals[place]
                    slot, flip = literal >> 1, sign(literal)
                    a &= values[slot, 0] ^ flip
                    b &= values[slot, 1] ^ flip
                    c &= values[slot, 2] ^ flip
                    d &= values[slot, 3] ^ flip
                out = tables.outs[gate]
                values[out, 0] = a
                values[out, 1] = b
                values[out, 2] = c
                values[out, 3] = d
            changed = False
            for place in range(loop, loop_end):
                literal = tables.definitions[place]
                slot, flip, variable = literal >> 1, sign(literal), tables.variables[place]
                for word in range(WIDTH):
                    value = values[slot, word] ^ flip
                    changed |= value != values[variable, word]
                    values[variable, word] = value
            if not changed:
                break


@inner
def evaluate_open(
    tables: Tables, program: int, certain: Words, possible: Words, limits: Words
) -> None:
    """The same in three values: what is certain, and what is possible, given the same of inputs.

    ``limits`` has, for each of the counted gates, the lanes in which it may be true at all.
    """
    counted = tables.segments[tables.programs[program, 0], 0]
    for segment in range(tables.programs[program, 0], tables.programs[program, 1]):
        first, end, loop, loop_end = tables.segments[segment]
        for place in range(loop, loop_end):
            for word in range(WIDTH):
                certain[tables.variables[place], word] = 0
                possible[tables.variables[place], word] = 0
        while True:
            for gate in range(first, end):
                a = b = c = d = e = f = g = h = ALL
                for place in range(tables.starts[gate], tables.starts[gate + 1]):
                    literal = tables.literals[place]
                    slot, flip = literal >> 1, sign(literal)
                    known, other = (possible, certain) if literal & 1 else (certain, possible)
                    a &= known[slot, 0] ^ flip
                    b &= known[slot, 1] ^ flip
                    c &= known[slot, 2] ^ flip
                    d &= known[slot, 3] ^ flip
                    e &= other[slot, 0] ^ flip
                    f &= other[slot, 1] ^ flip
                    g &= other[slot, 2] ^ flip
                    h &= other[slot, 3] ^ flip
                out = tables.outs[gate]
                certain[out, 0], certain[out, 1], certain[out, 2], certain[out, 3] = a, b, c, d
                possible[out, 0], possible[out, 1], possible[out, 2], possible[out, 3] = e, f, g, h
                if gate - counted < len(limits):
                    for word in range(WIDTH):
                        possible[out, word] &= limits[gate - counted, word]
                        certain[out, word] &= possible[out, word]
            changed = False
            for place in range(loop, loop_end):
                literal, variable = tables.definitions[place], tables.variables[place]
                for word in range(WIDTH):
                    sure = is_certain(certain, possible, literal, word)
                    maybe = is_possible(certain, possible, literal, word)
                    changed |= sure != certain[variable, word]
                    changed |= maybe != possible[variable, word]
                    certain[variable, word] = sure
                    possible[variable, word] = maybe
            if not changed:
                break


@tiny
def is_certain(certain: Words, possible: Words, literal: int, word: int) -> np.uint64:
    """The lanes in which a literal is certainly true."""
    slot = literal >> 1
    return ~possible[slot, word] if literal & 1 else certain[slot, word]


@tiny
def is_possible(certain: Words, possible: Words, literal: int, word: int) -> np.uint64:
    """The lanes in which a literal may be true."""
    slot = literal >> 1
    return ~certain[slot, word] if literal & 1 else possible[slot, word]
