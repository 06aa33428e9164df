"""What a role knows as an array of numbers: its own moves and percepts, ply by ply."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ..analysis.properties import properties
from ..game.game import Game
from ..game.state import State
from ..game.view import History, percept_net
from ..play.batch_arguments import Where, read_where
from ..propnet.array_layout import Floats
from ..propnet.lanes import LegalScope

MOST_PLIES_SEEN = 100
"""The most plies of an array."""


class ViewObservation:
    """A role's history as an array: a row for each ply, the last ply first.

    A row has a number for each move and for each percept that some player can have: 1 for the move
    that the role made, such as ``noop``, and 1 for each percept. Rows after the first ply are 0.
    The array has a row for each ply of the longest play, if ``properties`` proves one of at most
    ``MOST_PLIES_SEEN`` plies; else it has the last ``MOST_PLIES_SEEN`` plies.

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
            plies = min(properties(game, quick=True).bound or MOST_PLIES_SEEN, MOST_PLIES_SEEN)
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


class ViewBatch:
    """What the players know in many games side by side, which begin at one state."""

    def __init__(self, seen: ViewObservation, start: State, count: int) -> None:
        game, self._seen = start.game, seen
        self._net = percept_net(game.initial)
        self._roles, tables = self._net.roles, self._net.tables
        numbers = [tables.move_numbers.get((move.role, move.term), -1) for move in game.moves]
        self._numbers = np.array([*numbers, -1])  # of the moves of a batch; the last one is -1
        row = tables.row(start.facts)
        assert row is not None, "the start was checked"
        self._start = np.frombuffer(row, np.uint64)
        self._rows = np.tile(self._start, (count, 1))
        columns = {name: place for place, name in enumerate(self._seen.names)}
        own = len(self._seen.names) - len(percepts := self._net.percepts_of(game.players))
        terms = [columns.get(term, -1) for term in tables.names.terms]
        self._columns = np.array(terms)  # of the net's moves
        self._places = {
            role: self._net.places_of(role, {seen: own + n for n, seen in enumerate(percepts)})
            for role in game.players
        }
        """The places of a player's percepts in a row of the net, each with its column."""
        self._arrays = {
            role: np.zeros((count, *self._seen.shape), np.float32) for role in game.players
        }

    def reset(self, where: Where = None) -> None:
        """Begin some games anew."""
        chosen = read_where(where, len(self._rows))
        self._rows[chosen] = self._start
        for array in self._arrays.values():
            array[chosen] = 0

    def step(self, moves: npt.NDArray[Any], playing: npt.NDArray[np.bool_]) -> None:
        """Play moves in the games that are going on, numbered as for ``Batch.step``."""
        chosen = np.flatnonzero(playing)
        if not len(chosen):
            return
        given, rows = self._numbers[moves[chosen]], self._rows[chosen]
        legal = np.empty((len(chosen), self._net.tables.moves), np.bool_)
        self._net.lanes.fill(rows, {"legal": legal}, LegalScope.ALL_PLAYABLE)
        joint = np.empty((len(chosen), len(self._roles)), np.int32)
        for place, (first, end) in enumerate(self._net.bounds):
            only = first + legal[:, first:end].argmax(1)
            named = given if given.ndim == 1 else given[:, place]
            joint[:, place] = np.where((named >= first) & (named < end), named, only)
        self._rows[chosen], percepts = self._net.play(rows, joint)
        bits = np.unpackbits(percepts.view(np.uint8), axis=1, bitorder="little")
        for role, array in self._arrays.items():
            last = np.zeros((len(chosen), len(self._seen.names)), np.float32)
            last[range(len(chosen)), self._columns[joint[:, self._roles.index(role)]]] = 1
            places, columns = self._places[role]
            last[:, columns] = bits[:, places]
            array[chosen] = np.concatenate((last[:, np.newaxis], array[chosen, :-1]), axis=1)

    def of(self, role: str, where: Where = None, out: Floats | None = None) -> Floats:
        """What a player knows in some games: float32, ``(games, plies, names)``."""
        found: Floats = self._arrays[role][read_where(where, len(self._rows))]
        if out is None:
            return found
        out[:] = found
        return out
