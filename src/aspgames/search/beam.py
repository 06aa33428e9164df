"""Plans: moves of one side that reach its aim whatever the other side does meanwhile.

The rules are evaluated in three values. Where the other side is on move, each move that may be
legal may happen; a move of one's own must certainly be legal. The defender's plan keeps the goal
from standing for as many turns as the attacker has; the attacker's makes it stand. Such a plan
settles a node without a tree of replies: a room of one's own, a runner that can't be caught.

Plans are looked for a move at a time, among the most promising beginnings only (a beam): those that
leave most moves that are certainly legal. So there may be a plan where none is found.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..native import inner, native
from .expand import flip_lanes
from .gates import (
    ALL,
    LANES,
    WIDTH,
    Ints,
    Words,
    is_certain,
    is_possible,
    lanes_between,
    lowest,
    make,
)
from .machine import ATTACKER, ATTACKS, DEFENDER, DEFENDS, OVER, REACHED, Machine
from .table import hash_of
from .uncertain import Uncertain, advance, ask, begin, do_anything, known_turn, new_uncertain

LONGEST = 100
"""Plies of the longest plan that is looked for."""


class Beam(NamedTuple):
    """Beginnings of plans, and room to work in."""

    certain: Words
    """The fluents that are certain after each beginning, as keys; of two generations."""
    possible: Words
    key: Words
    """Two keys in the making."""
    hashes: Words
    scores: Ints
    parents: Ints
    """By generation and place: the beginning that it goes on from ..."""
    moves: Ints
    """... with this move."""
    kept: Ints
    """How many are kept; the attacker's turns begun by then; whether the attacker is on move."""
    gaps: Ints
    """How many plies of the other side there are before each generation."""
    states: Uncertain
    starts: Ints
    pairs: Ints
    found: Ints
    waiting_certain: Words
    waiting_possible: Words
    counts: Ints
    plan: Ints
    """The plan that was found: the moves' places, -1 for a ply of the other side."""
    length: Ints
    """Its plies, and the attacker's turns that it takes."""


def new_beam(machine: Machine, key_words: int) -> Beam:
    """Room for the widest beam."""

    def ints(*shape: int) -> Ints:
        return np.zeros(shape, dtype=np.int32)

    def words(*shape: int) -> Words:
        return np.zeros(shape, dtype=np.uint64)

    most = max(machine.moves, 1)
    return Beam(
        words(2, LANES, key_words),
        words(2, LANES, key_words),
        words(2, key_words),
        words(2, LANES),
        ints(2, LANES),
        ints(LONGEST, LANES),
        ints(LONGEST, LANES),
        ints(3),
        ints(LONGEST),
        new_uncertain(machine),
        ints(LANES + 1),
        ints(LANES * most),
        ints(LANES * most, 2),
        words(most, WIDTH),
        words(most, WIDTH),
        ints(LANES),
        ints(LONGEST),
        ints(2),
    )


@native
def find_plan(machine: Machine, key: Words, side: int, turns: int, width: int, beam: Beam) -> bool:
    """Whether a plan for a side is found, which is then in ``plan`` and ``length``.

    ``turns`` are those that the attacker may still begin; ``width`` beginnings are kept.
    """
    _begin(machine, key, beam)
    for generation in range(LONGEST):
        if _step(machine, side, turns, width, generation, beam):
            return True
        if beam.kept[0] == 0:
            break
    return False


@inner
def _begin(machine: Machine, key: Words, beam: Beam) -> None:
    """Put the state from which the plan sets out into the first lane."""
    states = beam.states
    for word in range(WIDTH):
        states.alive[word] = 0
        for slot in range(1 + machine.following.shape[1]):
            states.after_certain[slot, word] = 0
        states.after_certain[0, word] = ALL
        states.before_certain[0, word] = ALL
        states.before_possible[0, word] = ALL
    states.alive[0] = 1
    for fluent in range(machine.following.shape[1]):
        if (key[fluent >> 6] >> np.uint64(fluent & 63)) & np.uint64(1):
            states.after_certain[1 + fluent, 0] = 1
    for slot in range(1 + machine.following.shape[1]):
        for word in range(WIDTH):
            states.after_possible[slot, word] = states.after_certain[slot, word]
    begin(machine, states)
    beam.kept[0], beam.kept[1], beam.kept[2] = 1, 0, _attacks(machine, beam)


