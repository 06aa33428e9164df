"""The attacker's moves in a set of states, and the sets of states after them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...propnet.lanes import Flags
from ...runtime.errors import RulesError
from .belief_outcomes import LOST, Numbers, OutcomeTable


class BeliefMoves:
    """The moves that the attacker knows to be legal in some states, and what may follow."""

    def __init__(
        self, table: OutcomeTable, states: tuple[int, ...], among: Flags | None = None
    ) -> None:
        """``among`` marks the moves to look at: (moves,), by default all.

        Raises ``LimitReached``, and ``RulesError`` if it is open who is on move.
        """
        self._table, self.states = table, states
        found = table.outcomes(states, among)
        count = len(states)
        moves, places = found.moves, found.places
        distinct, number = np.unique(moves, return_inverse=True)
        pairs = np.unique(number * count + places) // count
        known = np.bincount(pairs, minlength=len(distinct)) == count
        if not known.all():
            keep = known[number]
            found = type(found)(*(column[keep] for column in found))
        order = np.lexsort((found.after, found.seen, found.moves))
        self.places, self.move, self.seen, self.after, self.chances, begins = (
            column[order] for column in found
        )
        self.moves: Numbers = np.unique(self.move)
        """The moves by number."""
        group = np.ones(len(order), np.bool_)
        group[1:] = (self.move[1:] != self.move[:-1]) | (self.seen[1:] != self.seen[:-1])
        distinct_after = group.copy()
        distinct_after[1:] |= self.after[1:] != self.after[:-1]
        self._starts: Numbers = np.flatnonzero(group)
        self._ends: Numbers = np.append(self._starts[1:], len(order))
        self._of_class = np.searchsorted(self.moves, self.move[self._starts])
        """For each class its move's place."""
        self._firsts: Numbers = np.searchsorted(self._of_class, np.arange(len(self.moves) + 1))
        inside = distinct_after & (self.after >= 0)
        self.sizes: Numbers = np.add.reduceat(inside, self._starts, dtype=np.int64)
        """For each class the number of states in which the attacker is on move again."""
        playing = self.after >= 0
        one = np.logical_or.reduceat(playing & (begins > 0), self._starts)
        other = np.logical_or.reduceat(playing & (begins == 0), self._starts)
        if (one & other).any():
            raise RulesError(f"{table.puzzle.attacker} can't know whether its turn is a new one")
        self._begins: Numbers = one.astype(np.int64)
        lost = np.logical_or.reduceat(self.after == LOST, self._starts)
        self.is_losing: Flags = np.logical_or.reduceat(lost, self._firsts[:-1])
        """For each move whether play may end without the goal."""
        self.largest: Numbers = np.maximum.reduceat(self.sizes, self._firsts[:-1])
        """For each move the largest set of states after it."""
        self.classes: Numbers = np.diff(self._firsts)
        """For each move the number of sets after it."""
        turns = np.flatnonzero(self.sizes)
        seen = self.seen[self._starts[turns]].tolist()
        refuse_unknown_turns(
            table, set(zip(self.moves[self._of_class[turns]].tolist(), seen, strict=True))
        )

    def entries(self, place: int) -> slice:
        """The outcomes of a move, as a part of the columns."""
        first, end = self._firsts[place], self._firsts[place + 1] - 1
        return slice(int(self._starts[first]), int(self._ends[end]))

    def sets(self, place: int) -> Iterator[tuple[int, tuple[int, ...], int]]:
        """What the attacker may see after a move, the states then, and 1 if it begins a turn.

        The largest sets come first. Empty ones are left out.
        """
        classes = np.arange(self._firsts[place], self._firsts[place + 1])
        for each in classes[np.argsort(-self.sizes[classes], kind="stable")]:
            if self.sizes[each]:
                after = self.after[self._starts[each] : self._ends[each]]
                states = tuple(np.unique(after[after >= 0]).tolist())
                yield int(self.seen[self._starts[each]]), states, int(self._begins[each])


def refuse_unknown_turns(table: OutcomeTable, turns: set[tuple[int, int]]) -> None:
    """Raise ``RulesError`` if what the attacker sees may leave open whether it is on move.

    ``turns`` are moves from one set of states, each with what the attacker has seen when it is on
    move again.
    """
    if len({table.length(seen) for _, seen in turns}) < 2:
        return
    for move, seen in turns:
        number = seen
        while number:
            number = table.before(number)
            if (move, number) in turns:
                raise RulesError(
                    f"{table.puzzle.attacker} can't know by what it sees whether it is on move"
                )
