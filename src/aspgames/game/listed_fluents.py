"""The fluents that an encoding's ``base/1`` lists: pieces by squares, counters by shapes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property

from ..asp.terms import shape
from .board import Square
from .game import Game

_NUMBER = re.compile(r"\b\d+")


class ListedFluents:
    """What a position of a game may hold; nothing is known without ``base/1``."""

    def __init__(self, game: Game) -> None:
        self._base = sorted(game.vocabulary.base)
        self._vocabulary = game.vocabulary

    @cached_property
    def cells(self) -> Mapping[Square, Mapping[str, str]]:
        """For each square the fluents by what can stand there."""
        cells: dict[Square, dict[str, str]] = {}
        for fluent in self._base:
            if placed := self._vocabulary.piece(fluent):
                cells.setdefault(placed[0], {})[placed[1]] = fluent
        return cells

    @cached_property
    def contents(self) -> Sequence[str]:
        """What can stand on squares."""
        return sorted({content for cell in self.cells.values() for content in cell})

    def alike(self, fluent: str) -> Sequence[str]:
        """The fluents that differ from one that is on no square in numbers only, in their order."""
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
