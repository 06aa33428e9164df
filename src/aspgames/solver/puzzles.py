"""Many puzzles: a JSON object each, answered in order, by as many processes as there are."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from functools import cache, partial
from os import PathLike
from typing import TYPE_CHECKING, Any

from ..game.loading import load_game, own_rules
from ..game.requests import notation_of
from ..puzzle.puzzle_request import puzzle_of
from ..puzzle.solution import Solution, solution_report, undecided
from ..runtime.budget import Budget
from ..runtime.errors import AspgamesError, BadRequest, ExecutorFailed, Interrupted, OutOfTime
from ..runtime.json_lines import JsonObject, decode, encode, error_report
from ..runtime.process_messages import tell
from ..runtime.workers.ordered_map import Show, no_show, through
from ..runtime.workers.progress import Progress

if TYPE_CHECKING:
    from ..gdl.encoding import Encoding
    from ..puzzle.problem import Puzzle
    from ..puzzle.solved import Solved
    from .table.lookup import Table


@dataclass(frozen=True)
class Effort:
    """What each puzzle may take, and what is asked of it.

    The memory and the threads of a search don't show: with others the answer is the same.
    """

    seconds: float | None = None
    positions: int | None = None
    bytes: float | None = field(default=None, repr=False)
    threads: int | None = field(default=None, repr=False)
    first: bool = False
    """Yes or no: stop at the first proof."""
    table: str | None = None
    """The file of a table that has the answers, if there is one."""

    def budget(self) -> Budget:
        """A budget that starts now. Raises ``BadRequest`` for senseless limits."""
        return Budget(self.seconds, self.positions)


@dataclass(frozen=True)
class Task:
    """A puzzle on its way to whoever solves it."""

    line: bytes | None
    """None: it is too long to be read."""
    effort: Effort
    rules: Encoding | None = None
    """The rules that it names, where they are a user's own."""


def solve_puzzles(
    puzzles: Iterable[str | bytes | Mapping[str, Any]],
    *,
    executor: Executor | None = None,
    first: bool = False,
    seconds: float | None = None,
    positions: int | None = None,
    threads: int | None = None,
    resume: str | PathLike[str] | None = None,
    progress: Show = no_show,
) -> Iterator[JsonObject]:
    """Answer puzzles, each a JSON object or its text; yields an answer for each, in their order.

    What puzzles and answers are: see ``solve --puzzles``. A puzzle that makes no sense, or that
    nobody can answer within the limits, is answered with ``{"error": ..., "kind": ...}``.

    ``executor`` is any of ``concurrent.futures``, ``Workers`` and ``Cluster`` among them; without
    one, puzzles are solved here, one after the other. The answers are the same. ``first``: the
    verdict alone. ``seconds`` and ``positions`` limit each puzzle. ``threads`` share each search;
    unless given, one a core here, and one with an executor. ``resume`` is a file in which answers
    are kept: those that it holds are not looked for again. ``progress`` is told how far it is.

    Raises ``BadRequest`` for senseless limits, and if the file can't be gone on with.
    """
    if threads is None and executor is not None:
        threads = 1
    effort = Effort(seconds, positions, None, threads, first)
    effort.budget()
    lines = (_line(puzzle) for puzzle in puzzles)
    return answers(lines, effort, executor=executor, resume=resume, show=progress)


def answers(
    lines: Iterable[bytes | None],
    effort: Effort,
    *,
    executor: Executor | None,
    resume: str | PathLike[str] | None,
    show: Show,
    total: int | None = None,
) -> Iterator[JsonObject]:
    """The answers to lines that are a puzzle each; see ``solve_puzzles``. None is too long a one.

    ``show`` is told of the progress; where there is no executor, of that of each search.
    """
    asked: deque[Task] = deque()

    def tasks(ships: bool) -> Iterator[Task]:
        for line in lines:
            task = Task(line, effort, own_rules(_request(line).get("game")) if ships else None)
            asked.append(task)
            yield task

    progress = None if executor is None else Progress("puzzles", total)
    with through(executor, resume, progress=progress, show=show) as way:
        needs_rules = executor is not None or resume is not None
        for future in way.map(answer, tasks(needs_rules), here=partial(answer, show=show)):
            yield _told(asked.popleft(), future)


def answer(task: Task, show: Show = no_show) -> JsonObject:
    """The answer to a puzzle, whatever is wrong with it. Raises ``Interrupted``."""
    effort = task.effort
    try:
        request = decode(task.line)
        puzzle = puzzle_of(request, lambda name, constants: load_game(name, constants, task.rules))
        tell(seconds=effort.seconds)
        try:
            report = _solved(request, puzzle, effort, show)
        except OutOfTime:
            report = _report(request, undecided(effort.seconds or 0), effort.first)
        finally:
            tell(seconds=None)
        return notation_of(request, puzzle.state.game).solution(report)
    except (AspgamesError, RecursionError, MemoryError) as error:
        return error_report(error)


def _solved(request: JsonObject, puzzle: Puzzle, effort: Effort, show: Show) -> JsonObject:
    solver = _solver(puzzle, effort, show)
    solution = solver.run(effort.first)
    if solver.interrupted:
        raise Interrupted
    return _report(request, solution, effort.first)


def _solver(puzzle: Puzzle, effort: Effort, show: Show) -> Solved:
    """A table or a search."""
    if effort.table is not None:
        from .table.table_puzzle import SolvedByTable

        return SolvedByTable(puzzle, _table(effort.table), effort.budget())
    from .search.puzzle_search import Search  # loaded only where it is needed

    show("making the net")
    return Search(puzzle, effort.budget(), show, effort.bytes, threads=effort.threads)


@cache
def _table(path: str) -> Table:
    from .table.lookup import Table

    return Table(path)


def _told(task: Task, future: Future[JsonObject]) -> JsonObject:
    """The answer that came of a task, also where it didn't end by itself."""
    try:
        return future.result()
    except OutOfTime:
        first, seconds = task.effort.first, task.effort.seconds or 0
        return _report(_request(task.line), undecided(seconds), first)
    except ExecutorFailed:
        raise
    except AspgamesError as error:
        return error_report(error)


def _report(request: JsonObject, solution: Solution, first: bool) -> JsonObject:
    report = decode(encode(solution_report(request, solution)).encode())  # what it is once kept
    return report | {"first": True} if first else report


def _line(puzzle: object) -> bytes:
    """A puzzle as a line of JSON. Raises ``BadRequest``."""
    if isinstance(puzzle, bytes):
        return puzzle
    if isinstance(puzzle, str):
        return puzzle.encode("utf-8", "surrogatepass")
    try:
        return json.dumps(puzzle).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise BadRequest(f"a puzzle is a JSON object, or its text: {error}") from None


def _request(line: bytes | None) -> JsonObject:
    """The object of a line; an empty one if there is none."""
    try:
        return decode(line)
    except AspgamesError:
        return {}
