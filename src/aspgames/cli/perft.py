"""``aspgames perft``: counting move sequences."""

from functools import partial

from ..game.game import State
from ..game.notation.notations import Notation
from ..play.perft import divide as divided
from ..play.perft import perft, perft_report
from ..play.perft_suite import read_suite, run_suite, suite_path, suite_report
from ..runtime.arguments import counted
from ..runtime.errors import BadRequest, Interrupted, LimitReached
from .exit_codes import NO, YES
from .output import print_json, print_text
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


@verb(example="aspgames perft skirmish --depth 3 --divide --threads 2")
def command(wanted: _PerftOptions, work: ResumableRunOptions, as_json: bool) -> int:
    """Count the sequences of exactly N plies from a position.

    With --suite, GAME is the game of the lines before the first line 'game NAME [CONST=VALUE]...'.
    If a count is wrong, the exit code is 1, and the counts after each first move are printed.

    After Ctrl-C or the time limit, --divide prints the first moves counted so far.
    """
    if wanted.suite is not None:
        if wanted.position != "startpos" or wanted.divide:
            raise BadRequest("--suite takes its positions from the file, and divides by itself")
        return _check(wanted, wanted.suite, work, as_json)
    if not wanted.game or wanted.depth is None:
        raise BadRequest("give GAME and --depth, or --suite FILE")
    state, written = wanted.state, wanted.written
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
    cases = read_suite(suite_path(name), wanted.loaded if wanted.game else None)
    chosen = [case for case in cases if wanted.depth is None or case.depth <= wanted.depth]
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
    if as_json:
        print_json(suite_report(name, chosen, failures, budget.seconds))
        return NO if failures else YES
    for failure in failures:
        case = failure.case
        print_text(
            f"line {case.line}: {case.state.game.name} {case.position}\n"
            f"depth {case.depth}: {failure.nodes} nodes, not {case.nodes}"
        )
        for move, behind in failure.divide.items():
            print_text(f"  {case.state.move_text(move)}: {behind}")
    right = len(chosen) - len(failures)
    print_text(f"{right} of {len(chosen)} counts {'is' if right == 1 else 'are'} right")
    return NO if failures else YES
