"""A net as tables of gates, for the kernel, and as bytes to be kept.

``native/tables.h`` says how they are laid out. With the block of numbers go the names of the
fluents and moves that it numbers.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from .kernel import kernel

FORMAT = 2
"""Goes up when what is kept of a net changes."""

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

    @staticmethod
    def check(packed: bytes, fluents: int, after: int, moves: int, roles: int) -> None:
        """Raise ``ValueError`` unless so many things are named; most names aren't looked at."""
        packed.decode()
        parts = packed.split(b"\0")
        counts = [part.count(b"\n") + 1 if part else 0 for part in parts]
        if len(parts) != 7 or (counts[0], *counts[3:5], counts[6]) != (
            roles,
            fluents,
            moves,
            after,
        ):
            raise ValueError("other things are named")
        bounds = [0, *map(int, parts[1].split()), moves]
        if counts[1] != 2 * roles or any(
            one != other for one, other in list(pairwise(bounds))[::2]
        ):
            raise ValueError("the moves aren't those of one role after the other")


class Tables:
    """What the kernel needs of a net, and the names for its numbers."""

    def __init__(self, names: bytes, block: Any) -> None:
        """``block`` is a buffer of 32-bit numbers that can be written to; it is kept."""
        self._packed = names
        # Not cffi's pointer to a buffer: it breaks where a memoryview is freed as part of a cycle.
        self._block = block
        self.address = kernel().ffi.cast("int32_t *", kernel().array("char[]", block))
        """The block, for the kernel; good as long as this object is there."""
        head = kernel().numbers(self.address, 8)
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
    def move_numbers(self) -> Mapping[tuple[str, str], int]:
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
        return b"".join((head, self._packed, padding, self._block))

    @staticmethod
    def unpack(kept: memoryview) -> Tables:
        """The inverse of ``pack``, of a buffer that can be written to and isn't copied.

        Raises ``ValueError`` for anything that the kernel can't walk.
        """
        if len(kept) < _HEAD.size:
            raise ValueError("there is no head")
        size, length = _HEAD.unpack_from(kept)
        start = _HEAD.size + size
        start += -start % 64
        if start + length != len(kept) or length % 4:
            raise ValueError("it has another length")
        names, block = bytes(kept[_HEAD.size : _HEAD.size + size]), kept[start:]
        if not kernel().tables_check(kernel().array("int32_t[]", block), length // 4):
            raise ValueError("these are no tables")
        found = Tables(names, block)
        Names.check(names, found.fluents, found.after, found.moves, found.roles)
        return found


def row_bytes(fluents: int) -> int:
    """The bytes of so many bits, in whole 64-bit words."""
    return (fluents + 63) // 64 * 8
