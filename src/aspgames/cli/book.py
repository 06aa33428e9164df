"""``aspgames book``: puzzles to train with, as a page or on paper."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import click

from ..compose.book.preparation import BookEffort
from ..puzzle.many_puzzles import answer_puzzles
from ..runtime.errors import BadRequest, LimitReached
from ..runtime.json_lines import JsonObject, read_lines
from ..runtime.process_messages import tell
from .executors import executor_of, executor_options, table_bytes, threads_for
from .exit_codes import BAD_INPUT, UNDECIDED, YES
from .files import opened, refuse_unwritable, standard_input, standard_input_of_its_own, write_file
from .output import print_text, status_line
from .parameters import example, memory_bytes, threads_option, time_option
from .verb import ROOM, Verb

_TITLE = "Puzzles"


@click.command(
    "book",
    cls=Verb,
    spare=None,
    epilog=example(
        'echo \'{"game": "breakthrough", "position": "8/3P4/8/8/8/8/p7/8 w", "attacker": "white", '
        '"goal": "win", "within": 3}\' > puzzles.jsonl && aspgames book puzzles.jsonl -o book.html'
    ),
)
@click.argument("puzzles", metavar="PUZZLES")
@click.option("-o", "--output", metavar="FILE", help="Where the page is to be written.")
@click.option(
    "--pdf", metavar="FILE", help="Print it, six puzzles a page, with a browser of this machine."
)
@click.option("--title", help="The book's title.")
@time_option
@click.option(
    "--memory", type=float, metavar="MIB", help="The most memory for the search of each puzzle."
)
@threads_option
@executor_options
@click.option("--resume", metavar="FILE", help="Keep what is prepared in FILE, and go on with it.")
def command(
    puzzles: str,
    output: str | None,
    pdf: str | None,
    title: str | None,
    seconds: float | None,
    memory: float | None,
    threads: int | None,
    workers: int | None,
    dask: str | None,
    resume: str | None,
) -> int:
    """Make a book of puzzles, one offline page: solved by moving pieces, with replies and hints.

    PUZZLES is a file as 'aspgames solve --puzzles' reads it ('-': standard input). The page plays
    the best defence, refutes what is wrong, and says why a move is illegal; at the end there is
    the whole proof. --time is for each puzzle.

    A line that can't be in the book is told on standard error and left out.

    Exit codes: 0 all are in it, 2 a line was bad, 3 a puzzle wasn't ready within the limits, 130
    interrupted.
    """
    effort = BookEffort(seconds, None, memory_bytes(memory))
    effort.budget()
    if output is None and pdf is None:
        raise BadRequest("say where the book is to be written: -o FILE, or --pdf FILE")
    for name in (output, pdf):
        if name is not None:
            refuse_unwritable(name)
    if pdf is not None:
        from ..compose.book.page_printer import find_browser  # loaded only where it is needed

        find_browser()
    tell(seconds=None)  # the limit is on each puzzle
    most_bytes = effort.bytes and effort.bytes + ROOM
    with executor_of(workers, dask, most_bytes) as executor, ExitStack() as files:
        if puzzles != "-":
            stream = files.enter_context(opened(puzzles, "rb"))
        else:
            stream = standard_input() if executor is None else standard_input_of_its_own()
        most = effort.bytes or table_bytes(workers)
        effort = BookEffort(seconds, None, most, threads_for(threads, workers, dask))
        show = files.enter_context(status_line())
        asked: deque[int] = deque()
        total = None
        if puzzles != "-":
            total = sum(1 for _ in _noted(read_lines(stream), deque()))
            stream.seek(0)
        lines = _noted(read_lines(stream), asked)
        found = answer_puzzles(
            lines, effort, executor=executor, resume=resume, show=show, total=total
        )
        ready, code = _gathered(found, asked, show)
    if not ready:
        error = LimitReached if code == UNDECIDED else BadRequest
        raise error("there is no puzzle to make a book of")
    from ..compose.book import training_book

    page = training_book(ready, title or _TITLE)
    if output is not None:
        write_file(output, page)
        print_text(f"Page: {output}")
    if pdf is not None:
        from ..compose.book.page_printer import print_page

        write_file(pdf, print_page(page))
        print_text(f"Print: {pdf}")
    return code


def _noted(lines: Iterator[bytes | None], asked: deque[int]) -> Iterator[bytes | None]:
    """The lines that aren't blank; their numbers are noted."""
    for number, line in enumerate(lines, start=1):
        if line is None or line.strip():
            asked.append(number)
            yield line


def _gathered(
    found: Iterator[JsonObject], asked: deque[int], show: Callable[[str], None]
) -> tuple[list[JsonObject], int]:
    """What the book has, and the exit code; what it hasn't is told."""
    ready, codes = [], {YES}
    for one in found:
        number = asked.popleft()
        if "error" in one:
            show("")
            click.echo(f"aspgames: line {number} is left out: {one['error']}", err=True)
            codes.add(UNDECIDED if one["kind"] == "limit" else BAD_INPUT)
        else:
            ready.append(one)
    return ready, next(code for code in (BAD_INPUT, UNDECIDED, YES) if code in codes)
