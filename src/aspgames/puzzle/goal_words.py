"""The words for goals of puzzles, with the names of the sides."""

from typing import NamedTuple

from .goal import GOAL_TEXTS, Goal, GoalKind


class GoalWords(NamedTuple):
    """The words for a goal."""

    meaning: str
    """When the goal is reached: ``the game is over and white has 100``."""
    force: str
    """After ``can`` or ``can't``: ``force a trap``, ``win``, ``score 20 points``."""
    forces: str
    do: str
    """``trap Black``, ``win`` or ``score 20 points``; the next two are its other forms."""
    doing: str
    done: str


WORDS = {
    GoalKind.TRAP: GoalWords(
        meaning="{defender} is on move and can't move",
        force="force a trap",
        forces="forces a trap",
        do="trap {defender}",
        doing="trapping {defender}",
        done="trapped {defender}",
    ),
    GoalKind.WIN: GoalWords(
        meaning="the game is over and {attacker} has 100",
        force="win",
        forces="forces a win",
        do="win",
        doing="winning",
        done="won",
    ),
    GoalKind.LOSE: GoalWords(
        meaning="the game is over, {attacker} has 0 and {defender} has 100",
        force="force its own loss",
        forces="forces its own loss",
        do="lose",
        doing="losing",
        done="lost",
    ),
    GoalKind.DRAW: GoalWords(
        meaning="the game is over and nobody has 100",
        force="force a draw",
        forces="forces a draw",
        do="draw",
        doing="drawing",
        done="drawn",
    ),
    GoalKind.STALEMATE: GoalWords(
        meaning="the game is over, {defender} is on move and can't move, and nobody has 100",
        force="force a stalemate",
        forces="forces a stalemate",
        do="stalemate {defender}",
        doing="stalemating {defender}",
        done="stalemated {defender}",
    ),
    GoalKind.SCORE: GoalWords(
        meaning="{attacker} has a goal value of at least {score}",
        force="score {points}",
        forces="forces {points}",
        do="score {points}",
        doing="scoring {points}",
        done="scored {points}",
    ),
}

_GENERAL = {"attacker": "the attacker", "defender": "the opponent", "score": "N"}

GOAL_MEANINGS = [
    f"{text}: {words.meaning.format(**_GENERAL)}."
    for text, words in zip(GOAL_TEXTS, WORDS.values(), strict=True)
]
"""A sentence for each kind, for ``--help`` and the schemas."""


def goal_words(goal: Goal, defender: str | None = None, attacker: str = "") -> GoalWords:
    """The words for the goal. Without the sides' names, only ``force`` and ``forces`` fit."""
    points = f"{goal.score} point{'' if goal.score == 1 else 's'}"
    names = {"attacker": attacker, "defender": defender or "", "points": points}
    return GoalWords(*(w.format(score=goal.score, **names) for w in WORDS[goal.kind]))
