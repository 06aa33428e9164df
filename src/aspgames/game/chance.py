"""Chance and percepts of a state (GDL-II): the moves of ``random``, and what each player sees."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, TypeVar

from ..gdl.predicates import CHANCE
from ..gdl.reasoner import missing_weight, without_a_move
from ..runtime.arguments import quote
from ..runtime.errors import BadRequest, IllegalMove
from .move import Move

if TYPE_CHECKING:
    from random import Random

    from .state import State

T = TypeVar("T")

Chances = tuple[tuple[Move, Fraction], ...]
"""Moves of ``random``, each with its probability; these add up to 1."""

Percepts = Mapping[str, tuple[str, ...]]
"""What each player sees of a move: terms, sorted. Empty in a game that hides nothing."""


class ByRole(dict[str, T]):
    """Something of each role, with an error for a name that is no role."""

    def __missing__(self, role: object) -> T:
        raise KeyError(f"there is no role {role!r}, only {', '.join(self)}")


def chances_of(state: State) -> Chances:
    """The moves of ``random`` in a state, with their probabilities; none where it has no choice."""
    vocabulary = state.game.vocabulary
    if not vocabulary.chance or state.is_terminal:
        return ()
    moves = state.legal[CHANCE]
    if state.to_move != CHANCE and len(moves) <= 1:
        return ()
    weights = state.game.grounder.weights(state.facts) if vocabulary.weighted else {}
    given = [weights.get(move.term) for move in moves]
    numbers = [1 if number is None else number for number in given]
    if None in given and any(given):
        raise missing_weight(state.game.encoding, moves[given.index(None)].term)
    total = sum(numbers)
    return tuple((move, Fraction(n, total)) for move, n in zip(moves, numbers, strict=True))


def refuse_stuck_chance(state: State) -> None:
    """Raise ``RulesError`` where ``random`` has no move in a state that isn't terminal."""
    if state.game.vocabulary.chance and not (state.is_terminal or state.legal[CHANCE]):
        raise without_a_move(state.game.encoding, CHANCE, state.facts)


def draw(state: State, rng: Random | int | None) -> Move:
    """One of the moves of ``random``, by their probabilities. Raises ``IllegalMove``."""
    from random import Random

    if isinstance(rng, bool) or not (rng is None or isinstance(rng, Random | int)):
        raise BadRequest(f"give a random.Random, a number as its seed, or None, not {quote(rng)}")
    chances = chances_of(state)
    if not chances:
        refuse_stuck_chance(state)
        raise IllegalMove(f"nobody rolls here: {CHANCE} has no choice")
    source = rng if isinstance(rng, Random) else Random(rng)
    total = lcm(*(chance.denominator for _, chance in chances))
    place = source.randrange(total)
    for move, chance in chances:
        place -= int(chance * total)
        if place < 0:
            return move
    raise AssertionError("the chances add up to 1")


def percepts_of(state: State, joint: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """What each player sees after a legal joint move: see ``State.sees``."""
    vocabulary = state.game.vocabulary
    if not vocabulary.hidden:
        return {}
    seen = state.game.percept_answers.of(state.facts, joint)
    return ByRole({role: seen[role] for role in vocabulary.players})
