"""The specification of puzzles to compose."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..puzzle.goal import Goal
from ..puzzle.question import others
from ..puzzle.stipulation import TOGETHER
from ..runtime.arguments import quote
from ..runtime.call_arguments import whole_number
from ..runtime.errors import BadRequest

FORCED, NOT_FORCED = "forced", "not_forced"
STIPULATIONS = (FORCED, NOT_FORCED, TOGETHER)
"""The kinds of tasks.

The only move of the attacker that forces the goal in time; the only move of the defender that
prevents it; the only shortest line to the goal if both sides cooperate.
"""


@dataclass(frozen=True, slots=True)
class Order:
    """A specification of puzzles, for any game."""

    goal: str
    least: int
    most: int
    """The least and the greatest number of the attacker's turns."""
    stipulation: str = FORCED
    attacker: str | None = None
    """A role; None for any role."""
    mover: str | None = None
    """The role on move; None for the side with the task."""
    most_pieces: int | None = None

    @staticmethod
    def of(
        roles: Sequence[str],
        goal: object,
        most: object,
        least: object = None,
        stipulation: str = FORCED,
        attacker: str | None = None,
        mover: str | None = None,
        most_pieces: int | None = None,
    ) -> "Order":
        """Make a specification from a user's values. Raises ``BadRequest`` for wrong ones."""
        if not 1 <= len(roles) <= 2:
            raise BadRequest("puzzles are for one role, or two that move by turns")
        wanted = Goal.parse(goal)
        wanted.must_suit(roles)
        if stipulation != FORCED and len(roles) == 1:
            raise BadRequest("with one role there is nobody to defend or to help")
        most = whole_number(most, "the most turns", 1, 100)
        least = most if least is None else whole_number(least, "the least turns", 1, 100)
        if least > most:
            raise BadRequest(f"the least turns, {least}, are more than the most, {most}")
        for name, role in (("attacker", attacker), ("side on move", mover)):
            if role is not None and role not in roles:
                raise BadRequest(f"the {name} must be {' or '.join(roles)}, not {quote(role)}")
        if most_pieces is not None and most_pieces < 1:
            raise BadRequest(f"the most pieces must be 1 or more, not {most_pieces}")
        order = Order(wanted.text, least, most, stipulation, attacker, mover, most_pieces)
        if not order.sides(roles):
            who = "the defender" if stipulation == NOT_FORCED else "the attacker"
            raise BadRequest(
                f"{who} is on move in such puzzles: {mover} can't be if {attacker} attacks"
            )
        return order

    def sides(self, roles: Sequence[str]) -> list[tuple[str, str]]:
        """The possible attackers, each with the role on move."""
        found = []
        for attacker in roles:
            movers = roles if self.stipulation == TOGETHER and self.mover else [attacker]
            if self.stipulation == NOT_FORCED:
                movers = others(roles, attacker)
            found += [(attacker, mover) for mover in movers]
        return [
            (attacker, mover)
            for attacker, mover in found
            if self.attacker in (None, attacker) and self.mover in (None, mover)
        ]
