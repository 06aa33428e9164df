"""Files of games in Parquet as one of the formats of files; importing this module registers it."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from itertools import chain
from tempfile import TemporaryFile
from typing import IO

from ...game.game import Game
from ...play.formats.format import FileEntry, Format, Played
from ...play.formats.registry import register
from ...runtime.errors import AspgamesError, BadRecord


def _read(stream: IO[bytes], game: Game | None = None) -> Iterator[FileEntry]:
    """The games of a file; the line of an entry is the number of its game."""
    from .game_file import open_games  # few conversions need it

    number = 1
    with TemporaryFile() as copy:
        if not stream.seekable():  # the table of contents is at the end
            shutil.copyfileobj(stream, copy)
            stream = copy
            stream.seek(0)
        try:
            name = str(getattr(stream, "name", "the file"))
            for record in open_games(name, stream, game).records():
                yield FileEntry(number, record)
                number += 1
        except AspgamesError as error:
            yield FileEntry(number, error=BadRecord(str(error), number))


def _write(sink: IO[bytes], games: Iterable[Played]) -> None:
    from .played_games import write_played

    several = iter(games)
    if first := next(several, None):
        played = ((each.states, each.record.moves) for each in chain([first], several))
        write_played(sink, first.states[0].game, played)


PARQUET = register(
    Format(
        "parquet",
        (".parquet",),
        "a row for each state of a game (`pip install aspgames[data]`)",
        _read,
        _write,
    )
)
