"""The program: a group of verbs, and the exit code of each error."""

import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from contextlib import suppress
from importlib import import_module
from typing import Any, cast

import click
from click.exceptions import NoArgsIsHelpError

from .._version import __version__
from ..runtime.budget import is_interrupted
from ..runtime.errors import AspgamesError, EngineFailed, ExecutorFailed, Interrupted, LimitReached
from .exit_codes import BAD_INPUT, DEFECT, FAILED, UNDECIDED, UNREAD, fail

GROUPS = {
    "Query": {
        "games": "List the built-in games, their boards and their constants.",
        "legal": "List the legal moves of a position.",
        "play": "Play moves and show the position that follows.",
        "show": "Draw a position, with coordinates and the side on move.",
        "why": "Explain why a move is legal or not, in the words of the rules.",
        "perft": "Count the sequences of exactly N plies from a position.",
        "playout": "Play random games from a position to their ends.",
    },
    "Puzzles": {
        "solve": "Solve puzzles: can a side force a goal within K turns?",
        "verify": "Check certificates of puzzles with clingo alone.",
        "table": "Solve all states of a small game, and write a table.",
        "compose": "Compose puzzles with exactly one key.",
        "judge": "Judge puzzles: are they sound, and how good are they?",
        "equilibrium": "Compute the value of a small zero-sum game, and optimal strategies.",
        "book": "Make a book of puzzles: one page that works offline.",
    },
    "Check engines": {
        "crosscheck": "Compare another engine with the rules.",
        "serve": "Answer requests, one JSON object a line.",
    },
    "Play": {
        "page": "Write a page to play, solve and share a game: one file that works offline.",
        "match": "Play a game or a puzzle against the computer.",
        "train": "Train the engine for a game: it learns the value of states by play.",
        "uci": "Play over the Universal Chess Interface (UCI).",
        "ggp-player": "Play over the HTTP protocol of General Game Playing.",
        "ggp-manager": "Play a match between General Game Playing players.",
    },
    "Games of your own": {
        "check": "Check rules: are they a game, what is wrong, what is proved?",
        "import": "Write a rule sheet, or a program with time steps, as a readable encoding.",
        "export": "Write a game's rules as a rule sheet in KIF, or as one file for clingo.",
    },
    "Data": {
        "convert": "Convert records of games, or positions, between formats of files.",
        "record": "Play games to their ends and write them to a Parquet file.",
        "cache": "Show the cache: its folder, entries and size.",
    },
}
"""The verbs by task, each with the first sentence of its help."""

SHORT_HELPS = {name: text for verbs in GROUPS.values() for name, text in verbs.items()}
_HYPHEN = "\N{NON-BREAKING HYPHEN}"
_WIDTH = max(map(len, SHORT_HELPS))  # all groups have the same columns


class _Formatter(click.HelpFormatter):
    def write_text(self, text: str) -> None:
        super().write_text(text.replace("-", _HYPHEN))

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        whole = [(name, text.replace("-", _HYPHEN)) for name, text in rows]
        super().write_dl(whole, col_max, col_spacing)

    def getvalue(self) -> str:
        return super().getvalue().replace(_HYPHEN, "-")


class HelpContext(click.Context):
    """A context whose help texts break lines between words only."""

    formatter_class = _Formatter


class Verbs(Mapping[str, click.Command]):
    """The verbs by name, imported when they are looked up."""

    def __getitem__(self, name: str) -> click.Command:
        if name not in SHORT_HELPS:
            raise KeyError(name)
        module = f"{name}_" if name == "import" else name.replace("-", "_")  # a keyword
        return cast("click.Command", import_module(f".{module}", __package__).command)

    def __iter__(self) -> Iterator[str]:
        return iter(SHORT_HELPS)

    def __len__(self) -> int:
        return len(SHORT_HELPS)


class _Program(click.Group):
    context_class = HelpContext

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read ``help VERB`` as ``VERB --help``."""
        return super().parse_args(ctx, [*args[1:], "--help"] if args[:1] == ["help"] else args)

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
    (.kif, .gdl). POSITION is 'startpos', 'empty', a FEN, facts, '@FILE' for a file with one of
    these, or '-' for standard input. 'aspgames help VERB' explains a verb and shows an example.

    Exit codes: 0 yes or done, 1 no, 2 bad input, 3 undecided within the limits or killed, 4 another
    program failed (a cross-checked engine crashed or hung), 70 a defect of aspgames, 130
    interrupted.
    """


def run(arguments: list[str] | None, supervised: bool = False) -> int | None:
    """Run a command line; returns the exit code, None for success. Raises ``Interrupted``.

    ``supervised``: a verb runs in its own process, under a supervisor.
    """
    warnings.showwarning = _show_warning
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
        if is_interrupted():  # within an import, Python turns an exception into another
            raise Interrupted from None
        from traceback import walk_tb  # rarely needed

        *_, (frame, line) = walk_tb(error.__traceback__)
        place = f"{frame.f_code.co_filename}:{line}"
        return fail(f"a defect of aspgames: {error!r} ({place})", DEFECT)
    return code


def _show_warning(message: Warning | str, *_: object, **_named: object) -> None:
    from .text_style import DOUBT, print_message  # loaded only if necessary

    if sys.stderr.isatty():
        sys.stderr.write("\r\033[K")  # the status line
    print_message(f"warning: {message}", DOUBT)


def _unread() -> int:
    _drop_output()
    return UNREAD


def _drop_output() -> None:
    """Drop the rest of the output. Python would try to write it at its end, and print an error."""
    stream, sys.stdout = sys.stdout, None
    with suppress(OSError):
        if stream is not None:
            stream.close()
