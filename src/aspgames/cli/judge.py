"""``aspgames judge``: what is said of puzzles."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import IO

import click

from ..compose.judged_file import Judging
from ..compose.judging import EFFORT
from ..puzzle.many_puzzles import answer_puzzles
from ..runtime.budget import Budget
from ..runtime.errors import BadRequest
from ..runtime.json_lines import JsonObject, encode, read_lines
from .executors import executor_of, way_options
from .exit_codes import BAD_INPUT, NO, UNDECIDED, YES
from .files import opened, standard_input, standard_input_of_its_own
from .output import print_text, status_line
from .parameters import example, json_option, time_option
from .signals import stoppable
from .verb import MEMORY, Verb


@click.command(
    "judge", cls=Verb, epilog=example("aspgames judge examples/puzzles/composed/breakthrough.jsonl")
)
@click.argument("puzzles", metavar="FILE")
@time_option
@click.option(
    "--effort",
    type=int,
    default=EFFORT,
    show_default=True,
    metavar="N",
    help="Evaluations for each question about a puzzle.",
)
@way_options
@json_option
def command(
    puzzles: str,
    seconds: float | None,
    effort: int,
    workers: int | None,
    dask: str | None,
    resume: str | None,
    as_json: bool,
) -> int:
    """Say of each puzzle in FILE ('-': standard input) whether it is sound, and what is good in it.

    Keys, cooks and shorter solutions; duals of the main play; tries, moves that look natural and
    fail, those that take a turn longer; replies by the turns they lose in; pieces that can go, and
    the smallest form; difficulty and score. FILE has puzzles as 'aspgames solve --puzzles' reads
    them. --time is for each.

    Exit codes: 0 all are sound, 1 one isn't, 2 a line was bad, 3 one stayed undecided.
    """
    Budget(seconds)
    if effort < 1:
        raise BadRequest(f"--effort must be 1 or more, not {effort}")
    codes = {YES}
    with ExitStack() as work:
        if puzzles != "-":
            stream: IO[bytes] = work.enter_context(opened(puzzles, "rb"))
        else:
            here = workers is None and dask is None
            stream = standard_input() if here else standard_input_of_its_own()
        show = work.enter_context(status_line())
        work.enter_context(stoppable())
        most_bytes = click.get_current_context().meta.get(MEMORY)
        executor = work.enter_context(executor_of(workers, dask, most_bytes))
        found = answer_puzzles(
            _lines(stream), Judging(seconds, effort), executor=executor, resume=resume, show=show
        )
        for place, puzzle in enumerate(found, start=1):
            show("")
            codes.add(_code(puzzle))
            if as_json:
                click.echo(encode(puzzle))
            else:
                print_text("\n".join(_told(place, puzzle)))
    return next(code for code in (BAD_INPUT, NO, UNDECIDED, YES) if code in codes)


def _lines(stream: IO[bytes]) -> Iterator[bytes | None]:
    """The lines that aren't blank."""
    return (line for line in read_lines(stream) if line is None or line.strip())


def _code(puzzle: JsonObject) -> int:
    if "error" in puzzle:
        return BAD_INPUT
    if puzzle["judged"]["verdict"] == "unknown":
        return UNDECIDED
    return YES if puzzle["judged"]["sound"] else NO


def _told(place: int, puzzle: JsonObject) -> Iterator[str]:
    """A judgement in words, the first line for the puzzle and one for each thing that is said."""
    if "error" in puzzle:
        yield f"{place}: {puzzle['error']}"
        return
    judged = puzzle["judged"]
    sound = "sound" if judged["sound"] else "undecided" if _code(puzzle) == UNDECIDED else "unsound"
    turns = "" if judged["distance"] is None else f" in {judged['distance']}"
    verdict = judged["verdict"].replace("_", " ")
    what = f"{puzzle['game']}, {puzzle['attacker']} {puzzle['goal']}"
    yield f"{place}: {sound}: {what}, {verdict}{turns}"
    said = {
        "key": judged["keys_text"][:1] if judged["sound"] else (),
        "keys": judged["keys_text"] if not judged["sound"] else (),
        "cooks": judged["cooks"],
        "shorter than": [str(puzzle.get("within"))] if judged["shorter"] else (),
        "main play": [" ".join(judged["line_text"])] if judged["line_text"] else (),
        "duals": [
            f"{', '.join(dual['moves'])} ({dual['turns']} to go)" for dual in judged["duals"][:5]
        ],
        "tries": [f"{each['move']}? {each['refutation']}!" for each in judged["tries"]],
        "natural": judged["natural"],
        "slower": judged["slower"],
        "replies": [f"{number} in {t}" for t, number in judged["variations"].items()],
        "superfluous": judged["superfluous"],
        "smallest": [judged["smallest"]] if judged["smallest"] else (),
    }
    for name, values in said.items():
        if values:
            yield f"    {name}: {'; '.join(values)}"
    if judged["keys"]:
        yield f"    difficulty {judged['difficulty']:.1f}, score {judged['score']:.1f}"
