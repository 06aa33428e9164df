"""``aspgames crosscheck``: another engine against the rules."""

from __future__ import annotations

import click

from ..runtime.budget import SECONDS, Budget
from ..runtime.errors import Interrupted
from ..runtime.json_lines import encode
from .executors import way_of, way_options
from .exit_codes import NO, UNDECIDED, YES
from .files import refuse_unwritable, write_file
from .output import print_json, print_text, status_line
from .parameters import (
    example,
    game_argument,
    given_options,
    json_option,
    notation_option,
    read_game,
    read_positions,
    read_records,
    read_state,
    reasoner_option,
    seconds_option,
)
from .verb import Verb


@click.command(
    "crosscheck",
    cls=Verb,
    spare=30.0,
    epilog=example(
        "aspgames crosscheck breakthrough -c width=4 --against propnet --games 5 --made 100"
    ),
)
@game_argument()
@click.argument("positions", nargs=-1, metavar="[POSITION]...")
@click.option("--against", required=True, metavar="ENGINE", help="The engine; see above.")
@click.option("--games", type=click.IntRange(min=0), default=100, show_default=True,
              help="Random games to play.")  # fmt: skip
@click.option("--made", type=click.IntRange(min=0), default=1000, show_default=True,
              help="Positions to make at random.")  # fmt: skip
@click.option("--depth", type=click.IntRange(min=0), default=0,
              help="Compare perft by divide, so many plies deep, too.")  # fmt: skip
@click.option("--only", is_flag=True,
              help="Compare POSITION and what is a turn from it, nothing else.")  # fmt: skip
@click.option("--from-record", metavar="FILE",
              help="Compare along the games recorded in FILE first.")  # fmt: skip
@click.option("--positions", "listed", metavar="FILE",
              help="Each position in FILE, a Parquet file, is a POSITION, too.")  # fmt: skip
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True,
              help="The same seed gives the same games and positions.")  # fmt: skip
@seconds_option("--time", "seconds", "Compare no longer than this.", SECONDS)
@reasoner_option
@click.option("--engine-timeout", type=float, default=10.0, show_default=True, metavar="SECONDS",
              help="How long the engine may take for an answer.")  # fmt: skip
@click.option("--keep-going", is_flag=True,
              help="Go on after a disagreement, and show one of each sort.")  # fmt: skip
@click.option("--report", metavar="FILE", help="Write what is found to FILE, for a bug report.")
@way_options
@notation_option
@json_option
def command(
    game: str,
    constants: tuple[str, ...],
    positions: tuple[str, ...],
    against: str,
    games: int,
    made: int,
    depth: int,
    only: bool,
    from_record: str | None,
    listed: str | None,
    seed: int,
    seconds: float,
    reasoner: str | None,
    engine_timeout: float,
    keep_going: bool,
    report: str | None,
    workers: int | None,
    dask: str | None,
    resume: str | None,
    notation: str,
    as_json: bool,
) -> int:
    """Hold another engine against the rules, in random games and in positions made at random.

    ENGINE is openspiel, fairy (through pyffish), grounder or propnet (aspgames itself),
    cmd:COMMAND LINE (a program that speaks the JSON lines of 'aspgames serve'), uci:COMMAND LINE
    (with 'go perft 1') or perftree:COMMAND (called as COMMAND DEPTH FEN MOVES).

    Games begin at each POSITION in turn (the start, if none is given). A disagreement is made small
    before it is shown. Many games and positions are several walks, of 100 games or 1000 positions
    each, which --workers share.

    Exit code 0: the two agree, as far as was compared. 1: they don't. 3: nothing was compared in
    the time there was. 4: the engine crashed, hung or spoke nonsense.
    """
    from ..crosscheck.compare.comparison_plan import Plan
    from ..crosscheck.crosscheck_report import result_report, result_text
    from ..crosscheck.crosscheck_run import Shared, crosscheck, running
    from ..crosscheck.engines.engine_names import open_engine  # loaded only where it is needed

    if report is not None:
        refuse_unwritable(report)
    loaded = read_game(game, constants)
    starts = [read_state(loaded, position, notation).facts for position in positions]
    if listed is not None:
        starts += read_positions(listed, loaded)
    plan = Plan(
        starts=tuple(starts) or (loaded.initial.facts,),
        games=games,
        made=made,
        depth=depth,
        only=only,
        records=read_records(from_record, loaded) if from_record is not None else (),
        recorded=from_record,
        seed=seed,
        seconds=seconds,
        keep_going=keep_going,
        reasoner=reasoner,
        notation=notation,
        again=given_options("seconds", "reasoner", "engine_timeout", "notation"),
    )
    with (
        status_line() as show,
        way_of(workers, dask, resume, "walks", show, Budget(seconds)) as way,
        running(open_engine(against, engine_timeout)) as engine,
    ):
        shared = None if way is None else Shared(way, against, engine_timeout)
        result = crosscheck(loaded, engine, plan, show, shared)
    text = result_text(result)
    if report is not None:
        write_file(report, f"{text}\n\n{encode(result_report(result))}\n")
    if as_json:
        print_json(result_report(result))
    else:
        print_text(text)
    if result.interrupted:
        raise Interrupted
    if result.findings:
        return NO
    return YES if result.tally.positions else UNDECIDED
