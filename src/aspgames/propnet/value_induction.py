"""Backward induction in the kernel: computes the values of states from their successors' values."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .kernel import Pointer, kernel

Values = npt.NDArray[np.uint32]
"""For each state 65536 times the number of its outcome, plus the plies until then."""

UNKNOWN = 2**32 - 1
"""Marks a state without a value."""


@dataclass(frozen=True)
class Preferences:
    """The preferences of roles: a number for each role and outcome."""

    ranks: npt.NDArray[np.int32]
    """The higher, the better."""
    hurry: npt.NDArray[np.uint8]
    """Whether fewer plies are better."""

    def to_kernel(self, aims: npt.NDArray[np.uint8] | None = None, plies: int = 0) -> Pointer:
        """As a ``struct preferences`` of C; the arrays must outlive it."""
        library = kernel()
        flags = library.ffi.NULL if aims is None else library.array("uint8_t[]", aims)
        ranks = library.array("int32_t[]", self.ranks)
        hurry = library.array("uint8_t[]", self.hurry)
        members = self.ranks.shape[1], ranks, hurry, flags, plies
        return library.ffi.new("struct preferences *", members)


@dataclass(frozen=True)
class StateBlock:
    """Consecutive states, and the numbers of their successors."""

    first: int
    movers: npt.NDArray[np.uint8]
    degrees: npt.NDArray[np.uint16]
    edges: npt.NDArray[np.uint32]

    @property
    def pointers(self) -> tuple[Pointer, Pointer, Pointer]:
        """The arrays for the kernel."""
        array = kernel().array
        return (
            array("uint8_t[]", self.movers),
            array("uint16_t[]", self.degrees),
            array("uint32_t[]", self.edges),
        )


def induce(preferences: Pointer, block: StateBlock, values: Values) -> Pointer:
    """Compute the missing values in a block, where the successors settle them.

    Returns a ``struct induction_counts`` of C.
    """
    library = kernel()
    counts = library.ffi.new("struct induction_counts *")
    movers, degrees, edges = block.pointers
    size, all_values = len(block.movers), library.array("uint32_t[]", values)
    library.check(
        library.induce(
            *(preferences, block.first, size, movers, degrees, edges, len(block.edges)),
            *(all_values, counts),
        )
    )
    return counts


def first_wrong(
    preferences: Preferences,
    ends: npt.NDArray[np.uint8],
    block: StateBlock,
    own: Values,
    values: Values,
) -> int | None:
    """The first state of a block whose value contradicts its successors' values, or None.

    ``ends`` tells for each role and outcome whether the role prefers it to endless play.
    """
    array = kernel().array
    known = array("uint32_t[]", own), array("uint32_t[]", values)
    given, flags = preferences.to_kernel(), array("uint8_t[]", ends)
    wrong = kernel().check_values(given, flags, len(block.movers), *block.pointers, *known)
    return None if wrong < 0 else int(wrong)
