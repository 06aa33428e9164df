"""Many puzzles, one JSON object a line: any process answers each, and the answers come in order.

A ``PuzzleWork`` defines what an answer is: a solution, a page of a book or a judgement.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from os import PathLike
from typing import ClassVar

from ..game.loading import SentGame
from ..runtime.call_arguments import no_show
from ..runtime.errors import AspgamesError, ExecutorFailed, OutOfTime
from ..runtime.json_lines import JsonObject, decode, encode, error_report
from ..runtime.process_messages import time_limit
from ..runtime.workers.task_runner import Progress, Show, task_runner
from .problem import Puzzle
from .puzzle_request import puzzle_of


@dataclass(frozen=True)
class PuzzleWork(ABC):
    """The work on each puzzle. It pickles, and its ``repr`` shows what answers depend on."""

    has_chance: ClassVar[bool] = False
    """Whether puzzles with chance can be answered."""

    seconds: float | None = None
    """The time limit for each puzzle [s]."""

    @abstractmethod
    def answer(self, request: JsonObject, puzzle: Puzzle, show: Show) -> JsonObject:
        """The answer to a puzzle. May raise ``AspgamesError``; ``show`` takes progress texts."""

    @abstractmethod
    def out_of_time(self, request: JsonObject) -> JsonObject:
        """The answer to a puzzle that exceeded its time limit."""


@dataclass(frozen=True)
class PuzzleTask:
    """One puzzle, ready for another process."""

    line: bytes | None
    """The JSON text; None if it exceeded the length limit."""
    work: PuzzleWork
    game: SentGame | None = None
    """The files of a user's own game, which the other process may lack."""

    @property
    def request(self) -> JsonObject:
        """The puzzle's JSON object; empty if the line is malformed."""
        try:
            return decode(self.line)
        except AspgamesError:
            return {}


Line = tuple[int, bytes | None]
"""A line with its number; None if it exceeds the length limit."""


def answer_puzzles(
    lines: Iterable[Line],
    work: PuzzleWork,
    *,
    executor: Executor | None,
    resume: str | PathLike[str] | None,
    show: Show,
    total: int | None = None,
) -> Iterator[tuple[int, bytes | None, JsonObject]]:
    """Answer each line in order; a line without an answer gets ``{"error": ..., "kind": ...}``.

    Each answer follows its line. ``total`` is the number of lines, if known. The file ``resume``
    keeps the answers; those in it are not computed again. Raises ``BadRequest`` if it is unusable,
    and ``ExecutorFailed``.
    """
    is_sent = executor is not None or resume is not None
    asked: deque[tuple[int, PuzzleTask]] = deque()

    def tasks() -> Iterator[PuzzleTask]:
        for number, line in lines:
            task = PuzzleTask(line, work)
            if is_sent:
                task = replace(task, game=SentGame.named(task.request.get("game")))
            asked.append((number, task))
            yield task

    progress = Progress("puzzles", total)
    with task_runner(executor, resume, progress=progress, show=show) as way:
        for future in way.map(answer_puzzle, tasks(), here=partial(answer_puzzle, show=show)):
            number, task = asked.popleft()
            try:
                answer = future.result()
            except OutOfTime:
                answer = _plain(work.out_of_time(task.request))
            except ExecutorFailed:
                raise
            except AspgamesError as error:
                answer = error_report(error)
            yield number, task.line, answer


def answer_puzzle(task: PuzzleTask, show: Show = no_show) -> JsonObject:
    """The answer to one puzzle, or its error. Raises ``Interrupted``."""
    try:
        request = decode(task.line)
        puzzle = puzzle_of(
            request,
            lambda name, given: (task.game or SentGame(name)).load(given),
            task.work.has_chance,
        )
        if "goal" not in request:  # a stipulation stands for it
            request |= {"attacker": puzzle.attacker, "goal": puzzle.goal.text}
            request["within"] = puzzle.within
        with time_limit(task.work.seconds):
            try:
                answer = task.work.answer(request, puzzle, show)
            except OutOfTime:
                answer = task.work.out_of_time(request)
        return _plain(answer)
    except (AspgamesError, RecursionError, MemoryError) as error:
        return error_report(error)


def _plain(answer: JsonObject) -> JsonObject:
    """The answer with plain lists and texts only, as if a file had kept it."""
    return decode(encode(answer).encode())
