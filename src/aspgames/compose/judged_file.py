"""Puzzles of a file, each judged: whether it is sound, and how good it is."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from ..puzzle.many_puzzles import PuzzleWork
from ..puzzle.problem import Puzzle
from ..runtime.budget import Budget
from ..runtime.errors import BadRequest
from ..runtime.json_lines import JsonObject
from ..runtime.workers.task_runner import Show
from .judgement import Judgement
from .judging import EFFORT, judge
from .order import FORCED, STIPULATIONS


@dataclass(frozen=True)
class Judging(PuzzleWork):
    """Adds a judgement to each puzzle, as ``judged``."""

    effort: int = EFFORT
    """The evaluations for each question about a puzzle."""

    def answer(self, request: JsonObject, puzzle: Puzzle, _show: Show) -> JsonObject:
        """The puzzle with its judgement. Raises ``Interrupted``."""
        puzzle.refuse_unless_sides_take_turns()
        stipulation, intended = _stipulation(request), _intended(request)
        found = judge(puzzle, stipulation, intended, Budget(self.seconds), self.effort)
        return request | {"judged": asdict(found)}

    def out_of_time(self, request: JsonObject) -> JsonObject:
        """The puzzle, undecided."""
        return request | {"judged": asdict(Judgement(False, "unknown"))}


def _stipulation(request: JsonObject) -> str:
    found = request.get("stipulation", FORCED)
    if found not in STIPULATIONS:
        raise BadRequest(f"the stipulation must be {', '.join(STIPULATIONS)}, not {found!r}"[:200])
    return str(found)


def _intended(request: JsonObject) -> list[str]:
    """The keys of the puzzle's own answer, as terms."""
    answer = request.get("answer")
    keys = answer.get("keys") if isinstance(answer, dict) else None
    return list(map(str, keys)) if isinstance(keys, list) else []
