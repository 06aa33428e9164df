"""The value of every state by retrograde analysis: the outcome of best play, and its plies.

(Bellman 1965, *On the application of dynamic programming to the determination of optimal play in
chess and checkers*; Thompson 1986, *Retrograde analysis of certain endgames*.)

States whose successors all have values get theirs first, repeatedly. Without cycles that gives all
states their values. In cyclic play of one role or two opposed roles, the roles then aim at one
outcome after the other, the best first. Each round first aims at what takes one ply, then two,
three and so on. The remaining states are endless play.

A value in the file never changes. So the number of the round is enough to resume.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from ...propnet.threads import side_by_side
from ...propnet.value_induction import UNKNOWN, StateBlock, induce
from ...runtime.budget import Budget
from ...runtime.errors import Interrupted, LimitReached
from ...runtime.workers.work_folder import WorkFolder
from .enumeration import NOTED, Arrays
from .outcomes import in_order, preferences, rounds
from .sorted_runs import Growing, Mapped

BLOCK = 1 << 16  # states
SMALL_BLOCK = 1 << 12  # states, if memory is small
_BLOCKS_A_THREAD = 4  # blocks for each thread

Progress = Callable[[int], None]
"""Takes the number of states with a value."""


@dataclass
class _Span:
    """States that are examined together."""

    first: int
    end: int
    edges: int  # the first of their edges
    edges_end: int  # the end of their edges
    open: int  # states without a value


@dataclass
class InductionProgress:
    """The progress of an induction."""

    begun: bool = False
    """Whether the file has all states."""
    has_circles: bool = False
    """Whether the rounds for cyclic play have begun."""
    round: int = 0
    plies: int = 1


class Induction:
    """Gives states their values, from the last to the first."""

    def __init__(
        self,
        work: WorkFolder,
        arrays: Arrays,
        count: int,
        outcomes: Sequence[Sequence[int]],
        roles: int,
        kept: dict[str, Any],
        most_bytes: float,
        threads: int,
    ) -> None:
        """Prepare the values of ``count`` states, whose data and outcomes ``arrays`` has.

        ``kept`` is an earlier run's note, or empty. ``most_bytes`` is the memory for values.
        """
        self._work, self._arrays = work, arrays
        self._roles, self._threads = roles, threads
        order = sorted(range(len(outcomes)), key=lambda n: tuple(outcomes[n]), reverse=True)
        self.outcomes = in_order(outcomes)
        self._preferences = preferences(self.outcomes, roles)
        numbers = np.empty(len(order), np.uint32)
        numbers[order] = np.arange(len(order), dtype=np.uint32)
        self.note = InductionProgress(**kept)
        self._spans: list[_Span] = []
        self.longest = 0
        """The most plies of best play."""
        path = work.folder / "induced"
        block = BLOCK if 4 * count <= most_bytes else SMALL_BLOCK
        known = Growing(path, np.uint32)
        if self.note.begun and not known.cut(count):
            self.note = InductionProgress()
        edge = 0
        for first in range(0, count, block):
            end = min(first + block, count)
            if self.note.begun:
                values = known.read(first, end)
                ended = values != UNKNOWN
                if ended.any():
                    self.longest = max(self.longest, int((values[ended] & 0xFFFF).max()))
            else:
                values = arrays.values.read(first, end)
                ended = values != UNKNOWN
                values[ended] = numbers[values[ended] >> np.uint32(16)] << np.uint32(16)
                known.write(first, values)
            edges = edge + int(arrays.degrees.read(first, end).sum(dtype=np.int64))
            self._spans.append(_Span(first, end, edge, edges, int((~ended).sum())))
            edge = edges
        known.close()
        self._open = sum(span.open for span in self._spans)
        self.note.begun = True
        self._keep()
        self.values = Mapped(path, np.uint32, count, most_bytes)

    one = 0

    @property
    def has_circles(self) -> bool:
        """Whether play can come back to a state."""
        return self.note.has_circles

    def run(self, budget: Budget, progress: Progress) -> None:
        """Give all states their values. Raises ``LimitReached``, and the errors of ``check``."""
        self._budget, self._progress, note = budget, progress, self.note
        try:
            while not note.has_circles and self._pass(None, 0)[0]:
                pass
            note.has_circles = note.has_circles or self._open > 0
            if note.has_circles:
                self._keep()  # before a round gives the first value
                for aims in islice(rounds(self.outcomes, self._roles), note.round, None):
                    while note.plies:
                        settled, following = self._pass(aims, note.plies)
                        note.plies = note.plies + 1 if settled else following
                    note.round, note.plies = note.round + 1, 1
        except (OSError, LimitReached, Interrupted):
            with suppress(OSError):
                self._keep()
            raise
        self._keep()

    def _keep(self) -> None:
        self._work.keep(induction=asdict(self.note))
        self.noted = time.monotonic()

    def _pass(self, aims: npt.NDArray[np.uint8] | None, plies: int) -> tuple[int, int]:
        """Examine all states without a value once.

        Returns the number of states that got one, and the next number of plies to try, or 0.
        """
        if time.monotonic() - self.noted > NOTED:
            self._keep()
        left = [span for span in reversed(self._spans) if span.open]
        settled, following = 0, 0
        wanted = self._preferences.to_kernel(aims, plies)
        many = len(left) > 4 * self._threads and not self.values.is_large
        size = self._threads * (_BLOCKS_A_THREAD if many else 1)
        for place in range(0, len(left), size):
            self._budget.check()
            some = left[place : place + size]
            blocks = [self._block(span) for span in some]
            share = [
                (len(some) * thread // self._threads, len(some) * (thread + 1) // self._threads)
                for thread in range(self._threads)
            ]

            def look(first: int, end: int, blocks: list[StateBlock] = blocks) -> list[Any]:
                return [induce(wanted, block, self.values.array) for block in blocks[first:end]]

            parts = side_by_side(look, [part for part in share if part[0] < part[1]])
            for span, found in zip(some, [one for part in parts for one in part], strict=True):
                self._open += found.open - span.open
                span.open = found.open
                settled += found.settled
                self.longest = max(self.longest, found.longest)
                if found.next and (not following or found.next < following):
                    following = found.next
            self.values.relieve()
            self._progress(len(self.values.array) - self._open)
        return settled, following

    def _block(self, span: _Span) -> StateBlock:
        arrays = self._arrays
        return StateBlock(
            span.first,
            arrays.movers.read(span.first, span.end),
            arrays.degrees.read(span.first, span.end),
            arrays.edges.read(span.edges, span.edges_end),
        )
