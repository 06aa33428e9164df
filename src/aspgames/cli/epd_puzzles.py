"""Puzzles in EPD, read as the JSON lines of ``solve --puzzles``."""

from __future__ import annotations

import io
from typing import IO

from ..game.game import Game
from ..play.formats.format import usual_game
from ..play.formats.position_lines import EPD, parse_epd
from ..play.game_record import changed_constants
from ..puzzle.question import others
from ..runtime.errors import AspgamesError, BadRequest, one_line
from ..runtime.json_lines import JsonObject, encode

_NOT_ECHOED = ("error", "notation", "stipulation")


def epd_puzzle(game: Game, line: str) -> JsonObject:
    """The puzzle of a line: mate in ``dm`` moves, with ``bm`` as its keys.

    A negative ``dm`` is a mate by the other side, and 0 one that stands already, as in UCI. Without
    ``dm``, any mate counts. Raises ``AspgamesError``.
    """
    position, given = parse_epd(line)
    state = game.position(position)
    attacker, answer, found = state.to_move, JsonObject(), JsonObject()
    if "dm" in given:
        try:
            turns = int(given["dm"])
        except ValueError:
            raise BadRequest(f"dm {given['dm'][:60]}: the number of moves is missing") from None
        if turns <= 0:
            (attacker,) = others(game.roles, attacker)
        found["within"] = abs(turns)
        answer |= {"verdict": "forced", "distance": abs(turns)}
    if "bm" in given and attacker == state.to_move:
        joint = [state.joint(move) for move in given["bm"].replace(",", " ").split()]
        answer["keys"] = sorted({moves[state.to_move or ""] for moves in joint})
    return {
        **{name: text for name, text in given.items() if name not in _NOT_ECHOED},
        "game": game.encoding.reference,
        "const": changed_constants(game),
        "position": position,
        "attacker": attacker,
        "goal": "win",
        **found,
        "answer": answer,
    }


class EpdPuzzles(io.RawIOBase):
    """A file of EPD as JSON lines; blank lines and comments are blank lines."""

    def __init__(self, stream: IO[bytes], game: Game | None = None) -> None:
        """Read from a stream. The game is chess unless given. Raises ``BadRequest``."""
        self._stream, self._game = stream, game or usual_game(EPD.name)
        if not EPD.fits(self._game):
            raise BadRequest(f"EPD is a format of {EPD.games}, not of {self._game.name}")

    def readline(self, size: int | None = -1, /) -> bytes:
        """The next line; a part of one that is longer than ``size``."""
        given = self._stream.readline(-1 if size is None else size)
        line = given.decode("utf-8", "replace").strip()
        if not line or line.startswith("#"):
            return b"\n" if given else b""
        if given.endswith(b"\n") or len(given) != size:
            try:
                puzzle = epd_puzzle(self._game, line)
            except AspgamesError as error:
                puzzle = {"error": one_line(str(error))}
            return encode(puzzle).encode() + b"\n"
        return given

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Go to the beginning."""
        return self._stream.seek(offset, whence)

    def close(self) -> None:
        """Close the file."""
        self._stream.close()
        super().close()
