"""``solve --puzzles``: a file of puzzles, answered line by line."""

import io
import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import IO, Any

import click

from ..game.game import Game
from ..puzzle.problem import bounds_text
from ..puzzle.question import turns_text
from ..puzzle.solution import Solution
from ..runtime.errors import AspgamesError, BadRequest
from ..runtime.json_lines import JsonObject, decode, encode
from ..runtime.process_messages import tell
from ..solver.puzzles import Effort
from .exit_codes import BAD_INPUT, UNDECIDED, YES, worst
from .files import input_name, opened
from .output import Show, status_line, warn
from .solve_options import EffortOptions
from .verb import ROOM
from .work_options import numbered_lines

_ANSWERED = {field.name for field in fields(Solution)} | {"first", "tree"}
"""The fields of a result that may differ from the puzzle's."""


def solve_file(
    name: str,
    output: str | None,
    first: bool,
    options: EffortOptions,
    as_json: bool,
    game: Game | None = None,
) -> int:
    """Answer each line of a file ('-': standard input) in order; returns the exit code.

    The results go to ``output``, or to standard output. On a terminal without ``as_json`` they are
    a table. A line on standard error reports each result that differs from the puzzle's own answer.
    The puzzles are in EPD if their game is given.
    """
    tell(seconds=None)  # the limit applies to each puzzle
    effort = _effort(first, options)
    with ExitStack() as files:
        executor = files.enter_context(options.executor(options.bytes and options.bytes + ROOM))
        stream = files.enter_context(options.lines_of(name, game))
        as_table = _on_terminal() and not as_json and output is None
        write = _write_row if as_table else _write_json
        if output is not None:
            if Path(output).is_file():
                stream = io.BytesIO(stream.read()) if name == "-" else stream
                _refuse_other_results(output, stream, options.resume is not None)
            write = partial(_write_json, results=files.enter_context(opened(output, "w")))
        if as_table:
            _write_cells("line", "game", "question", "forced", "time", "keys")
        show = files.enter_context(status_line())
        counts = name != "-" and executor is not None
        found = options.answers(stream, effort, executor, options.resume, show, counts=counts)
        codes = _written(found, write, show)
    if not codes:
        warn(f"warning: there are no puzzles in {input_name(name)}")
    return worst(codes or {YES})


def _on_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def _effort(first: bool, options: EffortOptions) -> Effort:
    table = options.table
    if table is not None:
        from ..solver.table.lookup import Table  # loaded only if necessary

        table = os.path.abspath(Table(table).path)  # refused once, not on every line
    return Effort(
        options.seconds,
        options.positions,
        options.bytes or options.table_bytes(),
        options.threads_each(options.threads),
        first,
        table,
    )


def _written(
    found: Iterator[tuple[int, bytes | None, JsonObject]],
    write: Callable[[int, JsonObject], None],
    show: Show,
) -> set[int]:
    """Write the answers; returns their exit codes."""
    codes, other = set(), []
    for number, line, answer in found:
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
        warn(f"warning: another answer is given in {lines_text}")
    return codes


def _agrees(given: Any, answer: JsonObject) -> bool:
    """Whether the answer agrees with a puzzle's own, if it has one.

    A puzzle gives the key moves or their number. An undecided result agrees with every answer. If
    a limit came before the whole answer, only the verdict and the bounds of the distance count.
    """
    if given in ("forced", "not_forced"):
        given = {"verdict": given}
    if not isinstance(given, dict) or answer["verdict"] == "unknown":
        return True
    if "at_most" in answer:
        distance, refuted = given.get("distance"), answer["not_within"]
        least = 0 if refuted is None else refuted + 1
        fits = not isinstance(distance, int) or least <= distance <= answer["at_most"]
        return bool(fits and given.get("verdict", "forced") == "forced")
    found = {name: answer[name] for name in ("verdict", "distance")}
    found["keys"] = sorted(answer.get("keys", ()))  # none where both sides help
    if isinstance(given.get("keys"), int):
        found["keys"] = len(found["keys"])
    elif isinstance(given.get("keys"), list):
        given = given | {"keys": sorted(map(str, given["keys"]))}
    return all(given[name] == found[name] for name in found if name in given)


def _write_json(_number: int, answer: JsonObject, results: IO[str] | None = None) -> None:
    click.echo(encode(answer), file=results)


def _write_row(number: int, answer: JsonObject) -> None:
    if "error" in answer:
        click.echo(answer["error"])
        return
    distance, found = answer["distance"], answer["verdict"].replace("_", " ")
    if distance is not None:
        found = f"in {turns_text(distance)}"
    elif "at_most" in answer:
        found = bounds_text(answer["at_most"], answer["not_within"])
    place = (number, answer["game"], f"{answer['attacker']} {answer['goal']}")
    moves = answer["keys_text" if "keys_text" in answer else "line_text"]
    _write_cells(*place, found, f"{answer['seconds']:.1f} s", "  ".join(moves))


def _write_cells(number: object, game: str, asked: str, found: str, time: str, keys: str) -> None:
    """A row of the table. Long cells move the rest of their row; keys go on below."""
    row = f"{number:>4}  {game:<13} {asked:<17} {found:<11} {time:>7}  "
    width = max(shutil.get_terminal_size().columns, len(row) + 16)
    wrapped = textwrap.wrap(
        keys, width, initial_indent=row, subsequent_indent=" " * len(row), break_on_hyphens=False
    )
    click.echo("\n".join(wrapped) or row.rstrip())


def _refuse_other_results(output: str, stream: IO[bytes], resumed: bool) -> None:
    """Raise ``BadRequest`` unless the file may be overwritten.

    That requires a resumed run, and on each line the result of the puzzle on the same line of the
    input. The last line may be incomplete.
    """
    if not resumed:
        raise BadRequest(f"{output} exists already: remove it, or continue its work with --resume")
    puzzles = numbered_lines(stream)
    with opened(output, "rb") as file:
        for number, line in enumerate(file, start=1):
            asked = next(puzzles, None)
            torn = line.startswith(b"{") and not line.endswith(b"\n")
            if not torn and (asked is None or not _is_result(_object(line), _object(asked[1]))):
                raise BadRequest(
                    f"{output}, line {number}: this is no result of the puzzle on line {number}"
                )
    stream.seek(0)


def _is_result(answer: JsonObject, puzzle: JsonObject) -> bool:
    """Whether an answer, if it isn't an error, repeats the puzzle."""
    asked = [key for key in puzzle if key not in _ANSWERED]
    same = asked and all(answer.get(key) == puzzle[key] for key in asked)
    return "error" in answer or bool("verdict" in answer and same)


def _object(line: bytes | None) -> JsonObject:
    """The object of a line; empty if the line has no object."""
    try:
        return decode(line)
    except AspgamesError:
        return {}
