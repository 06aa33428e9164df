"""Puzzles: a position, an attacker, a goal, and a number of turns."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ..game.game import State
from ..game.move import Move
from ..runtime.arguments import told
from ..runtime.errors import BadRequest
from .goal import Goal


def others(roles: Sequence[str], role: str | None) -> list[str]:
    """The roles except one, in the same order."""
    return [other for other in roles if other != role]


def turns_text(number: float) -> str:
    """A number of turns in words: ``1 turn``, ``2 turns``, ``any number of turns``."""
    if number == math.inf:
        return "any number of turns"
    return f"{number:.0f} turn{'' if number == 1 else 's'}"


def bounds_text(at_most: float, not_within: float | None) -> str:
    """The known bounds of a distance: ``in at most 7 turns (not within 4)``, ``in 7 turns``."""
    if not_within is not None and at_most == not_within + 1:
        return f"in {turns_text(at_most)}"
    most = "" if at_most == math.inf else f"in at most {turns_text(at_most)}"
    least = "" if not_within is None or not_within < 0 else f"(not within {not_within:.0f})"
    return " ".join(filter(None, (most, least)))


@dataclass(frozen=True, slots=True)
class Puzzle:
    """Can ``attacker`` force ``goal`` from ``state`` within ``within`` turns of its own?

    A turn ends when the other side comes on move. A turn already begun counts. In a game of one
    role each move is a turn. ``within`` is None for any number of turns.
    """

    state: State
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

    @staticmethod
    def of(state: State, attacker: object, goal: object, within: object = None) -> "Puzzle":
        """A puzzle from a user's values. Raises ``BadRequest`` and ``RulesError``."""
        puzzle = Puzzle.read(state, attacker, goal, within)
        puzzle.refuse_unless_sides_take_turns()
        return puzzle

    def refuse_unless_sides_take_turns(self) -> None:
        """Raise ``BadRequest`` unless exactly one role is on move, or each has one move."""
        state = self.state
        if state.to_move is None and not (state.is_terminal or state.consequences.forced):
            raise _no_puzzles(state)

    def attacks(self, state: State) -> bool:
        """Whether the attacker is on move; a lone role always is."""
        return self.defender is None or state.to_move == self.attacker

    def moves(self, state: State) -> Sequence[Move]:
        """The moves of the side on move; in a forced ply, the defender's only one."""
        if state.consequences.forced:
            return state.legal[self.defender or self.attacker]
        return state.legal_moves

    @staticmethod
    def read(state: State, attacker: object, goal: object, within: object) -> "Puzzle":
        """A puzzle from a user's values, without the check that exactly one role is on move.

        A lone role is the attacker, whether it is named or not.
        """
        state.game.refuse_unsupported()
        roles = state.game.roles
        if not 1 <= len(roles) <= 2:
            raise _no_puzzles(state)
        if attacker is None and len(roles) == 1:
            attacker = roles[0]
        if attacker not in roles:
            raise BadRequest(f"the attacker must be {' or '.join(roles)}, not {told(attacker)}")
        wanted = Goal.parse(goal)
        wanted.must_suit(roles, state.game.name)
        whole = isinstance(within, int) and not isinstance(within, bool) and within >= 0
        if within is not None and not whole:
            raise BadRequest(f"within must be a whole number of turns, not {told(within)}")
        return Puzzle(state, str(attacker), wanted, within if whole else None)  # type: ignore[arg-type]


def _no_puzzles(state: State) -> BadRequest:
    return BadRequest(
        f"puzzles are for one role, or two that move by turns; {state.game.name} is no such game"
    )
