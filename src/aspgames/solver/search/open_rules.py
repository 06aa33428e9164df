"""The ground rules of a position and of all that can follow from it, the state left open.

clingo grounds the rules with every fluent that may hold as a choice. Fluents that hold in all of
these states (an Amazons arrow) are facts, and vanish from the rules. What is left is an ordinary
ground program: clingo the solver can be given copies of it, one for each ply (see ``unrolled``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count

import clingo

from ...asp.grounding import ground
from ...gdl.reasoner import HIGHEST_GOAL, Facts, Rules
from ...runtime.budget import MOST_RULES, Budget
from ...runtime.errors import LimitReached, RulesError

_MOST_FLUENTS = 100_000
_MOST_ROUNDS = 100

Move = tuple[str, str]
"""A role and a move's term."""

_OPEN = """
true(F) :- F = @certain().
{ true(F) } :- F = @possible().
{ does(R,M) } :- legal(R,M).
#show true/1.
#show does/2.
#show legal/2.
#show next/1.
#show terminal/0.
#show goal/2.
#show to_move/1.
"""
_CLOSED = "{ true(F) } :- next(F), @admit(F) = 1."


@dataclass(slots=True)
class OpenRules:
    """A ground program over atoms, which are numbers from 1 on; a literal below 0 is a negation.

    ``true`` and ``does`` are not defined by the rules: they are what the program is asked about.
    """

    certain: Facts
    """The fluents that hold in all states."""
    atoms: int = 1
    """How many atoms there are; atom 1 is always true."""
    rules: list[tuple[int, Sequence[int]]] = field(default_factory=lambda: [(1, ())])
    """Head and body of each rule."""
    sums: list[tuple[int, int, Sequence[tuple[int, int]]]] = field(default_factory=list)
    """Head, bound and weighted literals of rules whose body is a sum that reaches a bound."""
    true: dict[str, int] = field(default_factory=dict)
    """The fluents that hold in some states."""
    following: dict[str, int] = field(default_factory=dict)
    """``next/1``."""
    does: dict[Move, int] = field(default_factory=dict)
    legal: dict[Move, int] = field(default_factory=dict)
    goals: dict[tuple[str, int], int] = field(default_factory=dict)
    """``goal/2``, by role and value; negative ones are none from 0 to 100."""
    to_move: dict[str, int] = field(default_factory=dict)
    terminal: int | None = None


def open_rules(rules: Rules, facts: Facts, budget: Budget) -> OpenRules:
    """The ground rules of the states that can follow from one with these facts.

    Begin with every fact for certain. Whatever may hold next is possible, and what isn't sure to
    hold again isn't certain; until nothing new comes up. Where nothing stays certain, or after many
    rounds, a grounding in which fluents follow from each other finds the possible ones at once; a
    last one, with these known, is simpler.

    Raises ``LimitReached`` if there are too many rules, or no end to the fluents, and
    ``RulesError`` if the rules don't settle what follows from a state.
    """
    certain: Facts = facts
    possible: set[str] = set()
    for round_ in count():
        if round_ == _MOST_ROUNDS:
            certain = ()
        if not certain:
            possible.update(facts, _ground(rules, (), facts, True, budget).true)
        found = _ground(rules, certain, possible, False, budget)
        kept = tuple(fluent for fluent in certain if found.following.get(fluent) == 1)
        reached = {*possible, *facts, *found.following}.difference(kept)
        if (kept, reached) == (certain, possible):
            _check_stratified(found)
            return found
        if len(reached) > _MOST_FLUENTS:
            raise LimitReached(f"more than {_MOST_FLUENTS:,} fluents can be reached")
        certain, possible = kept, reached
    raise AssertionError  # the rounds have no end of their own


def _ground(
    rules: Rules, certain: Facts, possible: Iterable[str], closed: bool, budget: Budget
) -> OpenRules:
    budget.check()
    found = OpenRules(certain)
    reader = _Reader(found)
    given = _Given(certain, sorted(set(possible).difference(certain)))
    text = _OPEN + (_CLOSED if closed else "")
    statements = rules.encoding.statements("base")
    ground(rules.constants, statements, given, text, lambda c: c.register_observer(reader))
    reader.finish()
    return found


class _Given:
    """The grounding context: hands in the state, and watches over the fluents that are reached."""

    def __init__(self, certain: Iterable[str], possible: Iterable[str]) -> None:
        self._certain = [clingo.parse_term(fluent) for fluent in certain]
        self._possible = [clingo.parse_term(fluent) for fluent in possible]
        self._admitted = 0

    def certain(self) -> Sequence[clingo.Symbol]:
        return self._certain

    def possible(self) -> Sequence[clingo.Symbol]:
        return self._possible

    def admit(self, _fluent: clingo.Symbol) -> clingo.Symbol:
        self._admitted += 1
        if self._admitted > _MOST_FLUENTS:
            raise LimitReached(f"more than {_MOST_FLUENTS:,} fluents can be reached")
        return clingo.Number(1)


