"""``aspgames solve``: puzzles."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from ..game.loading import load_game
from ..game.requests import notation_of
from ..puzzle.goal import GOAL_LIST
from ..puzzle.problem import Puzzle
from ..puzzle.puzzle_request import puzzle_of
from ..puzzle.solution import Solution, cooperation_report, solution_report, undecided
from ..puzzle.verdict_text import cooperation_text
from ..runtime.budget import Budget
from ..runtime.errors import AspgamesError, BadRequest, Interrupted, LimitReached, OutOfTime
from ..runtime.json_lines import JsonObject
from ..runtime.process_messages import tell
from ..solver.puzzles import Effort
from .executors import executor_of, executor_options, job_bytes, table_bytes, threads_for
from .exit_codes import INTERRUPTED, NO, UNDECIDED, YES
from .files import refuse_unwritable, write_file
from .output import in_columns, print_json, print_position, print_text, status_line
from .parameters import (
    example,
    game_argument,
    json_option,
    memory_bytes,
    notation_option,
    position_text,
    read_constants,
    threads_option,
    time_option,
)
from .puzzle_file import solve_file
from .solution_text import print_solution, print_tree
from .verb import ROOM, Verb

if TYPE_CHECKING:
    from ..puzzle.solved import Solved

_CODES = {
    "forced": YES,
    "not_forced": NO,
    "possible": YES,
    "impossible": NO,
    "unknown": UNDECIDED,
}


@click.command(
    "solve",
    cls=Verb,
    epilog=example(
        'aspgames solve breakthrough "8/3P4/8/8/8/8/p7/8 w" --attacker white --goal win --within 3'
    ),
)
@game_argument(required=False)
@click.argument("position", required=False)
@click.option("--attacker", metavar="ROLE", help="Who is to force the goal.")
@click.option("--goal", help=f"{GOAL_LIST} (also score:N).")
@click.option("--within", type=int, metavar="K", help="The attacker's own turns; none: any number.")
@click.option(
    "--puzzles",
    metavar="FILE",
    help="Read puzzles, a JSON object a line ('-': standard input), and print a result a line: "
    "JSON, or a table on a terminal without --json. An answer that a puzzle has is checked.",
)
@click.option(
    "--output",
    metavar="FILE",
    help="With --puzzles: append the results to FILE, and go on after those it holds already.",
)
@click.option("--first", is_flag=True, help="Yes or no: stop at the first proof.")
@click.option("--together", "helped", is_flag=True, help="If both sides help: the shortest line.")
@click.option("--all-lines", is_flag=True, help="The whole tree of best play.")
@click.option("--certificate", metavar="FILE", help="Write a proof that 'aspgames verify' checks.")
@click.option("--html", metavar="FILE", help="Write the proof as a page to click through.")
@time_option
@click.option(
    "--positions", type=int, metavar="N", help="Give up after looking at so many positions."
)
@click.option(
    "--memory",
    type=float,
    metavar="MIB",
    help="The most memory for the states that are met (4096).",
)
@threads_option
@click.option(
    "--table",
    metavar="FILE",
    help="Have it looked up in a table that 'aspgames table' has made.",
)
@executor_options
@click.option(
    "--resume",
    metavar="FILE",
    help="Go on with the search in FILE, and keep it there; with --puzzles, and of one puzzle with "
    "--workers or --dask: with the results in FILE.",
)
@notation_option
@json_option
def command(
    game: str | None,
    constants: tuple[str, ...],
    position: str | None,
    attacker: str | None,
    goal: str | None,
    within: int | None,
    puzzles: str | None,
    output: str | None,
    first: bool,
    helped: bool,
    all_lines: bool,
    certificate: str | None,
    html: str | None,
    seconds: float | None,
    positions: int | None,
    memory: float | None,
    threads: int | None,
    table: str | None,
    workers: int | None,
    dask: str | None,
    resume: str | None,
    notation: str,
    as_json: bool,
) -> int:
    """Can a side force a goal within so many of its own turns? With the key moves and a line.

    trap: the opponent is on move and can't move. win: the game is over and the attacker has 100.
    score>=N: the attacker has a goal value of at least N. A turn already begun counts as one.

    In a game of one role every move is a turn, and the line is a shortest way to the goal.

    With --workers or --dask, a puzzle that turns out to be hard is searched by jobs: a tree is kept
    here, and its leaves are searched there.

    Ctrl-C gives what is known so far.

    Exit codes: 0 forced, 1 not forced, 2 bad input, 3 undecided within the limits, 130 interrupted.
    With --puzzles: 2 if a line was bad, else 3 if a puzzle stayed undecided, else 0.
    """
    limits = _Limits(seconds, positions, memory, threads, resume, workers, dask)
    limits.budget()  # refuses senseless limits once, not on every line
    certified = certificate is not None or html is not None
    if sum((first, helped, all_lines)) > 1 or (certified and (first or helped)):
        raise BadRequest(
            "--first, --together, --all-lines don't go together, nor the first two with "
            "--certificate or --html: there would be no proof"
        )
    if table is not None and (helped or (resume and not puzzles)):
        raise BadRequest("--table is no search: leave --together and --resume out")
    if puzzles is not None:
        if game is not None or attacker or goal or within is not None or constants:
            raise BadRequest(
                "--puzzles takes everything from the file: leave the other arguments out"
            )
        if helped or all_lines or certified:
            raise BadRequest("--puzzles prints solutions, nothing else: solve one puzzle at a time")
        if notation != "lp":
            raise BadRequest("--notation is for one puzzle: those of a file say their own")
        tell(seconds=None)  # the limit is on each puzzle
        most_bytes = limits.bytes and limits.bytes + ROOM
        with executor_of(workers, dask, most_bytes) as executor:
            most = limits.bytes or table_bytes(workers)
            threads = threads_for(threads, workers, dask)
            if table is not None:
                from ..solver.table.lookup import Table  # loaded only where it is needed

                table = os.path.abspath(Table(table).path)  # refused once, not on every line
            effort = Effort(seconds, positions, most, threads, first, table)
            return solve_file(puzzles, output, effort, executor, resume, as_json)
    if output is not None:
        raise BadRequest("--output goes with --puzzles")
    shared = workers is not None or dask is not None
    for option, value in (("--together", helped), ("--table", table is not None)):
        if value and shared:
            raise BadRequest(f"{option} is for one process: leave --workers and --dask out")
    given = {"GAME": game, "POSITION": position, "--attacker": attacker, "--goal": goal}
    missing = [name for name, value in given.items() if value is None]
    if missing:
        raise BadRequest(f"give {', '.join(missing)}, or --puzzles FILE")
    request: JsonObject = {
        "game": game,
        "position": position_text(position or ""),
        "attacker": attacker,
        "goal": goal,
        "within": within,
    }
    if constants:
        request["const"] = read_constants(constants)
    if notation != "lp":
        request["notation"] = notation
    puzzle = puzzle_of(request, load_game)
    if helped and resume is not None:
        raise BadRequest("--together is another search than the one that --resume goes on with")
    if helped:
        return _together(request, puzzle, limits, as_json)
    wanted = _Wanted(first, all_lines, certificate, html, as_json)
    return _solve(request, puzzle, limits, wanted, table)


@dataclass(frozen=True)
class _Wanted:
    """What is to be found out, and how it is told."""

    first: bool
    all_lines: bool
    certificate: str | None
    """Where it is to be written."""
    html: str | None
    """Where the page is to be written."""
    as_json: bool

    @property
    def files(self) -> Mapping[str, str]:
        """The files to be written, by what they hold."""
        found = {"Certificate": self.certificate, "Page": self.html}
        return {what: name for what, name in found.items() if name is not None}


def _solve(
    request: JsonObject, puzzle: Puzzle, limits: _Limits, wanted: _Wanted, table: str | None
) -> int:
    """Answer one puzzle, by a table if there is one; returns the exit code.

    What comes of the answer (the tree, the certificate) may be too large, or take too long: then
    the answer is printed all the same, and what was raised is raised after it.
    """
    for name in wanted.files.values():
        refuse_unwritable(name)
    tree = trouble = None
    proofs: Mapping[str, str] = {}
    interrupted = False
    try:
        with _solver(puzzle, limits, table) as search:
            solution = search.run(wanted.first)
            interrupted = search.interrupted
            try:
                try:
                    if wanted.all_lines:
                        tree = _tree(search, solution)
                    if wanted.files:
                        proofs = _proofs(search, solution, wanted.files)
                finally:
                    search.keep()
            except (AspgamesError, Interrupted) as error:
                trouble = error
    except OutOfTime:
        solution = undecided(limits.seconds or 0)
    if wanted.as_json:
        print_json(_report(request, puzzle, solution, wanted.first, tree))
    else:
        written = notation_of(request, puzzle.state.game)
        print_solution(puzzle, solution, interrupted, written)
        if tree is not None:
            print_tree(puzzle.state, tree, written)
    if trouble:
        raise trouble
    for what, proof in proofs.items():
        write_file(wanted.files[what], proof)
        if not wanted.as_json:
            print_text(f"{what}: {wanted.files[what]}")
    return INTERRUPTED if interrupted else _CODES[solution.verdict]


def _report(
    request: JsonObject, puzzle: Puzzle, solution: Solution, first: bool, tree: Any = None
) -> JsonObject:
    report = solution_report(request, solution)
    if first:
        report["first"] = True
    if tree is not None:
        report["tree"] = tree
    return notation_of(request, puzzle.state.game).solution(report)


@dataclass(frozen=True)
class _Limits:
    seconds: float | None
    positions: int | None
    memory: float | None
    """In MiB."""
    threads: int | None
    resume: str | None
    workers: int | None
    dask: str | None

    def budget(self) -> Budget:
        return Budget(self.seconds, self.positions)

    @property
    def bytes(self) -> float | None:
        return memory_bytes(self.memory)


@contextmanager
def _solver(puzzle: Puzzle, limits: _Limits, table: str | None) -> Iterator[Solved]:
    """The puzzle, opened; shows on a terminal how far it is."""
    from ..solver.solvers import open_puzzle  # loaded only where it is needed

    workers, dask, memory = limits.workers, limits.dask, limits.bytes
    threads = threads_for(limits.threads, workers, dask)
    with (
        status_line() as show,
        executor_of(workers, dask, memory and memory + ROOM) as executor,
        open_puzzle(
            puzzle,
            limits.budget(),
            executor,
            table,
            memory=memory or job_bytes(workers),
            threads=threads,
            resume=limits.resume,
            progress=show,
        ) as solved,
    ):
        yield solved


def _tree(search: Solved, solution: Solution) -> Any:
    from ..puzzle.best_play import best_play

    return best_play(search, solution)


def _proofs(search: Solved, solution: Solution, wanted: Collection[str]) -> dict[str, str]:
    """The texts of the files that are wanted; of a puzzle that is undecided there is a page only.

    Raises ``LimitReached`` and ``Interrupted``.
    """
    from ..compose.book import book
    from ..puzzle.proof.certificate import certificate

    found = {}
    proof = None
    try:
        if solution.verdict != "unknown":
            proof = certificate(search, solution)
        if proof and "Certificate" in wanted:
            found["Certificate"] = json.dumps(proof) + "\n"
        if "Page" in wanted:
            found["Page"] = book(search, solution, proof)
    except LimitReached as error:
        what = "page" if "Certificate" in found or "Certificate" not in wanted else "certificate"
        raise LimitReached(f"there is no {what}: {error}") from None
    return found


def _together(request: JsonObject, puzzle: Puzzle, limits: _Limits, as_json: bool) -> int:
    """Both sides help; returns the exit code."""
    from ..solver.search.cooperation import together  # loaded only where it is needed

    puzzle.refuse_unless_sides_take_turns()
    with status_line() as show:
        found = together(
            puzzle, limits.budget(), lambda turns, plies: show(f"{turns} turns, {plies} plies")
        )
    written = notation_of(request, puzzle.state.game)
    report = written.solution(cooperation_report(request, found))
    if as_json:
        print_json(report)
    else:
        print_position(puzzle.state, written)
        sentence = cooperation_text(puzzle, found, written.text(puzzle.attacker))
        print_text(f"\n{sentence}")
        if found.line:
            print_text(in_columns(["Line:", *report["line_text"]]))
    return _CODES[found.verdict]
