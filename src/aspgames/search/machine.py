"""A puzzle's rules as tables for the search: what it asks of states, in the net's own terms."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np

from ..engine.circuit import FALSE
from ..engine.net import Net
from ..puzzle.problem import Puzzle
from .counts import counts
from .gates import Ints, Tables, Writer
from .turns import Turn, never_leads_to_goal

REACHED, OVER, ATTACKS, DEFENDS, MIXED = range(5)
"""What is asked of each state: the goal stands; the game is over (or stuck) without it; the
attacker or the defender is on move; the sides don't move one at a time."""

DEFENDER, ATTACKER = 0, 1

_MOST_TURNS = 8


class Machine(NamedTuple):
    """The tables, and what their literals mean for each of the turns.

    Turn 0 is any turn; the others hold one of the fluents ``turns`` and none of its fellows. For
    each turn there are three programs: the verdicts alone, verdicts and moves, and the next state.
    """

    tables: Tables
    turns: Ints
    """The fluents that say whose turn it is."""
    judged: Ints
    """By turn and question: the literals of the verdicts alone."""
    asked: Ints
    """The same in the program that has the moves, too."""
    ranges: Ints
    """By turn and side: where the side's moves are in the two tables that follow."""
    legal: Ints
    """The literals of the moves ..."""
    places: Ints
    """... and their places among the net's moves."""
    following: Ints
    """By turn and fluent: the literals of the next state."""
    sure_ranges: Ints
    """By turn and side: where in the next table those slots are ..."""
    sure: Ints
    """... that any move of the side sets, whichever it is."""
    counted: Ints
    """Fluents of the counted gates: each such gate is true if none of them holds."""
    counted_ranges: Ints
    """For each counted gate, where its fluents are."""
    drops: Ints
    """By counted gate and side: how many fewer of the fluents hold after a ply, at most."""
    moves: int
    slots: int
    general: bool
    """Whether there are programs for any turn, which are large; they are made when needed."""
    quiet: bool
    """Whether the defender's own moves never reach the goal."""


def machine_for(puzzle: Puzzle, net: Net, general: bool = False) -> Machine:
    """The machine for a puzzle's goal, and with the programs for any turn or without."""
    defender = puzzle.defender
    fluents = net.turn if len(net.turn) <= _MOST_TURNS else []
    general = general or not fluents
    held: list[tuple[bool, ...] | None] = [None] if general else []
    held += [tuple(place == one for place in fluents) for one in fluents]
    turns = [Turn(net, turn, puzzle.goal, puzzle.attacker, defender) for turn in held]
    found_counts = counts(net, turns, frozenset(puzzle.state.facts))
    writer = Writer(net, [count.gate for count in found_counts])
    judged: list[Sequence[int]] = []
    asked: list[Sequence[int]] = []
    following: list[Sequence[int]] = []
    ranges: list[list[tuple[int, int]]] = []
    legal: list[int] = []
    places: list[int] = []
    sure_ranges: list[list[tuple[int, int]]] = []
    sure: list[int] = []
    if not general:
        for _ in range(3):
            writer.add(net.circuit, {}, ())
        judged.append([1] * 5)
        asked.append([1] * 5)
        following.append([1] * len(net.fluents))
        ranges.append([(0, 0), (0, 0)])
        sure_ranges.append([(0, 0), (0, 0)])
    for turn in turns:
        judged.append(writer.add(turn.circuit, turn.became, turn.verdicts))
        moves = list(turn.legal.values())
        found = writer.add(turn.circuit, turn.became, [*turn.verdicts, *moves])
        asked.append(found[:5])
        ranges.append([])
        for role in (defender, puzzle.attacker):
            start = len(legal)
            for (mover, _), literal, place in zip(
                turn.legal, found[5:], range(len(moves)), strict=True
            ):
                if mover == role and moves[place] != FALSE:
                    legal.append(literal)
                    places.append(place)
            ranges[-1].append((start, len(legal)))
        circuit, became, literals = turn.successor
        following.append(writer.add(circuit, became, literals))
        sure_ranges.append([])
        for role in (defender, puzzle.attacker):
            start = len(sure)
            own = {became[node] for node in turn.moves_of(role)}
            sure += (slot for group, slot in writer.groups.items() if own and own <= set(group))
            sure_ranges[-1].append((start, len(sure)))
    return Machine(
        writer.tables(),
        _ints(fluents),
        _ints(judged),
        _ints(asked),
        _ints(ranges),
        _ints(legal),
        _ints(places),
        _ints(following),
        _ints(sure_ranges),
        _ints(sure),
        _ints([fluent for count in found_counts for fluent in count.fluents]),
        _ints(_ranges([len(count.fluents) for count in found_counts])).reshape(-1, 2),
        _ints([count.drops for count in found_counts]).reshape(-1, 2),
        len(net.moves),
        writer.slots,
        general,
        all(never_leads_to_goal(turn, then) for turn in turns for then in turns),
    )


def _ranges(lengths: Sequence[int]) -> list[tuple[int, int]]:
    ends = list(accumulate(lengths, initial=0))
    return list(pairwise(ends))


def _ints(numbers: Sequence[object]) -> Ints:
    return np.array(numbers, dtype=np.int32)
