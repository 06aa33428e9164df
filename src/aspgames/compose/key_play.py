"""The play after the keys of a problem, and its set play, with threats and variations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..game.game import State
from ..puzzle.problem import others
from ..puzzle.solved import Position
from ..runtime.budget import Budget
from ..runtime.errors import BadPosition
from .bounded_search import BoundedSearch

_MOST_REPLIES = 600
"""The number of replies after which variations end with the first answer."""


@dataclass(frozen=True, slots=True)
class Variation:
    """A defender's move with the answers to it, in the game's own notation."""

    reply: str
    answers: tuple[str, ...]
    """The moves that force the goal soonest; more than one is a dual."""
    then: tuple[Variation, ...] = ()
    """The variations after the first answer."""


@dataclass(frozen=True, slots=True)
class KeyPlay:
    """The play after a key; without a key, the set play."""

    key: str | None
    threats: tuple[str, ...] | None
    """What the attacker would do if the defender passed; none in zugzwang. None if the defender
    can't pass, as in check."""
    variations: tuple[Variation, ...]


class KeyPlays:
    """Finds the play of one problem. The methods raise ``Undecided`` and ``LimitReached``."""

    def __init__(self, ask: BoundedSearch, root: Position, distance: int, budget: Budget) -> None:
        """``distance`` is the number of turns of the solution."""
        self._ask, self._root, self._turns, self._budget = ask, root, distance - 1, budget
        self._left = _MOST_REPLIES

    def set_play(self) -> Iterator[KeyPlay]:
        """What follows if the defender is on move, if any reply has an answer already."""
        passed = self._passed(self._root)
        found = self._variations(passed, self._turns) if passed else ()
        if answered := tuple(one for one in found if one.answers):
            yield KeyPlay(None, None, answered)

    def after(self, key: str) -> KeyPlay:
        """The play after a key."""
        child = dict(self._root.children())[key]
        passed = None if child.goal_reached or child.attacks else self._passed(child)
        threats = None if passed is None else self._forcing(passed, self._turns - 1)[0]
        text = self._ask.state(self._root).move_text(key)
        return KeyPlay(text, threats, self._variations(child, self._turns))

    def _passed(self, position: Position) -> Position | None:
        state = with_other_side(self._ask.state(position))
        known = state is not None and self._ask.knows(state.facts)
        return self._ask.at(state.facts, self._budget) if state and known else None

    def _variations(self, position: Position, turns: float) -> tuple[Variation, ...]:
        if position.goal_reached or position.attacks or self._left <= 0:
            return ()
        state, found = self._ask.state(position), list[Variation]()
        self._left -= len(position.children())
        for reply, child in position.children():
            after = position.turns_after(child, turns)
            answers, first = self._forcing(child, after)
            then = self._variations(first, child.turns_after(first, after)) if first else ()
            found.append(Variation(state.move_text(reply), answers, then))
        return tuple(found)

    def _forcing(self, position: Position, turns: float) -> tuple[tuple[str, ...], Position | None]:
        """The attacker's moves that force the goal soonest, and the position after the first."""
        children = position.children() if position.attacks else ()
        for left in range(int(turns) + 1):
            found = {m: c for m, c in children if self._ask(c, position.turns_after(c, left))}
            if found:
                texts = map(self._ask.state(position).move_text, found)
                return tuple(texts), next(iter(found.values()))
        return (), None


def with_other_side(state: State) -> State | None:
    """The position with the other side on move; None if the game has no such position.

    Only the fact that names the side on move changes.

    >>> import aspgames
    >>> with_other_side(aspgames.load("breakthrough").initial).to_move
    'black'
    """
    mover, game = state.to_move or "", state.game
    for other in others(game.roles, mover):
        for fact in state.facts:
            changed = re.sub(rf"\b{re.escape(mover)}\b", other, fact)
            if changed != fact and not game.vocabulary.placement(fact):
                facts = {*state.facts, changed} - {fact}
                try:
                    found = game.checked(tuple(sorted(facts)))
                except BadPosition:
                    continue
                if found.to_move == other:
                    return found
    return None
