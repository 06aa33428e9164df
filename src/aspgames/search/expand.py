"""What follows from a state: all its moves and the states after them, in one evaluation for 256.

Those states are looked at once more: can a single further move settle them? That costs little,
since the moves of all of them share evaluations.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..native import inner, native, tiny
from .gates import (
    ALL,
    LANES,
    WIDTH,
    Ints,
    Words,
    evaluate,
    lanes_between,
    lowest,
    make,
    sign,
)
from .machine import ATTACKER, ATTACKS, DEFENDER, DEFENDS, MIXED, OVER, REACHED, Machine

TOGETHER, VAGUE = 1, 2
"""What goes wrong: the sides don't move one at a time; a state needs the programs for any turn."""


class Family(NamedTuple):
    """A state's moves and children, by place among them, and room to work in."""

    numbers: Ints
    """How many there are; what went wrong; how many states were evaluated."""
    moves: Ints
    """The places of the moves among the net's."""
    keys: Words
    reached: Ints
    over: Ints
    attacks: Ints
    replies: Ints
    """How many moves the side on move has in the child."""
    at_once: Ints
    """Whether one of these settles it: the attacker reaches the goal, or the defender ends play."""
    goes_on: Ints
    """Whether after one of these the attacker is on move."""
    soonest: Ints
    """The fewest turns in which the child may be forced; filled by ``outlook``."""
    parent: Words
    """The slots of the state itself, the same in all lanes."""
    before: Words
    after: Words
    starts: Ints
    """For each child in the lanes: where its moves begin in ``pairs``."""
    pairs: Ints
    """Moves of children, ordered by child ..."""
    found: Ints
    """... and as they are found: child and place."""
    lanes: Words
    flips: Ints
    """For each child in the lanes: the fluents that differ from the parent's."""
    flipped: Ints
    """How many."""
    waits: Ints
    """Moves that have an effect though their side waits: move and word of lanes ..."""
    waiting: Words
    """... and the lanes, which are children, in which they are made."""


def new_family(machine: Machine, key_words: int) -> Family:
    """Room for the children of any state."""
    most = max(machine.moves, 1)
    fluents = machine.following.shape[1]

    def ints(*shape: int) -> Ints:
        return np.zeros(shape, dtype=np.int32)

    def words(*shape: int) -> Words:
        return np.zeros(shape, dtype=np.uint64)

    return Family(
        ints(3),
        ints(most),
        words(most, key_words),
        ints(most),
        ints(most),
        ints(most),
        ints(most),
        ints(most),
        ints(most),
        ints(most),
        words(machine.slots, WIDTH),
        words(machine.slots, WIDTH),
        words(machine.slots, WIDTH),
        ints(LANES + 1),
        ints(LANES * most),
        ints(LANES * most, 2),
        words(WIDTH),
        ints(LANES, fluents),
        ints(LANES),
        ints(WIDTH * most + 1, 2),
        words(WIDTH * most + 1),
    )


@inner
def turn_of(machine: Machine, values: Words, lanes: Words) -> int:
    """The turn at which all the states in some lanes are; 0 if they are not all at one."""
    found = 0
    for place in range(len(machine.turns)):
        slot = 1 + machine.turns[place]
        some, all_ = False, True
        for word in range(WIDTH):
            held = values[slot, word] & lanes[word]
            some |= held != 0
            all_ &= held == lanes[word]
        if some:
            if not all_ or found:
                return 0
            found = 1 + place
    return found


@inner
def flip_lanes(values: Words, slot: int, start: int, end: int) -> None:
    """Flip the lanes of a slot from ``start`` to ``end``."""
    for word in range(start >> 6, (end + 63) >> 6):
        values[slot, word] ^= lanes_between(start, end, word)


@inner
def _first_lanes(count: int, lanes: Words) -> None:
    for word in range(WIDTH):
        lanes[word] = lanes_between(0, count, word)


@inner
def load(machine: Machine, key: Words, values: Words) -> None:
    """Put a state into all lanes."""
    for word in range(WIDTH):
        values[0, word] = ALL
    for fluent in range(machine.following.shape[1]):
        bit = (key[fluent >> 6] >> np.uint64(fluent & 63)) & np.uint64(1)
        for word in range(WIDTH):
            values[1 + fluent, word] = np.uint64(0) - bit


@inner
def _clear(machine: Machine, program: int, family: Family) -> None:
    """Begin with the parent in all lanes, and no move."""
    fluents = machine.following.shape[1]
    for slot in range(1 + fluents):
        for word in range(WIDTH):
            family.before[slot, word] = family.parent[slot, word]
    for slot in range(1 + fluents, machine.tables.effect_ends[program]):
        for word in range(WIDTH):
            family.before[slot, word] = 0


@tiny
def _verdict(literals: Ints, question: int, values: Words, word: int) -> np.uint64:
    literal = literals[question]
    return values[literal >> 1, word] ^ sign(literal)


