"""Tables as files of Apache Arrow (``docs/tables.md`` has the columns)."""

import json
import math
import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np
import numpy.typing as npt

from ...asp.canonical import canonical
from ...asp.terms import Constants
from ...gdl.predicates import CHANCE
from ...propnet.value_induction import UNKNOWN
from ...runtime.call_arguments import optional_package
from ...runtime.errors import BadRequest
from ...runtime.json_lines import is_of
from .outcomes import Outcome, words_of

FORMAT = 2
"""Increases when the format changes. The first had no checksums."""

_KEY = b"aspgames.table"  # the key of the metadata: part of the file format
_SUMS = b"sums"
"""The key of a batch's metadata: the checksum of each run of rows, from that of the run before."""
_BATCH = 1 << 20  # states
RUN = 1 << 16
"""The number of rows with a checksum of their own."""


def arrow(purpose: str = "a table") -> Any:
    """Apache Arrow. Raises ``BadRequest`` if it isn't installed."""
    return optional_package("pyarrow", purpose, "aspgames[table]")


Block = tuple[npt.NDArray[np.uint8], npt.NDArray[Any]]
"""States as bytes, and their values as ``Induction`` or ``ExpectedValues`` has them."""


@dataclass(frozen=True)
class TableHeader:
    """The header of a table."""

    game: str
    """The game's name, or the path of its rules."""
    name: str
    constants: Constants
    rules: str
    """The digest of the rules."""
    start: tuple[str, ...]
    """The facts of the position from which all states are reachable."""
    roles: tuple[str, ...]
    fluents: tuple[str, ...]
    """The fluents that play can change; the first is a state's lowest bit."""
    certain: tuple[str, ...]
    """The fluents that hold in all states."""
    symmetries: tuple[tuple[int, ...], ...]
    """The image of each fluent under each symmetry. The table has the least of a state's images."""
    outcomes: tuple[Outcome, ...]
    """Each role's goal values. The number after the last outcome stands for endless play."""
    states: int
    plies: tuple[int, ...]
    """The numbers of states reachable within 0, 1, 2, … plies."""
    has_circles: bool
    longest: int
    """The most plies of best play."""
    stuck: bool
    """Whether a role has no move in a state that isn't terminal."""
    one: int
    """The denominator of expected values; 0 in a game without chance."""

    @property
    def players(self) -> tuple[str, ...]:
        """The roles with expected values."""
        return tuple(role for role in self.roles if role != CHANCE)

    @property
    def types(self) -> tuple[type[np.unsignedinteger[Any]], type[np.unsignedinteger[Any]]]:
        """The types of outcomes and of distances."""
        return (
            np.uint8 if len(self.outcomes) < 1 << 8 else np.uint16,
            np.uint8 if self.longest < 1 << 8 else np.uint16,
        )

    @property
    def state_bytes(self) -> int:
        """The size of a state [bytes]."""
        return (len(self.fluents) + 7) // 8


@dataclass(frozen=True)
class TableBatch:
    """Some states of a table, in order."""

    path: str
    states: npt.NDArray[np.uint8]
    columns: Sequence[npt.NDArray[Any]]
    """Outcomes and distances; in a game with chance, bounds as bytes, the highest first."""
    most: int | None
    """The highest number of an outcome, if there are outcomes."""
    sums: Sequence[int]
    """The checksum before the first run of rows, and that of each run; empty without checksums."""
    checked: set[int] = field(default_factory=set)
    """The runs that are sound."""

    def check(self, row: int) -> None:
        """Raise ``BadRequest`` if the run of a row is damaged."""
        run = row // RUN
        if run in self.checked:
            return
        rows = slice(run * RUN, (run + 1) * RUN)
        columns = [column[rows] for column in (self.states, *self.columns)]
        is_same = not self.sums or _sum(columns, self.sums[run]) == self.sums[run + 1]
        if not is_same or (self.most is not None and columns[1].max() > self.most):
            raise BadRequest(f"{self.path} is damaged: make the table again")
        self.checked.add(run)


def write(path: Path, about: TableHeader, blocks: Iterator[Block]) -> None:
    """Write a table, from blocks of states in order."""
    pa = arrow()
    note = json.dumps({"format": FORMAT, **{name: getattr(about, name) for name in _KINDS}})
    schema = _schema(about).with_metadata({_KEY: note})
    last = zlib.crc32(note.encode())
    with path.open("wb") as sink, pa.ipc.new_file(sink, schema) as writer:
        for states, values in _regrouped(blocks):
            columns = _columns(about, values)
            arrays = [
                pa.Array.from_buffers(kind.type, len(states), [None, pa.py_buffer(each)])
                for kind, each in zip(schema, (states, *columns), strict=True)
            ]
            sums = []
            for first in range(0, len(states), RUN):
                rows = slice(first, first + RUN)
                last = _sum([states[rows], *(column[rows] for column in columns)], last)
                sums.append(last)
            batch = pa.record_batch(arrays, schema=schema)
            writer.write_batch(batch, custom_metadata={_SUMS: json.dumps(sums)})


def _columns(about: TableHeader, values: npt.NDArray[Any]) -> list[npt.NDArray[Any]]:
    """The columns of values."""
    if about.one:
        each = values.reshape(len(values), 2 * len(about.players), -1)[:, :, ::-1].astype(">u8")
        return [np.ascontiguousarray(column).view(np.uint8) for column in each.swapaxes(0, 1)]
    unknown, (of_outcome, of_distance) = values == UNKNOWN, about.types
    outcomes = np.where(unknown, len(about.outcomes), values >> np.uint32(16))
    distances = np.where(unknown, 0, values & np.uint32(0xFFFF))
    return [outcomes.astype(of_outcome), distances.astype(of_distance)]


