"""Reading a game in a process that is watched over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..gdl.encoding import OWN, Encoding, read_encoding
from ..gdl.lint import growing
from ..runtime.budget import SECONDS
from ..runtime.errors import AspgamesError, RulesError
from ..runtime.process_messages import tell, within
from .game import Game, game_of_encoding


def load_game(name: str, constants: Mapping[str, Any], rules: Encoding | None = None) -> Game:
    """A game by name or path, which may take a minute to read.

    ``rules`` are its files' texts, where they were read elsewhere. Raises as ``load`` does.
    """
    with within(f"{name} can't be read", SECONDS):
        rules = rules or read_encoding(name)
        if name.endswith(".lp"):
            tell(hint=next(iter(growing(rules)), None))
        return game_of_encoding(rules, constants)


@dataclass(frozen=True)
class SentGame:
    """A game on its way to another process, where the files of a user's own needn't be."""

    name: str
    constants: tuple[tuple[str, int | str], ...]
    fingerprint: str
    rules: Encoding | None
    """The texts of a user's own."""

    @staticmethod
    def of(game: Game) -> SentGame:
        """The game as it is sent."""
        encoding = game.encoding
        own = encoding.reference.endswith(OWN)
        constants = tuple(game.constants.items())
        return SentGame(
            encoding.reference, constants, encoding.fingerprint, encoding if own else None
        )

    def load(self) -> Game:
        """The game again. Raises ``RulesError`` if it is another one here."""
        game = load_game(self.name, dict(self.constants), self.rules)
        if game.encoding.fingerprint != self.fingerprint:
            raise RulesError(f"the rules of {self.name} are not the same where the work is done")
        return game


def own_rules(name: object) -> Encoding | None:
    """The files of a user's own game, to be taken to where they aren't; None if there are none."""
    if not isinstance(name, str) or not name.endswith(OWN):
        return None
    try:
        with within(f"{name} can't be read", SECONDS):
            return read_encoding(name)
    except AspgamesError:  # who loads the game says what is wrong with it
        return None
