"""Perft: counting the move sequences of a given length, as chess programmers check move generators.

Every path is walked, and one that ends before its time (a finished game) counts nothing. See
https://www.chessprogramming.org/Perft.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from math import prod

from .budget import Budget
from .errors import BadRequest
from .reasoner import Consequences, Facts, Reasoner
from .state import State


def perft(state: State, depth: int, budget: Budget | None = None) -> int:
    """The number of sequences of exactly ``depth`` plies that can be played from a state.

    Raises ``BadRequest`` for a negative depth, ``LimitReached`` when the budget runs out.
    """
    _check(depth)
    return _count(state.game.reasoner, state.facts, depth, budget or Budget())


def divide(state: State, depth: int, budget: Budget | None = None) -> dict[str, int]:
    """``perft`` split by the first ply: the count behind each move's term.

    A joint move of several choosing roles is written with blanks between the terms. Raises as
    ``perft`` does, and ``BadRequest`` for depth 0, which has no first ply.
    """
    _check(depth)
    if depth == 0:
        raise BadRequest("a divide needs a depth of at least 1")
    budget = budget or Budget()
    reasoner = state.game.reasoner
    counts = {}
    for joint in joint_moves(state.consequences):
        own = [m for role, m in joint.items() if len(state.consequences.legal[role]) > 1]
        mover = [joint[state.to_move]] if state.to_move else own
        after = reasoner.successor(state.facts, joint)
        counts[" ".join(mover)] = _count(reasoner, after, depth - 1, budget)
    return counts


def joint_moves(consequences: Consequences) -> Iterator[Mapping[str, str]]:
    """The joint moves of a state: one legal move for each role; none when the game is over."""
    roles = list(consequences.legal)
    for terms in product(*(consequences.playable(role) for role in roles)):
        yield dict(zip(roles, terms, strict=True))


def _count(reasoner: Reasoner, facts: Facts, depth: int, budget: Budget) -> int:
    budget.spend()
    if depth == 0:
        return 1
    consequences = reasoner.consequences(facts)
    if depth == 1:
        return prod(len(consequences.playable(role)) for role in consequences.legal)
    return sum(
        _count(reasoner, reasoner.successor(facts, joint), depth - 1, budget)
        for joint in joint_moves(consequences)
    )


def _check(depth: int) -> None:
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < 0:
        raise BadRequest(f"the depth must be a whole number from 0 on, not {depth!r}")
