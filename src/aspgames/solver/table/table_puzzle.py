"""Puzzles solved by a table: whether a side can force a win."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from ...game.state import State
from ...gdl.rules import HIGHEST_GOAL
from ...puzzle.goal import GoalKind
from ...puzzle.problem import Puzzle
from ...puzzle.solution import Solution
from ...puzzle.solved import Position, PuzzleRun, Solved
from ...runtime.budget import Budget
from ...runtime.errors import BadRequest, LimitReached
from ...runtime.json_lines import JsonObject
from .lookup import Bounds, Table
from .outcomes import opposed


class SolvedByTable(Solved):
    """A puzzle that a table solves; a search finds the same solution."""

    def __init__(
        self,
        puzzle: Puzzle,
        table: Table,
        budget: Budget | None = None,
        progress: Callable[[str], None] = lambda _text: None,
    ) -> None:
        """Look up the puzzle's position.

        Raises ``BadRequest`` for other goals than ``win`` and for games whose sides aren't opposed,
        and ``BadPosition`` for a position that isn't in the table.
        """
        table.must_be_of(puzzle.state.game)
        if puzzle.goal.kind is not GoalKind.WIN:
            raise BadRequest(f"a table answers the goal win only, not {puzzle.goal.text}")
        outcomes = table.about.outcomes
        if len(table.about.roles) > 1 and (not opposed(outcomes) or (100, 100) in outcomes):
            raise BadRequest(f"{table.path} is of a game whose sides aren't opposed")
        if table.about.stuck:
            raise BadRequest(f"{table.path} is of a game where a role can be stuck before the end")
        self.table, self.progress = table, progress
        self._ask(puzzle, budget or Budget())

    @property
    def fluents(self) -> tuple[str, ...]:
        """The fluents that play can change."""
        return tuple(sorted(self.table.about.fluents))

    @property
    def positions(self) -> int:
        """The number of states looked up for the verdict and the keys."""
        return 1 + len(self.puzzle.moves(self.puzzle.state))

    def find_distance(self, first: bool) -> int | None:  # noqa: ARG002
        """The table's distance. Raises ``BadRequest`` if the sides don't take turns ply by ply."""
        self.root.children()
        return int(self.bounds[1]) if self.root.forced(self.turns_left) else None

    def _ask(self, puzzle: Puzzle, budget: Budget) -> None:
        self.puzzle, self.budget = puzzle, budget
        self.root: _Entry = self.entry(puzzle.state)

    def for_attacker(self, attacker: str) -> SolvedByTable:
        """This puzzle for another attacker, with the same table."""
        return SolvedByTable(replace(self.puzzle, attacker=attacker), self.table)

    def entry(self, state: State) -> _Entry:
        """The position for a state. Raises ``BadPosition`` if the state isn't in the table."""
        value = self.table.value(state)
        attacks = self.puzzle.attacks(state)
        wins = value.goals is not None and value.goals[self.puzzle.attacker] == 100
        ended, turns = value.distance == 0, math.inf
        if wins and value.distance is not None:
            alone = self.puzzle.defender is None
            turns = max(0, value.distance - 1) if alone else value.distance // 2
        return _Entry(wins and ended, ended and not wins, attacks, self, state, turns)


class ChanceByTable(PuzzleRun):
    """A puzzle with chance that a table solves, for any number of turns."""

    def __init__(
        self, puzzle: Puzzle, table: Table, budget: Budget, progress: Callable[[str], None]
    ) -> None:
        """Look up the puzzle's position.

        Raises ``BadRequest`` for a number of turns, for other goals than ``win``, and where the
        attacker's goal value may be another than 0 and 100, and ``BadPosition`` for a position that
        isn't in the table.
        """
        table.must_be_of(puzzle.state.game)
        is_answered = puzzle.goal.kind is GoalKind.WIN or puzzle.goal.expected
        if not is_answered or puzzle.within is not None:
            raise BadRequest(
                "a table of a game with chance answers the goals win and score, without within"
            )
        if table.about.stuck:
            raise BadRequest(f"{table.path} is of a game where a role can be stuck before the end")
        role = table.about.roles.index(puzzle.attacker)
        between = {goals[role] for goals in table.about.outcomes} - {0, HIGHEST_GOAL}
        if between and not puzzle.goal.expected:
            raise BadRequest(
                f"{table.path} has expected goal values, not probabilities: "
                f"{puzzle.attacker} can end with {min(between)}"
            )
        self._one = 1 if puzzle.goal.expected else HIGHEST_GOAL
        self.puzzle, self.budget, self.progress = puzzle, budget, progress
        self._table, self._looked_up = table, 1
        self._known = self._bounds(puzzle.state)

    @property
    def positions(self) -> int:
        """The number of states looked up."""
        return self._looked_up

    def run(self, first: bool = False) -> Solution:
        """Solve the puzzle; with ``first``, find only the verdict."""
        low, high = self._known
        state, moves = self.puzzle.state, dict[str, Bounds]()
        if state.to_move == self.puzzle.attacker and not first:
            moves = {m.term: self._bounds(state.play(m)) for m in state.legal_moves}
        keys = sure_best(moves) if low > 0 else []
        is_unknown = low < self.puzzle.asked <= high and self._one > 1
        is_forced = low >= self.puzzle.asked or self._one == 1
        self._looked_up = 1 + len(moves)
        verdict = "forced" if is_forced else "unknown" if is_unknown else "not_forced"
        found = self.solution(verdict, keys=keys)
        return found.with_bounds(low, high, self.puzzle.goal.measure[0])

    def own_certificate(self, solution: Solution) -> JsonObject | None:  # noqa: ARG002
        """There is none. Raises ``LimitReached``."""
        raise LimitReached("a table of a game with chance has none: leave --table out")

    def _bounds(self, state: State) -> Bounds:
        """The bounds of the probability, or the expected value, at a state."""
        low, high = (self._table.value(state).expected or {})[self.puzzle.attacker]
        return low / self._one, high / self._one


def sure_best(moves: Mapping[str, Bounds]) -> list[str]:
    """The moves that are certainly the best ones; empty if the bounds don't decide it."""
    most = max((low for low, _ in moves.values()), default=Fraction(0))
    best = [move for move, (low, _) in moves.items() if low == most]
    others = (high for low, high in moves.values() if low < most)
    ties = len(best) > 1 and any(moves[move][1] > most for move in best)
    return [] if ties or any(high >= most for high in others) else sorted(best)


@dataclass(frozen=True, slots=True)
class _Entry(Position):
    solved: SolvedByTable = field(repr=False, compare=False)
    state: State
    turns: float  # the attacker's turns until the goal, without a turn already begun

    @property
    def fluents(self) -> frozenset[str]:
        """The state's facts, except those that hold in all states."""
        return frozenset(self.state.facts).intersection(self.solved.table.about.fluents)

    def children(self) -> list[tuple[str, _Entry]]:
        self.solved.budget.check()
        moves = self.puzzle.moves(self.state)
        found = [(m.term, self.solved.entry(self.state.play(m))) for m in moves]
        over = (child.goal_reached or child.over for _, child in found)
        if self.puzzle.defender is not None and any(
            child.attacks == self.attacks and not ended
            for (_, child), ended in zip(found, over, strict=True)
        ):
            raise BadRequest(f"the sides of {self.state.game.name} don't take turns ply by ply")
        return sorted(found, key=lambda one: one[0])

    @property
    def bounds(self) -> tuple[float, float]:
        """The exact number of turns, twice."""
        return self.turns, self.turns

    def forced(self, turns: float) -> bool:
        return self.goal_reached or (self.turns <= turns and self.turns < math.inf)
