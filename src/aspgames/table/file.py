"""Tables as files of Apache Arrow, and what is asked of them (docs/tables.md has the columns)."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..encoding import Constants
from ..errors import BadPosition, BadRequest
from ..game import Game
from ..move import Move
from ..optional import optional_package
from ..state import State
from .outcomes import Outcome, preferences, worth_an_end

FORMAT = 1
"""Goes up when what is in a file changes."""

_KEY = b"aspgames.table"
_BATCH = 1 << 20  # states


def arrow(purpose: str = "a table") -> Any:
    """Apache Arrow. Raises ``BadRequest`` if it isn't installed."""
    return optional_package("pyarrow", purpose, "'aspgames[table]'")


@dataclass(frozen=True)
class About:
    """What a table says of itself."""

    game: str
    """Its name, or the path of its rules."""
    name: str
    constants: Constants
    rules: str
    """The digest of the rules."""
    start: tuple[str, ...]
    """The facts of the position from which all states are reached."""
    roles: tuple[str, ...]
    fluents: tuple[str, ...]
    """Those that change: the lowest bit of a state is the first."""
    certain: tuple[str, ...]
    """Those that hold in all states."""
    symmetries: tuple[tuple[int, ...], ...]
    """Where each fluent goes: of a state's images the least stands for all."""
    outcomes: tuple[Outcome, ...]
    """Each role's goals; the number after the last stands for play without an end."""
    states: int
    plies: tuple[int, ...]
    """How many states are reached within 0, 1, 2, … plies."""
    has_circles: bool
    longest: int
    """The most plies of best play."""

    @property
    def state_bytes(self) -> int:
        """The bytes of a state."""
        return (len(self.fluents) + 7) // 8


@dataclass(frozen=True)
class Value:
    """What best play leads to from a state."""

    goals: Mapping[str, int] | None
    """Each role's goal at the end; None where play need never end."""
    distance: int | None
    """The plies until then."""


@dataclass(frozen=True)
class _Part:
    """Some states of a table, in order."""

    states: npt.NDArray[np.uint8]
    outcomes: npt.NDArray[Any]
    distances: npt.NDArray[Any]


