"""Perft suites: text files of positions with their counts, similar to chess perft suites.

    # A comment.
    game breakthrough width=4 height=5
    startpos;                 1: 10  2: 100
    pppp/pppp/4/PPPP/PPPP w;  D1 10 ;D2 100

A line has a position in any form, a semicolon, and counts by depth: ``1: 10``, or ``;D1 10`` as in
chess suites. A line ``game`` sets the game of the lines after it. In EPD it is chess at first.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar

from ..asp.sources import encodings_folder, is_file
from ..game.game import Game, load
from ..game.loading import SentGame
from ..game.state import State
from ..gdl.rules import Facts
from ..runtime.arguments import utf8_text
from ..runtime.budget import Budget
from ..runtime.call_arguments import check_budget
from ..runtime.errors import AspgamesError, BadRequest
from ..runtime.json_lines import JsonObject, error_report
from ..runtime.workers.task_runner import TaskRunner
from .formats.format import usual_game
from .formats.position_lines import EPD
from .perft import divide, perft
from .without_draws import without_draws

T = TypeVar("T")

_COUNT = re.compile(r"D?([0-9]{1,9})\s*[:\s]\s*([0-9][0-9,_]{0,99})(?=[\s;]|\Z)")
_MOST_CHARACTERS = 1 << 24  # characters of a file


@dataclass(frozen=True)
class Case:
    """One count of a suite."""

    line: int
    state: State
    position: str
    """The position's text in the suite."""
    depth: int
    nodes: int


@dataclass(frozen=True)
class Failure:
    """A wrong count, with the counts of first moves (terms)."""

    case: Case
    nodes: int
    divide: dict[str, int]
    without_draws: int
    """The count if draws don't end the game."""


def suite_path(name: str) -> Path:
    """The path of a suite: a file, or the name of an included suite. Raises ``BadRequest``."""
    shipped = {path.stem: path for path in (encodings_folder() / "suites").glob("*.perft")}
    path = Path(name)
    if is_file(path):
        return path
    if name in shipped:
        return shipped[name]
    known = ", ".join(sorted(shipped))
    raise BadRequest(f"there is no file {name!r}, and no suite of that name (there are: {known})")


def read_suite(
    path: Path, game: Game | None = None, bad_lines: list[JsonObject] | None = None
) -> list[Case]:
    """Read the counts of a file; ``game`` is the game of lines before the first ``game`` line.

    A line that can't be read is added to ``bad_lines``, as an error in JSON, and the next one is
    read; after such a ``game`` line, all lines up to the next ``game`` line are left out. Without a
    list, the first error raises ``BadRequest``, with the line; so does a file that can't be read.
    """
    text = utf8_text(path)
    if len(text) > _MOST_CHARACTERS:
        raise BadRequest(f"{path} is longer than {_MOST_CHARACTERS} characters")
    if game is None and path.suffix.lower() in EPD.endings:
        game = usual_game(EPD.name)
    cases: list[Case] = []
    is_known = True  # whether the game of the line could be loaded
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.split()
        begins = words[:1] == ["game"]
        if not words or words[0].startswith("#") or not (is_known or begins):
            continue
        try:
            if begins:
                is_known = False
                game = _game(words[1:])
                is_known = True
            else:
                cases += _cases(number, line, game)
        except AspgamesError as error:
            if bad_lines is None:
                raise BadRequest(f"{path.name}:{number}: {error}") from None
            bad_lines.append({**error_report(error), "line": number})
    return cases


def _game(words: list[str]) -> Game:
    if not words:
        raise BadRequest("give a game's name after 'game'")
    constants = {}
    for word in words[1:]:
        name, equals, value = word.partition("=")
        if not (name and equals and value):
            raise BadRequest(f"{word!r} is no NAME=VALUE")
        constants[name] = value
    return load(words[0], **constants)


def _cases(number: int, line: str, game: Game | None) -> Iterator[Case]:
    if game is None:
        raise BadRequest("it isn't said which game this is: write 'game NAME' above it")
    position, semicolon, counts = line.partition(";")
    left = _COUNT.sub("", counts).replace(";", "").strip()
    found = _COUNT.findall(counts)
    if not semicolon or left or not found:
        what = left or line.strip()
        raise BadRequest(f"{what[:60]!r} is no 'position; depth: count ...'")
    state = game.position(position)
    for depth, nodes in found:
        count = int(re.sub("[,_]", "", nodes))
        yield Case(number, state, position.strip(), int(depth), count)


def run_suite(
    cases: Sequence[Case],
    *,
    reasoner: str | None = None,
    threads: int | None = None,
    budget: Budget | None = None,
    progress: Callable[[Case], None] = lambda _case: None,
    way: TaskRunner | None = None,
) -> Iterator[Failure]:
    """Check the counts, and yield each wrong one.

    ``reasoner``, ``threads`` and exceptions are as for ``perft``. With a task runner ``way``, each
    count is a task, and its budget replaces ``budget``.
    """
    runner = way or TaskRunner(budget=check_budget(budget))

    def tasks() -> Iterator[SentCase]:
        for case in cases:
            if way is None:
                progress(case)
            game, facts = SentGame.of(case.state.game), case.state.facts
            yield SentCase(game, facts, case.depth, case.nodes, reasoner, threads)

    found = runner.map(count_case, tasks(), partial(count_case, budget=runner.budget))
    for case, future in zip(cases, found, strict=True):
        nodes, split, playing_on = future.result()
        if nodes != case.nodes:
            yield Failure(case, nodes, split, playing_on)


@dataclass(frozen=True)
class SentCase:
    """A count as it is sent to an executor."""

    game: SentGame
    facts: Facts
    depth: int
    nodes: int
    reasoner: str | None
    threads: int | None = field(repr=False)


def count_case(sent: SentCase, budget: Budget | None = None) -> tuple[int, dict[str, int], int]:
    """The count of a position; if it is wrong, also those of first moves, and without draws."""
    state = sent.game.load().state(sent.facts)

    def ask(count: Callable[..., T], state: State = state) -> T:
        return count(state, sent.depth, reasoner=sent.reasoner, threads=sent.threads, budget=budget)

    nodes = ask(perft)
    if nodes == sent.nodes:
        return nodes, {}, nodes
    playing_on = ask(perft, without_draws(state.game).state(state.facts))
    return nodes, ask(divide) if sent.depth else {}, playing_on


def suite_report(
    name: str,
    cases: Sequence[Case],
    failures: Sequence[Failure],
    seconds: float,
    bad_lines: Sequence[JsonObject] = (),
) -> JsonObject:
    """The result of a perft suite as JSON."""
    return {
        "suite": name,
        "counts": len(cases),
        "seconds": seconds,
        "failures": [
            {
                "line": failure.case.line,
                "game": failure.case.state.game.name,
                "const": dict(failure.case.state.game.constants),
                "position": failure.case.position,
                "depth": failure.case.depth,
                "expected": failure.case.nodes,
                "nodes": failure.nodes,
                "divide": failure.divide,
                "without_draws": failure.without_draws,
            }
            for failure in failures
        ],
        "bad_lines": list(bad_lines),
    }
