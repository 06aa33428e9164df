"""Many puzzles, a JSON object a line: each is answered in any process, the answers come in order.

What an answer is, a ``PuzzleWork`` says: a solution, a page of a book, a judgement.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from os import PathLike

from ..game.loading import SentGame
from ..runtime.errors import AspgamesError, ExecutorFailed, OutOfTime
from ..runtime.json_lines import JsonObject, decode, encode, error_report
from ..runtime.process_messages import time_limit
from ..runtime.workers.progress import Progress
from ..runtime.workers.task_runner import Show, no_show, task_runner
from .problem import Puzzle
from .puzzle_request import puzzle_of


@dataclass(frozen=True)
class PuzzleWork(ABC):
    """What is done with each puzzle. It pickles, and its ``repr`` tells what answers depend on."""

    seconds: float | None = None
    """The time limit for each puzzle."""

    @abstractmethod
    def answer(self, request: JsonObject, puzzle: Puzzle, show: Show) -> JsonObject:
        """The answer to a puzzle. May raise ``AspgamesError``; ``show`` takes the progress."""

    @abstractmethod
    def out_of_time(self, request: JsonObject) -> JsonObject:
        """The answer to a puzzle whose time is over."""


@dataclass(frozen=True)
class PuzzleTask:
    """One puzzle, ready for another process."""

    line: bytes | None
    """The JSON text; None if it exceeded the length limit."""
    work: PuzzleWork
    game: SentGame | None = None
    """The game, if its files are the user's own and may be missing where the work is done."""

    @property
    def request(self) -> JsonObject:
        """The puzzle's JSON object; empty if the line is malformed."""
        try:
            return decode(self.line)
        except AspgamesError:
            return {}


def answer_puzzles(
    lines: Iterable[bytes | None],
    work: PuzzleWork,
    *,
    executor: Executor | None,
    resume: str | PathLike[str] | None,
    show: Show,
    total: int | None = None,
) -> Iterator[JsonObject]:
    """Answer each line in order; a line without an answer gets ``{"error": ..., "kind": ...}``.

    Args:
        lines: Puzzles as JSON text. ``None`` stands for a line that exceeded the length limit.
        work: What is done with each.
        executor: Where it is done; here, if None.
        resume: A file that keeps the answers; those that it holds are not computed again.
        show: Takes the progress.
        total: The number of lines, if known.

    Raises:
        BadRequest: The file ``resume`` can't be used.
        ExecutorFailed: The executor is gone.
    """
    is_sent = executor is not None or resume is not None
    asked: deque[PuzzleTask] = deque()

    def tasks() -> Iterator[PuzzleTask]:
        for line in lines:
            task = PuzzleTask(line, work)
            if is_sent:
                task = replace(task, game=SentGame.named(task.request.get("game")))
            asked.append(task)
            yield task

    progress = Progress("puzzles", total)
    with task_runner(executor, resume, progress=progress, show=show) as way:
        for future in way.map(answer_puzzle, tasks(), here=partial(answer_puzzle, show=show)):
            task = asked.popleft()
            try:
                yield future.result()
            except OutOfTime:
                yield _plain(work.out_of_time(task.request))
            except ExecutorFailed:
                raise
            except AspgamesError as error:
                yield error_report(error)


def answer_puzzle(task: PuzzleTask, show: Show = no_show) -> JsonObject:
    """The answer to one puzzle, or what is wrong with it. Raises ``Interrupted``."""
    try:
        request = decode(task.line)
        puzzle = puzzle_of(request, lambda name, given: (task.game or SentGame(name)).load(given))
        with time_limit(task.work.seconds):
            try:
                answer = task.work.answer(request, puzzle, show)
            except OutOfTime:
                answer = task.work.out_of_time(request)
        return _plain(answer)
    except (AspgamesError, RecursionError, MemoryError) as error:
        return error_report(error)


def _plain(answer: JsonObject) -> JsonObject:
    """An answer of lists and texts alone, as if it had been kept in a file."""
    return decode(encode(answer).encode())
