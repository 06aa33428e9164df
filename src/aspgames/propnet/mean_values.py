"""Values of states with chance in the kernel: see ``native/mean_values.c``."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from .kernel import kernel
from .successors import ENDED

Wide = npt.NDArray[np.uint64]
"""A value for each state: a whole number of some words, the lowest first, ``(states, words)``."""

_VALUES_AT_ONCE = 1 << 22  # values between two looks at the clock


class RollGraph:
    """States and their successors, in the order in which they get their values."""

    def __init__(
        self,
        movers: npt.NDArray[np.uint8],
        degrees: npt.NDArray[np.integer],
        edges: npt.NDArray[np.uint32],
        weights: npt.NDArray[np.uint32] | None,
        roller: int,
        is_part: bool = False,
    ) -> None:
        """``roller`` moves by chance, with ``weights``, if any, as the chances of its edges.

        If it ``is_part`` of a graph, one more state stands for all others. Raises ``MemoryError``.
        """
        if is_part:
            edges = np.minimum(edges, np.uint32(len(movers)))
            movers, degrees = np.append(movers, np.uint8(ENDED)), np.append(degrees, 0)
        count, starts = len(movers), np.empty(len(movers) + 1, np.uint32)
        self._order, self._starts = np.empty(count, np.uint32), starts
        self._roller = roller
        self._take(movers, degrees, edges, weights)
        array = kernel().array
        found = kernel().find_components(
            self._pointer, array("uint32_t[]", self._order), array("uint32_t[]", starts)
        )
        self.components = kernel().check(found)
        # Numbers in the order of the components keep their states together in memory.
        order, ranks = self._order, np.empty(count, np.uint32)
        ranks[order] = np.arange(count, dtype=np.uint32)
        sizes = np.asarray(degrees, np.int64)[order]
        places = np.arange(len(edges)) + np.repeat(
            self._firsts[order] - (np.cumsum(sizes) - sizes), sizes
        )
        chances = None if weights is None else weights[places]
        self._take(movers[order], sizes, ranks[edges[places]], chances)

    def _take(
        self,
        movers: npt.NDArray[np.uint8],
        degrees: npt.NDArray[np.integer],
        edges: npt.NDArray[np.uint32],
        weights: npt.NDArray[np.uint32] | None,
    ) -> None:
        library = kernel()
        self._movers, self._edges, self._weights = movers, edges, weights
        self._firsts = np.append(0, np.cumsum(degrees, dtype=np.int64))
        members = (
            len(movers),
            library.array("uint8_t[]", movers),
            library.array("int64_t[]", self._firsts),
            library.array("uint32_t[]", edges),
            library.ffi.NULL if weights is None else library.array("uint32_t[]", weights),
            self._roller,
        )
        self._pointer = library.ffi.new("struct roll_graph *", members)

    def __len__(self) -> int:
        return len(self._movers)

    @property
    def has_loops(self) -> bool:
        """Whether play can come back to a state."""
        parents = np.repeat(np.arange(len(self), dtype=np.uint32), np.diff(self._firsts))
        return self.components < len(self) or bool((parents == self._edges).any())

    def most_rolls(self) -> int:
        """The most rolls until the end of play, in a graph without loops."""
        rolls = np.empty(len(self), np.uint32)
        into = kernel().array("uint32_t[]", rolls)
        kernel().count_rolls(self._pointer, into)
        return int(rolls.max())

    def totals(self) -> list[int]:
        """The distinct sums of the chances in a state."""
        sums = np.diff(self._firsts)
        if self._weights is not None:
            sums = np.diff(np.append(0, np.cumsum(self._weights, dtype=np.int64))[self._firsts])
        found: list[int] = np.unique(sums[(self._movers == self._roller) & (sums > 0)]).tolist()
        return found

    def settle(self, values: Wide, attacker: int, up: bool, check: Callable[[int], None]) -> None:
        """Raise values to the least ones that follow from the successors' values.

        ``attacker`` wants high values; means are rounded down, or ``up``. ``check`` takes the
        number of components that are done, and raises an exception when time is over.
        """
        library, done = kernel(), 0
        rule = library.ffi.new("struct mean_rule *", (values.shape[1], attacker, up))
        found, starts = values[self._order], library.array("uint32_t[]", self._starts)
        into = library.array("uint64_t[]", found)
        try:
            while done < self.components:
                check(done)
                done = library.settle_means(
                    *(self._pointer, rule, starts, done, self.components, _VALUES_AT_ONCE, into)
                )
        finally:
            values[self._order] = found
