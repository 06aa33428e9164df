"""Puzzles: questions about states whose moves are known."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ..game.move import Move
from ..game.state import State, check_state
from .question import PuzzleQuestion, no_puzzles, turns_text


def bounds_text(at_most: float, not_within: float | None) -> str:
    """The known bounds of a distance: ``in at most 7 turns (not within 4)``, ``in 7 turns``."""
    if not_within is not None and at_most == not_within + 1:
        return f"in {turns_text(at_most)}"
    most = "" if at_most == math.inf else f"in at most {turns_text(at_most)}"
    least = "" if not_within is None or not_within < 0 else f"(not within {not_within:.0f})"
    return " ".join(filter(None, (most, least)))


@dataclass(frozen=True, slots=True)
class Puzzle(PuzzleQuestion[State]):
    """Can ``attacker`` force ``goal`` from ``state``, a ``State``? See ``PuzzleQuestion``."""

    @staticmethod
    def of(state: State, attacker: object, goal: object, within: object = None) -> "Puzzle":
        """A puzzle from a user's values. Raises ``BadRequest`` and ``RulesError``."""
        puzzle = Puzzle.read(check_state(state), attacker, goal, within)
        puzzle.refuse_unless_sides_take_turns()
        return puzzle

    def refuse_unless_sides_take_turns(self) -> None:
        """Raise ``BadRequest`` unless exactly one role is on move, or each has one move."""
        state = self.state
        if state.to_move is None and not (state.is_terminal or state.consequences.forced):
            raise no_puzzles(state.game)

    def attacks(self, state: State) -> bool:
        """Whether the attacker is on move; a lone role always is."""
        return self.defender is None or state.to_move == self.attacker

    def moves(self, state: State) -> Sequence[Move]:
        """The moves of the side on move; in a forced ply, the defender's only one."""
        if state.consequences.forced:
            return state.legal[self.defender or self.attacker]
        return state.legal_moves
