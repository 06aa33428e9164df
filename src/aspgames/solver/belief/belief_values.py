"""The best probability of the goal over plans that depend only on what the attacker sees."""

from __future__ import annotations

from fractions import Fraction
from math import gcd, lcm
from typing import NamedTuple

import numpy as np

from ...propnet.lanes import Array
from ...runtime.errors import LimitReached
from .belief_moves import BeliefMoves
from .belief_outcomes import WON, OutcomeTable
from .sure_search import States, SureSearch

_BELIEF_OUTCOMES = 2000  # outcomes that take as long as the rest of the work for a belief


class Belief(NamedTuple):
    """States that look alike to the attacker, each with its chances in proportion to the others'.

    The states are in ascending order. The chances have no common divisor.
    """

    states: States
    weights: tuple[int, ...]

    @staticmethod
    def of(chances: dict[int, int]) -> tuple[Belief, int]:
        """A belief from the chances of its states, and their common divisor."""
        states = tuple(sorted(chances))
        divisor = gcd(*chances.values())
        return Belief(states, tuple(chances[state] // divisor for state in states)), divisor


class BestMove(NamedTuple):
    """A move in a belief."""

    move: int
    """The move by number; -1 if no move is better than another."""
    won: Fraction
    """The part of the belief's chances with which the goal is reached, at least."""


class BeliefValues:
    """Finds the best probability of beliefs: branch and bound, depth first.

    The bound takes every state for won from which the attacker may still move, and no more states
    than a sure plan can win.
    """

    def __init__(self, table: OutcomeTable, sure: SureSearch, effort: float) -> None:
        """``effort`` limits the number of outcomes examined."""
        self._table, self._sure, self._left = table, sure, effort
        self._known: dict[tuple[Belief, int], BestMove] = {}
        self._begun: dict[tuple[Belief, int], BestMove] = {}

    def best(self, belief: Belief, turns: int) -> BestMove:
        """The best move, with the exact value. Raises ``LimitReached``."""
        found = self._known.get((belief, turns))
        if found is None:
            if turns == 0:
                found = BestMove(-1, Fraction(0))
            elif self._sure.won(belief.states, turns):
                found = BestMove(self._sure.move(belief.states), Fraction(sum(belief.weights)))
            else:
                found = self._search(belief, turns)
            self._known[belief, turns] = found
        return found

    def bounds(self, belief: Belief, turns: int) -> tuple[Fraction, Fraction]:
        """What is known of the value after a limit was reached."""
        if found := self._known.get((belief, turns)):
            return found.won, found.won
        least = self._begun.get((belief, turns), BestMove(-1, Fraction(0))).won
        total = np.array(belief.weights, object)
        return least, Fraction(self._most(total, len(belief.states), turns))

    def values(self, belief: Belief, turns: int) -> list[tuple[int, Fraction]]:
        """Each move by its number, with its exact value. Raises ``LimitReached``."""
        moves = self._sure.moves(belief.states)
        chances = self._chances(belief, moves)
        return [
            (int(move), self._value(chances, moves, place, turns, Fraction(-1)))
            for place, move in enumerate(moves.moves)
        ]

    def after(self, belief: Belief, moves: BeliefMoves) -> dict[int, Belief]:
        """The beliefs after the first of some moves, by what the attacker has seen."""
        _, sets = _after(self._chances(belief, moves)[0], moves, 0)
        return {seen: Belief.of(states)[0] for seen, states in sets.items()}

    def _search(self, belief: Belief, turns: int) -> BestMove:
        moves = self._sure.moves(belief.states)
        self._left -= _BELIEF_OUTCOMES + len(moves.after)
        if self._left < 0:
            raise LimitReached("no exact probability within the limit on outcomes")
        best = BestMove(-1, Fraction(0))
        chances = self._chances(belief, moves)
        bounds = self._bounds(belief, moves, chances, turns)
        for place in sorted(range(len(bounds)), key=lambda each: -bounds[each]):
            if bounds[place] <= best.won:
                break
            value = self._value(chances, moves, place, turns, best.won)
            if value > best.won:
                best = self._begun[belief, turns] = BestMove(int(moves.moves[place]), value)
        return best

    def _chances(self, belief: Belief, moves: BeliefMoves) -> tuple[Array, int]:
        """The chances of each outcome as whole numbers, and what stands for 1."""
        one = lcm(*(each.denominator for each in self._table.probabilities))
        parts = np.array([int(each * one) for each in self._table.probabilities], object)
        weights = np.array(belief.weights, object)
        found: Array = weights[moves.places] * parts[moves.chances]
        return found, one

    def _bounds(
        self, belief: Belief, moves: BeliefMoves, given: tuple[Array, int], turns: int
    ) -> list[Fraction]:
        """For each move an upper bound of its value."""
        chances, one = given
        counts = moves.after == WON if turns == 1 else (moves.after == WON) | (moves.after >= 0)
        sums = np.zeros(len(moves.moves), object)
        np.add.at(sums, np.searchsorted(moves.moves, moves.move[counts]), chances[counts])
        most = self._most(np.array(belief.weights, object), len(belief.states), turns)
        return [min(Fraction(int(each), one), Fraction(most)) for each in sums]

    def _most(self, weights: Array, count: int, turns: int) -> int:
        """At most so much of the chances is won: with certain outcomes by a sure plan."""
        cap = self._sure.most(turns)
        if self._table.is_certain and cap < count:
            return int(np.sort(weights)[::-1][: int(cap)].sum())
        return int(weights.sum())

    def _value(
        self, given: tuple[Array, int], moves: BeliefMoves, place: int, turns: int, least: Fraction
    ) -> Fraction:
        """The value of a move, exact if it is greater than ``least``."""
        one = given[1]
        won, sets = _after(given[0], moves, place)
        known = sets.values() if turns > 1 else ()
        later = sorted((Belief.of(each) for each in known), key=lambda each: -each[1])
        left = sum(divisor * sum(each.weights) for each, divisor in later)
        value = Fraction(won, one)
        for each, divisor in later:
            if value + Fraction(left, one) <= least:
                break
            value += self.best(each, turns - 1).won * Fraction(divisor, one)
            left -= divisor * sum(each.weights)
        return value


def _after(chances: Array, moves: BeliefMoves, place: int) -> tuple[int, dict[int, dict[int, int]]]:
    """The chances won at once by a move, and those of the states after it by what is seen."""
    here, won = moves.entries(place), 0
    sets: dict[int, dict[int, int]] = {}
    columns = moves.seen[here].tolist(), moves.after[here].tolist(), chances[here]
    for seen, after, chance in zip(*columns, strict=True):
        if after == WON:
            won += chance
        elif after >= 0:
            states = sets.setdefault(seen, {})
            states[after] = states.get(after, 0) + chance
    return won, sets
