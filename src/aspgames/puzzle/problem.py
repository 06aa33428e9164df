"""What a puzzle asks: a position, an attacker, a goal, and a number of turns."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..errors import BadRequest
from ..reasoner import Consequences
from ..state import State

_SCORE = re.compile(r"score(?:>=|:)([0-9]{1,9})\Z")


@dataclass(frozen=True, slots=True)
class Goal:
    """``trap``, ``win`` or ``score>=N``: what the attacker wants to reach."""

    text: str
    score: int | None = None

    @staticmethod
    def parse(text: object) -> Goal:
        """Read a goal; ``score:N`` is ``score>=N``. Raises ``BadRequest``."""
        match = _SCORE.match(text) if isinstance(text, str) else None
        if match:
            return Goal(f"score>={int(match[1])}", int(match[1]))
        if text in ("trap", "win"):
            return Goal(str(text))
        raise BadRequest(f"the goal must be trap, win or score>=N, not {text!r}")

    def holds(self, consequences: Consequences, attacker: str) -> bool:
        """Whether a state with these consequences is what the attacker wants."""
        if self.score is not None:
            return consequences.goals[attacker] >= self.score
        if self.text == "win":
            return consequences.terminal and consequences.goals[attacker] == 100
        mover = consequences.to_move
        return mover not in (None, attacker) and not consequences.legal[mover or ""]


def turns_text(number: int) -> str:
    """A number of turns in words: ``1 turn``, ``2 turns``."""
    return f"{number} turn" if number == 1 else f"{number} turns"


@dataclass(frozen=True, slots=True)
class Puzzle:
    """Can ``attacker`` force ``goal`` from ``state`` within ``within`` turns of its own?

    A turn ends when the other side comes on move, and one already begun counts. ``within`` None
    stands for as many turns as the game lasts.
    """

    state: State
    attacker: str
    goal: Goal
    within: int | None = None

    @property
    def defender(self) -> str:
        """The other role."""
        return next(role for role in self.state.game.roles if role != self.attacker)

    @staticmethod
    def of(state: State, attacker: object, goal: object, within: object = None) -> Puzzle:
        """A puzzle from its parts as a user gives them. Raises ``BadRequest``."""
        puzzle = Puzzle.read(state, attacker, goal, within)
        if state.to_move is None and not state.is_terminal:
            raise _no_puzzles(state)
        return puzzle

    @staticmethod
    def read(state: State, attacker: object, goal: object, within: object) -> Puzzle:
        """A puzzle from its parts, for who finds out himself whether a side is on move."""
        roles = state.game.roles
        if len(roles) != 2:
            raise _no_puzzles(state)
        if attacker not in roles:
            raise BadRequest(f"the attacker must be {' or '.join(roles)}, not {attacker!r}")
        whole = isinstance(within, int) and not isinstance(within, bool) and within >= 0
        if within is not None and not whole:
            raise BadRequest(f"within must be a whole number of turns from 0 on, not {within!r}")
        return Puzzle(state, str(attacker), Goal.parse(goal), within if whole else None)  # type: ignore[arg-type]


def _no_puzzles(state: State) -> BadRequest:
    return BadRequest(
        f"puzzles are for two roles that move by turns; {state.game.name} is no such game"
    )
