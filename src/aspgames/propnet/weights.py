"""The chances of ``random``'s moves by ``weight/2``, as fluents of the state after any move."""

import numpy as np
import numpy.typing as npt

from ..gdl.encoding import Encoding
from ..gdl.predicates import CHANCE
from ..gdl.reasoner import missing_weight, wrong_weight
from .gate_tables import Tables
from .lanes import Ints, Rows

_WEIGHT, _UNWEIGHED = "aspgames_weight", "aspgames_unweighed"
RULES = f"""aspgames_weighed(M) :- legal({CHANCE},M), weight(M,_).
next({_WEIGHT}(M,N)) :- legal({CHANCE},M), weight(M,N).
next({_UNWEIGHED}(M)) :- legal({CHANCE},M), not aspgames_weighed(M), aspgames_weighed(_)."""
"""More rules for a net with ``Weights``."""


class Weights:
    """Reads the chances of ``random``'s moves in a state off the rows of the states after it."""

    def __init__(self, tables: Tables, encoding: Encoding) -> None:
        """``tables`` are of a net with ``RULES``; errors name the encoding's lines."""
        names, self._encoding = tables.names, encoding
        roller = names.roles.index(CHANCE)
        self.first, end = names.bounds[2 * roller : 2 * roller + 2]
        """The number of the first move of ``random``."""
        self.count = end - self.first
        """The number of its moves in all states together."""
        self.mask = mask_of(tables, f"{_WEIGHT}(") | mask_of(tables, f"{_UNWEIGHED}(")
        """The bits of weights, (words,), which no state of a position has."""
        self._weights, self._without = list[tuple[int, int, str, str]](), list[tuple[int, str]]()
        for place, fluent in enumerate(names.fluents):
            name, _, inner = fluent[:-1].partition("(")
            if name == _WEIGHT:
                move, _, number = inner.rpartition(",")
                column = tables.move_numbers[CHANCE, move] - self.first
                self._weights.append((place, column, number, fluent.removeprefix(_WEIGHT)))
            elif name == _UNWEIGHED:
                self._without.append((place, inner))

    def table(self, after: Rows) -> npt.NDArray[np.int64]:
        """The chances of each move of ``random`` before, in proportion: (n, its moves).

        A row of zeros says that all its moves are alike. Raises ``RulesError`` if a weight is
        missing, or isn't one whole number of at least 1.
        """
        found = np.zeros((len(after), self.count), np.int64)

        def has(place: int) -> npt.NDArray[np.bool_]:
            return (after[:, place // 64] >> np.uint64(place % 64) & np.uint64(1)) > 0

        for place, move in self._without:
            if has(place).any():
                raise missing_weight(self._encoding, move)
        for place, column, number, atom in self._weights:
            here = has(place)
            if not here.any():
                continue
            is_one = number.isdecimal() and int(number) > 0 and not found[here, column].any()
            if not is_one:
                raise wrong_weight(self._encoding, f"weight{atom}")
            found[here, column] = int(number)
        return found

    def of(self, after: Rows, moves: npt.NDArray[np.int64] | Ints) -> npt.NDArray[np.int64]:
        """The chances of moves of ``random``, in proportion; 1 where all are alike, (n,).

        Raises ``RulesError`` as ``table`` does.
        """
        given = self.table(after)[np.arange(len(after)), moves - self.first]
        found: npt.NDArray[np.int64] = np.maximum(1, given)
        return found


def mask_of(tables: Tables, beginning: str) -> Rows:
    """The bits of the fluents with this beginning, (words,)."""
    bits = sum(bit for fluent, bit in tables.fluent_bits.items() if fluent.startswith(beginning))
    return np.frombuffer(bits.to_bytes(tables.row_bytes, "little"), np.uint64)
