"""Fluents that exclude each other in all play of a lone role.

A pair of fluents is possible if it holds at the start, or if a move can bring it about (h2: Haslum
and Geffner 2000, *Admissible Heuristics for Optimal Planning*). What a move needs and changes is
judged in three-valued logic.
"""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_

from ...propnet.circuit import FALSE, circuit_values, conjuncts, nodes_below
from ...propnet.net import Net
from ..phase_goals import Phase

_MOST_PAIRS = 1_000_000  # fluents times moves
_WIDEST = 10_000  # the most nodes that a fluent of the next state may depend on


@dataclass(frozen=True, slots=True)
class Exclusive:
    """Fluents of which at most one holds in each state of play."""

    fluents: Sequence[str]
    exactly: bool
    """Whether exactly one of them holds."""


@dataclass(frozen=True, slots=True)
class _Move:
    """What a move needs and changes: sets of fluents, a bit for each."""

    needs: int
    forbids: int
    adds: int  # the fluents that may become true
    keeps: int  # those that may stay true
    loses: int  # those that may become false
    makes: int  # those that are certainly true afterwards


def exclusive_fluents(
    net: Net, phase: Phase, held: frozenset[str]
) -> Generator[None, None, list[Exclusive]]:
    """Sets of fluents that exclude each other wherever a lone role's moves lead.

    ``held`` are the fluents of the first state. Yields now and then.
    """
    fluents = net.fluents
    if phase.circuit.loops or len(fluents) * len(net.moves) > _MOST_PAIRS:
        return []
    moves = yield from _moves(net, phase)
    start = sum(1 << n for n, fluent in enumerate(fluents) if fluent in held)
    always = start & ~reduce(or_, (move.loses for move in moves), 0)
    moves = [move for move in moves if not move.forbids & always]
    # The fluents that may hold together with each fluent, which is one of them:
    beside = [start if start >> n & 1 else 0 for n in range(len(fluents))]
    grows = True
    while grows:
        grows, possible = False, list[_Move]()
        for move in moves:
            yield
            reached = sum(1 << n for n, others in enumerate(beside) if others)
            before = reduce(and_, (beside[n] for n in _bits(move.needs)), reached)
            if move.needs & ~before:
                continue
            possible.append(move)
            after = move.adds | before & move.keeps & ~move.forbids
            for fluent in _bits(move.adds):
                new = after & ~beside[fluent]
                grows = grows or new != 0
                beside[fluent] |= new
                for other in _bits(new):
                    beside[other] |= 1 << fluent
    return [
        Exclusive(
            [fluents[n] for n in _bits(group)],
            (group & start).bit_count() == 1
            and all(move.makes & group or not move.loses & group for move in possible),
        )
        for group in (*(1 << n for n in _bits(always)), *_groups(beside))
    ]


def _moves(net: Net, phase: Phase) -> Generator[None, None, list[_Move]]:
    circuit, became, following = phase.successor
    legal = [move for move, literal in phase.legal.items() if literal != FALSE]
    lanes = (1 << len(legal)) - 1  # one for each move
    places = {phase.became[net.circuit.true[name]]: n for n, name in enumerate(net.fluents)}
    needs, forbids, adds, keeps, loses, makes = ([0] * len(legal) for _ in range(6))
    known = [[0, 0] for _ in places]  # the lanes in which a fluent is needed, and forbidden
    given = {became[node]: (0, lanes) for node in net.circuit.does.values()}
    for n, move in enumerate(legal):
        if move in net.circuit.does:
            given[became[net.circuit.does[move]]] = 1 << n, lanes ^ 1 << n
        for condition in (phase.legal[move], -phase.terminal):
            for part in conjuncts(phase.circuit, condition):
                if (place := places.get(abs(part))) is not None:
                    (needs if part > 0 else forbids)[n] |= 1 << place
                    known[place][part < 0] |= 1 << n
    nodes = [became[net.circuit.true[name]] for name in net.fluents]
    given |= {node: (yes, no) for node, (yes, no) in zip(nodes, known, strict=True)}
    for fluent, literal in enumerate(following):
        yield
        was_false = was_true = 0, 0  # where the fluent is true afterwards, and where it is false
        cone = nodes_below(circuit, literal, _WIDEST)
        if cone is not None:
            was_false, was_true = (
                circuit_values(circuit, cone, literal, given | {nodes[fluent]: value}, lanes)
                for value in ((0, lanes), (lanes, 0))
            )
        needed, forbidden = known[fluent]
        for found, where in (
            (adds, ~was_false[1] & ~needed),
            (keeps, ~was_true[1]),
            (loses, ~was_true[0] & ~forbidden),
            (makes, (was_false[0] | needed) & (was_true[0] | forbidden)),
        ):
            for n in _bits(where & lanes):
                found[n] |= 1 << fluent
    return list(map(_Move, needs, forbids, adds, keeps, loses, makes))


def _groups(beside: Sequence[int]) -> Iterator[int]:
    """Sets without a possible pair; each pair of reached fluents is possible or in such a set."""
    reached = sum(1 << n for n, others in enumerate(beside) if others)
    excluded = [reached & ~others if others else 0 for others in beside]
    left = list(excluded)
    for fluent in range(len(left)):
        while wanted := left[fluent]:
            group, candidates = 1 << fluent, excluded[fluent]
            while candidates:
                other = next(_bits(candidates & wanted or candidates))
                group |= 1 << other
                candidates &= excluded[other]
            yield group
            for other in _bits(group):
                left[other] &= ~group


def _bits(number: int) -> Iterator[int]:
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest
