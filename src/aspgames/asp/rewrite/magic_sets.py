"""Rewrites rules so that a grounder, which works bottom-up, derives only the atoms that are needed.

Rule sheets are written for top-down reasoners: ``threatened(S,A,B,C,D)`` is meant for the one
square of a king, but a bottom-up grounder derives it for all squares. So each rule of such a
predicate gets a condition, its demand: some body needs the predicate with these arguments. For each
such body, a rule derives the demand from the literals before. This is the magic set transformation
(Bancilhon, Maier, Sagiv and Ullman 1986; Beeri and Ramakrishnan 1991) with one adornment for each
predicate: the arguments that are bound in all bodies that need it.

Only predicates with many possible atoms are treated so, since demand has a cost, too. Their number
is estimated; those that don't depend on the state are then grounded as a trial, with a limit. A
predicate that would then depend on its own negation is left out.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import inf, prod
from operator import mul

import clingo
from clingo import ast

from ...runtime.errors import LimitReached, RulesError, TooLarge
from ..dependencies import unstratified
from ..grounding import ground
from ..nodes import is_positive, make_function, make_literal, make_rule
from ..statements import (
    DOES,
    TRUE,
    Literal,
    Rule,
    Signature,
    changing_predicates,
    needed_rules,
    rule_of,
)
from ..terms import Constants
from .domains import Domains

PREFIX = "demand "  # no name in a file can contain a blank
_GIVEN = (TRUE, DOES)
_MOST_TRIED = 10_000  # ground rules of a trial
_Known = Mapping[Signature, frozenset[int]]
"""The arguments of predicates that are bound in all bodies that need them."""
_UNKNOWN_TERMS = 1e6  # terms of a variable that may be any term

Rate = Callable[[float, float, frozenset[str], frozenset[str]], float]
"""The rate of a literal; the literal with the least rate is joined next.

Arguments: its atoms, its growth (instances for each instance so far), its variables, and the
variables bound so far.
"""


def slowest_growth(
    _atoms: float, growth: float, names: frozenset[str], bound: frozenset[str]
) -> float:
    """The fewest instances for each newly bound variable."""
    return float(growth ** (1 / max(1, len(names - bound))))


def as_clingo(atoms: float, _growth: float, names: frozenset[str], bound: frozenset[str]) -> float:
    """Approximates clingo's grounder: the fewest atoms, if few variables are bound yet."""
    return float(atoms ** (len(names - bound) / max(1, len(names))))


class Counts:
    """Estimates how many atoms predicates have.

    As databases do (Selinger et al., "Access path selection in a relational database management
    system", 1979), it treats the arguments of a predicate as independent.
    """

    def __init__(self, rules: Sequence[Rule], known: Mapping[Signature, int]) -> None:
        self.domains = Domains(rules)
        self._found: dict[Signature, float] = dict(known)
        self._rules: dict[Signature, set[Rule]] = defaultdict(set)
        for rule in rules:
            for signature in rule.heads:
                self._rules[signature].add(rule)

    def of(self, signature: Signature) -> float:
        """The sum over all its rules; infinite for recursive predicates."""
        if signature not in self._found:
            self._found[signature] = inf  # while its own rules ask for it
            rules = self._rules[signature]
            if rules and signature not in (TRUE, DOES) and all(map(is_plain, rules)):
                self._found[signature] = sum(map(self.said_by, rules))
        return self._found[signature]

    def said_by(self, rule: Rule) -> float:
        """How many atoms a plain rule derives."""
        assert rule.head is not None
        sizes = Sizes(self, rule.literals)
        return min(sizes.instances(rule.literals), sizes.most(rule.head.variables))


class Sizes:
    """Estimates for parts of one rule's body."""

    def __init__(self, counts: Counts, body: Sequence[Literal]) -> None:
        self._counts = counts
        terms = counts.domains.variables(body)
        self._terms = {
            name: max(1, min(terms[name].size, _UNKNOWN_TERMS)) if name in terms else _UNKNOWN_TERMS
            for name in variables_of(body)
        }
        self._atoms: dict[Literal, float] = {}

    def learn(self, literal: Literal, atoms: float) -> None:
        """Set how many atoms a new literal has."""
        self._atoms[literal] = atoms

    def most(self, names: Iterable[str]) -> float:
        """How many combinations of values some variables have."""
        return prod(self._terms[name] for name in names)

    def instances(self, body: Sequence[Literal]) -> float:
        """How many instances a body has."""
        found = prod(growth for _, growth in self.joined(body, slowest_growth))
        return found * self.most(
            variables_of(body) - variables_of(part for part in body if part.binds)
        )

    def joined(self, body: Sequence[Literal], rate: Rate) -> list[tuple[Literal, float]]:
        """The binding literals in the order of their rates, each with its growth.

        The growth is the factor by which a literal multiplies the instances so far.
        """
        left = [part for part in body if part.binds]
        bound, found = frozenset[str](), list[tuple[Literal, float]]()
        while left:
            rates = []
            for part in left:
                growth = self.atoms(part) / self.most(part.variables & bound)
                rates.append((rate(self._in_a_state(part), growth, part.variables, bound), growth))
            place = min(range(len(left)), key=lambda n: rates[n][0])
            best = left.pop(place)
            found.append((best, rates[place][1]))
            bound |= best.variables
        return found

    def most_at_once(self, body: Sequence[Literal], rate: Rate) -> float:
        """The most intermediate instances of a join in the order of the rates."""
        growths = [growth for _, growth in self.joined(body, rate)]
        return max(accumulate(growths, mul), default=1)

    def _in_a_state(self, literal: Literal) -> float:
        """A low estimate of its atoms in one state, where one argument depends on the others."""
        atoms = self.atoms(literal)
        if literal.signatures[0] != TRUE or not literal.variables:
            return atoms
        return max(1, atoms / max(self._terms[name] for name in literal.variables))

    def atoms(self, literal: Literal) -> float:
        """How many atoms of its predicate match a literal."""
        if literal not in self._atoms:
            signature = literal.signatures[0]
            pairs = zip(literal.arguments, self._counts.domains.of(signature), strict=True)
            given = prod(max(1, ts.size) for a, ts in pairs if a.constant and ts.size < inf)
            atoms = max(1, self._counts.of(signature) / given)
            self._atoms[literal] = min(self.most(literal.variables), atoms)
        return self._atoms[literal]


def is_plain(rule: Rule) -> bool:
    """Whether it is a rule for one atom whose body has only plain literals and comparisons."""
    if rule.head is None or rule.head.sign is None or not rule.plain:
        return False
    return all(part.sign is not None or part.compares for part in rule.literals)


def variables_of(literals: Iterable[Literal]) -> frozenset[str]:
    """The named variables in some literals."""
    return frozenset[str]().union(*(literal.variables for literal in literals))


class MagicSets:
    """The rules of a game, to be rewritten for the wanted predicates."""

    def __init__(
        self, statements: Iterable[ast.AST], changing: float, lasting: float, constants: Constants
    ) -> None:
        """Predicates with more possible atoms get demand: more than ``changing`` if they depend on
        the state, else more than ``lasting``. Set ``large`` to these if they are known."""
        self._statements, self._constants = list(statements), constants
        self._most_changing, self._most_lasting = changing, lasting

    def statements(self, wanted: Sequence[Signature]) -> list[ast.AST]:
        """Statements that derive the same atoms of the wanted predicates with less work."""
        rules = needed_rules([rule_of(s) for s in self._statements], wanted)
        without = {*wanted, *_GIVEN}
        asked = self.large - without
        while asked:
            rewritten = _Rewriting(rules, asked)
            if lost := asked - rewritten.asked:
                further = self._with_callers(rules, lost) - without
                rewritten = _Rewriting(rules, asked | further)
            asked = rewritten.asked
            wrong = {signature for _, signature in unstratified(rewritten.rules)}
            if not wrong:
                return [rule.statement for rule in rewritten.rules]
            # Do without demand for these, or for the predicates below them.
            without |= wrong
            asked = asked - wrong if asked & wrong else frozenset()
        return [rule.statement for rule in rules]

    def _with_callers(
        self, rules: Sequence[Rule], asked: frozenset[Signature]
    ) -> frozenset[Signature]:
        """Some predicates, and those from whose demand their arguments would get values.

        Even a list as long as the board can be followed from its first call.
        """
        while True:
            more = {
                signature
                for rule in rules
                if rule.head
                for call in _calls(rule, asked, {})
                for place, given in enumerate(call.literal.arguments)
                if place not in call.bound and given.variables & rule.head.variables
                for signature in rule.heads & self._candidates
            }
            if more <= asked:
                return asked
            asked |= more

    @cached_property
    def _candidates(self) -> Set[Signature]:
        rules = [rule_of(statement) for statement in self._statements]
        derived = {
            signature for rule in rules if rule.literals for signature in rule.heads if signature[1]
        }
        for rule in rules:
            if not rule.plain or rule.head is None:
                derived -= rule.heads | rule.body
            elif rule.head.sign is None:  # a pool of arguments: several atoms
                derived -= rule.heads
            for literal in rule.literals:
                if literal.sign is None:
                    derived -= set(literal.signatures)
        return derived

    @cached_property
    def large(self) -> frozenset[Signature]:
        """The candidates with many possible atoms."""
        rules, derived = [rule_of(statement) for statement in self._statements], self._candidates
        if not derived:
            return frozenset()
        counts, changing = Counts(rules, {}), changing_predicates(rules)
        derived = derived - {
            signature
            for rule in rules
            if rule.head and counts.domains.size(rule) == inf
            for signature in rule.heads
        }
        many = {s for s in derived & changing if counts.of(s) > self._most_changing}
        lasting = {s for s in derived - changing if counts.of(s) > self._most_lasting}
        return frozenset(many | {s for s in lasting if not self._is_small(rules, s)})

    def _is_small(self, rules: Sequence[Rule], signature: Signature) -> bool:
        """Whether a predicate that doesn't depend on the state can be grounded as it is."""
        found = [rule.statement for rule in needed_rules(rules, [signature])]
        trial = _Trial(min(self._most_lasting, _MOST_TRIED))
        try:
            ground(self._constants, found, observe=lambda c: c.register_observer(trial))
        except (LimitReached, RulesError):
            return False
        return True


