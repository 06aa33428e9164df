"""Solving many puzzles: JSON objects, answered in order by any number of processes."""

import json
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from os import PathLike
from typing import Any, ClassVar

from ..game.requests import notation_of
from ..puzzle.many_puzzles import PuzzleWork, answer_puzzles
from ..puzzle.problem import Puzzle
from ..puzzle.solution import Solution, cooperation_report, solution_report, undecided
from ..puzzle.solved import PuzzleRun, Solved
from ..puzzle.stipulation import is_helped
from ..runtime.budget import Budget
from ..runtime.call_arguments import no_show
from ..runtime.errors import BadRequest, Interrupted
from ..runtime.json_lines import JsonObject
from ..runtime.workers.task_runner import Show
from .solvers import open_any_puzzle


@dataclass(frozen=True)
class Effort(PuzzleWork):
    """The limits of each puzzle, and the way to solve it.

    ``repr`` leaves out the memory and the threads, because answers don't depend on them.
    """

    has_chance: ClassVar[bool] = True

    positions: int | None = None
    bytes: float | None = field(default=None, repr=False)
    threads: int | None = field(default=None, repr=False)
    first: bool = False
    """Find only the verdict: stop at the first proof."""
    table: str | None = None
    """The file of a table with the answers."""

    def budget(self) -> Budget:
        """A budget that starts now. Raises ``BadRequest`` for invalid limits."""
        return Budget(self.seconds, self.positions)

    def answer(self, request: JsonObject, puzzle: Puzzle, show: Show) -> JsonObject:
        """The puzzle with its solution. Raises ``Interrupted``."""
        if is_helped(request.get("stipulation")):
            puzzle.state.game.refuse_unsupported(
                but="nobody helps with: give an attacker and a goal, without a stipulation"
            )
            from .planner.cooperative_search import together  # loaded only if necessary

            return cooperation_report(request, together(puzzle, self.budget()))
        with self.open_any(puzzle, show) as solved:
            solution = solved.run(self.first)
        if solved.interrupted:
            raise Interrupted
        return notation_of(request, puzzle.state.game).solution(self._report(request, solution))

    def out_of_time(self, request: JsonObject) -> JsonObject:
        """The puzzle, undecided."""
        return self._report(request, undecided(self.seconds or 0))

    def _report(self, request: JsonObject, solution: Solution) -> JsonObject:
        report = solution_report(request, solution)
        return report | {"first": True} if self.first else report

    def open(self, puzzle: Puzzle, show: Show) -> Solved:
        """A puzzle without chance, ready to be solved here. Raises as ``open_puzzle`` does."""
        solved = self.open_any(puzzle, show)
        assert isinstance(solved, Solved)
        return solved

    def open_any(self, puzzle: Puzzle, show: Show) -> PuzzleRun:
        """Any puzzle, ready to be solved here. Raises the errors of ``open_puzzle``."""
        budget, memory, threads = self.budget(), self.bytes, self.threads
        return open_any_puzzle(
            puzzle, budget, None, self.table, memory=memory, threads=threads, progress=show
        )


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
    """Solve puzzles, each a JSON object or its text; yields an answer for each, in order.

    Puzzles and answers have the fields of ``aspgames solve --puzzles``. A malformed puzzle, or one
    that exceeds the limits, gets ``{"error": ..., "kind": ...}``.

    >>> puzzle = {"game": "breakthrough", "position": "8/P7/8/8/8/8/7p/8 w",
    ...           "attacker": "white", "goal": "win", "within": 1}
    >>> [answer["verdict"] for answer in solve_puzzles([puzzle])]
    ['forced']

    Args:
        puzzles: The puzzles.
        executor: Any of ``concurrent.futures``, ``Workers`` or ``Cluster``. Without one, this
            process solves the puzzles one after the other. The answers are the same.
        first: Find only the verdict.
        seconds: The time limit for each puzzle [s].
        positions: The most positions to examine for each puzzle.
        threads: The threads of each search. Defaults to one a core here, or one with an executor.
        resume: A file that keeps the answers. Answers in it are not computed again.
        progress: Takes a text about the progress now and then.

    Raises:
        BadRequest: A limit is invalid, or the file is unusable.
    """
    if threads is None and executor is not None:
        threads = 1
    effort = Effort(seconds, positions, None, threads, first)
    effort.budget()
    lines = (_line(puzzle) for puzzle in puzzles)
    found = answer_puzzles(
        enumerate(lines), effort, executor=executor, resume=resume, show=progress
    )
    return (answer for _, _, answer in found)


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