@native
def expand(machine: Machine, key: Words, family: Family) -> None:
    """Fill a family with the children of a state that is not over."""
    tables = machine.tables
    lanes = family.lanes
    _first_lanes(LANES, lanes)
    for place in range(len(family.numbers)):
        family.numbers[place] = 0
    load(machine, key, family.parent)
    turn = turn_of(machine, family.parent, lanes)
    if turn == 0 and not machine.general:
        family.numbers[1] = VAGUE
        return
    evaluate(tables, 3 * turn + 1, family.parent)
    one = np.uint64(1)
    if _verdict(machine.asked[turn], MIXED, family.parent, 0) & one:
        family.numbers[1] = TOGETHER
        return
    side = DEFENDER if _verdict(machine.asked[turn], DEFENDS, family.parent, 0) & one else ATTACKER
    effects, starts, before = tables.effects, tables.effect_starts[3 * turn + 2], family.before
    total = 0
    for at in range(machine.ranges[turn, side, 0], machine.ranges[turn, side, 1]):
        literal = machine.legal[at]
        if (family.parent[literal >> 1, 0] ^ sign(literal)) & one:
            family.moves[total] = machine.places[at]
            total += 1
    family.numbers[0] = total
    family.numbers[2] = total
    for start in range(0, total, LANES):
        count = min(LANES, total - start)
        _clear(machine, 3 * turn + 2, family)
        for at in range(machine.ranges[turn, 1 - side, 0], machine.ranges[turn, 1 - side, 1]):
            literal = machine.legal[at]
            if (family.parent[literal >> 1, 0] ^ sign(literal)) & one:
                move = machine.places[at]
                make(effects, starts[move], starts[move + 1], 0, LANES, before)
        for lane in range(count):
            move = family.moves[start + lane]
            for k in range(starts[move], starts[move + 1]):
                before[effects[k], lane >> 6] |= one << np.uint64(lane & 63)
        evaluate(tables, 3 * turn + 2, before)
        _first_lanes(count, lanes)
        _children(machine, key, start, count, turn, lanes, family)
        after_turn = turn_of(machine, family.after, lanes)
        if after_turn == 0 and not machine.general:
            family.numbers[1] = VAGUE
            return
        evaluate(tables, 3 * after_turn + 1, family.after)
        _judge(machine, start, count, after_turn, lanes, family)
        _peek(machine, start, count, after_turn, lanes, family)


@inner
def _children(
    machine: Machine, key: Words, start: int, count: int, turn: int, lanes: Words, family: Family
) -> None:
    """The next states, as lanes and as keys, and where they differ from the parent."""
    after = family.after
    for word in range(WIDTH):
        after[0, word] = ALL
    for child in range(count):
        for word in range(len(key)):
            family.keys[start + child, word] = key[word]
        family.flipped[child] = 0
    for fluent in range(machine.following.shape[1]):
        literal = machine.following[turn, fluent]
        flip = sign(literal)
        for word in range(WIDTH):
            value = family.before[literal >> 1, word] ^ flip
            after[1 + fluent, word] = value
            different = (value ^ family.parent[1 + fluent, word]) & lanes[word]
            while different:
                child = 64 * word + lowest(different)
                different &= different - np.uint64(1)
                family.keys[start + child, fluent >> 6] ^= np.uint64(1) << np.uint64(fluent & 63)
                family.flips[child, family.flipped[child]] = fluent
                family.flipped[child] += 1


@inner
def _judge(
    machine: Machine, start: int, count: int, turn: int, lanes: Words, family: Family
) -> None:
    """What the children are, and their moves, which are left in ``found`` and ``waiting``."""
    values, asked = family.after, machine.asked[turn]
    starts = machine.tables.effect_starts[3 * turn + 2]
    pairs = waits = 0
    for word in range((count + 63) >> 6):
        reached = _verdict(asked, REACHED, values, word)
        over = _verdict(asked, OVER, values, word)
        attacks = _verdict(asked, ATTACKS, values, word)
        defends = _verdict(asked, DEFENDS, values, word)
        if _verdict(asked, MIXED, values, word) & lanes[word]:
            family.numbers[1] = TOGETHER
        for bit in range(min(64, count - 64 * word)):
            child = start + 64 * word + bit
            shift = np.uint64(bit)
            family.reached[child] = (reached >> shift) & np.uint64(1)
            family.over[child] = (over >> shift) & np.uint64(1)
            family.attacks[child] = (attacks >> shift) & np.uint64(1)
            family.replies[child] = 0
            family.at_once[child] = 0
            family.goes_on[child] = 0
        live = lanes[word] & ~reached & ~over
        for side in (DEFENDER, ATTACKER):
            on_move = live & (attacks if side == ATTACKER else defends)
            waiting = live & (defends if side == ATTACKER else attacks)
            for at in range(machine.ranges[turn, side, 0], machine.ranges[turn, side, 1]):
                literal = machine.legal[at]
                legal = values[literal >> 1, word] ^ sign(literal)
                move = machine.places[at]
                if legal & waiting and starts[move] != starts[move + 1]:
                    family.waits[waits, 0], family.waits[waits, 1] = move, word
                    family.waiting[waits] = legal & waiting
                    waits += 1
                bits = legal & on_move
                while bits:
                    child = 64 * word + lowest(bits)
                    bits &= bits - np.uint64(1)
                    family.replies[start + child] += 1
                    family.found[pairs, 0] = child
                    family.found[pairs, 1] = move
                    pairs += 1
    family.waits[waits, 0] = -1
    # Order the moves by child, so that what a child differs in is a run of lanes.
    place = 0
    for child in range(count):
        family.starts[child] = place
        place += family.replies[start + child]
    for pair in range(pairs):
        child = family.found[pair, 0]
        family.pairs[family.starts[child]] = family.found[pair, 1]
        family.starts[child] += 1


