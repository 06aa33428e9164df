"""Goals of puzzles: their kinds, and when each is reached.

A new kind is a member of ``GoalKind``, a row of ``_CONDITIONS``, a row of ``goal_words.WORDS`` and
a part of the checker. ``tests/puzzle/test_goal_kinds.py`` names every text that lacks it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from ..gdl.predicates import CHANCE
from ..gdl.rules import HIGHEST_GOAL
from ..runtime.arguments import quote
from ..runtime.errors import BadRequest

if TYPE_CHECKING:
    from ..gdl.reasoner import Consequences


class GoalKind(StrEnum):
    """What the attacker wants. The values are also the parts of ``proof/puzzle.lp``."""

    TRAP = "trap"
    WIN = "win"
    LOSE = "lose"
    DRAW = "draw"
    STALEMATE = "stalemate"
    SCORE = "score"


_ANY = (0, HIGHEST_GOAL)
_ALL = (HIGHEST_GOAL, HIGHEST_GOAL)
_BELOW = (0, HIGHEST_GOAL - 1)


class Condition(NamedTuple):
    """When a state reaches a goal: all of these parts hold."""

    trapped: bool = False
    """The defender is on move and can't move."""
    terminal: bool = False
    attacker: tuple[int, int] = _ANY
    """The least and the greatest goal value of the attacker. Without a clear value it is 0."""
    defender: tuple[int, int] = _ANY


_CONDITIONS = {
    GoalKind.TRAP: Condition(trapped=True),
    GoalKind.WIN: Condition(terminal=True, attacker=_ALL),
    GoalKind.LOSE: Condition(terminal=True, attacker=(0, 0), defender=_ALL),
    GoalKind.DRAW: Condition(terminal=True, attacker=_BELOW, defender=_BELOW),
    GoalKind.STALEMATE: Condition(True, True, _BELOW, _BELOW),
}
"""The conditions of all kinds but ``SCORE``, whose condition has the puzzle's number."""


def _written(kind: GoalKind) -> tuple[str, str]:
    """The goal as puzzles write it, and the regular expression for it in the JSON Schemas."""
    is_score = kind is GoalKind.SCORE
    return ("score>={score}", "score((>=|:)[0-9]{1,9})?") if is_score else (kind.value, kind.value)


GOAL_PATTERN = f"^({'|'.join(_written(kind)[1] for kind in GoalKind)})$"
"""The regular expression of the JSON Schemas."""

GOAL_TEXTS = [_written(kind)[0].format(score="N") for kind in GoalKind]
"""The goals as puzzles write them: ``trap``, ``win``, …, ``score>=N``."""

GOAL_LIST = f"{', '.join(GOAL_TEXTS[:-1])} or {GOAL_TEXTS[-1]}"
"""The goals in one phrase."""


@dataclass(frozen=True, slots=True)
class Goal:
    """What the attacker of a puzzle wants to reach."""

    kind: GoalKind
    score: int = 0
    """The least goal value, for ``SCORE``."""
    expected: bool = False
    """Whether ``SCORE`` asks for the expected goal value at the end, in a game with chance."""

    @staticmethod
    def parse(text: object) -> Goal:
        """Read a goal; ``score:N`` is ``score>=N``, and ``score`` the expected goal value.

        >>> Goal.parse("score:20").text
        'score>=20'

        Raises:
            BadRequest: the text is not a goal.
        """
        for kind in GoalKind:
            if isinstance(text, str) and re.fullmatch(_written(kind)[1], text):
                numbers = list(map(int, re.findall("[0-9]+", text)))
                is_expected = kind is GoalKind.SCORE and not numbers
                return Goal(kind, sum(numbers), is_expected)
        raise BadRequest(f"the goal must be {GOAL_LIST}, not {quote(text)}")

    @property
    def text(self) -> str:
        """The goal as puzzles write it."""
        if self.expected:
            return self.kind.value
        return _written(self.kind)[0].format(score=self.score)

    def holds(self, consequences: Consequences, attacker: str) -> bool:
        """Whether a state with these consequences reaches the goal."""
        when, mover, sides = self.condition, consequences.to_move, (attacker, CHANCE)

        def within(role: str, bounds: tuple[int, int]) -> bool:
            return bounds == _ANY or bounds[0] <= consequences.goals[role] <= bounds[1]

        return (
            (not when.trapped or (mover not in (None, *sides) and not consequences.legal[mover]))
            and (not when.terminal or consequences.terminal)
            and within(attacker, when.attacker)
            and all(within(r, when.defender) for r in consequences.goals if r not in sides)
        )

    @property
    def condition(self) -> Condition:
        """When the goal is reached; an expected value is that of the end."""
        if self.expected:
            return Condition(terminal=True)
        return _CONDITIONS.get(self.kind, Condition(attacker=(self.score, HIGHEST_GOAL)))

    @property
    def measure(self) -> tuple[str, int]:
        """What puzzles with chance bound, as reports name it, and the greatest value of it."""
        return ("expected", HIGHEST_GOAL) if self.expected else ("probability", 1)

    def must_suit(self, roles: Sequence[str], game: str = "the game") -> None:
        """Raise ``BadRequest`` if a game with these roles can't have the goal."""
        needs_defender = self.condition.trapped or self.condition.defender[0] > 0
        if needs_defender and len(roles) == 1:
            what = {GoalKind.LOSE: "lose to"}.get(self.kind, self.kind.value)
            raise BadRequest(f"there is nobody to {what}: {game} has one role")
