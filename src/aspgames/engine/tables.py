"""A net as tables of gates, for the kernel: from a circuit, and as bytes to be kept.

``native/tables.h`` says how they are laid out. With the block of numbers go the names of the fluents
and moves that it numbers.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Mapping, Sequence
from ctypes import c_int32
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..errors import RulesError
from .circuit import FALSE, TRUE, Circuit, Outputs, now
from .kernel import DOES_ASKED, Request, kernel

FORMAT = 1
"""Goes up when what is kept of a net changes."""

_MOST_TURNS = 8
_HEAD = struct.Struct("<QQ")

Marked = Callable[[str], Sequence[str]]
"""Fluents that mark a move, given as a term, if one of them holds: a move to an occupied square is
written otherwise than one to an empty square."""


@dataclass(frozen=True)
class Names:
    """What the numbers of a net stand for."""

    roles: tuple[str, ...]
    bounds: tuple[int, ...]
    """For each role, its first move and the one after its last."""
    certain: Sequence[str]
    """Fluents that hold in all of the net's states, and have no number."""
    fluents: Sequence[str]
    terms: Sequence[str]
    """The moves, role by role."""
    lasting: Sequence[str]
    """Fluents that hold in all next states, and have no number."""
    after: Sequence[str]
    """The fluents that may hold in a next state; the net's own if it is closed."""

    def pack(self) -> bytes:
        """As bytes: a line a name; no name has a line break."""
        lists = (self.roles, self.bounds, self.certain, self.fluents, self.terms, self.lasting)
        return "\0".join("\n".join(map(str, names)) for names in (*lists, self.after)).encode()

    @staticmethod
    def unpack(packed: bytes) -> Names:
        """The inverse of ``pack``."""
        roles, bounds, *others = (
            part.split("\n") if part else [] for part in packed.decode().split("\0")
        )
        return Names(tuple(roles), tuple(map(int, bounds)), *others)


class Tables:
    """What the kernel needs of a net, and the names for its numbers."""

    def __init__(self, names: bytes, block: Any) -> None:
        """``block`` is a buffer of 32-bit numbers that can be written to; it is kept."""
        self._packed = names
        self._block = (ctypes.c_char * len(block)).from_buffer(block)
        self.address = ctypes.addressof(self._block)
        """Where the block lies, for the kernel; good as long as this object is there."""
        head = (c_int32 * 8).from_buffer(self._block)[:]
        _, _, self.fluents, self.after, self.moves, self.roles, self.slots, self.most_choices = head

    @cached_property
    def names(self) -> Names:
        """What the numbers stand for. (There may be many, and counting needs none.)"""
        return Names.unpack(self._packed)

    @property
    def row_bytes(self) -> int:
        """The bytes of a state: a bit a fluent, in whole 64-bit words."""
        return row_bytes(self.fluents)

    @cached_property
    def fluent_bits(self) -> Mapping[str, int]:
        """The bit of each fluent in a state's row, which is a number then."""
        return {fluent: 1 << place for place, fluent in enumerate(self.names.fluents)}

    @cached_property
    def places(self) -> Mapping[tuple[str, str], int]:
        """The numbers of the moves, by role and term."""
        found: dict[tuple[str, str], int] = {}
        names = self.names
        for role, first, end in zip(
            names.roles, names.bounds[::2], names.bounds[1::2], strict=True
        ):
            found |= {(role, names.terms[place]): place for place in range(first, end)}
        return found

    def row(self, facts: Sequence[str]) -> bytes | None:
        """A state with these facts, in bits; None if the net doesn't know it."""
        bits, known = self.fluent_bits, 0
        row = 0
        for fact in facts:
            bit = bits.get(fact)
            if bit is None:
                known += 1
            else:
                row |= bit
        if known != len(self.names.certain):
            return None
        if known and not set(self.names.certain).issubset(facts):
            return None
        return row.to_bytes(self.row_bytes, "little")

    def facts(self, row: bytes) -> tuple[str, ...]:
        """The inverse of ``row``, sorted."""
        fluents, found = self.names.fluents, list(self.names.certain)
        bits = int.from_bytes(row, "little")
        while bits:
            low = bits & -bits
            found.append(fluents[low.bit_length() - 1])
            bits ^= low
        if self.names.certain:
            found.sort()
        return tuple(found)

    def pack(self) -> bytes:
        """As bytes, to be kept."""
        head = _HEAD.pack(len(self._packed), len(self._block))
        padding = b"\0" * (-(len(head) + len(self._packed)) % 64)
        return b"".join((head, self._packed, padding, self._block.raw))

    @staticmethod
    def unpack(kept: memoryview) -> Tables:
        """The inverse of ``pack``, of a buffer that can be written to and isn't copied."""
        size, length = _HEAD.unpack_from(kept)
        start = _HEAD.size + size
        start += -start % 64
        return Tables(bytes(kept[_HEAD.size : _HEAD.size + size]), kept[start : start + length])


