"""Questions: a position, an attacker, a goal, and a number of turns. The checker needs no more."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, Self, TypeVar

from ..game.game_rules import GameRules
from ..gdl.reasoner import Facts
from ..runtime.arguments import told
from ..runtime.errors import BadRequest
from .goal import Goal


class HasFacts(Protocol):
    """A game's rules, and the facts of a state."""

    @property
    def game(self) -> GameRules:
        """The rules."""

    @property
    def facts(self) -> Facts:
        """The fluents that hold, as text, sorted."""


P = TypeVar("P", bound=HasFacts, covariant=True)


def others(roles: Sequence[str], role: str | None) -> list[str]:
    """The roles except one, in the same order."""
    return [other for other in roles if other != role]


def turns_text(number: float) -> str:
    """A number of turns in words: ``1 turn``, ``2 turns``, ``any number of turns``."""
    if number == math.inf:
        return "any number of turns"
    return f"{number:.0f} turn{'' if number == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class PuzzleQuestion(Generic[P]):
    """Can ``attacker`` force ``goal`` from ``state`` within ``within`` turns of its own?

    A turn ends when the other side comes on move. A turn already begun counts. In a game of one
    role each move is a turn. ``within`` is None for any number of turns.
    """

    state: P
    attacker: str
    goal: Goal
    within: int | None = None

    @property
    def defender(self) -> str | None:
        """The other role; None in a game of one role."""
        return next(iter(others(self.state.game.roles, self.attacker)), None)

    @property
    def sides(self) -> tuple[str, ...]:
        """The attacker, then the defender if the game has one."""
        return (self.attacker,) if self.defender is None else (self.attacker, self.defender)

    @property
    def limit(self) -> str:
        """The number of turns in words: `` within 2 turns``; empty for any number."""
        return "" if self.within is None else f" within {turns_text(self.within)}"

    def begins_turn(self, attacked: bool, attacks: bool) -> bool:
        """Whether a move begins a turn of the attacker.

        ``attacked`` and ``attacks`` tell whether the attacker is on move before and after the move.
        """
        return attacks and (not attacked or self.defender is None)

    @classmethod
    def read(cls, state: P, attacker: object, goal: object, within: object) -> Self:  # type: ignore[misc]
        """A question from a user's values, without a look at who is on move.

        A lone role is the attacker, whether it is named or not. Raises ``BadRequest`` and
        ``RulesError``.
        """
        game = state.game
        game.refuse_unsupported()
        if not 1 <= len(game.roles) <= 2:
            raise no_puzzles(game)
        if attacker is None and len(game.roles) == 1:
            attacker = game.roles[0]
        if attacker not in game.roles:
            raise BadRequest(
                f"the attacker must be {' or '.join(game.roles)}, not {told(attacker)}"
            )
        wanted = Goal.parse(goal)
        wanted.must_suit(game.roles, game.name)
        whole = isinstance(within, int) and not isinstance(within, bool) and within >= 0
        if within is not None and not whole:
            raise BadRequest(f"within must be a whole number of turns, not {told(within)}")
        return cls(state, str(attacker), wanted, within if whole else None)  # type: ignore[arg-type]


def no_puzzles(game: GameRules) -> BadRequest:
    """The error for a game in which more than two roles, or several at once, have a choice."""
    return BadRequest(
        f"puzzles are for one role, or two that move by turns; {game.name} is no such game"
    )
