"""Why a wrong move fails: what it threatens, and how the other side's answer stops that.

Where no threat is found, one of the attacker's next moves, and how the other side meets it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...game.board import square_name
from ...game.notation.move_text import named_squares
from ...puzzle.solved import Position, Solved
from ...runtime.errors import AspgamesError, Interrupted, LimitReached
from .page_steps import Steps

_EFFORT = 3_000  # the effort of a search for the result of one move; see ``Position.decided``
_MOST_ANSWERS = 40
_ATTEMPTS = 3  # attempts of the attacker
Reason = dict[str, Any]
"""``nothing``: no other answer loses. ``turns``: the number that suffices the attacker. ``threat``:
the number of a ply that wins after another answer, with ``why`` the rules refuse it after this one,
or with ``answer``, the ply that meets it. ``attempt``: the plies of a turn, with ``answer``."""


@dataclass(frozen=True)
class Threats:
    """Finds the reasons in one puzzle."""

    steps: Steps
    solved: Solved

    def reason(self, position: Position, turns: float, answer: str) -> Reason | None:
        """The reason why the goal isn't forced; None if none is found with little effort.

        Args:
            position: The position after the wrong move, the defender on move.
            turns: The number of turns that the attacker may still begin there.
            answer: The defender's move that holds.
        """
        children = dict(position.children())
        held = children.pop(answer)
        if held.over or not 0 < len(children) < _MOST_ANSWERS:
            return None
        for child in children.values():
            left = position.turns_after(child, turns)
            lost = self._forced(child, left)
            if lost is None:
                return None
            if lost:
                return next(self._stopped(child, left, held), None)
        return {"nothing": True}

    def _stopped(self, other: Position, turns: float, held: Position) -> Iterator[Reason]:
        """How threats after another answer fail after the one that holds."""
        there = dict(held.children())
        for move, child in other.children() if other.attacks and held.attacks else ():
            left = other.turns_after(child, turns)
            if not self._forced(child, left):
                continue
            if move not in there:
                if why := self._gone(other, held, move) or self._why_not(held, move):
                    yield {"threat": self.steps.step(other, move, child), "why": why}
                continue
            after = there[move]
            for last, end in after.children() if not after.attacks else ():
                if self._forced(end, after.turns_after(end, left)) is False:
                    yield {
                        "threat": self.steps.step(held, move, after),
                        "answer": self.steps.step(after, last, end),
                    }
                    break

    def attempt(self, position: Position, turns: float) -> Reason | None:
        """How an attacker's turn is met; it is one of those with the fewest answers.

        Args:
            position: The position after the defender's answer, the attacker on move.
            turns: The number of turns that the attacker may still begin there.
        """
        tried = [
            (len(answers), at, plies, child, left)
            for at, (plies, child, left) in enumerate(self._turns(position, turns))
            if (answers := child.children())
        ]
        for _, _, plies, child, left in sorted(tried, key=lambda found: found[:2])[:_ATTEMPTS]:
            for answer, end in child.children():
                if self._forced(end, child.turns_after(end, left)) is False:
                    answered = self.steps.step(child, answer, end)
                    return {"attempt": [self.steps.step(*ply) for ply in plies], "answer": answered}
        return None

    def _turns(
        self, position: Position, turns: float
    ) -> Iterator[tuple[list[tuple[Position, str, Position]], Position, float]]:
        """Turns of the attacker: their plies, the defender's position, and the turns left there."""
        tried = 0
        for move, child in position.children() if position.attacks else ():
            ply, left = (position, move, child), position.turns_after(child, turns)
            if not child.attacks:
                yield [ply], child, left
            elif (tried := tried + 1) <= _ATTEMPTS:
                for plies, end, last in self._turns(child, left):
                    yield [ply, *plies], end, last

    def _forced(self, position: Position, turns: float) -> bool | None:
        self.solved.budget.check()
        return position.decided(turns, _EFFORT)

    def _gone(self, other: Position, held: Position, move: str) -> str:
        """That a threatening piece no longer stands where the move begins; empty if it does."""
        state = self.solved.puzzle.state
        vocabulary = state.game.vocabulary
        before, now = (
            dict(filter(None, map(vocabulary.piece, position.fluents)))
            for position in (other, held)
        )
        for square in named_squares(vocabulary.notation, move)[:1]:
            piece = before.get(square)
            if piece and now.get(square) != piece:
                return f"the {state.scene.name(piece)} no longer stands on {square_name(square)}"
        return ""

    def _why_not(self, position: Position, move: str) -> str:
        """Why a move is illegal, in the rules' words; empty without words."""
        first = self.solved.puzzle.state
        always = set(first.facts).difference(self.solved.fluents)
        state = first.game.state(tuple(sorted(always | position.fluents)))
        try:
            why = state.why(move)
        except (LimitReached, Interrupted):
            raise
        except AspgamesError:
            return ""
        return "" if why.holds else why.told
