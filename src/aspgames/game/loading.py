"""Games read under a time limit, here or in another process."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..asp.sources import Source
from ..gdl.encoding import Encoding, is_own_file, read_encoding
from ..gdl.lint import growing
from ..runtime.budget import SECONDS
from ..runtime.errors import AspgamesError, RulesError
from ..runtime.process_messages import tell, within
from .game import Game, game_of_encoding
from .game_rules import GameRules


def load_game(name: str, constants: Mapping[str, Any], rules: Encoding | None = None) -> Game:
    """Load a game by name or path within a minute.

    ``rules`` are the texts of its files, if they were read elsewhere. Raises what ``load`` raises.
    """
    with within(f"{name} can't be read", SECONDS):
        rules = rules or read_encoding(name)
        if name.endswith(".lp"):
            tell(hint=next(iter(growing(rules)), None))
        return game_of_encoding(rules, constants)


def game_of_sheet(text: str, constants: Mapping[str, Any]) -> Game:
    """The game of a rule sheet. Raises ``RulesError``; messages call the sheet ``rules.kif``."""
    from ..gdl.kif.sheet_encoding import program_of_text

    path = Path("rules.kif")
    source = Source(path, program_of_text(text, path))
    return game_of_encoding(Encoding(path.stem, path.name, (source,)), constants)


@dataclass(frozen=True)
class SentGame:
    """A game on its way to another process, where the files of a user's own may be missing."""

    name: str
    constants: tuple[tuple[str, int | str], ...] = ()
    fingerprint: str | None = None
    """The digest of the rules; None if the sender hasn't loaded the game."""
    rules: Encoding | None = None
    """The texts of a user's own game."""

    @classmethod
    def of(cls, game: GameRules) -> "SentGame":
        """A game that is loaded here."""
        encoding = game.encoding
        rules = encoding if is_own_file(encoding.reference) else None
        constants = tuple(game.constants.items())
        return cls(encoding.reference, constants, encoding.fingerprint, rules)

    @classmethod
    def named(cls, name: object) -> "SentGame | None":
        """A user's own game, from its path; None for other names and for unreadable files.

        The other process then reports what is wrong with the name.
        """
        if not isinstance(name, str) or not is_own_file(name):
            return None
        try:
            with within(f"{name} can't be read", SECONDS):
                return cls(name, rules=read_encoding(name))
        except AspgamesError:
            return None

    def load(self, constants: Mapping[str, Any] | None = None) -> Game:
        """Load the game, with other constants if given. Raises ``RulesError`` for other rules."""
        given = dict(self.constants) if constants is None else constants
        game = load_game(self.name, given, self.rules)
        if self.fingerprint not in (None, game.encoding.fingerprint):
            raise RulesError(f"the rules of {self.name} are not the same where the work is done")
        return game
