"""Verdicts as sentences."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from .problem import Puzzle, bounds_text
from .question import HasFacts, PuzzleQuestion, turns_text
from .solution import Cooperation, Solution

if TYPE_CHECKING:
    from .proof.claim import Claim

CLOSE = Fraction(1, 1 << 32)
"""Bounds for any number of turns that differ by less are the answer."""
_SHORT_FRACTION = 24  # characters of a fraction that people read


def verdict_text(
    puzzle: Puzzle, solution: Solution, interrupted: bool = False, attacker: str | None = None
) -> str:
    """The answer to a puzzle in a sentence: ``white can force a trap in 2 turns.``

    ``interrupted`` tells whether Ctrl-C, not a limit, left the puzzle undecided; ``attacker`` is
    the attacker's name for the reader, if it differs from the encoding's.
    """
    attacker, goal = attacker or puzzle.attacker, puzzle.goal
    undecided = f"Undecided: {'interrupted' if interrupted else 'the limits are reached'}"
    least, most = solution.probability_at_least, solution.probability_at_most
    if least and most and most - least < CLOSE and puzzle.within is None and not interrupted:
        undecided = "Undecided: the bounds are less than 2^-32 apart"
    if solution.not_within is not None:
        undecided += f"; not within {turns_text(solution.not_within)}"
    if solution.hidden and (puzzle.chance == 1 or not puzzle.state.game.chance):
        return _sure_text(puzzle, solution, attacker, undecided)
    if goal.expected:
        exact, least, most = (
            solution.expected,
            solution.expected_at_least,
            solution.expected_at_most,
        )
        least, most = (least, most) if exact is None else (exact, exact)
        known = expected_text(puzzle, least, most, attacker)
        return f"{undecided}; {known}." if solution.verdict == "unknown" else f"{known}."
    words = goal.words()
    if puzzle.chance is not None:
        odds = odds_text(puzzle, solution, solution.probability, attacker)
        return f"{undecided}; {odds}." if solution.verdict == "unknown" else f"{odds}."
    if solution.verdict == "unknown":
        return f"{undecided}."
    if solution.verdict == "not_forced":
        limit = puzzle.limit or " in any number of turns"
        return f"{attacker} can't {words.force}{limit}."
    if solution.at_most is not None:
        known = bounds_text(solution.at_most, solution.not_within)
        return f"{attacker} {words.forces}, {known}."
    if solution.distance is None:
        return f"{attacker} can {words.force}{puzzle.limit}."
    if solution.distance == 0 and not solution.line:
        return f"{attacker} has {goal.words(puzzle.defender).done} already."
    return f"{attacker} can {words.force} in {turns_text(solution.distance)}."


def odds_text(
    puzzle: PuzzleQuestion[HasFacts],
    found: Solution | Claim,
    exact: Fraction | None = None,
    name: str = "",
) -> str:
    """The answer to a puzzle with chance: ``white can win with probability 11/36 in 3 turns``.

    ``exact`` is the probability if it is known; ``name`` as ``attacker`` of ``verdict_text``.
    """
    least, most = found.probability_at_least, found.probability_at_most
    exact = least if least == most and least is not None else exact
    odds = f"{name or puzzle.attacker} can {puzzle.goal.words().force} with probability"
    if exact is None:
        odds += f" at least {_text(least, up=False)} and at most {_text(most, up=True)}"
    else:
        odds += f" {probability_text(exact)}"
    odds += puzzle.limit
    turns = found.distance if found.distance is not None else found.at_most
    if turns is not None and (exact != puzzle.chance or turns != puzzle.within):
        few = "" if found.distance is not None else "at most "
        odds += f"; with at least {puzzle.chance} in {few}{turns_text(turns)}"
    return odds


def expected_text(
    puzzle: PuzzleQuestion[HasFacts], least: Fraction | None, most: Fraction | None, name: str = ""
) -> str:
    """The answer to the goal ``score``: ``white can expect a goal value of 7/2 within 3 turns``."""
    found = interval_text(least or Fraction(0), most or Fraction(0))
    return f"{name or puzzle.attacker} can expect a goal value of {found}{puzzle.limit}"


def probability_text(exact: Fraction) -> str:
    """A probability for people: ``11/36``; one with many digits as a rounded decimal."""
    return str(exact) if len(str(exact)) <= _SHORT_FRACTION else f"about {_text(exact, up=False)}"


def interval_text(low: Fraction, high: Fraction) -> str:
    """The bounds of a number for people: ``7/2``, or decimals, rounded outwards."""
    if low == high:
        return probability_text(low)
    return f"from {_text(low, up=False)} to {_text(high, up=True)}"


def _text(bound: Fraction | None, up: bool) -> str:
    """A bound with at most ten decimals, rounded outwards."""
    given = (bound or Fraction(0)) * 10**10
    return f"{Decimal(math.ceil(given) if up else math.floor(given)).scaleb(-10).normalize():f}"


def _sure_text(puzzle: Puzzle, solution: Solution, attacker: str, undecided: str) -> str:
    """The answer to a puzzle with hidden information: ``player can surely win in 4 turns.``"""
    force, best = puzzle.goal.words().force, ""
    if solution.probability is not None:
        best = f"; at best with probability {probability_text(solution.probability)}"
    elif (most := solution.probability_at_most) is not None:
        least = solution.probability_at_least or Fraction(0)
        best = f"; at best with a probability {interval_text(least, most)}"
    if solution.verdict == "forced":
        within = puzzle.limit
        if solution.distance is not None:
            within = f" in {turns_text(solution.distance)}"
        elif solution.at_most is not None:
            within = f" {bounds_text(solution.at_most, solution.not_within)}"
        return f"{attacker} can surely {force}{within}, with a plan that depends on what it sees."
    if solution.verdict == "not_forced":
        return f"{attacker} can't surely {force}{puzzle.limit}{best}."
    return f"{undecided}{best}."


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
