"""Estimates how many atoms predicates have, and how many instances rules have.

The estimates are those of databases (Selinger et al., "Access path selection in a relational
database management system", 1979): they treat the arguments of a predicate as independent.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate
from math import inf, prod
from operator import mul
from typing import Any

from clingo import ast

from ..statements import DOES, TRUE, Literal, Rule, Signature
from .domains import Domains

_UNKNOWN = 1e6  # terms of a variable that may be any term

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
    """Estimates how many atoms predicates have."""

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
            name: max(1, min(terms[name].size, _UNKNOWN)) if name in terms else _UNKNOWN
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
        return found * self.most(variables_of(body) - variables_of(filter(binds, body)))

    def joined(self, body: Sequence[Literal], rate: Rate) -> list[tuple[Literal, float]]:
        """The binding literals in the order of their rates, each with its growth.

        The growth is the factor by which a literal multiplies the instances so far.
        """
        left = [part for part in body if binds(part)]
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
    return all(part.sign is not None or compares(part) for part in rule.literals)


def binds(literal: Literal) -> bool:
    """Whether a literal binds its variables."""
    return literal.sign == ast.Sign.NoSign and all(given.is_plain for given in literal.arguments)


def compares(literal: Literal) -> bool:
    """Whether it is a comparison, negated or not."""
    node: Any = literal.node
    return node.ast_type is ast.ASTType.Literal and node.atom.ast_type is ast.ASTType.Comparison


def variables_of(literals: Iterable[Literal]) -> frozenset[str]:
    """The named variables in some literals."""
    return frozenset[str]().union(*(literal.variables for literal in literals))
