"""Numbered plies for a page: the role, the move, and the fluents that appear and vanish."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ...game.board import Square
from ...game.notation.move_text import format_move, named_squares
from ...puzzle.solved import Position, Solved

Step = tuple[int, str, tuple[int, ...], tuple[int, ...], tuple[str, ...]]
"""The number of the role; the move's text; the numbers of vanishing fluents and of appearing ones;
the squares that the move names, or otherwise changes, as ``x,y``."""


@dataclass
class Steps:
    """Numbers plies, with the same number for equal text and effect, and fluents."""

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
        """The text of a planned move, without a position."""
        return None if move is None else format_move(self._notation, move, ())

    def _changed(self, before: frozenset[str], after: frozenset[str]) -> list[Square]:
        """The squares of a move that names none: first the emptied squares, then the others."""
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
        """Whether a square is occupied."""
        contents = self._contents.get(square, ())
        return square in self._occupied or not fluents.isdisjoint(contents)


@dataclass(frozen=True)
class _Squares:
    """The occupied squares of a position."""

    steps: Steps
    fluents: frozenset[str]

    def __contains__(self, square: object) -> bool:
        return isinstance(square, tuple) and self.steps.holds(square, self.fluents)


def listed(steps: Iterable[Step]) -> list[list[object]]:
    """Steps as JSON."""
    return [
        [role, text, list(gone), list(come), list(squares)]
        for role, text, gone, come, squares in steps
    ]
