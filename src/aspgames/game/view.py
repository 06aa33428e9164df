"""What one role knows of a play: its own moves, what it perceived, and the states that fit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, reduce
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from ..runtime.arguments import check_text, quote
from ..runtime.errors import BadMove, BadRequest, IllegalMove, LimitReached, TooLarge
from .move import LegalMoves, Move

if TYPE_CHECKING:
    from ..propnet.percept_net import PerceptNet
    from .state import State

_MOST_STATES = 1_000_000  # states of a view, and joint moves in all of them


History = tuple[tuple[str, tuple[str, ...]], ...]
"""A role's moves as terms, each with its percepts, sorted."""


def history_text(history: History) -> str:
    """A history as text: two histories that differ have different texts."""
    return " / ".join(f"{m} sees {' '.join(seen)}" if seen else m for m, seen in history)


@dataclass(frozen=True)
class View:
    """What a role knows after some plies: immutable and hashable; made by ``State.view``.

    >>> import aspgames
    >>> view = aspgames.load("monty_hall").initial.view("player").after("noop").after("choose(1)")
    >>> len(view.states), len(view.after("noop", ["opened(2)"]).states)
    (3, 2)
    """

    start: State
    """The state with which the play begins; the role knows it."""
    role: str
    history: History = ()
    _before: View | None = field(default=None, repr=False, compare=False)

    @cached_property
    def states(self) -> tuple[State, ...]:
        """All states that fit, sorted by their facts. Some may be terminal: see ``after``.

        Raises ``LimitReached`` for more than a million.
        """
        if self._before is None:
            return (self.start,)
        (move, percepts), game = self.history[-1], self.start.game
        before = self._before.going
        try:
            if (net := self._net) is not None:
                fitting = _fitting(net, before, self.role, move, percepts)
                found = {game.state(facts) for facts in fitting}
            else:
                found = {*_played(before, self.role, move, percepts)}
        except LimitReached as error:
            raise LimitReached(
                f"{game.name}: {error} what {self.role} knows after {move}; smaller constants or "
                "a later position have fewer"
            ) from None
        return tuple(sorted(found, key=lambda state: state.facts))

    @cached_property
    def going(self) -> tuple[State, ...]:
        """The states that fit and aren't terminal."""
        return tuple(state for state in self.states if not state.is_terminal)

    @property
    def movers(self) -> set[str | None]:
        """The roles that may be on move, if the game isn't over."""
        return {state.to_move for state in self.going}

    @property
    def _net(self) -> PerceptNet | None:
        return net_of_views(self.start) if self.start.game.has_nets else None

    @cached_property
    def legal_moves(self) -> LegalMoves:
        """The moves that the role knows to be legal: those of all states that aren't terminal."""
        going = self.going
        moves = list(going[0].legal[self.role]) if going else []
        if (net := self._net) and len(going) > 1:
            known = net.legal_everywhere(net.rows(state.facts for state in going), self.role)
            moves = [move for move in moves if move.term in known]
        else:
            for state in going[1:]:
                legal = set(state.legal[self.role])
                moves = [move for move in moves if move in legal]
        return LegalMoves(range(len(moves)), moves, self.start.game.vocabulary.notation)

    @property
    def text(self) -> str:
        """The history: ``noop sees card(king) / bet``."""
        return history_text(self.history)

    def after(self, move: Move | str, percepts: Iterable[str] = ()) -> View:
        """The view after a ply: the role made a move and perceived something.

        The role also knows that the game wasn't over before the move.

        Args:
            move: One of the role's moves: ``noop`` or the like while others are on move.
            percepts: What ``State.sees`` has for the role. In a game without ``sees/2``, the facts
                of the state after the ply.

        Raises:
            IllegalMove: The role doesn't know that the move is legal.
            BadRequest: No state fits what was perceived.
        """
        term = self.legal_move(move).term
        if isinstance(percepts, str) or not isinstance(percepts, Iterable):
            raise BadRequest(f"percepts are several terms, not {quote(percepts)}")
        seen = tuple(sorted({check_text(each, "a percept", BadRequest) for each in percepts}))
        view = self.followed_by(term, seen)
        if not view.states:
            raise BadRequest(f"no state fits {', '.join(seen) or 'no percept'} after {term}")
        return view

    def followed_by(self, term: str, percepts: tuple[str, ...]) -> View:
        """The view after a ply that took place: nothing is checked, and percepts are sorted."""
        return View(self.start, self.role, (*self.history, (term, percepts)), self)

    def legal_move(self, move: Move | str) -> Move:
        """The move that is meant. Raises ``IllegalMove`` if it isn't one of ``legal_moves``."""
        text = move.term if isinstance(move, Move) else check_text(move, "a move", BadMove)
        term = self.start.game.parse_move(text)
        for known in self.legal_moves:
            if known.term == term:
                return known
        raise IllegalMove(f"{self.role} doesn't know that {text} is legal")


def view_of(start: State, role: str, history: History) -> View:
    """The view of a role with a known history, which isn't checked."""
    return reduce(lambda view, ply: view.followed_by(*ply), history, View(start, role))


@lru_cache(maxsize=8)
def percept_net(start: State) -> PerceptNet:
    """The net with percepts and chances of the states after one. Raises the same as ``Net``."""
    from ..propnet.percept_net import PerceptNet

    game = start.game
    kinds = ["hidden"] * game.hidden + ["weighted"] * game.vocabulary.weighted
    return PerceptNet(game.rules, start.facts, kinds)


@lru_cache(maxsize=8)
def net_of_views(start: State) -> PerceptNet | None:
    """The ``percept_net`` of a state; None if it would be too large."""
    try:
        return percept_net(start)
    except TooLarge:
        return None


def _fitting(
    net: PerceptNet, before: Sequence[State], role: str, move: str, percepts: tuple[str, ...]
) -> list[tuple[str, ...]]:
    """The facts of the states after a move of a role that it perceives so."""
    if not before:
        return []
    rows = net.rows(state.facts for state in before)
    steps = net.joint_moves(rows, (role, move), _MOST_STATES)
    found = np.unique(np.column_stack((steps.percepts & net.mask_of(role), steps.rows)), axis=0)
    width = rows.shape[1]
    if before[0].game.hidden:
        kinds, which = np.unique(found[:, :width], axis=0, return_inverse=True)
        fits = [net.terms_of(kind, role) == percepts for kind in kinds]
        found = found[np.array(fits, np.bool_)[which.reshape(-1)]]
        return [net.facts(row) for row in found[:, width:]]
    return [facts for row in found[:, width:] if (facts := net.facts(row)) == percepts]


def _played(
    before: Iterable[State], role: str, move: str, percepts: tuple[str, ...]
) -> Iterable[State]:
    """The states after a move of a role that it perceives so, by the grounder."""
    for count, state in enumerate(before):
        moves = [[m for m in its if r != role or m.term == move] for r, its in state.legal.items()]
        for chosen in product(*moves):
            if count > _MOST_STATES:
                raise LimitReached(f"more than {_MOST_STATES:,} states fit")
            joint = dict(zip(state.legal, chosen, strict=True))
            after = state.play(joint)
            seen = state.sees(joint)[role] if state.game.hidden else after.facts
            if seen == percepts:
                yield after
