"""A game tree in arrays, for the kernel (``propnet/native/tree.c``)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ...propnet.kernel import kernel
from ...propnet.lanes import Array, Ints, Rows
from ...propnet.successors import ENDED

_FIRST_CAPACITY = 1 << 12  # the initial capacity [nodes]

Nodes = npt.NDArray[np.int32]


_KINDS: dict[str, tuple[npt.DTypeLike, float]] = {
    "parents": (np.int32, -1),
    "firsts": (np.int32, -1),
    "degrees": (np.int32, 0),
    "movers": (np.uint8, 0),
    "settled": (np.uint8, 0),
    "surest": (np.int32, -1),
    "plies": (np.int32, 0),
    "games": (np.int32, 0),
    "pending": (np.int32, 0),
    "goals": (np.float64, 0),
    "rows": (np.uint64, 0),
    "peaks": (np.uint8, 0),
}
"""The type and the initial value of each array."""


class Tree:
    """A tree of numbered nodes; the root is node 0.

    The children of a node have consecutive numbers, in the net's order of the mover's moves.
    """

    games: Nodes
    """The number of games through each node, ``(n,)``."""
    goals: npt.NDArray[np.float64]
    """The sum of the games' goals, ``(n, roles)``; for a settled node, its goals."""
    settled: npt.NDArray[np.uint8]
    """Whether the result of each node is proven."""
    plies: Nodes
    """The plies to the end, for settled nodes."""
    parents: Nodes
    """Each node's parent; -1 for the root."""
    firsts: Nodes
    """The first child of each node; -1 for a leaf."""
    degrees: Nodes
    """The number of children of each node."""
    rows: Rows
    """The nodes' states."""
    movers: npt.NDArray[np.uint8]
    """The role that has a choice, for nodes with children; see ``propnet.successors``."""
    peaks: npt.NDArray[np.uint8] | None = None
    """The highest goal of each node's games; None unless the game has one role."""

    def __init__(
        self, row: Rows, roles: int, most_bytes: float, exploration: float, settles: bool
    ) -> None:
        """``row`` is the root's state. With ``settles``, settled children can settle their
        parent. Raises ``MemoryError``."""
        self.size = 0
        self.kernel = kernel().ffi.new("struct game_tree *", (roles, settles, exploration))
        """The kernel's view of the arrays."""
        self._roles = roles
        columns = {"goals": (roles,), "rows": (row.shape[-1],)}
        self._arrays: dict[str, Array] = {
            name: np.empty((0, *columns.get(name, ())), kind)
            for name, (kind, _) in _KINDS.items()
            if name != "peaks" or roles == 1
        }
        each = sum(
            array.itemsize * int(np.prod(array.shape[1:])) for array in self._arrays.values()
        )
        self.most = max(_FIRST_CAPACITY, min(int(most_bytes / each), (1 << 31) - 1))
        self._add(row.reshape(1, -1), -1)

    def children(self, node: int) -> range:
        """The children of a node; empty for a leaf."""
        first, degree = int(self._arrays["firsts"][node]), int(self._arrays["degrees"][node])
        return range(first, first + degree) if first >= 0 else range(0)

    @property
    def fullness(self) -> float:
        """The part of the memory that is in use, from 0 to 1."""
        return self.size / self.most

    # --- calls of the kernel ----------------------------------------------------------------------

    def select(self, count: int, each: int) -> Nodes:
        """Select ``count`` leaves for ``each`` games each; a leaf may occur several times."""
        leaves = np.empty(count, np.int32)
        kernel().tree_select(self.kernel, count, each, kernel().array("int32_t[]", leaves))
        return leaves

    def update(self, leaves: Nodes, each: int, goals: Ints) -> None:
        """Add the goals of the games, in the order of the selected leaves."""
        sums = np.empty(self._roles)
        array = kernel().array
        results = array("int32_t[]", goals), array("double[]", sums)
        first = array("int32_t[]", leaves)
        kernel().tree_update(self.kernel, first, len(leaves), each, *results)

    def forget_pending(self) -> None:
        """Undo a selection whose games were not finished."""
        self._arrays["pending"][: self.size] = 0

    def settle(self, nodes: Array, goals: Ints, plies: int = 0) -> None:
        """Settle nodes with the goals of each role, and the ancestors that they decide."""
        self.settled[nodes] = 1
        self.goals[nodes] = goals
        self.plies[nodes] = plies
        nodes = np.ascontiguousarray(nodes, np.int32)
        kernel().tree_settle(self.kernel, kernel().array("int32_t[]", nodes), len(nodes))

    # --- growing ----------------------------------------------------------------------------------

    def grow(self, nodes: Nodes, movers: Array, degrees: Nodes, children: Rows) -> range:
        """Add the children of leaves, whose states are in order; returns the new nodes.

        Raises ``MemoryError`` if there is no room left.
        """
        first = self.size
        self._add(children, np.repeat(nodes, degrees))
        has = movers != ENDED
        ends = np.cumsum(degrees, dtype=np.int64)
        self.movers[nodes] = movers
        self.degrees[nodes] = degrees
        self.firsts[nodes[has]] = (first + ends - degrees)[has]
        return range(first, self.size)

    def _add(self, rows: Rows, parents: Nodes | int) -> None:
        """Add leaves. Raises ``MemoryError`` if there is no room left."""
        needed, room = self.size + len(rows), len(self._arrays["games"])
        if needed > room:
            if needed > self.most:
                raise MemoryError
            larger = min(self.most, max(_FIRST_CAPACITY, needed, 2 * room))
            self._take({name: _grown(array, larger) for name, array in self._arrays.items()})
        where = slice(self.size, needed)
        for name, array in self._arrays.items():
            array[where] = _KINDS[name][1]
        self._arrays["rows"][where] = rows
        self._arrays["parents"][where] = parents
        self._show(needed)

    def _show(self, size: int) -> None:
        self.size = size
        for name, array in self._arrays.items():
            setattr(self, name, array[:size])

    def _take(self, arrays: dict[str, Array]) -> None:
        self._arrays = arrays
        for name, array in arrays.items():
            if name != "rows":
                setattr(self.kernel, name, kernel().ffi.cast("void *", array.ctypes.data))

    # --- a new root -------------------------------------------------------------------------------

    def descend(self, node: int) -> None:
        """Make a node the root, and drop all nodes outside its subtree."""
        levels, level = [np.array([node], np.int64)], np.array([node], np.int64)
        firsts, degrees = self._arrays["firsts"], self._arrays["degrees"]
        while len(level := level[firsts[level] >= 0]):
            counts = degrees[level].astype(np.int64)
            ends = np.cumsum(counts)
            inside = np.arange(ends[-1]) - np.repeat(ends - counts, counts)
            level = np.repeat(firsts[level].astype(np.int64), counts) + inside
            levels.append(level)
        kept = np.concatenate(levels)
        numbers = np.full(self.size, -1, np.int32)
        numbers[kept] = np.arange(len(kept), dtype=np.int32)
        arrays = {name: array[kept] for name, array in self._arrays.items()}
        has = arrays["firsts"] >= 0
        arrays["firsts"][has] = numbers[arrays["firsts"][has]]
        sure = arrays["surest"] >= 0
        arrays["surest"][sure] = numbers[arrays["surest"][sure]]
        arrays["parents"] = np.where(np.arange(len(kept)) > 0, numbers[arrays["parents"]], -1)
        arrays["parents"] = arrays["parents"].astype(np.int32)
        self._take(arrays)
        self._show(len(kept))


def _grown(array: Array, room: int) -> Array:
    larger = np.empty((room, *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger
