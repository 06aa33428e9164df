"""Sorted runs on disk: states with their numbers, merged while they are read."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Keys = npt.NDArray[Any]
"""States in a sortable form: numbers, or byte strings for rows of several words."""
Numbers = npt.NDArray[np.uint32]

PIECE = 1 << 22
"""The number of states that one sort in memory takes."""
_BLOCK = 1 << 16  # states in each read


def key_type(words: int) -> np.dtype[Any]:
    """The type of keys for rows of ``words`` words."""
    return np.dtype(np.uint64) if words <= 1 else np.dtype(f"S{8 * words}")


def keys_of(rows: npt.NDArray[np.uint64]) -> Keys:
    """Rows in a form that sorts like numbers whose highest word is the last."""
    count, words = rows.shape
    if words == 0:
        return np.zeros(count, np.uint64)
    if words == 1:
        return rows[:, 0]
    turned = np.ascontiguousarray(rows[:, ::-1].astype(">u8"))
    return turned.view(key_type(words))[:, 0]


def packed(keys: Keys, size: int) -> npt.NDArray[np.uint8]:
    """Keys as ``size`` bytes each, the highest byte first."""
    if keys.dtype == np.uint64:
        keys = keys.astype(">u8")
    whole = keys.view(np.uint8).reshape(len(keys), keys.itemsize)
    return np.ascontiguousarray(whole[:, keys.itemsize - size :])


def unpacked(states: npt.NDArray[np.uint8], words: int) -> npt.NDArray[np.uint64]:
    """The rows of packed keys."""
    whole = np.zeros((len(states), 8 * words), np.uint8)
    if states.shape[1] and words:
        whole[:, 8 * words - states.shape[1] :] = states
    return np.ascontiguousarray(whole.view(">u8")[:, ::-1].astype(np.uint64))


@dataclass(frozen=True)
class Run:
    """One sorted run: a file of keys, and a file of numbers."""

    stem: Path
    count: int

    @property
    def files(self) -> tuple[Path, Path]:
        """The file of keys and the file of numbers."""
        return self.stem.with_suffix(".keys"), self.stem.with_suffix(".numbers")

    def blocks(self, kind: np.dtype[Any]) -> Iterator[tuple[Keys, Numbers]]:
        """The states, block by block."""
        keys, numbers = self.files
        with keys.open("rb") as first, numbers.open("rb") as second:
            for start in range(0, self.count, _BLOCK):
                here = min(_BLOCK, self.count - start)
                yield (
                    np.frombuffer(first.read(here * kind.itemsize), kind),
                    np.frombuffer(second.read(4 * here), np.uint32),
                )

    def remove(self) -> None:
        """Delete the files."""
        for file in self.files:
            file.unlink(missing_ok=True)


def write_run(stem: Path, blocks: Iterable[tuple[Keys, Numbers]]) -> Run:
    """Write sorted blocks."""
    run, count = Run(stem, 0), 0
    keys, numbers = run.files
    with keys.open("wb", buffering=0) as first, numbers.open("wb", buffering=0) as second:
        for some, others in blocks:
            write_all(first, some)
            write_all(second, others)
            count += len(some)
    return Run(stem, count)


def write_all(file: Any, array: npt.NDArray[Any]) -> None:
    """Write a whole array to an unbuffered file, where a single write may write less."""
    view = np.ascontiguousarray(array).view(np.uint8).reshape(-1).data
    while view:
        view = view[file.write(view) :]


def sort(stem: Path, rows: npt.NDArray[np.uint64], numbers: Numbers) -> Run:
    """Sort states in memory, and write them."""
    keys = keys_of(rows)
    order = np.argsort(keys)
    return write_run(stem, [(keys[order], numbers[order])])


def merged(runs: Iterable[Run], kind: np.dtype[Any]) -> Iterator[tuple[Keys, Numbers]]:
    """The states of all runs in order, equal ones in the order of the runs, block by block.

    Equal states are in one block.
    """
    sources = [run.blocks(kind) for run in runs]
    heads = [next(source, None) for source in sources]
    while True:
        there = [place for place, head in enumerate(heads) if head is not None]
        if not there:
            return
        bound = min(head[0][-1] for head in heads if head is not None)
        keys: list[Keys] = []
        numbers: list[Numbers] = []
        for place in there:
            while (head := heads[place]) is not None:
                end = int(np.searchsorted(head[0], bound, side="right"))
                keys.append(head[0][:end])
                numbers.append(head[1][:end])
                if end < len(head[0]):
                    heads[place] = head[0][end:], head[1][end:]
                    break
                heads[place] = next(sources[place], None)
        joined = np.concatenate(keys)
        if len(there) == 1:
            yield joined, np.concatenate(numbers)
            continue
        order = np.argsort(joined, kind="stable")
        yield joined[order], np.concatenate(numbers)[order]
