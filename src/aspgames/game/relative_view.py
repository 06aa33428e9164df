"""Observations and moves as the role on move sees them, where the rules treat two roles alike."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from ..propnet.array_layout import Floats
from ..propnet.gate_tables import Tables
from ..runtime.errors import BadPosition, BadRequest
from .observation import Observation
from .symmetry import Symmetry

Array = npt.NDArray[Any]


class RelativeView:
    """Observations and moves as the role on move sees them; get it from ``Game.relative``.

    A proven symmetry of the rules exchanges the two roles. Where the second role is on move, states
    are shown as its image of them, so planes named after the first role are those of the role on
    move. Moves are numbered once for both roles, as those of the first one.

    >>> import aspgames
    >>> game = aspgames.load("breakthrough", width=3, height=4)
    >>> game.relative.symmetry.name
    'top to bottom, black for white, white for black'
    >>> len(game.moves), len(game.relative.moves)
    (44, 22)
    """

    def __init__(
        self, name: str, observation: Observation, tables: Tables, symmetries: Iterable[Symmetry]
    ) -> None:
        """``symmetries`` are those of the rules. Raises ``BadRequest`` if none exchanges roles."""
        roles, terms, numbers = tables.names.roles, tables.names.terms, tables.move_numbers
        own = [n for (role, _), n in numbers.items() if role == roles[0]]
        for symmetry in symmetries:
            if len(roles) == 2 and symmetry.roles == roles[::-1]:
                try:
                    images = [numbers[roles[1], symmetry.move(terms[n])] for n in own]
                    layout = observation.layout_of(symmetry.fluent)
                except (KeyError, BadPosition):  # play reaches one of two images only
                    continue
                break
        else:
            raise BadRequest(f"no proven symmetry of {name} exchanges its roles")
        self.symmetry = symmetry
        """The symmetry that gives the second role's view."""
        self.moves = tuple(terms[n] for n in own)
        """The moves, as terms of the first role."""
        self.observation = observation
        self._layouts = observation.layout_of(str), layout
        self._numbers = np.array([own, images], np.int32)
        self._count = len(numbers)

    def of_batch(self, batch: Any, where: Any = None, out: Floats | None = None) -> Floats:
        """The states of a batch as arrays; see ``Observation.of_batch``."""
        movers = batch.to_move if where is None else batch.to_move[where]
        return self.of_rows(batch.holds_bits_of(where).view(np.uint64), movers, out)

    def of_rows(
        self, rows: npt.NDArray[np.uint64], movers: Array, out: Floats | None = None
    ) -> Floats:
        """Rows of a net as arrays, given the number of the role on move in each."""
        into, second = self.observation.array(len(rows), out), movers == 1
        for layout, which in zip(self._layouts, (~second, second), strict=True):
            if which.all():
                layout.write(rows, into)
            elif which.any():
                part = self.observation.array(int(which.sum()))
                layout.write(np.ascontiguousarray(rows[which]), part)
                into[which] = part
        return into

    def take(self, values: Array, movers: Array) -> Array:
        """From a value for each of ``game.moves`` to one for each of ``moves``.

        Args:
            values: ``(n, len(game.moves))``: ``batch.legal``, or the visits of a search.
            movers: The number of the role on move, ``(n,)``: ``batch.to_move``.
        """
        first, second = self._numbers
        found: Array = values[:, first]
        found[movers == 1] = values[movers == 1][:, second]
        return found

    def put(self, values: Array, movers: Array) -> Array:
        """The reverse of ``take``; 0 for the other role's moves."""
        found = np.zeros((len(values), self._count), values.dtype)
        for mover, numbers in enumerate(self._numbers):
            which = np.flatnonzero((movers == 1) == mover)
            found[np.ix_(which, numbers)] = values[which]
        return found

    def numbers(self, actions: npt.ArrayLike, movers: Array) -> npt.NDArray[np.int32]:
        """The numbers in ``game.moves`` of moves that are numbered as in ``moves``; -1 stays."""
        chosen = np.asarray(actions)
        found: npt.NDArray[np.int32] = self._numbers[(movers == 1).astype(np.int32), chosen]
        return np.where(chosen < 0, np.int32(-1), found)
