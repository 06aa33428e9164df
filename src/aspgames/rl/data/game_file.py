"""Reads files of games: positions row by row, and games as records."""

import os
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate
from os import PathLike, fspath
from typing import Any

from ...game.game import Game
from ...game.state import State
from ...play.game_record import Record, changed_constants
from ...runtime.arguments import quote
from ...runtime.call_arguments import whole_number
from ...runtime.errors import BadPosition, BadRequest
from .columns import KEY, About, arrow

_ROWS = 1 << 14  # rows read at a time


class GamesFile:
    """A file of games, or any other Parquet file with a column ``position``.

    ``len`` is its number of rows; ``file[3]`` is the state of the fourth row.
    """

    def __init__(self, path: str, file: Any, about: About | None, game: Game | None) -> None:
        self.path = path
        self.about = about
        """The description; None if another program has written the file."""
        self._file, self._game = file, game
        groups = range(file.metadata.num_row_groups)
        self._ends = list(accumulate(file.metadata.row_group(group).num_rows for group in groups))

    @cached_property
    def game(self) -> Game:
        """The game. Raises the same as ``load``, and ``BadRequest`` if the file names no game."""
        if self._game is not None:
            return self._game
        if self.about is None:
            raise BadRequest(f"{self.path} doesn't say of which game it is: give the game")
        try:
            return self.about.load()
        except BadRequest as error:
            raise BadRequest(f"{self.path}: {error}") from None

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __getitem__(self, row: int) -> State:
        """The position of a row. Raises ``BadRequest`` and ``BadPosition``."""
        text = self.text(row)
        return self._state(row % len(self), text)

    def text(self, row: int) -> str:
        """The position of a row as text. Raises ``BadRequest`` and ``BadPosition``."""
        row = whole_number(row, "a row's number")
        if not -len(self) <= row < len(self):
            raise IndexError(f"{self.path} has no row {row}: it has {len(self)} rows")
        row %= len(self)
        group = bisect_right(self._ends, row)
        place = row - (self._ends[group - 1] if group else 0)
        (column,) = self._read(self._file.read_row_group, group, columns=["position"]).columns
        return self._is_text(row, column[place].as_py())

    def __iter__(self) -> Iterator[State]:
        """The positions of all rows, in order; repeated positions are cached."""
        row, known = 0, dict[str, State]()
        for (texts,) in self._columns("position"):
            if len(known) > _ROWS:
                known.clear()
            for text in texts:
                if text not in known:
                    known[text] = self._state(row, text)
                yield known[text]
                row += 1

    def records(self) -> Iterator[Record]:
        """The games, in the order of the file; the rows of each game must be consecutive.

        Raises ``BadRequest``, with the row, if they are not. It doesn't check that moves are legal:
        ``Record.replay`` does.
        """
        goals = [f"goal_{role}" for role in self.game.roles]
        rows: list[tuple[Any, ...]] = []
        number = 0
        for columns in self._columns("game", "ply", "position", "move", *goals):
            for row in zip(*columns, strict=True):
                if rows and row[0] != rows[0][0]:
                    yield self._record(rows, number - len(rows))
                    rows = []
                rows.append(row)
                number += 1
        if rows:
            yield self._record(rows, number - len(rows))

    def _record(self, rows: list[tuple[Any, ...]], first: int) -> Record:
        for place, (_, ply, _, move, *_) in enumerate(rows):
            if ply != place:
                raise BadRequest(f"{self.path}: row {first + place} isn't ply {place} of its game")
            if (move is None) != (place == len(rows) - 1):
                wrong = "lacks a move" if move is None else "has the game's last move, and no end"
                raise BadRequest(f"{self.path}: row {first + place} {wrong}")
        _, _, position, _, *goals = rows[0]
        state = self._state(first, position)
        last = self._state(first + len(rows) - 1, rows[-1][2])
        is_over = last.is_terminal and None not in goals  # else some role has no move
        players = self.about.players if self.about else None
        return Record(
            game=self.game.encoding.reference,
            moves=tuple(row[3] for row in rows[:-1]),
            constants=changed_constants(self.game),
            position="startpos" if state == self.game.initial else position,
            goals=dict(zip(self.game.roles, goals, strict=True)) if is_over else None,
            players=dict(players or {}),
        )

    def _is_text(self, row: int, value: object) -> str:
        if not isinstance(value, str):
            raise BadPosition(f"{self.path}, row {row}: a position is a text, not {quote(value)}")
        return value

    def _state(self, row: int, value: object) -> State:
        text = self._is_text(row, value)
        try:
            return self.game.position(text)
        except BadPosition as error:
            raise BadPosition(f"{self.path}, row {row}: {error}") from None

    def _columns(self, *names: str) -> Iterator[list[list[Any]]]:
        there = set(self._file.schema_arrow.names)
        if missing := [name for name in names if name not in there]:
            raise BadRequest(f"{self.path} has no column {missing[0]}")
        batches = self._file.iter_batches(_ROWS, columns=list(names))
        while (batch := self._read(next, batches, None)) is not None:
            yield [batch.column(name).to_pylist() for name in names]

    def _read(self, function: Any, *arguments: Any, **named: Any) -> Any:
        """Call a function that reads the file. Raises ``BadRequest`` if the file is damaged."""
        try:
            return function(*arguments, **named)
        except (OSError, arrow().ArrowException):
            raise BadRequest(f"{self.path} can't be read to its end: it is damaged") from None


def read(path: str | PathLike[str], game: Game | None = None) -> GamesFile:
    """Open a file of games; rows are read when needed.

    Args:
        path: The file.
        game: The game of the file; by default the game that the file names.

    Raises:
        BadRequest: The file can't be read, isn't a complete Parquet file, has no text column
            ``position``, or belongs to another game.
    """
    pa, name = arrow(), fspath(path)
    try:
        source = pa.OSFile(os.fsencode(name))  # Arrow encodes a str as UTF-8
    except OSError as error:
        raise BadRequest(f"{name} can't be opened: {os.strerror(error.errno or 0)}") from None
    return open_games(name, source, game)


def open_games(name: str, source: Any, game: Game | None = None) -> GamesFile:
    """Open a file of games by its open file; see ``read``."""
    pa, pq = arrow(), arrow("pyarrow.parquet")
    try:
        file = pq.ParquetFile(source)
    except (OSError, pa.ArrowException) as error:
        if isinstance(error, OSError) and error.errno:
            raise BadRequest(f"{name} can't be opened: {os.strerror(error.errno)}") from None
        raise BadRequest(f"{name} is no Parquet file, or not whole") from None
    schema = file.schema_arrow
    if "position" not in schema.names:
        raise BadRequest(f"{name} has no column position")
    kind = schema.field("position").type
    if pa.types.is_dictionary(kind):  # pandas' category, polars' Categorical
        kind = kind.value_type
    texts = pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view
    if not any(is_text(kind) for is_text in texts):
        raise BadRequest(f"{name}: the column position has {kind}, not texts")
    about, metadata = None, file.metadata.metadata or {}
    try:
        if KEY in metadata:
            about = About.read(metadata)
        if about and game:
            about.check(game)
    except BadRequest as error:
        raise BadRequest(f"{name}: {error}") from None
    return GamesFile(name, file, about, game)
