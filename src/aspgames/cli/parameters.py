"""Arguments and options that several verbs share, and how they are read."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from ..game.game import Game, State, games
from ..game.loading import load_game
from ..game.notation.notations import NOTATIONS, notation
from ..gdl.encoding import OWN
from ..gdl.lint import mistakes
from ..runtime.errors import BadConstant, BadPosition, BadRequest, LimitReached, one_line
from .files import read_text

if TYPE_CHECKING:
    from ..gdl.reasoner import Facts
    from ..play.game_record import Record
    from ..rl.data.game_file import GamesFile

F = TypeVar("F", bound=Callable[..., Any])

PARQUET = ".parquet"
"""How the name of a file of games ends."""

_ROW = re.compile(rf"@(.*{re.escape(PARQUET)})(?::([0-9]{{1,18}}))?", re.DOTALL)
_LONGEST_RECORDS = 64_000_000  # bytes
_LONGEST_POSITION = 4_000_000  # bytes: a position has a million characters at most


class _GameName(click.ParamType[str]):
    """A game's name or path, completed from the built-in names and the files there are."""

    name = "game"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        names = [CompletionItem(name) for name in games() if name.startswith(incomplete)]
        return names or click.Path().shell_complete(ctx, param, incomplete)


def example(command: str) -> str:
    """A help text's last lines: a command that runs as it stands, kept on one line."""
    return f"\b\nExample:\n  {command}"


def game_argument(required: bool = True) -> Callable[[F], F]:
    """The argument GAME with its option ``-c``."""

    def decorate(function: F) -> F:
        function = click.option(
            "-c",
            "--const",
            "constants",
            metavar="NAME=VALUE",
            multiple=True,
            help="Set a constant of the game; may be repeated.",
        )(function)
        return click.argument("game", type=_GameName(), required=required)(function)

    return decorate


def position_argument(required: bool = False) -> Callable[[F], F]:
    """The argument POSITION: the start, if it isn't required."""
    if required:
        return click.argument("position", required=True)
    return click.argument("position", default="startpos")


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")

notation_option = click.option(
    "--notation",
    type=click.Choice(NOTATIONS),
    default="lp",
    show_default=True,
    help="How positions, moves and roles are written: as encodings have them, or in KIF.",
)

reasoner_option = click.option(
    "--reasoner",
    type=click.Choice(["grounder", "propnet"]),
    help="clingo state by state, or a net for thousands of states at a time; default: the faster.",
)


def seconds_option(
    name: str, parameter: str, told: str, default: float | None = None
) -> Callable[[F], F]:
    """An option for a time, which is shown where it is one unless given."""
    return click.option(
        name,
        parameter,
        type=float,
        default=default,
        show_default=default is not None,
        metavar="SECONDS",
        help=told,
    )


time_option = seconds_option("--time", "seconds", "Give up after so many seconds.")

threads_option = click.option(
    "--threads",
    type=int,
    metavar="N",
    help="How many threads share the work, with the same result; default: one a core.",
)


def memory_bytes(mib: float | None) -> float | None:
    """A limit on memory. Raises ``BadRequest`` for a senseless one."""
    if mib is not None and not 0 < mib < math.inf:
        raise BadRequest(f"the limit on memory must be a finite number above zero, not {mib}")
    return None if mib is None else mib * 2**20


def given_options(*names: str) -> tuple[str, ...]:
    """Those of some options with a value that stand on the command line, as they stand there."""
    context = click.get_current_context()
    given = [
        (parameter.opts[-1], str(context.params[name]))
        for name in names
        for parameter in context.command.params
        if parameter.name == name
        and context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
    ]
    return tuple(word for option in given for word in option)


def read_game(name: str, constants: tuple[str, ...]) -> Game:
    """The game of a command line."""
    return load_game(name, read_constants(constants))


def warn_of_mistakes(game: Game) -> None:
    """Say on standard error what is likely a mistake in a user's own rules."""
    for mistake in mistakes(game.encoding) if game.encoding.reference.endswith(OWN) else ():
        click.echo(f"aspgames: warning: {one_line(mistake)}", err=True)


def read_constants(texts: tuple[str, ...]) -> dict[str, str]:
    """The constants of ``-c`` options. Raises ``BadConstant``."""
    pairs = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not (name and equals and value):
            raise BadConstant(f"-c {text}: give NAME=VALUE")
        if name in pairs:
            raise BadConstant(f"-c {text}: {name} is set twice")
        pairs[name] = value
    return pairs


def read_state(game: Game, text: str, notation_name: str = "lp") -> State:
    """The position of a command line: as its notation has it, or from a file or pipe."""
    if found := _ROW.fullmatch(text):
        rows, row = _row(found[1], found[2], game)
        return rows[row]
    return notation(game, notation_name).position(position_text(text))


def _row(name: str, row: str | None, game: Game | None = None) -> tuple[GamesFile, int]:
    """A row of a file of games, which is there. Raises ``BadRequest``."""
    from ..rl.data.game_file import read  # for few positions

    rows = read(name, game)
    if row is None:
        raise BadRequest(f"which row of {name}? Give @{name}:0 to @{name}:{len(rows) - 1}")
    if int(row) >= len(rows):
        raise BadRequest(f"{name} has no row {row}: it has {len(rows):,} rows")
    return rows, int(row)


def read_records(name: str, game: Game) -> list[Record]:
    """The games recorded in a file, all of them of one game. Raises ``BadRequest``."""
    from ..play.game_record import named, parse  # for few verbs

    if name.endswith(PARQUET):
        from ..rl.data.game_file import read

        return list(read(name, game).records())
    found = parse(read_text(name, _LONGEST_RECORDS), "standard input" if name == "-" else name)
    if not found:
        raise BadRequest(f"{name}: no game is recorded there")
    for number, record in enumerate(found, start=1):
        if not record.is_of(game):
            raise BadRequest(
                f"{name}: game {number} is one of {record.named}, not of {named(game)}"
            )
    return found


def read_positions(name: str, game: Game) -> list[Facts]:
    """The facts of the positions in a file of games, each once. Raises ``BadRequest``, with the
    row ``BadPosition``."""
    from ..rl.data.game_file import read

    return list(dict.fromkeys(state.facts for state in read(name, game)))


def position_text(text: str) -> str:
    """A position's text; ``@FILE`` and ``-`` stand for what is in the file or comes in.

    ``@FILE.parquet:ROW`` stands for what is in that row.
    """
    if found := _ROW.fullmatch(text):
        rows, row = _row(found[1], found[2])
        return rows.text(row)
    if text != "-" and not text.startswith("@"):
        return text
    try:
        return read_text(text.removeprefix("@") if text != "-" else text, _LONGEST_POSITION)
    except LimitReached as error:
        raise BadPosition(str(error)) from None
