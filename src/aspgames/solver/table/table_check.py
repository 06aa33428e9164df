"""Checking a table against the rules: each state's value must follow from its successors' values.

A table whose states all pass is right: distances decrease to an end, and from an endless state no
move leads to anything better for its role. In a game with chance, that makes upper bounds right,
and lower bounds if there are no loops; the check of a whole table finds all bounds again. Samples
are checked with clingo's grounder alone, whole tables with the net.
"""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from operator import mul

import numpy as np

from ...game.game import Game
from ...game.state import State
from ...gdl.predicates import CHANCE
from ...propnet.lanes import Array
from ...propnet.mean_values import RollGraph
from ...propnet.state_set import ABSENT, StateSet
from ...propnet.successors import ENDED, Successors
from ...propnet.value_induction import StateBlock, first_wrong
from ...runtime.arguments import counted
from ...runtime.budget import Budget
from ...runtime.errors import BadPosition, Rejected
from .expected_values import denominator, expected_bounds, from_words
from .lookup import Bounds, Table, Value
from .outcomes import preferences, worth_an_end
from .sorted_runs import key_type, keys_of, unpacked
from .table_maker import net_with_weights

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
    tables, weights = net_with_weights(game, about.start, budget)
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
    successors = Successors(tables, threads, about.symmetries, weights)
    start = np.frombuffer(tables.row(about.start) or b"", np.uint64).reshape(1, words).copy()
    successors.least(start)
    if ABSENT in states.find(start):
        raise Rejected(f"{table.path}: the first state is missing")
    roles = len(about.roles)
    blocks, chances = list[tuple[Array, ...]](), list[Array]()
    wanted, ends = preferences(about.outcomes, roles), worth_an_end(about.outcomes, roles)
    for first in range(0, len(table), _CHUNK):
        budget.check()
        rows = states.rows(first, min(first + _CHUNK, len(table)))
        own = values[first : first + len(rows)]
        found = successors.of(rows)
        if len(found.stuck) and not about.stuck:
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
            if goals not in about.outcomes or not (
                about.one or own[place] == about.outcomes.index(goals) << 16
            ):
                raise Rejected(f"{_named(table, first + place)}: the game is over with {goals}")
        if about.one:
            found.goals[found.movers != ENDED] = 0
            blocks.append((found.movers, found.degrees, edges, found.goals))
            if found.weights is not None:
                chances.append(found.weights)
            progress(first + len(rows))
            continue
        block = StateBlock(first, found.movers, found.degrees, edges)
        bad = first_wrong(wanted, ends, block, own, values)
        if bad is not None:
            raise Rejected(f"{_named(table, first + bad)}: it doesn't follow from the successors")
        progress(first + len(rows))
    if about.one:
        _check_bounds(table, blocks, chances, values, budget)
    return len(table)


def _check_bounds(
    table: Table,
    blocks: Sequence[tuple[Array, ...]],
    chances: Sequence[Array],
    values: Array,
    budget: Budget,
) -> None:
    """Find all bounds again, and compare. Raises ``Rejected``."""
    about = table.about
    movers, degrees, edges, goals = (np.concatenate(part) for part in zip(*blocks, strict=True))
    weights = np.concatenate(chances) if chances else None
    graph = RollGraph(movers, degrees, edges, weights, about.roles.index(CHANCE))
    fine = denominator(graph)
    if fine[0] != about.one:
        raise Rejected(f"{table.path}: the denominator isn't {fine[0]}")
    for place, player in enumerate(about.players):
        role = about.roles.index(player)
        both = expected_bounds(graph, goals[:, role], role, fine, lambda _: budget.check())
        wrong = np.stack(both, 1) != values[:, place]
        for bad in np.flatnonzero(wrong.any((1, 2)))[:1].tolist():
            low, high = (Fraction(from_words(each[bad]), about.one) for each in both)
            raise Rejected(f"{_named(table, bad)}: {player} can expect {low} to {high}")


def _check(table: Table, state: State, value: Value) -> None:
    """Raise ``Rejected`` unless the value of a state follows from its successors' values."""
    legal = state.legal
    if table.about.one:
        bounds = _expected(table, state)
        if value.expected != bounds:
            its = _text(replace(value, expected=bounds))
            raise Rejected(f"{state}: the table has {_text(value)}, the rules give {its}")
        return
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
            f"{state}: the table has {_text(value)}, its successors give {_text(expected)}"
        )


def _expected(table: Table, state: State) -> dict[str, Bounds]:
    """The bounds for each player by those of the successors, as ``expected_bounds`` rounds."""
    players, legal = table.about.players, state.legal
    if state.is_terminal or not all(legal.values()):
        return {player: (Fraction(state.goals[player]),) * 2 for player in players}
    chances = dict(state.chance)
    role = next((role for role, moves in legal.items() if len(moves) > 1), CHANCE)
    joints = [dict(zip(legal, moves, strict=True)) for moves in product(*legal.values())]
    after = [(joint, _known(table, state.play(joint)).expected or {}) for joint in joints]
    own, found = table.value(state).expected or {}, {}
    for player in players:
        low, high = zip(*(known[player] for _, known in after), strict=True)
        if role == CHANCE:
            odds = [chances.get(joint[CHANCE], Fraction(1)) for joint, _ in after]
            means = [sum(map(mul, odds, each)) * table.about.one for each in (low, high)]
            least = Fraction(math.floor(means[0]), table.about.one)
            most = Fraction(math.ceil(means[1]), table.about.one)
        else:
            choice = max if role == player else min
            least, most = choice(low), choice(high)
        found[player] = least, max(most, own[player][0])
    return found


def _known(table: Table, state: State) -> Value:
    try:
        return table.value(state)
    except BadPosition:
        raise Rejected(f"{state} isn't in the table") from None


def _named(table: Table, place: int) -> str:
    return f"{' '.join(table.facts(place))}: the table has {_text(table.value_at(place))}"


def _text(value: Value) -> str:
    if value.expected is not None:
        return ", ".join(f"{role} {low} to {high}" for role, (low, high) in value.expected.items())
    if value.goals is None:
        return "no end"
    return f"{_goals(value.goals)} after {counted(value.distance or 0, 'ply', 'plies')}"


def _goals(goals: Mapping[str, int]) -> str:
    return ", ".join(f"{role} {goal}" for role, goal in goals.items())
