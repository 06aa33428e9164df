"""The probabilities of a puzzle with chance without a limit on turns, by interval iteration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

import numpy as np

from ...propnet.mean_values import RollGraph
from ...runtime.budget import Budget
from ...runtime.errors import LimitReached
from ..table.expected_values import denominator, expected_bounds, from_words
from ..table.lookup import Bounds
from .chance_states import ChanceStates, Column, Kind

_CHUNK = 1 << 14  # states that are expanded together
_PER_STATE, _PER_MOVE = 150, 64  # bytes, with copies


def unlimited_bounds(
    states: ChanceStates, most_bytes: float, budget: Budget, progress: Callable[[str], None]
) -> tuple[Bounds, Mapping[str, Bounds]]:
    """The bounds of the first state's probability, and of those after each of its moves.

    Raises ``LimitReached``, and the errors of ``ChanceStates.expand``.
    """
    degrees, children, weights = (Column(kind) for kind in (np.int64, np.uint32, np.uint32))
    done, first = 0, list[str]()
    while done < len(states.kinds):
        size = states.bytes + _PER_STATE * len(states.kinds) + _PER_MOVE * len(children)
        if size > most_bytes:
            raise LimitReached(f"no answer within {most_bytes / 2**20:.0f} MiB")
        budget.check()
        end = min(done + _CHUNK, len(states.kinds))
        moving = np.flatnonzero(states.kinds.array[done:end] < Kind.REACHED)
        counts = np.zeros(end - done, np.int64)
        if len(moving):
            found = states.expand(done + moving)
            counts[moving] = np.bincount(found.parents, minlength=len(moving))
            first = first or [states.terms[move] for move in found.moves[: counts[0]]]
            children.add(found.children)
            weights.add(found.weights)
        degrees.add(counts)
        done = end
        progress(f"{done:,} of {len(states.kinds):,} states")
    kinds = states.kinds.array
    movers = np.where(kinds < Kind.REACHED, kinds, 255).astype(np.uint8)
    graph = RollGraph(movers, degrees.array, children.array, weights.array, Kind.ROLL)

    def check(done: int) -> None:
        progress(f"values of {done:,} of {len(kinds):,} states")
        budget.check()

    fine = denominator(graph)
    both = expected_bounds(
        graph, np.where(kinds == Kind.REACHED, states.worth.array, 0), Kind.ATTACK, fine, check
    )

    def bounds(state: int) -> Bounds:
        low, high = (Fraction(from_words(each[state]), fine[0]) for each in both)
        return low, high

    after = children.array[: len(first)].tolist()
    return bounds(0), dict(zip(first, map(bounds, after), strict=True))
