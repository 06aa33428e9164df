"""Tables as files of Apache Arrow (``docs/tables.md`` has the columns)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ...asp.terms import Constants
from ...runtime.errors import BadRequest
from ...runtime.optional_imports import optional_package
from .outcomes import Outcome

FORMAT = 1
"""Increases when the format changes."""

_KEY = b"aspgames.table"
"""The key of the metadata: part of the file format."""
_BATCH = 1 << 20  # states


def arrow(purpose: str = "a table") -> Any:
    """Apache Arrow. Raises ``BadRequest`` if it isn't installed."""
    return optional_package("pyarrow", purpose, "aspgames[table]")


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

    @property
    def state_bytes(self) -> int:
        """The size of a state [bytes]."""
        return (len(self.fluents) + 7) // 8


@dataclass(frozen=True)
class TableBatch:
    """Some states of a table, in order."""

    states: npt.NDArray[np.uint8]
    outcomes: npt.NDArray[Any]
    distances: npt.NDArray[Any]


def write(
    path: Path,
    about: TableHeader,
    blocks: Iterator[tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint32]]],
) -> None:
    """Write a table: blocks of states in order, as bytes, with their values."""
    pa = arrow()
    endless = len(about.outcomes)
    of_outcome = np.uint8 if endless < 1 << 8 else np.uint16
    of_distance = np.uint8 if about.longest < 1 << 8 else np.uint16
    schema = pa.schema(
        [
            pa.field("state", pa.binary(about.state_bytes), nullable=False),
            pa.field("outcome", pa.from_numpy_dtype(of_outcome), nullable=False),
            pa.field("distance", pa.from_numpy_dtype(of_distance), nullable=False),
        ],
        metadata={_KEY: json.dumps(_note(about))},
    )
    with path.open("wb") as sink, pa.ipc.new_file(sink, schema) as writer:
        for states, values in _regrouped(blocks):
            unknown = values == np.uint32(2**32 - 1)
            outcomes = np.where(unknown, endless, values >> np.uint32(16)).astype(of_outcome)
            distances = np.where(unknown, 0, values & np.uint32(0xFFFF)).astype(of_distance)
            column = pa.FixedSizeBinaryArray.from_buffers(
                pa.binary(about.state_bytes), len(states), [None, pa.py_buffer(states)]
            )
            arrays = [column, pa.array(outcomes), pa.array(distances)]
            writer.write_batch(pa.record_batch(arrays, schema=schema))


def _regrouped(
    blocks: Iterator[tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint32]]],
) -> Iterator[tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint32]]]:
    """Blocks of a million states or more, so that a lookup has few blocks to search."""
    waiting: list[tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint32]]] = []
    for block in blocks:
        waiting.append(block)
        if sum(len(states) for states, _ in waiting) >= _BATCH:
            yield tuple(map(np.concatenate, zip(*waiting, strict=True)))  # type: ignore[misc]
            waiting = []
    if waiting:
        yield tuple(map(np.concatenate, zip(*waiting, strict=True)))  # type: ignore[misc]


def _note(about: TableHeader) -> dict[str, Any]:
    return {"format": FORMAT, **{name: getattr(about, name) for name in _FIELDS}}


_FIELDS = tuple(TableHeader.__dataclass_fields__)


def _about(note: Mapping[str, Any]) -> TableHeader:
    found = {name: note[name] for name in _FIELDS}
    for name in ("start", "roles", "fluents", "certain", "plies"):
        found[name] = tuple(found[name])
    for name in ("symmetries", "outcomes"):
        found[name] = tuple(tuple(each) for each in found[name])
    return TableHeader(**found)


def read(path: str) -> tuple[TableHeader, Sequence[TableBatch]]:
    """The header and the states of a file, mapped into memory. Raises ``BadRequest``."""
    pa = arrow()
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
    note = None
    with suppress(ValueError):
        note = json.loads((reader.schema.metadata or {}).get(_KEY, b"null"))
    if not isinstance(note, dict):
        raise BadRequest(f"{path} isn't a table of a game: another program wrote it")
    if note.get("format") != FORMAT:
        raise BadRequest(f"{path} is a table of another version of aspgames: make it again")
    try:
        about = _about(note)
        batches = [reader.get_batch(number) for number in range(reader.num_record_batches)]
        parts = [_part_of(batch, about) for batch in batches if len(batch)]
    except (KeyError, TypeError, ValueError, OSError, pa.ArrowException):
        raise BadRequest(f"{path} isn't a complete table") from None
    if sum(len(part.states) for part in parts) != about.states:
        raise BadRequest(f"{path} isn't a complete table: states are missing")
    return about, parts


def _part_of(batch: Any, about: TableHeader) -> TableBatch:
    def column(name: str, kind: npt.DTypeLike) -> npt.NDArray[Any]:
        array = batch.column(name)
        return np.frombuffer(array.buffers()[1], kind)

    size = about.state_bytes
    states = column("state", np.uint8)[: len(batch) * size].reshape(len(batch), size)
    outcomes = batch.column("outcome").to_numpy()
    return TableBatch(states, outcomes, batch.column("distance").to_numpy())
