"""Puzzles with hidden information, as other puzzles are solved: verdict, distance, probability."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import count
from typing import Any

from ...puzzle.problem import Puzzle
from ...puzzle.proof.certificate import claim_of
from ...puzzle.question import turns_text
from ...puzzle.solution import Solution
from ...puzzle.solved import MEMORY_BYTES, PuzzleRun
from ...runtime.arguments import counted
from ...runtime.budget import Budget
from ...runtime.errors import BadRequest, Interrupted, LimitReached, TooLarge
from ...runtime.json_lines import JsonObject
from .belief_moves import refuse_unknown_turns
from .belief_outcomes import LOST, WON, OutcomeTable
from .belief_values import Belief, BeliefValues
from .bound_writer import MOST_NODES, BoundWriter
from .sure_search import QuickPlans, SureSearch

_LARGE_SET = 1 << 20  # joint moves of the first set of states from which a quick plan is looked for
_DIRECT_TURNS = 50  # turns that are searched at once
_EFFORT = 2_000_000  # outcomes examined for the probability if certainty was asked for


class HiddenPuzzle(PuzzleRun):
    """A puzzle in which the attacker sees only what ``sees/2`` says.

    Its plan depends on that alone. The other role is taken to know everything.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        budget: Budget,
        progress: Callable[[str], None],
        memory: float | None = None,
    ) -> None:
        """Make the net, and find the sets of states with which the attacker's first turn begins.

        ``memory`` limits the tables [bytes]. If time or memory ends in this, ``run`` knows nothing.
        Raises ``BadRequest``, ``RulesError`` and ``TooLarge``.
        """
        if puzzle.defender is not None and puzzle.asked < 1:
            raise BadRequest(
                f"with hidden information and an opponent, {puzzle.attacker} has a sure plan or "
                "none: --chance must be 1"
            )
        self.puzzle, self.budget, self.progress = puzzle, budget, progress
        self._refuted, self._is_ready, self._ended = -1, False, False
        self._at_most: int | None = None
        self._won = self._least = Fraction(0)
        """The probability that the goal is reached before the attacker's first turn, and a lower
        bound of the probability.
        """
        self._valued = 0
        """The turns in which a plan reaches that bound."""
        try:
            self._prepare(memory or MEMORY_BYTES)
        except TooLarge:
            raise
        except (LimitReached, Interrupted) as error:
            self._ended = isinstance(error, Interrupted)
            return
        self._is_ready = True

    def _prepare(self, memory: float) -> None:
        self.table = OutcomeTable(self.puzzle, self.budget, memory)
        start = self.table.start()
        chances: dict[int, dict[int, Fraction]] = {}
        self._is_lost = bool((start.after == LOST).any())
        for seen, after, number in zip(start.seen, start.after, start.chances, strict=True):
            probability = self.table.probabilities[number]
            if after == WON:
                self._won += probability
            elif after != LOST:
                states = chances.setdefault(int(seen), {})
                states[int(after)] = states.get(int(after), Fraction(0)) + probability
        self.beliefs: dict[int, tuple[Belief, Fraction]] = {}
        """The first sets by what the attacker has seen, each with what its chances are worth."""
        for seen, states in chances.items():
            one = math.lcm(*(each.denominator for each in states.values()))
            belief, divisor = Belief.of({s: int(each * one) for s, each in states.items()})
            self.beliefs[seen] = belief, Fraction(divisor, one)
        refuse_unknown_turns(self.table, {(-1, seen) for seen in self.beliefs})
        sets = [belief.states for belief, _ in self.beliefs.values()]
        self.sure = SureSearch(self.table, sets, self.budget)
        self.values = BeliefValues(self.table, self.sure, math.inf)

    def own_certificate(self, solution: Solution) -> JsonObject | None:
        """A certificate with a plan for what can be reached, and bounds of what can't.

        Bounds are left out if they exceed a limit and the plan proves something alone. Of an
        undecided puzzle, or one whose bounds exceed a limit, it proves that some turns are too few,
        and what a plan reaches in these; None if neither is known.
        """
        if solution.verdict == "unknown":
            return self._of_undecided(solution)
        is_forced, asked = solution.verdict == "forced", self.puzzle.asked
        turns = solution.at_most if solution.distance is None else solution.distance
        short = solution.not_within if solution.distance is None else solution.distance - 1
        short = short if is_forced and short is not None and short >= 0 else None
        proved = replace(solution, distance=None, keys=(), at_most=turns)
        least, most = asked if is_forced else Fraction(0), Fraction(1)
        found: JsonObject = {}
        if is_forced:
            found["at_most"] = turns
            found["plan"] = self._plan(turns or 0)
        elif exact := self.puzzle.defender is None and solution.probability:
            least, found["plan"] = exact, self._plan(self._most_turns)
        writer = BoundWriter(self.table, self.sure, self.values, self.budget)
        bounds: JsonObject = {}
        try:
            if not is_forced and self.budget.seconds_left < math.inf:
                self.budget.reserve = self.budget.seconds_left / 2
            if not is_forced or (solution.probability or 1) < 1:
                is_sure = solution.probability is None or self.puzzle.defender is not None
                edges: tuple[list[Any], Fraction] = [], self._reachable - self._won
                told = solution.probability, solution.probability_at_most
                if self._reachable not in told or (not is_forced and self._reachable >= asked):
                    edges = writer.edges(self.beliefs, self.puzzle.turns, is_sure)
                bounds["within"], most = edges[0], self._won + edges[1]
            if short is not None:
                bounds["not_within"], _ = writer.edges(self.beliefs, short, asked == 1)
        except LimitReached:
            if not is_forced:
                self.budget.reserve = 0.0
                less = min(self._refuted, self.puzzle.turns - 1)
                weaker = replace(solution, verdict="unknown", not_within=int(max(less, 0)))
                if proof := self._of_undecided(weaker):
                    return proof
                raise
            bounds, short, most = {}, None, Fraction(1)
        finally:
            self.budget.reserve = 0.0
        if bounds:
            found["bounds"] = writer.written() | bounds
        return self._claimed(proved, short, (least, most)) | found

    def _claimed(
        self, solution: Solution, short: int | None, bounds: tuple[Fraction, Fraction]
    ) -> JsonObject:
        least, most = map(str, bounds)
        return {
            **claim_of(self.puzzle, solution),
            "keys_complete": False,
            "not_within": short,
            "chance": str(self.puzzle.asked),
            "probability_at_least": least,
            "probability_at_most": most,
        }

    def _of_undecided(self, solution: Solution) -> JsonObject | None:
        """What a stopped search proves, with as many turns too few as the limits allow."""
        short, budget = solution.not_within or 0, self.budget
        if not self._is_ready:
            return None
        known = self._least, self._reachable
        if self.puzzle.defender is not None:  # whose moves aren't a matter of probability
            known = Fraction(0), Fraction(1)
        found: JsonObject = {}
        if known[0]:
            found["plan"] = self._plan(self._valued)
        bounds: JsonObject = {} if known[1] == 1 else {"states": [], "nodes": [], "within": []}
        while short:
            if budget.seconds_left < math.inf:
                budget.reserve = budget.seconds_left / 2
            writer = BoundWriter(self.table, self.sure, self.values, budget)
            try:
                edges, _ = writer.edges(self.beliefs, short, self.puzzle.asked == 1)
                bounds |= writer.written() | {"not_within": edges}
                break
            except LimitReached:
                short -= 1
            finally:
                budget.reserve = 0.0
        if bounds:
            found["bounds"] = bounds
        return self._claimed(solution, short or None, known) | found if found else None

    def _plan(self, turns: int) -> JsonObject:
        """The plan that reaches the goal as probably as possible within so many turns.

        It is a tree of the attacker's moves, by what it sees. Raises ``LimitReached``.
        """
        self.sure.total = turns
        nodes: list[JsonObject] = []
        waiting: list[tuple[list[Any], Belief, int]] = []

        def move(belief: Belief, turns: int) -> int:
            if self.sure.won(belief.states, turns):
                return self.sure.move(belief.states)
            return self.values.best(belief, turns).move

        def edges(sets: Mapping[int, Belief], lefts: Mapping[int, int]) -> list[Any]:
            found = []
            for seen, belief in sets.items():
                if (left := lefts[seen]) and move(belief, left) >= 0:
                    edge: list[Any] = [[list(ply) for ply in self.table.history(seen)], None]
                    waiting.append((edge, belief, left))
                    found.append(edge)
            return found

        first = {seen: belief for seen, (belief, _) in self.beliefs.items()}
        start = edges(first, dict.fromkeys(first, turns))
        for edge, belief, left in waiting:  # grows
            if len(nodes) >= MOST_NODES:
                raise LimitReached(f"the plan has more than {MOST_NODES:,} moves")
            edge[1], chosen = len(nodes), move(belief, left)
            moves = self.sure.moves(belief.states, chosen)
            node: JsonObject = {"move": self.table.terms[chosen]}
            nodes.append(node)
            lefts = {seen: left - begins for seen, _, begins in moves.sets(0)}
            if then := edges(self.values.after(belief, moves), lefts):
                node["then"] = then
        return {"start": start, "nodes": nodes}

    def run(self, first: bool = False) -> Solution:
        """Solve the puzzle; with ``first``, find only the verdict."""
        self.interrupted, self._refuted, self._at_most = self._ended, -1, None
        self._least, self._valued = self._won, 0
        is_sure, one = self.puzzle.asked == 1, Fraction(1)
        if not self._is_ready:
            return self._solution("unknown", None, (Fraction(0), one))
        try:
            distance = self._distance(first)
        except (LimitReached, Interrupted) as error:
            self.interrupted = isinstance(error, Interrupted)
            if self._at_most is None:
                return self._solution("unknown", None, (self._least, self._reachable))
            return self._solution("forced", None, (one, one))
        verdict = "not_forced" if distance is None else "forced"
        if first:
            return self._solution(verdict, None, None)
        if distance is not None and is_sure:
            self._at_most = None
            return self._solution(verdict, distance, (one, one), self._keys(distance, True))
        if self.puzzle.defender is not None:
            return self._solution(verdict, distance, None)
        try:
            bounds = self._best(self.puzzle.turns)
            return self._solution(verdict, distance, bounds, self._keys(self.puzzle.turns, False))
        except Interrupted:
            self.interrupted = True
            return self._solution(verdict, distance, (self._least, self._reachable))

    def _distance(self, first: bool) -> int | None:
        """The fewest turns in which the probability asked for is forced; None if none suffice.

        With ``first``, any such number.
        """
        asked, within = self.puzzle.asked, self.puzzle.turns
        if self._reachable < asked or (asked == 1 and self._is_lost):
            self._refuted = int(min(within, _DIRECT_TURNS))
            return None
        if asked == 1 and self._quick_plan(first) and first:
            return self._at_most
        if asked == 1 and within <= _DIRECT_TURNS and self._at_most is None:
            # A plan for all turns is found sooner than it is known that fewer don't suffice.
            while self._refuted < within and self.sure.are_too_large(self._refuted + 1):
                self._refuted += 1
            if self._refuted == within or not self._suffices(int(within)):
                self._refuted = int(within)
                return None
            if first:
                return int(within)
            self._at_most = int(within)
        for turns in count():
            if turns > self.puzzle.turns:
                return None
            examined = counted(len(self.sure), "set of states", "sets of states")
            self.progress(f"Searching {turns_text(turns)}: {examined}")
            if self._suffices(turns):
                return turns
            self._refuted = turns
            if turns >= self.sure.longest() or (asked == 1 and self.sure.never_won(turns)):
                return None
        return None

    def _quick_plan(self, first: bool) -> bool:
        """Whether a sure plan is found quickly, where the outcomes of all moves take long.

        Without ``first``, better ones are looked for, too.
        """
        starts = [belief.states for belief, _ in self.beliefs.values()]
        if max(map(self.table.joint_moves, starts), default=0) < _LARGE_SET:
            return False
        quick, turns = QuickPlans(self.table, self.sure, self.budget), self.puzzle.turns
        turns = int(min(turns, _DIRECT_TURNS))
        while turns > 0 and quick.all_won(starts, turns):
            self._at_most = max(self.sure.turns(states) for states in starts)
            self.progress(f"A plan for {turns_text(self._at_most)} is found")
            turns = 0 if first else self._at_most - 1
        return self._at_most is not None

    def _suffices(self, turns: int) -> bool:
        asked = self.puzzle.asked
        if asked == 1:
            return self.sure.all_won(turns)
        self._least = self._value(turns)
        return self._least >= asked

    def _value(self, turns: int) -> Fraction:
        """The best probability within so many turns."""
        self.sure.total = turns
        value = self._won + sum(
            self.values.best(belief, turns).won * worth for belief, worth in self.beliefs.values()
        )
        self._valued = turns
        return value

    def _best(self, turns: float) -> tuple[Fraction, Fraction]:
        """Bounds of the best probability within so many turns; equal if it is known."""
        most = self._most_turns
        is_whole = most >= min(turns, self.sure.longest())
        if self.puzzle.asked == 1:
            self.values = BeliefValues(self.table, self.sure, _EFFORT)
        low = self._won
        try:
            for fewer in range(most + 1):  # the value with fewer turns is a lower bound
                low = self._least = self._value(fewer)
            high = low
        except LimitReached:
            bounds = [(self.values.bounds(b, most), worth) for b, worth in self.beliefs.values()]
            low = max(low, self._won + sum(least * worth for (least, _), worth in bounds))
            high = self._won + sum(greatest * worth for (_, greatest), worth in bounds)
        return low, high if is_whole or low == 1 else self._reachable

    @property
    def _most_turns(self) -> int:
        """The turns of the search for the probability."""
        return int(min(self.puzzle.turns, self.sure.longest(), max(self._refuted, 0) + 1))

    @property
    def _reachable(self) -> Fraction:
        """An upper bound for any number of turns."""
        return self._won + sum(
            worth * sum(belief.weights) for belief, worth in self.beliefs.values()
        )

    def _keys(self, turns: float, is_sure: bool) -> list[str]:
        """The attacker's best moves within so many turns, if it is on move now."""
        if 0 not in self.beliefs or not turns:  # another role moves first
            return []
        with suppress(LimitReached):
            ((belief, _),) = self.beliefs.values()
            if is_sure:
                found = self.sure.keys(belief.states, int(turns))
                return sorted(self.table.terms[move] for move in found)
            if (most := min(turns, self.sure.longest())) == math.inf:
                return []
            values = self.values.values(belief, int(most))
            best = max((value for _, value in values), default=Fraction(0))
            return sorted(self.table.terms[move] for move, value in values if value == best > 0)
        return []

    def _solution(
        self,
        verdict: str,
        distance: int | None,
        bounds: tuple[Fraction, Fraction] | None,
        keys: list[str] | None = None,
    ) -> Solution:
        low, high = bounds if bounds and self.puzzle.state.game.chance else (None, None)
        is_exact, is_open = low == high, verdict == "unknown" or self._at_most is not None
        return self.solution(
            verdict,
            distance,
            keys or (),
            at_most=self._at_most,
            not_within=self._refuted if self._refuted >= 0 and is_open else None,
            probability=low if is_exact else None,
            probability_at_least=None if is_exact else low,
            probability_at_most=None if is_exact else high,
            hidden=True,
        )
