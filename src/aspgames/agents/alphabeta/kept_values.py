"""The learned values of games: in the package, in the cache, or in a file."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from ...asp.sources import companion
from ...game.game import Game
from ...propnet.state_nets import key_of
from ...runtime import cache
from ...runtime.errors import BadRequest
from .learned_value import LearnedValue

_KIND = "value"  # of the cache's entries
_FOLDER = "values"  # beside the encodings


def kept_value(game: Game) -> LearnedValue | None:
    """The value that was learned for these rules and constants; None if there is none.

    The cache comes before the package, whose values are for the games' own constants. A damaged
    entry of the cache counts as missing.
    """
    found = cache.get(_key(game), _KIND)
    if found is not None:
        with suppress(BadRequest):
            return LearnedValue.unpack(bytes(found))
    if dict(game.constants) == dict(game.encoding.constants):
        for source in game.encoding.sources:
            path = companion(source.path, _FOLDER).with_suffix(".json")
            if source.path.stem == game.name and path.is_file():
                return read_value(str(path))
    return None


def keep_value(game: Game, value: LearnedValue) -> None:
    """Keep a value in the cache for these rules and constants."""
    cache.put(_key(game), _KIND, value.pack())


def read_value(path: str) -> LearnedValue:
    """The value in a file. Raises ``BadRequest`` with the file's name if it is damaged."""
    try:
        return LearnedValue.unpack(Path(path).read_bytes())
    except (OSError, BadRequest) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise BadRequest(f"{path}: {reason}") from None


def _key(game: Game) -> str:
    return key_of(game.rules, "value")
