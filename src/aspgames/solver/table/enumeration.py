"""All reachable states, breadth first, each once.

States get numbers in the order of their discovery. A set in memory detects duplicates. When it is
full, its states go to disk in sorted runs. At the end of each ply, later states are compared with
the runs, and duplicates lose their new numbers (delayed duplicate detection, Korf 2003).
"""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ...propnet.lanes import Ints
from ...propnet.mean_values import RollGraph
from ...propnet.state_set import StateSet
from ...propnet.successors import ENDED, Families, Successors
from ...propnet.value_induction import UNKNOWN
from ...runtime.budget import Budget
from ...runtime.errors import Interrupted, LimitReached
from ...runtime.workers.work_folder import WorkFolder
from .sorted_runs import PIECE, Growing, Keys, Numbers, Run, key_type, merged, sort, write_run

CHUNK = 1 << 15
"""States that each thread expands together."""
_MOST_STATES = 2**32 - 2
_MOST_OUTCOMES = 65535
NOTED = 10.0  # seconds between two notes of the progress
_SORTING_BYTES = 64  # the most bytes for each state while sorting
_ROWS_READ = 1 << 20  # states copied at a time

Progress = Callable[[int, int], None]
"""Takes the numbers of states found and states expanded."""


@dataclass
class EnumerationProgress:
    """The progress of an enumeration."""

    found: int = 0
    expanded: int = 0
    """The number of states with known successors."""
    edges: int = 0
    plies: list[int] = field(default_factory=list)
    """The numbers of states reachable within 0, 1, 2, … plies, for each complete ply."""
    outcomes: list[list[int]] = field(default_factory=list)
    in_runs: int = 0
    """The number of first states that are in runs on disk, not in the set."""
    runs: list[tuple[str, int]] = field(default_factory=list)
    written: int = 0
    tail: tuple[int, int, int, int] | None = None
    """The replacement for the last ply's states and edges: see ``_apply``."""
    seconds: float = 0.0
    is_whole: bool = False
    """Whether all states are found."""
    stuck: int = 0
    """1 more than the number of a state that isn't terminal, in which a role has no move."""


class Arrays:
    """The data of all states by number, in files."""

    def __init__(self, work: WorkFolder, words: int) -> None:
        folder = work.folder
        self.rows = Growing(folder / "rows", np.uint64, words)
        self.movers = Growing(folder / "movers", np.uint8)
        self.degrees = Growing(folder / "degrees", np.uint16)
        self.values = Growing(folder / "values", np.uint32)
        """65536 times the outcome's number if the game is over, else ``UNKNOWN``."""
        self.edges = Growing(folder / "edges", np.uint32)
        """The successors, state after state."""
        self.weights = Growing(folder / "weights", np.uint32)
        """The chances of the successors, in a game with ``weight/2``."""

    def cut(self, note: EnumerationProgress) -> bool:
        """Cut the files to the noted lengths; returns whether they were long enough."""
        of_expanded = [
            array.cut(note.expanded) for array in (self.movers, self.degrees, self.values)
        ]
        self.weights.cut(note.edges)
        return all([self.rows.cut(note.found), self.edges.cut(note.edges), *of_expanded])

    def close(self) -> None:
        """Close the files."""
        for array in (self.rows, self.movers, self.degrees, self.values, self.edges, self.weights):
            array.close()


