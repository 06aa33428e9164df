"""The tasks of a player's process, which follows one match (see ``ggp_player``).

While ``play`` runs, it tells a legal move as soon as possible, and again each better one.
"""

import os
import random
import time
from collections.abc import Iterable, Sequence

from ...game.game import Game
from ...game.loading import game_of_sheet
from ...game.state import State
from ...game.view import History, View, view_of
from ...gdl.kif.goal_choice import CONSTANT
from ...runtime.budget import Budget
from ...runtime.errors import IllegalMove, RulesError
from ...runtime.process_messages import tell
from ..mcts.player import Player
from ..mcts.tree_search import PlayerOptions
from .messages import Play, PlaySeen

_TABLE_SHARE = 0.2  # the part of the memory for the tree, and for each of the solver's two tables


def load() -> None:
    """Do nothing: the process has loaded its modules then."""


def begin(rules: str, role: str, goals: str | None, most_bytes: float, until: float | None) -> None:
    """Read a sheet and prepare until a time (``time.monotonic``); None for random moves only.

    ``goals`` is the choice of goals. Raises ``AspgamesError`` if the role can't play by the rules.
    """
    global _follower
    _follower = _Follower(rules, role, goals, until is not None)
    if until is not None:
        _follower.prepare(until, _TABLE_SHARE * most_bytes)


def play(turn: int, given: Play | PlaySeen, until: float) -> None:
    """Follow the match by a message, and find a move before a time (``time.monotonic``)."""
    _follower.follow(given)
    last = ""
    for term in _follower.moves(until - time.monotonic()):
        if term != last:
            tell(move=(turn, _follower.game.kif.text(term)))
            last = term


class _Follower:
    def __init__(self, rules: str, text: str, goals: str | None, has_nets: bool) -> None:
        game = game_of_sheet(rules, {CONSTANT: goals} if goals else {})
        self.game: Game = game if has_nets else game.without_nets
        self._state: State | None = self.game.initial
        self._history: History = ()
        self._player: Player | None = None
        self._role = game.kif.move(text) if text else game.roles[0]
        if self._role not in game.roles:
            has = ", ".join(map(game.kif.text, game.roles))
            raise IllegalMove(f"the rules have no role {text}; they have {has}")
        start = self.game.initial.consequences  # most errors in rules show here
        stuck = [role for role, moves in start.legal.items() if not moves and not start.terminal]
        if stuck:
            raise RulesError(f"{game.kif.text(stuck[0])} has no move at the start")

    def prepare(self, until: float, memory: float) -> None:
        self._player = Player(self.game, PlayerOptions(seed=os.getpid(), memory=memory))
        if (seconds := until - time.monotonic()) > 0:
            self._player.prepare(self.game.initial, Budget(seconds))

    def follow(self, given: Play | PlaySeen) -> None:
        if isinstance(given, Play):
            self._follow(given.moves)
        elif given.move is not None:
            self._perceive(given.move, given.percepts or ())

    def _follow(self, moves: Sequence[str]) -> None:
        if not moves:
            return
        roles = self.game.roles
        if len(moves) != len(roles):
            raise IllegalMove(f"there are {len(moves)} moves for {len(roles)} roles")
        joint = {r: self.game.kif.move(text) for r, text in zip(roles, moves, strict=True)}
        if self._state is None:
            raise IllegalMove("the manager sent percepts before, and now the moves of all roles")
        try:
            if self.game.hidden:
                seen = self._state.sees(joint)[self._role]
                self._history = (*self._history, (joint[self._role], seen))
            self._state = self._state.play(joint)
        except IllegalMove as error:
            raise IllegalMove(f"{' '.join(moves)} can't have been played: {error}") from None

    def _perceive(self, move: str, percepts: Sequence[str]) -> None:
        if not self.game.hidden:
            raise RulesError("the manager sends percepts, but the rules have no sees/2")
        terms = sorted({self.game.kif.move(text) for text in percepts})
        self._history = (*self._history, (self.game.kif.move(move), tuple(terms)))
        self._state = None

    def moves(self, seconds: float) -> Iterable[str]:
        """Legal moves as terms, each better than the one before."""
        known: State | View
        if self._state and self._state.is_terminal:
            return []
        if self.game.hidden:
            known = view_of(self.game.initial, self._role, self._history)
        else:
            assert self._state is not None
            known = self._state
        if self._player and seconds > 0:
            thoughts = self._player.think(known, self._role, Budget(seconds))
            return (thought.move for thought in thoughts)
        moves = known.legal_moves if isinstance(known, View) else known.legal[self._role]
        legal = [move.term for move in moves]
        if isinstance(known, View) and not known.states:
            raise IllegalMove("no state fits the percepts that the manager sent")
        return [random.choice(legal)] if legal else []


_follower: _Follower
