"""A net as tables of gates for the kernel, and as bytes for storage.

``native/tables.h`` describes the layout of the block of numbers. ``Names`` has the names of its
fluents and moves.
"""

import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from .kernel import kernel

FORMAT = 3
"""The version of the stored form of a net."""

_HEAD = struct.Struct("<QQ")

Marked = Callable[[str], Sequence[str]]
"""Returns the fluents that mark a move (a term).

The move is marked if one of them holds. So a capture is written differently from a step.
"""


@dataclass(frozen=True)
class Names:
    """The names for the numbers of a net."""

    roles: tuple[str, ...]
    bounds: tuple[int, ...]
    """For each role, its first move and the one after its last."""
    certain: Sequence[str]
    """The fluents that hold in all states of the net. They have no number."""
    fluents: Sequence[str]
    terms: Sequence[str]
    """The moves, role by role."""
    lasting: Sequence[str]
    """The fluents that hold in all next states. They have no number."""
    after: Sequence[str]
    """The fluents that may hold in a next state; those of the net if it is closed."""
    exclusive: Sequence[str] = ()
    """For each set of fluents of which at most one may hold, their numbers, with blanks between."""

    def pack(self) -> bytes:
        """The names as bytes, one name on each line; no name has a line break."""
        lists = (self.roles, self.bounds, self.certain, self.fluents, self.terms, self.lasting)
        more = self.after, self.exclusive
        return "\0".join("\n".join(map(str, names)) for names in (*lists, *more)).encode()

    @staticmethod
    def unpack(packed: bytes) -> "Names":
        """The inverse of ``pack``."""
        roles, bounds, *others = (
            part.split("\n") if part else [] for part in packed.decode().split("\0")
        )
        return Names(tuple(roles), tuple(map(int, bounds)), *others)

    @staticmethod
    def check(packed: bytes, fluents: int, after: int, moves: int, roles: int) -> None:
        """Raise ``ValueError`` if the numbers of names differ. Most names are not read."""
        packed.decode()
        parts = packed.split(b"\0")
        counts = [part.count(b"\n") + 1 if part else 0 for part in parts]
        if len(parts) != 8 or (counts[0], *counts[3:5], counts[6]) != (
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
        if any(int(place) >= fluents for place in parts[7].split()):
            raise ValueError("a number has no fluent")


class Tables:
    """A net in the kernel's form, and the names for its numbers."""

    def __init__(self, names: bytes, block: Any) -> None:
        """``block`` is a writable buffer of 32-bit numbers, which this object keeps."""
        self._packed = names
        # Don't keep cffi's pointer to a buffer: it breaks when a memoryview is freed in a cycle.
        self._block = block
        self.address = kernel().ffi.cast("int32_t *", kernel().array("char[]", block))
        """The address of the block for the kernel, valid as long as this object exists."""
        head = kernel().numbers(self.address, 8)
        _, _, self.fluents, self.after, self.moves, self.roles, self.slots, self.most_choices = head

    @cached_property
    def names(self) -> Names:
        """The names for the numbers, read on first use: counting needs none."""
        return Names.unpack(self._packed)

    @property
    def row_bytes(self) -> int:
        """The size of a row [bytes]: one bit for each fluent, in whole 64-bit words."""
        return row_bytes(self.fluents)

    @cached_property
    def fluent_bits(self) -> Mapping[str, int]:
        """The bit of each fluent in a state's row, as a number."""
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

    @cached_property
    def _exclusive(self) -> list[int]:
        """The bits of each set of fluents of which at most one may hold."""
        sets = (map(int, places.split()) for places in self.names.exclusive)
        return [sum(1 << place for place in each) for each in sets]

    def knows(self, row: int) -> bool:
        """Whether a state with these bits is one for which the net is right."""
        return all((row & bits).bit_count() <= 1 for bits in self._exclusive)

    def row(self, facts: Sequence[str]) -> bytes | None:
        """The row of the state with these facts; None if the net doesn't know the state."""
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
        return row.to_bytes(self.row_bytes, "little") if self.knows(row) else None

    def facts(self, row: bytes) -> tuple[str, ...]:
        """The inverse of ``row``, sorted."""
        fluents, found = self.names.fluents, list(self.names.certain)
        found += (fluents[place] for place in places_of(row))
        if self.names.certain:
            found.sort()
        return tuple(found)

    def pack(self) -> bytes:
        """The net as bytes, for storage."""
        head = _HEAD.pack(len(self._packed), len(self._block))
        padding = b"\0" * (-(len(head) + len(self._packed)) % 64)
        return b"".join((head, self._packed, padding, self._block))

    @staticmethod
    def unpack(kept: memoryview) -> "Tables":
        """The inverse of ``pack``. It needs a writable buffer, which it does not copy.

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


def places_of(row: bytes) -> Iterator[int]:
    """The places of the fluents that hold in a row."""
    bits = int.from_bytes(row, "little")
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def row_bytes(fluents: int) -> int:
    """The size [bytes] of a row of so many fluents, in whole 64-bit words."""
    return (fluents + 63) // 64 * 8
