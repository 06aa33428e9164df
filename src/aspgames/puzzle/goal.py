"""Goals of puzzles: their kinds, when each is reached, and the words for each.

A new kind is a member of ``GoalKind`` and a row of ``_WORDS``. mypy then names every ``match`` that
lacks it, and ``tests/puzzle/test_goal_kinds.py`` names every text that lacks it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, assert_never

from ..gdl.reasoner import HIGHEST_GOAL, Consequences
from ..runtime.arguments import told
from ..runtime.errors import BadRequest


class GoalKind(StrEnum):
    """What the attacker wants. The values are also the parts of ``proof/puzzle.lp``."""

    TRAP = "trap"
    WIN = "win"
    SCORE = "score"


class _Words(NamedTuple):
    """The words for one kind. They may contain ``{attacker}``, ``{defender}`` and ``{score}``."""

    text: str
    """The goal as puzzles write it."""
    pattern: str
    """The regular expression for it in the JSON Schemas."""
    meaning: str
    """When the goal is reached."""
    force: str
    """What the attacker can or can't do, without the defender's name."""
    forces: str
    do: str
    doing: str
    done: str


_WORDS = {
    GoalKind.TRAP: _Words(
        text="trap",
        pattern="trap",
        meaning="{defender} is on move and can't move",
        force="force a trap",
        forces="forces a trap",
        do="trap {defender}",
        doing="trapping {defender}",
        done="trapped {defender}",
    ),
    GoalKind.WIN: _Words(
        text="win",
        pattern="win",
        meaning="the game is over and {attacker} has 100",
        force="win",
        forces="forces a win",
        do="win",
        doing="winning",
        done="won",
    ),
    GoalKind.SCORE: _Words(
        text="score>={score}",
        pattern="score(>=|:)[0-9]{1,9}",
        meaning="{attacker} has a goal value of at least {score}",
        force="score {points}",
        forces="forces {points}",
        do="score {points}",
        doing="scoring {points}",
        done="scored {points}",
    ),
}

_GENERAL = {"attacker": "the attacker", "defender": "the opponent", "score": "N"}

GOAL_PATTERN = f"^({'|'.join(words.pattern for words in _WORDS.values())})$"
"""The regular expression of the JSON Schemas."""

GOAL_TEXTS = [words.text.format(**_GENERAL) for words in _WORDS.values()]
"""The goals as puzzles write them: ``trap``, ``win`` and ``score>=N``."""

GOAL_LIST = f"{', '.join(GOAL_TEXTS[:-1])} or {GOAL_TEXTS[-1]}"
"""The goals in one phrase."""

GOAL_MEANINGS = [
    f"{text}: {words.meaning.format(**_GENERAL)}."
    for text, words in zip(GOAL_TEXTS, _WORDS.values(), strict=True)
]
"""A sentence for each kind, for ``--help`` and the schemas."""


@dataclass(frozen=True, slots=True)
class Goal:
    """What the attacker of a puzzle wants to reach."""

    kind: GoalKind
    score: int = 0
    """The least goal value, for ``SCORE``."""

    @staticmethod
    def parse(text: object) -> Goal:
        """Read a goal; ``score:N`` is ``score>=N``.

        >>> Goal.parse("score:20").text
        'score>=20'

        Raises:
            BadRequest: the text is not a goal.
        """
        for kind, words in _WORDS.items():
            if isinstance(text, str) and re.fullmatch(words.pattern, text):
                return Goal(kind, *map(int, re.findall("[0-9]+", text)))
        raise BadRequest(f"the goal must be {GOAL_LIST}, not {told(text)}")

    @property
    def text(self) -> str:
        """The goal as puzzles write it."""
        return self._filled(_WORDS[self.kind].text)

    def holds(self, consequences: Consequences, attacker: str) -> bool:
        """Whether a state with these consequences reaches the goal."""
        match self.kind:
            case GoalKind.TRAP:
                mover = consequences.to_move
                return mover not in (None, attacker) and not consequences.legal[mover or ""]
            case GoalKind.WIN:
                return consequences.terminal and consequences.goals[attacker] == HIGHEST_GOAL
            case GoalKind.SCORE:
                return consequences.goals[attacker] >= self.score
            case _:
                assert_never(self.kind)

    def must_suit(self, roles: Sequence[str], game: str = "the game") -> None:
        """Raise ``BadRequest`` if a game with these roles can't have the goal."""
        match self.kind:
            case GoalKind.TRAP:
                if len(roles) == 1:
                    raise BadRequest(f"there is nobody to trap: {game} has one role")
            case GoalKind.WIN | GoalKind.SCORE:
                pass
            case _:
                assert_never(self.kind)

    def meaning(self, attacker: str, defender: str | None) -> str:
        """When the goal is reached: ``the game is over and white has 100``."""
        return self._filled(_WORDS[self.kind].meaning, attacker, defender)

    @property
    def force(self) -> str:
        """The words after ``can`` or ``can't``: ``force a trap``, ``win``, ``score 20 points``."""
        return self._filled(_WORDS[self.kind].force)

    @property
    def forces(self) -> str:
        """``forces a trap``, ``forces a win`` or ``forces 20 points``."""
        return self._filled(_WORDS[self.kind].forces)

    def do(self, defender: str | None) -> str:
        """``trap Black``, ``win`` or ``score 20 points``."""
        return self._filled(_WORDS[self.kind].do, defender=defender)

    def doing(self, defender: str | None) -> str:
        """``trapping Black``, ``winning`` or ``scoring 20 points``."""
        return self._filled(_WORDS[self.kind].doing, defender=defender)

    def done(self, defender: str | None) -> str:
        """``trapped Black``, ``won`` or ``scored 20 points``."""
        return self._filled(_WORDS[self.kind].done, defender=defender)

    def _filled(self, words: str, attacker: str = "", defender: str | None = None) -> str:
        points = f"{self.score} point{'' if self.score == 1 else 's'}"
        return words.format(
            attacker=attacker, defender=defender or "", score=self.score, points=points
        )
