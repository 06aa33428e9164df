"""Puzzles solved by clingo's grounder, for rules of which no net fits.

Depth-first search with one more turn in each round (iterative deepening: Korf 1985). Each state
takes milliseconds, so only short puzzles are decided.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ..game.state import State
from ..gdl.rules import Facts
from ..puzzle.problem import Puzzle
from ..puzzle.solved import Position, Solved
from ..runtime.budget import Budget


class SolvedByGrounder(Solved):
    """A puzzle that the grounder solves."""

    def __init__(self, puzzle: Puzzle, budget: Budget, progress: Callable[[str], None]) -> None:
        """Examine the puzzle's position only."""
        puzzle.refuse_unless_sides_take_turns()
        self.progress = progress
        self._entries: dict[Facts, _Grounded] = {}
        self.proved: dict[_Grounded, float] = {}
        """The fewest turns so far that force the goal."""
        self.refuted: dict[_Grounded, float] = {}
        """The most turns so far that don't."""
        self.limits = self.cycles = 0
        """How often the limit on turns, or a repeated state, ended a line of the search."""
        self._ask(puzzle, budget)

    @property
    def fluents(self) -> tuple[str, ...]:
        """The fluents of the states that were examined."""
        return tuple(sorted(frozenset().union(*self._entries)))

    @property
    def positions(self) -> int:
        """The number of states examined."""
        return len(self._entries)

    def find_distance(self, first: bool) -> int | None:  # noqa: ARG002
        """The least number of turns that suffice; None if none do."""
        forced = self.fewest(self.root, self.turns_left) < math.inf
        return int(self.bounds[1]) if forced else None

    def fewest(self, position: _Grounded, most: float) -> float:
        """The fewest turns that force the goal; infinite if ``most`` turns don't.

        A further turn that refutes no state less makes no difference, nor does any after it. So
        there is no use in more turns than states.
        """
        turns = 0
        while turns <= most and not self.search(position, turns, set()):
            if turns > len(self._entries):
                self.refuted[position] = math.inf
            if self.refuted.get(position) == math.inf:
                return math.inf
            turns += 1
        return turns if position.goal_reached or turns <= most else math.inf

    def _ask(self, puzzle: Puzzle, budget: Budget) -> None:
        state = puzzle.state.game.without_nets.checked(puzzle.state.facts)
        self.puzzle, self.budget = replace(puzzle, state=state), budget
        self.root: _Grounded = self.entry(state)

    def for_attacker(self, attacker: str) -> SolvedByGrounder:
        """This puzzle for another attacker."""
        return SolvedByGrounder(replace(self.puzzle, attacker=attacker), self.budget, self.progress)

    def entry(self, state: State) -> _Grounded:
        """The position for a state."""
        found = self._entries.get(state.facts)
        if found is None:
            self.budget.check()
            puzzle, answers = self.puzzle, state.consequences
            reached = puzzle.goal.holds(answers, puzzle.attacker)
            stuck = not answers.forced and not state.legal_moves
            attacks = puzzle.attacks(state)
            found = _Grounded(reached, not reached and stuck, attacks, self, state)
            self._entries[state.facts] = found
        return found if found.solved is self else replace(found, solved=self)

    def search(self, position: _Grounded, turns: float, path: set[_Grounded]) -> bool:
        """Whether the attacker forces the goal by lines that repeat no state of the path."""
        if position.goal_reached or position.over or self.proved.get(position, math.inf) <= turns:
            return not position.over
        refuted = self.refuted.get(position, -1)
        if turns <= refuted:
            self.limits += refuted < math.inf
            return False
        if position in path:
            self.cycles += 1
            return False
        limits, cycles = self.limits, self.cycles
        path.add(position)
        try:
            answers = (
                self.search(child, position.turns_after(child, turns), path)
                for _, child in position.children()
            )
            forced = any(answers) if position.attacks else all(answers)
        finally:
            path.discard(position)
        if forced:
            self.proved[position] = turns
        elif self.cycles == cycles:
            self.refuted[position] = turns if self.limits > limits else math.inf
        elif not path and self.limits == limits:
            self.refuted[position] = math.inf
        return forced


@dataclass(frozen=True, slots=True)
class _Grounded(Position):
    solved: SolvedByGrounder = field(repr=False, compare=False)
    state: State

    @property
    def fluents(self) -> frozenset[str]:
        return frozenset(self.state.facts)

    def children(self) -> list[tuple[str, _Grounded]]:
        state = self.state
        if self.goal_reached or self.over:
            return []
        moves = self.puzzle.moves(state)
        return sorted((move.term, self.solved.entry(state.play(move))) for move in moves)

    @property
    def bounds(self) -> tuple[float, float]:
        """What the search knows so far."""
        if self.goal_reached:
            return 0, 0
        refuted = math.inf if self.over else self.solved.refuted.get(self, -1)
        return refuted + 1, self.solved.proved.get(self, math.inf)

    def forced(self, turns: float) -> bool:
        if turns == math.inf:
            return self.solved.fewest(self, turns) < math.inf
        return self.solved.search(self, turns, set())
