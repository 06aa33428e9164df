"""Makes texts of rows of bytes, once for all equal rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from .columns import arrow

_MOST_KEPT = 1 << 20  # texts


class Texts:
    """Texts of rows of bytes, with a cache."""

    def __init__(self, text: Callable[[bytes], str | None]) -> None:
        self._text = text
        self._known: dict[bytes, str | None] = {}

    def of(self, rows: npt.NDArray[Any]) -> Any:
        """The text of each row, as an Arrow array."""
        pa = arrow()
        numbers, values = distinct(rows)
        if len(self._known) > _MOST_KEPT:
            self._known.clear()
        known, text = self._known, self._text
        for value in values:
            if value not in known:
                known[value] = text(value)
        return pa.array([known[value] for value in values], pa.string()).take(numbers)


def distinct(rows: npt.NDArray[Any]) -> tuple[Any, list[bytes]]:
    """Number the distinct rows by first occurrence; returns each row's number, and the rows."""
    pa = arrow()
    rows = np.ascontiguousarray(rows)
    width = rows.dtype.itemsize * (rows.shape[1] if rows.ndim > 1 else 1)
    if width == 0 or not len(rows):
        return pa.array(np.zeros(len(rows), np.int32)), [b""]
    if width == 8:  # Arrow encodes numbers faster
        found = pa.array(rows.view(np.int64).reshape(-1)).dictionary_encode()
        values = found.dictionary.to_numpy()
        return found.indices, [value.tobytes() for value in values]
    buffers = [None, pa.py_buffer(rows)]
    found = pa.FixedSizeBinaryArray.from_buffers(
        pa.binary(width), len(rows), buffers
    ).dictionary_encode()
    return found.indices, found.dictionary.to_pylist()
