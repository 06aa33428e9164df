"""All lines of play from a position, unrolled ply by ply for clingo's solver.

The net's circuit is copied once for each ply. Every side may make any legal move (Kautz and Selman
1992, *Planning as Satisfiability*).
"""

from collections.abc import Generator, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count

from ...asp.clingo_api import Model
from ...propnet.circuit import FALSE, needed
from ...propnet.circuit_program import CircuitProgram
from ...propnet.net import Net
from ...puzzle.problem import Puzzle
from ...runtime.errors import LimitReached
from ..phase_goals import Phase
from ..unfit_states import unfit
from .exclusive_fluents import Exclusive, exclusive_fluents
from .fewest_moves import fewest_moves
from .move_orders import MoveOrders, Pair, sorted_after

_MOST_GATES = 10_000_000  # in all plies together
_FIRST_CONFLICTS = 500  # of clingo's, with sorted lines and with all lines; later twice as many

Line = tuple[str, ...]
"""The moves of a line, ply by ply."""


@dataclass(frozen=True, slots=True)
class _Ply:
    """The literals of one ply, at which every side makes any legal move."""

    alive: int  # whether the line reaches the ply
    does: dict[tuple[str, str], int]  # the literals of the moves made, by role and term
    following: dict[int, int]  # the circuit's inputs for the fluents of the next state
    on_move: dict[str, int]
    reached: int
    mixed: int  # whether the sides don't take turns
    found: int  # whether ``reached`` or ``mixed`` holds, so that longer lines don't matter
    begins: int  # whether the attacker begins a turn
    continues: int  # whether the line makes a move here


