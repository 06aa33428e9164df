"""Plans: moves of one side that work whatever the other does; clingo looks for a counterexample.

Plans that differ only in their states and moves form one situation, and each ply is a step (see
``situations``). In each answer set clingo chooses one plan and makes its moves; the other side
makes any moves. A line of play is alive until it ends, and bad if it breaks its plan's claim. If no
answer set has a bad line, all plans hold.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from operator import and_

from ...asp.canonical import canonical
from ...asp.clingo_api import Function, Model, Number, Symbol, Tuple_, atom_count, has_atom
from ...asp.grounding import ground_parts
from ...asp.solving import finding, finish
from ...asp.symbols import known_symbol
from ...asp.terms import shorten
from ...runtime.budget import Budget
from ...runtime.errors import LimitReached
from ..question import HasFacts, PuzzleQuestion
from .situations import Grounding
from .stepper import State

Plan = Sequence[str | None]
"""A side's move at each ply; None where the other side is on move."""

LONGEST_PLAN = 1000  # plies
_MOST_ATOMS = 5_000_000  # in all plies together
_MOST_CONFLICTS = 300_000  # for one plan
_HIGHEST_LIMIT = 2**32 - 2  # clingo's highest limit on conflicts
_KEPT_PLIES = 300  # plies kept in memory
_GROUP = 200  # plans checked together


@dataclass(frozen=True, slots=True)
class PlacedPlan:
    """A plan for a state."""

    place: str
    """Its place in the certificate."""
    attacks: bool
    """Whether it is the attacker's plan, to reach the goal; else the defender's, to prevent it."""
    state: State
    plan: Plan
    turns: float
    """The number of turns that the attacker may begin after the state."""

    def impossible(self, puzzle: PuzzleQuestion[HasFacts]) -> str | None:
        """Why the plan fails under any rules; None if it might hold."""
        begun = self._begun(puzzle)
        if self.attacks and begun > self.turns:
            if self.turns < 0:
                return "the attacker is out of turns"
            return f"it begins {begun} more turns, and the attacker has {self.turns} left"
        moves = (move for move in self.plan if move is not None)
        wrong = next((move for move in moves if canonical(move) != move), None)
        return None if wrong is None else f"{shorten(wrong)!r} is no move"

    def spent(self, puzzle: PuzzleQuestion[HasFacts]) -> bool:
        """Whether the attacker would exceed its turns after the plan."""
        attacks = self._attacks
        begins = bool(attacks) and puzzle.begins_turn(attacks[-1], True)
        return self._begun(puzzle) + begins > self.turns

    def _begun(self, puzzle: PuzzleQuestion[HasFacts]) -> int:
        """The number of turns that the plan's plies begin."""
        return sum(puzzle.begins_turn(was, now) for was, now in pairwise(self._attacks))

    def kind(self, puzzle: PuzzleQuestion[HasFacts]) -> tuple[bool, ...]:
        """A key that is equal for plans that clingo can check together."""
        return (self.attacks, self.spent(puzzle), *(move is None for move in self.plan))

    @property
    def _attacks(self) -> list[bool]:
        return [(move is not None) == self.attacks for move in self.plan]


def counterexample(
    puzzle: PuzzleQuestion[HasFacts],
    plans: Iterable[PlacedPlan],
    fluents: Callable[[State], Sequence[Symbol]],
    budget: Budget,
    held: Callable[[int], None] = lambda _: None,
) -> tuple[PlacedPlan, str] | None:
    """A plan that doesn't hold, and why; None if all hold.

    ``fluents`` returns a state's fluents. ``held`` takes the number of plans that hold. Raises
    ``LimitReached`` if a plan is too long, or if clingo doesn't settle it.
    """
    alike: dict[tuple[bool, ...], list[PlacedPlan]] = {}
    for planned in plans:
        if reason := planned.impossible(puzzle):
            return planned, reason
        alike.setdefault(planned.kind(puzzle), []).append(planned)
    for batch in _batches(alike.values()):
        if failure := _Batch(puzzle, batch, fluents, budget).failure():
            return failure
        held(sum(map(len, batch)))
    return None


_Group = Sequence[PlacedPlan]  # plans that clingo checks as one situation


def _batches(alike: Iterable[_Group]) -> Iterator[list[_Group]]:
    """Batches of groups that fit into memory. Groups of short plans come first."""
    groups = [g[first : first + _GROUP] for g in alike for first in range(0, len(g), _GROUP)]
    batch: list[_Group] = []
    plies = 0
    for group in sorted(groups, key=lambda group: len(group[0].plan)):
        plies += len(group[0].plan) + 1
        if batch and plies > _KEPT_PLIES:
            yield batch
            batch, plies = [], len(group[0].plan) + 1
        batch.append(group)
    if batch:
        yield batch


