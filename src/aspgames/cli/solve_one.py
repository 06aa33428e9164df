"""``solve`` for one puzzle: its answer, with a tree, a certificate or a page."""

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from itertools import chain
from typing import Any

from ..game.notation.notations import Notation
from ..game.state import State
from ..puzzle.problem import Puzzle
from ..puzzle.question import turns_text
from ..puzzle.solution import Solution, cooperation_report, solution_report, undecided
from ..puzzle.solved import PuzzleRun, Solved
from ..puzzle.verdict_text import cooperation_text, verdict_text
from ..runtime.arguments import counted
from ..runtime.budget import resume
from ..runtime.errors import AspgamesError, Interrupted, LimitReached, OutOfTime
from ..runtime.json_lines import JsonObject, encode
from ..runtime.process_messages import if_killed
from .exit_codes import INTERRUPTED, fail
from .files import STREAM, replaced, write_file
from .output import in_columns, print_json, print_position, print_text, status_line, warn
from .solve_options import VERDICT_CODES, AnswerOptions, AskedPuzzle, EffortOptions
from .verb import ROOM

_RESERVE = 0.25  # the share of the time that is kept for a certificate or a page
_EFFORT = 10**8  # the evaluations for each question about a problem, which the time limits instead
_LAST_SECONDS = 3.0  # the time for these after Ctrl-C [s]


def solve_one(
    asked: AskedPuzzle, wanted: AnswerOptions, effort: EffortOptions, as_json: bool
) -> int:
    """Answer one puzzle; returns the exit code.

    The answer is printed before anything is written. If the tree or the proofs exceed a limit, the
    error is raised after it.
    """
    puzzle = asked.puzzle
    if certificate := wanted.files.get("Certificate"):
        from ..puzzle.proof.certificate import refuse_stream_without, refuse_uncheckable

        refuse_uncheckable(puzzle.state.game.rules)
        if certificate.endswith(STREAM):
            refuse_stream_without(puzzle.defender)
    solution, interrupted = None, False

    def unbegun(interrupted: bool = False) -> str:
        """The answer before the search, of a puzzle with chance or hidden information."""
        if puzzle.chance is None:
            return ""
        nothing = undecided(0 if interrupted else effort.seconds or 0, puzzle)
        report, lines = _answer(asked, wanted, nothing, interrupted)
        return encode(report) if as_json else "\n".join(lines)

    try:
        with ExitStack() as opened:
            with if_killed(unbegun(), unbegun(interrupted=True)):
                search = opened.enter_context(_opened(puzzle, effort))
                budget = search.budget
                if wanted.files:
                    budget.reserve = _RESERVE * (effort.seconds or 0)
                solution = search.run(wanted.first)
            if wanted.first and wanted.files:
                solution = search.with_bounds(solution)
            interrupted = search.interrupted
            left = budget.seconds_left + budget.reserve
            if interrupted:
                resume()
                budget.allow(min(left, _LAST_SECONDS))
            elif wanted.files:
                budget.allow(left)
            try:
                _print_solution(asked, wanted, search, solution, as_json)
                _write_proofs(search, solution, wanted, as_json)
            finally:
                search.keep()
    except (AspgamesError, Interrupted) as error:
        if solution is None and isinstance(error, OutOfTime):
            solution = undecided(effort.seconds or 0, puzzle)
            _print_answer(asked, *_answer(asked, wanted, solution), as_json)
        elif solution is None and isinstance(error, Interrupted) and puzzle.chance is not None:
            print_text(unbegun(interrupted=True))
            return fail("interrupted", INTERRUPTED)
        elif interrupted:
            return fail(str(error) or "interrupted", INTERRUPTED)
        else:
            raise
    return INTERRUPTED if interrupted else VERDICT_CODES[solution.verdict]


def _print_solution(
    asked: AskedPuzzle, wanted: AnswerOptions, search: PuzzleRun, solution: Solution, as_json: bool
) -> None:
    """Print the answer before anything is written. Raises what ended the tree after it."""
    tree = None
    try:
        if wanted.all_lines and isinstance(search, Solved):
            from ..puzzle.best_play import best_play

            tree = best_play(search, solution)
    finally:
        search.progress("")
        answer = _answer(asked, wanted, solution, search.interrupted, tree)
        _print_answer(asked, *answer, as_json)