class UnrolledPlay:
    """All lines of play from a puzzle's position. Its questions yield while clingo works."""

    def __init__(self, puzzle: Puzzle, net: Net) -> None:
        self._puzzle, self._net = puzzle, net
        self._phase = phase = Phase(net, None, puzzle, lemmas=False)
        self._circuit, self._moves = phase.circuit, net.moves
        self._next = {
            node: net.outputs.next.get(fluent, FALSE) for fluent, node in self._circuit.true.items()
        }
        outputs = [
            *(phase.reached, phase.mixed, phase.terminal, phase.attacks, *phase.on_move.values()),
            *(*phase.legal.values(), *self._next.values()),
        ]
        self._nodes = sorted(needed(self._circuit, outputs))
        self._program = CircuitProgram()
        holds, true = frozenset(puzzle.state.facts), self._program.true
        self._start = {
            node: true if fluent in holds else -true for fluent, node in self._circuit.true.items()
        }
        self.fewest_moves = fewest_moves(net, phase, holds) if puzzle.defender is None else 0
        """The least number of moves to the goal that is known at once."""
        self._exclusive: list[Exclusive] = []
        self._exceptions: set[Pair] = set()
        self._sorted: Sequence[int] = ()  # literals for sorted lines: from the first move, later
        self._plies: list[_Ply] = []
        self._more: dict[tuple[int, int], int] = {}

    def shorten_proofs(self) -> Generator[None, None, None]:
        """Tell clingo what excludes what, and let it first sort moves that may change places.

        Only for a lone role, and useless once a ply is unrolled.
        """
        if self._plies:
            return
        held = frozenset(self._puzzle.state.facts)
        self._exclusive = yield from exclusive_fluents(self._net, self._phase, held)
        try:
            orders = MoveOrders(self._phase, self._moves, self._next)
            self._exceptions = yield from orders.exceptions()
        except LimitReached:
            return
        with self._program.writing():
            self._sorted = [self._program.choice(), self._program.choice()]

    def unroll(self, ply: int) -> Generator[None, None, None]:
        """Make the program for lines of ``ply`` plies."""
        while len(self._plies) <= ply:
            yield
            if len(self._plies) * len(self._nodes) > _MOST_GATES:
                raise LimitReached(f"lines of {ply} plies make the program too large")
            with self._program.writing():
                self._plies.append(self._next_ply())

    def reach(
        self,
        ply: int,
        turns: int | None = None,
        wanted: Sequence[int] = (),
        conflicts: int | None = None,
    ) -> Generator[None, None, Line | None]:
        """A line that reaches the goal in ``ply`` plies and within ``turns`` turns, or None.

        All literals of ``wanted`` hold in it; they are about the first move, unless there is a
        limit of ``conflicts``. Raises ``LimitReached`` after those.
        """
        yield from self.unroll(ply)
        last = self._plies[ply]
        within = [] if turns is None else [-self._more_than(turns, ply)]
        order = () if conflicts else self._sorted[1:] if wanted else self._sorted
        return (
            yield from self._solve(
                [last.alive, last.found, *within, *wanted], ply, order, conflicts
            )
        )

    def exclude(self, ply: int) -> None:
        """Forget lines that reach the goal in ``ply`` plies, as there are none."""
        with self._program.writing():
            self._program.never(self._plies[ply].alive, self._plies[ply].found)

    def continues(self, ply: int, turns: int | None = None) -> Generator[None, None, bool]:
        """Whether some line makes another move after ``ply`` plies and at most ``turns`` turns."""
        within = [] if turns is None else [-self._more_than(turns, ply + 1)]
        wanted = [self._plies[ply].continues, *within]
        return (yield from self._solve(wanted, ply, self._sorted)) is not None

    def makes(self, ply: int, moves: Iterable[str]) -> int:
        """A literal for lines in which the attacker makes one of some moves at a ply."""
        does, attacker = self._plies[ply].does, self._puzzle.attacker
        with self._program.writing():
            return self._program.atom([does[attacker, move]] for move in moves)

    def before(self, line: Line) -> int:
        """A literal for earlier lines, in the order of the terms, with the same first move."""
        same = [
            ply.does[self._puzzle.attacker, move]
            for ply, move in zip(self._plies, line, strict=False)
        ]
        smaller = [
            self.makes(ply, (term for _, term in self._moves if term < move))
            for ply, move in enumerate(line[1:], 1)
        ]
        with self._program.writing():
            return self._program.atom([*same[:ply], s] for ply, s in enumerate(smaller, 1))

    def _next_ply(self) -> _Ply:
        program, phase, puzzle = self._program, self._phase, self._puzzle
        before = self._plies[-1] if self._plies else None
        nodes = self._circuit.does
        does = {move: program.choice() for move in self._moves}
        inputs = before.following if before else self._start
        made_inputs = {node: does[move] for move, node in nodes.items() if move in does}
        literal = program.copy(self._circuit, inputs | made_inputs, nodes=self._nodes)
        made = []
        for side in puzzle.sides:
            own = [(does[move], move) for move in self._moves if move[0] == side]
            for atom, move in own:
                program.never(atom, -literal(phase.legal[move]))
            program.never(program.several(atom for atom, _ in own))
            made.append(program.atom([atom] for atom, _ in own))
        if before and self._sorted:
            early = self._sorted[len(self._plies) > 1]
            sorted_after(program, self._moves, before.does, does, self._exceptions, early)
        alive = before.continues if before else program.true
        for group in self._exclusive:
            held = [inputs[self._circuit.true[fluent]] for fluent in group.fluents]
            program.never(alive, program.several(held))
            if group.exactly:
                program.never(alive, *(-literal for literal in held))
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

    def _solve(
        self, wanted: Sequence[int], plies: int, order: Sequence[int], conflicts: int | None = None
    ) -> Generator[None, None, Line | None]:
        """A line of ``plies`` plies in which some literals hold, or None.

        ``order`` has literals for sorted lines. Proofs about these are shorter, but a line is often
        found sooner if it may be unsorted. So both are tried by turns.
        """

        def line(model: Model) -> Line:
            if model.is_true(self._plies[plies].mixed):
                raise unfit(self._puzzle)
            return tuple(_move(model, ply) for ply in self._plies[:plies])

        if not order:
            return (yield from self._program.finding(wanted, line, conflicts))
        for effort in count():
            for assumed in ([*wanted, *order], wanted):
                with suppress(LimitReached):
                    most = _FIRST_CONFLICTS << effort
                    return (yield from self._program.finding(assumed, line, most))
        raise AssertionError  # there is no last effort


def _move(model: Model, ply: _Ply) -> str:
    """The move of the side on move in a model; in a forced ply, the last side's."""
    *_, last = ply.on_move
    mover = next((role for role, lit in ply.on_move.items() if model.is_true(lit)), last)
    return next(
        term
        for (role, term), literal in ply.does.items()
        if role == mover and model.is_true(literal)
    )
