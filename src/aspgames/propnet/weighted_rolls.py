"""Draws the moves of ``random`` by ``weight/2``, for many states at once."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ..gdl.predicates import CHANCE
from ..gdl.rules import Facts, Rules
from ..runtime.budget import MOST_RULES, UNLIMITED
from ..runtime.errors import RulesError
from .batch_states import draws
from .gate_tables import Tables
from .lanes import Ints, Keys, Lanes, Rows
from .net_translation import NetTranslation
from .percept_net import with_rules
from .reachable_nets import net_for
from .weights import RULES, Weights

_STATES_AT_ONCE = 1 << 14  # states
_SUM_LIMIT = 1 << 32  # the sum of the chances in a state is below this


class WeightedRolls:
    """Draws by weights in the states of a net.

    A second net tells the weights: they are fluents of the state after any move.
    """

    def __init__(self, rules: Rules, facts: Facts, tables: Tables) -> None:
        """``tables`` are of the net of all states reachable from ``facts``."""
        self._tables, self._lanes = tables, _lanes_of(rules, facts)
        names, own = tables.names, self._lanes.tables
        self._roller = names.roles.index(CHANCE)
        self._first, end = names.bounds[2 * self._roller : 2 * self._roller + 2]
        self._noop = tables.move_numbers.get((CHANCE, "noop"), -1)
        self._translation = NetTranslation(tables, own)
        self._weights = Weights(own, rules.encoding)
        first, missing = self._weights.first, self._weights.first + self._weights.count
        terms = names.terms[self._first : end]
        self._order = [own.move_numbers.get((CHANCE, term), missing) - first for term in terms]
        """For each move of ``random``, its place among those of the second net, or the last one."""

    def redraw(
        self, rows: Rows, choices: Ints, keys: Keys, number: int, picks: Ints | None = None
    ) -> None:
        """Replace the moves of ``random`` among moves that are drawn alike.

        Equal weights give the same moves. ``choices`` has a move for each role, ``(n, roles)``,
        ``picks`` one for the role on move; ``keys`` and ``number`` determine the draws. Raises
        ``RulesError`` if a weight is missing, or isn't one whole number of at least 1.
        """
        own = choices[:, self._roller]
        which = np.flatnonzero((own >= 0) & (own != self._noop))
        for first in range(0, len(which), _STATES_AT_ONCE):
            some = which[first : first + _STATES_AT_ONCE]
            drawn = self._drawn(rows[some], choices[some], keys[some], number)
            if picks is not None:
                picks[some] = np.where(picks[some] == own[some], drawn, picks[some])
            own[some] = drawn

    def chances(self, rows: Rows, choices: Ints) -> npt.NDArray[np.int64]:
        """The chances of each move of ``random``, in proportion, (n, its moves).

        ``choices`` has any legal move for each role. A row of zeros says that all its legal moves
        are alike. Raises ``RulesError`` as ``redraw`` does.
        """
        own = self._translation
        after = self._lanes.play(own.rows(rows), own.moves(choices))
        return np.pad(self._weights.table(after), ((0, 0), (0, 1)))[:, self._order]

    def _drawn(self, rows: Rows, choices: Ints, keys: Keys, number: int) -> Ints:
        sums = self.chances(rows, choices).cumsum(1)
        if len(sums) and sums[:, -1].max() >= _SUM_LIMIT:
            raise RulesError(f"weight/2: the chances in a state add up to {_SUM_LIMIT} or more")
        total = sums[:, -1].astype(np.uint64)
        random = draws(keys, number * self._tables.roles + self._roller)
        low, half = np.uint64(_SUM_LIMIT - 1), np.uint64(32)
        ranks = ((random >> half) * total + ((random & low) * total >> half)) >> half
        found = np.count_nonzero(sums <= ranks.astype(np.int64)[:, None], axis=1)
        alike = choices[:, self._roller]
        moves: Ints = np.where(total > 0, self._first + found, alike).astype(np.int32)
        return moves


@lru_cache(maxsize=8)
def _lanes_of(rules: Rules, facts: Facts) -> Lanes:
    return Lanes(net_for(with_rules(rules, RULES), facts, MOST_RULES, UNLIMITED).tables())
