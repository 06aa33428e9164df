"""A file of puzzles, answered line by line; what is answered already is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import fields
from pathlib import Path
from typing import IO

import click

from ..errors import AspgamesError, BadRequest
from ..puzzle.problem import Puzzle
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


def solve_file(name: str, output: str | None, solve: Solve) -> int:
    """Answer each line of a file ('-': standard input) in order; returns the exit code.

    The results go to standard output, or to the end of the file ``output``: the puzzles whose
    results it holds already are passed over. Raises ``BadRequest`` if a file can't be read or
    written, or if ``output`` holds something else than results of these puzzles.
    """
    with ExitStack() as files:
        stream = standard_input() if name == "-" else files.enter_context(opened(name, "rb"))
        lines = read_lines(stream)
        if output is None:
            return _exit_code({_answer(line, None, solve) for line in lines})
        done = _results(output)
        codes = _codes_of(lines, done, output)
        results = files.enter_context(opened(output, "r+" if Path(output).exists() else "w"))
        results.truncate(sum(map(len, done)))
        results.seek(0, 2)
        return _exit_code(codes | {_answer(line, results, solve) for line in lines})


def _exit_code(codes: set[int]) -> int:
    return BAD_INPUT if BAD_INPUT in codes else max(codes, default=YES)


def _answer(line: bytes | None, results: IO[str] | None, solve: Solve) -> int:
    """Answer a line, on standard output if there are no ``results``; returns its exit code."""
    try:
        request = decode(line)
        answer = solve(request, puzzle_of(request, load_game))
        code = UNDECIDED if answer["verdict"] == "unknown" else YES
    except (AspgamesError, RecursionError, MemoryError) as error:
        answer, code = error_report(error), BAD_INPUT
    click.echo(encode(answer), file=results)
    return code


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


def _codes_of(lines: Iterator[bytes | None], done: Sequence[bytes], output: str) -> set[int]:
    """The exit codes that results stand for. Raises ``BadRequest`` where one is not its line's."""
    codes = set()
    for number, result in enumerate(done, start=1):
        answer = _object(result)
        if "verdict" in answer:
            request = _object(next(lines, None))
            asked = [key for key in request if key not in _ANSWERED]
            if not asked or any(answer.get(key) != request[key] for key in asked):
                raise _no_result(output, number)
            codes.add(UNDECIDED if answer["verdict"] == "unknown" else YES)
        elif "error" in answer and next(lines, b"") != b"":
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
