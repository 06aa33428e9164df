"""Comparing perft by divide: from different counts down to the position that causes them."""

from __future__ import annotations

from collections.abc import Mapping

from ...play.perft import divide
from ...runtime.budget import Budget
from ..engines.engine import Answer, Question, Turn, asked
from .disagreement import Disagreement, Judge


def compare_divides(
    judge: Judge, question: Question, depth: int, budget: Budget
) -> tuple[bool, Disagreement | None]:
    """Compare perft counts.

    Args:
        judge: Both sides.
        question: The position to count from.
        depth: The depth, in whole turns for engines of whole turns, otherwise in plies.
        budget: The time limit.

    Returns:
        Whether the engine counts, and the disagreement that explains different counts.

    Raises:
        LimitReached: The time runs out.
    """
    theirs = judge.engine.divide(question, depth)
    ours = None if theirs is None else _counts(judge, question, depth, budget)
    if theirs is None or ours is None:
        return False, None
    wrong = {
        label
        for label in ours.keys() | theirs.keys()
        if label not in ours or ours[label][1] != theirs.get(label)
    }
    if not wrong:
        return True, None
    if depth > 1:
        for label in sorted(wrong & ours.keys() & theirs.keys()):
            turn = ours[label][0]
            (after,) = judge.rules(question.game).play([question.after], [turn])
            deeper = Question(question.game, question.after, (turn,), after)
            _, found = compare_divides(judge, deeper, depth - 1, budget)
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


def _counts(
    judge: Judge, question: Question, depth: int, budget: Budget
) -> Mapping[str, tuple[Turn, int]] | None:
    """Our turns with their counts, by labels; None if turns differ in length."""
    rules, game = judge.rules(question.game), question.game
    ((_, options),) = rules.ask([question.after])
    lengths = {len(turn) for turn in options.values()}
    if len(lengths) > 1:
        return None
    plies = depth * max(lengths, default=1)
    behind: dict[Turn, int] = {}
    for begun in sorted({turn[:-1] for turn in options.values()}):
        (facts,) = rules.play([question.after], [begun])
        counts = divide(game.state(facts), plies - len(begun), budget=budget)
        behind |= {(*begun, last): count for last, count in counts.items()}
    return {label: (turn, behind[turn]) for label, turn in options.items()}
