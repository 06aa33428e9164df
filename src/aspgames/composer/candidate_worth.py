"""What a candidate for a puzzle is worth, and the search for a better one."""

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from random import Random

from ..gdl.rules import Facts
from ..runtime.budget import Budget
from .bounded_search import BoundedSearch, Undecided
from .judgement import MOST_COUNTED, WEIGHTS, forcing, promise, with_other_side
from .solution_set import SolutionSet

_WARM, _COLD = 0.35, 0.02  # temperatures of a walk, in points of the score


@dataclass(frozen=True, slots=True)
class Candidate:
    """A position that is a puzzle, or almost one."""

    facts: Facts
    attacker: str
    look: SolutionSet


@dataclass(frozen=True, slots=True)
class CandidateWorth:
    """What candidates are worth, in points of the score."""

    ask: BoundedSearch
    valid: Container[Facts] | None
    """The positions that the rules allow, if they are known without the grounder."""
    budget: Budget

    def promise(self, seen: Candidate) -> float | None:
        """A candidate's promise; None if it has no solution, or it takes too long."""
        if not seen.look.solutions:
            return None
        try:
            return promise(self.ask, self.ask.at(seen.facts, self.budget), seen.look)
        except Undecided:
            return None

    def costs(self, seen: Candidate) -> float:
        """What a key costs that gives check, and what threats after the first do.

        Raises ``Undecided``.
        """
        ask = self.ask
        root = ask.at(seen.facts, self.budget)
        child = dict(root.children())[seen.look.solutions[0]]
        if child.goal_reached:
            return 0.0
        before, after = (with_other_side(ask.state(each), self.valid) for each in (root, child))
        if after is None:
            return WEIGHTS["taken"] * (before is not None)
        if not ask.knows(after.facts):
            return 0.0
        threats = forcing(ask, ask.at(after.facts, self.budget), seen.look.distance - 2, True)
        return WEIGHTS["threats"] * max(0, min(MOST_COUNTED["threats"], len(threats) - 1))


def anneal(
    starts: Sequence[Candidate],
    worth: CandidateWorth,
    steps: int,
    random: Random,
    change: Callable[[Facts], Facts | None],
    look: Callable[[Facts], Candidate | None],
) -> Candidate | None:
    """The best sound candidate of a walk from the best start, if there is any.

    Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983), by what candidates promise.

    Args:
        starts: The candidates of which the best is the start.
        worth: What candidates are worth.
        steps: The number of changes.
        random: Chooses what gets worse.
        change: A position with one change; None if it is of no use.
        look: A position as a candidate; None if it is no puzzle, not even almost.
    """
    promised = [(points, each) for each in starts if (points := worth.promise(each)) is not None]
    if not promised:
        return None
    points, now = max(promised, key=lambda each: (each[0], each[1].facts))
    best = (points, now) if now.look.is_sound else None
    for step in range(steps):
        heat = _WARM + (_COLD - _WARM) * step / steps
        facts = change(now.facts)
        if facts is None:
            continue
        other = look(facts)
        value = worth.promise(other) if other else None
        least = points - heat * random.expovariate(1)
        if other is None or value is None or value < least:
            continue
        try:
            value += worth.costs(other)  # asked late, because it takes longest
        except Undecided:
            continue
        if value < least:
            continue
        points, now = value, other
        if now.look.is_sound and (best is None or points > best[0]):
            best = points, now
    return best[1] if best else None
