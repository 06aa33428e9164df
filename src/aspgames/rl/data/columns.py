"""The description of a file of games, in its metadata (docs/data.md)."""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

from ..._version import __version__
from ...asp.terms import Constants
from ...game.game import Game, load
from ...game.state import State
from ...gdl.rules import Facts
from ...runtime.call_arguments import optional_package
from ...runtime.errors import BadRequest
from ...runtime.json_lines import is_of

KEY = b"aspgames.games"
"""The key of ``About`` in a file's metadata."""
FORMAT = 1
"""The version of the columns and their meanings."""


def arrow(module: str = "pyarrow") -> Any:
    """Apache Arrow, or one of its modules. Raises ``BadRequest`` if it isn't installed."""
    return optional_package(module, "a file of games", "aspgames[data]")


@dataclass(frozen=True)
class About:
    """The description of a file of games, in its metadata."""

    game: str
    """The game's name or the path of its rules, for ``load``."""
    const: Constants
    """All constants of the game."""
    rules: str
    roles: tuple[str, ...]
    start: Facts
    """The facts of the first position; empty if it differs between games."""
    games: int
    joint: bool = False
    """Whether each role has its own column of move numbers."""
    seed: int | None = None
    players: Mapping[str, str] | None = None
    """The player of each role, if it is the same in all games."""
    chance: bool = False
    """Whether there is a column of the moves of ``random`` with their probabilities."""
    sees: tuple[str, ...] = ()
    """The roles that have a column of percepts."""
    version: str = __version__
    """The version of aspgames that wrote the file."""

    @staticmethod
    def of(game: Game, start: Facts, games: int, **others: Any) -> "About":
        """The description of a file of some games."""
        return About(
            game.encoding.reference,
            dict(game.constants),
            game.encoding.fingerprint,
            game.roles,
            start,
            games,
            chance=game.chance,
            sees=game.players if game.hidden else (),
            **others,
        )

    def load(self) -> Game:
        """Load the game. Raises the same as ``load``, and ``BadRequest`` if its rules differ."""
        game = load(self.game, **self.const)
        self.check(game)
        return game

    def check(self, game: Game) -> None:
        """Raise ``BadRequest`` unless the games were played by this game's rules."""
        name = game.name
        if self.rules != game.encoding.fingerprint:
            own = self.game.replace("\\", "/").rpartition("/")[2].partition(".")[0]
            why = "other rules, or a version of them" if own == name else self.game
            raise BadRequest(f"the games are of {why}, not of {name}")
        if self.const != game.constants:
            values = " ".join(f"{n}={v}" for n, v in self.const.items())
            raise BadRequest(f"the games are of {name} with {values}")

    @property
    def text(self) -> str:
        """The description as JSON, which ``read`` reads."""
        return json.dumps({"format": FORMAT, **asdict(self)})

    @staticmethod
    def read(metadata: Mapping[bytes, bytes] | None) -> "About":
        """Read a file's metadata. Raises ``BadRequest``."""
        try:
            found = json.loads((metadata or {})[KEY])
            form = found.pop("format")
        except (KeyError, ValueError, TypeError, AttributeError):
            raise BadRequest("aspgames has not written it: it doesn't say of which game") from None
        if form != FORMAT:
            raise BadRequest("another version of aspgames has written it")
        with suppress(TypeError):
            about = About(**found)
            if is_of(json.loads(about.text), About):
                lists = ("roles", "start", "sees")
                return About(**found | {name: tuple(getattr(about, name)) for name in lists})
        raise BadRequest("its description of the game is broken")


def text_of(state: State) -> str:
    """The text of a position in the column ``position``: a FEN, or else facts."""
    return state.fen or " ".join(state.facts)
