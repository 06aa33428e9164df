"""The rules of one game with their vocabulary: the part of a ``Game`` that a checker needs.

It asks no net and knows no moves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..asp.terms import Constants
from ..gdl.encoding import Encoding, constant_value, read_encoding
from ..gdl.rules import Rules
from ..runtime.arguments import check_text, quote
from ..runtime.errors import BadRequest, RulesError, UnknownGame
from .game_constants import ConstantValues, settle_constants
from .position_check import PositionCheck
from .rule_names import rule_names

if TYPE_CHECKING:
    from .board import Board, Vocabulary
    from .positions import PositionReader


class GameRules:
    """The rules of one game."""

    def __init__(self, encoding: Encoding, constants: Constants) -> None:
        if not isinstance(encoding, Encoding):
            raise BadRequest(f"games are made with load, not of {quote(encoding)}")
        self.encoding = encoding
        self.constants = constants
        """All constants of the encoding by name, with the values in force.

        A whole number is an ``int``, any other term its text.
        """
        self.names = rule_names(encoding, constants)
        """The roles, and the fluents that the rules list."""
        if not self.names.roles:
            from ..gdl.lint import no_roles  # needed only for errors

            raise RulesError(f"{encoding.reference}: {no_roles(encoding)}")
        self.rules = Rules(encoding, constants, self.names.roles)
        """The input of reasoners."""

    @property
    def name(self) -> str:
        """The game's name: its file's stem."""
        return self.encoding.name

    @property
    def title(self) -> str:
        """The game in a few words, from its encoding."""
        return self.vocabulary.title

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles, as the encoding names them."""
        return self.names.roles

    @property
    def board(self) -> Board | None:
        """The board's size, squares and glyphs; None for a game without one."""
        return self.vocabulary.board

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The names and words of the game. A checker needs ``names`` alone."""
        from ..runtime.json_lines import from_json
        from .board import Vocabulary

        names = asdict(self.names)

        def read() -> dict[str, Any]:
            from .vocabulary import read_vocabulary

            found = read_vocabulary(self.encoding, self.constants, self.names)
            return {name: value for name, value in asdict(found).items() if name not in names}

        kept = self.rules.remembered("vocabulary and payoffs", read)
        vocabulary: Vocabulary = from_json(Vocabulary, names | kept)
        return vocabulary

    @cached_property
    def position_check(self) -> PositionCheck:
        """Checks positions of the game."""
        return PositionCheck(self.rules, self.names)

    @cached_property
    def reader(self) -> PositionReader:
        """Reads positions of the game."""
        from .positions import PositionReader  # a checker needs none

        return PositionReader(self.rules, self.vocabulary)

    @property
    def players(self) -> tuple[str, ...]:
        """The roles that choose their moves: all but ``random``, which moves by chance."""
        return self.names.players

    @property
    def chance(self) -> bool:
        """Whether a role is named ``random``: it moves by chance (GDL-II)."""
        return self.names.chance

    @property
    def hidden(self) -> bool:
        """Whether roles see only what ``sees/2`` says (GDL-II)."""
        return self.names.hidden

    def refuse_unsupported(
        self, *, chance: bool = False, hidden: bool = False, but: str = ""
    ) -> None:
        """Raise ``RulesError`` for a game with chance or hidden information.

        Functions that prove something or choose moves call this. ``chance`` and ``hidden`` say
        what the caller can do, and ``but`` why it can't do the rest, and what can.
        """
        for kind, sentence in self.names.extensions.items():
            if not {"chance": chance, "hidden": hidden}[kind]:
                why = but or "isn't supported here"
                raise RulesError(f"{sentence}, which {why}; rename it if it means something else")

    @cached_property
    def _key(self) -> tuple[str, ConstantValues]:
        return self.encoding.fingerprint, tuple(self.constants.items())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GameRules) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        constants = "".join(f", {name}={value!r}" for name, value in self.constants.items())
        return f"load({self.encoding.reference!r}{constants})"


def no_game(value: object) -> BadRequest:
    """The error for a value in place of a game."""
    return BadRequest(f"give a Game, as load returns it, not {quote(value)}")


def load_rules(game: object, constants: Mapping[str, Any]) -> GameRules:
    """The rules of a game, with some constants set. Raises as ``load`` does."""
    given = read_encoding(check_text(game, "a game's name, or its path,", UnknownGame))
    encoding, values = settled(given, constants)
    return GameRules(encoding, dict(values))


def settled(encoding: Encoding, constants: Mapping[str, Any]) -> tuple[Encoding, ConstantValues]:
    """An encoding with all its constants, some set by a user. Raises ``BadConstant``.

    A rule sheet may have the constant ``goals``, which changes it: see ``gdl.kif.goal_choice``.
    """
    if encoding.is_sheet and "goals" in constants and "goals" not in encoding.constants:
        from ..gdl.kif.goal_choice import choose_goals  # few sheets need it

        encoding = choose_goals(encoding, constants["goals"])
    given = tuple((name, constant_value(value)) for name, value in constants.items())
    return encoding, settle_constants(encoding, given)
