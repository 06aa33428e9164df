"""The rows and moves of a net as those of another net of the same game."""

import numpy as np

from .gate_tables import Tables
from .lanes import Ints, Rows


class NetTranslation:
    """From a net to one that knows the same states, and may have more fluents."""

    def __init__(self, source: Tables, target: Tables) -> None:
        """Number the fluents and moves of the target as those of the source."""
        names = source.names
        self._fluents, self._row_bytes = source.fluents, target.row_bytes
        places = {fluent: place for place, fluent in enumerate(names.fluents)}
        certain = frozenset(names.certain)
        self._places = np.array(
            [places.get(f, len(places) + (f in certain)) for f in target.names.fluents], np.int64
        )
        self._moves = np.full(source.moves + 1, -1, np.int32)  # the last is that for -1
        for key, place in source.move_numbers.items():
            self._moves[place] = target.move_numbers.get(key, -1)

    def rows(self, rows: Rows) -> Rows:
        """The states as the target stores them."""
        count, fluents = len(rows), self._fluents
        bits = np.zeros((count, fluents + 2), np.uint8)
        bytes_ = np.ascontiguousarray(rows).view(np.uint8).reshape(count, -1)
        bits[:, :fluents] = np.unpackbits(bytes_, axis=1, count=fluents, bitorder="little")
        bits[:, -1] = 1  # fluents that hold in all states of the source
        packed = np.packbits(bits[:, self._places], axis=1, bitorder="little")
        into = np.zeros((count, self._row_bytes), np.uint8)
        into[:, : packed.shape[1]] = packed
        return into.view(np.uint64)

    def moves(self, moves: Ints) -> Ints:
        """The target's numbers of moves; -1 where it has none."""
        found: Ints = self._moves[moves]
        return found
