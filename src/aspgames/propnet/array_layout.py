"""From states as a net has them, rows of bits, to arrays of numbers."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from .kernel import Layout as KernelLayout
from .kernel import kernel

Floats = npt.NDArray[np.float32]
Places = tuple[Sequence[int], float]
"""Where a fluent that holds is shown, and as which number."""


class Layout:
    """Where each fluent of a net is shown in an array. Safe to be used by several threads."""

    def __init__(self, background: Floats, places: Sequence[Places]) -> None:
        """``background`` is the array of a state in which no fluent holds; ``places`` are those of
        each fluent, in the order of their numbers."""
        self._background = np.ascontiguousarray(background).reshape(-1)
        counts = [len(where) for where, _ in places]
        self._starts = np.cumsum([0, *counts], dtype=np.int32)
        self._places = np.array([place for where, _ in places for place in where], np.int32)
        self._values = np.repeat(np.array([v for _, v in places], np.float32), counts)
        arrays = self._background, self._starts, self._places, self._values
        words = (len(places) + 63) // 64
        addresses = [array.ctypes.data for array in arrays]
        self._layout = KernelLayout(words, len(self._background), *addresses)

    def write(self, rows: npt.NDArray[np.uint64], into: Floats) -> None:
        """Write the array of each state, a row of bits; both are contiguous."""
        kernel().observe(
            ctypes.addressof(self._layout), rows.ctypes.data, len(rows), into.ctypes.data
        )
