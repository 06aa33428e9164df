"""Converts states from rows of bits to arrays of numbers."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..runtime.arguments import quote
from ..runtime.errors import BadRequest
from .kernel import kernel

Floats = npt.NDArray[np.float32]
Places = tuple[Sequence[int], float]
"""A fluent's places in the array, and the number that stands there if it holds."""


def read_out(out: Any, shape: tuple[int, ...], kind: type[np.generic]) -> npt.NDArray[Any]:
    """Check a writable array of a shape and a type, and return it. Raises ``BadRequest``."""
    is_one = isinstance(out, np.ndarray) and (out.dtype, out.shape) == (kind, shape)
    if not is_one or not (out.flags.c_contiguous and out.flags.writeable):
        what = f"{out.dtype} {out.shape}" if isinstance(out, np.ndarray) else quote(out)
        name = np.dtype(kind).name
        raise BadRequest(
            f"out is a contiguous array of {name}, {shape}, that can be written to; not {what}"
        )
    found: npt.NDArray[Any] = out
    return found


class Layout:
    """The places of a net's fluents in an array. Several threads may use it."""

    def __init__(self, background: Floats, places: Sequence[Places]) -> None:
        """``background`` is the array of a state in which no fluent holds. ``places`` has an entry
        for each fluent, in the order of their numbers."""
        flat = np.ascontiguousarray(background, np.float32).reshape(-1)
        counts = [len(where) for where, _ in places]
        starts = np.cumsum([0, *counts], dtype=np.int32)
        numbers = np.array([place for where, _ in places for place in where], np.int32)
        values = np.repeat(np.array([v for _, v in places], np.float32), counts)
        array = kernel().array
        self._arrays = (
            array("float[]", flat),
            *(array("int32_t[]", starts), array("int32_t[]", numbers), array("float[]", values)),
        )
        words = (len(places) + 63) // 64
        layout = words, len(flat), *self._arrays
        self._layout = kernel().ffi.new("struct observation_layout *", layout)

    def write(self, rows: npt.NDArray[np.uint64], into: Floats) -> None:
        """Write the array of each state, a row of bits. Both arrays must be contiguous."""
        array = kernel().array
        kernel().observe(self._layout, array("uint64_t[]", rows), len(rows), array("float[]", into))
