"""What a role knows as an array of numbers: its own moves and percepts, ply by ply."""

import numpy as np

from ..analysis.properties import properties
from ..game.game import Game
from ..game.view import History, percept_net
from ..propnet.array_layout import Floats

LONGEST = 100
"""The most plies of an array."""


class ViewObservation:
    """A role's history as an array: a row for each ply, the last ply first.

    A row has a number for each move and for each percept that some player can have: 1 for the move
    that the role made, such as ``noop``, and 1 for each percept. Rows after the first ply are 0.
    The array has a row for each ply of the longest play, if ``properties`` proves one of at most
    ``LONGEST`` plies; else it has the last ``LONGEST`` plies.

    >>> import aspgames
    >>> seen = ViewObservation(aspgames.load("kuhn_poker"))
    >>> seen.shape, seen.names[:3]
    ((5, 15), ('bet', 'noop', 'pass'))
    """

    def __init__(self, game: Game, plies: int | None = None) -> None:
        """``plies`` is the number of rows. Raises ``RulesError`` and ``LimitReached``."""
        net, players = percept_net(game.initial), game.players
        moves = sorted({move.term for move in game.moves if move.role in players})
        percepts = net.percepts_of(players)
        self.names = (*moves, *percepts)
        """The move or the percept of each column."""
        if plies is None:
            plies = min(properties(game, quick=True).bound or LONGEST, LONGEST)
        self.shape = plies, len(self.names)
        """Plies, and moves with percepts."""
        self._moves = {move: place for place, move in enumerate(moves)}
        self._percepts = {seen: len(moves) + place for place, seen in enumerate(percepts)}

    def of(self, history: History) -> Floats:
        """A history as a new array of float32."""
        found = np.zeros(self.shape, np.float32)
        for row, (move, percepts) in zip(found, reversed(history), strict=False):
            row[[self._moves[move], *(self._percepts[seen] for seen in percepts)]] = 1
        return found
