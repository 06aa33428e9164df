"""Exact probabilities of the nodes of a graph with chance, turn by turn.

All probabilities of a round have one denominator, so they are whole numbers: 64-bit numbers while
these suffice, then Python's. With a fixed denominator, values are rounded: down for a lower bound,
up for an upper bound. No float decides anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import lcm

import numpy as np

from ...propnet.lanes import Array
from .chance_graph import ChanceGraph, distinct
from .chance_states import Kind, Numbers

WIDE_NUMBER = 1 << 62
"""Numbers from here on are Python's."""
_ROUNDS = 1000  # sweeps over nodes from which play can go round


@dataclass(frozen=True)
class _Group:
    """Nodes of one kind whose children within the turn have values already."""

    kind: int
    nodes: Numbers
    starts: Numbers
    """For each node its first edge."""
    children: Numbers
    begins: Array
    """Whether the edge begins a turn."""
    weights: Numbers
    totals: Numbers
    """For each node the sum of its weights."""


class Valuation:
    """The order in which the nodes of a graph get their values."""

    def __init__(self, graph: ChanceGraph, check: Callable[[], None], most: int = 1) -> None:
        """``check`` raises an exception when time is over; ``most`` is the greatest value."""
        self._check, self._most = check, most
        self.kinds, self.worth = graph.kinds, graph.worth
        order = np.argsort(graph.edges[0], kind="stable")
        parents, children, moves, weights, begins = (each[order] for each in graph.edges)
        self.degrees = np.bincount(parents, minlength=len(self.kinds))
        self.firsts = np.cumsum(self.degrees) - self.degrees
        self.children, self.moves, self.weights, self.begins = children, moves, weights, begins
        self.groups, self.circular = list[_Group](), list[_Group]()
        """The nodes, and those from which play can go round within one turn of the attacker."""
        for into, kind, nodes in self._levels(parents):
            into.append(self._group(kind, nodes))
        self.longest = self._rolls()
        """The most plies of chance in a turn of the attacker and what follows it."""
        every = (*self.groups, *self.circular)
        rolls = (group.totals for group in every if group.kind == Kind.ROLL)
        totals = {int(total) for each in rolls for total in np.unique(each)}
        self.factor, self.widest = lcm(*totals), max(totals, default=1)
        """A multiple of each sum of weights."""

    def begin(self, one: int, beyond: int) -> Array:
        """The values before the first turn: ``beyond`` where the attacker would need a turn."""
        kind: type = np.int64 if self._most * one * self.widest < WIDE_NUMBER else object
        values: Array = np.full(len(self.kinds), beyond, kind)
        reached = self.kinds == Kind.REACHED
        values[reached] = self.worth[reached].astype(kind) * one
        values[self.kinds == Kind.OVER] = 0
        return values

    def next(self, before: Array, one: int, up: bool = False) -> Array:
        """The values with one more turn, from those without it; ``one`` is the denominator.

        Quotients are rounded down, or ``up``.
        """
        values = self.begin(one, self._most * one if up else 0)
        before = before.astype(values.dtype)
        for group in self.groups:
            self._settle(group, values, before, up)
        for _ in range(_ROUNDS if self.circular else 0):
            # Each sweep is nearer to the truth, and on the same side of it.
            old = values.copy()
            for group in self.circular:
                self._settle(group, values, before, up)
            if (old == values).all():
                break
        return values

    def _settle(self, group: _Group, values: Array, before: Array, up: bool) -> None:
        """Write the values of a group."""
        self._check()
        given = np.where(group.begins, before[group.children], values[group.children])
        if group.kind == Kind.ATTACK:
            found = np.maximum.reduceat(given, group.starts)
        elif group.kind == Kind.DEFEND:
            found = np.minimum.reduceat(given, group.starts)
        else:
            sums = np.add.reduceat(given * group.weights, group.starts)
            found = -(-sums // group.totals) if up else sums // group.totals
        values[group.nodes] = found

    def _levels(self, parents: Numbers) -> Iterator[tuple[list[_Group], int, Numbers]]:
        """Lists, kinds and nodes: each node comes after its children within the turn."""
        inside = ~self.begins
        inside &= self.degrees[self.children] > 0
        waiting = np.bincount(parents[inside], minlength=len(self.kinds))
        into = np.argsort(self.children[inside], kind="stable")
        sources = parents[inside][into]
        counts = np.bincount(self.children[inside], minlength=len(self.kinds))
        begins = np.cumsum(counts) - counts
        left = self.degrees > 0
        nodes = np.flatnonzero(left & (waiting == 0))
        while len(nodes):
            self._check()
            left[nodes] = False
            yield from self._by_kind(nodes, self.groups)
            above = sources[_ranges(begins[nodes], counts[nodes])]
            np.subtract.at(waiting, above, 1)
            nodes = distinct(above, len(left))
            nodes = nodes[waiting[nodes] == 0]
        yield from self._by_kind(np.flatnonzero(left), self.circular)

    def _by_kind(
        self, nodes: Numbers, into: list[_Group]
    ) -> Iterator[tuple[list[_Group], int, Numbers]]:
        kinds = self.kinds[nodes]
        for kind in (Kind.ATTACK, Kind.DEFEND, Kind.ROLL):
            if (its := nodes[kinds == kind]).size:
                yield into, kind, its

    def edges_of(self, node: int) -> slice:
        """The edges of a node, as a part of ``children``, ``moves``, ``weights`` and ``begins``."""
        return slice(self.firsts[node], self.firsts[node] + self.degrees[node])

    def _group(self, kind: int, nodes: Numbers) -> _Group:
        counts = self.degrees[nodes]
        edges = _ranges(self.firsts[nodes], counts)
        starts = np.cumsum(counts) - counts
        weights = self.weights[edges]
        totals = np.add.reduceat(weights, starts)
        children, begins = self.children[edges], self.begins[edges]
        return _Group(kind, nodes, starts, children, begins, weights, totals)

    def _rolls(self) -> int:
        heights = np.zeros(len(self.kinds), np.int64)
        for group in self.groups:
            below = np.where(group.begins, 0, heights[group.children])
            found = np.maximum.reduceat(below, group.starts) + (group.kind == Kind.ROLL)
            heights[group.nodes] = found
        return int(heights.max(initial=0))


def _ranges(firsts: Numbers, counts: Numbers) -> Numbers:
    """The numbers from each first one on, as many as told, one range after the other."""
    ends = np.cumsum(counts)
    found: Numbers = np.arange(ends[-1] if len(ends) else 0) + np.repeat(
        firsts - (ends - counts), counts
    )
    return found
