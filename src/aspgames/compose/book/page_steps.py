"""Plies as a page needs them: who plays what, and which fluents come and go by it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ...game.board import Square
from ...game.notation.move_text import format_move, named_squares
from ...puzzle.solved import Position, Solved

Step = tuple[int, str, tuple[int, ...], tuple[int, ...], tuple[str, ...]]
"""The role, by its place among the roles; the move's text; the fluents that go and those that come,
by their numbers; the squares that the move names, or else changes, as ``x,y``."""


@dataclass
class Steps:
    """Numbers plies, those that look and do the same alike, and numbers the fluents."""

    solved: Solved
    steps: dict[Step, int] = field(default_factory=dict)
    fluents: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        puzzle, changing = self.solved.puzzle, set(self.solved.fluents)
        self._notation = puzzle.state.game.vocabulary.notation
        self.attacker = puzzle.state.game.roles.index(puzzle.attacker)
        self.start = [self.fluent(fact) for fact in puzzle.state.facts]
        self._board = puzzle.state.game.vocabulary.board
        self._piece = piece = puzzle.state.game.vocabulary.piece
        fixed = (piece(fact) for fact in puzzle.state.facts if fact not in changing)
        self._occupied = {found[0] for found in fixed if found}
        self._contents: dict[Square, set[str]] = {}
        for fluent in changing:
            if found := piece(fluent):
                self._contents.setdefault(found[0], set()).add(fluent)

    def fluent(self, fact: str) -> int:
        """The number of a fluent."""
        return self.fluents.setdefault(fact, len(self.fluents))

    def step(self, position: Position, move: str, child: Position) -> int:
        """The number of a ply from one position to another."""
        before, after = position.fluents, child.fluents
        text = format_move(self._notation, move, _Squares(self, before))
        named = named_squares(self._notation, move) or self._changed(before, after)
        squares = tuple(f"{x},{y}" for x, y in named)
        role = self.attacker if position.attacks else 1 - self.attacker
        gone, come = self._numbers(before - after), self._numbers(after - before)
        return self.steps.setdefault((role, text, gone, come, squares), len(self.steps))

    def planned(self, move: str | None) -> str | None:
        """The text of a move that is planned: where it will be made, nothing may be known."""
        return None if move is None else format_move(self._notation, move, ())

    def _changed(self, before: frozenset[str], after: frozenset[str]) -> list[Square]:
        """The squares of a move that names none: first what it empties, then what it fills."""
        gone, come = (
            {found[0] for fact in facts if (found := self._piece(fact)) and self._drawn(found[0])}
            for facts in (before - after, after - before)
        )
        return [*sorted(gone - come), *sorted(come - gone)] or sorted(come)

    def _drawn(self, square: Square) -> bool:
        return self._board is not None and self._board.has(square)

    def _numbers(self, facts: Iterable[str]) -> tuple[int, ...]:
        return tuple(sorted([self.fluent(fact) for fact in sorted(facts)]))

    def holds(self, square: Square, fluents: frozenset[str]) -> bool:
        """Whether something stands on a square."""
        contents = self._contents.get(square, ())
        return square in self._occupied or not fluents.isdisjoint(contents)


@dataclass(frozen=True)
class _Squares:
    """The squares on which something stands in a position."""

    steps: Steps
    fluents: frozenset[str]

    def __contains__(self, square: object) -> bool:
        return isinstance(square, tuple) and self.steps.holds(square, self.fluents)


def listed(steps: Iterable[Step]) -> list[list[object]]:
    """Steps as JSON has them."""
    return [
        [role, text, list(gone), list(come), list(squares)]
        for role, text, gone, come, squares in steps
    ]
