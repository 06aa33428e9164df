"""Goals of puzzles: their kinds, when each is reached, and its words.

A new kind is a member of ``GoalKind``, a row of ``_KINDS`` and a part of the checker.
``tests/puzzle/test_goal_kinds.py`` names every text that lacks it.
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


class GoalWords(NamedTuple):
    """The words for a goal, with the names of the sides."""

    meaning: str
    """When the goal is reached: ``the game is over and white has 100``."""
    force: str
    """After ``can`` or ``can't``: ``force a trap``, ``win``, ``score 20 points``."""
    forces: str
    do: str
    """``trap Black``, ``win`` or ``score 20 points``; the next two are its other forms."""
    doing: str
    done: str


_KINDS = {
    GoalKind.TRAP: (
        Condition(trapped=True),
        "{defender} is on move and can't move",
        "force a trap, forces a trap, trap {defender}, trapping {defender}, trapped {defender}",
    ),
    GoalKind.WIN: (
        Condition(terminal=True, attacker=_ALL),
        "the game is over and {attacker} has 100",
        "win, forces a win, win, winning, won",
    ),
    GoalKind.LOSE: (
        Condition(terminal=True, attacker=(0, 0), defender=_ALL),
        "the game is over, {attacker} has 0 and {defender} has 100",
        "force its own loss, forces its own loss, lose, losing, lost",
    ),
    GoalKind.DRAW: (
        Condition(terminal=True, attacker=_BELOW, defender=_BELOW),
        "the game is over and nobody has 100",
        "force a draw, forces a draw, draw, drawing, drawn",
    ),
    GoalKind.STALEMATE: (
        Condition(True, True, _BELOW, _BELOW),
        "the game is over, {defender} is on move and can't move, and nobody has 100",
        "force a stalemate, forces a stalemate, "
        "stalemate {defender}, stalemating {defender}, stalemated {defender}",
    ),
    GoalKind.SCORE: (
        Condition(attacker=(0, HIGHEST_GOAL)),  # from the puzzle's number on
        "{attacker} has a goal value of at least {score}",
        "score {points}, forces {points}, score {points}, scoring {points}, scored {points}",
    ),
}
"""When each kind is reached, in a condition and in words, and the other fields of ``GoalWords``."""


def _written(kind: GoalKind) -> tuple[str, str]:
    """The goal as puzzles write it, and the regular expression for it in the JSON Schemas."""
    is_score = kind is GoalKind.SCORE
    return ("score>={score}", "score((>=|:)[0-9]{1,9})?") if is_score else (kind.value, kind.value)


GOAL_TEXTS = [_written(kind)[0].format(score="N") for kind in GoalKind]
"""The goals as puzzles write them: ``trap``, ``win``, …, ``score>=N``."""

GOAL_LIST = f"{', '.join(GOAL_TEXTS[:-1])} or {GOAL_TEXTS[-1]}"
"""The goals in one phrase."""

_GENERAL = {"attacker": "the attacker", "defender": "the opponent", "score": "N"}
GOAL_MEANINGS = [
    f"{text}: {meaning.format(**_GENERAL)}."
    for text, (_, meaning, _) in zip(GOAL_TEXTS, _KINDS.values(), strict=True)
]
"""A sentence for each kind, for ``--help``."""


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
        if self.kind is GoalKind.SCORE:
            return Condition(attacker=(self.score, HIGHEST_GOAL))
        return _KINDS[self.kind][0]

    def words(self, defender: str | None = None, attacker: str = "") -> GoalWords:
        """The words for the goal. Without the sides' names, only ``force`` and ``forces`` fit."""
        points = f"{self.score} point{'' if self.score == 1 else 's'}"
        names = {"attacker": attacker, "defender": defender or "", "points": points}
        _, meaning, forms = _KINDS[self.kind]
        texts = (meaning, *forms.split(", "))
        return GoalWords(*(text.format(score=self.score, **names) for text in texts))

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
