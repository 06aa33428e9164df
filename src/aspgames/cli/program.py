"""The program: a group of verbs, and the exit code of each error."""

from __future__ import annotations

import sys
import warnings
from collections.abc import MutableMapping
from contextlib import suppress
from typing import Any, cast

import click
from click.exceptions import NoArgsIsHelpError

from .._version import __version__
from ..runtime.errors import AspgamesError, EngineFailed, ExecutorFailed, LimitReached, one_line
from .exit_codes import BAD_INPUT, DEFECT, FAILED, UNDECIDED, UNREAD, fail
from .help_pages import HelpContext
from .verbs import GROUPS, SHORT_HELPS, Verbs

_WIDTH = max(map(len, SHORT_HELPS))  # all groups have the same columns


class _Program(click.Group):
    context_class = HelpContext

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # click's exit code for it is 1, which means no here
            return _unread()

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for task, verbs in GROUPS.items():
            with formatter.section(task):
                formatter.write_dl([(name.ljust(_WIDTH), text) for name, text in verbs.items()])


@click.group(
    cls=_Program,
    # click only looks commands up, so a read-only mapping is enough.
    commands=cast("MutableMapping[str, click.Command]", Verbs()),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Shell completion for bash (also zsh_source, fish_source):\n\n\b\n"
    '  eval "$(_ASPGAMES_COMPLETE=bash_source aspgames)"',
)
@click.version_option(__version__, prog_name="aspgames", message="%(prog)s %(version)s")
def aspgames() -> None:
    """Ask board games whose rules are answer-set programs.

    GAME is a built-in game (see 'aspgames games'), or the path of an .lp file or of a rule sheet
    (.kif). POSITION is 'startpos', 'empty', a FEN, facts, '@FILE' for a file with one of these, or
    '-' for standard input. 'aspgames VERB --help' explains a verb and shows an example.

    Exit codes: 0 yes or done, 1 no, 2 bad input, 3 undecided within the limits, 4 another program
    failed (a cross-checked engine crashed or hung), 70 a defect of aspgames, 130 interrupted.
    """


def run(arguments: list[str] | None, supervised: bool = False) -> int | None:
    """Run a command line; returns the exit code, None for success. Raises ``Interrupted``.

    ``supervised``: a verb runs in its own process, under a supervisor.
    """
    warnings.formatwarning = _warning  # type: ignore[assignment]
    try:
        code: int | None = aspgames.main(
            arguments, prog_name="aspgames", standalone_mode=False, obj=supervised
        )
        if sys.stdout is not None:
            sys.stdout.flush()
    except NoArgsIsHelpError:
        return fail(f"give a verb: {', '.join(SHORT_HELPS)} (--help says more)", BAD_INPUT)
    except click.ClickException as error:
        return fail(error.format_message(), BAD_INPUT)
    except LimitReached as error:
        return fail(str(error), UNDECIDED)
    except (EngineFailed, ExecutorFailed) as error:
        return fail(str(error), FAILED)
    except AspgamesError as error:
        return fail(str(error), BAD_INPUT)
    except (RecursionError, MemoryError):
        return fail("the question is too large", UNDECIDED)
    except BrokenPipeError:
        return _unread()
    except OSError as error:
        _drop_output()
        return fail(f"the output can't be written: {error.strerror}", BAD_INPUT)
    except Exception as error:  # a traceback's exit code is 1, which means no here
        from traceback import walk_tb  # rarely needed

        *_, (frame, line) = walk_tb(error.__traceback__)
        place = f"{frame.f_code.co_filename}:{line}"
        return fail(f"a defect of aspgames: {error!r} ({place})", DEFECT)
    return code


def _warning(message: object, *_: object) -> str:
    clear = "\r\033[K" if sys.stderr.isatty() else ""  # the status line
    return f"{clear}aspgames: {one_line(str(message))}\n"


def _unread() -> int:
    _drop_output()
    return UNREAD


def _drop_output() -> None:
    """Drop the rest of the output. Python would try to write it at its end, and print an error."""
    stream, sys.stdout = sys.stdout, None
    with suppress(OSError):
        if stream is not None:
            stream.close()