@inner
def _attacks(machine: Machine, beam: Beam) -> bool:
    """Whether the attacker is on move in the only state that is alive."""
    states = beam.states
    turn = known_turn(machine, states)
    ask(machine, turn, states)
    literal = machine.asked[turn, ATTACKS]
    return is_certain(states.after_certain, states.after_possible, literal, 0) & np.uint64(1) != 0


@inner
def _first_alive(alive: Words) -> int:
    """The first lane that is alive, or -1."""
    for word in range(WIDTH):
        if alive[word]:
            return 64 * word + lowest(alive[word])
    return -1


@inner
def _wait(
    machine: Machine, side: int, turns: int, begun: int, attacked: bool, beam: Beam
) -> tuple[int, bool, int, bool]:
    """Let the other side move until one's own is on move.

    Returns the attacker's turns begun so far, whether the attacker is on move, how many plies that
    took, and whether the aim is reached: then ``alive`` are the states in which it is.
    """
    states = beam.states
    certain, possible = states.after_certain, states.after_possible
    gap = 0
    while True:
        turn = known_turn(machine, states)
        if turn == 0 and not machine.general:
            for word in range(WIDTH):
                states.alive[word] = 0
            return begun, attacked, gap, False
        ask(machine, turn, states)
        asked = machine.asked[turn]
        bad, end = asked[REACHED], asked[OVER]
        if side == ATTACKER:
            bad, end = end, bad
        some_done = attackers = defenders = False
        for word in range(WIDTH):
            states.alive[word] &= ~is_possible(certain, possible, bad, word)
            some_done |= is_certain(certain, possible, end, word) & states.alive[word] != 0
        if some_done:
            for word in range(WIDTH):
                states.alive[word] &= is_certain(certain, possible, end, word)
            return begun, attacked, gap, True
        # Who is on move must be certain, and the same in all states.
        for word in range(WIDTH):
            attack = is_certain(certain, possible, asked[ATTACKS], word) & states.alive[word]
            defend = is_certain(certain, possible, asked[DEFENDS], word) & states.alive[word]
            attackers |= attack != 0
            defenders |= defend != 0
            states.alive[word] = attack | defend
        if attackers and defenders:
            for word in range(WIDTH):
                states.alive[word] &= is_certain(certain, possible, asked[ATTACKS], word)
        if not attackers and not defenders:
            return begun, attacked, gap, False
        if attackers and not attacked:
            if begun == turns:
                if side == ATTACKER:
                    for word in range(WIDTH):
                        states.alive[word] = 0
                return begun, attackers, gap, side == DEFENDER
            begun += 1
        attacked = attackers
        if attackers == (side == ATTACKER):
            return begun, attacked, gap, False
        if gap >= LONGEST:
            for word in range(WIDTH):
                states.alive[word] = 0
            return begun, attacked, gap, False
        do_anything(machine, turn, 1 - side, states)
        advance(machine, turn, 1 - side, states)
        gap += 1


