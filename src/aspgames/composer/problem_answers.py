"""Our side's solutions of chess problems, for cross-checks."""

from dataclasses import dataclass

from ..crosscheck.compare.disagreement import Problems
from ..crosscheck.engines.engine import EngineSolution
from ..game.state import State
from ..puzzle.problem import Puzzle
from ..puzzle.stipulation import read_stipulation
from ..runtime.budget import Budget
from ..solver.planner.cooperative_search import together
from ..solver.solvers import solve


def problems_of(stipulation: str, state: State, seconds: float) -> Problems:
    """A stipulation for each position of a game, each solved for at most so many seconds.

    Raises ``BadRequest`` if it is no stipulation, or not one for this state.
    """
    read_stipulation(stipulation, state)
    return Problems(stipulation, _Solver(seconds))


@dataclass(frozen=True)
class _Solver:
    seconds: float

    def __call__(self, state: State, stipulation: str) -> EngineSolution | None:
        attacker, goal, within, helped = read_stipulation(stipulation, state)
        if helped:
            line = together(Puzzle.of(state, attacker, goal, within), Budget(self.seconds))
            return None if line.verdict == "unknown" else EngineSolution(line.distance, None)
        found = solve(state, attacker=attacker, goal=goal, within=within, time=self.seconds)
        if found.verdict == "unknown" or not found.is_complete:
            return None
        return EngineSolution(found.distance, frozenset(found.keys))
