"""``aspgames book``: puzzles for training, as a page or on paper."""

from collections.abc import Iterator

from ..composer.book.book_entry import BookEffort
from ..composer.book.page_template import link_bar, with_bar
from ..composer.book.training_page import training_book
from ..runtime.errors import BadRequest, LimitReached
from ..runtime.json_lines import JsonObject
from ..runtime.process_messages import tell
from .exit_codes import BAD_INPUT, UNDECIDED, YES, worst
from .files import write_file
from .output import Show, print_text, status_line, warn
from .parameters import LINKS, TIME
from .verb import ROOM, ParameterGroup, argument, memory_bytes, option, verb
from .work_options import THREADS, WorkerOptions, resume_option


class _BookOptions(ParameterGroup):
    puzzles: str = argument()
    output: str | None = option("-o, --output FILE", "Write the page to FILE.")
    pdf: str | None = option(
        "--pdf FILE", "Print it with a browser of this machine, six puzzles a page."
    )
    title: str | None = option("--title", "The book's title.")
    links: tuple[str, ...] = LINKS
    seconds: float | None = TIME
    memory: float | None = option("--memory MIB", "Limit the memory of the search of each puzzle.")
    threads: int | None = THREADS
    resume: str | None = resume_option("Keep finished puzzles in FILE, and continue with them.")


@verb(
    spare=None,
    example='echo \'{"game": "breakthrough", "position": "8/3P4/8/8/8/8/p7/8 w", "attacker": '
    '"white", "goal": "win", "within": 3}\' > puzzles.jsonl && '
    "aspgames book puzzles.jsonl -o book.html",
)
def command(wanted: _BookOptions, workers: WorkerOptions) -> int:
    """Make a book of puzzles: one page that works offline.

    The reader solves a puzzle by moving pieces. The page plays the best defence, refutes wrong
    moves, explains illegal ones, and gives hints. It shows the full proof at the end.

    PUZZLES is a file as 'aspgames solve --puzzles' reads it ('-': standard input). --time limits
    each puzzle. A line that can't be in the book is reported on standard error and left out.

    Exit codes: 0 all are in it, 2 a line was bad, 3 a puzzle wasn't ready within the limits, 130
    interrupted.
    """
    limit = memory_bytes(wanted.memory)
    if wanted.output is None and wanted.pdf is None:
        raise BadRequest("say where to write the book: -o FILE, or --pdf FILE")
    bar = link_bar(wanted.links)
    if wanted.pdf is not None:
        from ..composer.book.page_printer import find_browser  # loaded only if necessary

        find_browser()
    tell(seconds=None)  # the limit applies to each puzzle
    with (
        workers.executor(limit and limit + ROOM) as executor,
        workers.lines_of(wanted.puzzles) as stream,
        status_line() as show,
    ):
        threads = workers.threads_each(wanted.threads)
        effort = BookEffort(wanted.seconds, None, limit or workers.table_bytes(), threads)
        is_file = wanted.puzzles != "-"
        found = workers.answers(stream, effort, executor, wanted.resume, show, counts=is_file)
        ready, code = _gathered(found, show)
    if not ready:
        error = LimitReached if code == UNDECIDED else BadRequest
        raise error("there is no puzzle to make a book of")
    page = training_book(ready, wanted.title or "Puzzles")
    if wanted.output is not None:
        write_file(wanted.output, with_bar(page, bar))
        print_text(f"Page: {wanted.output}")
    if wanted.pdf is not None:
        from ..composer.book.page_printer import print_page

        write_file(wanted.pdf, print_page(page))
        print_text(f"Print: {wanted.pdf}")
    return code


def _gathered(
    found: Iterator[tuple[int, bytes | None, JsonObject]], show: Show
) -> tuple[list[JsonObject], int]:
    """The puzzles of the book, and the exit code; omissions go to standard error."""
    ready, codes = [], {YES}
    for number, _, one in found:
        if "error" in one:
            show("")
            warn(f"line {number} is left out: {one['error']}")
            codes.add(UNDECIDED if one["kind"] == "limit" else BAD_INPUT)
        else:
            ready.append(one)
    return ready, worst(codes)