def _schema(about: TableHeader) -> Any:
    pa = arrow()
    kinds = [pa.binary(about.state_bytes), *map(pa.from_numpy_dtype, about.types)]
    names = ["state", "outcome", "distance"]
    if about.one:
        names[1:] = [f"{bound}_{role}" for role in about.players for bound in ("low", "high")]
        kinds[1:] = [pa.binary(8 * words_of(about.one)) for _ in names[1:]]
    return pa.schema(
        [pa.field(name, kind, nullable=False) for name, kind in zip(names, kinds, strict=True)]
    )


def _sum(columns: Sequence[npt.NDArray[Any]], before: int) -> int:
    """The checksum of some rows, from the checksum of the rows before."""
    for column in columns:
        before = zlib.crc32(column.tobytes(), before)
    return before


def _regrouped(blocks: Iterator[Block]) -> Iterator[Block]:
    """Blocks of a million states or more, so that a lookup has few blocks to search."""
    waiting: list[Block] = []
    for block in blocks:
        waiting.append(block)
        if sum(len(states) for states, _ in waiting) >= _BATCH:
            yield tuple(map(np.concatenate, zip(*waiting, strict=True)))  # type: ignore[misc]
            waiting = []
    if waiting:
        yield tuple(map(np.concatenate, zip(*waiting, strict=True)))  # type: ignore[misc]


_KINDS = get_type_hints(TableHeader)


def _about(note: Mapping[str, Any]) -> TableHeader:
    """The header in the metadata. Raises ``ValueError`` if it is malformed."""
    note = {"stuck": False, "one": 0, **note}  # which earlier tables lack
    if not all(is_of(note.get(name), kind) for name, kind in _KINDS.items()):
        raise ValueError
    found = TableHeader(**{name: _tuple(note[name]) for name in _KINDS})
    terms = (*found.fluents, *found.certain)
    if not (
        all(canonical(term) == term for term in (*found.roles, *terms))
        and len(set(terms)) == len(terms)
        and set(found.start) <= set(terms)
        and all(sorted(goes) == [*range(len(found.fluents))] for goes in found.symmetries)
        and all(len(goals) == len(found.roles) for goals in found.outcomes)
        and len(set(found.outcomes)) == len(found.outcomes)
        and found.states > 0
        and found.one >= 0
    ):
        raise ValueError
    return found


def _tuple(value: Any) -> Any:
    """A value from JSON with tuples in place of lists."""
    return tuple(map(_tuple, value)) if isinstance(value, list) else value


def read(path: str) -> tuple[TableHeader, Sequence[TableBatch]]:
    """The header and the states of a file, mapped into memory. Raises ``BadRequest``."""
    pa = arrow()
    if os.path.exists(path) and not os.path.isfile(path):  # a pipe would block
        raise BadRequest(f"{path} isn't a complete table")
    try:
        reader = pa.ipc.open_file(pa.memory_map(path))
    except FileNotFoundError:
        raise BadRequest(f"{path} can't be opened: No such file or directory") from None
    except OSError as error:
        if error.errno and not isinstance(error, pa.ArrowException):
            raise BadRequest(f"{path} can't be opened: {error.strerror or error}") from None
        raise BadRequest(f"{path} isn't a complete table") from None
    except pa.ArrowException:
        raise BadRequest(f"{path} isn't a complete table") from None
    text, note = (reader.schema.metadata or {}).get(_KEY, b"null"), None
    with suppress(ValueError, RecursionError):
        note = json.loads(text)
    if not isinstance(note, dict):
        raise BadRequest(f"{path} isn't a table of a game: another program wrote it")
    if note.get("format") not in (1, FORMAT):
        raise BadRequest(f"{path} is a table of another version of aspgames: make it again")
    parts: list[TableBatch] = []
    try:
        about = _about(note)
        if not reader.schema.equals(_schema(about)):
            raise ValueError
        last: Sequence[int] = [zlib.crc32(text)] if note["format"] == FORMAT else []
        for number in range(reader.num_record_batches):
            found = reader.get_batch_with_custom_metadata(number)
            sums = json.loads((found.custom_metadata or {}).get(_SUMS, b"[]")) if last else []
            parts.append(_part_of(path, found.batch, about, [*last, *sums]))
            last = parts[-1].sums[-1:]
    except (KeyError, TypeError, ValueError, OSError, RecursionError, pa.ArrowException):
        raise BadRequest(f"{path} isn't a complete table") from None
    if sum(len(part.states) for part in parts) != about.states:
        raise BadRequest(f"{path} isn't a complete table: states are missing")
    parts[0].check(0)  # its checksum depends on the header
    return about, parts


def _part_of(path: str, batch: Any, about: TableHeader, sums: Sequence[int]) -> TableBatch:
    """The columns of a batch. Raises ``ValueError`` if they or the checksums are incomplete."""
    if not len(batch) or (sums and len(sums) != 1 + -(-len(batch) // RUN)):
        raise ValueError
    count, columns = len(batch), list[npt.NDArray[Any]]()
    for column, kind in zip(batch.columns, batch.schema, strict=True):
        is_binary = arrow().types.is_fixed_size_binary(kind.type)
        shape = (count, kind.type.byte_width) if is_binary else (count,)
        number = np.uint8 if is_binary else kind.type.to_pandas_dtype()
        content = np.frombuffer(column.buffers()[1], number, math.prod(shape))
        columns.append(content.reshape(shape))
    most = None if about.one else len(about.outcomes)
    return TableBatch(path, columns[0], columns[1:], most, sums)
