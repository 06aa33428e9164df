"""``aspgames solve``: puzzles."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from ..budget import Budget
from ..errors import AspgamesError, BadRequest
from ..game import load
from ..puzzle.problem import Puzzle
from ..puzzle.solution import Solution
from ..puzzle.together import together
from ..report import JsonObject, cooperation_report, error_report, solution_report
from ..request import decode, encode, puzzle_of, read_lines
from ..state import State
from .output import in_columns, print_board, print_json, print_text, status_line
from .parameters import (
    example,
    game_argument,
    json_option,
    position_text,
    read_constants,
    standard_input,
    time_option,
)

if TYPE_CHECKING:
    from ..puzzle.search import Search

_CODES = {"forced": 0, "not_forced": 1, "possible": 0, "impossible": 1, "unknown": 3}
INTERRUPTED = 130


@click.command(
    "solve",
    epilog=example(
        'aspgames solve breakthrough "8/3P4/8/8/8/8/p7/8 w" --attacker white --goal win --within 3'
    ),
)
@game_argument(required=False)
@click.argument("position", required=False)
@click.option("--attacker", metavar="ROLE", help="Who is to force the goal.")
@click.option("--goal", help="trap, win or score>=N (also score:N).")
@click.option("--within", type=int, metavar="K", help="The attacker's own turns; none: any number.")
@click.option(
    "--puzzles",
    metavar="FILE",
    help="Read puzzles, a JSON object a line ('-': standard input), and print a result a line.",
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
@time_option
@click.option(
    "--positions", type=int, metavar="N", help="Give up after looking at so many positions."
)
@click.option("--memory", type=float, metavar="MIB", help="Give up at so much memory (4096).")
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
    seconds: float | None,
    positions: int | None,
    memory: float | None,
    as_json: bool,
) -> int:
    """Can a side force a goal within so many of its own turns? With the key moves and a line.

    trap: the opponent is on move and can't move. win: the game is over and the attacker has 100.
    score>=N: the attacker's goal value is at least N. A turn already begun counts as one.

    The first search of an installation compiles the program for it, which takes a minute.
    """
    limits = _Limits(seconds, positions, memory)
    limits.budget()  # refuses senseless limits once, not on every line
    if sum((first, helped, all_lines)) > 1 or (certificate and (first or helped)):
        raise BadRequest("--first, --together, --all-lines and --certificate don't go together")
    if puzzles is not None:
        if game is not None or attacker or goal or within is not None or constants:
            raise BadRequest(
                "--puzzles takes everything from the file: leave the other arguments out"
            )
        if helped or all_lines or certificate:
            raise BadRequest("--puzzles prints solutions, nothing else")
        return _solve_file(puzzles, output, limits, first)
    if output is not None:
        raise BadRequest("--output goes with --puzzles")
    if game is None or position is None or not attacker or not goal:
        raise BadRequest("give GAME, POSITION, --attacker and --goal, or --puzzles FILE")
    request: JsonObject = {
        "game": game,
        "position": position_text(position),
        "attacker": attacker,
        "goal": goal,
        "within": within,
    }
    if constants:
        request["const"] = read_constants(constants)
    puzzle = puzzle_of(request, lambda name, values: load(name, **values))
    if helped:
        return _together(request, puzzle, limits, as_json)
    with _search(puzzle, limits) as search:
        solution = search.run(first)
        tree = _tree(search, solution) if all_lines else None
        if certificate and solution.verdict != "unknown":
            _write_certificate(search, solution, certificate)
    if as_json:
        report = solution_report(request, solution)
        print_json(report if tree is None else report | {"tree": tree})
    else:
        _print_solution(puzzle, solution)
        if tree is not None:
            _print_tree(puzzle.state, tree)
        if certificate and solution.verdict != "unknown":
            print_text(f"Certificate: {certificate}")
    return INTERRUPTED if search.interrupted else _CODES[solution.verdict]


@dataclass(frozen=True)
class _Limits:
    seconds: float | None
    positions: int | None
    memory: float | None
    """In MiB."""

    def budget(self) -> Budget:
        if self.memory is not None and not 0 < self.memory < float("inf"):
            raise BadRequest(f"the limit on memory must be above zero, not {self.memory}")
        return Budget(self.seconds, self.positions)

    @property
    def bytes(self) -> float | None:
        return None if self.memory is None else self.memory * 2**20


@contextmanager
def _search(puzzle: Puzzle, limits: _Limits) -> Iterator[Search]:
    """A search that shows on a terminal how far it is."""
    from ..puzzle.search import Search  # the compiled search is loaded only where it is needed

    with status_line() as show:
        show("making the net, and compiling the search if this is the first one")
        yield Search(puzzle, limits.budget(), show, limits.bytes)


def _tree(search: Search, solution: Solution) -> Any:
    from ..puzzle.tree import best_play

    return best_play(search, solution)


def _write_certificate(search: Search, solution: Solution, name: str) -> None:
    from ..puzzle.certificate import certificate

    text = json.dumps(certificate(search, solution))
    try:
        Path(name).write_text(text + "\n")
    except OSError as error:
        raise BadRequest(f"{name} can't be written: {error.strerror}") from None


def _together(request: JsonObject, puzzle: Puzzle, limits: _Limits, as_json: bool) -> int:
    """Both sides help; returns the exit code."""
    with status_line() as show:
        found = together(
            puzzle, limits.budget(), lambda turns, plies: show(f"{turns} turns, {plies} plies")
        )
    if as_json:
        print_json(cooperation_report(request, found))
    else:
        print_board(puzzle.state)
        limit = "" if puzzle.within is None else f" within {_turns(puzzle.within)}"
        sentence = {
            "possible": f"Together they reach {puzzle.goal.text} in {_turns(found.distance or 0)}.",
            "impossible": f"Even together they can't reach {puzzle.goal.text}{limit}.",
            "unknown": "Undecided: the limits are reached.",
        }[found.verdict]
        print_text(f"\n{sentence}")
        if found.line:
            print_text(in_columns(["Line:", *found.line_text]))
    return _CODES[found.verdict]


def _solve_file(name: str, output: str | None, limits: _Limits, first: bool) -> int:
    """Answer each line of a file in order; returns the exit code."""
    with ExitStack() as files:
        stream = standard_input() if name == "-" else files.enter_context(_opened(name, "rb"))
        if output is None:
            return _solve_lines(stream, sys.stdout, (), limits, first)
        try:
            done = Path(output).read_bytes() if Path(output).exists() else b""
        except OSError as error:
            raise BadRequest(f"{output} can't be read: {error.strerror}") from None
        # A line without an end was being written when the run before this one ended.
        whole = done[: done.rfind(b"\n") + 1]
        results = files.enter_context(_opened(output, "r+" if done else "w"))
        results.truncate(len(whole))
        results.seek(0, 2)
        return _solve_lines(stream, results, whole.splitlines(), limits, first)


def _opened(name: str, mode: str) -> IO[Any]:
    try:
        return Path(name).open(mode)
    except OSError as error:
        raise BadRequest(f"{name} can't be opened: {error.strerror}") from None


def _solve_lines(
    stream: IO[bytes], results: IO[str], done: Sequence[bytes], limits: _Limits, first: bool
) -> int:
    codes = {_code_of(line) for line in done}
    for number, line in enumerate(read_lines(stream)):
        if number < len(done):
            continue
        try:
            request = decode(line)
            puzzle = puzzle_of(request, lambda g, const: load(g, **const))
            with _search(puzzle, limits) as search:
                solution = search.run(first)
            if search.interrupted:
                return INTERRUPTED
            answer = solution_report(request, solution)
            codes.add(3 if solution.verdict == "unknown" else 0)
        except (AspgamesError, RecursionError, MemoryError) as error:
            answer = error_report(error)
            codes.add(2)
        results.write(encode(answer) + "\n")
        results.flush()
    return 2 if 2 in codes else max(codes, default=0)


def _code_of(line: bytes) -> int:
    """The exit code that a result written before stands for. Raises ``BadRequest``."""
    try:
        answer = decode(line)
    except AspgamesError as error:
        raise BadRequest(f"the output file holds something else than results: {error}") from None
    return 2 if "error" in answer else 3 if answer.get("verdict") == "unknown" else 0


def _print_tree(state: State, tree: Any, indent: str = "") -> None:
    for move, rest in tree.items():
        print_text(f"{indent}{state.move_text(move)}")
        _print_tree(state.play(move), rest, indent + "  ")


def _print_solution(puzzle: Puzzle, solution: Solution) -> None:
    print_board(puzzle.state)
    print_text("")
    for line in _sentences(puzzle, solution):
        print_text(line)
    print_text(f"({solution.positions} positions, {solution.seconds:.1f} s)")


def _sentences(puzzle: Puzzle, solution: Solution) -> Iterable[str]:
    attacker, goal = puzzle.attacker, puzzle.goal.text
    limit = "in any number of turns" if puzzle.within is None else f"within {_turns(puzzle.within)}"
    if solution.verdict == "not_forced":
        yield f"{attacker} can't force {goal} {limit}."
        if solution.replies:
            yield f"A reply that holds: {puzzle.state.move_text(solution.replies[0][0])}"
    elif solution.verdict == "unknown":
        known = "" if solution.not_within is None else f"; not within {_turns(solution.not_within)}"
        yield f"Undecided: the limits are reached{known}."
    elif solution.distance is None:
        yield f"{attacker} forces {goal} {limit}."
    elif solution.distance == 0 and not solution.line:
        yield f"{goal} stands already for {attacker}."
    else:
        yield f"{attacker} forces {goal} in {_turns(solution.distance)}."
        if solution.keys:
            yield in_columns([f"{'Keys' if solution.keys[1:] else 'Key'}:", *solution.keys_text])
        yield in_columns(["Line:", *solution.line_text])
        if solution.replies:
            replies = [f"{puzzle.state.move_text(m)} ({turns})" for m, turns in solution.replies]
            yield in_columns(["Replies, and the turns in which they lose:", *replies])


def _turns(number: int) -> str:
    return f"{number} turn" if number == 1 else f"{number} turns"
