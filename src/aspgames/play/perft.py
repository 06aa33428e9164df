"""Perft: counting the move sequences of a given length, as chess programmers check move generators.

Every path is walked, and one that ends before its time (a finished game) counts nothing. See
https://www.chessprogramming.org/Perft.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeVar

from ..game.game import Game
from ..game.notation.joint_moves import format_ply
from ..runtime.arguments import check_budget, check_progress, told
from ..runtime.errors import BadRequest, RulesError, TooLarge
from ..runtime.json_lines import JsonObject

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from os import PathLike

    from ..game.game import State
    from ..gdl.reasoner import Joint
    from ..gdl.reasoner.reference_perft import StateByState
    from ..propnet.counting import Walk
    from ..runtime.budget import Budget
    from ..runtime.workers.task_runner import TaskRunner

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
    executor: Executor | TaskRunner | None = None,
    resume: str | PathLike[str] | None = None,
) -> int:
    """The number of sequences of exactly ``depth`` plies that can be played from a state.

    ``depth`` is a whole number from 0 on; depth 0 has one sequence, the empty one. A game that is
    over before counts nothing. ``reasoner`` is ``"propnet"`` (thousands of states at a time),
    ``"grounder"`` (one by one) or None for whichever serves best. ``threads`` is how many threads
    share the work, one a core unless given; the count is the same. ``progress`` is called with the
    sequences counted so far.

    ``executor`` is any of ``concurrent.futures``, ``Workers`` and ``Cluster`` among them: it counts
    in pieces, with one thread each unless told otherwise. ``resume`` is a file in which the counts
    of pieces are kept: what it holds is not counted again.

    Raises ``BadRequest`` for a negative depth, an unknown reasoner, no threads or a file that can't
    be gone on with, ``LimitReached`` when the budget runs out. See
    https://www.chessprogramming.org/Perft.
    """
    _check_state(state)
    _check(depth, least=0)
    if depth == 0:
        return 1
    if executor is not None or resume is not None:
        counts = divide(
            state,
            depth,
            reasoner=reasoner,
            threads=threads,
            budget=budget,
            progress=progress,
            executor=executor,
            resume=resume,
        )
        return sum(counts.values())
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
    into: dict[str, int] | None = None,
    executor: Executor | TaskRunner | None = None,
    resume: str | PathLike[str] | None = None,
) -> dict[str, int]:
    """``perft`` split by the first ply: the count behind each move's term, sorted.

    Where several roles choose, it is split by joint moves (``white=rock,black=paper``). ``into`` is
    what is returned, if given: it has the moves that were counted before a limit was reached, too.
    ``executor`` and ``resume`` are as for ``perft``. Raises as ``perft`` does, and ``BadRequest``
    for depth 0, which has no first ply.
    """
    _check_state(state)
    _check(depth, least=1)
    found = {} if into is None else into
    if depth > 1 and (executor is not None or resume is not None):
        from ..runtime.workers.task_runner import task_runner  # most counts need no executor

        with task_runner(executor, resume, check_budget(budget)) as way:
            return _divide_in_pieces(way, state, depth, reasoner, threads, progress, found)
    movers = state.consequences.movers
    counts: dict[Joint, int] = {}
    try:
        _ask(
            state,
            depth,
            lambda counter: counter.divide(state.facts, depth, counts),
            reasoner,
            threads,
            budget,
            progress,
        )
    finally:
        found.update(sorted((format_ply(dict(joint), movers), n) for joint, n in counts.items()))
    return found


def _divide_in_pieces(
    way: TaskRunner,
    state: State,
    depth: int,
    reasoner: str | None,
    threads: int | None,
    progress: Progress,
    found: dict[str, int],
) -> dict[str, int]:
    from ..propnet.threads import number_of
    from .perft_tasks import count_in_pieces

    check_progress(progress)
    each = number_of(threads if threads or way.executor is None else 1)
    movers = state.consequences.movers

    def count(counter: Walk | StateByState) -> dict[str, int]:
        counts: dict[str, int] = {}
        behind = nodes = 0
        try:
            for joint, paths, last in count_in_pieces(counter, state, depth, way, each):
                behind, nodes = behind + paths, nodes + paths
                progress(nodes)
                if last:
                    counts[format_ply(dict(joint), movers)], behind = behind, 0
        finally:
            found.update(sorted(counts.items()))
        return found

    return _ask(state, depth, count, reasoner, threads, way.budget)


def _ask(
    state: State,
    depth: int,
    question: Callable[[Walk | StateByState], Result],
    reasoner: str | None,
    threads: int | None,
    budget: Budget | None,
    progress: Progress = lambda _nodes: None,
) -> Result:
    """Put a question to the counter of a reasoner."""
    from ..gdl.reasoner import check_choice
    from ..propnet.threads import number_of

    check_choice(reasoner)
    check_progress(progress)
    threads = number_of(threads)
    budget = check_budget(budget)
    if reasoner == "propnet" or (reasoner is None and depth > 1):
        from ..propnet.counting import Walk

        try:
            return question(Walk(state.game.rules, budget, progress, threads))
        except (RulesError, TooLarge):
            if reasoner == "propnet":
                raise
    from ..gdl.reasoner.reference_perft import StateByState

    return question(StateByState(state.game.reasoner, budget, progress))


def _check_state(state: State) -> None:
    from ..game.game import check_state  # not before: a program that begins may not need it

    check_state(state)


def _check(depth: int, least: int) -> None:
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < least:
        raise BadRequest(f"the depth must be a whole number from {least} on, not {told(depth)}")


def perft_report(
    game: Game, depth: int, nodes: int, divide: Mapping[str, int] | None = None
) -> JsonObject:
    """A perft count, with the count behind each first move if there is one."""
    report: JsonObject = {"game": game.name, "depth": depth, "nodes": nodes}
    return report if divide is None else report | {"divide": dict(divide)}
