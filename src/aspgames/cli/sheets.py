"""Rules of games in the form of General Game Playing messages."""

from __future__ import annotations

from pathlib import Path

from ..agents.ggp.messages import read_rules
from ..game.game import Game, game_of_encoding
from ..game.loading import load_game
from ..gdl.encoding import encoding_of_text, read_encoding
from ..gdl.kif.sheet_encoding import text_of
from .parameters import read_constants


def read_rules_of(name: str, constants: tuple[str, ...] = ()) -> str:
    """The rules of a game for a message: the text of a sheet, or the export of another game."""
    if not name.endswith(".kif"):
        from ..game.kif_export.rule_sheet import sheet_of_game  # few games need it

        game = load_game(name, read_constants(constants))
        game.refuse_unsupported()  # names the line of this file, not of the exported sheet
        return read_rules(sheet_of_game(game))
    read_encoding(name)  # reports errors with their place in the file
    return read_rules(text_of(Path(name)))


def read_game_and_rules(name: str, constants: tuple[str, ...]) -> tuple[Game, str]:
    """A game made from the rules of its message, and those rules."""
    rules = read_rules_of(name, constants)
    if name.endswith(".kif"):
        return load_game(name, read_constants(constants)), rules
    return game_of_encoding(encoding_of_text(rules), {}), rules
