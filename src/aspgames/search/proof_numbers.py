"""Two searches on one table: can the attacker force the goal, beginning so many more turns?

Depth-first proof-number search (df-pn; Nagai 2002) has the thresholds of Pawlewicz and Lew (2007).
A node's proof number says how many states must at least be shown to be forced to prove that it is
forced, its disproof number how many must be shown not to be. It is at its best where one side has
few replies, or where much of the board doesn't matter.

Depth-first search tries the likeliest move first and stays with a state until it is decided. Moves
are ordered by what is known of the states after them from when there were fewer turns, and by how
often they were right elsewhere (the history heuristic; Schaeffer 1983).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..native import inner, native, tiny
from .expand import TOGETHER, Family, expand
from .machine import Machine
from .outlook import look_ahead
from .table import FURTHEST, NEVER, UNKNOWN, Table, node_of
from .uncertain import Uncertain

DECIDED, PAUSED, PLAN, FULL, DEEP, MIXED, UNSURE = range(7)
"""How a call ends: with an answer; with its expansions spent; a plan should be tried; the table
must grow; a line is longer than any should be; the sides don't alternate; a state needs the
programs for any turn."""

MOST = np.uint32(100_000_000)
"""The proof number of what can't be proved."""
DEEPEST = 10_000
"""The longest line, in plies."""


_FIRST_TRY = 32  # expansions spent on a node before a plan is tried
_TRIES = 4
_LOOKED = 1000  # children, after which an outlook must have settled one of so many:
_SETTLED = 20
_MOST_IDLE = 1_000_000  # steps without an expansion
_LAST = 1 << 32  # more than any score for history


@tiny
def _left_after(attacks: bool, child_attacks: int, left: int) -> int:
    """The turns left after a move: the attacker who comes on move begins one."""
    return left - 1 if child_attacks and not attacks and left < NEVER else left


@inner
def open_node(
    machine: Machine, table: Table, node: int, turns: int, family: Family, states: Uncertain
) -> int:
    """Expand a node: find its children, and what they say of it at once.

    Where that pays, the children are looked at for whether they need more than ``turns``.
    """
    most = len(family.moves)
    if table.used[0] + most > len(table.nodes) or table.used[1] + most > len(table.edges):
        return FULL
    record = table.nodes[node]
    expand(machine, table.keys[node], family)
    if family.numbers[1]:
        return MIXED if family.numbers[1] == TOGETHER else UNSURE
    table.used[2] += family.numbers[2]
    turns = min(turns, FURTHEST)
    looked, settled = table.outlooks[turns, 0], table.outlooks[turns, 1]
    ahead = looked < _LOOKED or settled * _SETTLED >= looked
    if ahead:
        look_ahead(machine, turns, family, states)
    first = table.used[1]
    record.first = first
    record.edges = 0
    for child in range(family.numbers[0]):
        attacks = family.attacks[child] != 0
        at_once = family.at_once[child] != 0
        if family.reached[child] or (at_once and attacks):
            if record.attacks:
                record.enough = 0
                record.edges = 0
                return DECIDED
            if not family.reached[child]:
                # The attacker begins a turn there, and needs no more.
                record.floor = max(record.floor, np.int16(1))
                record.short = max(record.short, np.int16(0))
            continue
        if family.over[child] or at_once:
            if record.attacks:
                continue
            record.short = NEVER
            record.edges = 0
            return DECIDED
        end = node_of(table, family.keys[child], attacks, family.replies[child])
        if machine.quiet and not (attacks and family.goes_on[child]):
            # The turn under way doesn't reach the goal, and the defender's moves don't.
            table.nodes[end].short = max(table.nodes[end].short, np.int16(0))
        if ahead:
            soonest = family.soonest[child]
            table.nodes[end].short = max(int(table.nodes[end].short), soonest - 1)
            table.outlooks[turns, 0] += 1
            child_turns = _left_after(record.attacks != 0, attacks, turns)
            table.outlooks[turns, 1] += soonest > child_turns
        table.edges[first + record.edges] = end
        table.labels[first + record.edges] = family.moves[child]
        record.edges += 1
    table.used[1] += record.edges
    if record.edges == 0:
        if record.attacks:
            record.short = NEVER
        else:
            record.enough = record.floor
    return DECIDED


@inner
def _numbers_of(table: Table, node: int, turns: int) -> tuple[np.uint32, np.uint32]:
    """The proof and disproof number of a node for so many turns."""
    record = table.nodes[node]
    if record.enough <= turns:
        return np.uint32(0), MOST
    if record.short >= turns:
        return MOST, np.uint32(0)
    if record.turns == turns:
        return record.proof, record.disproof
    moves = np.uint32(max(record.moves, 1))
    if record.attacks:
        return np.uint32(1), moves
    return moves, np.uint32(1)


@inner
def _leave(table: Table, depth: int, expansions: int, stack: npt.NDArray[np.int64]) -> None:
    """Add what was spent to the efforts of the nodes that the search is at."""
    for level in range(depth + 1):
        table.nodes[stack[level, 0]].effort += stack[level, 4] - expansions
    stack[-1, 0], stack[-1, 1], stack[-1, 2] = stack[depth, 0], stack[depth, 1], expansions


