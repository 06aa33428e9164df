"""The program as click has it: a group of verbs, and what becomes of what goes wrong in them."""

from __future__ import annotations

import sys
from collections.abc import MutableMapping
from typing import Any, cast

import click
from click.exceptions import NoArgsIsHelpError

from .._version import __version__
from ..runtime.errors import AspgamesError, EngineFailed, ExecutorFailed, LimitReached
from .exit_codes import BAD_INPUT, DEFECT, FAILED, UNDECIDED, UNREAD, fail
from .verbs import SHORT_HELPS, Verbs


class _Program(click.Group):
    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # for which click has exit code 1, an honest no
            return _unread()

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        verbs = [click.Command(name, help=text) for name, text in SHORT_HELPS.items()]
        click.Group(commands=verbs).format_commands(ctx, formatter)


@click.group(
    cls=_Program,
    # Click adds none to those it is given, so what can only be looked up will do.
    commands=cast("MutableMapping[str, click.Command]", Verbs()),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog='Shell completion for bash: eval "$(_ASPGAMES_COMPLETE=bash_source aspgames)"; '
    "likewise zsh_source and fish_source.",
)
@click.version_option(__version__, prog_name="aspgames", message="%(prog)s %(version)s")
def aspgames() -> None:
    """Board games whose rules are answer-set programs: query, solve, serve.

    GAME is a built-in game (see 'aspgames games'), or the path of an .lp file or of a rule sheet
    (.kif). POSITION is 'startpos', a FEN, facts, '@FILE' with one of these in it, or '-' for
    standard input.

    Exit codes: 0 yes or done, 1 no, 2 bad input, 3 undecided within the limits, 4 another program
    failed (a cross-checked engine crashed or hung), 70 a defect of aspgames, 130 interrupted.
    """


def run(arguments: list[str] | None, supervised: bool = False) -> int | None:
    """Run a command line; returns the exit code, none for success. Raises ``Interrupted``.

    ``supervised``: what a verb does is done in a process of its own, which is watched over.
    """
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
        sys.stdout = None  # what is left in it can't be written either
        return fail(f"the output can't be written: {error.strerror}", BAD_INPUT)
    except Exception as error:  # not a traceback with exit code 1, which is an honest no
        from traceback import walk_tb  # what is seldom wanted

        *_, (frame, line) = walk_tb(error.__traceback__)
        place = f"{frame.f_code.co_filename}:{line}"
        return fail(f"a defect of aspgames: {error!r} ({place})", DEFECT)
    return code


def _unread() -> int:
    sys.stdout = None  # what is left in it isn't wanted
    return UNREAD
