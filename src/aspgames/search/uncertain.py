"""States of which only some is known: some fluents are certain, others possible (three values).

For batches of 256: each node of the circuit is two lanes. Where a side may do anything, each of its
moves that may be legal may be made.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..native import inner
from .expand import turn_of
from .gates import (
    ALL,
    LANES,
    WIDTH,
    Ints,
    Words,
    evaluate_open,
    is_certain,
    is_possible,
    lowest,
)
from .machine import Machine


class Uncertain(NamedTuple):
    """The states of a batch, and those before them, by slot."""

    before_certain: Words
    before_possible: Words
    after_certain: Words
    after_possible: Words
    alive: Words
    """The lanes that count."""
    counts: Ints
    """For each counted gate and lane: how many of its fluents held at first ..."""
    extremes: Ints
    """... and the fewest and most of these in a lane that counts."""
    plies: Ints
    """How many plies of either side there were since."""
    limits: Words
    """For each counted gate: the lanes in which it may be true."""


def new_uncertain(machine: Machine) -> Uncertain:
    """Room for a batch."""

    def words(*shape: int) -> Words:
        return np.zeros(shape, dtype=np.uint64)

    slots = machine.slots
    return Uncertain(
        words(slots, WIDTH),
        words(slots, WIDTH),
        words(slots, WIDTH),
        words(slots, WIDTH),
        words(WIDTH),
        np.zeros((len(machine.drops), LANES), dtype=np.int32),
        np.zeros((len(machine.drops), 2), dtype=np.int32),
        np.zeros(2, dtype=np.int32),
        words(len(machine.drops), WIDTH),
    )


@inner
def begin(machine: Machine, states: Uncertain) -> None:
    """Take the states after, which are known, as those at first: count what is counted."""
    for gate in range(len(machine.drops)):
        for lane in range(LANES):
            states.counts[gate, lane] = 0
        for at in range(machine.counted_ranges[gate, 0], machine.counted_ranges[gate, 1]):
            slot = 1 + machine.counted[at]
            for word in range(WIDTH):
                bits = states.after_certain[slot, word]
                while bits:
                    states.counts[gate, 64 * word + lowest(bits)] += 1
                    bits &= bits - np.uint64(1)
        fewest, most = machine.counted_ranges[gate, 1], np.int32(0)
        for lane in range(LANES):
            if (states.alive[lane >> 6] >> np.uint64(lane & 63)) & np.uint64(1):
                fewest = min(fewest, states.counts[gate, lane])
                most = max(most, states.counts[gate, lane])
        states.extremes[gate, 0], states.extremes[gate, 1] = fewest, most
    states.plies[0] = states.plies[1] = 0


@inner
def ask(machine: Machine, turn: int, states: Uncertain) -> None:
    """Evaluate verdicts and moves of the states after."""
    _limit(machine, states)
    evaluate_open(
        machine.tables,
        3 * turn + 1,
        states.after_certain,
        states.after_possible,
        states.limits,
    )


@inner
def _limit(machine: Machine, states: Uncertain) -> None:
    """See where so many fluents held at first that some must hold still."""
    for gate in range(len(machine.drops)):
        lost = states.plies[0] * machine.drops[gate, 0] + states.plies[1] * machine.drops[gate, 1]
        for word in range(WIDTH):
            states.limits[gate, word] = ALL if lost >= states.extremes[gate, 1] else np.uint64(0)
        between = states.extremes[gate, 0] <= lost < states.extremes[gate, 1]
        for lane in range(LANES if between else 0):
            if states.counts[gate, lane] <= lost:
                states.limits[gate, lane >> 6] |= np.uint64(1) << np.uint64(lane & 63)


@inner
def known_turn(machine: Machine, states: Uncertain) -> int:
    """The turn of all states that are alive; 0 where that is uncertain."""
    certain, possible, alive = states.after_certain, states.after_possible, states.alive
    for place in range(len(machine.turns)):
        slot = 1 + machine.turns[place]
        for word in range(WIDTH):
            if (certain[slot, word] ^ possible[slot, word]) & alive[word]:
                return 0
    return turn_of(machine, certain, alive)


@inner
def do_anything(machine: Machine, turn: int, side: int, states: Uncertain) -> None:
    """A ply in which a side does whatever it may do."""
    certain, possible = states.after_certain, states.after_possible
    fluents = machine.following.shape[1]
    waiting = machine.ranges[turn, 1 - side]
    moving = machine.ranges[turn, side]
    sure = machine.sure_ranges[turn, side]
    tables, program = machine.tables, 3 * turn + 2
    starts = tables.effect_starts[program]
    for word in range(WIDTH):
        for slot in range(1 + fluents):
            states.before_certain[slot, word] = certain[slot, word]
            states.before_possible[slot, word] = possible[slot, word]
        for slot in range(1 + fluents, tables.effect_ends[program]):
            states.before_certain[slot, word] = 0
            states.before_possible[slot, word] = 0
        for at in range(moving[0], moving[1]):
            maybe = is_possible(certain, possible, machine.legal[at], word)
            if maybe:
                move = machine.places[at]
                for k in range(starts[move], starts[move + 1]):
                    states.before_possible[tables.effects[k], word] |= maybe
        # One of them is made: what follows from each is certain.
        for at in range(sure[0], sure[1]):
            states.before_certain[machine.sure[at], word] = ALL
            states.before_possible[machine.sure[at], word] = ALL
        for at in range(waiting[0], waiting[1]):
            held = is_certain(certain, possible, machine.legal[at], word)
            maybe = is_possible(certain, possible, machine.legal[at], word)
            move = machine.places[at]
            for k in range(starts[move], starts[move + 1]):
                states.before_certain[tables.effects[k], word] |= held
                states.before_possible[tables.effects[k], word] |= maybe


@inner
def advance(machine: Machine, turn: int, side: int, states: Uncertain) -> None:
    """From the states before, with their moves, to those after a ply of a side."""
    before_certain, before_possible = states.before_certain, states.before_possible
    _limit(machine, states)
    evaluate_open(machine.tables, 3 * turn + 2, before_certain, before_possible, states.limits)
    states.plies[side] += 1
    for fluent in range(machine.following.shape[1]):
        literal = machine.following[turn, fluent]
        for word in range(WIDTH):
            sure = is_certain(before_certain, before_possible, literal, word)
            maybe = is_possible(before_certain, before_possible, literal, word)
            states.after_certain[1 + fluent, word] = sure
            states.after_possible[1 + fluent, word] = maybe
