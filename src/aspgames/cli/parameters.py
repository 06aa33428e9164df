"""Arguments and options that several verbs share, and functions that read them."""

from __future__ import annotations

import io
import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from ..game.game import Game
from ..game.loading import load_game
from ..game.notation.notations import NOTATIONS, Notation, notation
from ..game.state import State
from ..gdl.encoding import games, is_own_file, variants
from ..gdl.kif.goal_choice import CHOICES, CONSTANT
from ..gdl.lint import mistakes
from ..runtime.errors import BadConstant, BadPosition, BadRequest, LimitReached
from .files import input_name, read_bytes, read_text
from .output import warn
from .verb import ParameterGroup, argument, option

if TYPE_CHECKING:
    from ..game.view import View
    from ..gdl.rules import Facts
    from ..play.game_record import Record

PARQUET = ".parquet"

_ROW = re.compile(rf"@(.*{re.escape(PARQUET)})(?::([0-9]{{1,18}}))?", re.DOTALL)
_LONGEST_RECORDS = 64_000_000  # bytes
_LONGEST_POSITION = 4_000_000  # bytes: a position has a million characters at most

COUNT = click.IntRange(min=0)
"""A whole number that is not negative."""

OUTPUT = option("-o, --output FILE", "The file ('-': standard output).", "-", show_default=False)
"""A field for the file of a text."""

TIME = option("--time SECONDS", "Give up after this time.")
"""A field for the time limit of a verb, or of each of its puzzles [s]."""

MAX_PLIES = option(
    "--max-plies N",
    "Break a game off after N plies (default: where play provably ends, else 1000).",
    type=int,
)
"""A field for the most plies of a game."""

LINKS = option("--link TEXT=URL", "A link at the end of the page, such as 'Play it=play.html'.")
"""A field for links to other pages at the end of a page."""

NOTATION = option(
    "--notation",
    "How positions, moves and roles are written: as in encodings, or in KIF.",
    "lp",
    type=click.Choice(NOTATIONS),
)
"""A field for the notation of input and output."""


class _GameName(click.ParamType[str]):
    """A game's name or path. Completion offers the built-in names and the existing files."""

    name = "game"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        names = [
            CompletionItem(name) for name in (*games(), *variants()) if name.startswith(incomplete)
        ]
        return names or click.Path().shell_complete(ctx, param, incomplete)


OPTIONAL_GAME = argument(type=_GameName(), default="")
"""A field for an optional GAME; the default is empty."""


def seed_option(text: str = "The same seed gives the same games.") -> Any:
    """A field for the seed of random choices."""
    return option("--seed N", text, 0, type=COUNT)


def games_option(default: int) -> Any:
    """A field for the number of games to play."""
    return option("-n, --games N", "The number of games.", default)


GOAL_CHOICE = option(
    "--goals",
    "In a rule sheet that gives a role several goals, take the highest or the first.",
    type=click.Choice(CHOICES),
)
"""A field for the choice of goals in old rule sheets (``gdl.kif.goal_choice``)."""


class GameParameters(ParameterGroup):
    """The argument GAME with its constants."""

    game: str = argument(type=_GameName())
    constants: tuple[str, ...] = option(
        "-c, --const NAME=VALUE", "Set a constant of the game; may be repeated."
    )

    goal_choice: str | None = GOAL_CHOICE

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        if self.goal_choice:
            self.constants += (f"{CONSTANT}={self.goal_choice}",)

    @cached_property
    def loaded(self) -> Game:
        """The game."""
        return load_game(self.game, read_constants(self.constants))


class PositionParameters(GameParameters):
    """The arguments GAME and POSITION."""

    position: str = argument(default="startpos")
    notation: str = "lp"

    @cached_property
    def state(self) -> State:
        """The position, read in the notation."""
        return read_position(self.loaded, self.position, self.notation)[1]