def row_bytes(fluents: int) -> int:
    """The bytes of so many bits, in whole 64-bit words."""
    return (fluents + 63) // 64 * 8


def write_tables(
    roles: Sequence[str],
    circuit: Circuit,
    outputs: Outputs,
    certain: Sequence[str],
    fluents: Sequence[str],
    closed: bool,
    turns: Sequence[int],
    marked: Marked = lambda _term: (),
) -> Tables:
    """The tables of a circuit whose inputs are ``fluents`` and the moves that ``outputs`` has.

    ``turns`` are the places of the fluents that say whose turn it is. Raises ``RulesError`` where
    what is legal, the end or a goal depends on moves, and ``MemoryError``.
    """
    moves = sorted(outputs.legal, key=lambda move: (roles.index(move[0]), move[1]))
    bounds = _bounds(roles, [role for role, _ in moves])
    lasting = () if closed else sorted(f for f, value in outputs.next.items() if value == TRUE)
    after = fluents if closed else sorted(f for f, value in outputs.next.items() if value != TRUE)
    turns = turns if len(turns) <= _MOST_TURNS else ()
    known = set(certain)
    marks = [
        TRUE
        if not known.isdisjoint(by := marked(term))
        else circuit.disjunction([circuit.true[f] for f in by if f in circuit.true])
        for _, term in moves
    ]
    library = kernel()
    writer = library.tables_begin(
        len(fluents), len(after), len(moves), len(roles), len(turns), _ints(turns)
    )
    if not writer:
        raise MemoryError
    try:
        for number in range(len(turns) + 1):
            values = {
                circuit.true[fluents[place]]: TRUE if number == at else FALSE
                for at, place in enumerate(turns)
            }
            held, became = circuit.assuming(values if number < len(turns) else {})
            arrays = [
                [now(became, circuit.true.get(fluent, FALSE)) for fluent in fluents],
                [now(became, circuit.does.get(move, FALSE)) for move in moves],
                [now(became, outputs.legal[move]) for move in moves],
                [now(became, mark) for mark in marks],
                [now(became, outputs.next.get(fluent, FALSE)) for fluent in after],
                [
                    number
                    for (role, value), literal in sorted(outputs.goal.items())
                    for number in (roles.index(role), value, now(became, literal))
                ],
                [now(became, outputs.to_move.get(role, FALSE)) for role in roles],
                bounds,
            ]
            held_arrays = [_ints(array) for array in arrays]
            request = Request(
                (
                    held.handle
                    if hasattr(held, "handle")
                    else __import__("aspgames.engine._shim", fromlist=["x"]).handle(held)
                ),
                *map(ctypes.addressof, held_arrays),
                len(arrays[5]) // 3,
                now(became, outputs.terminal),
            )
            status = library.tables_phase(writer, number, ctypes.addressof(request))
            if status == DOES_ASKED:
                raise RulesError("what is legal, the end or a goal depends on the moves made")
        size = library.tables_size(writer)
        if size < 0:
            raise MemoryError
        block = (c_int32 * size)()
        library.tables_end(writer, block)
        writer = None
    finally:
        if writer:
            library.tables_end(writer, None)
    names = Names(
        tuple(roles), tuple(bounds), certain, fluents, [t for _, t in moves], lasting, after
    )
    return Tables(names.pack(), memoryview(block).cast("B"))


def _bounds(roles: Sequence[str], owners: Sequence[str]) -> list[int]:
    bounds, start = [], 0
    for role in roles:
        end = start + owners.count(role)
        bounds += [start, end]
        start = end
    return bounds


def _ints(numbers: Sequence[int]) -> ctypes.Array[c_int32]:
    return (c_int32 * max(1, len(numbers)))(*numbers)
