"""Writes records of games to a file of games."""

from collections.abc import Iterable, Iterator
from itertools import chain
from os import PathLike
from typing import Any

from ...game.game import Game, chooses_jointly
from ...play.game_record import Record
from ...runtime.arguments import file_to_replace, told
from ...runtime.errors import AspgamesError, BadRequest
from ...runtime.temporary_files import unfinished
from .columns import About, arrow
from .move_columns import Numbers
from .played_games import rows_of, write_groups

_ROWS = 1 << 14  # rows written at a time


def write(path: str | PathLike[str], records: Iterable[Record]) -> int:
    """Write records to a Parquet file of the same format as ``record_games``.

    Each record is replayed. All records must be of the first record's game. A record that doesn't
    reach the end has no goals.

    Returns:
        The number of rows.

    Raises:
        BadRequest: There is no record, or the file can't be written.
        AspgamesError: As for ``Record.replay``, with the number of the game.
    """
    several = iter(records)
    first = next(several, None)
    if not isinstance(first, Record):
        raise BadRequest(f"give records of games, one at least, not {told(first)}")
    game = first.load()
    about = About.of(game, (), 0, joint=chooses_jointly(game))
    count = 0

    def groups() -> Iterator[Any]:
        nonlocal count
        for rows in _some(_rows(about, game, chain([first], several))):
            count += len(rows)
            yield arrow().Table.from_pylist(rows, schema=about.schema)

    target = file_to_replace(path, "for games")
    try:
        with unfinished(target) as part:
            with part.open("wb") as file:
                write_groups(file, about, groups())
            part.replace(target)
    except OSError as error:
        raise BadRequest(f"{target} can't be written: {error.strerror or error}") from None
    return count


def _rows(about: About, game: Game, records: Iterable[Record]) -> Iterator[dict[str, Any]]:
    numbers = Numbers(game)
    for number, record in enumerate(records):
        try:
            states = record.replay(game)
        except AspgamesError as error:
            raise type(error)(f"game {number}: {error}") from None
        joints = [state.joint(m) for state, m in zip(states, record.moves, strict=False)]
        yield from rows_of(about, number, list(zip(states, [*joints, None], strict=True)), numbers)


def _some(rows: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    found: list[dict[str, Any]] = []
    for row in rows:
        found.append(row)
        if len(found) == _ROWS:
            yield found
            found = []
    if found:
        yield found