class WrittenParameters(PositionParameters):
    """GAME, POSITION, and the notation of input and output."""

    notation: str = NOTATION

    @cached_property
    def written(self) -> Notation:
        """The notation for this game."""
        return notation(self.loaded, self.notation)


class ViewParameters(WrittenParameters):
    """GAME, POSITION, the notation, and the role whose view is shown."""

    as_role: str | None = option("--as ROLE", "Show only what this role knows of the play.")

    @cached_property
    def state(self) -> State:
        """The position. Raises ``RulesError`` for percepts that aren't ground, too."""
        if self.loaded.hidden and is_own_file(self.loaded.encoding.reference):
            self.loaded.grounder.percepts((), {})  # which no state needs yet
        return super().state

    @cached_property
    def view(self) -> View | None:
        """What a role knows that knows the position, if a view is asked for."""
        role = self.as_role
        return None if role is None else self.state.view(self.written.term(role))


class RequiredPosition(WrittenParameters):
    """GAME, a required POSITION, and the notation of input and output."""

    position: str = argument()


def given_options(*names: str) -> tuple[str, ...]:
    """The options among ``names`` that the command line contains, as they are written there."""
    context = click.get_current_context()
    given = [
        (parameter.opts[-1], str(context.params[name]))
        for name in names
        for parameter in context.command.params
        if parameter.name == name
        and context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
    ]
    return tuple(word for option in given for word in option)


def warn_of_mistakes(game: Game) -> None:
    """Print likely mistakes in a user's own rules to standard error."""
    is_own = is_own_file(game.encoding.reference)
    for mistake in mistakes(game.encoding) if is_own else ():
        # A recursion that was just grounded has an end; play may have none.
        is_ended = mistake.kind == "growing" and not mistake.sentence.startswith("next/1")
        if not is_ended and mistake.kind != "single_variable":
            warn(f"warning: {mistake}")


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


def read_position(game: Game, text: str, notation_name: str) -> tuple[str, State]:
    """A position on a command line, and its text in this notation.

    The contents replace ``@FILE`` and ``-``. ``@FILE.parquet:ROW`` is the position in that row.
    """
    written = notation(game, notation_name)
    if found := _ROW.fullmatch(text):
        from ..rl.data.game_file import read  # only for rows of files

        name, row = found.groups()
        rows = read(name, game)
        if row is None:
            raise BadRequest(f"which row of {name}? Give @{name}:0 to @{name}:{len(rows) - 1}")
        if int(row) >= len(rows):
            raise BadRequest(f"{name} has no row {row}: it has {len(rows):,} rows")
        state = rows[int(row)]
        facts = " ".join(sorted(map(written.text, state.facts)))
        return (rows.text(int(row)) if written.has_boards else facts), state
    if text == "-" or text.startswith("@"):
        try:
            text = read_text(text.removeprefix("@"), _LONGEST_POSITION)
        except LimitReached as error:
            raise BadPosition(str(error)) from None
    return text, written.position(text)


def read_records(name: str, game: Game) -> list[Record]:
    """The games recorded in a file, all of the same game. Raises ``BadRequest``."""
    from ..play.formats.registry import records  # few verbs need them
    from ..play.game_record import named

    if name.endswith(PARQUET):
        from ..rl.data.game_file import read

        return list(read(name, game).records())
    stream = io.BytesIO(read_bytes(name, _LONGEST_RECORDS))
    found = list(records(stream, input_name(name), game))
    if not found:
        raise BadRequest(f"{name}: no game is recorded there")
    wanted = named(game.name, game.constants)
    for number, record in enumerate(found, start=1):
        if not record.is_of(game):
            raise BadRequest(f"{name}: game {number} is one of {record.named}, not of {wanted}")
    return found


def read_positions(name: str, game: Game) -> list[Facts]:
    """The facts of the positions in a file of games, without duplicates.

    Raises ``BadRequest``, and ``BadPosition`` for an invalid row.
    """
    from ..rl.data.game_file import read

    return list(dict.fromkeys(state.facts for state in read(name, game)))
