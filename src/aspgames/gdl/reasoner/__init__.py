"""Reasoners: they answer what the rules say of a state.

A state is given as its facts: fluents as text, sorted. A joint move has one move for each role.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ...asp.terms import shorten
from ...runtime.arguments import quote
from ...runtime.errors import BadRequest, RulesError
from ..predicates import CHANCE
from ..rules import HIGHEST_GOAL, Facts

if TYPE_CHECKING:
    from ...asp.clingo_api import Symbol
    from ..encoding import Encoding


class NoMove(RulesError):
    """A role has no move in a state that isn't terminal, and the question needs one."""


def wrong_weight(encoding: Encoding, atom: str) -> RulesError:
    """The error for an atom of ``weight/2`` that gives no chances."""
    one = "a move has one weight, a whole number of at least 1"
    return RulesError(f"{_place_of_weight(encoding, atom)}: {atom}: {one}")


def missing_weight(encoding: Encoding, move: str) -> RulesError:
    """The error for a move of ``random`` without a weight beside others that have one."""
    lacks = f"weight/2 gives chances to some moves of {CHANCE} and none to {move}"
    return RulesError(f"{_place_of_weight(encoding)}: {lacks}")


def without_a_move(encoding: Encoding, role: str, facts: Facts) -> NoMove:
    """The error for a state in which a role has no move, and that isn't terminal."""
    where = f"{encoding.reference}: {role} has no move in a state that isn't terminal"
    return NoMove(f"{where}: {shorten(' '.join(facts))}; give it one, or end the game there")


def _place_of_weight(encoding: Encoding, atom: str = "") -> str:
    """The file and line of a fact, or of the first rule for weights."""
    from ...asp.statements import rule_of, short_place
    from ..extensions import WEIGHT

    rules = [each for each in encoding.statements("base") if WEIGHT in rule_of(each).heads]
    return short_place(next((each for each in rules if str(each) == f"{atom}."), rules[0]))


@dataclass(frozen=True, slots=True)
class Consequences:
    """The legal moves, end, goals and side on move of one state.

    Atoms about names that are not roles are ignored.
    """

    legal: Mapping[str, tuple[str, ...]]
    """Each role's moves by ``legal/2``, sorted. A terminal state has them, too, though nobody may
    make them: the goal ``trap`` of puzzles needs them."""
    terminal: bool
    values: Mapping[str, int]
    """Each role's goal; 0 if the rules derive none, or several before the end of the game.

    ``UNSETTLED`` if they derive several at the end, or one that isn't from 0 to 100.
    """
    to_move: str | None
    """The role on move; None where several roles move at once, or each has one move, a pass."""

    @property
    def forced(self) -> bool:
        """Whether no role is on move and each has a single move."""
        one_each = all(len(moves) == 1 for moves in self.legal.values())
        return self.to_move is None and not self.terminal and one_each

    @property
    def goals(self) -> Mapping[str, int]:
        """The values. Raises ``RulesError`` if one is unsettled."""
        return settled(self.values)

    def waits(self, role: str) -> bool:
        """Whether the role isn't on move and has a single move."""
        return role != self.to_move and len(self.legal[role]) == 1

    @property
    def movers(self) -> tuple[str, ...]:
        """The roles whose moves make a ply: those that don't wait, or all if all wait.

        If sides take turns, this is the side on move.
        """
        return tuple(role for role in self.legal if not self.waits(role)) or tuple(self.legal)

    def playable(self, role: str) -> tuple[str, ...]:
        """The moves that the role may make; none in a terminal state."""
        return () if self.terminal else self.legal[role]


class Reasoner(Protocol):
    """Answers for single states. Both methods raise ``RulesError`` for rules without an answer."""

    def consequences(self, facts: Facts) -> Consequences:
        """Legal moves, end, values and side on move of a state."""

    def successor(self, facts: Facts, joint: Mapping[str, str]) -> Facts:
        """The state after a joint move, which must be legal."""


def check_choice(reasoner: str | None) -> None:
    """Raise ``BadRequest`` unless a reasoner has this name; None means the best one."""
    if reasoner not in (None, "propnet", "grounder"):
        raise BadRequest(f"the reasoner must be propnet or grounder, not {quote(reasoner)}")


UNSETTLED = -1
"""In place of a goal: the game is over, and the rules give the role no single value."""


def unsettled_goals(role: str) -> str:
    """The message for a role without a single value at the end of the game."""
    return f"the rules give {role} several goals, or one that is no whole number from 0 to 100"


def settled(values: Mapping[str, int]) -> Mapping[str, int]:
    """The goals, if all are settled. Raises ``RulesError``."""
    for role, value in values.items():
        if value == UNSETTLED:
            raise RulesError(unsettled_goals(role))
    return values


def read_goals(
    roles: Sequence[str], atoms: Iterable[Sequence[Symbol]], terminal: bool
) -> dict[str, int]:
    """Each role's value, as ``Consequences`` has them, from the arguments of ``goal/2``."""
    values: dict[str, list[Symbol]] = {role: [] for role in roles}
    for role, value in atoms:
        if (name := str(role)) in values:
            values[name].append(value)
    goals = {}
    for player, given in values.items():
        numbers = [term.number for term in given if term.type.name == "Number"]
        if len(given) == 1 and numbers and 0 <= numbers[0] <= HIGHEST_GOAL:
            goals[player] = numbers[0]
        else:
            goals[player] = UNSETTLED if given and terminal else 0
    return goals


def the_one_on_move(on_move: Sequence[str], legal: Mapping[str, tuple[str, ...]]) -> str | None:
    """The role of ``to_move/1``; without that, the only role whose moves aren't just ``noop``.

    Several such roles: the only one of them that hasn't exactly one move. A role with one move
    waits, whatever the move is called. A lone role is always on move.
    """
    alone = len(legal) == 1
    candidates = on_move or [r for r, moves in legal.items() if alone or moves != ("noop",)]
    if not on_move and len(candidates) > 1:
        candidates = [role for role in candidates if len(legal[role]) != 1]
    return candidates[0] if len(candidates) == 1 else None
