"""What follows in a game with hidden information, for many states and joint moves at a time.

The checks of plans and bounds are generators: each asks for the joint moves that it needs next, and
clingo grounds those of all of them together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence, Set
from fractions import Fraction
from itertools import product
from typing import NamedTuple, TypeVar

from ...asp.clingo_api import Number, Symbol, SymbolType, Tuple_
from ...asp.nodes import kind_of
from ...asp.statements import TRUE, Signature, constants_of
from ...asp.symbols import known_symbol
from ...gdl.predicates import CHANCE
from ...gdl.reasoner import Consequences, read_goals, the_one_on_move
from ...gdl.rules import Rules
from ...runtime.budget import Budget
from ...runtime.errors import BadRequest, Rejected
from .claim import Claim
from .situations import situated
from .stepper import OpenSteps, State, StateBits, symbol_of

Weight = Fraction | int
Weights = dict[State, Weight]
"""States with their probabilities or parts of them."""
Seen = tuple[tuple[str, ...], ...]
"""What the attacker perceives, ply by ply, sorted."""
Edge = tuple[State, tuple[str, ...]]
"""A state, and a move for each role."""
After = tuple[State, tuple[str, ...]]
"""The state after a joint move, and what the attacker perceives, sorted."""
T = TypeVar("T")
Asking = Generator[list[Edge], Sequence[After], T]
"""A check that asks for joint moves."""

_MOST_PLIES = 1000  # plies without a move of the attacker
_MOST_VIEWS = 1_000_000  # views of states
_STATES, _EDGES = 400, 40_000  # in one step
_MOST_JOINT_MOVES = 160_000  # joint moves in one grounding


class Look(NamedTuple):
    """A state as the attacker's puzzle has it."""

    legal: tuple[tuple[str, ...], ...]
    """The moves of each role."""
    own: frozenset[str]
    """The moves of the attacker."""
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
    lost: State | None
    """A state in which play has ended without the goal; None if there is none."""