@inner
def _keep(
    machine: Machine, side: int, width: int, kept: int, generation: int, first: int, beam: Beam
) -> int:
    """Keep the best of the states alive for the next generation; returns how many are kept now.

    The candidates stand in ``pairs`` from ``first`` on.
    """
    states = beam.states
    certain, possible = states.after_certain, states.after_possible
    turn = known_turn(machine, states)
    half = generation & 1
    for lane in range(LANES):
        beam.counts[lane] = 0
    for at in range(machine.ranges[turn, side, 0], machine.ranges[turn, side, 1]):
        for word in range(WIDTH):
            bits = is_certain(certain, possible, machine.legal[at], word) & states.alive[word]
            while bits:
                beam.counts[64 * word + lowest(bits)] += 1
                bits &= bits - np.uint64(1)
    one = np.uint64(1)
    key_words = beam.certain.shape[2]
    sure, maybe = beam.key[0], beam.key[1]
    for word in range(WIDTH):
        bits = states.alive[word]
        while bits:
            lane = 64 * word + lowest(bits)
            bits &= bits - one
            score = beam.counts[lane]
            place = kept
            if kept == width:
                place = 0
                for other in range(kept):
                    if beam.scores[half, other] < beam.scores[half, place]:
                        place = other
            if score == 0 or (kept == width and score <= beam.scores[half, place]):
                continue
            shift = np.uint64(lane & 63)
            for k in range(key_words):
                sure[k] = 0
                maybe[k] = 0
            for fluent in range(machine.following.shape[1]):
                bit = np.uint64(fluent & 63)
                sure[fluent >> 6] |= ((certain[1 + fluent, word] >> shift) & one) << bit
                maybe[fluent >> 6] |= ((possible[1 + fluent, word] >> shift) & one) << bit
            hashed = hash_of(sure) ^ (hash_of(maybe) * np.uint64(3))
            known = False
            for other in range(kept):
                known |= beam.hashes[half, other] == hashed
            if known:
                continue
            for k in range(key_words):
                beam.certain[half, place, k] = sure[k]
                beam.possible[half, place, k] = maybe[k]
            beam.hashes[half, place] = hashed
            beam.scores[half, place] = score
            beam.parents[generation, place] = beam.found[first + lane, 0]
            beam.moves[generation, place] = beam.pairs[first + lane]
            kept = max(kept, place + 1)
    return kept


@inner
def _load(
    generation: int, place: int, start: int, end: int, sure: Words, maybe: Words, beam: Beam
) -> None:
    """Put a beginning of the last generation into some lanes, which hold nothing yet."""
    half = (generation - 1) & 1
    for word in range(beam.certain.shape[2]):
        bits = beam.possible[half, place, word]
        while bits:
            bit = lowest(bits)
            bits &= bits - np.uint64(1)
            slot = 1 + 64 * word + bit
            flip_lanes(maybe, slot, start, end)
            if (beam.certain[half, place, word] >> np.uint64(bit)) & np.uint64(1):
                flip_lanes(sure, slot, start, end)


@inner
def _step(machine: Machine, side: int, turns: int, width: int, generation: int, beam: Beam) -> bool:
    """Go on from each beginning with each own move, and whatever the other side may do then.

    Generation 0 has no move of one's own. Returns whether a plan is found.
    """
    states = beam.states
    turn, pairs = known_turn(machine, states), 1
    if generation:
        turn, pairs = _own_moves(machine, side, generation, beam)
    begun, attacked = beam.kept[1], beam.kept[2] != 0
    beam.kept[0] = 0
    for first in range(0, pairs, LANES):
        if generation:
            _make_moves(machine, turn, side, first, min(LANES, pairs - first), generation, beam)
            advance(machine, turn, side, states)
        now_begun, now_attacked, gap, done = _wait(machine, side, turns, begun, attacked, beam)
        lane = _first_alive(states.alive)
        if lane < 0:
            continue
        if done:
            beam.gaps[generation] = gap
            beam.parents[generation, 0] = beam.found[first + lane, 0]
            beam.moves[generation, 0] = beam.pairs[first + lane]
            beam.kept[0] = 0
            return _write(generation, now_begun, beam)
        if beam.kept[0] == 0:
            beam.gaps[generation] = gap
            beam.kept[1], beam.kept[2] = now_begun, now_attacked
        elif beam.gaps[generation] != gap or beam.kept[1] != now_begun:
            continue
        beam.kept[0] = _keep(machine, side, width, beam.kept[0], generation, first, beam)
    return False


@inner
def _count_plies(side: int, generation: int, beam: Beam) -> None:
    """How many plies there were before the own move of a generation."""
    beam.states.plies[side] = generation - 1
    beam.states.plies[1 - side] = 0
    for step in range(generation):
        beam.states.plies[1 - side] += beam.gaps[step]


