"""Puzzles with chance: the best probability that the attacker can force, and its moves.

Each round gives the attacker one turn more. It finds the states within these turns, and then their
exact values from the end: the greatest of an attacker's moves, the least of a defender's, the mean
of ``random``'s (expectimax: Michie 1966). So each round gives a lower bound, and with 1 for every
state in which the attacker would need a further turn, an upper bound.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from ...propnet.lanes import Array
from ...puzzle.problem import Puzzle
from ...puzzle.question import turns_text
from ...puzzle.solution import Solution
from ...puzzle.solved import MEMORY_BYTES, PuzzleRun
from ...puzzle.verdict_text import CLOSE
from ...runtime.arguments import counted
from ...runtime.budget import MOST_RULES, Budget, resume
from ...runtime.errors import Interrupted, LimitReached, TooLarge
from ...runtime.json_lines import JsonObject
from ..table.table_maker import net_with_weights
from ..table.table_puzzle import sure_best
from .chance_certificate import chance_certificate
from .chance_graph import ChanceGraph
from .chance_states import ChanceStates, GroundedStates, Kind, NetStates
from .chance_values import WIDE_NUMBER, Valuation
from .unlimited_values import UnlimitedValues

_EXACT_BITS = 2000  # bits of a denominator, above which values without a limit on turns are rounded
_MOST_BITS = 13_000  # bits of any denominator: Python writes no number of more than 4,300 digits
_ROUNDED_ONE = 1 << 52
_LEVEL_ARRAYS = 3  # of a level
_MOST_NODES, _MOST_ROUNDS = 100_000, 100  # then all states are valued, for any number of turns


class Edge(NamedTuple):
    """A move at a node."""

    move: str
    child: int
    turns: int
    """The turns that the attacker may still begin after it; -1 if it would need one more."""
    weight: int
    value: Fraction


class Level(NamedTuple):
    """The probabilities of all nodes for some number of further turns of the attacker."""

    one: int
    """Their denominator."""
    low: Array
    top: Array
    """The bounds within these turns; equal unless they were rounded."""
    high: Array
    """Upper bounds for any number of turns."""

    def scaled(self, one: int) -> Level:
        """The level with another denominator, bounds rounded outwards."""
        if one == self.one:
            return self
        low, top, high = (each.astype(object) * one for each in self[1:])
        return Level(one, low // self.one, -(-top // self.one), -(-high // self.one))


class TurnValues:
    """The probabilities of the nodes of a graph for each number of further turns."""

    def __init__(self, graph: ChanceGraph, valuation: Valuation, most: int = 1) -> None:
        self.graph, self.valuation, self.most = graph, valuation, most
        self.levels: list[Level] = []
        """The values by number of turns."""

    def add(self, one: int, is_rounded: bool) -> None:
        """Find the values for one more turn, with a denominator."""
        begin, after = self.valuation.begin, self.valuation.next
        none = Level(one, begin(one, 0), begin(one, 0), begin(one, self.most * one))
        before = self.levels[-1].scaled(one) if self.levels else none
        low, high = after(before.low, one), after(before.high, one, up=True)
        top = after(before.top, one, up=True) if is_rounded else low
        self.levels.append(Level(one, low, top, high))

    def of(self, node: int, turns: int, high: bool = False) -> Fraction:
        """The best probability at a node with so many further turns of the attacker.

        ``high``: the upper bound for any number of turns.
        """
        kind = self.valuation.kinds[node]
        if kind >= Kind.REACHED or turns < 0:
            if kind == Kind.REACHED:
                return Fraction(int(self.valuation.worth[node]))
            return Fraction(self.most * bool(high and kind == Kind.ATTACK))
        level = self.levels[turns]
        return Fraction(int((level.high if high else level.low)[node]), level.one)

    def is_exact(self, turns: int) -> bool:
        """Whether the values of the puzzle's position and of its moves are exact."""
        for node, left in ((0, turns), *((e.child, e.turns) for e in self.edges(0, turns))):
            if left >= 0 and self.levels[left].low[node] != self.levels[left].top[node]:
                return False
        return True

    def edges(self, node: int, turns: int, high: bool = False) -> list[Edge]:
        """The moves at a node, sorted; for ``high`` see ``of``."""
        known = self.valuation
        where = known.edges_of(node)
        columns = (known.moves, known.children, known.begins, known.weights)
        found = []
        for move, child, begins, weight in zip(*(c[where].tolist() for c in columns), strict=True):
            left = turns - begins
            value = self.of(child, left, high)
            found.append(Edge(self.graph.term(move), child, left, weight, value))
        return sorted(found)

    def best(self, node: int, turns: int) -> list[Edge]:
        """The moves that keep the probability; all of ``random``'s, those that add most first."""
        edges = self.edges(node, turns)
        if self.valuation.kinds[node] == Kind.ROLL:
            return sorted(edges, key=lambda edge: (-edge.weight * edge.value, edge.move))
        return [edge for edge in edges if edge.value == self.of(node, turns)]

    def line(self, turns: int) -> list[str]:
        """A line of best moves to the goal, without the same state twice.

        ``random`` makes the moves that add most to the probability. Empty if that is 0.
        """
        met, line = {(0, turns)}, list[str]()
        stack = [iter(self.best(0, turns))]
        while stack:
            edge = next(stack[-1], None)
            if edge is None:
                stack.pop()
                del line[-1:]
            elif edge.value and (edge.child, edge.turns) not in met:
                met.add((edge.child, edge.turns))
                line.append(edge.move)
                if self.valuation.kinds[edge.child] == Kind.REACHED:
                    return line
                stack.append(iter(self.best(edge.child, edge.turns)))
        return []