class _Trial(clingo.Observer):
    """Stops the grounder after so many rules."""

    def __init__(self, most: float) -> None:
        self._left = most

    def rule(self, *_: object) -> None:
        self._left -= 1
        if self._left < 0:
            raise TooLarge("there are too many ground rules for a trial")


def is_demand(statement: ast.AST) -> bool:
    """Whether it is a rule that derives demand."""
    return statement.ast_type is ast.ASTType.Rule and str(statement.head).startswith(PREFIX)


@dataclass(frozen=True)
class _Call:
    """A literal that needs a predicate with demand, and the literals before it."""

    literal: Literal
    before: Sequence[Literal]
    bound: frozenset[int]  # the bound arguments


class _Rewriting:
    """Rules with demand as conditions."""

    def __init__(self, rules: Sequence[Rule], asked: frozenset[Signature]) -> None:
        self.asked = asked
        known = {signature: frozenset(range(signature[1])) for signature in asked}
        while True:  # the arguments that are bound in all calls, given those bound in the heads
            found = dict(known)
            for rule in rules:
                for call in _calls(rule, self.asked, known):
                    signature = call.literal.signatures[0]
                    found[signature] &= call.bound
            useless = {signature for signature, bound in found.items() if not bound}
            self.asked -= useless
            found = {s: bound for s, bound in found.items() if s not in useless}
            if found == known:
                break
            known = found
        self._known = known
        self.rules = list(self._rewrite(rules))

    def _rewrite(self, rules: Sequence[Rule]) -> Iterator[Rule]:
        for rule in rules:
            is_asked = rule.head and rule.head.signatures[0] in self._known
            conditions = [self._demand(rule.head)] if rule.head and is_asked else []
            body = [*conditions, *(literal.node for literal in rule.literals)]
            yield rule_of(rule.statement.update(body=body)) if conditions else rule
            for call in _calls(rule, self.asked, self._known):
                head = self._demand(call.literal)
                known = self._known[call.literal.signatures[0]]
                body = [*conditions, *_connected(call, known)]
                if len(body) != 1 or str(body[0]) != str(head):
                    yield rule_of(make_rule(rule.statement.location, head, body))

    def _demand(self, literal: Literal) -> ast.AST:
        """The demand for a literal's predicate, with the literal's bound arguments."""
        signature, place = literal.signatures[0], literal.node.location
        known = self._known[signature]
        given = [given.node for n, given in enumerate(literal.arguments) if n in known]
        name = f"{PREFIX}{signature[0]} {signature[1]}"
        return make_literal(place, make_function(place, name, given))


def _calls(rule: Rule, asked: frozenset[Signature], known: _Known) -> Iterator[_Call]:
    """The literals of a body that create demand.

    The literals before one bind its arguments: sheets are written for reasoners that go from
    left to right, so this order works well.
    """
    asking = [part for part in rule.literals if asked.intersection(part.signatures)]
    if not asking:
        return
    names: set[str] = set()
    if rule.head and rule.head.signatures and rule.head.signatures[0] in known:
        for place in known[rule.head.signatures[0]]:
            names |= rule.head.arguments[place].variables
    before: list[Literal] = []
    for part in rule.literals:
        if is_positive(part):
            if part in asking:
                yield _Call(part, tuple(before), _bound(part, names))
            before.append(part)
            names |= part.variables
    comparisons = [part for part in rule.literals if part.compares and not part.node.sign]
    before += [part for part in comparisons if part.variables <= names]
    for part in asking:
        if not is_positive(part):
            yield _Call(part, tuple(before), _bound(part, names))


def _bound(literal: Literal, names: set[str]) -> frozenset[int]:
    return frozenset(
        place
        for place, given in enumerate(literal.arguments)
        if given.is_bindable and given.variables <= names
    )


def _connected(call: _Call, known: frozenset[int]) -> list[ast.AST]:
    """The literals before a call that are connected with its bound arguments."""
    arguments = call.literal.arguments
    names = set[str]().union(*(arguments[place].variables for place in known))
    chosen: list[Literal] = []
    left = list(call.before)
    while more := [part for part in left if part.variables & names]:
        chosen += more
        left = [part for part in left if part not in more]
        names = names.union(*(part.variables for part in more))
    return [part.node for part in call.before if part in chosen]
