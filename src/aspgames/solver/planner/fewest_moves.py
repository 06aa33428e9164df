"""The fewest moves that a lone role needs to its goal, judged by each move alone."""

import math
from collections import Counter
from collections.abc import Sequence, Set
from fractions import Fraction

from ...propnet.circuit import FALSE, circuit_values, conjuncts, nodes_below
from ...propnet.net import Net
from ..phase_goals import Phase

_MOST_FLUENTS = 150  # looked at
_WIDEST = 300  # the most nodes that a part of the goal may depend on
_WIDEST_NEXT = 3_000  # ... and a fluent of the next state


def fewest_moves(net: Net, phase: Phase, held: frozenset[str]) -> int:
    """A number of moves from a state that the goal needs at least; ``held`` are its fluents.

    The goal is a conjunction of parts. Each part that is false must become true by some move, and a
    move can only change parts that depend on what it changes. So if each move can add one of nine
    missing parts, nine moves are needed.
    """
    circuit = phase.circuit
    if circuit.loops or phase.reached == FALSE:
        return 0
    changes = _Changes(net, phase)
    nodes = {phase.became[net.circuit.true[name]]: n for n, name in enumerate(net.fluents)}
    state = {n: (1, 0) if net.fluents[f] in held else (0, 1) for n, f in nodes.items()}
    false = [
        [nodes[node] for node in cone if node in nodes]
        for part in conjuncts(circuit, phase.reached)
        if (cone := nodes_below(circuit, part, _WIDEST))
        and circuit_values(circuit, cone, part, state, 1)[1]
    ]
    changing: dict[int, list[int] | None] = {}
    adding: list[set[int]] = []
    for fluents in sorted(false, key=len):
        if len(changing) > _MOST_FLUENTS:
            break
        for fluent in fluents:
            if fluent not in changing:
                changing[fluent] = changes.moves(fluent)
        found = [moves for fluent in fluents if (moves := changing[fluent]) is not None]
        if found and len(found) == len(fluents):
            adding.append(set[int]().union(*found))
    adding.sort(key=len)  # parts that many moves add may depend on others
    return max((_needed(adding[:end]) for end in range(1, len(adding) + 1)), default=0)


def _needed(adding: Sequence[Set[int]]) -> int:
    """The fewest moves that add all parts, of which each is added by some moves.

    A move adds at most all parts that it can add: then their shares in it are one.
    """
    adds = Counter(move for moves in adding for move in moves)
    shares = (Fraction(1, max(adds[move] for move in moves)) for moves in adding)
    return math.ceil(sum(shares, Fraction()))


class _Changes:
    """The moves that may change single fluents, with the rest of the state unknown."""

    def __init__(self, net: Net, phase: Phase) -> None:
        self._circuit, became, self._following = phase.successor
        self._nodes = [became[net.circuit.true[fluent]] for fluent in net.fluents]
        legal = (move for move, literal in phase.legal.items() if literal != FALSE)
        self._moves = {became[net.circuit.does[move]] for move in legal}

    def moves(self, fluent: int) -> list[int] | None:
        """The moves that may change a fluent, as nodes; None if it depends on too many nodes."""
        literal = self._following[fluent]
        cone = nodes_below(self._circuit, literal, _WIDEST_NEXT)
        if cone is None:
            return None
        moves = [node for node in cone if node in self._moves]
        others = self._moves.difference(moves)
        lanes = (1 << len(moves) + bool(others)) - 1  # one for each move, one for all others
        given = {move: (1 << n, lanes ^ (1 << n)) for n, move in enumerate(moves)}
        stays = lanes
        for value in (0, 1):
            known = {self._nodes[fluent]: (lanes, 0) if value else (0, lanes)}
            stays &= circuit_values(self._circuit, cone, literal, given | known, lanes)[not value]
        changes = lanes & ~stays
        found = [move for n, move in enumerate(moves) if changes >> n & 1]
        return [*found, *others] if changes >> len(moves) else found