class _Batch:
    """Some groups of plans, unrolled over their plies. Each group is a situation."""

    def __init__(
        self,
        puzzle: PuzzleQuestion[HasFacts],
        groups: Sequence[_Group],
        fluents: Callable[[State], Sequence[Symbol]],
        budget: Budget,
    ) -> None:
        self._puzzle, self._groups, self._budget = puzzle, groups, budget
        grounding = Grounding(puzzle)
        self._control = grounding.control
        states: dict[Symbol, Sequence[Symbol]] = {}
        for number, group in enumerate(groups):
            certain = reduce(and_, (planned.state for planned in group))
            states[Number(number)] = fluents(certain)
            for each, planned in enumerate(group):
                states[_numbers(each, number)] = fluents(planned.state & ~certain)
        running = list(range(len(groups)))
        while running:
            budget.check()
            given = self._given(grounding.steps, running)
            begins = ("ply",) if grounding.steps else ("states", "first")
            sides = [side for side in ("attack", "defence") if side in given]
            ply = grounding.step(("situations", *begins), ("plans", *sides), given, states)
            if atom_count(self._control) > _MOST_ATOMS:
                raise LimitReached(f"a plan of more than {ply} plies makes the program too large")
            running = [n for n in running if has_atom(self._control, _atom("goes_on", n, ply))]
        ground_parts(self._control, ["verdict"])

    def _given(self, ply: int, running: Iterable[int]) -> Mapping[str, list[Symbol]]:
        """The given sets of a ply, by name."""
        given: dict[str, list[Symbol]] = defaultdict(list)
        for number in running:
            group, situation = self._groups[number], Number(number)
            one = group[0]
            given["situations"].append(situation)
            given["attack" if one.attacks else "defence"].append(situation)
            if one.spent(self._puzzle):
                given["spent"].append(situation)
            if ply == 0:
                given["plans"] += [_numbers(each, number) for each in range(len(group))]
            if ply == len(one.plan):
                given["ends"].append(situation)
                continue
            moves = [known_symbol(p.plan[ply] or "") for p in group if one.plan[ply] is not None]
            given["mine"] += [situation] if moves else []
            if len(set(moves)) == 1:
                given["agreed"].append(Tuple_([moves[0], situation]))
            else:
                given["planned"] += [
                    Tuple_([move, Number(each), situation]) for each, move in enumerate(moves)
                ]
        return given

    def failure(self) -> tuple[PlacedPlan, str] | None:
        """A plan that doesn't hold, and why; None if all hold."""
        conflicts = min(_MOST_CONFLICTS * sum(map(len, self._groups)), _HIGHEST_LIMIT)
        message = f"clingo can't settle a plan within {_MOST_CONFLICTS} conflicts"
        found = finding(self._control, self._story, conflicts=conflicts, message=message)
        return finish(found, self._budget.check)

    def _story(self, model: Model) -> tuple[PlacedPlan, str]:
        """The failing plan in a model, and what happens to it."""
        number, ply = min(
            (symbol.arguments[0].number, symbol.arguments[1].number)
            for symbol in model.symbols(atoms=True)
            if symbol.match("bad", 2)
        )
        planned = next(
            planned
            for each, planned in enumerate(self._groups[number])
            if model.contains(_atom("chosen", each, number))
        )
        other = self._puzzle.defender if planned.attacks else self._puzzle.attacker
        made = {
            symbol.arguments[4].number: str(symbol.arguments[1])
            for symbol in model.symbols(atoms=True)
            if symbol.match("m_does", 5)
            and symbol.arguments[2].number == number
            and str(symbol.arguments[0]) == other
        }
        line = [made[n] if move is None else move for n, move in enumerate(planned.plan[:ply])]
        after = f"after {' '.join(line)}, " if line else ""
        return planned, after + self._fault(model, planned, number, ply)

    def _fault(self, model: Model, planned: PlacedPlan, number: int, ply: int) -> str:
        if model.contains(_atom("unsettled", number, ply)):
            return "several sides have a choice"
        if model.contains(_atom("reached", number, ply)):
            return "the goal stands"
        if model.contains(_atom("s_terminal", number, ply)):
            return "the game is over without the goal"
        if ply == len(planned.plan):
            return "the goal doesn't stand" if planned.attacks else "the attacker can go on"
        move = planned.plan[ply]
        attacks = planned.attacks == (move is not None)
        side = self._puzzle.attacker if attacks else self._puzzle.defender
        if side is None:
            return "there is no other side to move"
        turn = [known_symbol(side), *map(Number, (number, ply))]
        if not model.contains(Function("turn", turn)):
            return f"{side} is not on move"
        return f"{side} is stuck" if move is None else f"{move} is not legal"


def _atom(name: str, *numbers: int) -> Symbol:
    return Function(name, [Number(number) for number in numbers])


def _numbers(*numbers: int) -> Symbol:
    return _atom("", *numbers)