@inner
def _make_moves(
    machine: Machine, turn: int, side: int, first: int, lanes: int, generation: int, beam: Beam
) -> None:
    """Fill the lanes with beginnings, each with its own move and what the other side waits with."""
    states = beam.states
    _count_plies(side, generation, beam)
    other, program = machine.ranges[turn, 1 - side], 3 * turn + 2
    effects, starts = machine.tables.effects, machine.tables.effect_starts[program]
    for slot in range(1, machine.tables.effect_ends[program]):
        for word in range(WIDTH):
            states.before_certain[slot, word] = 0
            states.before_possible[slot, word] = 0
    for word in range(WIDTH):
        states.alive[word] = lanes_between(0, lanes, word)
    lane = 0
    while lane < lanes:
        place = beam.found[first + lane, 0]
        stop = min(lanes, beam.starts[place] - first)
        _load(generation, place, lane, stop, states.before_certain, states.before_possible, beam)
        for k in range(other[1] - other[0]):
            move = machine.places[other[0] + k]
            bit = np.uint64(place & 63)
            if (beam.waiting_certain[k, place >> 6] >> bit) & np.uint64(1):
                make(effects, starts[move], starts[move + 1], lane, stop, states.before_certain)
            if (beam.waiting_possible[k, place >> 6] >> bit) & np.uint64(1):
                make(effects, starts[move], starts[move + 1], lane, stop, states.before_possible)
        lane = int(stop)
    for lane in range(lanes):
        move = beam.pairs[first + lane]
        make(effects, starts[move], starts[move + 1], lane, lane + 1, states.before_certain)
        make(effects, starts[move], starts[move + 1], lane, lane + 1, states.before_possible)


@inner
def _own_moves(machine: Machine, side: int, generation: int, beam: Beam) -> tuple[int, int]:
    """The moves that are certainly legal after each beginning, in order; the turn, their number."""
    states, kept = beam.states, beam.kept[0]
    _count_plies(side, generation, beam)
    for word in range(WIDTH):
        for slot in range(1, 1 + machine.following.shape[1]):
            states.after_certain[slot, word] = 0
            states.after_possible[slot, word] = 0
        states.alive[word] = lanes_between(0, kept, word)
    for place in range(kept):
        _load(
            generation, place, place, place + 1, states.after_certain, states.after_possible, beam
        )
    turn = known_turn(machine, states)
    ask(machine, turn, states)
    pairs = 0
    for place in range(kept):
        beam.counts[place] = 0
    for at in range(machine.ranges[turn, side, 0], machine.ranges[turn, side, 1]):
        for word in range(WIDTH):
            bits = is_certain(states.after_certain, states.after_possible, machine.legal[at], word)
            bits &= states.alive[word]
            while bits:
                place = 64 * word + lowest(bits)
                bits &= bits - np.uint64(1)
                beam.found[pairs, 0] = place
                beam.found[pairs, 1] = machine.places[at]
                beam.counts[place] += 1
                pairs += 1
    other = machine.ranges[turn, 1 - side]
    for at in range(other[0], other[1]):
        for word in range(WIDTH):
            sure = is_certain(states.after_certain, states.after_possible, machine.legal[at], word)
            maybe = is_possible(
                states.after_certain, states.after_possible, machine.legal[at], word
            )
            beam.waiting_certain[at - other[0], word] = sure
            beam.waiting_possible[at - other[0], word] = maybe
    end = 0
    for place in range(kept):
        beam.starts[place] = end
        end += beam.counts[place]
    for pair in range(pairs):
        place = beam.found[pair, 0]
        beam.pairs[beam.starts[place]] = beam.found[pair, 1]
        beam.starts[place] += 1
    pair = 0
    for place in range(kept):
        while pair < beam.starts[place]:
            beam.found[pair, 0] = place
            pair += 1
    return turn, pairs


@inner
def _write(generation: int, begun: int, beam: Beam) -> bool:
    """Write down the plan that ends with the first beginning of a generation."""
    plies = beam.gaps[0]
    for step in range(1, generation + 1):
        plies += 1 + beam.gaps[step]
    if plies > LONGEST:
        return False
    beam.length[0], beam.length[1] = plies, begun
    for ply in range(plies):
        beam.plan[ply] = -1
    ply = plies
    place = 0
    while generation > 0:
        ply -= 1 + beam.gaps[generation]
        beam.plan[ply] = beam.moves[generation, place]
        place = int(beam.parents[generation, place])
        generation -= 1
    return True
