"""Proof-number search: can the attacker force the goal, beginning so many more turns?

Depth-first proof-number search (df-pn; Nagai 2002) on a table of nodes, with the thresholds of
Pawlewicz and Lew (2007). A node's proof number says how many states must at least be shown to be
forced to prove that it is forced, its disproof number how many must be shown not to be.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..native import inner, native
from .expand import TOGETHER, Family, expand
from .machine import Machine
from .table import NEVER, UNKNOWN, Table, node_of

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


@inner
def open_node(machine: Machine, table: Table, node: int, family: Family) -> int:
    """Expand a node: find its children, and what they say of it at once."""
    most = len(family.moves)
    if table.used[0] + most > len(table.nodes) or table.used[1] + most > len(table.edges):
        return FULL
    record = table.nodes[node]
    expand(machine, table.keys[node], family)
    if family.numbers[1]:
        return MIXED if family.numbers[1] == TOGETHER else UNSURE
    table.used[2] += family.numbers[2]
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
        table.edges[first + record.edges] = end
        record.edges += 1
    table.used[1] += record.edges
    if record.edges == 0:
        if record.attacks:
            record.short = NEVER
        else:
            record.enough = record.floor
    return DECIDED


@inner
def look_up(table: Table, node: int, turns: int, search: int) -> tuple[np.uint32, np.uint32]:
    """The proof and disproof number of a node for so many turns."""
    record = table.nodes[node]
    if record.enough <= turns:
        return np.uint32(0), MOST
    if record.short >= turns:
        return MOST, np.uint32(0)
    if record.turns[search] == turns:
        return record.proof[search], record.disproof[search]
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


@native
def prove(
    machine: Machine,
    table: Table,
    root: int,
    turns: int,
    search: int,
    expansions: int,
    family: Family,
    stack: npt.NDArray[np.int64],
    plans: bool,
) -> int:
    """Search until the root is decided for so many turns, or as many expansions are made.

    Unless it is decided, the last row of ``stack`` then has the node where the search stopped, the
    turns there, and the expansions left. With ``plans`` it stops where a plan should be tried.
    """
    depth = 0
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = root, turns, MOST, MOST
    stack[0, 4] = expansions
    while depth >= 0:
        node, left = stack[depth, 0], stack[depth, 1]
        record = table.nodes[node]
        if record.enough <= left or record.short >= left:
            record.effort += stack[depth, 4] - expansions
            depth -= 1
            continue
        # A plan is tried when as much has been spent on the node as trying costs, and again, more
        # widely, when that is little beside what has been spent since.
        tries = record.planned
        if plans and tries < _TRIES and record.effort >= _FIRST_TRY << (4 * tries):
            _leave(table, depth, expansions, stack)
            return PLAN
        if record.edges == UNKNOWN:
            status = open_node(machine, table, node, family) if expansions > 0 else PAUSED
            if status != DECIDED:
                _leave(table, depth, expansions, stack)
                return status
            expansions -= 1
            continue
        attacks = record.attacks != 0
        # Seen from the side on move: its own number is the least of the children's, the other
        # number is their sum.
        least = second = MOST
        total = np.uint64(0)
        best = -1
        best_left = 0
        best_other = np.uint32(0)
        enough = NEVER + 1 if attacks else int(record.floor)
        short = NEVER if attacks else int(record.short)
        for place in range(record.first, record.first + record.edges):
            child = table.edges[place]
            known = table.nodes[child]
            cost = 1 if known.attacks and not attacks else 0
            child_left = left if left >= NEVER else left - cost
            child_enough = known.enough + cost if known.enough < NEVER else int(known.enough)
            child_short = known.short + cost if known.short < NEVER else NEVER
            if attacks:
                enough = min(enough, child_enough)
                short = min(short, child_short)
            else:
                enough = max(enough, child_enough)
                short = max(short, child_short)
            proof, disproof = look_up(table, child, child_left, search)
            own, other = (proof, disproof) if attacks else (disproof, proof)
            total += np.uint64(other)
            if own < least:
                second, least = least, own
                best, best_left, best_other = child, child_left, other
            elif own < second:
                second = own
        record.enough = min(int(record.enough), enough)
        record.short = max(int(record.short), short)
        if record.enough <= left or record.short >= left:
            record.effort += stack[depth, 4] - expansions
            depth -= 1
            continue
        summed = np.uint32(min(total, np.uint64(MOST - 1)))
        record.turns[search] = left
        record.proof[search] = least if attacks else summed
        record.disproof[search] = summed if attacks else least
        own_limit = stack[depth, 2] if attacks else stack[depth, 3]
        other_limit = stack[depth, 3] if attacks else stack[depth, 2]
        if least >= own_limit or summed >= other_limit:
            record.effort += stack[depth, 4] - expansions
            depth -= 1
            continue
        if depth + 2 >= DEEPEST:
            return DEEP
        depth += 1
        own_next = min(own_limit, max(int(second) + 1, int(second) + int(second) // 4))
        other_next = min(int(MOST), int(other_limit) - int(summed) + int(best_other))
        stack[depth, 0], stack[depth, 1] = best, best_left
        stack[depth, 4] = expansions
        stack[depth, 2] = own_next if attacks else other_next
        stack[depth, 3] = other_next if attacks else own_next
    return DECIDED
