"""Checking a table against the rules: each state's value must follow from its successors' values.

A table whose states all pass is right: distances decrease to an end, and from an endless state no
move leads to anything better for its role. Samples are checked with clingo's grounder alone, whole
tables with the net.
"""

import random
from collections.abc import Callable, Mapping
from itertools import product

import numpy as np

from ...game.game import Game
from ...game.state import State
from ...propnet.state_set import ABSENT, StateSet
from ...propnet.successors import ENDED, Successors
from ...propnet.value_induction import StateBlock, first_wrong
from ...runtime.budget import MOST_RULES, Budget
from ...runtime.errors import BadPosition, Rejected
from .lookup import Table, Value
from .outcomes import preferences, worth_an_end
from .sorted_runs import key_type, keys_of, unpacked

_CHUNK = 1 << 15  # states


def verify_samples(
    table: Table,
    game: Game,
    samples: int,
    seed: int,
    budget: Budget,
    progress: Callable[[int], None] = lambda _checked: None,
) -> int:
    """Check random states and the first state; returns how many.

    Raises ``Rejected`` for the first wrong state.
    """
    table.must_be_of(game)
    rules = game.without_nets
    start = rules.state(tuple(table.about.start))
    _check(table, start, _known(table, start))
    chance, checked = random.Random(seed), 1
    for place in chance.sample(range(len(table)), min(samples, len(table))):
        budget.check()
        state = rules.state(table.facts(place))
        _check(table, state, table.value_at(place))
        checked += 1
        progress(checked)
    return checked


def verify_whole(
    table: Table,
    game: Game,
    threads: int,
    budget: Budget,
    progress: Callable[[int], None] = lambda _checked: None,
) -> int:
    """Check all states with the net; returns how many. Raises ``Rejected`` for a wrong state."""
    table.must_be_of(game)
    about = table.about
    tables = game.nets.tables_from(about.start, MOST_RULES, budget)
    names = tables.names
    if (tuple(names.fluents), tuple(names.certain)) != (about.fluents, about.certain):
        raise Rejected(f"{table.path}: its fluents differ from those of the rules")
    words = tables.row_bytes // 8
    states, parts, last = StateSet(words, threads), [], np.zeros(0, key_type(words))
    for packed, values in table.parts():
        for first in range(0, len(packed), _CHUNK):
            budget.check()
            rows = unpacked(packed[first : first + _CHUNK], words)
            keys = np.concatenate([last, keys_of(rows)])
            if not (keys[:-1] < keys[1:]).all():
                raise Rejected(f"{table.path}: the states aren't in order")
            last = keys[-1:]
            states.add([rows])
        parts.append(values)
    values = np.concatenate(parts)
    successors = Successors(tables, threads, about.symmetries)
    start = np.frombuffer(tables.row(about.start) or b"", np.uint64).reshape(1, words).copy()
    successors.least(start)
    if ABSENT in states.find(start):
        raise Rejected(f"{table.path}: the first state is missing")
    roles = len(about.roles)
    wanted, ends = preferences(about.outcomes, roles), worth_an_end(about.outcomes, roles)
    for first in range(0, len(table), _CHUNK):
        budget.check()
        rows = states.rows(first, min(first + _CHUNK, len(table)))
        own = values[first : first + len(rows)]
        found = successors.of(rows)
        if found.stuck and not about.stuck:
            raise Rejected(f"{table.path}: a role is stuck in a state that isn't terminal")
        edges = np.concatenate([states.find(part) for part in found.parts])
        if found.order is not None:
            edges = edges[found.order]
        wrong = np.repeat(np.arange(len(rows)), found.degrees)[edges == ABSENT]
        if len(wrong):
            place = first + int(wrong[0])
            raise Rejected(f"{_named(table, place)}: a successor is missing")
        for place in np.flatnonzero(found.movers == ENDED).tolist():
            goals = tuple(found.goals[place].tolist())
            if goals not in about.outcomes or own[place] != about.outcomes.index(goals) << 16:
                raise Rejected(f"{_named(table, first + place)}: the game is over with {goals}")
        block = StateBlock(first, found.movers, found.degrees, edges)
        bad = first_wrong(wanted, ends, block, own, values)
        if bad is not None:
            raise Rejected(f"{_named(table, first + bad)}: it doesn't follow from the successors")
        progress(first + len(rows))
    return len(table)


def _check(table: Table, state: State, value: Value) -> None:
    """Raise ``Rejected`` unless the value of a state follows from its successors' values."""
    legal = state.legal
    if state.is_terminal or not all(legal.values()):
        if value != Value(dict(state.goals), 0):
            raise Rejected(f"{state}: the game is over with {_goals(state.goals)}")
        return
    choosers = [number for number, moves in enumerate(legal.values()) if len(moves) > 1]
    joints = [dict(zip(legal, moves, strict=True)) for moves in product(*legal.values())]
    values = [_known(table, state.play(joint)) for joint in joints]
    expected = table.follows(choosers[0] if choosers else None, values)
    if value != expected:
        raise Rejected(
            f"{state}: the table has {_told(value)}, its successors give {_told(expected)}"
        )


def _known(table: Table, state: State) -> Value:
    try:
        return table.value(state)
    except BadPosition:
        raise Rejected(f"{state} isn't in the table") from None


def _named(table: Table, place: int) -> str:
    return f"{' '.join(table.facts(place))}: the table has {_told(table.value_at(place))}"


def _told(value: Value) -> str:
    if value.goals is None:
        return "no end"
    return f"{_goals(value.goals)} after {value.distance} plies"


def _goals(goals: Mapping[str, int]) -> str:
    return ", ".join(f"{role} {goal}" for role, goal in goals.items())
