"""Writes a circuit as tables, phase by phase, with ``native/tables.c``."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import accumulate, pairwise
from operator import itemgetter
from typing import Any

from ..runtime.budget import UNLIMITED, Budget
from .circuit import FALSE, TRUE, Circuit, Outputs
from .gate_tables import Marked, Names, Tables
from .kernel import Pointer, kernel

MOST_PHASES = 8  # fluents that say whose turn it is; each has its own phase


class TableWriter:
    """The kernel's writer of tables, phase by phase; a context manager that frees its memory."""

    def __init__(self, pointer: Pointer) -> None:
        if not pointer:
            raise MemoryError
        self._pointer = pointer

    def __enter__(self) -> "TableWriter":
        return self

    def __exit__(self, *_error: object) -> None:
        if self._pointer:
            self._end()

    def write_phase(
        self,
        function: Callable[[Pointer, int, Pointer], int],
        number: int,
        kind: str,
        request: Sequence[Any],
    ) -> None:
        """Write a phase with one of the kernel's functions; ``kind`` is the request's structure."""
        status = function(self._pointer, number, kernel().ffi.new(kind, request))
        if status != kernel().NO_MEMORY:  # ``finish`` raises for that
            kernel().check(status)

    def finish(self) -> Any:
        """Return the block of 32-bit numbers, as a buffer. Raises ``MemoryError``."""
        size = kernel().check(kernel().tables_size(self._pointer))
        return kernel().ffi.buffer(self._end(), 4 * size)

    def _end(self) -> Pointer:
        pointer, self._pointer = self._pointer, None
        return kernel().ffi.gc(kernel().tables_end(pointer), kernel().tables_free)


def write_tables(
    roles: Sequence[str],
    circuit: Circuit,
    outputs: Outputs,
    certain: Sequence[str],
    fluents: Sequence[str],
    closed: bool,
    control: Sequence[int],
    marked: Marked | None = None,
    budget: Budget = UNLIMITED,
    exclusive: Iterable[Collection[str]] = (),
) -> Tables:
    """The tables of a circuit whose inputs are ``fluents`` and the moves in ``outputs``.

    ``control`` are the places of the fluents that say whose turn it is. Raises ``RulesError`` if
    legal moves, the end or a goal depend on the moves made.
    """
    places = {role: place for place, role in enumerate(roles)}
    moves = sorted(outputs.legal, key=itemgetter(1))
    moves.sort(key=lambda move: places[move[0]])
    counts = Counter(role for role, _ in moves)
    ends = [0, *accumulate(counts[role] for role in roles)]
    terms = [term for _, term in moves]
    bounds = [place for bound in pairwise(ends) for place in bound]
    if closed:
        lasting, after = list[str](), fluents
    else:
        lasting = sorted(f for f, value in outputs.next.items() if value == TRUE)
        after = sorted(f for f, value in outputs.next.items() if value != TRUE)
    control = control if len(control) <= MOST_PHASES else ()
    true, does = circuit.true, circuit.does
    goals = [
        (places[role], value, literal) for (role, value), literal in sorted(outputs.goal.items())
    ]
    library = kernel()
    lists = (
        (true.get(fluent, FALSE) for fluent in fluents),
        (does.get(move, FALSE) for move in moves),
        (outputs.legal[move] for move in moves),
        _marks(circuit, certain, terms, marked),
        (outputs.next.get(fluent, FALSE) for fluent in after),
        (number for goal in goals for number in goal),
        (outputs.to_move.get(role, FALSE) for role in roles),
        bounds,
    )
    arrays = [library.ints(numbers) for numbers in lists]
    sizes = len(fluents), len(after), len(moves), len(roles)
    with TableWriter(library.tables_begin(*sizes, len(control), library.ints(control))) as writer:
        for number in range(len(control) + 1):
            # The last phase is for states in which none of these fluents holds, or several hold.
            values = {
                true[fluents[place]]: TRUE if number == at else FALSE
                for at, place in enumerate(control)
                if number < len(control)
            }
            budget.check()
            held, became = circuit.assumed(values) if values else (circuit, library.ffi.NULL)
            request = held.handle, became, *arrays, len(goals), outputs.terminal
            writer.write_phase(library.tables_phase, number, "struct phase_request *", request)
            del held, became, request  # large, as the next ones are
            circuit.trim()
        block = writer.finish()
    numbers = {fluent: str(place) for place, fluent in enumerate(fluents)}
    alone = [" ".join(numbers[f] for f in group if f in numbers) for group in exclusive]
    names = Names(
        tuple(roles),
        tuple(bounds),
        certain,
        fluents,
        terms,
        lasting,
        after,
        list(filter(None, alone)),
    )
    return Tables(names.pack(), block)


def _marks(
    circuit: Circuit, certain: Collection[str], terms: Sequence[str], marked: Marked | None
) -> list[int]:
    """For each move, the literal that is true where the move is marked."""
    if marked is None:
        return [FALSE] * len(terms)
    known, found = set(certain), []
    for term in terms:
        by = marked(term)
        inputs = [circuit.true[fluent] for fluent in by if fluent in circuit.true]
        found.append(
            FALSE if not by else circuit.disjunction(inputs) if known.isdisjoint(by) else TRUE
        )
    return found
