"""Choosing a move at random for every state of a batch at once, uniformly and independently.

Numbers are kept in bit lanes as well: a number for each state is a list of lanes, the lowest bits
first. The legal moves of each state are counted in a tree, two and two; each state draws a rank
below its count; and the ranks go down the tree, left where they are below the left side's count,
right with that count taken off where they aren't. The leaf they come to is the move.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import zip_longest
from operator import or_

import numpy as np

from .lanes import Lanes, to_bits, to_lanes

Number = list[int]


def choose(
    legal: Lanes, choosing: int, count: int, chance: np.random.Generator
) -> tuple[list[int], int]:
    """For each move the states that chose it, and the states that had none to choose from.

    Only the states of the lane ``choosing`` choose. Each choice is uniform among the state's legal
    moves, to within the 2**-53 of a random fraction, and independent of all other choices.
    """
    chosen = [0] * len(legal)
    leaves = [place for place, lane in enumerate(legal) if lane & choosing]
    if not leaves:
        return chosen, choosing
    if len(leaves) == 1:
        chosen[leaves[0]] = able = legal[leaves[0]] & choosing
        return chosen, choosing & ~able
    levels: list[list[Number]] = [[[legal[place] & choosing] for place in leaves]]
    while len(levels[-1]) > 1:
        levels.append([_sum(left, right) for left, right in _pairs(levels[-1])])
    total = levels.pop()[0]
    able = reduce(or_, total)
    going = [(able, _ranks(total, count, chance))]
    for level in reversed(levels):
        branches: list[tuple[int, Number]] = []
        for (states, rank), (left, right) in zip(going, _pairs(level), strict=True):
            branches += _split(states, rank, left, right)
        going = branches[: len(level)]
    for place, (states, _) in zip(leaves, going, strict=True):
        chosen[place] = states
    return chosen, choosing & ~able


def _pairs(level: list[Number]) -> Iterator[tuple[Number, Number]]:
    """The numbers of a level, two and two; an odd one out is paired with nothing."""
    return zip_longest(level[::2], level[1::2], fillvalue=[])


def _sum(left: Number, right: Number) -> Number:
    digits, carry = [], 0
    for a, b in zip_longest(left, right, fillvalue=0):
        either = a ^ b
        digits.append(either ^ carry)
        carry = a & b | either & carry
    return [*digits, carry] if carry else digits


def _split(
    states: int, rank: Number, left: Number, right: Number
) -> tuple[tuple[int, Number], tuple[int, Number]]:
    """The states that go left and those that go right, with their ranks there."""
    if not states:
        return (0, []), (0, [])
    rest, borrow = [], 0
    for r, count in zip_longest(rank, left, fillvalue=0):
        taken = count | borrow
        rest.append(r ^ count ^ borrow)
        borrow = count & borrow | taken ^ taken & r
    goes_left = states & borrow
    return (goes_left, rank[: len(left)]), (states ^ goes_left, rest[: len(right)])


def _ranks(total: Number, count: int, chance: np.random.Generator) -> Number:
    """For each state a random number below its total."""
    weights = (1 << np.arange(len(total), dtype=np.int64))[:, None]
    totals = (to_bits(total, count) * weights).sum(axis=0)
    ranks = (chance.random(count) * totals).astype(np.int64)
    return to_lanes((ranks & weights) != 0)
