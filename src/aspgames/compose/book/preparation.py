"""The puzzles of a book: each solved and prepared, by as many processes as there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, Future
from functools import partial
from os import PathLike
from typing import Any

from ...game.loading import load_game, own_rules
from ...puzzle.puzzle_request import puzzle_of
from ...runtime.errors import (
    AspgamesError,
    BadRequest,
    ExecutorFailed,
    Interrupted,
    LimitReached,
    OutOfTime,
)
from ...runtime.json_lines import JsonObject, decode, encode, error_report
from ...runtime.process_messages import tell
from ...runtime.workers.ordered_map import Show, no_show, through
from ...runtime.workers.progress import Progress
from ...solver.puzzles import Effort, Task

_UNDECIDED = "the puzzle stayed undecided within the limits"


def entries(
    lines: Iterable[bytes | None],
    effort: Effort,
    *,
    executor: Executor | None,
    resume: str | PathLike[str] | None,
    show: Show,
    total: int | None = None,
) -> Iterator[JsonObject]:
    """What each line, a puzzle, has in a book, in their order: see ``book.entry``.

    A puzzle that can't be in it is answered with ``{"error": ..., "kind": ...}``. None stands for
    a line too long. ``show`` is told of the progress.
    """
    ships = executor is not None or resume is not None
    tasks = (Task(line, effort, _rules(line) if ships else None) for line in lines)
    with through(executor, resume, progress=Progress("puzzles", total), show=show) as way:
        for future in way.map(prepared, tasks, here=partial(prepared, show=show)):
            yield _told(future, effort)


def prepared(task: Task, show: Show = no_show) -> JsonObject:
    """What a puzzle has in a book, whatever is wrong with it. Raises ``Interrupted``."""
    effort = task.effort
    try:
        request = decode(task.line)
        puzzle = puzzle_of(request, lambda name, constants: load_game(name, constants, task.rules))
        tell(seconds=effort.seconds)
        try:
            return decode(encode(_entry(request, puzzle, effort, show)).encode())
        finally:
            tell(seconds=None)
    except OutOfTime:
        return _out_of_time(effort)
    except (AspgamesError, RecursionError, MemoryError) as error:
        if isinstance(error, Interrupted):
            raise
        return error_report(error)


def _entry(request: JsonObject, puzzle: Any, effort: Effort, show: Show) -> JsonObject:
    from ...puzzle.proof.certificate import certificate
    from ...solver.search.cooperation import together
    from ...solver.search.puzzle_search import Search  # loaded only where they are needed
    from . import entry, helped_entry

    budget = effort.budget()
    show("making the net")
    search = Search(puzzle, budget, show, effort.bytes, threads=effort.threads)
    if request.get("stipulation") == "together":
        found = together(puzzle, budget)
        if found.verdict == "impossible":
            raise BadRequest("even together the sides can't reach the goal")
        if found.verdict == "unknown":
            raise LimitReached(_UNDECIDED)
        return helped_entry(request, search, found)
    solution = search.run()
    if search.interrupted:
        raise Interrupted
    if solution.verdict == "unknown":
        raise LimitReached(_UNDECIDED)
    return entry(request, search, solution, certificate(search, solution))


def _told(future: Future[JsonObject], effort: Effort) -> JsonObject:
    """What came of a task, also where it didn't end by itself."""
    try:
        return future.result()
    except OutOfTime:
        return _out_of_time(effort)
    except (ExecutorFailed, Interrupted):
        raise
    except AspgamesError as error:
        return error_report(error)


def _out_of_time(effort: Effort) -> JsonObject:
    limit = f"the puzzle wasn't ready within {effort.seconds or 0:g} seconds"
    return error_report(LimitReached(limit))


def _rules(line: bytes | None) -> Any:
    """The rules that a puzzle names, where they are a user's own."""
    try:
        return own_rules(decode(line).get("game"))
    except AspgamesError:
        return None