@inner
def _look_at_children(table: Table, node: int, left: int) -> int:
    """What a node's children say of it; returns the move that decides it, or -1."""
    record = table.nodes[node]
    attacks = record.attacks != 0
    enough = NEVER + 1 if attacks else int(record.floor)
    short = NEVER if attacks else int(record.short)
    right = -1
    for place in range(record.first, record.first + record.edges):
        known = table.nodes[table.edges[place]]
        cost = 1 if known.attacks and not attacks else 0
        child_enough = known.enough + cost if known.enough < NEVER else int(known.enough)
        child_short = known.short + cost if known.short < NEVER else NEVER
        if attacks:
            enough, short = min(enough, child_enough), min(short, child_short)
        else:
            enough, short = max(enough, child_enough), max(short, child_short)
        if child_enough <= left if attacks else child_short >= left:
            right = int(table.labels[place])
    record.enough = min(int(record.enough), enough)
    record.short = max(int(record.short), short)
    return right


@inner
def _likeliest(table: Table, node: int, left: int) -> int:
    """The undecided child that is most likely to decide a node."""
    record = table.nodes[node]
    attacks = record.attacks != 0
    best, best_score = -1, np.int64(-1) << 62
    for place in range(record.first, record.first + record.edges):
        child = table.edges[place]
        known = table.nodes[child]
        child_left = _left_after(attacks, known.attacks, left)
        if known.enough <= child_left or known.short >= child_left:
            continue
        # With fewer turns the attacker's best move was hard to refute, the defender's held.
        first = np.int64(known.effort) if attacks else np.int64(known.short)
        then = min(64 * table.history[table.labels[place]] - known.moves, _LAST)
        if first * _LAST + then > best_score:
            best, best_score = int(child), first * _LAST + then
    return best


@inner
def _sum_up(table: Table, node: int, left: int) -> tuple[int, np.uint32, np.uint32, np.uint32]:
    """Give a node its numbers, as its children have them.

    Seen from the side on move, its own number is the least of the children's, the other number is
    their sum. Returns the child that has the least, that child's other number, the second least
    and the sum.
    """
    record = table.nodes[node]
    attacks = record.attacks != 0
    best, least, second, best_other = -1, MOST, MOST, np.uint32(0)
    total = np.uint64(0)
    for place in range(record.first, record.first + record.edges):
        child = table.edges[place]
        child_left = _left_after(attacks, table.nodes[child].attacks, left)
        proof, disproof = _numbers_of(table, child, child_left)
        own, other = (proof, disproof) if attacks else (disproof, proof)
        total += np.uint64(other)
        if own < least:
            second, least = least, own
            best, best_other = int(child), other
        elif own < second:
            second = own
    summed = np.uint32(min(total, np.uint64(MOST - 1)))
    record.turns = left
    record.proof = least if attacks else summed
    record.disproof = summed if attacks else least
    return best, best_other, second, summed


@native
def prove(
    machine: Machine,
    table: Table,
    root: int,
    turns: int,
    depth_first: bool,
    expansions: int,
    family: Family,
    stack: npt.NDArray[np.int64],
    states: Uncertain,
) -> int:
    """Search until the root is decided for so many turns, or as many expansions are made.

    Unless it is decided, the last row of ``stack`` then has the node where the search stopped, the
    turns there, and the expansions left. The other rows have node, turns, the limits of proof and
    disproof number, and the expansions that were left when the search came there.
    """
    depth = idle = 0
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = root, turns, MOST, MOST
    stack[0, 4] = expansions
    while depth >= 0:
        idle += 1
        if idle > _MOST_IDLE:
            # Where a state is met with different turns left, its numbers for one overwrite those
            # for the other, and the search may go to and fro. The other search goes on then.
            _leave(table, depth, 0, stack)
            return PAUSED
        node, left = stack[depth, 0], stack[depth, 1]
        record = table.nodes[node]
        right = -1
        decided = record.enough <= left or record.short >= left
        if not decided:
            # A plan is tried when as much has been spent on the node as trying costs, and again,
            # more widely, when that is little beside what has been spent since.
            tries = record.planned
            if tries < _TRIES and record.effort >= _FIRST_TRY << (4 * tries):
                _leave(table, depth, expansions, stack)
                return PLAN
            if record.edges == UNKNOWN:
                status = PAUSED
                if expansions > 0:
                    status = open_node(machine, table, node, left, family, states)
                if status != DECIDED:
                    _leave(table, depth, expansions, stack)
                    return status
                expansions -= 1
                idle = 0
                continue  # it may be decided now, and has no children then
            right = _look_at_children(table, node, left)
            decided = record.enough <= left or record.short >= left
        attacks = record.attacks != 0
        proof_limit = disproof_limit = MOST
        best = -1
        if decided and right >= 0:
            table.history[right] += (left + 1) * (left + 1)
        elif not decided and depth_first:
            best = _likeliest(table, node, left)
        elif not decided:
            best, other, second, summed = _sum_up(table, node, left)
            proof_limit, disproof_limit = np.uint32(stack[depth, 2]), np.uint32(stack[depth, 3])
            if record.proof >= proof_limit or record.disproof >= disproof_limit:
                best = -1
            own_next = max(int(second) + 1, int(second) + int(second) // 4)
            if attacks:
                proof_limit = np.uint32(min(int(proof_limit), own_next))
                disproof_limit = np.uint32(int(disproof_limit) - int(summed) + int(other))
            else:
                proof_limit = np.uint32(int(proof_limit) - int(summed) + int(other))
                disproof_limit = np.uint32(min(int(disproof_limit), own_next))
        if best < 0:
            record.effort += stack[depth, 4] - expansions
            depth -= 1
            continue
        if depth + 2 >= DEEPEST:
            return DEEP
        depth += 1
        stack[depth, 0] = best
        stack[depth, 1] = _left_after(attacks, table.nodes[best].attacks, left)
        stack[depth, 2], stack[depth, 3] = proof_limit, disproof_limit
        stack[depth, 4] = expansions
    return DECIDED