class Enumeration:
    """Finds all states."""

    def __init__(
        self,
        work: WorkFolder,
        successors: Successors,
        start: npt.NDArray[np.uint64],
        kept: dict[str, Any],
        most_bytes: float,
        threads: int,
    ) -> None:
        """``start`` is the first state's row, ``kept`` an earlier run's note, or empty."""
        self._work, self._successors, self._threads = work, successors, threads
        self._words, self._most_bytes = start.shape[1], most_bytes
        self.kind = key_type(self._words)
        """The type of sorted keys."""
        self._piece = min(PIECE, max(1 << 10, int(most_bytes / _SORTING_BYTES)))
        self.note = EnumerationProgress(**kept)
        self.arrays = Arrays(work, self._words)
        self._set = StateSet(self._words, threads)
        if self.note.tail:
            self._apply(self.note.tail)
        whole = self.arrays.cut(self.note)
        if not whole or any(not self._run(*run).files[0].exists() for run in self.note.runs):
            self.note = EnumerationProgress()
            self.arrays.cut(self.note)
        self._runs = [self._run(*run) for run in self.note.runs]
        if not self.note.found:
            self._add([start])
            self.note.plies = [1]
        elif not self.note.is_whole:
            self._fill_set()

    def run(self, budget: Budget, progress: Progress) -> None:
        """Find all states. Raises the errors of ``Successors.of`` and ``Budget.check``."""
        begun, before, note = time.monotonic(), self.note.seconds, self.note
        if note.is_whole:
            return
        noted = begun
        self._budget = budget
        try:
            while note.expanded < note.plies[-1] or self._begin_ply():
                budget.check()
                self._expand(min(note.plies[-1], note.expanded + CHUNK * self._threads))
                progress(note.found, note.expanded)
                note.seconds = before + time.monotonic() - begun
                if time.monotonic() - noted > NOTED:
                    self._keep()
                    noted = time.monotonic()
        except (OSError, LimitReached, Interrupted):
            with suppress(OSError):
                self._keep()
            raise
        note.is_whole = True
        self._keep()
        self._set.clear()

    def graph(self, weighted: bool, roller: int, most: float = math.inf) -> tuple[RollGraph, Ints]:
        """The expanded states, at most ``most``, and the goal values where the game is over.

        If there are further states, one more state stands for all of them.
        """
        note, arrays = self.note, self.arrays
        count = int(min(note.expanded, most))
        movers, degrees, values = (
            each.read(0, count) for each in (arrays.movers, arrays.degrees, arrays.values)
        )
        moves = int(degrees.sum(dtype=np.int64))
        edges = arrays.edges.read(0, moves)
        weights = arrays.weights.read(0, moves) if weighted else None
        is_part = count < note.found
        graph = RollGraph(movers, degrees, edges, weights, roller, is_part)
        if is_part:
            values = np.append(values, np.uint32(UNKNOWN))
        none = [0] * len(self._successors.tables.names.roles)
        outcomes = np.array([*note.outcomes, none], np.int32)
        return graph, outcomes[np.minimum(values >> np.uint32(16), len(note.outcomes))]

    def sorted_pieces(self, name: str) -> Iterator[Run]:
        """All states with their numbers, in sorted runs."""
        for place, first in enumerate(range(0, self.note.found, self._piece)):
            end = min(first + self._piece, self.note.found)
            rows = self.arrays.rows.read(first, end)
            yield sort(self._work.folder / f"{name}{place}", rows, _numbers(first, end))

    def _begin_ply(self) -> bool:
        """End a ply; returns whether it found new states."""
        if self._runs and self.note.found > self.note.plies[-1]:
            self._give_up_doubles()
        if self.note.found == self.note.plies[-1]:
            return False
        self.note.plies.append(self.note.found)
        return True

    def _keep(self) -> None:
        self.note.runs = [(run.stem.name, run.count) for run in self._runs]
        self._work.keep(enumeration=asdict(self.note))

    def _run(self, name: str, count: int) -> Run:
        return Run(self._work.folder / name, count)

    def _fill_set(self) -> None:
        """Put the states that are not in runs into the set."""
        for first in range(self.note.in_runs, self.note.found, _ROWS_READ):
            end = min(first + _ROWS_READ, self.note.found)
            if len(self._set) and self._set.bytes_with(end - first) > self._most_bytes:
                self._spill()  # the earlier run had more memory
            self._set.add([self.arrays.rows.read(first, end)])

    def _expand(self, end: int) -> None:
        """Find the successors of the next states, up to a number."""
        first, note, arrays = self.note.expanded, self.note, self.arrays
        families = self._successors.of(arrays.rows.read(first, end))
        parts = self._add(families.parts)
        numbers = np.concatenate(parts)
        if families.order is not None:
            numbers = numbers[families.order]
        arrays.movers.write(first, families.movers)
        arrays.degrees.write(first, families.degrees)
        arrays.values.write(first, self._values(families))
        arrays.edges.write(note.edges, numbers)
        if families.weights is not None:
            arrays.weights.write(note.edges, families.weights)
        note.edges += len(numbers)
        note.expanded = end
        for place in families.stuck[:1]:
            note.stuck = note.stuck or first + int(place) + 1

    def _add(self, parts: list[npt.NDArray[np.uint64]]) -> list[Numbers]:
        """Number states, and write the new ones."""
        more, note = sum(map(len, parts)), self.note
        if len(self._set) and self._set.bytes_with(more) > self._most_bytes:
            self._spill()
        before = len(self._set)
        parts = [np.ascontiguousarray(part) for part in parts]
        found = self._set.add(parts)
        fresh = len(self._set) - before
        if note.found + fresh > _MOST_STATES:
            raise LimitReached(f"there are more than {_MOST_STATES:,} states: too many for a table")
        for first in range(before, before + fresh, _ROWS_READ):
            end = min(first + _ROWS_READ, before + fresh)
            self.arrays.rows.write(note.in_runs + first, self._set.rows(first, end))
        note.found += fresh
        return [part + np.uint32(note.in_runs) for part in found] if note.in_runs else found

    def _values(self, families: Families) -> npt.NDArray[np.uint32]:
        """The values of the states where the game is over."""
        values = np.full(len(families.movers), UNKNOWN, np.uint32)
        ended = np.flatnonzero(families.movers == ENDED)
        if not len(ended):
            return values
        goals, inverse = _distinct(families.goals[ended])
        known = self.note.outcomes
        for outcome in goals:
            if outcome not in known:
                if len(known) == _MOST_OUTCOMES:
                    raise LimitReached(f"there are more than {_MOST_OUTCOMES:,} outcomes")
                known.append(outcome)
        places = np.array([known.index(outcome) for outcome in goals], np.uint32)
        values[ended] = places[inverse] << np.uint32(16)
        return values

    def _spill(self) -> None:
        """Sort the states of the set, write them to disk, and empty the set."""
        note = self.note
        for first in range(0, len(self._set), self._piece):
            end = min(first + self._piece, len(self._set))
            numbers = _numbers(note.in_runs + first, note.in_runs + end)
            self._runs.append(sort(self._new_run(), self._set.rows(first, end), numbers))
        note.in_runs += len(self._set)
        self._set.clear()

    def _new_run(self) -> Any:
        self.note.written += 1
        return self._work.folder / f"run{self.note.written}"

    def _give_up_doubles(self) -> None:
        """Remove the new numbers of states that a run already has."""
        self._spill()
        note, first = self.note, self.note.plies[-1]
        goes = np.zeros(note.found - first, np.bool_)  # whether a new state is a duplicate
        instead = np.empty(note.found - first, np.uint32)
        before = self._runs

        def unique() -> Iterator[tuple[Keys, Numbers]]:
            for keys, numbers in merged(before, self.kind):
                self._budget.check()
                starts = np.ones(len(keys), np.bool_)
                starts[1:] = keys[1:] != keys[:-1]
                firsts = np.flatnonzero(starts)
                least = np.minimum.reduceat(numbers, firsts)
                double = numbers != np.repeat(least, np.diff(np.append(firsts, len(keys))))
                places = numbers[double] - np.uint32(first)
                goes[places] = True
                group = np.cumsum(starts) - 1
                instead[places] = least[group[double]]
                yield keys[firsts], least

        whole = write_run(self._new_run(), unique())
        stay = np.flatnonzero(~goes)
        instead[stay] = first + np.arange(len(stay), dtype=np.uint32)
        late = goes & (instead >= first)
        late[stay] = False
        instead[late] = instead[instead[late] - np.uint32(first)]
        self._renumber(whole, stay, instead)
        for run in before:
            run.remove()

    def _renumber(self, whole: Run, stay: npt.NDArray[np.int64], instead: Numbers) -> None:
        """Renumber the new states in all files, first in copies."""
        note, first = self.note, self.note.plies[-1]
        folder = self._work.folder
        renumbered = write_run(
            self._new_run(),
            (
                (keys, _renumbered(numbers, first, instead))
                for keys, numbers in whole.blocks(self.kind)
            ),
        )
        whole.remove()
        rows = Growing(folder / "rows.tail", np.uint64, self._words)
        edges = Growing(folder / "edges.tail", np.uint32)
        rows.cut(0)
        edges.cut(0)
        for place in range(0, len(stay), _ROWS_READ):
            taken = stay[place : place + _ROWS_READ] + first
            span = self.arrays.rows.read(int(taken[0]), int(taken[-1]) + 1)
            rows.write(place, span[taken - taken[0]])
        start = self._edges_of_last_ply()
        for place in range(start, note.edges, 8 * _ROWS_READ):
            end = min(place + 8 * _ROWS_READ, note.edges)
            numbers = self.arrays.edges.read(place, end)
            edges.write(place - start, _renumbered(numbers, first, instead))
        rows.close()
        edges.close()
        self._runs = [renumbered]
        note.found = note.in_runs = first + len(stay)
        note.tail = first, len(stay), start, note.edges - start
        self._keep()
        self._apply(note.tail)
        self._keep()

    def _edges_of_last_ply(self) -> int:
        """The first edge of the last ply's states; only those states lead to new states."""
        note = self.note
        first = note.plies[-2] if len(note.plies) > 1 else 0
        last = 0
        for place in range(first, note.expanded, _ROWS_READ):
            end = min(place + _ROWS_READ, note.expanded)
            last += int(self.arrays.degrees.read(place, end).sum(dtype=np.int64))
        return note.edges - last

    def _apply(self, tail: tuple[int, int, int, int]) -> None:
        """Copy the renumbered states and edges into their files. A repetition does no harm."""
        first_row, row_count, first_edge, edge_count = tail
        for name, array, kind, width, first, count in (
            ("rows.tail", self.arrays.rows, np.uint64, self._words, first_row, row_count),
            ("edges.tail", self.arrays.edges, np.uint32, None, first_edge, edge_count),
        ):
            source = Growing(self._work.folder / name, kind, width)
            for place in range(0, count, 8 * _ROWS_READ):
                end = min(place + 8 * _ROWS_READ, count)
                array.write(first + place, source.read(place, end))
            source.close()
        self.note.tail = None
        self.arrays.cut(self.note)


def _numbers(first: int, end: int) -> Numbers:
    return np.arange(first, end, dtype=np.uint32)


def _renumbered(numbers: Numbers, first: int, instead: Numbers) -> Numbers:
    """Numbers, with replacements for those from ``first`` on."""
    found = numbers.copy()
    new = numbers >= first
    found[new] = instead[numbers[new] - np.uint32(first)]
    return found


def _distinct(goals: Ints) -> tuple[list[list[int]], npt.NDArray[np.int64]]:
    """The distinct rows, and for each row the place of its distinct row."""
    least, most, roles = int(goals.min()), int(goals.max()), goals.shape[1]
    base = most - least + 1
    if base**roles > 1 << 62:
        rows, inverse = np.unique(goals, axis=0, return_inverse=True)
        return rows.tolist(), inverse.reshape(-1)
    # Sort one number for each row: sorting rows takes a hundred times as long.
    weights = np.array([base**role for role in range(roles)], np.int64)
    _, firsts, inverse = np.unique(
        (goals - least).astype(np.int64) @ weights, return_index=True, return_inverse=True
    )
    return goals[firsts].tolist(), inverse