class Round(NamedTuple):
    """What is known of the puzzle with some number of turns."""

    turns: int
    low: Fraction
    top: Fraction
    """The bounds of the probability within these turns; equal unless values were rounded."""
    high: Fraction
    """An upper bound for any number of turns."""


class PuzzleWithChance(PuzzleRun):
    """A puzzle with chance."""

    def __init__(
        self,
        puzzle: Puzzle,
        budget: Budget,
        progress: Callable[[str], None],
        memory: float | None = None,
        most_rules: int = MOST_RULES,
    ) -> None:
        """Examine the puzzle's position.

        ``memory`` limits the graph [bytes]; the grounder answers if the net would have more than
        ``most_rules`` ground rules. Raises ``BadRequest`` if several roles choose at once,
        ``RulesError`` for rules without an answer, and ``LimitReached``.
        """
        self.puzzle, self.budget, self.progress = puzzle, budget, progress
        self._states, self._memory = self._make_states(most_rules), memory or MEMORY_BYTES
        self._graph = ChanceGraph(self._states, puzzle.defender is None, self._memory)
        self._kind = Kind(int(self._graph.kinds[0]))
        self._measure, self._most = puzzle.goal.measure
        self._asked = Fraction(self._most + 1) if puzzle.goal.expected else puzzle.asked
        """What decides the verdict; an expected value reaches no such number."""
        self.begun = int(self._kind == Kind.ATTACK)
        """1 if the attacker is on move, whose turn has begun; else 0."""
        self.is_reached = self._kind == Kind.REACHED
        """Whether the puzzle's position reaches the goal."""
        self._rounds: list[Round] = []
        self._values: TurnValues | None = None
        self._unlimited: UnlimitedValues | None = None
        """The values for any number of turns."""
        self.decisive: tuple[TurnValues, int] | None = None
        """The values of the first round with the probability asked for, and its further turns."""

    def _make_states(self, most_rules: int) -> ChanceStates:
        puzzle, game = self.puzzle, self.puzzle.state.game
        try:
            tables, weights = net_with_weights(game, puzzle.state.facts, self.budget, most_rules)
            row = tables.row(puzzle.state.facts)
        except TooLarge:
            row = None
        if row is None:
            return GroundedStates(puzzle, self.budget)
        return NetStates(puzzle, tables, row, self.budget, weights)

    def run(self, first: bool = False) -> Solution:
        """Solve the puzzle; with ``first``, find only the verdict."""
        self.interrupted = False
        try:
            while self._kind < Kind.REACHED and not self._is_settled(first):
                if self._is_long():
                    self._unlimited = self._unlimited or UnlimitedValues(
                        self._states, self._most, self._memory, self.budget, self.progress
                    )
                    self._unlimited.run()
                else:
                    self._next_round()
        except (LimitReached, Interrupted) as error:
            self.interrupted = isinstance(error, Interrupted)
            if self._unlimited:
                resume()  # after Ctrl-C; a second one ends this, too
                self._unlimited.narrow()
        return self._solution(first)

    def _is_long(self) -> bool:
        """Whether rounds take too long for any number of turns."""
        many = len(self._graph) > _MOST_NODES or len(self._rounds) > _MOST_ROUNDS
        return self.puzzle.turns == math.inf and many

    def _is_settled(self, first: bool) -> bool:
        if self.puzzle.turns < self.begun or (self._unlimited and self._unlimited.after):
            return True
        if not self._rounds:
            return False
        last = self._rounds[-1]
        if last.turns >= self.puzzle.turns:
            return True
        if last.low == last.high and (first or self.decisive or self._has_all_keys(last.low)):
            return True
        if first and (last.low >= self._asked or last.high < self._asked):
            return True
        return self.puzzle.turns == math.inf and 0 < last.high - last.low < CLOSE

    def _has_all_keys(self, best: Fraction) -> bool:
        """Whether more turns let no other move reach the best value, which the last round has."""
        assert self._values
        values, turns = self._values, len(self._rounds) - 1
        edges = values.edges(0, turns, high=True) if self.begun and best else []
        return all(e.value < best or values.of(e.child, e.turns) == best for e in edges)

    def _next_round(self) -> None:
        """Find the values with one more turn."""
        graph, turns = self._graph, len(self._rounds)
        self.progress(
            f"{turns_text(turns + self.begun)}, {counted(self.budget.positions, 'position')}"
        )
        values = self._values
        if values is None or not graph.is_whole:
            graph.explore()
            valuation = Valuation(graph, self.budget.check, self._most)
            values = TurnValues(graph, valuation, self._most)
        order = values.valuation
        exact = order.factor ** (order.longest * (turns + 1))
        is_long = exact.bit_length() > (
            _EXACT_BITS if self.puzzle.turns == math.inf else _MOST_BITS
        )
        is_rounded = is_long or bool(order.circular)
        one = _ROUNDED_ONE // order.widest if is_rounded else exact
        each = 8 if one < WIDE_NUMBER else 40 + one.bit_length() / 8  # bytes of a number
        while len(values.levels) <= turns:
            graph.check_memory(_LEVEL_ARRAYS * each * len(graph) * (1 + len(values.levels)))
            values.add(one, is_rounded)
        self._values = values
        level = values.levels[-1]
        found = (Fraction(int(each[0]), one) for each in level[1:])
        self._rounds.append(Round(turns + self.begun, *found))
        reached = self._rounds[-1].low >= self._asked
        if not self.decisive and reached and values.is_exact(turns):
            self.decisive = values, turns

    @property
    def known(self) -> tuple[Fraction, Fraction]:
        """The known bounds of the probability within the turns asked for."""
        if self._kind >= Kind.REACHED:
            return (Fraction(int(self._graph.worth[0]) * self.is_reached),) * 2
        if self.puzzle.turns < self.begun:
            return Fraction(0), Fraction(0)
        low, high = Fraction(0), Fraction(self._most)
        if self._unlimited:
            low, high = self._unlimited.bounds
        if not self._rounds:
            return low, high
        last = self._rounds[-1]
        if self.puzzle.turns == math.inf:
            return max(low, last.low), min(high, last.high)
        return last.low, last.top if last.turns >= self.puzzle.turns else last.high

    @property
    def settled(self) -> tuple[TurnValues, int] | None:
        """The values of the answer's keys and line, and the turns after the position's own.

        These are the fewest turns that suffice, or else all that were asked for. None unless the
        exact values are known.
        """
        (low, high), turns = self.known, len(self._rounds) - 1
        if self.decisive or not self._values or low < high or not self._values.is_exact(turns):
            return self.decisive
        return self._values, turns

    def own_certificate(self, solution: Solution) -> JsonObject | None:
        """A certificate with strategies for both bounds. Raises ``LimitReached``."""
        reasons = {
            "too many turns: give --within": self._unlimited,
            "random moves together with a player": self._states.has_joint_rolls,
        }
        for reason, is_so in reasons.items():
            if is_so:
                raise LimitReached(reason)
        low, high = self.known
        return chance_certificate(self, solution) if low or high < self._most else None

    def with_bounds(self, solution: Solution) -> Solution:
        """A solution of ``run(first=True)`` with the numbers of turns that its proof needs."""
        return self._solution(first=False) if solution.is_complete else solution

    @property
    def last(self) -> Round | None:
        """The last round."""
        return self._rounds[-1] if self._rounds else None

    def values_at(self, turns: int) -> TurnValues:
        """Values for so many turns after the position's own."""
        if self.decisive and turns <= self.decisive[1]:
            return self.decisive[0]
        assert self._values
        return self._values

    def _solution(self, first: bool) -> Solution:
        low, high = self.known
        verdict = "unknown" if low < self._asked <= high else "not_forced"
        distance = at_most = None
        if low >= self._asked:
            verdict = "forced"
            if self.is_reached or (self.decisive and not first):
                distance = self.decisive[1] + self.begun if self.decisive else 0
            elif not first:
                enough = (each.turns for each in self._rounds if each.low >= self._asked)
                at_most = next(enough, None)
        refuted = [each.turns for each in self._rounds if each.top < self._asked]
        keys: list[str] = []
        line: list[str] = []
        if not first and self.settled and low > 0:
            values, turns = self.settled
            keys = [edge.move for edge in values.best(0, turns) if self.begun]
            line = [] if self._states.has_joint_rolls else values.line(turns)
        elif not first and self._unlimited and self._unlimited.after and low > 0:
            keys = sure_best(self._unlimited.after) if self.begun else []
        if self.puzzle.goal.expected:
            is_known = low == high or (self.puzzle.turns == math.inf and self._is_settled(first))
            verdict, refuted = "forced" if is_known else "unknown", []
        least = max(refuted, default=None)
        found = self.solution(verdict, distance, keys, line, at_most=at_most, not_within=least)
        return found.with_bounds(low, high, self._measure)
