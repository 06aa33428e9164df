"""``aspgames check``: is it a game?"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import TIMEOUT_MAX, Lock, Timer
from typing import TYPE_CHECKING

import click

from ..analysis.check_report import check_report
from ..gdl.lint import growing
from ..runtime.budget import Budget
from ..runtime.errors import AspgamesError
from ..runtime.process_messages import tell
from .exit_codes import NO, UNDECIDED, YES
from .output import print_json, print_text, status_line
from .parameters import example, game_argument, json_option, read_constants
from .verb import Verb

if TYPE_CHECKING:
    from ..analysis.check_report import Finding, Report, Witness

_CODES = {"game": YES, "no_game": NO, "unknown": UNDECIDED}
_HEADS = {"error": "Errors", "warning": "Warnings", "note": "Notes"}
_LATE = 0.5  # seconds; 1.5 after its time is over, a verb is ended
_MOST_FINDINGS = 20  # of a severity
_MOST_MOVES = 12  # of a line that is shown; --json has all


@click.command("check", cls=Verb, epilog=example("aspgames check breakthrough --games 50"))
@game_argument()
@click.option(
    "-n", "--games", type=int, default=20, show_default=True, help="How many random games."
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="The same seed gives the same games.",
)
@click.option(
    "--time",
    "seconds",
    type=float,
    default=30.0,
    metavar="SECONDS",
    help="What is not looked at within so many seconds (30) is left out.",
)
@json_option
def command(
    game: str,
    constants: tuple[str, ...],
    games: int,
    seed: int,
    seconds: float,
    as_json: bool,
) -> int:
    """Is it a game? What is wrong with the rules, and what bounds play: proved, or only sampled.

    Rules that can't be read, loops through negation, what is missing or likely misspelt; in play:
    that every role has a move until the end, that play ends, that goals are settled, that each role
    can win; rules that never fire.

    Exit codes: 0 it is a game, as far as can be seen; 1 it is none; 2 bad input; 3 no game could be
    played to its end within the limits.
    """
    from ..analysis.check import check
    from ..analysis.check_report import Report

    given = read_constants(constants)
    report = Report("")
    with status_line() as show, _shown_in_time(report, seconds, as_json):
        _tell_what_may_not_end(game)
        show("looking at the rules, playing, proving")
        check(game, games, seed=seed, budget=Budget(seconds), constants=given, into=report)
    return _show(report, as_json)


def _show(report: Report, as_json: bool) -> int:
    if as_json:
        print_json(check_report(report))
    else:
        _print(report)
    return _CODES[report.verdict]


@contextmanager
def _shown_in_time(report: Report, seconds: float, as_json: bool) -> Iterator[None]:
    """Show what is known when the time is over, and end: clingo's grounder can't be stopped."""

    shown = Lock()

    def show() -> None:
        if report.game and shown.acquire(blocking=False):
            tell(seconds=None)  # what is known is shown, however busy the machine is
            if sys.stderr is not None and sys.stderr.isatty():
                click.echo("\r\033[K", err=True, nl=False)  # the line that says how far it is
            report.not_looked_at.append("the rest: clingo was still at work when the time was over")
            report.sort()
            code = _show(report, as_json)
            sys.stdout.flush()
            os._exit(code)

    timer = Timer(min(seconds + _LATE, TIMEOUT_MAX), show)
    timer.daemon = True
    timer.start()
    tell(seconds=seconds)  # the time begins here, not before all that had to be imported
    try:
        yield
    finally:
        timer.cancel()
        shown.acquire()  # or it is being shown, and this ends with it
        tell(seconds=None)


def _tell_what_may_not_end(game: str) -> None:
    """Say what is the likely reason if the rules can't be grounded in time."""
    from ..gdl.encoding import read_encoding

    try:
        tell(hint=next(iter(growing(read_encoding(game))), None))
    except AspgamesError:
        return  # the check says it, or refuses it


def _print(report: Report) -> None:
    verdicts = {
        "game": f"{report.game} is a game, as far as can be seen.",
        "no_game": f"{report.game} is no game.",
        "unknown": f"Whether {report.game} is a game could not be seen within the limits.",
    }
    print_text(verdicts[report.verdict])
    for severity, head in _HEADS.items():
        chosen = [finding for finding in report.findings if finding.severity == severity]
        if chosen:
            print_text(f"\n{head}")
        for finding in chosen[:_MOST_FINDINGS]:
            print_text(f"  {_sentence(finding)}")
            if finding.witness:
                print_text(f"    {_way(finding.witness)}")
        if len(chosen) > _MOST_FINDINGS:
            print_text(f"  ... and {len(chosen) - _MOST_FINDINGS} more, which --json has")
    parts = (
        ("Proved", report.proved),
        ("Only seen", [*report.sampled, *_played(report)]),
        ("Not looked at", [f"{what}." for what in report.not_looked_at]),
    )
    for head, sentences in parts:
        if sentences:
            print_text("\n".join(("", head, *(f"  {sentence}" for sentence in sentences))))


def _sentence(finding: Finding) -> str:
    column = f":{finding.column}" if finding.column else ""
    place = f"{finding.file}:{finding.line}{column}: " if finding.line else ""
    if not place and finding.file:
        place = f"{finding.file}: "
    seen = "" if finding.proved else f" (in {finding.states:,} states of random games)"
    return f"{place}{finding.sentence}{seen}"


def _way(witness: Witness) -> str:
    """The position, and the moves to it, if they aren't too many."""
    position = witness.fen or " ".join(witness.facts) or "no fluent holds"
    moves = [
        ",".join(f"{role}={move}" for role, move in joint.items() if move != "noop") or "noop"
        for joint in witness.moves
    ]
    if not moves:
        return f"at the start: {position}"
    more = f"... {len(moves)} plies, which --json has" if len(moves) > _MOST_MOVES else ""
    return f"after {more or ' '.join(moves)}: {position}"


def _played(report: Report) -> list[str]:
    if not report.states:
        return []
    games = f"{report.games} random game{'s' * (report.games != 1)}"
    states = f"{report.states:,} state{'s were' if report.states != 1 else ' was'} met"
    return [f"{games} ended; {states}."]
