"""The value of every state: the outcome that best play leads to, and after how many plies.

States whose successors all have values get theirs first, again and again: where play can't come
back to a state, that settles all of them. What is left can go round in circles. There roles that
are alone, or opposed, aim at one outcome after the other, the best first, and in each round at what
takes one ply, two plies, three and so on. What is still left is play without an end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..budget import Budget
from ..engine.induction import Block, induce
from ..engine.threads import side_by_side
from .enumeration import UNKNOWN, Arrays
from .outcomes import preferences, rounds

BLOCK = 1 << 16  # states
_AT_ONCE = 4  # blocks of a thread

Told = Callable[[int], None]
"""Is told how many states have a value."""


@dataclass
class _Span:
    """States that are looked at together."""

    first: int
    end: int
    edges: int
    """The first of their edges ..."""
    edges_end: int
    """... and where they end."""
    open: int
    """States without a value."""


class Induction:
    """Gives states their values, from the last to the first."""

    def __init__(
        self,
        arrays: Arrays,
        count: int,
        outcomes: Sequence[Sequence[int]],
        roles: int,
        threads: int,
    ) -> None:
        """``count`` states, which the arrays say all of; outcomes are as they number them."""
        self._arrays, self._roles, self._threads = arrays, roles, threads
        order = sorted(range(len(outcomes)), key=lambda n: tuple(outcomes[n]), reverse=True)
        self.outcomes = tuple(tuple(outcomes[place]) for place in order)
        """In an order that doesn't depend on how they were found."""
        self._preferences = preferences(self.outcomes, roles)
        numbers = np.empty(len(order), np.uint32)
        numbers[order] = np.arange(len(order), dtype=np.uint32)
        self.values = np.empty(count, np.uint32)
        self._spans: list[_Span] = []
        edge = 0
        for first in range(0, count, BLOCK):
            end = min(first + BLOCK, count)
            values = arrays.values.read(first, end)
            ended = values != UNKNOWN
            values[ended] = numbers[values[ended] >> np.uint32(16)] << np.uint32(16)
            self.values[first:end] = values
            edges = edge + int(arrays.degrees.read(first, end).sum(dtype=np.int64))
            self._spans.append(_Span(first, end, edge, edges, int((~ended).sum())))
            edge = edges
        self.longest = 0
        """The most plies of best play."""
        self.has_circles = False
        """Whether play can come back to a state, or go on for ever."""

    def run(self, budget: Budget, told: Told) -> None:
        """Give all states their values. Raises ``LimitReached``, and what ``check`` raises."""
        self._budget, self._told = budget, told
        while self._pass(None, 0)[0]:
            pass
        self.has_circles = any(span.open for span in self._spans)
        if not self.has_circles:
            return
        for aims in rounds(self.outcomes, self._roles):
            plies = 1
            while plies:
                settled, following = self._pass(aims, plies)
                plies = plies + 1 if settled else following

    def _pass(self, aims: npt.NDArray[np.uint8] | None, plies: int) -> tuple[int, int]:
        """Look once at all states without a value.

        Returns how many got one, and the next number of plies that is worth a look, or 0.
        """
        left = [span for span in reversed(self._spans) if span.open]
        settled, following = 0, 0
        wanted = self._preferences.to_kernel(aims, plies)
        size = self._threads * (_AT_ONCE if len(left) > 4 * self._threads else 1)
        for place in range(0, len(left), size):
            self._budget.check()
            some = left[place : place + size]
            blocks = [self._block(span) for span in some]
            share = [
                (len(some) * thread // self._threads, len(some) * (thread + 1) // self._threads)
                for thread in range(self._threads)
            ]

            def look(first: int, end: int, blocks: list[Block] = blocks) -> list[Any]:
                return [induce(wanted, block, self.values) for block in blocks[first:end]]

            parts = side_by_side(look, [part for part in share if part[0] < part[1]])
            for span, found in zip(some, [one for part in parts for one in part], strict=True):
                span.open = found.open
                settled += found.settled
                self.longest = max(self.longest, found.longest)
                if found.next and (not following or found.next < following):
                    following = found.next
            self._told(len(self.values) - sum(span.open for span in self._spans))
        return settled, following

    def _block(self, span: _Span) -> Block:
        arrays = self._arrays
        return Block(
            span.first,
            arrays.movers.read(span.first, span.end),
            arrays.degrees.read(span.first, span.end),
            arrays.edges.read(span.edges, span.edges_end),
        )
