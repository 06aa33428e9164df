"""Checking the plan of a certificate with hidden information, with clingo alone.

The checker plays the plan in all states that may be the case, and asks clingo for what follows and
what the attacker sees. A plan's next move depends on what the attacker has seen and nothing else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

from ...asp.clingo_api import Symbol, Tuple_
from ...asp.grounding import Query
from ...asp.symbols import known_symbol
from ...gdl.predicates import CHANCE
from ...gdl.reasoner import Consequences, Facts
from ...gdl.reasoner.grounder import Grounder
from ...runtime.budget import Budget
from ...runtime.errors import BadRequest, Rejected
from .claim import Claim

Seen = tuple[tuple[str, ...], ...]
"""What the attacker perceives, ply by ply, sorted."""
Case = tuple[Facts, bool]
"""A state, and whether the attacker begins a turn if it is on move there."""
States = dict[Case, Fraction]
"""The cases that there may be, with their probabilities."""
Found = dict[Seen, tuple[dict[Facts, Fraction], bool]]
"""By what the attacker has seen when it is on move: the states, and whether it begins a turn."""

_LONGEST = 1000  # plies without a move of the attacker
_MOST = 1_000_000  # states that a plan may carry


class PlanCheck:
    """A plan, and what it reaches."""

    def __init__(self, claim: Claim, budget: Budget, progress: Callable[[int, int], None]) -> None:
        self._claim, self._budget, self._progress = claim, budget, progress
        game = claim.puzzle.state.game
        self._attacker = claim.puzzle.attacker
        self._grounder = Grounder(game.rules)
        self._known: dict[Facts, Consequences] = {}
        self._weights: dict[Facts, Mapping[str, int]] = {}
        self.won = Fraction(0)
        """The probability with which the plan reaches the goal."""
        self.edges = 0
        """The number of joint moves examined."""

    @cached_property
    def _after(self) -> Query:
        rules = self._claim.puzzle.state.game.rules
        wanted = ("next", 1), ("sees", 2)
        return Query(rules.encoding.checked(rules.constants, "base"), rules.constants, wanted)

    def check(self, plan: Any) -> int:
        """Check a plan; returns the number of its nodes. Raises ``Rejected``."""
        nodes = plan.get("nodes") if isinstance(plan, dict) else None
        if not isinstance(nodes, list) or not isinstance(plan.get("start"), list):
            raise Rejected("plan: it must have a list of nodes, and a start")
        claim = self._claim
        turns = claim.at_most or 0
        waiting: dict[int, tuple[dict[Facts, Fraction], int]] = {}

        def go(place: str, shown: Any, found: Found, turns_left: int, least: int) -> None:
            named = _edges(place, shown, len(nodes), least)
            for seen, (states, begins) in found.items():
                left = turns_left - begins
                if seen not in named:
                    if self._is_sure:
                        raise Rejected(f"{place}: what follows {list(seen)} is missing")
                    continue
                if left == 0:
                    raise Rejected(f"{place}: the attacker would begin turn {turns + 1}")
                if named[seen] in waiting:
                    raise Rejected(f"{place}: two edges lead to node {named[seen]}")
                waiting[named[seen]] = states, left

        go("plan.start", plan["start"], self._begin(claim.puzzle.state.facts), turns + 1, 0)
        for number, node in enumerate(nodes):
            place = f"plan.nodes[{number}]"
            if number not in waiting:
                raise Rejected(f"{place}: nothing leads there")
            states, left = waiting.pop(number)
            move = node.get("move") if isinstance(node, dict) else None
            if not isinstance(move, str):
                raise Rejected(f"{place}: it must have a move")
            found = self._play(place, states, move)
            go(place, node.get("then", []), found, left, number + 1)
        if claim.at_most is None:
            raise Rejected("verdict: a plan proves that a goal is forced")
        if claim.probability_at_most != 1:
            raise Rejected("probability_at_most: a plan proves no upper bound")
        if self.won < (claim.probability_at_least or 0):
            raise Rejected(f"plan: it reaches the goal with probability {self.won} only")
        return len(nodes)

    @property
    def _is_sure(self) -> bool:
        """Whether every state must be won. An opponent isn't a matter of probability."""
        puzzle = self._claim.puzzle
        return puzzle.defender is not None or self._claim.probability_at_least == 1

    def _begin(self, facts: Facts) -> Found:
        """What there may be before the attacker's first turn."""
        return self._until_turn("plan.start", {(): {(facts, True): Fraction(1)}})

    def _play(self, place: str, states: Mapping[Facts, Fraction], move: str) -> Found:
        """What may follow from a move, apart by what the attacker sees until its next turn."""
        for facts in states:
            if move not in self._of(facts).legal[self._attacker]:
                raise Rejected(f"{place}: {move} isn't legal in {' '.join(facts)}")
        after: dict[Seen, States] = defaultdict(dict)
        for facts, probability in states.items():
            case = facts, self._claim.puzzle.defender is None
            self._ply(case, probability, (), after, move)
        return self._until_turn(place, after)

    def _until_turn(self, place: str, groups: dict[Seen, States]) -> Found:
        """What there may be when the attacker is on move again."""
        found: Found = {}
        for _ in range(_LONGEST):
            on: dict[Seen, States] = defaultdict(dict)
            for seen, states in groups.items():
                going = {c: p for c, p in states.items() if not self._has_ended(place, c[0], p)}
                if not going:
                    continue
                turns = {self._moves(facts, self._attacker) for facts, _ in going}
                if len(turns) > 1:
                    raise Rejected(f"{place}: the attacker can't know whether it is on move")
                if turns == {True}:
                    begun = {begins for _, begins in going}
                    if len(begun) > 1:
                        raise Rejected(f"{place}: the attacker can't know whether a turn begins")
                    found[seen] = {facts: p for (facts, _), p in going.items()}, True in begun
                    continue
                forced = {self._of(facts).legal[self._attacker] for facts, _ in going}
                if len(forced) > 1:
                    raise Rejected(f"{place}: the attacker can't know its only move")
                for case, probability in going.items():
                    self._ply(case, probability, seen, on, None)
            if not on:
                return found
            groups = on
        raise Rejected(f"{place}: the attacker isn't on move for {_LONGEST} plies")

    def _ply(
        self, case: Case, p: Fraction, seen: Seen, after: dict[Seen, States], move: str | None
    ) -> None:
        """All joint moves of a state, in which the attacker makes a move, or its only one."""
        facts, begins = case
        defender = self._claim.puzzle.defender
        begins = begins or (defender is not None and self._moves(facts, defender))
        legal = dict(self._of(facts).legal)
        if move is not None:
            legal[self._attacker] = (move,)
        chances = self._chances(facts)
        for joint in product(*legal.values()):
            moves = dict(zip(legal, joint, strict=True))
            self._spend()
            true = [known_symbol(fact) for fact in facts]
            does = [Tuple_([known_symbol(r), known_symbol(m)]) for r, m in moves.items()]
            atoms = self._after(true, does)
            state = tuple(sorted(str(atom.arguments[0]) for atom in atoms["next", 1]))
            percepts = tuple(sorted(self._percepts(atoms["sees", 2])))
            states = after.setdefault((*seen, percepts), {})
            chance = chances[moves[CHANCE]] if CHANCE in moves else Fraction(1)
            later = state, begins
            states[later] = states.get(later, Fraction(0)) + p * chance

    def _percepts(self, atoms: Sequence[Symbol]) -> Iterator[str]:
        for atom in atoms:
            role, percept = atom.arguments
            if str(role) == self._attacker:
                yield str(percept)

    def _chances(self, facts: Facts) -> Mapping[str, Fraction]:
        moves = self._of(facts).legal.get(CHANCE, ())
        if not self._claim.puzzle.state.game.vocabulary.weighted or len(moves) < 2:
            return {move: Fraction(1, len(moves)) for move in moves}
        given = self._grounder.weights(facts)
        if any(move in given for move in moves) and not all(move in given for move in moves):
            raise Rejected(f"weight/2 is missing for a move in {' '.join(facts)}")
        total = sum(given.get(move, 1) for move in moves)
        return {move: Fraction(given.get(move, 1), total) for move in moves}

    def _of(self, facts: Facts) -> Consequences:
        if facts not in self._known:
            if len(self._known) >= _MOST:
                raise BadRequest(f"the plan leads to more than {_MOST:,} states")
            self._budget.check()
            self._known[facts] = self._grounder.consequences(facts)
        return self._known[facts]

    def _has_ended(self, place: str, facts: Facts, probability: Fraction) -> bool:
        """Whether play ends in a state; adds its probability if that reaches the goal."""
        found, goal = self._of(facts), self._claim.puzzle.goal
        if goal.holds(found, self._attacker):
            self.won += probability
            return True
        if not (found.terminal or not all(found.legal.values())):
            return False
        if self._is_sure:
            raise Rejected(f"{place}: play ends without the goal in {' '.join(facts)}")
        return True

    def _moves(self, facts: Facts, role: str) -> bool:
        """Whether a role is on move, or has a choice."""
        found = self._of(facts)
        return found.to_move == role or len(found.legal[role]) > 1

    def _spend(self) -> None:
        self.edges += 1
        if not self.edges % 100:
            self._budget.check()
            self._progress(self.edges, 0)


def _edges(place: str, shown: Any, nodes: int, least: int) -> dict[Seen, int]:
    """The nodes by what the attacker has seen. Raises ``Rejected`` for malformed edges."""
    found: dict[Seen, int] = {}
    for edge in shown if isinstance(shown, list) else [None]:
        match edge:
            case [list(plies), int(node)] if least <= node < nodes and all(map(_is_ply, plies)):
                seen = tuple(map(tuple, plies))
            case _:
                raise Rejected(f"{place}: each edge has percepts by ply and a later node")
        if seen in found:
            raise Rejected(f"{place}: {plies} is there twice")
        found[seen] = node
    return found


def _is_ply(ply: Any) -> bool:
    return isinstance(ply, list) and all(isinstance(percept, str) for percept in ply)
