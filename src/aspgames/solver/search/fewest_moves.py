"""A lower bound on the moves of a lone role: how much of the goal is missing, and a move can add.

The goal is a conjunction of parts. Each part that is false must become true by some move, and a
move can only change parts that depend on what it changes. So if each move can add one of nine
missing parts, nine moves are needed.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from fractions import Fraction

from ...propnet.circuit import FALSE, TRUE, Circuit
from ...propnet.net import Net
from .loss_counts import Plies, cone_of, value_of
from .phase_goals import Phase


def fewest_moves(net: Net, phase: Phase, held: frozenset[str]) -> int:
    """A number of moves from a state that the goal needs at least; ``held`` are its fluents."""
    circuit = phase.circuit
    if circuit.loops or phase.reached == FALSE:
        return 0
    plies = Plies(net, phase)
    nodes = {phase.became[net.circuit.true[name]]: n for n, name in enumerate(net.fluents)}
    state = {node: TRUE if net.fluents[n] in held else FALSE for node, n in nodes.items()}
    adding: list[set[int]] = []
    for part in _parts(circuit, phase.reached):
        cone = cone_of(circuit, part)
        if cone is None or value_of(circuit, cone, part, state) != FALSE:
            continue
        changes = [_changing(plies, nodes[node]) for node in cone if node in nodes]
        moves = set[int]().union(*(found for found in changes if found is not None))
        if None not in changes and moves:
            adding.append(moves)
    adding.sort(key=len)  # parts that many moves add may depend on others
    return max((_needed(adding[:end]) for end in range(1, len(adding) + 1)), default=0)


def _needed(adding: Sequence[Set[int]]) -> int:
    """The fewest moves that add all parts, of which each is added by some moves.

    A move adds at most all parts that it can add: then their shares in it are one.
    """
    adds = Counter(move for moves in adding for move in moves)
    shares = (Fraction(1, max(adds[move] for move in moves)) for moves in adding)
    return math.ceil(sum(shares, Fraction()))


def _parts(circuit: Circuit, literal: int) -> Iterator[int]:
    gate = circuit.gates.get(literal)
    if gate is None:
        yield literal
    for each in gate or ():
        yield from _parts(circuit, each)


def _changing(plies: Plies, fluent: int) -> list[int] | None:
    """The moves that can change a fluent; None if it may change by itself."""
    found = plies.affecting(fluent)
    stays = all(plies.after(fluent, None, {fluent: value}) == value for value in (TRUE, FALSE))
    return found if stays else None
