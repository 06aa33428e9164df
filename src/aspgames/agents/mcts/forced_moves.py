"""Forced wins and losses: the solver runs in short portions beside a tree of random games."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from ...game.state import State
from ...puzzle.problem import Puzzle
from ...puzzle.prospects import FOREVER, longest, prospects, quickest
from ...puzzle.question import others
from ...puzzle.solved import Solved
from ...runtime.budget import MOST_RULES_IN_PLAY, Budget
from ...runtime.errors import LimitReached

_SHARE_OF_TIME = 0.25  # the part of a move's time for making a net
_SHARE_FOR_LATER = 0.02  # the part of that time for a smaller net of later positions


@dataclass(frozen=True)
class ForcedMoves:
    """Proven results of a side's moves."""

    best: tuple[str, ...] = ()
    """The quickest winning moves, or the slowest losing ones if all moves lose (terms)."""
    turns: int | None = None
    """The turns to the side's win; negative for the other side's win."""
    losing: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """The moves after which the other side forces a win, with its number of turns."""
    line: tuple[str, ...] = ()
    """The moves of a complete winning line, if one is known."""
    exhausted: bool = False
    """Whether more time would change nothing."""


class ForcedSearch:
    """Searches for a forced win of a side, and of its opponent after each of its moves.

    Results of one position serve the next.
    """

    def __init__(self, memory: float, threads: int) -> None:
        """``memory`` is the limit of each of the two tables [bytes]."""
        self._memory, self._threads = memory, threads
        self._cost = 0.0
        self._wait = self._vain = 0
        """The number of positions to skip before the next attempt to make a net."""
        self._searches: dict[str, Solved] = {}
        self._held: set[str] = set()  # the attackers that can't force a win from the latest state
        self._state: State | None = None

    def look(self, state: State, attack: Budget, defence: Budget) -> ForcedMoves:
        """Continue the search for a win and for losing moves. One side has a choice in ``state``.

        Raises ``AspgamesError`` if the solver can't play the game, or the game is too large.
        """
        mover = state.to_move
        if mover is None:
            return ForcedMoves(exhausted=True)
        if state != self._state:
            self._state, self._held = state, set()
        search = self._ask(state, mover, attack)
        if mover not in self._held:
            solution = search.run()
            if solution.verdict == "not_forced":
                self._held.add(mover)
            found = prospects(search)
            won = [each for each in found if each.most < FOREVER]
            if won:
                least = min(map(quickest, won))
                best = tuple(each.move for each in won if quickest(each) == least)
                return ForcedMoves(best, max(1, int(least[0])), line=solution.line, exhausted=True)
        for rival in others(state.game.roles, mover):
            return self._defend(state, mover, rival, defence)
        return ForcedMoves(exhausted=mover in self._held)

    def _defend(self, state: State, mover: str, rival: str, budget: Budget) -> ForcedMoves:
        defence = self._ask(state, rival, budget)
        defence.look_at_moves()
        found = prospects(defence)
        if all(each.most < FOREVER for each in found):
            defence.run()  # finds the moves that lose latest
            found = prospects(defence)
            latest = min(map(longest, found))
            best = tuple(each.move for each in found if longest(each) == latest)
            turns = max(int(each.most) for each in found if longest(each) == latest)
            return ForcedMoves(best, -max(1, turns), exhausted=True)
        losing = {each.move: max(1, int(each.most)) for each in found if each.most < FOREVER}
        settled = all(each.holds or each.most < FOREVER for each in found)
        return ForcedMoves(losing=losing, exhausted=settled and mover in self._held)

    def begin(self, state: State, seconds: float | None, of: Budget) -> None:
        """Make a net for a state, and both sides' tables, if none exist or smaller ones are cheap.

        ``seconds`` is the remaining time of the move. Raises the same errors as ``look``.
        """
        cheap = seconds is not None and self._cost < _SHARE_FOR_LATER * seconds
        if self._searches and (self._state == state or not cheap):
            return
        if not self._searches and self._wait > 0:
            self._wait -= 1
            raise LimitReached("no net could be made for earlier positions")
        from ...solver.solvers import open_puzzle  # loaded only when needed

        start = time.monotonic()
        self._searches = {}
        self._wait = self._vain
        self._vain = 2 * self._vain + 1
        try:
            roles = state.game.roles
            puzzle = Puzzle.of(state, state.to_move or roles[0], "win")
            search = open_puzzle(
                puzzle,
                Budget(seconds and max(_SHARE_OF_TIME * seconds, 0.01), None, of),
                memory=self._memory,
                most_rules=MOST_RULES_IN_PLAY,
                grounder=False,
                threads=self._threads,
            )
            rivals = others(roles, puzzle.attacker)
            self._searches = {rival: search.for_attacker(rival) for rival in rivals}
            self._searches[puzzle.attacker] = search
            self._wait = self._vain = 0
        finally:
            self._cost = time.monotonic() - start

    def _ask(self, state: State, attacker: str, budget: Budget) -> Solved:
        return self._searches[attacker].at(state, None, budget)
