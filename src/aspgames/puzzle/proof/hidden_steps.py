"""What follows in a game with hidden information, for many states and joint moves at a time.

States and their facts have numbers. The checks of plans and bounds are generators: each asks for
the joint moves that it needs next, and clingo grounds those of all of them together.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import NamedTuple, TypeVar

from ...asp.clingo_api import Function, Number, Symbol
from ...asp.clingo_c import arguments_of
from ...asp.symbols import known_symbol
from ...gdl.predicates import CHANCE
from ...gdl.reasoner import Consequences, Facts, read_goals, the_one_on_move
from ...runtime.budget import Budget
from ...runtime.errors import BadRequest, Rejected, RulesError
from .claim import Claim
from .situations import Grounding

Weight = Fraction | int
Weights = dict[int, Weight]
"""States by number, with their probabilities or parts of them."""
Seen = tuple[tuple[str, ...], ...]
"""What the attacker perceives, ply by ply, sorted."""
Edge = tuple[int, tuple[str, ...]]
"""A state, and a move for each role."""
After = tuple[int, tuple[str, ...]]
"""The state after a joint move, and what the attacker perceives, sorted."""
T = TypeVar("T")
Asking = Generator[list[Edge], Sequence[After], T]
"""A check that asks for joint moves."""

_LONGEST = 1000  # plies without a move of the attacker
_MOST = 1_000_000  # states
_STATES, _EDGES = 400, 40_000  # in one grounding


class Look(NamedTuple):
    """A state as the attacker's puzzle has it."""

    legal: tuple[tuple[str, ...], ...]
    """The moves of each role."""
    attacks: bool
    """Whether the attacker is on move, or has a choice."""
    defends: bool
    """Whether the defender is or has."""
    reached: bool
    """Whether the goal is reached."""
    over: bool
    """Whether play ends otherwise."""
    chances: Mapping[tuple[str, str], Fraction]
    """The probabilities of the others' moves, where they have a choice."""


class Aftermath(NamedTuple):
    """What may be when the attacker is on move again."""

    won: Weight
    """The weight of what has reached the goal."""
    sets: dict[Seen, tuple[Weights, bool]]
    """By what the attacker has seen: the states, and whether it begins a turn."""
    lost: int | None
    """A state in which play has ended without the goal; None if there is none."""