class Table:
    """A game solved outright: the outcome and the distance of each state, looked up on disk.

    ``Table(path)`` opens a table that ``aspgames table`` has written. States are searched in the
    file as it lies on disk, so that opening takes no time, and lookups take no memory.
    """

    def __init__(self, path: str | PathLike[str], game: Game | None = None) -> None:
        """Open a file; ``game`` is the one it must be of.

        Raises ``BadRequest`` for a file that is no table, isn't whole, or is of another game or
        other rules.
        """
        self.path = fspath(path)
        self.about, self._parts = _read(self.path)
        self._firsts = [part.states[0].tobytes() for part in self._parts]
        self._starts = np.cumsum([0, *(len(part.states) for part in self._parts)]).tolist()
        self._bits = {fluent: 1 << place for place, fluent in enumerate(self.about.fluents)}
        self._certain = frozenset(self.about.certain)
        self._preferences = preferences(self.about.outcomes, len(self.about.roles))
        if game is not None:
            self.must_be_of(game)

    def must_be_of(self, game: Game) -> None:
        """Raise ``BadRequest`` if the table is of another game, or was made with other rules."""
        about = self.about
        if about.name != game.name or dict(game.constants) != dict(about.constants):
            told = f"{game.name}{_constants(game.constants)}"
            its = f"{about.name}{_constants(about.constants)}"
            raise BadRequest(f"{self.path} is a table of {its}, not of {told}")
        if about.rules != game.encoding.fingerprint:
            raise BadRequest(
                f"{self.path} was made with other rules of {about.name} than these: make it anew"
            )

    def __len__(self) -> int:
        return self.about.states

    def __contains__(self, state: State) -> bool:
        return self._find(state) is not None

    def value(self, state: State) -> Value:
        """The outcome and the distance of a state.

        Raises ``BadPosition`` for one that isn't in the table: play from its start doesn't lead
        there.
        """
        place = self._find(state)
        if place is None:
            raise BadPosition(f"{self.path} doesn't have this position: play doesn't lead there")
        return self._value(place)

    def goals(self, state: State) -> Mapping[str, int] | None:
        """Each role's goal when all play their best; None where play need never end.

        Raises ``BadPosition`` as ``value`` does.
        """
        return self.value(state).goals

    def distance(self, state: State) -> int | None:
        """The plies until the end when all play their best; None where play need never end.

        Raises ``BadPosition`` as ``value`` does.
        """
        return self.value(state).distance

    def values(self, state: State) -> list[tuple[Move, Value]]:
        """The legal moves of the role on move, each with the value of the state that it leads to.

        The best moves are first. Raises ``BadPosition`` as ``value`` does.
        """
        role = self.about.roles.index(state.to_move) if state.to_move else 0
        found = [(move, self.value(state.play(move))) for move in state.legal_moves]
        return sorted(found, key=lambda one: self._liking(role, one[1]), reverse=True)

    def best(self, state: State) -> list[Move]:
        """The moves that keep the value of a state, and its distance; none if the game is over.

        Raises ``BadPosition`` as ``value`` does.
        """
        role = self.about.roles.index(state.to_move) if state.to_move else 0
        found = self.values(state)
        return [m for m, v in found if self._liking(role, v) == self._liking(role, found[0][1])]

    def follows(self, role: int | None, values: Sequence[Value]) -> Value:
        """The value of a state with a choice of a role among some values; None: nobody's."""
        if role is None:
            return _one_ply_more(values[0])
        found = max(values, key=lambda value: self._liking(role, value))
        open_ended = any(value.goals is None for value in values)
        if open_ended and found.goals is not None and not self._is_worth_an_end(role, found):
            return Value(None, None)
        return _one_ply_more(found)

    def facts(self, place: int) -> tuple[str, ...]:
        """The facts of the state in a place, from 0 on, sorted."""
        part, within = self._part(place)
        bits = int.from_bytes(part.states[within].tobytes(), "big")
        held = [fluent for fluent, bit in self._bits.items() if bits & bit]
        return tuple(sorted([*held, *self.about.certain]))

    def value_at(self, place: int) -> Value:
        """The value of the state in a place."""
        return self._value(place)

    def parts(self) -> Iterator[tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint32]]]:
        """All states as bytes, and their outcomes and distances as ``engine.induction.Values``."""
        for part in self._parts:
            outcomes = part.outcomes.astype(np.uint32)
            values = outcomes << np.uint32(16) | part.distances.astype(np.uint32)
            values[outcomes == len(self.about.outcomes)] = np.uint32(2**32 - 1)
            yield part.states, values

    def _part(self, place: int) -> tuple[_Part, int]:
        number = bisect_right(self._starts, place) - 1
        return self._parts[number], place - self._starts[number]

    def _value(self, place: int) -> Value:
        part, within = self._part(place)
        outcome = int(part.outcomes[within])
        if outcome == len(self.about.outcomes):
            return Value(None, None)
        goals = dict(zip(self.about.roles, self.about.outcomes[outcome], strict=True))
        return Value(goals, int(part.distances[within]))

    def _find(self, state: State) -> int | None:
        """The place of a state, by binary search."""
        bits, certain = 0, 0
        for fact in state.facts:
            bit = self._bits.get(fact)
            if bit is None:
                if fact not in self._certain:
                    return None
                certain += 1
            else:
                bits |= bit
        if certain < len(self._certain):
            return None
        key = self._least(bits).to_bytes(self.about.state_bytes, "big")
        number = bisect_right(self._firsts, key) - 1
        if number < 0:
            return None
        states = self._parts[number].states
        low, high = 0, len(states)
        while low < high:
            middle = (low + high) // 2
            if states[middle].tobytes() < key:
                low = middle + 1
            else:
                high = middle
        if low == len(states) or states[low].tobytes() != key:
            return None
        return int(self._starts[number]) + low

    def _least(self, bits: int) -> int:
        """The least of a state's images."""
        held = [place for place in range(len(self._bits)) if bits >> place & 1]
        images = (sum(1 << goes[place] for place in held) for goes in self.about.symmetries)
        return min((bits, *images))

    def _is_worth_an_end(self, role: int, value: Value) -> bool:
        outcome = self.about.outcomes.index(tuple((value.goals or {}).values()))
        return bool(worth_an_end(self.about.outcomes, len(self.about.roles))[role, outcome])

    def _liking(self, role: int, value: Value) -> tuple[float, ...]:
        """The higher, the better for a role."""
        if value.goals is None or value.distance is None:
            even = [n for n, goals in enumerate(self.about.outcomes) if goals[role] == max(goals)]
            ranks = self._preferences.ranks[role]
            return (min((int(ranks[n]) for n in even), default=-1) - 0.5, 0)
        outcome = self.about.outcomes.index(tuple(value.goals.values()))
        hurries = self._preferences.hurry[role, outcome]
        return (
            float(self._preferences.ranks[role, outcome]),
            -value.distance if hurries else value.distance,
            -outcome,
        )


