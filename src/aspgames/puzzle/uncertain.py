"""States of which only some is known: some fluents are certain, others possible (three values).

For batches of 256: each node of the circuit is two lanes. Where a side may do anything, each of its
moves that may be legal may be made.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..native import inner
from ..propnet.words import ALL, WIDTH, Words, evaluate_open, is_certain, is_possible
from .expand import turn_of
from .machine import Machine


class Uncertain(NamedTuple):
    """The states of a batch, and those before them, by slot."""

    before_certain: Words
    before_possible: Words
    after_certain: Words
    after_possible: Words
    alive: Words
    """The lanes that count."""


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
    )


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
def advance(machine: Machine, turn: int, states: Uncertain) -> None:
    """From the states before, with their moves, to those after."""
    before_certain, before_possible = states.before_certain, states.before_possible
    evaluate_open(machine.tables, 3 * turn + 2, before_certain, before_possible)
    for fluent in range(machine.following.shape[1]):
        literal = machine.following[turn, fluent]
        for word in range(WIDTH):
            sure = is_certain(before_certain, before_possible, literal, word)
            maybe = is_possible(before_certain, before_possible, literal, word)
            states.after_certain[1 + fluent, word] = sure
            states.after_possible[1 + fluent, word] = maybe
