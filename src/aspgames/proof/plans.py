"""Plans: moves of one side that hold whatever the other does; clingo looks for a counterexample.

The rules are unrolled over the plan's plies (see ``unrolled``) with the plan's moves fixed and the
other side's free. A line of play is alive until it ends, and bad where it breaks the plan's claim;
if no answer set has a bad line, the plan holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import clingo

from ..budget import Budget
from ..errors import LimitReached
from ..puzzle.problem import Puzzle
from .open_rules import OpenRules
from .stepper import State
from .unrolled import Ply, Unrolled, Writer

Plan = Sequence[str | None]
"""What a side does at each ply; None where the other side is on move."""

LONGEST_PLAN = 1000  # plies
_MOST_RULES = 3_000_000  # in all plies
_MOST_CONFLICTS = 300_000  # for one plan


class Plans:
    """Checks plans of one side: the attacker's, to reach the goal; the defender's, to prevent it.

    The program grows with the longest plan, so short plans should come first.
    """

    def __init__(self, rules: OpenRules, puzzle: Puzzle, attacks: bool, budget: Budget) -> None:
        """``attacks`` says whose plans they are."""
        self._rules, self._budget, self.attacks = rules, budget, attacks
        self.program = program = Unrolled(rules, puzzle)
        program.control.configuration.solve.solve_limit = str(_MOST_CONFLICTS)  # type: ignore[union-attr]
        sides = (program.attacker, program.defender)
        self.own, self.other = sides if attacks else sides[::-1]
        self._plies: list[_PlannedPly] = []
        with program.control.backend() as backend:
            write = Writer(backend)
            self.spent = write.open(write.atom())

    def counterexample(self, state: State, plan: Plan, turns: float) -> str | None:
        """Why the plan doesn't hold from a state; None if it does.

        ``turns`` is how many turns the attacker may begin after the state. Raises ``LimitReached``
        if the plan is too long or clingo can't settle it.
        """
        attacks = [(move is not None) == self.attacks for move in plan]
        begun = sum(now and not before for before, now in pairwise(attacks))
        if self.attacks and begun > turns:
            return f"it begins {begun} more turns, and the attacker has {max(turns, 0)} left"
        begun += bool(attacks) and not attacks[-1]
        for place, move in enumerate(plan):
            if move is not None and (self.own, move) not in self._rules.does:
                return f"{self.own} never has the move at ply {place}"
        self._extend(len(plan) + 1)
        literals = [self.spent if begun > turns else -self.spent]
        for place, atom in enumerate(self._plies[0].ply.true):
            literals.append(atom if state >> place & 1 else -atom)
        for move, ply in zip(plan, self._plies, strict=False):
            literals += [-ply.end, -ply.mine] if move is None else [-ply.end, ply.mine]
            if move is not None:
                literals.append(ply.plan[move])
        last = self._plies[len(plan)]
        return self._solve([*literals, last.end, last.found], plan)

    def _solve(self, literals: list[int], plan: Plan) -> str | None:
        self._budget.check()
        control = self.program.control
        with control.solve(assumptions=literals, yield_=True, async_=True) as handle:
            while not handle.wait(0.1):
                self._budget.check()
            model = handle.model()
            if model is not None:
                return self._story(model, plan)
            if not handle.get().exhausted:
                raise LimitReached(f"clingo can't settle a plan within {_MOST_CONFLICTS} conflicts")
        return None

    def _story(self, model: clingo.Model, plan: Plan) -> str:
        """What happens to the plan in a model."""
        line: list[str] = []
        for place, move in enumerate([*plan, None]):
            ply = self._plies[place]
            if model.is_true(ply.bad):
                break
            does = ply.ply.does.items()
            made = [term for (r, term), a in does if r == self.other and model.is_true(a)]
            line.append(move if move is not None else made[0])
        after = f"after {' '.join(line)}, " if line else ""
        return after + self._fault(model, ply, move, len(line) == len(plan))

    def _fault(
        self, model: clingo.Model, planned: _PlannedPly, move: str | None, at_the_end: bool
    ) -> str:
        ply = planned.ply
        side = self.other if move is None else self.own
        if model.is_true(ply.unsettled):
            return "several sides have a choice"
        if model.is_true(ply.reached):
            return "the goal stands"
        if model.is_true(ply.terminal):
            return "the game is over without the goal"
        if at_the_end:
            return "the goal doesn't stand" if self.attacks else "the attacker can go on"
        if not model.is_true(ply.turn[side]):
            return f"{side} is not on move"
        return f"{side} is stuck" if move is None else f"{move} is not legal"

    def _extend(self, plies: int) -> None:
        if plies * len(self._rules.rules) > _MOST_RULES:
            raise LimitReached(f"a plan of {plies - 1} plies makes the program too large")
        while len(self._plies) < plies:
            self._budget.check()
            with self.program.control.backend() as backend:
                before = self._plies[-1] if self._plies else None
                self._plies.append(_PlannedPly(self, Writer(backend), before))


class _PlannedPly:
    """A ply at which the plan's side makes the plan's move, or the other side makes any."""

    def __init__(self, plans: Plans, write: Writer, before: _PlannedPly | None) -> None:
        self._plans = plans
        self.ply: Ply = plans.program.add_ply(write, before.ply.following if before else None)
        self.mine: int = write.open(write.atom())
        """Whether the plan has a move for this ply, which is then ``plan``'s only true one."""
        self.end: int = write.open(write.atom())
        """Whether the plan ends here."""
        self.plan: dict[str, int] = self._choose(write)
        alive = before.goes_on if before else write.atom([])
        running = [alive, -self.ply.terminal, -self.end]
        live = write.atom([*running, -self.ply.reached] if plans.attacks else running)
        made = {player: self._made(write, player) for player in plans.program.players}
        self.goes_on: int = write.atom([live, *made.values()])
        self.bad: int = write.atom(
            [alive, self.ply.unsettled],
            [live, self.mine, -self.ply.turn[plans.own]],
            [live, -self.mine, -self.ply.turn[plans.other]],
            [live, self.mine, -made[plans.own]],
            *(self._failures(alive, live)),
        )
        self.found: int = write.atom([self.bad], *([[before.found]] if before else []))

    def _choose(self, write: Writer) -> dict[str, int]:
        """What each side may do. The plan's own moves are made even where they aren't legal.

        So they are certain for the solver on all lines, whether these have ended or not.
        """
        plan: dict[str, int] = {}
        own = self._plans.own
        for move, does in self.ply.does.items():
            role, term = move
            legal = self.ply.legal[move]
            if role == own:
                plan[term] = write.open(write.atom(), [self.mine])
                write.rule(does, [plan[term]])
                write.open(does, [legal, -self.mine])
            else:
                write.open(does, [legal])
        write.never(write.several(plan.values()))
        for player in self._plans.program.players:
            moves = [atom for (role, _), atom in self.ply.does.items() if role == player]
            write.never(write.several(moves))
        return plan

    def _made(self, write: Writer, player: str) -> int:
        """Whether a player makes a legal move."""
        moves = [move for move in self.ply.does if move[0] == player]
        return write.atom(*([self.ply.does[move], self.ply.legal[move]] for move in moves))

    def _failures(self, alive: int, live: int) -> list[list[int]]:
        """Where a line that is alive breaks the claim of the side's plans."""
        ply, plans = self.ply, self._plans
        if plans.attacks:
            return [
                [alive, ply.terminal, -ply.reached],
                [alive, self.end, -ply.reached],
                [live, -self.mine, -ply.able[plans.other]],
            ]
        ends = [alive, self.end, -ply.terminal]
        return [
            [alive, ply.reached],
            [*ends, -ply.turn[plans.other]],
            [*ends, ply.able[plans.other], -plans.spent],
        ]
