"""The opponent that plays by a table of all states."""

from __future__ import annotations

from ...game.game import State
from ...game.notation.joint_moves import format_ply
from .match import Match
from .opponent import Choice, chance


class ByTable:
    """Plays by a table: wins as early, loses as late as possible."""

    name = "table"
    searches = False

    def __init__(self, path: str, state: State, seed: int = 0) -> None:
        """A table's file; ``seed`` decides between equally good moves.

        Raises ``BadRequest`` for one that isn't of the game, and ``BadPosition`` where it doesn't
        have the state.
        """
        from ...solver.table.lookup import Table

        self._table, self._seed = Table(path, state.game), seed
        self._table.value(state)

    def choose(self, match: Match) -> Choice:
        """One of the best moves."""
        state = match.state
        best = chance(self._seed, match).choice(self._table.best(state))
        only = {role: moves[0].term for role, moves in state.legal.items() if len(moves) == 1}
        return Choice(format_ply(only | {best.role: best.term}, match.awaited))
