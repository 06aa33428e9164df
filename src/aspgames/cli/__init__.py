"""The command line: one small module a verb."""

from __future__ import annotations

import contextlib
import signal
import sys

import click
from click.exceptions import NoArgsIsHelpError

from .. import __version__
from ..budget import interrupt
from ..errors import AspgamesError, EngineFailed, Interrupted, LimitReached
from ..report import one_line
from . import (
    crosscheck,
    games,
    legal,
    match,
    perft,
    play,
    playout,
    serve,
    show,
    solve,
    verify,
    why,
)
from .exit_codes import BAD_INPUT, FAILED, INTERRUPTED, UNDECIDED, YES


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog='Shell completion for bash: eval "$(_ASPGAMES_COMPLETE=bash_source aspgames)"; '
    "likewise zsh_source and fish_source.",
)
@click.version_option(__version__, prog_name="aspgames", message="%(prog)s %(version)s")
def aspgames() -> None:
    """Board games whose rules are answer-set programs: query, solve, serve.

    GAME is a built-in game (see 'aspgames games') or the path of an .lp file. POSITION is
    'startpos', a FEN, facts, '@FILE' with one of these in it, or '-' for standard input.

    Exit codes: 0 yes or done, 1 no, 2 bad input, 3 undecided within the limits, 4 another program
    failed (a cross-checked engine crashed or hung), 130 interrupted.
    """


for _verb in (
    games,
    legal,
    play,
    show,
    why,
    perft,
    playout,
    solve,
    match,
    verify,
    crosscheck,
    serve,
):
    aspgames.add_command(_verb.command)


def main(arguments: list[str] | None = None) -> None:
    """Run a command line and exit with its code; whatever goes wrong is told in one line."""
    with contextlib.suppress(ValueError):  # not the main thread: there are no signals to handle
        signal.signal(signal.SIGINT, lambda *_: interrupt())
    sys.unraisablehook = _report_unraisable
    try:
        code = aspgames.main(arguments, prog_name="aspgames", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except Interrupted:
        code = _fail("interrupted", INTERRUPTED)
    except NoArgsIsHelpError:
        code = _fail(f"give a verb: {', '.join(aspgames.commands)} (--help says more)", BAD_INPUT)
    except click.ClickException as error:
        code = _fail(error.format_message(), BAD_INPUT)
    except LimitReached as error:
        code = _fail(str(error), UNDECIDED)
    except EngineFailed as error:
        code = _fail(str(error), FAILED)
    except AspgamesError as error:
        code = _fail(str(error), BAD_INPUT)
    except (RecursionError, MemoryError):
        code = _fail("the question is too large", UNDECIDED)
    except OSError as error:
        code = _fail(f"the output can't be written: {error.strerror}", BAD_INPUT)
        sys.stdout = None  # what is left in it can't be written either
    sys.exit(code or YES)


def _report_unraisable(lost: sys.UnraisableHookArgs) -> None:
    """Say nothing of a Ctrl-C that came within a destructor: it is not lost (see ``interrupt``)."""
    if not isinstance(lost.exc_value, Interrupted):
        sys.__unraisablehook__(lost)


def _fail(message: str, code: int) -> int:
    click.echo(f"aspgames: {one_line(message)}", err=True)
    return code
