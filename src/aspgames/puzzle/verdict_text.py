"""Verdicts as sentences."""

from .problem import Puzzle, bounds_text
from .question import turns_text
from .solution import Cooperation, Solution


def verdict_text(
    puzzle: Puzzle, solution: Solution, interrupted: bool = False, attacker: str | None = None
) -> str:
    """The answer to a puzzle in a sentence: ``white can force a trap in 2 turns.``

    ``interrupted`` tells whether Ctrl-C, not a limit, left the puzzle undecided; ``attacker`` is
    the attacker's name for the reader, if it differs from the encoding's.
    """
    attacker, goal = attacker or puzzle.attacker, puzzle.goal
    if solution.verdict == "unknown":
        short = solution.not_within
        known = "" if short is None else f"; not within {turns_text(short)}"
        return f"Undecided: {'interrupted' if interrupted else 'the limits are reached'}{known}."
    if solution.verdict == "not_forced":
        return f"{attacker} can't {goal.words().force}{puzzle.limit or ' in any number of turns'}."
    if solution.at_most is not None:
        known = bounds_text(solution.at_most, solution.not_within)
        return f"{attacker} {goal.words().forces}, {known}."
    if solution.distance is None:
        return f"{attacker} can {goal.words().force}{puzzle.limit}."
    if solution.distance == 0 and not solution.line:
        return f"{attacker} has {goal.words(puzzle.defender).done} already."
    return f"{attacker} can {goal.words().force} in {turns_text(solution.distance)}."


def cooperation_text(puzzle: Puzzle, found: Cooperation, attacker: str) -> str:
    """The answer in a sentence: whether both sides can cooperate to reach the goal."""
    helped = puzzle.defender is not None
    if found.verdict == "unknown":
        return "Undecided: the limits are reached."
    if found.verdict == "impossible":
        fail = f"{attacker} can't {puzzle.goal.words().force}{puzzle.limit}."
        return f"Even if both sides help, {fail}" if helped else fail
    line = f"{attacker} can {puzzle.goal.words().force} in {turns_text(found.distance or 0)}."
    return f"If both sides help, {line}" if helped else line
