"""What one role knows of a play: its own moves, what it perceived, and the states that fit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, reduce
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from ..runtime.arguments import check_text, quote
from ..runtime.errors import BadMove, BadRequest, IllegalMove, LimitReached, TooLarge
from .move import LegalMoves, Move

if TYPE_CHECKING:
    from ..propnet.lanes import Rows
    from ..propnet.percept_net import PerceptNet
    from .state import State

_MOVES_AT_ONCE = 1 << 24  # moves of all states that are looked at together
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
        if self._rows is not None and (net := self._net):
            found: Iterable[State] = (self.start.game.state(net.facts(row)) for row in self._rows)
        else:
            move, percepts = self.history[-1]
            with self._naming_itself():
                found = set(_played(self._before.going, self.role, move, percepts))
        return tuple(sorted(found, key=lambda state: state.facts))

    @cached_property
    def _rows(self) -> Rows | None:
        """The rows of the states that fit, each once; None without a net."""
        if (net := self._net) is None:
            return None
        if self._before is None:
            return net.rows([self.start.facts])
        before = self._before._going_rows
        assert before is not None
        with self._naming_itself():
            return _fitting(net, before, self.role, *self.history[-1], self.start.game.hidden)

    @cached_property
    def _going_rows(self) -> Rows | None:
        """The rows of those that aren't terminal."""
        net = self._net
        return None if net is None or self._rows is None else self._rows[net.going(self._rows)]

    @contextmanager
    def _naming_itself(self) -> Iterator[None]:
        """Say of which view there are too many states."""
        try:
            yield
        except LimitReached as error:
            raise LimitReached(
                f"{self.start.game.name}: {error} what {self.role} knows after "
                f"{self.history[-1][0]}; smaller constants or a later position have fewer"
            ) from None

    @property
    def _is_possible(self) -> bool:
        """Whether some state fits."""
        return bool(self.states if self._rows is None else len(self._rows))

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
        net, rows, game = self._net, self._going_rows, self.start.game
        if net is not None and rows is not None:
            known = net.legal_everywhere(rows, self.role) if len(rows) else ()
            first = game.state(net.facts(rows[0])).legal[self.role] if len(rows) else ()
            moves = [move for move in first if move.term in known]
        else:
            going = self.going
            moves = list(going[0].legal[self.role]) if going else []
            for state in going[1:]:
                legal = set(state.legal[self.role])
                moves = [move for move in moves if move in legal]
        return LegalMoves(range(len(moves)), moves, game.vocabulary.notation)

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
        if not view._is_possible:
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
    net: PerceptNet, before: Rows, role: str, move: str, percepts: tuple[str, ...], hidden: bool
) -> Rows:
    """The states after a move of a role that it perceives so, each once."""
    from ..propnet.state_set import StateSet

    known, left = StateSet(before.shape[1]), _MOST_STATES
    seen = net.percepts_row(role, percepts) if hidden else net.row(percepts)
    for part in np.array_split(before, 1 + len(before) * net.tables.moves // _MOVES_AT_ONCE):
        steps = net.joint_moves(np.ascontiguousarray(part), (role, move), left)
        left -= len(steps.rows)
        shown = steps.percepts & net.mask_of(role) if hidden else steps.rows
        if seen is not None:
            known.add([np.ascontiguousarray(steps.rows[(shown == seen).all(1)])])
    return known.rows(0, len(known))


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
