"""``aspgames check``: errors in rules, and proved properties."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import TIMEOUT_MAX, Lock, Timer

import click

from ..analysis.check_report import WARNING, Finding, Report, Witness, check_report, sarif_report
from ..gdl.encoding import read_encoding
from ..gdl.lint import growing
from ..runtime.arguments import counted
from ..runtime.budget import Budget
from ..runtime.errors import AspgamesError
from ..runtime.process_messages import tell
from .exit_codes import NO, UNDECIDED, YES
from .output import print_json, print_text, status_line
from .parameters import GameParameters, games_option, read_constants, seed_option
from .text_style import DOUBT, ERROR, highlighted
from .verb import option, verb

_CODES = {"game": YES, "no_game": NO, "unknown": UNDECIDED}
_HEADS = {"error": "Errors", "warning": "Warnings", "note": "Notes"}
_COLOURS = {"error": ERROR, "warning": DOUBT, "note": None}
_LATE_SECONDS = 0.5  # seconds; the supervisor kills a verb later, see ``watchdog.LATE``
_MOST_FINDINGS = 20  # for each severity
_MOST_MOVES = 12  # of a displayed line; --json has all


class _CheckOptions(GameParameters):
    games: int = games_option(20)
    seed: int = seed_option()
    seconds: float = option("--time SECONDS", "Leave out what takes longer than this.", 30.0)
    format: str = option(
        "--format",
        "text; json; sarif, which editors and code hosts read.",
        "text",
        type=click.Choice(["text", "json", "sarif"]),
    )
    strict: bool = option("--strict", "Exit code 1 for warnings, too.")


@verb(example="aspgames check breakthrough --games 50")
def command(wanted: _CheckOptions, as_json: bool) -> int:
    """Check rules: are they a game, what is wrong, what is proved?

    The text check finds unreadable rules, loops through negation, and missing or misspelt names.
    Random games show whether every role has a move until the end, whether play ends, whether goals
    are unique, and whether each role can win. The check also finds rules that never fire. Each
    property is either proved, or only seen in these games.

    The parts for boards and explanations are checked for names that the game doesn't have.

    Exit codes: 0 a game, as far as the check shows; 1 not a game, or with --strict a warning; 2 bad
    input; 3 no random game ended within the limits.
    """
    from ..analysis.check import check

    constants = read_constants(wanted.constants)
    report = Report("")
    form = "json" if as_json else wanted.format

    def write() -> int:
        if form == "sarif":
            print_json(sarif_report(report, Path(wanted.game).parent))
        elif form == "json":
            print_json(check_report(report))
        else:
            _print(report)
        is_wrong = wanted.strict and any(f.severity == WARNING for f in report.findings)
        return NO if is_wrong else _CODES[report.verdict]

    with status_line() as show, _shown_in_time(report, wanted.seconds, write):
        _tell_what_may_not_end(wanted.game)
        show("Reading the rules, playing, proving")
        check(
            wanted.game,
            wanted.games,
            seed=wanted.seed,
            budget=Budget(wanted.seconds),
            constants=constants,
            into=report,
        )
    return write()


@contextmanager
def _shown_in_time(report: Report, seconds: float, write: Callable[[], int]) -> Iterator[None]:
    """At the time limit, show the findings so far and exit: clingo's grounder can't be stopped."""
    shown = Lock()

    def show() -> None:
        if report.game and shown.acquire(blocking=False):
            tell(seconds=None)  # the findings are shown, however busy the machine is
            if sys.stderr is not None and sys.stderr.isatty():
                click.echo("\r\033[K", err=True, nl=False)  # the status line
            report.not_looked_at.append("the rest: clingo was still at work when the time was over")
            report.sort()
            code = write()
            sys.stdout.flush()
            os._exit(code)

    timer = Timer(min(seconds + _LATE_SECONDS, TIMEOUT_MAX), show)
    timer.daemon = True
    timer.start()
    tell(seconds=seconds)  # the time begins here, not before the imports
    try:
        yield
    finally:
        timer.cancel()
        shown.acquire()  # or another thread shows the report, and this process ends then
        tell(seconds=None)


def _tell_what_may_not_end(game: str) -> None:
    """Tell the supervisor the likely reason if grounding the rules takes too long."""
    try:
        tell(hint=next(iter(growing(read_encoding(game))), None))
    except AspgamesError:
        return  # the check reports or refuses it


def _print(report: Report) -> None:
    verdicts = {
        "game": f"{report.game} is a game, as far as can be seen.",
        "no_game": f"{report.game} is not a game that aspgames can play."
        if any(finding.kind == "unsupported" for finding in report.findings)
        else f"{report.game} is not a game.",
        "unknown": f"Whether {report.game} is a game is undecided within the limits.",
    }
    print_text(highlighted(verdicts[report.verdict], ".+"))
    for severity, head in _HEADS.items():
        chosen = [finding for finding in report.findings if finding.severity == severity]
        if chosen:
            print_text("\n" + highlighted(head, ".+", _COLOURS[severity]))
        for finding in chosen[:_MOST_FINDINGS]:
            print_text(f"  {_sentence(finding)}")
            if finding.witness:
                print_text(f"    {_way(finding.witness)}")
        if len(chosen) > _MOST_FINDINGS:
            print_text(f"  ... and {len(chosen) - _MOST_FINDINGS} more, which --json has")
    states = counted(report.states, "state was met", "states were met")
    met = f"{counted(report.games, 'random game')} ended; {states}."
    parts = (
        ("Proved", report.proved),
        ("Only seen", [*report.sampled, *([met] if report.states else [])]),
        ("Not looked at", [f"{what}." for what in report.not_looked_at]),
    )
    for head, sentences in parts:
        if sentences:
            lines = (highlighted(head, ".+"), *(f"  {sentence}" for sentence in sentences))
            print_text("\n".join(("", *lines)))


def _sentence(finding: Finding) -> str:
    parts = (finding.file, finding.line, finding.column if finding.line else None)
    place = "".join(f"{part}:" for part in parts if part)
    seen = counted(finding.states or 0, "state")
    seen = "" if finding.proved else f" (in {seen} of random games)"
    return f"{place} {finding.sentence}{seen}".lstrip()


def _way(witness: Witness) -> str:
    """A position with the moves to it, unless there are too many."""
    position = witness.fen or " ".join(witness.facts) or "no fluent holds"
    moves = [
        ",".join(f"{role}={move}" for role, move in joint.items() if move != "noop") or "noop"
        for joint in witness.moves
    ]
    if not moves:
        return f"at the start: {position}"
    more = f"... {len(moves)} plies, which --json has" if len(moves) > _MOST_MOVES else ""
    return f"after {more or ' '.join(moves)}: {position}"
