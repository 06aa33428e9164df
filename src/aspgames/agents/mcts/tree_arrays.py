"""A game tree as arrays, which the kernel walks: see ``propnet/native/tree.c``."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ...propnet.kernel import kernel
from ...propnet.lanes import Array, Ints, Rows
from ...propnet.successors import ENDED

_FIRST = 1 << 12  # nodes for which there is room at once

Nodes = npt.NDArray[np.int32]


class Tree:
    """Nodes by their numbers, the root being 0; children of a node follow each other.

    The children are in the order of the mover's moves as the net numbers them.
    """

    def __init__(
        self, row: Rows, roles: int, most_bytes: float, exploration: float, settles: bool
    ) -> None:
        """``row`` is the root's state. With ``settles``, what is settled of children settles a
        node. Raises ``MemoryError``."""
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

    # --- what it is made of -----------------------------------------------------------------------

    @property
    def games(self) -> Nodes:
        """How many games went through each node."""
        return self._shown("games")

    @property
    def goals(self) -> npt.NDArray[np.float64]:
        """For each node and role the sum of those games' goals; of a settled node its goal."""
        return self._shown("goals")

    @property
    def settled(self) -> npt.NDArray[np.uint8]:
        """Whether it is known what each node leads to."""
        return self._shown("settled")

    @property
    def plies(self) -> Nodes:
        """Of settled nodes: the plies to the end."""
        return self._shown("plies")

    @property
    def parents(self) -> Nodes:
        """Each node's parent; -1 for the root."""
        return self._shown("parents")

    @property
    def firsts(self) -> Nodes:
        """The first of each node's children; -1 where it has none so far."""
        return self._shown("firsts")

    @property
    def degrees(self) -> Nodes:
        """How many children each node has."""
        return self._shown("degrees")

    @property
    def rows(self) -> Rows:
        """The nodes' states."""
        return self._shown("rows")

    @property
    def movers(self) -> npt.NDArray[np.uint8]:
        """The role that has a choice, of nodes with children; see ``engine.successors``."""
        return self._shown("movers")

    @property
    def peaks(self) -> npt.NDArray[np.uint8] | None:
        """In a game of one role: the highest goal of each node's games."""
        return self._shown("peaks") if "peaks" in self._arrays else None

    def children(self, node: int) -> range:
        """The children of a node; none as long as it is a leaf."""
        first, degree = int(self._arrays["firsts"][node]), int(self._arrays["degrees"][node])
        return range(first, first + degree) if first >= 0 else range(0)

    @property
    def fullness(self) -> float:
        """The part of the memory that is in use, from 0 to 1."""
        return self.size / self._most

    # --- what the kernel does ---------------------------------------------------------------------

    def select(self, count: int, each: int) -> Nodes:
        """Leaves to play from, ``each`` games from each; one may be there several times."""
        leaves = np.empty(count, np.int32)
        kernel().tree_select(self._kernel, count, each, kernel().array("int32_t[]", leaves))
        return leaves

    def update(self, leaves: Nodes, each: int, goals: Ints) -> None:
        """Take note of the games' goals, game by game as the leaves are selected."""
        sums = np.empty(self._roles)
        array = kernel().array
        results = array("int32_t[]", goals), array("double[]", sums)
        first = array("int32_t[]", leaves)
        kernel().tree_update(self._kernel, first, len(leaves), each, *results)

    def explore(self, exploration: float) -> None:
        """From now on prefer uncertain children by so much."""
        self._kernel.exploration = exploration

    def forget_pending(self) -> None:
        """Take back what was selected, where the games weren't played to their ends."""
        self._shown("pending")[:] = 0

    def settle(self, nodes: Array, goals: Ints, plies: int = 0) -> None:
        """Settle nodes, which lead to these goals for each role, and whatever that settles."""
        self.settled[nodes] = 1
        self.goals[nodes] = goals
        self.plies[nodes] = plies
        nodes = np.ascontiguousarray(nodes, np.int32)
        kernel().tree_settle(self._kernel, kernel().array("int32_t[]", nodes), len(nodes))

    # --- growing ----------------------------------------------------------------------------------

    def grow(self, nodes: Nodes, movers: Array, degrees: Nodes, children: Rows) -> range:
        """Give leaves their children, whose states follow each other; says which nodes these are.

        Raises ``MemoryError`` where there is no room left.
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
        """Whether so many nodes more are within the memory that it may take."""
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

    # --- going on ---------------------------------------------------------------------------------

    def descend(self, node: int) -> None:
        """Make a node the root: what isn't below it is forgotten."""
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
