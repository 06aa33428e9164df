"""A file of puzzles, answered line by line; what is answered already is kept."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import IO, Any

import click

from ..puzzle.many_puzzles import answer_puzzles
from ..puzzle.problem import turns_text
from ..puzzle.solution import Solution
from ..runtime.errors import AspgamesError, BadRequest
from ..runtime.json_lines import JsonObject, decode, encode, read_lines
from ..solver.puzzles import Effort
from .exit_codes import BAD_INPUT, UNDECIDED, YES
from .files import opened, standard_input, standard_input_of_its_own
from .output import status_line

_ANSWERED = {field.name for field in fields(Solution)} | {"first", "tree"}
"""The keys of a result that are not, or not always, those of the puzzle."""


_Line = tuple[int, bytes | None]
"""A line that isn't blank, with its number; None if it is too long."""


def solve_file(
    name: str,
    output: str | None,
    effort: Effort,
    executor: Executor | None,
    resume: str | None,
    as_json: bool,
) -> int:
    """Answer each line of a file ('-': standard input) in order; returns the exit code.

    The results go to standard output, as a table if that is a terminal and ``as_json`` isn't asked
    for, or to the end of the file ``output``: the puzzles whose results it holds already are passed
    over. The file ``resume`` keeps results as they come, in whatever order that is. Where a puzzle
    has an answer of its own that is another, a line on standard error says so. Raises
    ``BadRequest`` if a file can't be read or written, or if ``output`` or ``resume`` holds
    something else.
    """
    with ExitStack() as files:
        if name != "-":
            stream = files.enter_context(opened(name, "rb"))
        else:
            stream = standard_input() if executor is None else standard_input_of_its_own()
        total = None if name == "-" or executor is None else sum(1 for _ in _lines(stream))
        if total is not None:
            stream.seek(0)
        lines = _lines(stream)
        codes: set[int] = set()
        write = _write_row if _on_terminal() and not as_json else _write_json
        if output is not None:
            done = _results(output)
            codes = _codes_of(lines, done, output)
            total = None if total is None else total - len(done)
            results = files.enter_context(opened(output, "r+" if Path(output).exists() else "w"))
            results.truncate(sum(map(len, done)))
            results.seek(0, 2)
            write = partial(_write_json, results=results)
        asked: deque[_Line] = deque()
        show = files.enter_context(status_line())
        found = answer_puzzles(
            _noted(lines, asked), effort, executor=executor, resume=resume, show=show, total=total
        )
        return _written(found, asked, codes, write, show)


def _lines(stream: IO[bytes]) -> Iterator[_Line]:
    """The lines that aren't blank."""
    for number, line in enumerate(read_lines(stream), start=1):
        if line is None or line.strip():
            yield number, line


def _noted(lines: Iterator[_Line], asked: deque[_Line]) -> Iterator[bytes | None]:
    """The texts of lines; what is taken is noted."""
    for number, line in lines:
        asked.append((number, line))
        yield line


def _written(
    found: Iterator[JsonObject],
    asked: deque[_Line],
    codes: set[int],
    write: Callable[[int, JsonObject], None],
    show: Callable[[str], None],
) -> int:
    """Write all answers; returns the exit code, of which some are there already."""
    other = []
    for answer in found:
        number, line = asked.popleft()
        if "error" in answer:
            answer["error"] = f"line {number}: {answer['error']}"
            codes.add(BAD_INPUT)
        else:
            codes.add(UNDECIDED if answer["verdict"] == "unknown" else YES)
            if not _agrees(_object(line).get("answer"), answer):
                other.append(str(number))
        show("")
        write(number, answer)
    if other:
        lines_text = f"line{'s' * (len(other) > 1)} {', '.join(other)}"
        click.echo(f"aspgames: warning: another answer is given in {lines_text}", err=True)
    return BAD_INPUT if BAD_INPUT in codes else max(codes, default=YES)


def _on_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def _agrees(given: Any, answer: JsonObject) -> bool:
    """Whether a puzzle's own answer, if it has one, is that of the search.

    Of keys it may have the moves or just the number; what is undecided agrees with everything.
    """
    if given in ("forced", "not_forced"):
        given = {"verdict": given}
    if not isinstance(given, dict) or answer["verdict"] == "unknown":
        return True
    found = {name: answer[name] for name in ("verdict", "distance")}
    found["keys"] = sorted(answer["keys"])
    if isinstance(given.get("keys"), int):
        found["keys"] = len(found["keys"])
    elif isinstance(given.get("keys"), list):
        given = given | {"keys": sorted(map(str, given["keys"]))}
    return all(given[name] == found[name] for name in found if name in given)


def _write_json(_number: int, answer: JsonObject, results: IO[str] | None = None) -> None:
    click.echo(encode(answer), file=results)


def _write_row(number: int, answer: JsonObject) -> None:
    """One line of a table for people."""
    if "error" in answer:
        click.echo(answer["error"])
        return
    turns = "" if answer["distance"] is None else f" in {turns_text(answer['distance'])}"
    found = f"{answer['verdict'].replace('_', ' ')}{turns}"
    keys = ", ".join(answer["keys_text"])
    place = f"{number:>5}  {answer['game']:<14} {answer['attacker']} {answer['goal']}"
    click.echo(f"{place:<42} {found:<20} {answer['seconds']:>7.1f} s  {keys}")


# --- going on where another run ended -------------------------------------------------------------


def _results(output: str) -> list[bytes]:
    """The lines of a file of results, but for one that the run before was just writing."""
    if not Path(output).exists():
        return []
    if not Path(output).is_file():  # a pipe or a device never ends
        raise BadRequest(f"{output} is no file that can be gone on with")
    with opened(output, "rb") as file:
        try:
            lines: list[bytes] = file.readlines()
        except OSError as error:
            raise BadRequest(f"{output} can't be read: {error.strerror}") from None
    if lines and not lines[-1].endswith(b"\n"):
        torn = lines.pop()
        if not torn.startswith(b"{"):
            raise _no_result(output, len(lines) + 1)
    return lines


def _codes_of(lines: Iterator[_Line], done: Sequence[bytes], output: str) -> set[int]:
    """The exit codes that results stand for. Raises ``BadRequest`` where one is not its line's."""
    codes = set()
    for number, result in enumerate(done, start=1):
        answer = _object(result)
        if "verdict" in answer:
            request = _object(next(lines, (0, None))[1])
            asked = [key for key in request if key not in _ANSWERED]
            if not asked or any(answer.get(key) != request[key] for key in asked):
                raise _no_result(output, number)
            codes.add(UNDECIDED if answer["verdict"] == "unknown" else YES)
        elif "error" in answer and next(lines, None):
            codes.add(BAD_INPUT)
        else:
            raise _no_result(output, number)
    return codes


def _no_result(output: str, number: int) -> BadRequest:
    return BadRequest(f"{output}, line {number}: this is no result of the puzzle on line {number}")


def _object(line: bytes | None) -> JsonObject:
    """The object of a line; an empty one if there is none."""
    try:
        return decode(line)
    except AspgamesError:
        return {}
