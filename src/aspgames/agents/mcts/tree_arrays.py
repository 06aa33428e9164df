"""A game tree in arrays, for the kernel (``propnet/native/tree.c``)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ...propnet.kernel import kernel
from ...propnet.lanes import Array, Ints, Rows
from ...propnet.successors import ENDED

_FIRST = 1 << 12  # the initial capacity [nodes]

Nodes = npt.NDArray[np.int32]


class Tree:
    """A tree of numbered nodes; the root is node 0.

    The children of a node have consecutive numbers, in the net's order of the mover's moves.
    """

    def __init__(
        self, row: Rows, roles: int, most_bytes: float, exploration: float, settles: bool
    ) -> None:
        """``row`` is the root's state. With ``settles``, settled children can settle their
        parent. Raises ``MemoryError``."""
        self.size = 1
        """The number of nodes."""
        self._kernel = kernel().ffi.new("struct game_tree *", (roles, settles, exploration))
        self._roles, self._words = roles, row.shape[-1]
        kinds: dict[str, tuple[tuple[int, ...], npt.DTypeLike]] = {
            "parents": ((), np.int32),
            "firsts": ((), np.int32),
            "degrees": ((), np.int32),
            "movers": ((), np.uint8),
            "settled": ((), np.uint8),
            "surest": ((), np.int32),
            "plies": ((), np.int32),
            "games": ((), np.int32),
            "pending": ((), np.int32),
            "goals": ((roles,), np.float64),
            "rows": ((self._words,), np.uint64),
        }
        if roles == 1:
            kinds["peaks"] = ((), np.uint8)
        self._arrays = {
            name: np.empty((0, *columns), kind) for name, (columns, kind) in kinds.items()
        }
        each = sum(
            array.itemsize * int(np.prod(array.shape[1:])) for array in self._arrays.values()
        )
        self._most = max(_FIRST, min(int(most_bytes / each), (1 << 31) - 1))
        self._reserve(1)
        self._begin(slice(0, 1), row, -1)

    # --- arrays -----------------------------------------------------------------------------------

    @property
    def games(self) -> Nodes:
        """The number of games through each node, ``(n,)``."""
        return self._shown("games")

    @property
    def goals(self) -> npt.NDArray[np.float64]:
        """The sum of the games' goals, ``(n, roles)``; for a settled node, its goals."""
        return self._shown("goals")

    @property
    def settled(self) -> npt.NDArray[np.uint8]:
        """Whether the result of each node is proven."""
        return self._shown("settled")

    @property
    def plies(self) -> Nodes:
        """The plies to the end, for settled nodes."""
        return self._shown("plies")

    @property
    def parents(self) -> Nodes:
        """Each node's parent; -1 for the root."""
        return self._shown("parents")

    @property
    def firsts(self) -> Nodes:
        """The first child of each node; -1 for a leaf."""
        return self._shown("firsts")

    @property
    def degrees(self) -> Nodes:
        """The number of children of each node."""
        return self._shown("degrees")

    @property
    def rows(self) -> Rows:
        """The nodes' states."""
        return self._shown("rows")

    @property
    def movers(self) -> npt.NDArray[np.uint8]:
        """The role that has a choice, for nodes with children; see ``propnet.successors``."""
        return self._shown("movers")

    @property
    def peaks(self) -> npt.NDArray[np.uint8] | None:
        """The highest goal of each node's games; None unless the game has one role."""
        return self._shown("peaks") if "peaks" in self._arrays else None

    def children(self, node: int) -> range:
        """The children of a node; empty for a leaf."""
        first, degree = int(self._arrays["firsts"][node]), int(self._arrays["degrees"][node])
        return range(first, first + degree) if first >= 0 else range(0)

    @property
    def fullness(self) -> float:
        """The part of the memory that is in use, from 0 to 1."""
        return self.size / self._most

    # --- calls of the kernel ----------------------------------------------------------------------

    def select(self, count: int, each: int) -> Nodes:
        """Select ``count`` leaves for ``each`` games each; a leaf may occur several times."""
        leaves = np.empty(count, np.int32)
        kernel().tree_select(self._kernel, count, each, kernel().array("int32_t[]", leaves))
        return leaves

    def update(self, leaves: Nodes, each: int, goals: Ints) -> None:
        """Add the goals of the games, in the order of the selected leaves."""
        sums = np.empty(self._roles)
        array = kernel().array
        results = array("int32_t[]", goals), array("double[]", sums)
        first = array("int32_t[]", leaves)
        kernel().tree_update(self._kernel, first, len(leaves), each, *results)

    def explore(self, exploration: float) -> None:
        """Set the exploration constant."""
        self._kernel.exploration = exploration

    def forget_pending(self) -> None:
        """Undo a selection whose games were not finished."""
        self._shown("pending")[:] = 0

    def settle(self, nodes: Array, goals: Ints, plies: int = 0) -> None:
        """Settle nodes with the goals of each role, and the ancestors that they decide."""
        self.settled[nodes] = 1
        self.goals[nodes] = goals
        self.plies[nodes] = plies
        nodes = np.ascontiguousarray(nodes, np.int32)
        kernel().tree_settle(self._kernel, kernel().array("int32_t[]", nodes), len(nodes))

    # --- growing ----------------------------------------------------------------------------------

    def grow(self, nodes: Nodes, movers: Array, degrees: Nodes, children: Rows) -> range:
        """Add the children of leaves, whose states are in order; returns the new nodes.

        Raises ``MemoryError`` if there is no room left.
        """
        first, count = self.size, len(children)
        self._reserve(first + count)
        has = movers != ENDED
        ends = np.cumsum(degrees, dtype=np.int64)
        arrays = self._arrays
        arrays["movers"][nodes] = movers
        arrays["degrees"][nodes] = degrees
        arrays["firsts"][nodes[has]] = (first + ends - degrees)[has]
        self._begin(slice(first, first + count), children, np.repeat(nodes, degrees))
        self.size += count
        return range(first, first + count)

    def has_room_for(self, children: int) -> bool:
        """Whether the memory limit allows ``children`` more nodes."""
        return self.size + children <= self._most

    def _begin(self, where: slice, rows: Rows, parents: Nodes | int) -> None:
        for name, value in _NEW.items():
            if name in self._arrays:
                self._arrays[name][where] = value
        self._arrays["rows"][where] = rows
        self._arrays["parents"][where] = parents

    def _reserve(self, needed: int) -> None:
        room = len(self._arrays["games"])
        if needed <= room:
            return
        if needed > self._most:
            raise MemoryError
        larger = min(self._most, max(_FIRST, needed, 2 * room))
        self._take({name: _grown(array, larger) for name, array in self._arrays.items()})

    def _take(self, arrays: dict[str, Array]) -> None:
        self._arrays = arrays
        for name, array in arrays.items():
            if name != "rows":
                setattr(self._kernel, name, kernel().ffi.cast("void *", array.ctypes.data))

    def _shown(self, name: str) -> Array:
        return self._arrays[name][: self.size]

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
        self.size = len(kept)
        self._take(arrays)


_NEW = {
    "firsts": -1,
    "degrees": 0,
    "movers": 0,
    "settled": 0,
    "surest": -1,
    "plies": 0,
    "games": 0,
    "pending": 0,
    "goals": 0.0,
    "peaks": 0,
}


def _grown(array: Array, room: int) -> Array:
    larger = np.empty((room, *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger
