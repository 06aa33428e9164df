"""Both sides together: the shortest line of play to the goal, by planning with clingo's solver.

The search ends when some line reaches the goal, or no line continues.
"""

from collections.abc import Callable, Generator
from itertools import count

from ...propnet.circuit_program import finish
from ...propnet.net import net_for
from ...puzzle.problem import Puzzle
from ...puzzle.solution import Cooperation, line_texts
from ...runtime.budget import MOST_RULES, Budget
from ...runtime.errors import LimitReached
from .unrolled_play import Line, UnrolledPlay


def together(
    puzzle: Puzzle,
    budget: Budget | None = None,
    progress: Callable[[int, int], None] = lambda _turns, _plies: None,
) -> Cooperation:
    """Find the shortest line to a puzzle's goal if both sides cooperate.

    If a limit is reached, the verdict is ``unknown``. ``progress`` takes the current numbers of
    turns and of plies. Raises ``BadRequest`` if the sides don't take turns, and ``RulesError`` if a
    state doesn't determine everything that follows from it.
    """
    budget = budget or Budget()
    try:
        net = net_for(puzzle.state.game.rules, puzzle.state.facts, MOST_RULES, budget)
        found = finish(_shortest(puzzle, UnrolledPlay(puzzle, net), progress), budget.check)
    except LimitReached:
        return Cooperation("unknown", None, (), (), budget.seconds)
    if found is None:
        return Cooperation("impossible", None, (), (), budget.seconds)
    turns, line = found
    text = tuple(line_texts(puzzle.state, line))
    return Cooperation("possible", turns, line, text, budget.seconds)


def _shortest(
    puzzle: Puzzle, play: UnrolledPlay, progress: Callable[[int, int], None]
) -> Generator[None, None, tuple[int, Line] | None]:
    """The fewest turns, and a line; None if no line reaches the goal within the turns allowed."""
    for turns in count():
        if puzzle.within is not None and turns > puzzle.within:
            return None
        for ply in count():
            progress(turns, ply)
            line = yield from play.reach(ply, turns)
            if line is not None:
                return turns, line
            if not (yield from play.continues(ply, turns)):
                break
        if not (yield from play.continues(ply)):
            return None
    return None
