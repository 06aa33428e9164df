"""What follows from a state: the one question that every other module asks.

A state is given as its facts: fluents as text, sorted. A joint move names one move for each role.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

Facts = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Consequences:
    """What the rules say of one state."""

    legal: Mapping[str, tuple[str, ...]]
    """Each role's moves, sorted, as the encoding's ``legal/2`` has them: also in a terminal state,
    where nobody may make them (a puzzle asks whether there would be any)."""
    terminal: bool
    goals: Mapping[str, int]
    """Each role's value; 0 where the encoding gives none."""
    to_move: str | None
    """The role on move; None where several roles move at once."""

    def playable(self, role: str) -> tuple[str, ...]:
        """The moves that the role may make: none in a terminal state."""
        return () if self.terminal else self.legal[role]


class Reasoner(Protocol):
    """Answers for single states. Both methods raise ``RulesError`` if the rules settle nothing."""

    def consequences(self, facts: Facts) -> Consequences:
        """Legal moves, end, values and side on move of a state."""

    def successor(self, facts: Facts, joint: Mapping[str, str]) -> Facts:
        """The state after a joint move, which must be legal."""
