"""The opponent that plays by Monte-Carlo tree search and the solver."""

from __future__ import annotations

from ...game.notation.joint_moves import format_ply
from ...runtime.budget import Stoppable
from ...runtime.errors import BadRequest
from ..mcts.player import Player
from ..mcts.tree_search import Settings
from .match import Match
from .opponent import Choice, PlayerKind


class ByEngine:
    """Plays each role that no person plays, for that role's own goal (``mcts``)."""

    kind = PlayerKind.ENGINE
    searches = False

    def __init__(self, match: Match, seconds: float | None, seed: int = 0) -> None:
        """``seconds`` is the time for a move. Raises ``BadRequest`` for a puzzle."""
        if match.puzzle is not None:
            raise BadRequest("a puzzle is played against the solver, which plays it perfectly")
        self._player = Player(match.state.game, Settings(seed=seed))
        self._seconds = seconds

    def choose(self, match: Match) -> Choice:
        """A move of each awaited role, even if the search is stopped."""
        chosen = {}
        for role in match.awaited:
            seconds = self._seconds and self._seconds / len(match.awaited)
            for thought in self._player.think(match.state, role, Stoppable(seconds)):
                chosen[role] = thought.move
        return Choice(format_ply(chosen, match.awaited))
