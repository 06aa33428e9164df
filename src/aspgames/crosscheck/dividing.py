"""Perft by divide: where two counts differ, down to the position that makes them differ."""

from __future__ import annotations

from ..budget import Budget
from ..perft import divide
from .compare import Disagreement, Judge
from .engine import Answer, Question, Turn, asked


def by_divide(
    judge: Judge, question: Question, depth: int, budget: Budget
) -> tuple[bool, Disagreement | None]:
    """Whether the engine counts, and where its counts lead to a disagreement.

    Raises ``LimitReached`` when the budget runs out.
    """
    rules = judge.rules(question.game)
    if judge.engine.whole_turns and not rules.single:
        return False, None  # our plies are none of theirs
    theirs = judge.engine.divide(question, depth)
    if theirs is None:
        return False, None
    counts = divide(question.state, depth, budget=budget)
    ours = {rules.label((move,)): (move, count) for move, count in counts.items()}
    wrong = {
        label
        for label in ours.keys() | theirs.keys()
        if label not in ours or ours[label][1] != theirs.get(label)
    }
    if not wrong:
        return True, None
    if depth > 1:
        for label in sorted(wrong & ours.keys() & theirs.keys()):
            turn: Turn = (ours[label][0],)
            (after,) = rules.play([question.after], [turn])
            deeper = Question(question.game, question.after, (turn,), after)
            _, found = by_divide(judge, deeper, depth - 1, budget)
            if found:
                return True, found
    found = judge.disagreement(question) or judge.disagreement(asked(question.game, question.after))
    return True, found or Disagreement(
        question,
        "perft",
        Answer(),
        Answer(),
        missing=tuple(f"{label} {ours[label][1]}" for label in sorted(wrong & ours.keys())),
        extra=tuple(f"{label} {theirs[label]}" for label in sorted(wrong & theirs.keys())),
    )
