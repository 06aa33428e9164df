"""``aspgames perft``: counting move sequences."""

from dataclasses import replace
from functools import partial

import click

from ..game.notation.notations import Notation
from ..game.state import State
from ..play.perft import divide as divided
from ..play.perft import perft, perft_report
from ..play.perft_suite import read_suite, run_suite, suite_path, suite_report
from ..play.without_draws import without_draws
from ..runtime.arguments import counted
from ..runtime.errors import BadRequest, Interrupted, LimitReached
from ..runtime.json_lines import JsonObject
from .exit_codes import BAD_INPUT, NO, YES
from .output import print_json, print_text, warn
from .parameters import OPTIONAL_GAME, WrittenParameters
from .verb import option, verb
from .work_options import ResumableRunOptions


class _PerftOptions(WrittenParameters):
    game: str = OPTIONAL_GAME
    depth: int | None = option("--depth N", "The number of plies.")
    divide: bool = option("--divide", "Print the count behind each first move, too.")
    suite: str | None = option(
        "--suite FILE",
        "Check the counts in FILE, lines 'position; depth: count ...', up to --depth. The "
        "name of a game stands for its built-in suite.",
    )
    draws: str = option(
        "--draws WHAT",
        "Whether draws 'end' the game, as the rules say, or are ignored ('ignore'), as most chess "
        "engines do: play goes on after the 50-move rule and with bare kings.",
        "end",
        type=click.Choice(["end", "ignore"]),
    )

    def ruled(self, state: State) -> State:
        """A state in the game whose draws end it or don't."""
        if self.draws == "end":
            return state
        return without_draws(state.game).state(state.facts)


@verb(example="aspgames perft skirmish --depth 3 --divide --threads 2")
def command(wanted: _PerftOptions, work: ResumableRunOptions, as_json: bool) -> int:
    """Count the sequences of exactly N plies from a position.

    With --suite, GAME is the game of the lines before the first line 'game NAME [CONST=VALUE]...'.
    If a count is wrong, the exit code is 1, and the counts after each first move are printed. Lines
    that can't be read are reported, the other lines are checked, and the exit code is 2.

    After Ctrl-C or the time limit, --divide prints the first moves counted so far.
    """
    if wanted.suite is not None:
        if wanted.position != "startpos" or wanted.divide:
            raise BadRequest("--suite takes its positions from the file, and divides by itself")
        return _check(wanted, wanted.suite, work, as_json)
    if not wanted.game or wanted.depth is None:
        raise BadRequest("give GAME and --depth, or --suite FILE")
    state, written = wanted.ruled(wanted.state), wanted.written
    split: dict[str, int] = {}
    threads = work.threads_each(work.threads)
    try:
        with work.run("pieces", work.resume) as run:
            function = partial(divided, into=split) if wanted.divide else perft
            nodes: dict[str, int] | int = function(
                state,
                wanted.depth,
                reasoner=work.reasoner,
                threads=threads,
                budget=run.budget,
                progress=run.counting(lambda nodes: f"{nodes:,} nodes"),
                executor=run.way,
            )
    except (LimitReached, Interrupted):
        if split and wanted.divide and not as_json:  # a JSON object would look like an answer
            _print_split(state, written, split)
            are = "is" if len(split) == 1 else "are"
            print_text(f"\nStopped: only {counted(len(split), 'first move')} {are} counted.")
        raise
    total = sum(nodes.values()) if isinstance(nodes, dict) else nodes
    if as_json:
        behind = {written.joint_text(move): nodes for move, nodes in split.items()}
        print_json(perft_report(state.game, wanted.depth, total, behind if wanted.divide else None))
        return YES
    if wanted.divide:
        _print_split(state, written, split)
        print_text("")
    print_text("1 node" if total == 1 else f"{total} nodes")
    return YES


def _print_split(state: State, written: Notation, split: dict[str, int]) -> None:
    for move, behind in split.items():
        text = state.move_text(move) if written.has_boards else written.joint_text(move)
        print_text(f"{text}: {behind}")


def _check(wanted: _PerftOptions, name: str, work: ResumableRunOptions, as_json: bool) -> int:
    bad_lines: list[JsonObject] = []
    cases = read_suite(suite_path(name), wanted.loaded if wanted.game else None, bad_lines)
    chosen = [
        replace(case, state=wanted.ruled(case.state))
        for case in cases
        if wanted.depth is None or case.depth <= wanted.depth
    ]
    if not (chosen or bad_lines):
        within = f" to depth {wanted.depth}" if cases else ""
        raise BadRequest(f"there are no counts{within} in {name}")
    with work.run("counts", work.resume) as (show, way, budget):
        failures = list(
            run_suite(
                chosen,
                reasoner=work.reasoner,
                threads=work.threads_each(work.threads),
                budget=budget,
                progress=lambda case: show(f"line {case.line}, depth {case.depth}"),
                way=way,
            )
        )
    code = BAD_INPUT if bad_lines else NO if failures else YES
    if as_json:
        print_json(suite_report(name, chosen, failures, budget.seconds, bad_lines))
        return code
    for bad in bad_lines:
        warn(f"{name}:{bad['line']}: {bad['error']}")
    for failure in failures:
        case = failure.case
        drawn = failure.without_draws == case.nodes
        print_text(
            f"line {case.line}: {case.state.game.name} {case.position}\n"
            f"depth {case.depth}: {failure.nodes} nodes, not {case.nodes}"
            f"{', which is right with --draws ignore' if drawn else ''}"
        )
        for move, behind in failure.divide.items():
            print_text(f"  {case.state.move_text(move)}: {behind}")
    right = len(chosen) - len(failures)
    print_text(f"{right} of {len(chosen)} counts {'is' if right == 1 else 'are'} right")
    return code
