"""A puzzle's answer together with its proof."""

from __future__ import annotations

from ..game.state import State
from ..puzzle.problem import Puzzle
from ..puzzle.proof.certificate import certificate as certificate_of
from ..runtime.budget import Budget
from ..runtime.call_arguments import check_budget
from ..runtime.json_lines import JsonObject
from .solvers import open_puzzle


def certificate(
    state: State,
    *,
    attacker: str | None = None,
    goal: str,
    within: int | None = None,
    budget: Budget | None = None,
) -> JsonObject:
    """Solve a puzzle and prove the answer: a certificate for ``verify``, or for a JSON file.

    >>> import aspgames
    >>> state = aspgames.load("breakthrough").position("8/P7/8/8/8/8/7p/8 w")
    >>> proof = aspgames.certificate(state, attacker="white", goal="win")
    >>> aspgames.verify(proof).keys
    ('move(1,7,1,8)', 'move(1,7,2,8)')

    Args:
        state: The position. Either side may be on move.
        attacker: A role; a lone role needn't be named.
        goal: As ``solve`` takes it.
        within: The number of the attacker's turns; None for any number.
        budget: The limits on the search and the proof together.

    Raises:
        BadRequest: An argument is invalid, or nothing is decided.
        RulesError: No net can be made from the rules.
        LimitReached: The certificate would be too large, or the budget runs out.
    """
    puzzle = Puzzle.of(state, attacker, goal, within)
    with open_puzzle(puzzle, check_budget(budget)) as solved:
        return certificate_of(solved, solved.run())
