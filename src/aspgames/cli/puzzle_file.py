"""A file of puzzles, answered line by line; what is answered already is kept."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import IO, Any

import click

from ..errors import AspgamesError, BadRequest
from ..puzzle.problem import Puzzle, turns_text
from ..puzzle.solution import Solution
from ..report import JsonObject, error_report
from ..request import decode, encode, puzzle_of, read_lines
from .exit_codes import BAD_INPUT, UNDECIDED, YES
from .files import opened, standard_input
from .parameters import load_game

Solve = Callable[[JsonObject, Puzzle], JsonObject]
"""The result of a puzzle, which was put in that way."""

_ANSWERED = {field.name for field in fields(Solution)} | {"first", "tree"}
"""The keys of a result that are not, or not always, those of the puzzle."""


_Line = tuple[int, bytes | None]
"""A line that isn't blank, with its number; None if it is too long."""


def solve_file(name: str, output: str | None, solve: Solve, as_json: bool) -> int:
    """Answer each line of a file ('-': standard input) in order; returns the exit code.

    The results go to standard output, as a table if that is a terminal and ``as_json`` isn't asked
    for, or to the end of the file ``output``: the puzzles whose results it holds already are passed
    over. Where a puzzle has an answer of its own that is another, a line on standard error says so.
    Raises ``BadRequest`` if a file can't be read or written, or if ``output`` holds something else
    than results of these puzzles.
    """
    with ExitStack() as files:
        stream = standard_input() if name == "-" else files.enter_context(opened(name, "rb"))
        numbered = enumerate(read_lines(stream), start=1)
        lines = (pair for pair in numbered if pair[1] is None or pair[1].strip())
        if output is None:
            write = _write_row if _on_terminal() and not as_json else _write_json
            return _answered(lines, set(), solve, write)
        done = _results(output)
        codes = _codes_of(lines, done, output)
        results = files.enter_context(opened(output, "r+" if Path(output).exists() else "w"))
        results.truncate(sum(map(len, done)))
        results.seek(0, 2)
        return _answered(lines, codes, solve, partial(_write_json, results=results))


def _answered(
    lines: Iterator[_Line], codes: set[int], solve: Solve, write: Callable[[int, JsonObject], None]
) -> int:
    """Answer all lines; returns the exit code, of which some are there already."""
    other = []
    for number, line in lines:
        try:
            request = decode(line)
            answer = solve(request, puzzle_of(request, load_game))
            codes.add(UNDECIDED if answer["verdict"] == "unknown" else YES)
            if not _agrees(request.get("answer"), answer):
                other.append(str(number))
        except (AspgamesError, RecursionError, MemoryError) as error:
            answer = error_report(error)
            answer["error"] = f"line {number}: {answer['error']}"
            codes.add(BAD_INPUT)
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
