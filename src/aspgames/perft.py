"""Perft: counting the move sequences of a given length, as chess programmers check move generators.

Every path is walked, and one that ends before its time (a finished game) counts nothing. See
https://www.chessprogramming.org/Perft.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Protocol, TypeVar

from .budget import Budget
from .engine.threads import number_of
from .errors import BadRequest, RulesError
from .reasoner import check_choice

if TYPE_CHECKING:
    from .reasoner import Consequences, Facts, Joint, Reasoner
    from .state import State

Result = TypeVar("Result")
Progress = Callable[[int], None]
"""Is told the number of paths counted so far."""


def perft(
    state: State,
    depth: int,
    *,
    reasoner: str | None = None,
    threads: int | None = None,
    budget: Budget | None = None,
    progress: Progress = lambda _nodes: None,
) -> int:
    """The number of sequences of exactly ``depth`` plies that can be played from a state.

    ``depth`` is a whole number from 0 on; depth 0 has one sequence, the empty one. A game that is
    over before counts nothing. ``reasoner`` is ``"propnet"`` (thousands of states at a time),
    ``"grounder"`` (one by one) or None for whichever serves best. ``threads`` is how many threads
    share the work, one a core unless given; the count is the same. ``progress`` is called with the
    sequences counted so far.

    Raises ``BadRequest`` for a negative depth, an unknown reasoner or no threads, ``LimitReached``
    when the budget runs out. See https://www.chessprogramming.org/Perft.
    """
    _check(depth, least=0)
    if depth == 0:
        return 1
    return _ask(
        state,
        depth,
        lambda counter: counter.count(state.facts, depth),
        reasoner,
        threads,
        budget,
        progress,
    )


def divide(
    state: State,
    depth: int,
    *,
    reasoner: str | None = None,
    threads: int | None = None,
    budget: Budget | None = None,
    progress: Progress = lambda _nodes: None,
) -> dict[str, int]:
    """``perft`` split by the first ply: the count behind each move's term, sorted.

    A joint move of several choosing roles is written with blanks between the terms. Raises as
    ``perft`` does, and ``BadRequest`` for depth 0, which has no first ply.
    """
    _check(depth, least=1)
    counts = _ask(
        state,
        depth,
        lambda counter: counter.divide(state.facts, depth),
        reasoner,
        threads,
        budget,
        progress,
    )
    return dict(sorted((_name(state, joint), count) for joint, count in counts.items()))


class _Counter(Protocol):
    def count(self, facts: Facts, depth: int) -> int:
        """The paths of so many plies, at least one."""

    def divide(self, facts: Facts, depth: int) -> dict[Joint, int]:
        """The paths behind each joint move."""


@dataclass
class StateByState:
    """Counts with a reasoner, one state at a time."""

    reasoner: Reasoner
    budget: Budget
    progress: Progress
    nodes: int = 0

    def count(self, facts: Facts, depth: int) -> int:
        """See ``perft``; the depth is at least 1."""
        self.budget.spend()
        consequences = self.reasoner.consequences(facts)
        if depth == 1:
            paths = prod(len(consequences.playable(role)) for role in consequences.legal)
            self.nodes += paths
            self.progress(self.nodes)
            return paths
        after = (self.reasoner.successor(facts, joint) for joint in _joint_moves(consequences))
        return sum(self.count(successor, depth - 1) for successor in after)

    def divide(self, facts: Facts, depth: int) -> dict[Joint, int]:
        """See ``divide``."""
        counts = {}
        for joint in _joint_moves(self.reasoner.consequences(facts)):
            after = self.reasoner.successor(facts, joint)
            counts[tuple(joint.items())] = 1 if depth == 1 else self.count(after, depth - 1)
        return counts


def _joint_moves(consequences: Consequences) -> Iterator[Mapping[str, str]]:
    """One legal move for each role; none when the game is over."""
    roles = list(consequences.legal)
    for terms in product(*(consequences.playable(role) for role in roles)):
        yield dict(zip(roles, terms, strict=True))


def _ask(
    state: State,
    depth: int,
    question: Callable[[_Counter], Result],
    reasoner: str | None,
    threads: int | None,
    budget: Budget | None,
    progress: Progress,
) -> Result:
    """Put a question to the counter of a reasoner."""
    check_choice(reasoner)
    threads = number_of(threads)
    budget = budget or Budget()
    if reasoner == "propnet" or (reasoner is None and depth > 1):
        from .engine.counting import Walk

        try:
            return question(Walk(state.game.rules, budget, progress, threads))
        except RulesError:
            if reasoner == "propnet":
                raise
    return question(StateByState(state.game.reasoner, budget, progress))


def _name(state: State, joint: Joint) -> str:
    """A joint move as the moves of the roles that don't just wait, in the order of the roles."""
    moves = dict(joint)
    chosen = [moves[r] for r in state.game.roles if not state.consequences.waits(r)]
    return " ".join(chosen or moves.values())


def _check(depth: int, least: int) -> None:
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < least:
        raise BadRequest(f"the depth must be a whole number from {least} on, not {depth!r}")
