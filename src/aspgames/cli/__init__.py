"""The command line: one small module a verb."""

from __future__ import annotations

import sys

import click

from .. import __version__
from ..errors import AspgamesError, LimitReached
from . import games, legal, perft, play, serve, show, solve

YES, NO, BAD_INPUT, UNDECIDED, INTERRUPTED = 0, 1, 2, 3, 130


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

    Exit codes: 0 yes or done, 1 no, 2 bad input, 3 undecided within the limits, 130 interrupted.
    """


for _verb in (games, legal, play, show, perft, solve, serve):
    aspgames.add_command(_verb.command)


def main(arguments: list[str] | None = None) -> None:
    """Run a command line and exit with its code; whatever goes wrong is told in one line."""
    try:
        code = aspgames.main(arguments, prog_name="aspgames", standalone_mode=False)
    except click.Abort:
        code = _fail("interrupted", INTERRUPTED)
    except click.ClickException as error:
        code = _fail(error.format_message(), BAD_INPUT)
    except LimitReached as error:
        code = _fail(str(error), UNDECIDED)
    except AspgamesError as error:
        code = _fail(str(error), BAD_INPUT)
    except (RecursionError, MemoryError):
        code = _fail("the question is too large", UNDECIDED)
    sys.exit(code or YES)


def _fail(message: str, code: int) -> int:
    click.echo(f"aspgames: {' '.join(message.split())}", err=True)
    return code
