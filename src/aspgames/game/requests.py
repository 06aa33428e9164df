"""Requests as JSON lines: what puzzle files hold and ``serve`` reads."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from typing import IO, TYPE_CHECKING, Any

from ..asp.terms import shorten
from ..runtime.arguments import told
from ..runtime.errors import BadJson, BadMove, BadPosition, BadRequest, LimitReached, UnknownGame
from ..runtime.reports import JsonObject
from .game import Game
from .notation.notations import Notation, notation

if TYPE_CHECKING:
    from ..puzzle.problem import Puzzle
    from .game import State

LoadGame = Callable[[str, Mapping[str, Any]], Game]
"""Finds a game by the name that a request gives, with its constants."""

_LONGEST_LINE = 1 << 21  # bytes; clingo keeps what it has seen, so this is refused before


def read_lines(stream: IO[bytes]) -> Iterator[bytes | None]:
    """The lines of a stream as they arrive; None for one that is too long to be read."""
    while line := stream.readline(_LONGEST_LINE):
        if len(line) < _LONGEST_LINE or line.endswith(b"\n"):
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(_LONGEST_LINE)
        yield None


def decode(line: bytes | None) -> JsonObject:
    """The JSON object of a line. Raises ``BadJson``, or ``LimitReached`` for a line too long."""
    if line is None:
        raise LimitReached(f"the line is longer than {_LONGEST_LINE} bytes")
    try:
        found = json.loads(line.decode(), parse_constant=_refuse, parse_float=_number)
    except UnicodeDecodeError as error:
        raise BadJson(f"the line is not UTF-8 text (byte {error.start + 1})") from None
    except ValueError as error:
        raise BadJson(f"the line is no JSON: {error}") from None
    except RecursionError:
        raise BadJson("the line nests too deeply") from None
    if not isinstance(found, dict):
        raise BadJson("the line is JSON, but no object")
    return found


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is none")


def _number(text: str) -> float | str:
    """A number; one too large stays a text, since an answer that echoes infinity is no JSON."""
    number = float(text)
    return number if math.isfinite(number) else text


def encode(answer: Any) -> str:
    """An answer as one line of JSON."""
    return json.dumps(answer)


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
    """The position that a request gives, ``startpos`` unless it says otherwise."""
    game = game_of(request, load)
    text = request.get("position", "startpos")
    if not isinstance(text, str):
        raise BadPosition("the position must be a text")
    return notation_of(request, game).position(text)


def notation_of(request: JsonObject, game: Game) -> Notation:
    """How a request and its answer are written. Raises ``BadRequest``."""
    return notation(game, request.get("notation", "lp"))


def moves_of(request: JsonObject) -> list[str | dict[str, str]]:
    """The moves that a request wants to be played: texts, and joint moves as objects."""
    moves = request.get("moves", [])
    if not isinstance(moves, list):
        raise BadRequest("moves must be a list")
    for move in moves:
        if not isinstance(move, str | dict):
            raise BadMove(f"a move is a text, or an object of roles and moves, not {told(move)}")
        for role, each in move.items() if isinstance(move, dict) else ():
            if not isinstance(each, str):
                raise BadMove(f"the move of {shorten(role)} must be a text, not {told(each)}")
    return moves


def puzzle_of(request: JsonObject, load: LoadGame) -> Puzzle:
    """The puzzle that a request puts. Whether sides take turns in its game is not asked yet."""
    from ..puzzle.problem import Puzzle  # most requests put none

    for key in ("game", "position", "attacker", "goal"):
        if key not in request:
            raise BadRequest(f"the puzzle has no {key!r}")
    state = state_of(request, load)
    attacker = request["attacker"]
    if isinstance(attacker, str):
        attacker = notation_of(request, state.game).term(attacker)
    return Puzzle.read(state, attacker, request["goal"], request.get("within"))
