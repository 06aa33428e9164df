"""The fluents that ``base/1`` lists, by squares and by shapes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property

from ..asp.terms import shape
from .board import Square, Vocabulary

_NUMBER = re.compile(r"\b\d+")


class ListedFluents:
    """The fluents that ``base/1`` lists: pieces by squares, counters by shapes."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._base = sorted(vocabulary.base)
        self._vocabulary = vocabulary

    @cached_property
    def cells(self) -> Mapping[Square, Mapping[str, str]]:
        """For each square the fluents by the piece that they put there."""
        cells: dict[Square, dict[str, str]] = {}
        for fluent in self._base:
            if placed := self._vocabulary.piece(fluent):
                cells.setdefault(placed[0], {})[placed[1]] = fluent
        return cells

    @cached_property
    def contents(self) -> Sequence[str]:
        """The pieces, sorted."""
        return sorted({content for cell in self.cells.values() for content in cell})

    def alike(self, fluent: str) -> Sequence[str]:
        """The fluents that differ from one beside the board in numbers only, in their order."""
        return self._shapes.get(shape(fluent), ())

    @cached_property
    def _shapes(self) -> Mapping[str, Sequence[str]]:
        shapes: dict[str, list[str]] = {}
        for fluent in self._base:
            if not self._vocabulary.placement(fluent):
                shapes.setdefault(shape(fluent), []).append(fluent)
        return {key: sorted(found, key=_numbers) for key, found in shapes.items()}


def _numbers(fluent: str) -> list[int]:
    return [int(number) for number in _NUMBER.findall(fluent)]
