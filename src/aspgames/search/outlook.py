"""How soon the goal can be reached at all: children that are hopeless need no search.

From a state on, both sides do whatever they may do, in three values. While the goal is not even
possible, the attacker needs more turns. In planning this is a delete relaxation: what may hold once
may hold for ever (the heuristic h_max of Bonet and Geffner 2001).
"""

from __future__ import annotations

import numpy as np

from ..native import inner
from .expand import Family
from .gates import ALL, LANES, WIDTH, is_certain, is_possible, lowest
from .machine import ATTACKER, ATTACKS, DEFENDER, DEFENDS, REACHED, Machine
from .uncertain import Uncertain, advance, ask, begin, do_anything, known_turn

_LONGEST = 40  # plies


@inner
def look_ahead(machine: Machine, turns: int, family: Family, states: Uncertain) -> None:
    """Fill ``family.soonest``: the fewest turns in which a child may be forced.

    Turns count as those that the attacker still begins, up to one more than ``turns``.
    """
    for start in range(0, family.numbers[0], LANES):
        _load(machine, start, family, states)
        begun, attacked = 0, True
        for _ in range(_LONGEST):
            side = _pass(machine, start, begun, family, states)
            if side < 0 or begun > turns:
                break
            begun += side == ATTACKER and not attacked
            attacked = side == ATTACKER
        for word in range(WIDTH):
            bits = states.alive[word]
            while bits:
                family.soonest[start + 64 * word + lowest(bits)] = begun
                bits &= bits - np.uint64(1)


@inner
def _load(machine: Machine, start: int, family: Family, states: Uncertain) -> None:
    """Put children into the lanes; those count of which it is open how they end."""
    certain, possible = states.after_certain, states.after_possible
    for word in range(WIDTH):
        states.alive[word] = 0
        certain[0, word] = possible[0, word] = ALL
        states.before_certain[0, word] = states.before_possible[0, word] = ALL
        for slot in range(1, 1 + machine.following.shape[1]):
            certain[slot, word] = 0
    for lane in range(min(LANES, family.numbers[0] - start)):
        child = start + lane
        family.soonest[child] = 0
        bit = np.uint64(1) << np.uint64(lane & 63)
        if not (family.reached[child] or family.over[child] or family.at_once[child]):
            states.alive[lane >> 6] |= bit
        for fluent in range(machine.following.shape[1]):
            if (family.keys[child, fluent >> 6] >> np.uint64(fluent & 63)) & np.uint64(1):
                certain[1 + fluent, lane >> 6] |= bit
    for slot in range(1, 1 + machine.following.shape[1]):
        for word in range(WIDTH):
            possible[slot, word] = certain[slot, word]
    begin(machine, states)


@inner
def _pass(machine: Machine, start: int, begun: int, family: Family, states: Uncertain) -> int:
    """Take a ply; returns whose it was, or -1 where none is left or that is uncertain."""
    certain, possible, alive = states.after_certain, states.after_possible, states.alive
    turn = known_turn(machine, states)
    if turn == 0 and not machine.general:
        return -1
    ask(machine, turn, states)
    asked = machine.asked[turn]
    some = False
    all_attack = all_defend = True
    for word in range(WIDTH):
        hit = is_possible(certain, possible, asked[REACHED], word) & alive[word]
        alive[word] &= ~hit
        while hit:
            family.soonest[start + 64 * word + lowest(hit)] = begun
            hit &= hit - np.uint64(1)
        some |= alive[word] != 0
        attack = is_certain(certain, possible, asked[ATTACKS], word)
        defend = is_certain(certain, possible, asked[DEFENDS], word)
        all_attack &= attack & alive[word] == alive[word]
        all_defend &= defend & alive[word] == alive[word]
    if not some or not (all_attack or all_defend):
        return -1
    side = ATTACKER if all_attack else DEFENDER
    do_anything(machine, turn, side, states)
    advance(machine, turn, side, states)
    return side
