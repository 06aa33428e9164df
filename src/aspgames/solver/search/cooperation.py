"""Both sides together: the shortest line of play to the goal, by planning with clingo's solver.

The net's circuit is unrolled ply by ply. Every side may make any legal move. The search ends when
some line reaches the goal, or no line continues (Kautz and Selman 1992, *Planning as
Satisfiability*).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

import clingo

from ...propnet.circuit import FALSE
from ...propnet.circuit_program import CircuitProgram
from ...propnet.net import net_for
from ...puzzle.problem import Puzzle
from ...puzzle.solution import Cooperation, line_texts
from ...runtime.budget import MOST_RULES, Budget
from ...runtime.errors import LimitReached
from .phase_goals import Phase
from .unfit_states import unfit

_MOST_GATES = 10_000_000  # in all plies together


def together(
    puzzle: Puzzle,
    budget: Budget | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Cooperation:
    """Find the shortest line to a puzzle's goal if both sides cooperate.

    Args:
        puzzle: The question. Turns are counted as in any puzzle.
        budget: The limits. If one is reached, the verdict is ``unknown``.
        progress: Takes the current numbers of turns and of plies.

    Raises:
        BadRequest: The sides don't take turns.
        RulesError: A state doesn't determine everything that follows from it.
    """
    budget = budget or Budget()
    try:
        lines = _Lines(puzzle, budget)
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
    """The fewest turns, and a line; None if no line reaches the goal within the turns allowed."""
    for turns in count():
        if within is not None and turns > within:
            return None
        for ply in count():
            progress(turns, ply)
            line = lines.reach(ply, turns)
            if line is not None:
                return turns, line
            if not lines.continues(ply, turns):
                break
        if not lines.continues(ply):
            return None
    return None


@dataclass(frozen=True, slots=True)
class _Ply:
    """The literals of one ply, at which every side makes any legal move."""

    alive: int
    """Whether the line reaches the ply."""
    does: dict[tuple[str, str], int]
    """The literals of the moves made, by role and term."""
    following: dict[int, int]
    """The circuit's inputs for the fluents of the next state."""
    on_move: dict[str, int]
    reached: int
    """Whether the state reaches the goal."""
    mixed: int
    """Whether the sides don't take turns."""
    found: int
    """Whether ``reached`` or ``mixed`` holds, so that longer lines don't matter."""
    begins: int
    """Whether the attacker begins a turn."""
    continues: int
    """Whether the line makes a move here."""


class _Lines:
    """All lines of play from a puzzle's position, unrolled ply by ply on demand."""

    def __init__(self, puzzle: Puzzle, budget: Budget) -> None:
        self._puzzle, self._budget = puzzle, budget
        net = net_for(puzzle.state.game.rules, puzzle.state.facts, MOST_RULES, budget)
        self._phase = phase = Phase(net, None, puzzle, lemmas=False)
        self._circuit, self._moves = phase.circuit, net.moves
        self._next = {
            node: net.outputs.next.get(fluent, FALSE) for fluent, node in self._circuit.true.items()
        }
        self._outputs = [
            *(phase.reached, phase.mixed, phase.terminal, *phase.on_move.values()),
            *(*phase.legal.values(), *self._next.values()),
        ]
        self._program = CircuitProgram()
        holds, true = frozenset(puzzle.state.facts), self._program.true
        self._start = {
            node: true if fluent in holds else -true for fluent, node in self._circuit.true.items()
        }
        self._plies: list[_Ply] = []
        self._more: dict[tuple[int, int], int] = {}

    def reach(self, ply: int, turns: int) -> tuple[str, ...] | None:
        """A line that reaches the goal in ``ply`` plies and within ``turns`` turns, or None."""
        while len(self._plies) <= ply:
            self._budget.check()
            if len(self._plies) * self._circuit.size > _MOST_GATES:
                raise LimitReached(f"lines of {ply} plies make the program too large")
            with self._program.writing():
                self._plies.append(self._next_ply())
        last = self._plies[ply]
        return self._solve([last.alive, last.found, -self._more_than(turns, ply)], ply)

    def continues(self, ply: int, turns: int | None = None) -> bool:
        """Whether some line makes another move after ``ply`` plies and at most ``turns`` turns."""
        within = [] if turns is None else [-self._more_than(turns, ply + 1)]
        return self._solve([self._plies[ply].continues, *within], ply) is not None

    def _next_ply(self) -> _Ply:
        program, phase, puzzle = self._program, self._phase, self._puzzle
        before = self._plies[-1] if self._plies else None
        nodes = self._circuit.does
        does = {move: program.choice() for move in self._moves}
        inputs = before.following if before else self._start
        made_inputs = {node: does[move] for move, node in nodes.items() if move in does}
        literal = program.copy(self._circuit, inputs | made_inputs, self._outputs)
        made = []
        for side in puzzle.sides:
            own = [(does[move], move) for move in self._moves if move[0] == side]
            for atom, move in own:
                program.never(atom, -literal(phase.legal[move]))
            program.never(program.several(atom for atom, _ in own))
            made.append(program.atom([atom] for atom, _ in own))
        alive = before.continues if before else program.true
        attacks = literal(phase.attacks)
        reached, mixed = literal(phase.reached), literal(phase.mixed)
        on_move = {role: literal(node) for role, node in phase.on_move.items()}
        waited = before is not None and puzzle.defender is not None
        attacked = [-before.on_move[puzzle.attacker]] if before and waited else []
        return _Ply(
            alive=alive,
            does=does,
            following={node: literal(following) for node, following in self._next.items()},
            on_move=on_move,
            reached=reached,
            mixed=mixed,
            found=program.atom([[reached], [mixed]]),
            begins=program.atom([[attacks, *attacked]]),
            continues=program.atom([[alive, -literal(phase.terminal), *made]]),
        )

    def _more_than(self, turns: int, plies: int) -> int:
        """A literal for lines that begin more than ``turns`` turns in their first plies."""
        if (turns, plies) not in self._more:
            begins = [(each.begins, 1) for each in self._plies[:plies]]
            with self._program.writing():
                self._more[turns, plies] = self._program.at_least(turns + 1, begins)
        return self._more[turns, plies]

    def _solve(self, wanted: list[int], plies: int) -> tuple[str, ...] | None:
        """A line of ``plies`` plies that satisfies one of the literals, or None."""

        def line(model: clingo.Model) -> tuple[str, ...]:
            if model.is_true(self._plies[plies].mixed):
                raise unfit(self._puzzle)
            return tuple(_move(model, ply) for ply in self._plies[:plies])

        return self._program.find(self._budget, wanted, line)


def _move(model: clingo.Model, ply: _Ply) -> str:
    """The move of the side on move in a model; in a forced ply, the last side's."""
    *_, last = ply.on_move
    mover = next((role for role, lit in ply.on_move.items() if model.is_true(lit)), last)
    return next(
        term
        for (role, term), literal in ply.does.items()
        if role == mover and model.is_true(literal)
    )
