"""What follows from a state: the one question that every other module asks.

A state is given as its facts: fluents as text, sorted. A joint move names one move for each role.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ...runtime.arguments import told
from ...runtime.errors import BadRequest

if TYPE_CHECKING:
    from ...asp.terms import Constants
    from ..encoding import Encoding

Facts = tuple[str, ...]
Joint = tuple[tuple[str, str], ...]
"""A joint move as pairs of role and move."""


@dataclass(frozen=True, eq=False)
class Rules:
    """What a reasoner is made from: one object a game."""

    encoding: Encoding
    constants: Constants
    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Consequences:
    """What the rules say of one state, and of the roles; what they say of nobody counts nothing."""

    legal: Mapping[str, tuple[str, ...]]
    """Each role's moves, sorted, as the encoding's ``legal/2`` has them: also in a terminal state,
    where nobody may make them (a puzzle asks whether there would be any)."""
    terminal: bool
    goals: Mapping[str, int]
    """Each role's value; 0 where the encoding gives none, or several while the game goes on."""
    to_move: str | None
    """The role on move; None where several roles move at once."""

    def waits(self, role: str) -> bool:
        """Whether the role has nothing to choose: it isn't on move, and has one move."""
        return role != self.to_move and len(self.legal[role]) == 1

    @property
    def movers(self) -> tuple[str, ...]:
        """The roles whose moves make a ply: all that have something to choose, or else all.

        One, where sides take turns; what the others do is settled then.
        """
        return tuple(role for role in self.legal if not self.waits(role)) or tuple(self.legal)

    def playable(self, role: str) -> tuple[str, ...]:
        """The moves that the role may make: none in a terminal state."""
        return () if self.terminal else self.legal[role]


class Reasoner(Protocol):
    """Answers for single states. Both methods raise ``RulesError`` if the rules settle nothing."""

    def consequences(self, facts: Facts) -> Consequences:
        """Legal moves, end, values and side on move of a state."""

    def successor(self, facts: Facts, joint: Mapping[str, str]) -> Facts:
        """The state after a joint move, which must be legal."""


def check_choice(reasoner: str | None) -> None:
    """Raise ``BadRequest`` for a name that is no reasoner's; None stands for the best one."""
    if reasoner not in (None, "propnet", "grounder"):
        raise BadRequest(f"the reasoner must be propnet or grounder, not {told(reasoner)}")


HIGHEST_GOAL = 100


def unsettled_goals(role: str) -> str:
    """What is wrong where the game is over and a role's value isn't settled.

    While it goes on, no more is wrong with that than with no value at all: the role has 0.
    """
    return f"the rules give {role} several goals, or one that is no whole number from 0 to 100"


def the_one_on_move(on_move: Sequence[str], legal: Mapping[str, tuple[str, ...]]) -> str | None:
    """The one role of ``to_move/1``; without that, the one role that doesn't just pass."""
    candidates = on_move or [role for role, moves in legal.items() if moves != ("noop",)]
    return candidates[0] if len(candidates) == 1 else None