def _answer(
    asked: AskedPuzzle,
    wanted: AnswerOptions,
    solution: Solution,
    interrupted: bool = False,
    tree: Any = None,
) -> tuple[JsonObject, list[str]]:
    """The answer as JSON, and its lines."""
    puzzle, written = asked.puzzle, asked.written
    more = {"first": True} if wanted.first else {} if tree is None else {"tree": tree}
    report = written.solution(solution_report(asked.asked, solution) | more)
    lines = _sentences(puzzle, solution, interrupted, written)
    return report, [*lines, *_tree_lines(puzzle.state, tree or {}, written)]


@contextmanager
def _opened(puzzle: Puzzle, effort: EffortOptions) -> Iterator[PuzzleRun]:
    from ..solver.solvers import open_any_puzzle  # loaded only if necessary

    memory = effort.bytes
    with (
        status_line() as show,
        effort.executor(memory and memory + ROOM) as executor,
        open_any_puzzle(
            puzzle,
            effort.budget(),
            executor,
            effort.table,
            memory=memory or effort.table_bytes(is_kept=True),
            threads=effort.threads_each(effort.threads),
            resume=effort.resume,
            progress=show,
        ) as search,
    ):
        yield search


def _write_proofs(
    search: PuzzleRun, solution: Solution, options: AnswerOptions, as_json: bool
) -> None:
    """Write the requested files. An undecided puzzle has only a page.

    Raises ``LimitReached`` and ``Interrupted``.
    """
    wanted = options.files

    def write(what: str, content: str | None) -> None:
        """Write a file, unless a stream has written it already."""
        if content is not None:
            write_file(wanted[what], content)
        if not as_json:
            print_text(f"{what}: {wanted[what]}")

    if not wanted:
        return
    what, proof = "certificate", None
    try:
        if not isinstance(search, Solved):
            if own := search.own_certificate(solution):
                write("Certificate", json.dumps(own) + "\n")
                less, known = own.get("not_within") or 0, solution.not_within or 0
                is_weaker = solution.verdict != own["verdict"]
                if solution.hidden and own["verdict"] == "unknown" and (is_weaker or less < known):
                    _warn_of_less(less)
            else:
                warn("there is no certificate: no bound is known")
            return
        known = solution.verdict != "unknown"
        if known or ("Certificate" in wanted and solution.not_within):
            proven, proof = _certified(search, solution, wanted)
            if "Certificate" in wanted:
                write("Certificate", None if proof is None else json.dumps(proof) + "\n")
            solution, proof = (proven, proof) if known else (solution, None)
        elif "Certificate" in wanted:
            warn("there is no certificate: no turn is known to be too few")
        what = "page"
        if "Page" in wanted:
            from ..composer.book.page_template import link_bar, with_bar  # loaded only if necessary
            from ..composer.book.proof_page import book
            from ..puzzle.proof.certificate import certificate

            if proof is None and solution.verdict != "unknown":
                proof = certificate(search, solution)
            page = book(search, solution, proof)
            write("Page", with_bar(page, link_bar(options.links)))
    except LimitReached as error:
        raise LimitReached(f"there is no {what}: {error}") from None


def _warn_of_less(turns: int, limit: str = "") -> None:
    warn(f"the certificate proves that the goal isn't forced within {turns_text(turns)}{limit}")


def _certified(
    search: Solved, solution: Solution, wanted: Mapping[str, str]
) -> tuple[Solution, JsonObject | None]:
    """The certificate, None for a streamed one, which is written; and the answer that it proves.

    Half of the time is for the whole answer. If it isn't enough, or the certificate would be too
    large, a weaker answer is proved. Raises ``LimitReached``.
    """
    from ..puzzle.proof.certificate import certificate, write_stream

    def prove(solution: Solution) -> JsonObject | None:
        if not wanted.get("Certificate", "").endswith(STREAM):
            return certificate(search, solution)
        with replaced(wanted["Certificate"]) as file:
            write_stream(search, solution, file)
        return None

    budget, limit, proven = search.budget, "", solution
    while weaker := proven.weaker:
        if budget.seconds_left < math.inf:
            budget.reserve = budget.seconds_left / 2
        try:
            proof = prove(proven)
            break
        except LimitReached as error:
            proven, limit = weaker, f"; for more, {error}"
        finally:
            budget.reserve = 0.0
    else:
        proof = prove(proven)
    if proven.verdict == "unknown":
        _warn_of_less(proven.not_within or 0, limit)
    elif limit:
        turns = turns_text(proven.at_most or 0)
        warn(f"the certificate proves at most {turns}, without keys{limit}")
    return proven, proof


