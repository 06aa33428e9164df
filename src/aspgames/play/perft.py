"""Perft and divide: the number of move sequences of a given length.

Chess programmers test move generators by perft (https://www.chessprogramming.org/Perft). A game
that ends earlier is not counted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ..game.game import Game
from ..game.notation.joint_moves import format_ply
from ..game.state import State, check_state
from ..gdl.reasoner import NoMove, check_choice
from ..gdl.rules import Joint
from ..propnet.threads import number_of
from ..runtime.call_arguments import check_budget, check_progress, whole_number
from ..runtime.errors import RulesError, TooLarge
from ..runtime.json_lines import JsonObject

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from os import PathLike

    from ..gdl.reasoner.reference_perft import StateByState
    from ..propnet.counting import PerftWalk
    from ..runtime.budget import Budget
    from ..runtime.workers.task_runner import TaskRunner

Result = TypeVar("Result")
Progress = Callable[[int], None]
"""A callback that gets the number of sequences counted so far."""


def perft(
    state: State,
    depth: int,
    *,
    reasoner: str | None = None,
    threads: int | None = None,
    budget: Budget | None = None,
    progress: Progress = lambda _nodes: None,
    executor: Executor | TaskRunner | None = None,
    resume: str | PathLike[str] | None = None,
) -> int:
    """Count the sequences of exactly ``depth`` plies that can be played from a state.

    A game that ends earlier is not counted; depth 0 has one sequence, the empty one.

    >>> import aspgames
    >>> aspgames.perft(aspgames.load("breakthrough").initial, 3)
    11132

    Args:
        state: The first state of the sequences.
        depth: The number of plies, at least 0.
        reasoner: ``"propnet"`` (thousands of states at a time), ``"grounder"`` (one by one), or
            None for the faster one that the rules allow.
        threads: The number of threads; by default one for each core, or one in each process of an
            executor. The count doesn't depend on it.
        budget: Limits on time and memory.
        progress: Called with the number of sequences counted so far.
        executor: Any executor of ``concurrent.futures``, for example ``Workers`` or ``Cluster``; it
            counts pieces.
        resume: A file that stores the counts of pieces; stored pieces are not counted again.

    Raises:
        BadRequest: An argument is invalid, or the file holds other results.
        LimitReached: The budget runs out.
    """
    how = _How(state, _check(state, depth, 0), reasoner, threads, budget, progress)
    if depth == 0:
        return 1
    if depth > 1 and (executor is not None or resume is not None):
        return sum(_divide_in_pieces(how, executor, resume, {}).values())
    return how.ask(lambda counter: counter.count(state.facts, depth))


def divide(
    state: State,
    depth: int,
    *,
    reasoner: str | None = None,
    threads: int | None = None,
    budget: Budget | None = None,
    progress: Progress = lambda _nodes: None,
    into: dict[str, int] | None = None,
    executor: Executor | TaskRunner | None = None,
    resume: str | PathLike[str] | None = None,
) -> dict[str, int]:
    """Count like ``perft``, and split the count by the first ply.

    >>> import aspgames
    >>> start = aspgames.load("breakthrough", width=2, height=4).initial
    >>> aspgames.divide(start, 2)
    {'move(1,2,2,3)': 3, 'move(2,2,1,3)': 3}

    Args:
        state: The first state of the sequences.
        depth: The number of plies, at least 1.
        into: A dictionary to fill and return; after a limit it has the first moves counted so far.
        reasoner: As for ``perft``; so are the other arguments.

    Returns:
        The count of each first move, by the move's term, sorted. If several roles choose, the keys
        are joint moves (``white=rock,black=paper``).

    Raises:
        BadRequest: An argument is invalid, or the file holds other results.
        LimitReached: The budget runs out.
    """
    how = _How(state, _check(state, depth, 1), reasoner, threads, budget, progress)
    found = {} if into is None else into
    if depth > 1 and (executor is not None or resume is not None):
        return _divide_in_pieces(how, executor, resume, found)
    counts: dict[Joint, int] = {}
    try:
        how.ask(lambda counter: counter.divide(state.facts, depth, counts))
    finally:
        movers = state.consequences.movers
        found.update(sorted((format_ply(dict(joint), movers), n) for joint, n in counts.items()))
    return found


def _check(state: object, depth: object, least: int) -> int:
    check_state(state)
    return whole_number(depth, "the depth", least)


class _How(NamedTuple):
    state: State
    depth: int
    reasoner: str | None
    threads: int | None
    budget: Budget | None
    progress: Progress

    def ask(self, question: Callable[[PerftWalk | StateByState], Result]) -> Result:
        check_choice(self.reasoner)
        check_progress(self.progress)
        threads, budget = number_of(self.threads), check_budget(self.budget)
        game = self.state.game
        if self.reasoner == "propnet" or (self.reasoner is None and self.depth > 1):
            from ..propnet.counting import PerftWalk

            try:
                return question(PerftWalk(game.rules, budget, self.progress, threads))
            except (RulesError, TooLarge) as error:
                if self.reasoner == "propnet" or isinstance(error, NoMove):
                    raise
        from ..gdl.reasoner.reference_perft import StateByState

        return question(StateByState(game.grounder, game.encoding, budget, self.progress))


def _divide_in_pieces(
    how: _How,
    executor: Executor | TaskRunner | None,
    resume: str | PathLike[str] | None,
    found: dict[str, int],
) -> dict[str, int]:
    from ..runtime.workers.task_runner import task_runner  # most counts need no executor
    from .perft_tasks import count_in_pieces

    state, progress = how.state, how.progress
    check_progress(progress)
    movers = state.consequences.movers

    def count(counter: PerftWalk | StateByState) -> dict[str, int]:
        counts: dict[str, int] = {}
        behind = nodes = 0
        try:
            for joint, paths, last in count_in_pieces(counter, state, how.depth, way, each):
                behind, nodes = behind + paths, nodes + paths
                progress(nodes)
                if last:
                    counts[format_ply(dict(joint), movers)], behind = behind, 0
        finally:
            found.update(sorted(counts.items()))
        return found

    with task_runner(executor, resume, check_budget(how.budget)) as way:
        each = number_of(how.threads if how.threads or way.executor is None else 1)
        return how._replace(budget=way.budget, progress=lambda _nodes: None).ask(count)


def perft_report(
    game: Game, depth: int, nodes: int, divide: Mapping[str, int] | None = None
) -> JsonObject:
    """A perft count as JSON, with the counts of first moves if given."""
    report: JsonObject = {"game": game.name, "depth": depth, "nodes": nodes}
    return report if divide is None else report | {"divide": dict(divide)}
