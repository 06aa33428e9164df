"""Minimization of a failing input: delta debugging (Zeller and Hildebrandt 2002)."""

from collections.abc import Callable, Sequence
from typing import TypeVar

Part = TypeVar("Part")


def leave_out(
    whole: Sequence[Part], keep: Callable[[Sequence[Part]], bool], unit: int = 1
) -> list[Part]:
    """Leave out chunks while ``keep`` accepts the rest: from half of all down to single units."""
    left = list(whole)
    size = max(1, len(left) // (2 * unit)) * unit
    while True:
        start = 0
        while start < len(left):
            rest = left[:start] + left[start + size :]
            if keep(rest):
                left = rest
            else:
                start += size
        if size == unit:
            return left
        size = size // (2 * unit) * unit
