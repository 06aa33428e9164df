"""The opponent that plays by a tablebase."""

from __future__ import annotations

from ...game.game import State
from ...game.notation.joint_moves import format_ply
from .match import Match
from .opponent import Choice, PlayerKind, chance


class ByTable:
    """Plays by a tablebase: wins as early and loses as late as possible."""

    kind = PlayerKind.TABLE
    searches = False

    def __init__(self, path: str, state: State, seed: int = 0) -> None:
        """Open a tablebase file; ``seed`` decides between equally good moves.

        Raises ``BadRequest`` if it belongs to another game, and ``BadPosition`` if it lacks the
        state.
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
