"""``aspgames crosscheck``: comparing another engine with the rules."""

from pathlib import Path
from typing import TYPE_CHECKING

from ..crosscheck.engines.engine_names import engine_list
from ..runtime.arguments import counted
from ..runtime.budget import SECONDS, Budget
from ..runtime.errors import BadRequest, Interrupted
from ..runtime.json_lines import encode
from . import parameters
from .exit_codes import NO, UNDECIDED, YES
from .files import write_file
from .output import print_answer, print_json, print_text, status_line
from .parameters import GameParameters
from .text_style import ERROR, highlighted
from .verb import argument, option, verb
from .work_options import REASONER, WorkerOptions, resume_option

if TYPE_CHECKING:
    from ..crosscheck.compare.comparison_walk import Plan
    from ..game.game import Game


class _CrosscheckOptions(GameParameters):
    positions: tuple[str, ...] = argument(nargs=-1, metavar="[POSITION]...")
    against: str = option("--against ENGINE", "See above.", required=True)
    games: int = option("--games N", "Random games to play.", 100, type=parameters.COUNT)
    made: int = option("--made N", "Positions to make at random.", 1000, type=parameters.COUNT)
    depth: int = option(
        "--depth N", "Compare perft by divide, too, N plies deep.", 0, type=parameters.COUNT
    )
    stipulation: str | None = option(
        "--stipulation TEXT",
        "Compare the solutions of this chess problem in each position, too (popeye).",
    )
    only: bool = option(
        "--only", "Compare POSITION and the positions a turn from it, nothing else."
    )
    from_record: str | None = option(
        "--from-record FILE", "Compare along the games recorded in FILE first."
    )
    listed: str | None = option(
        "--positions FILE", "Begin at each position in FILE (Parquet), too."
    )
    seed: int = parameters.seed_option("The same seed gives the same games and positions.")
    seconds: float = option("--time SECONDS", "Stop comparing after this time.", SECONDS)
    reasoner: str | None = REASONER
    engine_timeout: float = option(
        "--engine-timeout SECONDS", "The engine's time for an answer.", 10.0
    )
    keep_going: bool = option(
        "--keep-going", "Continue after a disagreement, and show one of each sort."
    )
    report: str | None = option("--report FILE", "Write the result to FILE, for a bug report.")
    html: str | None = option("--html FILE", "Write a page that shows both answers on boards.")
    resume: str | None = resume_option()
    notation: str = parameters.NOTATION


@verb(
    spare=30.0,
    example="aspgames crosscheck breakthrough -c width=4 --against propnet --games 5 --made 100",
    lists={"engines": engine_list()},
)
def command(wanted: _CrosscheckOptions, workers: WorkerOptions, as_json: bool) -> int:
    """Compare another engine with the rules.

    The comparison uses random games and random positions. ENGINE is one of:

    \b
    {engines}

    Games begin at each POSITION in turn, by default at the start. A disagreement is reduced to a
    small one before it is shown. --workers share walks of 100 games or 1000 positions.

    Exit codes: 0 both agree in everything compared; 1 they don't; 3 nothing was compared in time;
    4 the engine crashed, hung or sent a malformed answer.
    """
    from ..crosscheck.compare.comparison_walk import Plan
    from ..crosscheck.crosscheck_report import result_report, result_text
    from ..crosscheck.crosscheck_run import crosscheck, running
    from ..crosscheck.engines.engine_names import open_engine  # loaded only if necessary

    game = wanted.loaded
    read = [parameters.read_position(game, each, wanted.notation) for each in wanted.positions]
    starts = [state.facts for _, state in read]
    if wanted.listed is not None:
        starts += parameters.read_positions(wanted.listed, game)
    recorded = wanted.from_record
    problems = None
    if wanted.stipulation is not None:
        from ..composer.problem_answers import problems_of

        state = game.state(starts[0]) if starts else game.initial
        problems = problems_of(wanted.stipulation, state, wanted.engine_timeout)
    plan = Plan(
        starts=tuple(starts) or (game.initial.facts,),
        games=wanted.games,
        made=wanted.made,
        depth=wanted.depth,
        only=wanted.only,
        records=parameters.read_records(recorded, game) if recorded is not None else (),
        recorded=recorded,
        seed=wanted.seed,
        seconds=wanted.seconds,
        keep_going=wanted.keep_going,
        reasoner=wanted.reasoner,
        notation=wanted.notation,
        problems=problems,
        again=parameters.given_options(
            "seconds", "reasoner", "engine_timeout", "stipulation", "notation"
        ),
    )
    if Path(wanted.against).is_dir():
        if wanted.html is not None or wanted.resume is not None or workers.given:
            raise BadRequest(
                "--html, --resume, --workers and --dask are for one engine, not a folder"
            )
        return _check_folder(game, wanted, plan, as_json)
    budget, timeout = Budget(wanted.seconds), wanted.engine_timeout
    with (
        status_line() as show,
        workers.way(wanted.resume, "walks", show, budget) as way,
        running(open_engine(wanted.against, timeout)) as engine,
    ):
        result = crosscheck(game, engine, plan, show, way, timeout)
    text = result_text(result)
    if as_json:
        print_json(result_report(result))
    else:
        shown = highlighted(text, "^Disagreement(?=:)|^.* disagrees on .*$", ERROR)
        print_text(highlighted(shown, "^Agreement(?=:)"))
    if wanted.report is not None:
        write_file(wanted.report, f"{text}\n\n{encode(result_report(result))}\n")
    if wanted.html is not None:
        from ..composer.book.crosscheck_page import crosscheck_page

        write_file(wanted.html, crosscheck_page(result))
    if result.interrupted:
        raise Interrupted
    if result.findings:
        return NO
    return YES if result.tally.positions else UNDECIDED


def _check_folder(game: "Game", wanted: _CrosscheckOptions, plan: "Plan", as_json: bool) -> int:
    """Compare all rules in a folder. A row is printed once it is known."""
    from ..crosscheck import hand_ins

    folder = Path(wanted.against)
    files = hand_ins.hand_in_files(folder)
    width = max(map(len, files))
    found: list[hand_ins.HandIn] = []
    rows: list[str] = []
    interrupted = False
    with status_line() as show:
        try:
            for one in hand_ins.check_hand_ins(game, folder, files, plan, show):
                found.append(one)
                show("")
                for text in one.texts:
                    rows.append(f"{one.file:{width}}  {text}")
                    if not as_json:
                        print_text(rows[-1])
        except Interrupted:
            interrupted = True
    right = sum(one.agrees for one in found)
    summary = f"\n{right} of {counted(len(files), 'file')} agree with the rules"
    report = hand_ins.hand_ins_report(game, found)
    print_answer(report, summary, as_json)
    if wanted.report is not None:
        write_file(wanted.report, "\n".join([*rows, summary, "", encode(report), ""]))
    if interrupted:
        raise Interrupted
    return YES if right == len(found) else NO