class HiddenSteps:
    """Answers about states and joint moves, with clingo's grounder."""

    def __init__(self, claim: Claim, budget: Budget, progress: Callable[[int, int], None]) -> None:
        self._puzzle, self._budget, self._progress = claim.puzzle, budget, progress
        self._roles = claim.puzzle.state.game.roles
        self._attacker = self._roles.index(claim.puzzle.attacker)
        self._facts: list[Facts] = []
        self._numbers: dict[Facts, int] = {}
        self._looks: dict[int, Look] = {}
        self._terms: dict[int, str] = {}
        self.edges = 0
        """The number of joint moves examined."""

    def number(self, facts: Facts) -> int:
        """The number of a state."""
        found = self._numbers.setdefault(facts, len(self._facts))
        if found == len(self._facts):
            if found >= _MOST:
                raise BadRequest(f"the certificate leads to more than {_MOST:,} states")
            self._facts.append(facts)
        return found

    def look(self, state: int) -> Look:
        """The view of a state."""
        if state not in self._looks:
            self.prepare([state])
        return self._looks[state]

    def text(self, state: int) -> str:
        """The facts of a state."""
        return " ".join(self._facts[state])

    def moves(self, state: int) -> tuple[str, ...]:
        """The attacker's moves by ``legal/2``."""
        return self.look(state).legal[self._attacker]

    # --- play -------------------------------------------------------------------------------------

    def begin(self) -> Asking[Aftermath]:
        """What may be at the attacker's first turn. Raises ``Rejected``, as ``play`` does."""
        start = self.number(self._puzzle.state.facts)
        return self._until_turn("start", {(): {(start, True): 1}})

    def play(self, place: str, states: Weights, move: str) -> Asking[Aftermath]:
        """What may follow from a move in those of some states in which it is legal.

        The other role chooses as chance does. Raises ``Rejected`` if the attacker can't know what
        it has to.
        """
        begins = self._puzzle.defender is None
        cases = {(s, begins): p for s, p in states.items() if move in self.moves(s)}
        after: dict[Seen, dict[tuple[int, bool], Weight]] = {}
        yield from self._ply(cases, (), after, move)
        return (yield from self._until_turn(place, after))

    def _until_turn(
        self, place: str, groups: dict[Seen, dict[tuple[int, bool], Weight]]
    ) -> Asking[Aftermath]:
        won: Weight = 0
        sets: dict[Seen, tuple[Weights, bool]] = {}
        lost = None
        for _ in range(_LONGEST):
            on: dict[Seen, dict[tuple[int, bool], Weight]] = {}
            for seen, cases in groups.items():
                won += sum(p for (s, _), p in cases.items() if self.look(s).reached)
                lost = next((s for s, _ in cases if self.look(s).over), lost)
                going = {
                    case: p
                    for case, p in cases.items()
                    if not (self.look(case[0]).reached or self.look(case[0]).over)
                }
                turns = {self.look(state).attacks for state, _ in going}
                if len(turns) > 1:
                    raise Rejected(f"{place}: the attacker can't know whether it is on move")
                if turns == {True}:
                    begun = {begins for _, begins in going}
                    if len(begun) > 1:
                        raise Rejected(f"{place}: the attacker can't know whether a turn begins")
                    sets[seen] = {state: p for (state, _), p in going.items()}, True in begun
                elif going:
                    if len({self.moves(state) for state, _ in going}) > 1:
                        raise Rejected(f"{place}: the attacker can't know its only move")
                    yield from self._ply(going, seen, on, None)
            if not on:
                return Aftermath(won, sets, lost)
            groups = on
        raise Rejected(f"{place}: the attacker isn't on move for {_LONGEST} plies")

    def _ply(
        self,
        cases: Mapping[tuple[int, bool], Weight],
        seen: Seen,
        after: dict[Seen, dict[tuple[int, bool], Weight]],
        move: str | None,
    ) -> Asking[None]:
        """All joint moves of some states, in which the attacker makes a move, or its only one."""
        edges: list[Edge] = []
        known: list[tuple[bool, Weight]] = []
        for (state, begins), p in cases.items():
            look = self.look(state)
            choices = list(look.legal)
            if move is not None:
                choices[self._attacker] = (move,)
            is_turn = begins or (self._puzzle.defender is not None and look.defends)
            for joint in product(*choices):
                chance = p
                for role, made in zip(self._roles, joint, strict=True):
                    chance *= look.chances.get((role, made), 1)
                edges.append((state, joint))
                known.append((is_turn, chance))
        found = yield edges
        for (is_turn, chance), (state, percepts) in zip(known, found, strict=True):
            states = after.setdefault((*seen, percepts), {})
            later = state, is_turn
            states[later] = states.get(later, 0) + chance

    # --- clingo's answers -------------------------------------------------------------------------

    def answer(self, checks: Iterable[Asking[T]]) -> list[T]:
        """Run checks to their ends together; returns what they return."""
        running = list(enumerate(checks))
        asked: dict[int, list[Edge]] = {}
        results: dict[int, T] = {}
        answers: Mapping[int, Sequence[After]] = {}
        while running:
            asked, on = {}, []
            for number, check in running:
                try:
                    asked[number] = check.send(answers[number]) if answers else next(check)
                    on.append((number, check))
                except StopIteration as end:
                    results[number] = end.value
            running = on
            found = iter(self._make([edge for edges in asked.values() for edge in edges]))
            answers = {n: [next(found) for _ in edges] for n, edges in asked.items()}
        return [results[number] for number in sorted(results)]

    def prepare(self, states: Collection[int]) -> None:
        """Find the views of states."""
        wanted = [state for state in states if state not in self._looks]
        for first in range(0, len(wanted), _STATES):
            self._budget.check()
            self._view(wanted[first : first + _STATES])

    def _make(self, edges: Sequence[Edge]) -> list[After]:
        """Make joint moves."""
        found: list[After] = []
        for first in range(0, len(edges), _EDGES):
            self._budget.check()
            found += self._step(part := edges[first : first + _EDGES])
            self.edges += len(part)
            self._progress(self.edges, 0)
        self.prepare({state for state, _ in found})
        return found

    def _ground(
        self, states: Sequence[int], parts: Sequence[str], given: Mapping[str, list[Symbol]]
    ) -> Grounding:
        grounding = Grounding(self._puzzle, solves=False, joint=bool(given))
        places = [Number(place) for place in range(len(states))]
        fluents = {
            place: [known_symbol(fact) for fact in self._facts[state]]
            for place, state in zip(places, states, strict=True)
        }
        asked = ("situations", "states", *parts)
        grounding.step((), asked, {"situations": places, **given}, fluents)
        return grounding

    def _read(self, grounding: Grounding, name: str, arity: int) -> list[list[int]]:
        """The arguments of a predicate's atoms, as clingo's numbers, without the step."""
        found = arguments_of(grounding.control, name, arity + 1)
        if found is None:
            raise RulesError("the rules don't settle what follows from a state")
        return [atom[:arity] for atom in found]

    def _text(self, term: int) -> str:
        if term not in self._terms:
            self._terms[term] = str(_symbol(term))
        return self._terms[term]

    def _view(self, states: Sequence[int]) -> None:
        grounding = self._ground(states, ("differences",), {})
        places = {Number(place)._rep: place for place in range(len(states))}
        legal = {(self._text(r), self._text(m)) for r, m in self._read(grounding, "first", 2)}
        same = self._by_role(legal)
        differing: dict[int, set[tuple[str, str]]] = {}
        for role, move, place in self._read(grounding, "differs", 3):
            pair = self._text(role), self._text(move)
            differing.setdefault(places[place], set()).add(pair)
        terminal = {places[place] for (place,) in self._read(grounding, "s_terminal", 1)}
        goals: list[list[tuple[Symbol, Symbol]]] = [[] for _ in states]
        for role, value, place in self._read(grounding, "s_goal", 3):
            goals[places[place]].append((_symbol(role), _symbol(value)))
        movers: list[list[str]] = [[] for _ in states]
        for role, place in self._read(grounding, "s_to_move", 2):
            if (name := self._text(role)) in self._roles:
                movers[places[place]].append(name)
        weights: list[dict[str, list[str]]] = [{} for _ in states]
        for move, weight, place in self._read(grounding, "s_weight", 3):
            given = weights[places[place]].setdefault(self._text(move), [])
            given.append(self._text(weight))
        for place, state in enumerate(states):
            moves = self._by_role(legal ^ differing[place]) if place in differing else same
            ends = place in terminal
            found = Consequences(
                moves,
                ends,
                read_goals(self._roles, goals[place], ends),
                the_one_on_move(movers[place], moves),
            )
            attacker, defender = self._puzzle.attacker, self._puzzle.defender
            others = {r: terms for r, terms in moves.items() if r != attacker and len(terms) > 1}
            reached = self._puzzle.goal.holds(found, attacker)
            self._looks[state] = Look(
                tuple(moves.values()),
                found.to_move == attacker or len(moves[attacker]) > 1,
                defender is not None and (found.to_move == defender or len(moves[defender]) > 1),
                reached,
                not reached and (ends or not all(moves.values())),
                {
                    (role, move): chance
                    for role, terms in others.items()
                    for move, chance in self._chances(
                        state, terms, weights[place] if role == CHANCE else {}
                    )
                },
            )

    def _by_role(self, legal: Collection[tuple[str, str]]) -> Mapping[str, tuple[str, ...]]:
        """The moves of each role, sorted."""
        found: dict[str, list[str]] = {role: [] for role in self._roles}
        for role, move in sorted(legal):
            if role in found:
                found[role].append(move)
        return {role: tuple(moves) for role, moves in found.items()}

    def _chances(
        self, state: int, moves: Sequence[str], given: Mapping[str, list[str]]
    ) -> Iterable[tuple[str, Fraction]]:
        """The probabilities of a role's moves: equal ones, or by their weights."""
        told = [given.get(move, []) for move in moves]
        if not any(told):
            return [(move, Fraction(1, len(moves))) for move in moves]
        if not all(len(each) == 1 and each[0].isdecimal() and int(each[0]) for each in told):
            raise Rejected(f"weight/2 must give each move a chance in {self.text(state)}")
        numbers = [int(weight) for (weight,) in told]
        return [(m, Fraction(n, sum(numbers))) for m, n in zip(moves, numbers, strict=True)]

    def _step(self, edges: Sequence[Edge]) -> list[After]:
        """The states after joint moves, from one grounding."""
        states = list(dict.fromkeys(state for state, _ in edges))
        places = {state: Number(place) for place, state in enumerate(states)}
        numbers = [Number(number) for number in range(len(edges))]
        roles = [known_symbol(role) for role in self._roles]
        joint = [
            Function("", [places[state], number, role, known_symbol(move)])
            for number, (state, moves) in zip(numbers, edges, strict=True)
            for role, move in zip(roles, moves, strict=True)
        ]
        given = {
            "joint": joint,
            "edges": [
                Function("", [places[state], number])
                for number, (state, _) in zip(numbers, edges, strict=True)
            ],
        }
        grounding = self._ground(states, ("joint", "changes"), given)
        order = {number._rep: place for place, number in enumerate(numbers)}
        changes: dict[int, list[int]] = {}
        for name in ("gains", "loses"):
            for fluent, _, edge in self._read(grounding, name, 3):
                changes.setdefault(order[edge], []).append(fluent)
        percepts: dict[int, list[str]] = {}
        attacker = roles[self._attacker]._rep
        for role, percept, _, edge in self._read(grounding, "m_sees", 4):
            if role == attacker:
                percepts.setdefault(order[edge], []).append(self._text(percept))
        return [
            (
                self._changed(state, changes[place]) if place in changes else state,
                tuple(sorted(percepts.get(place, ()))),
            )
            for place, (state, _) in enumerate(edges)
        ]

    def _changed(self, state: int, fluents: Iterable[int]) -> int:
        """The state with some fluents added or taken away."""
        facts = {*self._facts[state]}.symmetric_difference(map(self._text, fluents))
        return self.number(tuple(sorted(facts)))


def _symbol(number: int) -> Symbol:
    return Symbol(number)  # type: ignore[no-untyped-call]
