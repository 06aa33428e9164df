"""The states that a search has met, each once, with what is known of it and where it leads.

Everything is kept in a few arrays, which grow by doubling: a node is a number, and its key the bits
of its fluents. Turns are counted as those that the attacker may still begin after a state.
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from ..errors import LimitReached
from ..native import inner, native
from .gates import Ints, Words

NEVER = 30_000
"""More turns than any number: what is true with any number of turns is true with so many."""
FURTHEST = 12
"""The most turns that are looked ahead."""
UNKNOWN = -1
"""Edges of a node that has not been expanded."""

_Item = TypeVar("_Item", bound=np.generic)

_NODE = np.dtype(
    [
        ("first", np.int64),  # the first of its edges
        ("edges", np.int32),
        ("effort", np.uint32),  # expansions spent below it
        ("proof", np.uint32),  # proof and disproof numbers ...
        ("disproof", np.uint32),
        ("turns", np.int16),  # ... which hold for so many turns
        ("enough", np.int16),  # the fewest turns known to suffice
        ("short", np.int16),  # the most turns known not to suffice
        ("floor", np.int16),  # what replies need that are left out, being answered at once
        ("moves", np.uint16),
        ("attacks", np.uint8),
        ("planned", np.uint8),  # how often a plan was looked for
    ]
)


class Table(NamedTuple):
    """The arrays. ``used`` holds how many nodes and edges there are, and states evaluated."""

    keys: Words
    nodes: npt.NDArray[np.void]
    slots: Ints
    """A hash table of nodes; empty slots hold -1."""
    edges: Ints
    labels: Ints
    """The move of each edge."""
    history: npt.NDArray[np.int64]
    """For each move, how often it was the right one, the more so the higher up."""
    outlooks: npt.NDArray[np.int64]
    """By turns: how many children were looked at ahead, and how many that has settled."""
    used: npt.NDArray[np.int64]


def new_table(key_words: int, moves: int, nodes: int = 1 << 12, edges: int = 1 << 15) -> Table:
    """An empty table."""
    return Table(
        np.zeros((nodes, key_words), dtype=np.uint64),
        np.zeros(nodes, dtype=_NODE),
        np.full(2 * nodes, -1, dtype=np.int32),
        np.zeros(edges, dtype=np.int32),
        np.zeros(edges, dtype=np.int32),
        np.zeros(moves, dtype=np.int64),
        np.zeros((FURTHEST + 1, 2), dtype=np.int64),
        np.zeros(3, dtype=np.int64),
    )


def size_of(table: Table) -> int:
    """Its size in bytes."""
    return sum(array.nbytes for array in table)


def grown(table: Table, new_nodes: int, new_edges: int, most_bytes: float) -> Table:
    """The table with room for so many more. Raises ``LimitReached`` for too much memory."""
    nodes, edges = len(table.nodes), len(table.edges)
    while nodes < table.used[0] + new_nodes:
        nodes *= 2
    while edges < table.used[1] + new_edges:
        edges *= 2
    if nodes >= 1 << 30 or edges >= 1 << 40:
        raise LimitReached("the search has met more states than it can number")
    key_words = table.keys.shape[1]
    bytes_needed = nodes * (8 * key_words + _NODE.itemsize + 8) + 8 * edges
    if bytes_needed > most_bytes:
        raise LimitReached(f"no answer within {most_bytes / 2**20:,.0f} MiB of memory")
    keys, records, slots, ends, labels, *rest = table
    if nodes > len(records):
        keys, records = _longer(keys, nodes), _longer(records, nodes)
        slots = np.full(2 * nodes, -1, dtype=np.int32)
    if edges > len(ends):
        ends, labels = _longer(ends, edges), _longer(labels, edges)
    found = Table(keys, records, slots, ends, labels, *rest)
    if slots is not table.slots:
        _fill_slots(found)
    return found


def _longer(array: npt.NDArray[_Item], length: int) -> npt.NDArray[_Item]:
    found: npt.NDArray[_Item] = np.zeros((length, *array.shape[1:]), dtype=array.dtype)
    found[: len(array)] = array
    return found


@inner
def hash_of(key: Words) -> np.uint64:
    """A number that differs between keys, mostly."""
    found = np.uint64(0x9E3779B97F4A7C15)
    for word in key:
        found = (found ^ word) * np.uint64(0xFF51AFD7ED558CCD)
        found ^= found >> np.uint64(32)
    return found


@native
def _fill_slots(table: Table) -> None:
    mask = np.uint64(len(table.slots) - 1)
    for node in range(table.used[0]):
        slot = hash_of(table.keys[node]) & mask
        while table.slots[slot] >= 0:
            slot = (slot + np.uint64(1)) & mask
        table.slots[slot] = node


@native
def node_of(table: Table, key: Words, attacks: bool, moves: int) -> int:
    """The node of a state, a new one if it was not met yet; there must be room for it."""
    mask = np.uint64(len(table.slots) - 1)
    slot = hash_of(key) & mask
    while True:
        node = int(table.slots[slot])
        if node < 0:
            break
        same = True
        for word in range(len(key)):
            if table.keys[node, word] != key[word]:
                same = False
                break
        if same:
            return node
        slot = (slot + np.uint64(1)) & mask
    node = int(table.used[0])
    table.used[0] += 1
    table.slots[slot] = node
    for word in range(len(key)):
        table.keys[node, word] = key[word]
    record = table.nodes[node]
    record.edges = UNKNOWN
    record.effort = 0
    record.turns = -1
    record.enough = NEVER + 1
    record.short = -1
    record.floor = 0
    record.moves = min(moves, 65535)
    record.attacks = attacks
    record.planned = 0
    return node
