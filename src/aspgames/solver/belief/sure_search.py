"""Plans that reach the goal surely, for sets of states that look alike to the attacker.

The search is depth-first, with one more turn in each round (iterative deepening: Korf 1985). A set
is refuted without a search if it is larger than any that so many turns can win, by counting: each
state must be won at once, or lie in one of the sets after a move.
"""

from __future__ import annotations

import math

import numpy as np

from ...runtime.budget import Budget
from ...runtime.errors import LimitReached
from .belief_moves import BeliefMoves
from .belief_outcomes import LOST, WON, Numbers, Outcomes, OutcomeTable

States = tuple[int, ...]

_MOST_ENTRIES = 32_000_000  # joint moves of all states, for the bound on sets
_ENTRIES_AT_ONCE = 1 << 21
_MOST_STATES = 6000
_BOUNDED_TURNS = 64  # turns up to which the bound is used
_SAMPLE_OUTCOMES = 1 << 17  # outcomes of a sample of moves
_TRIED_MOVES = 3  # moves of a sample
_QUICK_OUTCOMES = 1 << 27  # outcomes examined for quick plans


class SureSearch:
    """Finds out which sets of states the attacker wins surely within some turns."""

    def __init__(self, table: OutcomeTable, starts: list[States], budget: Budget) -> None:
        """``starts`` are the sets with which the attacker's first turn may begin."""
        self._table, self._budget, self._starts = table, budget, starts
        self._refuted: dict[States, int] = {}
        self._proved: dict[States, tuple[int, int]] = {}
        self._moves: dict[States, BeliefMoves] = {}
        self.total = 0
        """The turns of the search in progress."""
        self._caps: dict[tuple[int, int], float] = {}
        self._layers: list[Layer | None] = []
        self._known: dict[States, Layer] = {}
        self._entries = 0
        self._path: set[tuple[States, int]] = set()
        self._rounds = 0

    def __len__(self) -> int:
        """The number of sets examined."""
        return len(self._refuted) + len(self._proved)

    def all_won(self, turns: int) -> bool:
        """Whether each of the first sets is won surely. Raises ``LimitReached``."""
        self.total = turns
        try:
            return all(self.won(states, turns) for states in self._starts)
        except RecursionError:
            raise LimitReached(f"plans of {turns} turns are too long to be searched") from None

    def are_too_large(self, turns: int) -> bool:
        """Whether counting alone refutes that each of the first sets is won surely."""
        self.total = turns
        return any(len(states) > self.most(turns) for states in self._starts)

    def never_won(self, turns: int) -> bool:
        """Whether more turns than these are of no use, if these are refuted.

        Each further turn refutes at least one more set, or none of them ever changes.
        """
        return turns > max(_BOUNDED_TURNS, len(self)) or turns >= self.longest()

    def moves(self, states: States, only: int | None = None) -> BeliefMoves:
        """The moves in some states, or only one of them."""
        if only is not None:
            return BeliefMoves(self._table, states, self._table.marked([only]))
        found = self._moves.get(states)
        if found is None:
            self._budget.check()
            found = BeliefMoves(self._table, states)
            if len(states) < 64 and len(self._moves) < 4096:
                self._moves[states] = found
        return found

    def turns(self, states: States) -> int:
        """The turns in which a set was proved to be won."""
        return self._proved[states][0]

    def move(self, states: States) -> int:
        """A move, by number, that wins a set in these turns."""
        return self._proved[states][1]

    def is_proved(self, states: States, turns: int) -> bool:
        """Whether it is known that a set is won surely within so many turns."""
        return states in self._proved and self._proved[states][0] <= turns

    def prove(self, states: States, turns: int, move: int) -> None:
        """Take note that a move wins a set surely within so many turns."""
        self._proved[states] = turns, move

    def won(self, states: States, turns: int) -> bool:
        """Whether a set is won surely within so many turns. Raises ``LimitReached``."""
        if self.is_proved(states, turns):
            return True
        if turns <= self._refuted.get(states, 0):
            return False
        if (states, turns) in self._path:  # the same turn goes round
            self._rounds += 1
            return False
        move, rounds = -1, self._rounds
        if len(states) <= self.most(turns):
            self._path.add((states, turns))
            try:
                move = self._winner(states, turns)
            finally:
                self._path.discard((states, turns))
        if move >= 0:
            self.prove(states, turns, move)
        elif rounds == self._rounds or not self._path:
            self._refuted[states] = turns
        return move >= 0

    def _winner(self, states: States, turns: int) -> int:
        """A move, by number, that wins within so many turns; -1 if there is none."""
        moves = self.moves(states)
        most = math.inf if self._table.has_long_turns else self.most(turns - 1)
        fits = ~moves.is_losing & (moves.largest <= most)
        places = np.flatnonzero(fits)
        order = np.lexsort((-moves.classes[places], moves.largest[places]))
        tried = set[tuple[tuple[States, int], ...]]()
        for place in places[order]:
            sets = tuple((states, turns - begins) for _, states, begins in moves.sets(int(place)))
            if sets not in tried and all(self.won(*each) for each in sets):
                return int(moves.moves[place])
            tried.add(sets)
        return -1

    def keys(self, states: States, turns: int) -> list[int]:
        """The moves, by number, that win a set surely within so many turns."""
        moves = self.moves(states)
        return [
            int(move)
            for place, move in enumerate(moves.moves)
            if not moves.is_losing[place]
            and all(self.won(each, turns - begins) for _, each, begins in moves.sets(place))
        ]

    # --- the bound on sets ------------------------------------------------------------------------

    def most(self, turns: int) -> float:
        """A number of states; no larger set that play reaches is won within so many turns.

        It counts with the turns that ``total`` has before these.
        """
        if self._table.has_long_turns:
            return math.inf if turns else 0
        depth = self.total - turns
        found = self._caps.get((depth, turns))
        if found is None:
            found = math.inf if turns else 0
            if turns and turns <= _BOUNDED_TURNS and (layer := self._layer(depth)):
                found = layer.most(self.most(turns - 1))
            self._caps[depth, turns] = found
        return found

    def longest(self) -> float:
        """The most turns of the attacker in any play; infinite if none is known."""
        for depth in range(_BOUNDED_TURNS):
            layer = self._layer(depth)
            if layer is None or layer in self._layers[:depth]:
                return math.inf
            if not layer.states:
                return depth
        return math.inf

    def states_after(self, turns: int) -> States:
        """The states in which the attacker may be after some turns; none if they are too many."""
        layer = self._layer(turns)
        return layer.states if layer else ()

    def _layer(self, depth: int) -> Layer | None:
        """The states after so many turns; None if they are too many."""
        while len(self._layers) <= depth:
            if not self._layers:
                states = {state for states in self._starts for state in states}
            elif (before := self._layers[-1]) is None:
                return None
            else:
                states = before.after
            known = tuple(sorted(states))
            if len(known) > _MOST_STATES:
                self._layers.append(None)
            elif known not in self._known:
                self._entries += self._table.joint_moves(known) if known else 0
                if self._entries > _MOST_ENTRIES:
                    self._layers.append(None)
                else:
                    self._known[known] = Layer(self._table, known)
            if len(self._layers) <= depth:
                self._layers.append(self._known.get(known))
        return self._layers[depth]


