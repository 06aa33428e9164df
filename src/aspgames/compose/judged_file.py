"""Puzzles from elsewhere, judged: a JSON object a line, with what is said of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from functools import partial
from os import PathLike
from typing import Any

from ..game.loading import load_game, own_rules
from ..gdl.encoding import Encoding
from ..puzzle.puzzle_request import puzzle_of
from ..runtime.budget import Budget
from ..runtime.errors import AspgamesError, BadRequest, ExecutorFailed, Interrupted, OutOfTime
from ..runtime.json_lines import JsonObject, decode, error_report
from ..runtime.process_messages import tell
from ..runtime.workers.ordered_map import through
from ..runtime.workers.progress import Progress
from .judgement import Judgement
from .judging import EFFORT, judge
from .specification import FORCED, STIPULATIONS


@dataclass(frozen=True)
class Task:
    """A puzzle on its way to whoever judges it."""

    line: bytes | None
    """None: it is too long to be read."""
    seconds: float | None
    effort: int = EFFORT
    rules: Encoding | None = None
    """The rules that it names, where they are a user's own."""


def judge_lines(
    lines: Iterable[bytes | None],
    *,
    seconds: float | None = None,
    effort: int = EFFORT,
    executor: Executor | None = None,
    resume: str | PathLike[str] | None = None,
    total: int | None = None,
    show: Callable[[str], None] = lambda _text: None,
) -> Iterator[JsonObject]:
    """Each line's puzzle with ``judged``, or an error; in their order.

    ``seconds`` is the time for each, ``effort`` the evaluations for each question about it. Raises
    ``Interrupted``, and ``BadRequest`` if the file ``resume`` can't be gone on with.
    """
    asked: deque[Task] = deque()

    def tasks(ships: bool) -> Iterator[Task]:
        for line in lines:
            rules = own_rules(_object(line).get("game")) if ships else None
            task = Task(line, seconds, effort, rules)
            asked.append(task)
            yield task

    progress = Progress("puzzles", total)
    with through(executor, resume, progress=progress, show=show) as way:
        for future in way.map(judged, tasks(executor is not None or resume is not None)):
            task = asked.popleft()
            try:
                yield future.result()
            except OutOfTime:
                yield _undecided(_object(task.line))
            except (ExecutorFailed, Interrupted):
                raise
            except AspgamesError as error:
                yield error_report(error)


def judged(task: Task) -> JsonObject:
    """A line's puzzle with what is said of it, or what is wrong. Raises ``Interrupted``."""
    request: JsonObject = {}
    try:
        request = decode(task.line)
        puzzle = puzzle_of(request, partial(_load, task.rules))
        puzzle.refuse_unless_sides_take_turns()
        stipulation, intended = _stipulation(request), _intended(request)
        tell(seconds=task.seconds)
        try:
            found = judge(puzzle, stipulation, intended, Budget(task.seconds), task.effort)
        finally:
            tell(seconds=None)
        return request | {"judged": _plain(found)}
    except Interrupted:
        raise
    except OutOfTime:
        return _undecided(request)
    except (AspgamesError, RecursionError, MemoryError) as error:
        return error_report(error)


def _load(rules: Encoding | None, name: str, constants: Any) -> Any:
    return load_game(name, constants, rules)


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


def _undecided(request: JsonObject) -> JsonObject:
    return request | {"judged": _plain(Judgement(False, "unknown"))}


def _plain(found: Judgement) -> JsonObject:
    """A judgement as JSON has it."""
    import json

    plain: JsonObject = json.loads(json.dumps(asdict(found)))
    return plain


def _object(line: bytes | None) -> JsonObject:
    """The object of a line; an empty one if there is none."""
    try:
        return decode(line)
    except AspgamesError:
        return {}
