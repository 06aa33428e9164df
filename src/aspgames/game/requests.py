"""Requests as JSON lines: what puzzle files hold and ``serve`` reads."""

from collections.abc import Callable, Mapping
from typing import Any

from ..asp.terms import shorten
from ..runtime.arguments import quote
from ..runtime.errors import BadMove, BadPosition, BadRequest, UnknownGame
from ..runtime.json_lines import JsonObject
from .game import Game
from .notation.notations import Notation, notation
from .state import State

LoadGame = Callable[[str, Mapping[str, Any]], Game]
"""Finds a game by the name that a request gives, with its constants."""


def game_of(request: JsonObject, load: LoadGame) -> Game:
    """The game that a request names. Raises ``UnknownGame``, ``BadConstant`` or ``BadRequest``."""
    name = request.get("game")
    constants = request.get("const", {})
    if name is None:
        raise BadRequest("the request names no game")
    if not isinstance(name, str):
        raise UnknownGame(f"a game's name is a text, not {str(name)[:60]}")
    if not isinstance(constants, dict):
        raise BadRequest("const must be an object of names and values")
    return load(name, constants)


def state_of(request: JsonObject, load: LoadGame) -> State:
    """The state of a request; ``startpos`` if it gives no position."""
    game = game_of(request, load)
    text = request.get("position", "startpos")
    if not isinstance(text, str):
        raise BadPosition("the position must be a text")
    return notation_of(request, game).position(text)


def notation_of(request: JsonObject, game: Game) -> Notation:
    """The notation of a request and its answer. Raises ``BadRequest``."""
    return notation(game, request.get("notation", "lp"))


def moves_of(request: JsonObject) -> list[str | dict[str, str]]:
    """The moves of a request: texts, and joint moves as objects."""
    moves = request.get("moves", [])
    if not isinstance(moves, list):
        raise BadRequest("moves must be a list")
    for move in moves:
        if not isinstance(move, str | dict):
            raise BadMove(f"a move is a text, or an object of roles and moves, not {quote(move)}")
        for role, each in move.items() if isinstance(move, dict) else ():
            if not isinstance(each, str):
                raise BadMove(f"the move of {shorten(role)} must be a text, not {quote(each)}")
    return moves
