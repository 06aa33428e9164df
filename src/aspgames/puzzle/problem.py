"""What a puzzle asks: a position, an attacker, a goal, and a number of turns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..game.game import State
from ..gdl.reasoner import Consequences
from ..runtime.arguments import told
from ..runtime.errors import BadRequest

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
        if isinstance(text, str) and text in ("trap", "win"):
            return Goal(str(text))
        raise BadRequest(f"the goal must be trap, win or score>=N, not {told(text)}")

    def holds(self, consequences: Consequences, attacker: str) -> bool:
        """Whether a state with these consequences is what the attacker wants."""
        if self.score is not None:
            return consequences.goals[attacker] >= self.score
        if self.text == "win":
            return consequences.terminal and consequences.goals[attacker] == 100
        mover = consequences.to_move
        return mover not in (None, attacker) and not consequences.legal[mover or ""]


def others(roles: Sequence[str], role: str | None) -> list[str]:
    """The roles but one, in their order: where there are two, the other."""
    return [other for other in roles if other != role]


def turns_text(number: int) -> str:
    """A number of turns in words: ``1 turn``, ``2 turns``."""
    return f"{number} turn" if number == 1 else f"{number} turns"


@dataclass(frozen=True, slots=True)
class Puzzle:
    """Can ``attacker`` force ``goal`` from ``state`` within ``within`` turns of its own?

    A turn ends when the other side comes on move, and one already begun counts; where the attacker
    is the game's only role, each of its moves is a turn. ``within`` None stands for as many turns
    as the game lasts.
    """

    state: State
    attacker: str
    goal: Goal
    within: int | None = None

    @property
    def defender(self) -> str | None:
        """The other role; None if there is none."""
        return next(iter(others(self.state.game.roles, self.attacker)), None)

    @property
    def sides(self) -> tuple[str, ...]:
        """The attacker, and the defender if there is one."""
        return (self.attacker,) if self.defender is None else (self.attacker, self.defender)

    def begins_turn(self, attacked: bool, attacks: bool) -> bool:
        """Whether a move begins a turn of the attacker, who was on move before or not, and is now
        or isn't."""
        return attacks and (not attacked or self.defender is None)

    @staticmethod
    def of(state: State, attacker: object, goal: object, within: object = None) -> Puzzle:
        """A puzzle from its parts as a user gives them. Raises ``BadRequest``."""
        puzzle = Puzzle.read(state, attacker, goal, within)
        puzzle.refuse_unless_sides_take_turns()
        return puzzle

    def refuse_unless_sides_take_turns(self) -> None:
        """Raise ``BadRequest`` if nobody, or more than one, is on move."""
        if self.state.to_move is None and not self.state.is_terminal:
            raise _no_puzzles(self.state)

    @staticmethod
    def read(state: State, attacker: object, goal: object, within: object) -> Puzzle:
        """A puzzle from its parts, for who finds out himself whether a side is on move."""
        roles = state.game.roles
        if not 1 <= len(roles) <= 2:
            raise _no_puzzles(state)
        if attacker not in roles:
            raise BadRequest(f"the attacker must be {' or '.join(roles)}, not {told(attacker)}")
        wanted = Goal.parse(goal)
        if wanted.text == "trap" and len(roles) == 1:
            raise BadRequest(f"there is nobody to trap: {state.game.name} has one role")
        whole = isinstance(within, int) and not isinstance(within, bool) and within >= 0
        if within is not None and not whole:
            raise BadRequest(f"within must be a whole number of turns, not {told(within)}")
        return Puzzle(state, str(attacker), wanted, within if whole else None)  # type: ignore[arg-type]


def _no_puzzles(state: State) -> BadRequest:
    return BadRequest(
        f"puzzles are for one role, or two that move by turns; {state.game.name} is no such game"
    )