@inner
def _peek(
    machine: Machine, start: int, count: int, turn: int, lanes: Words, family: Family
) -> None:
    """Look at what the children's own moves lead to."""
    tables, fluents, program = machine.tables, machine.following.shape[1], 3 * turn + 2
    child, used = 0, 0  # the moves of ``child`` that were looked at already
    before, after, pairs, flips = family.before, family.after, family.pairs, family.flips
    effects, starts = tables.effects, tables.effect_starts[program]
    while child < count:
        _clear(machine, program, family)
        first_child, first_used, lane = child, used, 0
        while child < count and lane < LANES:
            left = family.replies[start + child] - used
            taken = min(left, LANES - lane)
            if taken:
                at = family.starts[child] - left
                for k in range(taken):
                    bit = np.uint64(1) << np.uint64((lane + k) & 63)
                    move = pairs[at + k]
                    for place in range(starts[move], starts[move + 1]):
                        before[effects[place], (lane + k) >> 6] |= bit
                for k in range(family.flipped[child]):
                    flip_lanes(before, 1 + flips[child, k], lane, lane + taken)
                for k in range(len(family.waits)):
                    move = family.waits[k, 0]
                    if move < 0:
                        break
                    bit = (family.waiting[k] >> np.uint64(child & 63)) & np.uint64(1)
                    if family.waits[k, 1] == child >> 6 and bit:
                        first, end = starts[move], starts[move + 1]
                        make(effects, first, end, lane, lane + taken, before)
                lane += taken
            if taken == left:
                child += 1
                used = 0
            else:
                used += taken
        if lane == 0:
            break
        family.numbers[2] += lane
        _first_lanes(lane, lanes)
        evaluate(tables, program, before)
        for fluent in range(fluents):
            literal = machine.following[turn, fluent]
            for word in range(WIDTH):
                after[1 + fluent, word] = before[literal >> 1, word] ^ sign(literal)
        after_turn = turn_of(machine, after, lanes)
        if after_turn == 0 and not machine.general:
            family.numbers[1] = VAGUE
            return
        evaluate(tables, 3 * after_turn, after)
        _harvest(machine, start, after_turn, first_child, first_used, lane, family)


@inner
def _harvest(
    machine: Machine, start: int, turn: int, child: int, used: int, lanes: int, family: Family
) -> None:
    """Note what was seen in the lanes for the children whose moves they are."""
    judged, values = machine.judged[turn], family.after
    lane = 0
    while lane < lanes:
        end = min(lane + family.replies[start + child] - used, lanes)
        while lane < end:
            word = lane >> 6
            stop = min(end, 64 * (word + 1))
            mask = lanes_between(lane, stop, word)
            reached = _verdict(judged, REACHED, values, word)
            over = _verdict(judged, OVER, values, word)
            if (reached if family.attacks[start + child] else over) & mask:
                family.at_once[start + child] = 1
            if _verdict(judged, ATTACKS, values, word) & ~over & ~reached & mask:
                family.goes_on[start + child] = 1
            lane = stop
        child += 1
        used = 0


@native
def judge(machine: Machine, key: Words, family: Family) -> int:
    """What a state is: 1 the goal stands, 2 it is over, 4 the attacker is on move, 8 mixed; or -1
    where that needs the programs for any turn."""
    lanes = family.lanes
    _first_lanes(LANES, lanes)
    load(machine, key, family.parent)
    turn = turn_of(machine, family.parent, lanes)
    if turn == 0 and not machine.general:
        return -1
    evaluate(machine.tables, 3 * turn, family.parent)
    found = 0
    for question, flag in ((REACHED, 1), (OVER, 2), (ATTACKS, 4), (MIXED, 8)):
        if _verdict(machine.judged[turn], question, family.parent, 0) & np.uint64(1):
            found |= flag
    return found
