"""Files of a table's work: arrays that grow, and sorted runs of states, merged while read."""

import errno
import mmap
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


class Growing:
    """An array in a growing file; a note elsewhere tells how much of it is valid."""

    def __init__(self, path: Path, kind: npt.DTypeLike, width: int | None = None) -> None:
        """Open an array of numbers, or of rows of ``width`` numbers."""
        self._kind, self._width = np.dtype(kind), width
        self._size = self._kind.itemsize * (1 if width is None else width)
        path.touch()
        self._file = path.open("r+b", buffering=0)

    def cut(self, count: int) -> bool:
        """Cut the array to ``count`` items; returns whether it had as many."""
        size = self._file.seek(0, 2)
        self._file.truncate(count * self._size)
        return size >= count * self._size

    def write(self, first: int, items: npt.NDArray[Any]) -> None:
        """Write items from a place on."""
        self._file.seek(first * self._size)
        write_all(self._file, items)

    def read(self, first: int, end: int) -> npt.NDArray[Any]:
        """A copy of the items from one place to another."""
        shape = (end - first,) if self._width is None else (end - first, self._width)
        found = np.empty(shape, self._kind)
        if found.nbytes:
            self._file.seek(first * self._size)
            view = found.view(np.uint8).reshape(-1).data
            while view:
                count = self._file.readinto(view)
                if not count:
                    raise OSError(errno.EIO, "a file of unfinished work is too short")
                view = view[count:]
        return found

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class Mapped:
    """Numbers in a file that is mapped into memory, so that the system can page them out.

    Written numbers stay if this process is killed.
    """

    def __init__(self, path: Path, kind: npt.DTypeLike, count: int, most_bytes: float) -> None:
        """Map a file of ``count`` numbers. ``most_bytes`` is the approximate memory limit."""
        self._file = path.open("r+b")
        self._memory = mmap.mmap(self._file.fileno(), count * np.dtype(kind).itemsize)
        self.array: npt.NDArray[Any] = np.frombuffer(self._memory, kind)
        self.is_large = self.array.nbytes > most_bytes
        """Whether the array exceeds ``most_bytes``."""

    def relieve(self) -> None:
        """Release the memory of a large array: the next access reads the file again."""
        if self.is_large and hasattr(mmap, "MADV_DONTNEED"):  # Windows doesn't need it
            self._memory.madvise(mmap.MADV_DONTNEED)

    def close(self) -> None:
        """Close the file. The array is unusable then."""
        del self.array
        self._memory.close()
        self._file.close()


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