class HiddenSteps(StateBits):
    """Answers about states and joint moves, with clingo's grounder."""

    def __init__(self, claim: Claim, budget: Budget, progress: Callable[[int, int], None]) -> None:
        super().__init__()
        puzzle = self._puzzle = claim.puzzle
        self._budget, self._progress = budget, progress
        self._roles = puzzle.state.game.roles
        self._attacker = self._roles.index(puzzle.attacker)
        self._shown = _shown_fluents(puzzle.state.game.rules)
        self._views = OpenSteps(puzzle, _STATES, (), "view")
        self._joint = OpenSteps(puzzle, _MOST_JOINT_MOVES, ("joint", "changes"), "joint")
        self._mask = 0  # the fluents on which views depend
        self._looks: dict[State, Look] = {}
        self.edges = 0
        """The number of joint moves examined."""

    def bit(self, fluent: int) -> State:
        """The bit of a fluent."""
        if fluent not in self._bits:
            term = symbol_of(fluent)
            is_named = term.type is SymbolType.Function and term.positive
            if self._shown is None or (
                is_named and (term.name, len(term.arguments)) in self._shown
            ):
                self._mask |= super().bit(fluent)
        return super().bit(fluent)

    def look(self, state: State) -> Look:
        """The view of a state."""
        shown = state & self._mask
        if shown not in self._looks:
            self.prepare([state])
        return self._looks[shown]

    def facts(self, state: State) -> str:
        """The facts of a state."""
        return " ".join(sorted(map(str, self.fluents(state))))

    def moves(self, state: State) -> frozenset[str]:
        """The attacker's moves by ``legal/2``."""
        return self.look(state).own

    # --- play -------------------------------------------------------------------------------------

    def begin(self) -> Asking[Aftermath]:
        """What may be at the attacker's first turn. Raises ``Rejected``, as ``play`` does."""
        start = self.state_of(self._puzzle.state.facts)
        return self._until_turn("start", {(): {(start, True): 1}})

    def play(self, place: str, states: Weights, move: str) -> Asking[Aftermath]:
        """What may follow from a move in those of some states in which it is legal.

        The other role chooses as chance does. Raises ``Rejected`` if the attacker can't know what
        it has to.
        """
        begins = self._puzzle.defender is None
        cases = {(s, begins): p for s, p in states.items() if move in self.moves(s)}
        after: dict[Seen, dict[tuple[State, bool], Weight]] = {}
        yield from self._ply(cases, (), after, move)
        return (yield from self._until_turn(place, after))

    def _until_turn(
        self, place: str, groups: dict[Seen, dict[tuple[State, bool], Weight]]
    ) -> Asking[Aftermath]:
        won: Weight = 0
        sets: dict[Seen, tuple[Weights, bool]] = {}
        lost = None
        for _ in range(_MOST_PLIES):
            on: dict[Seen, dict[tuple[State, bool], Weight]] = {}
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
        raise Rejected(f"{place}: the attacker isn't on move for {_MOST_PLIES} plies")

    def _ply(
        self,
        cases: Mapping[tuple[State, bool], Weight],
        seen: Seen,
        after: dict[Seen, dict[tuple[State, bool], Weight]],
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

    def prepare(self, states: Iterable[State]) -> None:
        """Find the views of states."""
        wanted = [s for s in {state & self._mask: None for state in states} if s not in self._looks]
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
        self.prepare(state for state, _ in found)
        return found

    def _view(self, states: Sequence[State]) -> None:
        """Find the views of states, which have no other fluents, from one step."""
        situations = {Number(place): self.fluents(state) for place, state in enumerate(states)}
        self._views.ask(len(states), {}, situations)
        places = {number._rep: place for place, number in enumerate(situations)}
        read = self._views.read
        legal: list[list[tuple[str, str]]] = [[] for _ in states]
        for role, move, place in read("s_legal", 3):
            legal[places[place]].append((self.text(role), self.text(move)))
        terminal = {places[place] for (place,) in read("s_terminal", 1)}
        goals: list[list[tuple[Symbol, Symbol]]] = [[] for _ in states]
        for role, value, place in read("s_goal", 3):
            goals[places[place]].append((symbol_of(role), symbol_of(value)))
        movers: list[list[str]] = [[] for _ in states]
        for role, place in read("s_to_move", 2):
            if (name := self.text(role)) in self._roles:
                movers[places[place]].append(name)
        weights: list[dict[str, list[str]]] = [{} for _ in states]
        for move, weight, place in read("s_weight", 3):
            given = weights[places[place]].setdefault(self.text(move), [])
            given.append(self.text(weight))
        if len(self._looks) + len(states) > _MOST_VIEWS:
            raise BadRequest(f"the certificate leads to more than {_MOST_VIEWS:,} views of states")
        for place, state in enumerate(states):
            moves = self._by_role(legal[place])
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
                frozenset(moves[attacker]),
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

    def _by_role(self, legal: Sequence[tuple[str, str]]) -> Mapping[str, tuple[str, ...]]:
        """The moves of each role, sorted."""
        found: dict[str, list[str]] = {role: [] for role in self._roles}
        for role, move in sorted(legal):
            if role in found:
                found[role].append(move)
        return {role: tuple(moves) for role, moves in found.items()}

    def _chances(
        self, state: State, moves: Sequence[str], given: Mapping[str, list[str]]
    ) -> Iterable[tuple[str, Fraction]]:
        """The probabilities of a role's moves: equal ones, or by their weights."""
        stated = [given.get(move, []) for move in moves]
        if not any(stated):
            return [(move, Fraction(1, len(moves))) for move in moves]
        if not all(len(each) == 1 and each[0].isdecimal() and int(each[0]) for each in stated):
            raise Rejected(f"weight/2 must give each move a chance in {self.facts(state)}")
        numbers = [int(weight) for (weight,) in stated]
        return [(m, Fraction(n, sum(numbers))) for m, n in zip(moves, numbers, strict=True)]

    def _step(self, edges: Sequence[Edge]) -> list[After]:
        """The states after joint moves, from one step."""
        states = {state: Number(n) for n, state in enumerate(dict.fromkeys(s for s, _ in edges))}
        joint = {moves: Number(n) for n, moves in enumerate(dict.fromkeys(m for _, m in edges))}
        roles = [known_symbol(role) for role in self._roles]
        moves_in: dict[State, list[Symbol]] = {state: [] for state in states}
        for state, made in edges:
            moves_in[state].append(joint[made])
        groups: dict[tuple[int, ...], tuple[Symbol, list[Symbol]]] = {}
        in_group = []
        for state, own in moves_in.items():  # states with the same joint moves
            key = tuple(number._rep for number in own)
            group, _ = groups.setdefault(key, (Number(len(groups)), own))
            in_group.append(Tuple_([states[state], group]))
        given = {
            "groups": in_group,
            "edges": [Tuple_([group, number]) for group, own in groups.values() for number in own],
            "joint": [
                Tuple_([number, role, known_symbol(move)])
                for moves, number in joint.items()
                for role, move in zip(roles, moves, strict=True)
            ],
        }
        situations = {number: self.fluents(state) for state, number in states.items()}
        self._joint.ask(len(edges), given, situations)
        ends = [(states[state]._rep, joint[moves]._rep) for state, moves in edges]
        after = {end: state for end, (state, _) in zip(ends, edges, strict=True)}
        for name in ("gains", "loses"):
            for fluent, state, moves in self._joint.read(name, 3):
                after[state, moves] ^= self.bit(fluent)
        seen: dict[tuple[int, int], list[str]] = {}
        attacker = roles[self._attacker]._rep
        for role, percept, state, moves in self._joint.read("m_sees", 4):
            if role == attacker:
                seen.setdefault((state, moves), []).append(self.text(percept))
        return [(after[end], tuple(sorted(seen.get(end, ())))) for end in ends]


def _shown_fluents(rules: Rules) -> Set[Signature] | None:
    """The names and arities of the fluents on which the view of a state depends; None for all.

    States with the same fluents of these names have the same legal moves, values and the like.
    """
    program, found = situated(rules, "view")[0], set[Signature]()
    replaced = constants_of(program.rules).union(program.constants)
    for literal in (each for rule in program.rules for each in rule.literals):
        if TRUE in literal.signatures:
            term = literal.arguments[0].node if literal.arguments else None
            if term is None or kind_of(term) not in ("Function", "SymbolicTerm"):
                return None
            name = re.fullmatch(r"([a-z]\w*)(\(.*\))?", str(term))
            if name is None or name[1] in replaced:
                return None
            found.add((name[1], len(term.arguments) if kind_of(term) == "Function" else 0))
    return found