def _sentences(
    puzzle: Puzzle, solution: Solution, interrupted: bool, written: Notation
) -> Iterator[str]:
    state, report = puzzle.state, written.solution(solution_report({}, solution))
    yield verdict_text(puzzle, solution, interrupted, written.text(puzzle.attacker))
    if solution.verdict == "not_forced" and solution.replies:
        yield f"A reply that holds: {_move_text(state, solution.replies[0][0], written)}"
    else:
        if solution.keys:
            name = (
                f"Key{'s' * (len(solution.keys) > 1)}{'' if solution.keys_complete else ' so far'}"
            )
            yield in_columns([f"{name}:", *report["keys_text"]])
        if solution.line:
            yield in_columns(["Line:", *report["line_text"]])
        if solution.replies:
            replies = (
                f"{_move_text(state, move, written)} ({turns})" for move, turns in solution.replies
            )
            yield in_columns(["Replies, and the turns in which they lose:", *replies])
    searched = counted(solution.positions, "position")
    if solution.verdict == "unknown" and not solution.positions and solution.not_within is None:
        searched = "the search hadn't begun"
    took = f", {solution.seconds:.1f} s" if solution.seconds else ""
    yield f"({searched}{took})"


def _tree_lines(state: State, tree: Any, written: Notation, indent: str = "") -> Iterator[str]:
    """The moves of a tree of best play, each below its predecessor."""
    for move, rest in tree.items():
        yield f"{indent}{_move_text(state, move, written)}"
        yield from _tree_lines(state.play(move), rest, written, indent + "  ")


def _print_answer(asked: AskedPuzzle, report: Any, lines: Iterable[str], as_json: bool) -> None:
    if as_json:
        print_json(report)
    else:
        print_position(asked.puzzle.state, asked.written)
        print_text("\n" + "\n".join(lines))


def _move_text(state: State, term: str, written: Notation) -> str:
    """A move of the role on move, or in a forced ply of any role, as people write it."""
    moves = state.legal_moves or chain(*state.legal.values())
    return next(written.move_text(move) for move in moves if move.term == term)


def solve_together(asked: AskedPuzzle, effort: EffortOptions, as_json: bool) -> int:
    """Find the shortest line to the goal; returns the exit code."""
    from ..solver.planner.cooperative_search import together  # loaded only if necessary

    puzzle, written = asked.puzzle, asked.written
    puzzle.refuse_unless_sides_take_turns()
    with status_line() as show:
        budget = effort.budget()

        def progress(turns: int, plies: int) -> None:
            found = f"{budget.seconds:.0f} s, {counted(plies, 'ply', 'plies')}"
            show(f"Searching {turns_text(turns)}: {found}")

        found = together(puzzle, budget, progress)
    report = written.solution(cooperation_report(asked.asked, found))
    lines = [cooperation_text(puzzle, found, written.text(puzzle.attacker))]
    if found.line:
        lines.append(in_columns(["Line:", *report["line_text"]]))
    _print_answer(asked, report, lines, as_json)
    return VERDICT_CODES[found.verdict]


def solve_problem(asked: AskedPuzzle, helped: bool, effort: EffortOptions, as_json: bool) -> int:
    """Print a problem's solution; returns the exit code: 0 sound, 1 unsound, 3 undecided."""
    from ..composer.judging import judge  # loaded only if necessary
    from ..composer.order import FORCED
    from ..puzzle.stipulation import TOGETHER
    from .judge import exit_code, sentences

    asked.puzzle.refuse_unless_sides_take_turns()
    with status_line() as show:
        show("Solving the problem")
        stipulation = TOGETHER if helped else FORCED
        found = judge(asked.puzzle, stipulation, (), effort.budget(), _EFFORT, economy=False)
    report = asked.asked | {"judged": asdict(found)}
    _print_answer(asked, report, sentences(report), as_json)
    return exit_code(report)