def _one_ply_more(value: Value) -> Value:
    return Value(value.goals, None if value.distance is None else value.distance + 1)


def write(
    path: Path,
    about: About,
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
    """Blocks of a million states and more, so that there are few to search among."""
    waiting: list[tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint32]]] = []
    for block in blocks:
        waiting.append(block)
        if sum(len(states) for states, _ in waiting) >= _BATCH:
            yield tuple(map(np.concatenate, zip(*waiting, strict=True)))  # type: ignore[misc]
            waiting = []
    if waiting:
        yield tuple(map(np.concatenate, zip(*waiting, strict=True)))  # type: ignore[misc]


def _note(about: About) -> dict[str, Any]:
    return {"format": FORMAT, **{name: getattr(about, name) for name in _FIELDS}}


_FIELDS = tuple(About.__dataclass_fields__)


def _about(note: Mapping[str, Any]) -> About:
    found = {name: note[name] for name in _FIELDS}
    for name in ("start", "roles", "fluents", "certain", "plies"):
        found[name] = tuple(found[name])
    for name in ("symmetries", "outcomes"):
        found[name] = tuple(tuple(each) for each in found[name])
    return About(**found)


def _read(path: str) -> tuple[About, Sequence[_Part]]:
    """What is in a file, which is not read but mapped into memory. Raises ``BadRequest``."""
    pa = arrow()
    try:
        reader = pa.ipc.open_file(pa.memory_map(path))
    except FileNotFoundError:
        raise BadRequest(f"{path} can't be opened: No such file or directory") from None
    except OSError as error:
        if error.errno and not isinstance(error, pa.ArrowException):
            raise BadRequest(f"{path} can't be opened: {error.strerror or error}") from None
        raise BadRequest(f"{path} is no table, or not whole") from None
    except pa.ArrowException:
        raise BadRequest(f"{path} is no table, or not whole") from None
    note = None
    with suppress(ValueError):
        note = json.loads((reader.schema.metadata or {}).get(_KEY, b"null"))
    if not isinstance(note, dict):
        raise BadRequest(f"{path} is no table of a game: another program has written it")
    if note.get("format") != FORMAT:
        raise BadRequest(f"{path} is a table of another version of aspgames: make it anew")
    try:
        about = _about(note)
        batches = [reader.get_batch(number) for number in range(reader.num_record_batches)]
        parts = [_part_of(batch, about) for batch in batches if len(batch)]
    except (KeyError, TypeError, ValueError, OSError, pa.ArrowException):
        raise BadRequest(f"{path} is no table, or not whole") from None
    if sum(len(part.states) for part in parts) != about.states:
        raise BadRequest(f"{path} isn't whole: it lacks states")
    return about, parts


def _part_of(batch: Any, about: About) -> _Part:
    def column(name: str, kind: npt.DTypeLike) -> npt.NDArray[Any]:
        array = batch.column(name)
        return np.frombuffer(array.buffers()[1], kind)

    size = about.state_bytes
    states = column("state", np.uint8)[: len(batch) * size].reshape(len(batch), size)
    outcomes = batch.column("outcome").to_numpy()
    return _Part(states, outcomes, batch.column("distance").to_numpy())


def _constants(constants: Constants) -> str:
    told = ", ".join(f"{name}={value}" for name, value in constants.items())
    return f" ({told})" if told else ""
