"""Verdicts as people say them."""

from __future__ import annotations

from .problem import Puzzle, turns_text
from .solution import Solution


def verdict_text(
    puzzle: Puzzle, solution: Solution, interrupted: bool = False, attacker: str | None = None
) -> str:
    """The answer to a puzzle in a sentence; ``interrupted`` says why it may be undecided.

    ``attacker`` is what the attacker is called, if it isn't as the game has it.
    """
    attacker, goal = attacker or puzzle.attacker, puzzle.goal.text
    if solution.verdict == "unknown":
        short = solution.not_within
        known = "" if short is None else f"; not within {turns_text(short)}"
        return f"Undecided: {'interrupted' if interrupted else 'the limits are reached'}{known}."
    within = puzzle.within
    limit = "in any number of turns" if within is None else f"within {turns_text(within)}"
    alone = puzzle.defender is None
    if solution.verdict == "not_forced":
        return f"{attacker} can't {'reach' if alone else 'force'} {goal} {limit}."
    does = f"{attacker} {'reaches' if alone else 'forces'} {goal}"
    if solution.distance is None:
        return f"{does}{'' if within is None else f' {limit}'}."
    if solution.distance == 0 and not solution.line:
        return f"{goal} stands already for {attacker}."
    return f"{does} in {turns_text(solution.distance)}."


def goal_text(puzzle: Puzzle) -> str:
    """What a puzzle's goal means."""
    attacker, goal = puzzle.attacker, puzzle.goal
    if goal.score is not None:
        return f"{goal.text}: {attacker} has a goal value of at least {goal.score}"
    if goal.text == "win":
        return f"win: the game is over, and {attacker} has 100"
    return f"trap: {puzzle.defender} is on move and can't move"
