"""Both sides together: the shortest line of play to the goal, as clingo planning.

The rules are unrolled ply by ply (see ``unrolled``), every side free to make any legal move, until
some line reaches the goal, or no line goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import clingo

from ...puzzle.problem import Puzzle
from ...puzzle.solution import Cooperation, line_texts
from ...runtime.budget import Budget
from ...runtime.errors import BadRequest, LimitReached
from .open_rules import OpenRules, open_rules
from .unrolling import Ply, Unrolled, Writer

_MOST_RULES = 3_000_000  # in all plies


def together(
    puzzle: Puzzle,
    budget: Budget | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Cooperation:
    """Find the shortest line to a puzzle's goal if both sides help.

    Turns are counted as in a puzzle. ``progress`` is called with the number of turns and of plies
    being tried. Where the budget runs out, or the program would become too large, the verdict is
    ``unknown``. Raises ``BadRequest`` if the game turns out to have neither a single role nor two
    that alternate, and ``RulesError`` if the rules don't settle what follows from a state.
    """
    budget = budget or Budget()
    try:
        rules = open_rules(puzzle.state.game.rules, puzzle.state.facts, budget)
        lines = _Lines(rules, puzzle, budget)
        found = _shortest(lines, puzzle.within, progress or (lambda _turns, _plies: None))
    except LimitReached:
        return Cooperation("unknown", None, (), (), budget.seconds)
    if found is None:
        return Cooperation("impossible", None, (), (), budget.seconds)
    turns, line = found
    text = tuple(line_texts(puzzle.state, line))
    return Cooperation("possible", turns, line, text, budget.seconds)


def _shortest(
    lines: _Lines, within: int | None, progress: Callable[[int, int], None]
) -> tuple[int, tuple[str, ...]] | None:
    """The fewest turns and a line; None if no line comes to the goal within the turns allowed."""
    for turns in count():
        if within is not None and turns > within:
            return None
        for ply in count():
            progress(turns, ply)
            line = lines.reach(ply, turns)
            if line is not None:
                return turns, line
            if not lines.go_on(ply, turns):
                break
        if not lines.go_on(ply):
            return None
    return None


class _Lines:
    """All lines of play from a puzzle's position, of as many plies as were asked for."""

    def __init__(self, rules: OpenRules, puzzle: Puzzle, budget: Budget) -> None:
        self._rules, self._budget = rules, budget
        self._program = Unrolled(rules, puzzle)
        self._plies: list[_FreePly] = []
        self._more: dict[tuple[int, int], int] = {}
        self._extend(0)
        holds = set(puzzle.state.facts)
        true = zip(self._program.fluents, self._plies[0].ply.true, strict=True)
        self._start = [atom if fluent in holds else -atom for fluent, atom in true]

    @property
    def plies(self) -> int:
        """How far the rules are unrolled."""
        return len(self._plies) - 1

    def reach(self, ply: int, turns: int) -> tuple[str, ...] | None:
        """A line to the goal in so many plies, and within so many turns; None if there is none."""
        self._extend(ply)
        last = self._plies[ply]
        return self._solve([last.alive, last.found, -self._more_than(turns, ply)], ply)

    def go_on(self, ply: int, turns: int | None = None) -> bool:
        """Whether a line has a move after so many plies; that may begin one of so many turns."""
        within = [] if turns is None else [-self._more_than(turns, ply + 1)]
        return self._solve([self._plies[ply].goes_on, *within], ply) is not None

    def _extend(self, ply: int) -> None:
        if ply * len(self._rules.rules) > _MOST_RULES:
            raise LimitReached(f"lines of {ply} plies make the program too large")
        while self.plies < ply:
            with self._program.control.backend() as backend:
                before = self._plies[-1] if self._plies else None
                self._plies.append(_FreePly(self._program, Writer(backend), before))

    def _more_than(self, turns: int, plies: int) -> int:
        """An atom for lines that begin more turns in their first plies."""
        if (turns, plies) not in self._more:
            begins = [(each.begins, 1) for each in self._plies[:plies]]
            with self._program.control.backend() as backend:
                self._more[turns, plies] = Writer(backend).at_least(turns + 1, begins)
        return self._more[turns, plies]

    def _solve(self, wanted: list[int], plies: int) -> tuple[str, ...] | None:
        """A line of so many plies for which something holds; None if there is none."""
        self._budget.check()
        control = self._program.control
        with control.solve(assumptions=[*self._start, *wanted], yield_=True, async_=True) as handle:
            while not handle.wait(0.1):
                self._budget.check()
            model = handle.model()
            if model is None:
                return None
            if model.is_true(self._plies[plies].ply.unsettled):
                raise BadRequest("puzzles are for games in which one side moves at a time")
            return tuple(_move(model, each.ply) for each in self._plies[:plies])


class _FreePly:
    """A ply at which every side makes any legal move."""

    def __init__(self, program: Unrolled, write: Writer, before: _FreePly | None) -> None:
        self.ply: Ply = program.add_ply(write, before.ply.following if before else None)
        self.alive: int = before.goes_on if before else write.atom([])
        """Whether the line comes to it."""
        made = []
        for player in program.players:
            moves = [move for move in self.ply.does if move[0] == player]
            atoms = [self.ply.does[move] for move in moves]
            for move, atom in zip(moves, atoms, strict=True):
                write.open(atom, [self.ply.legal[move], -self.ply.terminal])
            write.never(write.several(atoms))
            made.append(write.atom(*([atom] for atom in atoms)))
        self.goes_on: int = write.atom([self.alive, -self.ply.terminal, *made])
        """Whether it has a move there."""
        attacks = self.ply.on_move[program.attacker]
        alone = program.defender is None
        waited = [-before.ply.on_move[program.attacker]] if before and not alone else []
        self.begins: int = write.atom([attacks, *waited])
        """Whether the attacker begins a turn."""
        self.found: int = write.atom([self.ply.reached], [self.ply.unsettled])
        """Whether there is no need to look further."""


def _move(model: clingo.Model, ply: Ply) -> str:
    """What the side on move does in a model."""
    mover = next(role for role, atom in ply.on_move.items() if model.is_true(atom))
    does = ply.does.items()
    return next(term for (role, term), a in does if role == mover and model.is_true(a))
