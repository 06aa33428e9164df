"""The graph of a puzzle with chance, turn by turn of the attacker.

A node is a state. A state in which ``random`` moves may be two nodes, as a turn of the attacker
goes on through it or not.
"""

from __future__ import annotations

import numpy as np

from ...propnet.lanes import Array
from ...runtime.errors import LimitReached
from .chance_states import ChanceStates, Column, Kind, Numbers

_CHUNK = 1 << 14  # nodes that are expanded together
_PER_NODE, _PER_EDGE = 64, 96  # bytes, with the copies for an evaluation


class ChanceGraph:
    """The nodes to which play leads within some turns of the attacker; node 0 is the puzzle's."""

    def __init__(self, states: ChanceStates, alone: bool, most_bytes: float) -> None:
        """``alone``: a lone role attacks, and each of its moves is a turn."""
        self._states, self._alone, self._most_bytes = states, alone, most_bytes
        self._state = Column(np.int64)
        self._goes_on = Column(np.bool_)
        self._numbers = Column(np.int64, (2,))
        self._is_expanded = Column(np.bool_)
        self._edges = tuple(Column(kind) for kind in (np.int64,) * 4 + (np.bool_,))
        self._now: list[Numbers] = []
        self._next: list[Numbers] = [self._nodes(np.zeros(1, np.int64), np.zeros(1, np.bool_))]

    def __len__(self) -> int:
        return len(self._state)

    @property
    def is_whole(self) -> bool:
        """Whether there are no further nodes."""
        return not (self._now or self._next)

    @property
    def kinds(self) -> Array:
        """The kind of each node."""
        return self._states.kinds.array[self._state.array]

    @property
    def worth(self) -> Array:
        """What each node counts that reaches the goal."""
        return self._states.worth.array[self._state.array]

    @property
    def edges(self) -> tuple[Array, ...]:
        """Parents, children, moves and weights, and whether a move begins a turn."""
        return tuple(column.array for column in self._edges)

    def term(self, move: int) -> str:
        """A move by its number."""
        return self._states.terms[move]

    def explore(self) -> None:
        """Find the nodes within one more turn. After an exception, a second call goes on."""
        if not self._now:
            self._now, self._next = self._next, []
        while self._now:
            nodes = self._now[-1]
            todo = distinct(nodes[~self._is_expanded.array[nodes]], len(self))
            if len(todo):
                first, rest = todo[:_CHUNK], todo[_CHUNK:]
                # New nodes are put behind, so that an exception loses none.
                at_once, later = self._expand(first)
                self._now[-1:] = [each for each in (rest, at_once) if len(each)]
                if len(later):
                    self._next.append(later)
            else:
                self._now.pop()

    def _expand(self, nodes: Numbers) -> tuple[Numbers, Numbers]:
        """The children of nodes: those within the turn, and those that begin a turn."""
        self.check_memory()
        found = self._states.expand(self._state.array[nodes])
        goes_on = self._goes_on.array[nodes] | (self._kinds(nodes) == Kind.ATTACK)
        goes_on = (goes_on & (not self._alone))[found.parents]
        kinds = self._states.kinds.array[found.children]
        begins = (kinds == Kind.ATTACK) & ~goes_on
        children = self._nodes(found.children, goes_on & (kinds == Kind.ROLL))
        columns = (nodes[found.parents], children, found.moves, found.weights, begins)
        for column, items in zip(self._edges, columns, strict=True):
            column.add(items)
        self._is_expanded.array[nodes] = True
        new = (kinds <= Kind.ROLL) & ~self._is_expanded.array[children]
        at_once, later = (children[new & where] for where in (~begins, begins))
        return distinct(at_once, len(self)), distinct(later, len(self))

    def check_memory(self, more: float = 0) -> None:
        """Raise ``LimitReached`` if the graph and so many more bytes exceed the limit."""
        size = self._states.bytes + _PER_NODE * len(self) + _PER_EDGE * len(self._edges[0])
        if size + more > self._most_bytes:
            raise LimitReached(f"no answer within {self._most_bytes / 2**20:.0f} MiB")

    def _kinds(self, nodes: Numbers) -> Array:
        return self._states.kinds.array[self._state.array[nodes]]

    def _nodes(self, states: Numbers, goes_on: Array) -> Numbers:
        """The numbers of the nodes of states."""
        more = len(self._states.kinds) - len(self._numbers)
        self._numbers.add(np.full((more, 2), -1, np.int64))
        numbers, flags = self._numbers.array, goes_on.astype(np.int64)
        new = distinct((2 * states + flags)[numbers[states, flags] < 0], 2 * len(numbers))
        numbers[new // 2, new % 2] = np.arange(len(self), len(self) + len(new))
        self._state.add(new // 2)
        self._goes_on.add(new % 2)
        self._is_expanded.add(np.zeros(len(new)))
        found: Numbers = numbers[states, flags]
        return found


def distinct(numbers: Numbers, end: int) -> Numbers:
    """The distinct ones of some numbers below ``end``, the last of each: faster than a sort."""
    if not len(numbers):
        return numbers
    last, places = np.empty(end, np.int64), np.arange(len(numbers))
    last[numbers] = places
    found: Numbers = numbers[last[numbers] == places]
    return found