class _Reader(clingo.Observer):
    """Takes down the ground rules as the grounder hands them over.

    Atom N of the grounder's is N+1 here, since atom 1 is the one that is always true.
    """

    def __init__(self, into: OpenRules) -> None:
        self._into = into
        self._chosen: set[int] = set()
        self._open: set[int] = set()

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        if choice:
            self._chosen.update(head)
            return
        if len(head) != 1:
            raise RulesError(f"the rules have {'a disjunction' if head else 'a constraint'}")
        if len(self._into.rules) == MOST_RULES:
            raise LimitReached(f"there are more than {MOST_RULES:,} ground rules")
        self._into.rules.append((self._atom(head[0]), [self._literal(each) for each in body]))

    def weight_rule(
        self, choice: bool, head: Sequence[int], lower_bound: int, body: Sequence[tuple[int, int]]
    ) -> None:
        if choice or len(head) != 1:
            raise RulesError("the rules choose or constrain by an aggregate")
        weighted = [(self._literal(each), weight) for each, weight in body]
        self._into.sums.append((self._atom(head[0]), lower_bound, weighted))

    def external(self, atom: int, value: clingo.TruthValue) -> None:  # noqa: ARG002
        raise RulesError("the rules leave something to be set from outside (#external)")

    def acyc_edge(self, node_u: int, node_v: int, condition: Sequence[int]) -> None:  # noqa: ARG002
        raise RulesError("the rules have a constraint (#edge)")

    def output_atom(self, symbol: clingo.Symbol, atom: int) -> None:
        into, number = self._into, self._atom(atom)
        arguments = symbol.arguments
        match symbol.name, len(arguments):
            case "true", 1:
                if atom:
                    into.true[str(arguments[0])] = number
                    self._open.add(atom)
            case "next", 1:
                into.following[str(arguments[0])] = number
            case "does", 2:
                into.does[str(arguments[0]), str(arguments[1])] = number
                self._open.add(atom)
            case "legal", 2:
                into.legal[str(arguments[0]), str(arguments[1])] = number
            case "goal", 2:
                role, term = arguments
                whole = term.type is clingo.SymbolType.Number
                is_value = whole and 0 <= term.number <= HIGHEST_GOAL
                value = term.number if is_value else -1 - len(into.goals)
                into.goals[str(role), value] = number
            case "to_move", 1:
                into.to_move[str(arguments[0])] = number
            case "terminal", 0:
                into.terminal = number

    def finish(self) -> None:
        """Raise ``RulesError`` if the rules choose, or define what they are given."""
        if self._chosen - self._open:
            raise RulesError("the rules choose: they don't settle what follows from a state")
        given = {self._atom(atom) for atom in self._open}
        if any(head in given for head, _ in self._into.rules):
            raise RulesError("the rules define true/1 or does/2, which are given")

    def _atom(self, number: int) -> int:
        self._into.atoms = max(self._into.atoms, number + 1)
        return number + 1

    def _literal(self, number: int) -> int:
        return self._atom(number) if number > 0 else -self._atom(-number)


def _check_stratified(program: OpenRules) -> None:
    """Raise ``RulesError`` if an atom depends on its own negation.

    Without that, a state and a joint move settle all atoms: there is exactly one answer set.
    """
    bodies: dict[int, list[int]] = {}
    for head, body in program.rules:
        bodies.setdefault(head, []).extend(body)
    for head, _, weighted in program.sums:
        bodies.setdefault(head, []).extend(literal for literal, _ in weighted)
    component = _components(bodies)
    for head, body in bodies.items():
        if any(literal < 0 and component.get(-literal) == component[head] for literal in body):
            raise RulesError("the rules recur through negation: they may settle nothing")


def _components(bodies: dict[int, list[int]]) -> dict[int, int]:
    """The strongly connected component of each atom that has rules (Tarjan's way)."""
    component: dict[int, int] = {}
    lowest: dict[int, int] = {}
    stack: list[int] = []
    for root in bodies:
        if root in lowest:
            continue
        path: list[tuple[int, int, Iterator[int]]] = []
        entered: int | None = root
        while entered is not None or path:
            if entered is not None:
                path.append((entered, len(lowest), iter(bodies[entered])))
                lowest[entered] = len(lowest)
                stack.append(entered)
            atom, number, body = path[-1]
            entered = None
            for literal in body:
                below = abs(literal)
                if below not in bodies or below in component:
                    continue
                if below not in lowest:
                    entered = below
                    break
                lowest[atom] = min(lowest[atom], lowest[below])
            if entered is not None:
                continue
            path.pop()
            if path:
                above = path[-1][0]
                lowest[above] = min(lowest[above], lowest[atom])
            if lowest[atom] == number:
                while True:
                    member = stack.pop()
                    component[member] = number
                    if member == atom:
                        break
    return component
