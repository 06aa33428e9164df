"""Random games on a net, as examples for proofs."""

from itertools import pairwise

import numpy as np

from ..game.game import Game
from ..gdl.reasoner import UNSETTLED
from ..propnet.net_games import play
from ..propnet.random_play import MOST_PLIES
from ..propnet.transitions import Transition
from ..runtime.budget import MOST_RULES, Budget

_GAMES = 20
_STEPS = 1000


class NetSample:
    """The steps and ends of some random games."""

    def __init__(self, game: Game, budget: Budget) -> None:
        tables = game.nets.tables_from(game.initial.facts, MOST_RULES, budget)
        row = tables.row(game.initial.facts) or b""
        played = play(tables, row, range(_GAMES), 0, budget, MOST_PLIES)
        moved = np.flatnonzero((played.moves >= 0).any(axis=1))
        chosen = moved[:: 1 + len(moved) // _STEPS].tolist()

        def facts(place: int) -> frozenset[str]:
            return frozenset(tables.facts(played.rows[place].tobytes()))

        self.steps = [Transition(facts(place), facts(place + 1)) for place in chosen]
        """Some states before and after a joint move, with all fluents."""
        ends = np.cumsum(played.lengths + 1).tolist()
        games = (played.rows[first:end] for first, end in pairwise([0, *ends]))
        self.returns = any(len({row.tobytes() for row in rows}) < len(rows) for rows in games)
        """Whether a game came back to an earlier state, so that play need not end."""
        goals = played.goals[played.ended, : len(game.roles)]
        self.totals: set[int] | None = set(goals.sum(axis=1).tolist())
        """The sums of the goals at the ends; None if a goal is unsettled."""
        if (goals == UNSETTLED).any():
            self.totals = None
