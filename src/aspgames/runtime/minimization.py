"""Leaving out what isn't needed, in ever smaller chunks: Zeller's delta debugging."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

Part = TypeVar("Part")


def leave_out(
    whole: Sequence[Part], keep: Callable[[Sequence[Part]], bool], unit: int = 1
) -> list[Part]:
    """What is left when chunks are left out, half of all at first and single units at last.

    ``keep`` says whether what is left without one more chunk will do.
    """
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
