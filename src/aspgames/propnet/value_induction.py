"""Backward induction in the kernel: the values of states from those of their successors."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..runtime.errors import LimitReached
from .kernel import Found, kernel
from .kernel import Preferences as KernelPreferences

Values = npt.NDArray[np.uint32]
"""For each state 65536 times the number of its outcome, plus the plies until then."""

UNKNOWN = 2**32 - 1
"""In the place of a value."""
MOST_PLIES = 65534


@dataclass(frozen=True)
class Preferences:
    """What roles prefer; a number for each role and outcome."""

    ranks: npt.NDArray[np.int32]
    """The higher, the better."""
    hurry: npt.NDArray[np.uint8]
    """Whether fewer plies are better."""

    def to_kernel(
        self, aims: npt.NDArray[np.uint8] | None = None, plies: int = 0
    ) -> KernelPreferences:
        """As the kernel has it; the arrays must live as long."""
        return KernelPreferences(
            self.ranks.shape[1],
            self.ranks.ctypes.data,
            self.hurry.ctypes.data,
            None if aims is None else aims.ctypes.data,
            plies,
        )


@dataclass(frozen=True)
class Block:
    """Some states, one after the other, and their successors' numbers."""

    first: int
    movers: npt.NDArray[np.uint8]
    degrees: npt.NDArray[np.uint16]
    edges: npt.NDArray[np.uint32]


def induce(preferences: KernelPreferences, block: Block, values: Values) -> Found:
    """Give values to states of a block that have none and whose successors settle it.

    Raises ``LimitReached`` where play takes too many plies.
    """
    found = Found()
    status = kernel().induce(
        ctypes.addressof(preferences),
        block.first,
        len(block.movers),
        block.movers.ctypes.data,
        block.degrees.ctypes.data,
        block.edges.ctypes.data,
        len(block.edges),
        values.ctypes.data,
        ctypes.addressof(found),
    )
    if status:
        raise LimitReached(f"best play takes more than {MOST_PLIES:,} plies: too many for a table")
    return found


def first_wrong(
    preferences: Preferences,
    ends: npt.NDArray[np.uint8],
    block: Block,
    own: Values,
    values: Values,
) -> int | None:
    """The first state of a block whose value isn't what follows from its successors'.

    ``ends`` says for each role and outcome whether it would rather have that than endless play.
    """
    given = preferences.to_kernel()
    wrong: int = kernel().check_values(
        ctypes.addressof(given),
        ends.ctypes.data,
        len(block.movers),
        block.movers.ctypes.data,
        block.degrees.ctypes.data,
        block.edges.ctypes.data,
        own.ctypes.data,
        values.ctypes.data,
    )
    return None if wrong < 0 else wrong
