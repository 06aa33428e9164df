"""Which moves of a lone role may change places, so that only some orders need be tried."""

from collections.abc import Generator, Mapping, Sequence

from ...asp.clingo_api import Model
from ...propnet.circuit_program import CircuitCopy, CircuitProgram
from ...runtime.errors import LimitReached
from ..phase_goals import Phase

_MOST_GATES = 200_000  # times the number of exceptions
_MOST_CONFLICTS = 50_000  # of clingo's, for each exception

MadeMove = tuple[str, str]
"""A role and its move."""
Pair = tuple[MadeMove, MadeMove]


class MoveOrders:
    """The pairs of moves whose order matters, among all pairs of moves of a lone role.

    Wherever two other moves are possible one after the other, the other order is possible as well
    and leads to the same state, or reaches the goal at once. So each line has a sorted one beside
    it (partial order reduction: Godefroid 1996). The proof is for all sets of fluents, also sets
    that no play reaches.
    """

    def __init__(
        self, phase: Phase, moves: Sequence[MadeMove], following: Mapping[int, int]
    ) -> None:
        """``following`` has the literal of the next state for each fluent's node."""
        self._phase, self._moves, self._next = phase, moves, following

    def exceptions(self) -> Generator[None, None, set[Pair]]:
        """The pairs, in both orders. Raises ``LimitReached`` if there may be many."""
        if self._phase.circuit.loops:
            raise LimitReached("proofs about loops take too long")
        program, found = CircuitProgram(), set[Pair]()
        with program.writing():
            choices = [{move: program.choice() for move in self._moves} for _ in range(2)]
            for choice in choices:
                program.never(program.several(choice.values()))
            breaks = self._breaks(program, *choices)

        def pair(model: Model) -> Pair:
            one, two = (
                next(m for m in self._moves if model.is_true(choice[m])) for choice in choices
            )
            return one, two

        while one_way := (yield from program.finding([breaks], pair, _MOST_CONFLICTS)):
            if len(found) * len(self._phase.circuit.gates) > _MOST_GATES:
                raise LimitReached("the order of many moves matters")
            with program.writing():
                for one, two in (one_way, one_way[::-1]):
                    found.add((one, two))
                    program.never(choices[0][one], choices[1][two])
        return found

    def _breaks(
        self, program: CircuitProgram, one: dict[MadeMove, int], two: dict[MadeMove, int]
    ) -> int:
        """A literal: two moves are possible in this order, but can't change places."""
        start = {node: program.choice() for node in self._next}
        first, other = (self._ply(program, start, move) for move in (one, two))
        second = self._ply(program, self._after(first), two)
        last = self._ply(program, self._after(other), one)
        end = self._ply(program, self._after(second), {})
        differ = program.atom(
            [sign * second(following), -sign * last(following)]
            for following in self._next.values()
            for sign in (1, -1)
        )
        reached, terminal = last(self._phase.reached), last(self._phase.terminal)
        swapped = program.atom([[-terminal, self._legal(program, last, one), -differ], [reached]])
        fails = program.atom([[-self._legal(program, other, two)], [-swapped]])
        goes = [
            literal
            for ply, move in ((first, one), (second, two))
            for literal in (
                -ply(self._phase.reached),
                -ply(self._phase.terminal),
                self._legal(program, ply, move),
            )
        ]
        useful = program.atom([[end(self._phase.reached)], [-end(self._phase.terminal)]])
        return program.atom([[*goes, fails, useful]])

    def _ply(
        self, program: CircuitProgram, state: dict[int, int], made: dict[MadeMove, int]
    ) -> CircuitCopy:
        phase = self._phase
        moves = {node: made[move] for move, node in phase.circuit.does.items() if move in made}
        outputs = [phase.reached, phase.terminal, *phase.legal.values(), *self._next.values()]
        return program.copy(phase.circuit, state | moves, outputs)

    def _after(self, ply: CircuitCopy) -> dict[int, int]:
        return {node: ply(following) for node, following in self._next.items()}

    def _legal(self, program: CircuitProgram, ply: CircuitCopy, made: dict[MadeMove, int]) -> int:
        return program.atom([made[move], ply(legal)] for move, legal in self._phase.legal.items())


def sorted_after(
    program: CircuitProgram,
    moves: Sequence[MadeMove],
    before: dict[MadeMove, int],
    after: dict[MadeMove, int],
    exceptions: set[Pair],
    wanted: int,
) -> None:
    """Where ``wanted`` holds, forbid two moves in falling order that may change places."""
    smaller: int | None = None
    for place, move in enumerate(moves):
        if smaller is not None:
            kept = [-after[other] for other in moves[:place] if (other, move) in exceptions]
            program.never(wanted, before[move], smaller, *kept)
        made = [[after[move]]]
        smaller = program.atom(made if smaller is None else [*made, [smaller]])
