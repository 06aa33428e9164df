"""Sure plans that are found quickly: greedy, among samples of the moves.

In a large set of states even the outcomes of all moves take long. A few moves at random often have
one that tells the states apart about as well as the best. Whoever finds a plan so knows that the
turns suffice; whoever finds none knows nothing.
"""

from __future__ import annotations

import numpy as np

from ...runtime.budget import Budget
from .belief_moves import BeliefMoves
from .belief_outcomes import OutcomeTable
from .sure_search import States, SureSearch

_ENTRIES = 1 << 17  # outcomes of a sample
_TRIED_MOVES = 3  # moves of a sample
_EFFORT = 1 << 27  # outcomes examined


class QuickPlans:
    """Looks for sure plans, and tells a ``SureSearch`` what is won."""

    def __init__(self, table: OutcomeTable, sure: SureSearch, budget: Budget) -> None:
        self._table, self._sure, self._budget = table, sure, budget
        self._failed: dict[States, int] = {}
        self._left = _EFFORT
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
        count = max(1, _ENTRIES // len(states))
        if len(states) == 1 or count >= len(known):
            return self._sure.moves(states)
        drawn = self._draw.choice(known, count, replace=False)
        return BeliefMoves(self._table, states, self._table.marked(drawn))
