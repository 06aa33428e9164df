"""From a circuit to tables: ``native/tables.c`` writes them, a phase after the other."""

from __future__ import annotations

import ctypes
from collections.abc import Collection, Sequence
from ctypes import c_int32
from itertools import accumulate, pairwise

from ..runtime.budget import UNLIMITED, Budget
from ..runtime.errors import RulesError
from .circuit import FALSE, TRUE, Circuit, Outputs
from .gate_tables import Marked, Names, Tables
from .kernel import DOES_ASKED, Request, kernel

MOST_PHASES = 8  # fluents that say whose turn it is; each has a phase of its own


def write_tables(
    roles: Sequence[str],
    circuit: Circuit,
    outputs: Outputs,
    certain: Sequence[str],
    fluents: Sequence[str],
    closed: bool,
    control: Sequence[int],
    marked: Marked = lambda _term: (),
    budget: Budget = UNLIMITED,
) -> Tables:
    """The tables of a circuit whose inputs are ``fluents`` and the moves that ``outputs`` has.

    ``control`` are the places of the fluents that say whose turn it is. Raises ``RulesError`` where
    what is legal, the end or a goal depends on moves, ``MemoryError``, and what the budget's
    ``check`` raises.
    """
    by_role: dict[str, list[str]] = {role: [] for role in roles}
    for role, term in outputs.legal:
        by_role[role].append(term)
    moves = [(role, term) for role, terms in by_role.items() for term in sorted(terms)]
    ends = [0, *accumulate(map(len, by_role.values()))]
    bounds = [place for bound in pairwise(ends) for place in bound]
    if closed:
        lasting, after = list[str](), fluents
    else:
        lasting = sorted(f for f, value in outputs.next.items() if value == TRUE)
        after = sorted(f for f, value in outputs.next.items() if value != TRUE)
    control = control if len(control) <= MOST_PHASES else ()
    true, does = circuit.true, circuit.does
    goals = [
        (roles.index(role), value, literal)
        for (role, value), literal in sorted(outputs.goal.items())
    ]
    arrays = [
        _ints([true.get(fluent, FALSE) for fluent in fluents]),
        _ints([does.get(move, FALSE) for move in moves]),
        _ints([outputs.legal[move] for move in moves]),
        _ints(_marks(circuit, certain, [term for _, term in moves], marked)),
        _ints([outputs.next.get(fluent, FALSE) for fluent in after]),
        _ints([number for goal in goals for number in goal]),
        _ints([outputs.to_move.get(role, FALSE) for role in roles]),
        _ints(bounds),
    ]
    library = kernel()
    writer = library.tables_begin(
        len(fluents), len(after), len(moves), len(roles), len(control), _ints(control)
    )
    if not writer:
        raise MemoryError
    try:
        for number in range(len(control) + 1):
            # The last phase is for states that are at none of the turns, or at several.
            values = {
                true[fluents[place]]: TRUE if number == at else FALSE
                for at, place in enumerate(control)
                if number < len(control)
            }
            budget.check()
            held, became = circuit.assumed(values)
            addresses = map(ctypes.addressof, (became, *arrays))
            request = Request(held.handle, *addresses, len(goals), outputs.terminal)
            status = library.tables_phase(writer, number, ctypes.addressof(request))
            if status == DOES_ASKED:
                raise RulesError("what is legal, the end or a goal depends on the moves made")
        size = library.tables_size(writer)
        if size < 0:
            raise MemoryError
        block = (c_int32 * size)()
        library.tables_end(writer, block)
        writer = None
    finally:
        if writer:
            library.tables_end(writer, None)
    names = Names(
        tuple(roles), tuple(bounds), certain, fluents, [t for _, t in moves], lasting, after
    )
    return Tables(names.pack(), memoryview(block).cast("B"))


def _marks(
    circuit: Circuit, certain: Collection[str], terms: Sequence[str], marked: Marked
) -> list[int]:
    """For each move, the literal that is true where it is marked."""
    known, found = set(certain), []
    for term in terms:
        by = marked(term)
        inputs = [circuit.true[fluent] for fluent in by if fluent in circuit.true]
        found.append(
            FALSE if not by else circuit.disjunction(inputs) if known.isdisjoint(by) else TRUE
        )
    return found


def _ints(numbers: Sequence[int]) -> ctypes.Array[c_int32]:
    return (c_int32 * max(1, len(numbers)))(*numbers)
