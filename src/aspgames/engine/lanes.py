"""Bit lanes: turning them into rows of bits and back, and spreading states over their moves.

A batch of n states is kept as one integer a fluent; bit i of it is what holds in state i.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Lanes = Sequence[int]
Bits = npt.NDArray[np.uint8]
Places = npt.NDArray[np.intp]

_MOST_BITS = 1 << 24  # bytes for the unpacked moves of a slice of a batch


def to_bits(lanes: Lanes, count: int) -> Bits:
    """One row a lane, one column a state, 0 or 1."""
    size = (count + 7) // 8
    packed = b"".join(lane.to_bytes(size, "little") for lane in lanes)
    rows = np.frombuffer(packed, dtype=np.uint8).reshape(len(lanes), size)
    return np.unpackbits(rows, axis=1, count=count, bitorder="little")


def to_lanes(bits: Bits) -> list[int]:
    """The inverse of ``to_bits``."""
    packed = np.packbits(bits, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in packed]


@dataclass(frozen=True)
class Children:
    """States of a batch, each with one of its moves, sorted by move."""

    count: int
    true: Lanes
    """The fluents of the states before the move."""
    moves: Places
    """The place of each child's move among the legal lanes."""

    def runs(self) -> Iterator[tuple[int, int]]:
        """The moves that occur, each with its lane: a run of ones."""
        places, starts = np.unique(self.moves, return_index=True)
        ends = [*starts[1:].tolist(), self.count]
        for place, start, end in zip(places.tolist(), starts.tolist(), ends, strict=True):
            yield place, ((1 << (end - start)) - 1) << start


def children(true: Lanes, legal: Lanes, count: int, most: int) -> Iterator[Children]:
    """Every state of a batch with every one of its moves, at most ``most`` children at a time."""
    used = [place for place, lane in enumerate(legal) if lane]
    if not used:
        return
    before = to_bits(true, count)
    width = max(8, _MOST_BITS // len(used) // 8 * 8)
    for start in range(0, count, width):
        stop = min(count, start + width)
        mask = (1 << (stop - start)) - 1
        bits = to_bits([legal[place] >> start & mask for place in used], stop - start)
        rows, columns = np.nonzero(bits)
        for first in range(0, len(rows), most):
            chosen = columns[first : first + most] + start
            places = np.asarray(used, dtype=np.intp)[rows[first : first + most]]
            yield Children(len(chosen), to_lanes(before.take(chosen, axis=1)), places)
