"""Questions: a position, an attacker, a goal, and a number of turns. The checker needs no more."""

import math
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, Protocol, Self, TypeVar

from ..game.game_rules import GameRules
from ..gdl.predicates import CHANCE
from ..gdl.rules import Facts
from ..runtime.arguments import quote
from ..runtime.errors import BadRequest
from .goal import Goal

ONE_LINE = "leaves no single line of best play: 'solve' has exact answers for such puzzles"
"""Why whatever shows one line of play refuses puzzles with chance or hidden information."""


class HasFacts(Protocol):
    """A game's rules, and the facts of a state."""

    @property
    def game(self) -> GameRules:
        """The rules."""

    @property
    def facts(self) -> Facts:
        """The fluents that hold, as text, sorted."""


_PROBABILITY = r"[0-9]{1,1000}([/.][0-9]{1,1000})?"  # an exponent would allow any size

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
    role each move is a turn. ``within`` is None for any number of turns. The role ``random`` is no
    side, and its moves don't end a turn.
    """

    state: P
    attacker: str
    goal: Goal
    within: int | None = None
    chance: Fraction | None = None
    """The least probability to force; None in a game without chance and hidden information."""

    @property
    def defender(self) -> str | None:
        """The other role; None in a game of one role."""
        return next(iter(others(self.state.game.players, self.attacker)), None)

    @property
    def sides(self) -> tuple[str, ...]:
        """The attacker, then the defender if the game has one."""
        return (self.attacker,) if self.defender is None else (self.attacker, self.defender)

    @property
    def turns(self) -> float:
        """The number of turns; infinite for any number."""
        return math.inf if self.within is None else self.within

    @property
    def asked(self) -> Fraction:
        """The least probability to force: 1 unless another is given."""
        return self.chance or Fraction(1)

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
    def read(
        cls,
        state: P,  # type: ignore[misc]
        attacker: object,
        goal: object,
        within: object,
        chance: object = None,
    ) -> Self:
        """A question from a user's values, without a look at who is on move.

        A lone role is the attacker, whether it is named or not. Games with chance are refused
        unless ``chance`` is given, as ``read_chance`` reads it; other games ignore it. Raises
        ``BadRequest`` and ``RulesError``.
        """
        game = state.game
        least = None if chance is None else read_chance(chance)
        able = least is not None
        game.refuse_unsupported(chance=able, hidden=able, but=ONE_LINE)
        if not 1 <= len(game.players) <= 2:
            raise no_puzzles(game)
        if attacker is None and len(game.players) == 1:
            attacker = game.players[0]
        if attacker not in game.players:
            moves = f": {CHANCE} moves by chance, for no goal" if attacker == CHANCE else ""
            raise BadRequest(
                f"the attacker must be {' or '.join(game.players)}, not {quote(attacker)}{moves}"
            )
        wanted = Goal.parse(goal)
        wanted.must_suit(game.players, game.name)
        whole = isinstance(within, int) and not isinstance(within, bool) and within >= 0
        if within is not None and not whole:
            raise BadRequest(f"within must be a whole number of turns, not {quote(within)}")
        turns: int | None = within if whole else None  # type: ignore[assignment]
        uncertain = game.chance or game.hidden
        if wanted.expected and (not game.chance or game.hidden):
            raise BadRequest(
                f"the goal score, the expected goal value, is for games with chance and without "
                f"hidden information, and {game.name} is no such game; give score>=N"
            )
        if wanted.expected and least != 1:
            raise BadRequest("the goal score asks for a value, not whether it has a probability")
        return cls(state, str(attacker), wanted, turns, least if uncertain else None)


def read_chance(given: object) -> Fraction:
    """A probability above 0, at most 1: a ``Fraction``, 1, or a text such as ``2/3`` or ``0.75``.

    Raises ``BadRequest`` for anything else, and for floats, which are seldom what they look like.
    """
    if isinstance(given, int | Fraction) and not isinstance(given, bool):
        given = str(given)
    if isinstance(given, str) and re.fullmatch(_PROBABILITY, given):
        with suppress(ZeroDivisionError):
            found = Fraction(given)
            if 0 < found <= 1:
                return found
    raise BadRequest(
        f"a chance is a fraction as text, such as 2/3, above 0 and at most 1, not {quote(given)}"
    )


def no_puzzles(game: GameRules) -> BadRequest:
    """The error for a game in which more than two roles, or several at once, have a choice."""
    return BadRequest(
        f"puzzles are for one role, or two that move by turns; {game.name} is no such game"
    )