class QuickPlans:
    """Looks for sure plans greedily, among samples of moves, and tells a ``SureSearch`` of them.

    In a large set of states even the outcomes of all moves take long. A few moves at random often
    have one that tells the states apart about as well as the best. Whoever finds a plan so knows
    that the turns suffice; whoever finds none knows nothing.
    """

    def __init__(self, table: OutcomeTable, sure: SureSearch, budget: Budget) -> None:
        self._table, self._sure, self._budget = table, sure, budget
        self._failed: dict[States, int] = {}
        self._left = _QUICK_OUTCOMES
        self._draw = np.random.default_rng(0)

    def all_won(self, starts: list[States], turns: int) -> bool:
        """Whether a plan is found for each set within so many turns.

        Raises ``LimitReached`` if the budget is spent.
        """
        return all(self._won(states, turns) for states in starts)

    def _won(self, states: States, turns: int) -> bool:
        if self._sure.is_proved(states, turns):
            return True
        if turns <= self._failed.get(states, 0) or self._left < 0:
            return False
        self._failed[states] = turns  # also if the same turn goes round
        self._budget.check()
        moves = self._sample(states)
        self._left -= len(moves.after)
        places = np.flatnonzero(~moves.is_losing & (turns > 1 or moves.largest == 0))
        order = np.lexsort((-moves.classes[places], moves.largest[places]))
        for place in places[order[:_TRIED_MOVES]]:
            sets = [(after, begins) for _, after, begins in moves.sets(int(place))]
            if all(self._won(after, turns - begins) for after, begins in sets):
                needed = [self._sure.turns(after) + begins for after, begins in sets]
                self._sure.prove(states, max([1, *needed]), int(moves.moves[place]))
                del self._failed[states]
                return True
        return False

    def _sample(self, states: States) -> BeliefMoves:
        """All moves in a small set of states, some in a large one."""
        known = self._table.moves_in(states[:1])
        count = max(1, _SAMPLE_OUTCOMES // len(states))
        if len(states) == 1 or count >= len(known):
            return self._sure.moves(states)
        drawn = self._draw.choice(known, count, replace=False)
        return BeliefMoves(self._table, states, self._table.marked(drawn))


class Layer:
    """The states in which the attacker may be after some turns, and what its moves do there."""

    def __init__(self, table: OutcomeTable, states: States) -> None:
        self.states = states
        self.after: set[int] = set()
        """The states after one more turn."""
        self._parts: list[tuple[Numbers, ...]] = []
        moves = table.moves_in(states) if states else ()
        width = max(1, _ENTRIES_AT_ONCE // max(1, len(states)))
        for first in range(0, len(moves), width):
            found = table.outcomes(states, table.marked(moves[first : first + width]))
            if len(found.moves):
                self._add(found)

    def _add(self, found: Outcomes) -> None:
        """Add some of the moves."""
        self.after |= {*np.unique(found.after).tolist()} - {WON, LOST}
        places, moves, seen, after, *_ = (column.astype(np.int64) for column in found)
        _, moves = np.unique(moves, return_inverse=True)
        width, count = int(seen.max()) + 1, len(self.states)
        fails = np.unique((moves * count + places)[after != WON])
        won = np.bincount(np.unique(moves * count + places) // count)
        won = won - np.bincount(fails // count, minlength=len(won))
        going = after >= 0
        kinds, classes = np.unique((moves * width + seen)[going], return_inverse=True)
        sizes = np.bincount(np.unique(classes * count + places[going]) // count)
        most = int(after.max()) + 1
        same, counts = np.unique(classes * most + after[going], return_counts=True)
        starts = np.flatnonzero(np.diff(same // max(1, most), prepend=-1) > 0)
        times = np.maximum.reduceat(counts, starts) if len(starts) else sizes
        self._parts.append((won, kinds // width, sizes, times))

    def most(self, before: float) -> float:
        """The most states that one move may win, if it may win ``before`` in each set after it.

        Each state is won at once, or in one of the sets after the move.
        """
        found = 0
        for won, of, sizes, times in self._parts:
            sums = won.copy()
            np.add.at(sums, of, np.minimum(sizes, times * min(before, len(self.states))))
            found = max(found, int(sums.max()))
        return found
