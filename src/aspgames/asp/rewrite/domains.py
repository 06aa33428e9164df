"""Computes which terms each argument of a predicate can have, from the rules alone.

It is an over-approximation, as in the domain graphs of general game players (Schiffel and
Thielscher, "Fluxplayer", 2007): a variable takes the smallest domain among its places, and the
arguments are treated as independent.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from math import inf, prod
from typing import NamedTuple

import clingo
from clingo import SymbolType, ast

from ..clingo_c import type_of
from ..statements import DOES, TRUE, Argument, Literal, Rule, Signature
from ..terms import LARGEST, Constants

COPIED: Mapping[Signature, Signature] = {("init", 1): TRUE, ("next", 1): TRUE, ("legal", 2): DOES}
_DEEPEST = 4  # nested terms; deeper terms may be any term
_HIGHEST_POWER = 40  # exponents above it leave 32 bits, except for bases with at most one bit


class Range(NamedTuple):
    """The numbers from ``low`` to ``high``; no number if ``low`` is higher.

    Interval arithmetic (Moore, "Interval Analysis", 1966) and the widening to a few bounds of
    abstract interpretation (Cousot and Cousot, "Abstract interpretation", 1977) keep the analysis
    short.
    """

    low: float
    high: float

    @property
    def fits(self) -> bool:
        """Whether clingo can compute with the numbers: they have 32 bits."""
        return self.low > self.high or (self.low >= -LARGEST and self.high <= LARGEST)

    @property
    def size(self) -> float:
        """How many numbers there are."""
        return max(0, self.high - self.low + 1)

    def join(self, other: Range) -> Range:
        """The smallest range with both."""
        return Range(min(self.low, other.low), max(self.high, other.high))

    def meet(self, other: Range) -> Range:
        """The numbers in both."""
        return Range(max(self.low, other.low), min(self.high, other.high))

    def widen(self, bounds: list[float]) -> Range:
        """The smallest range around it between two of the sorted bounds."""
        if self.low > self.high:
            return self
        low = bounds[bisect_right(bounds, self.low) - 1]
        return Range(low, bounds[bisect_left(bounds, self.high)])


NONE, EVERY = Range(inf, -inf), Range(-inf, inf)


def value_range(node: ast.AST, known: Mapping[str, Range], constants: Constants) -> Range:
    """The numbers that a term can be, for variables and operations in known ranges, by text."""
    kind = type_of(node)
    if kind is ast.ASTType.Variable:
        return known.get(node.name, EVERY)
    if kind is ast.ASTType.SymbolicTerm:
        value = constants.get(str(node.symbol))
        if node.symbol.type is SymbolType.Number:
            value = node.symbol.number
        return Range(value, value) if isinstance(value, int) else NONE
    if kind is ast.ASTType.BinaryOperation:
        left = value_range(node.left, known, constants)
        right = value_range(node.right, known, constants)
        empty = left.low > left.high or right.low > right.high
        if empty:
            return NONE
        return _BINARY[node.operator_type](left, right).meet(known.get(str(node), EVERY))
    if kind is ast.ASTType.UnaryOperation:
        return _unary(node.operator_type, value_range(node.argument, known, constants))
    if kind is ast.ASTType.Interval:
        left = value_range(node.left, known, constants)
        return Range(left.low, value_range(node.right, known, constants).high)
    return NONE if kind is ast.ASTType.Function and not node.external else EVERY


def _unary(operator: int, inner: Range) -> Range:
    if operator == ast.UnaryOperator.Absolute:
        low = max(0, inner.low, -inner.high)
        return Range(low, max(-inner.low, inner.high))
    less = operator == ast.UnaryOperator.Negation  # ~N is -N-1
    return Range(-inner.high - less, -inner.low - less)


def _corners(compute: Callable[[float, float], float]) -> Callable[[Range, Range], Range]:
    """A range from the ends, for operations that are monotonic in each operand."""

    def found(left: Range, right: Range) -> Range:
        values = [compute(*pair) for pair in product(left, right)]
        return Range(min(values), max(values))

    return found


def _no_larger(left: Range, right: Range) -> Range:
    """A quotient or remainder: no larger than the left operand."""
    most = max(-left.low, left.high)
    return Range(0 if left.low >= 0 and right.low >= 0 else -most, most)


def _power(left: Range, right: Range) -> Range:
    most = max(-left.low, left.high)
    if most > 1 and right.high > _HIGHEST_POWER:
        return EVERY
    reached = most ** max(0, right.high) if most > 1 else 1
    return Range(0 if left.low >= 0 else -reached, reached)


def _bits(left: Range, right: Range) -> Range:
    most = max(map(abs, (*left, *right)))
    bound = most if most == inf else 2 ** int(most).bit_length()
    return Range(-bound, bound)


_BINARY: Mapping[int, Callable[[Range, Range], Range]] = {
    ast.BinaryOperator.Plus: lambda a, b: Range(a.low + b.low, a.high + b.high),
    ast.BinaryOperator.Minus: lambda a, b: Range(a.low - b.high, a.high - b.low),
    ast.BinaryOperator.Multiplication: _corners(lambda a, b: a * b if a and b else 0),
    ast.BinaryOperator.Power: _power,
    ast.BinaryOperator.Division: _no_larger,
    ast.BinaryOperator.Modulo: _no_larger,
    ast.BinaryOperator.And: _bits,
    ast.BinaryOperator.Or: _bits,
    ast.BinaryOperator.XOr: _bits,
}


class Terms:
    """The possible terms at one place."""

    def __init__(self) -> None:
        self.constants: set[str] = set()
        self.functions: dict[Signature, list[Terms]] = {}
        self.computed = NONE
        """The results of operations, in ``NumberDomains``."""
        self.any = False
        """Whether any term is possible, as for the result of an operation elsewhere."""

    @property
    def size(self) -> float:
        """An upper bound on their number."""
        return self._size(_DEEPEST)

    def has(self, term: clingo.Symbol) -> bool:
        """Whether a ground term is one of them."""
        if self.any or str(term) in self.constants:
            return True
        if term.type is not clingo.SymbolType.Function or not term.arguments:
            return False
        inner = self.functions.get((term.name, len(term.arguments)))
        return inner is not None and all(
            terms.has(part) for terms, part in zip(inner, term.arguments, strict=True)
        )

    def _size(self, deepest: int) -> float:
        if self.any or not deepest:
            return inf
        inner = self.functions.values()
        size = len(self.constants) + self.computed.size
        return size + sum(prod(t._size(deepest - 1) for t in ts) for ts in inner)

    def add(self, others: Terms, deepest: int = _DEEPEST) -> bool:
        """Add other terms; returns whether this adds any."""
        if others is self:
            return False
        if not deepest:
            grew, self.any = not self.any, True
            return grew
        before = len(self.constants)
        self.constants |= others.constants
        grew = len(self.constants) > before or others.any > self.any
        self.any |= others.any
        grew |= self.compute(others.computed)
        for signature, terms in others.functions.items():
            for mine, its in zip(self.inner(signature), list(terms), strict=True):
                grew |= mine.add(its, deepest - 1)
        return grew

    def compute(self, numbers: Range) -> bool:
        """Add the results of an operation; returns whether this adds any."""
        before, self.computed = self.computed, self.computed.join(numbers)
        return self.computed != before

    def inner(self, signature: Signature) -> list[Terms]:
        """The terms at the arguments of a function; adds the function if it is new."""
        if signature not in self.functions:
            self.functions[signature] = [Terms() for _ in range(signature[1])]
        return self.functions[signature]


class Domains:
    """The possible terms at the arguments of all predicates of some rules."""

    copied: Mapping[Signature, Signature] = COPIED
    """Predicates whose atoms others have, too: what holds next is true then."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._at: dict[Signature, list[Terms]] = {}
        asking: dict[Signature, dict[Rule, None]] = defaultdict(dict)
        left: dict[Rule, None] = {}
        for rule in rules:
            if rule.head and rule.heads:
                left[rule] = None
                for signature in rule.body:
                    asking[signature][rule] = None
        while left:
            rule = next(iter(left))
            del left[rule]
            for signature in self._grow(rule):
                left |= asking[signature]

    def of(self, signature: Signature) -> list[Terms]:
        """The terms at each argument of a predicate."""
        if signature not in self._at:
            self._at[signature] = [Terms() for _ in range(signature[1])]
        return self._at[signature]

    def variables(self, literals: Iterable[Literal]) -> dict[str, Terms]:
        """The possible terms of a body's variables, without variables of unknown domain."""
        found: dict[str, Terms] = {}
        for literal in literals:
            if not literal.sign and literal.arguments:
                for given, terms in zip(
                    literal.arguments, self.of(literal.signatures[0]), strict=True
                ):
                    self._narrow(given, terms, found)
        return found

    def size(self, rule: Rule) -> float:
        """An upper bound on the atoms that a rule derives."""
        assert rule.head is not None
        known = self.variables(rule.literals)
        names = frozenset[str]().union(*(given.variables for given in rule.head.arguments))
        return prod(known[name].size if name in known else inf for name in names)

    def _grow(self, rule: Rule) -> Iterator[Signature]:
        assert rule.head is not None
        if not self._add_head(rule.head, self.variables(rule.literals)):
            return
        for signature in rule.heads:
            yield signature
            if (given := self.copied.get(signature)) is not None:
                for mine, its in zip(self.of(given), self.of(signature), strict=True):
                    mine.add(its)
                yield given

    def _narrow(self, given: Argument, terms: Terms, found: dict[str, Terms]) -> None:
        if name := given.variable:
            known = found.get(name)
            if known is None or known.any or terms.size < known.size:
                found[name] = terms
        elif terms.any:
            for name in given.variables:
                found.setdefault(name, terms)
        elif given.function in terms.functions:
            for part, inner in zip(given.parts, terms.functions[given.function], strict=True):
                self._narrow(part, inner, found)
        else:
            for name in given.variables:
                found.setdefault(name, Terms())

    def _add_head(self, head: Literal, known: Mapping[str, Terms]) -> bool:
        grew = False
        if head.sign is None:  # such as a pool of arguments: any term is possible
            for signature in head.signatures:
                for terms in self.of(signature):
                    grew |= not terms.any
                    terms.any = True
            return grew
        for given, terms in zip(head.arguments, self.of(head.signatures[0]), strict=True):
            grew |= self._add(given, terms, known)
        return grew

    def _add(self, given: Argument, terms: Terms, known: Mapping[str, Terms]) -> bool:
        if given.variable in known:
            return terms.add(known[given.variable])
        if given.constant:
            before = len(terms.constants)
            terms.constants.add(given.constant)
            return len(terms.constants) > before
        if given.function:
            inner = terms.inner(given.function)
            grew = False
            for part, its in zip(given.parts, inner, strict=True):
                grew |= self._add(part, its, known)
            return grew
        return self._add_computed(given, terms)

    def _add_computed(self, _given: Argument, terms: Terms) -> bool:
        before_any, terms.any = terms.any, True
        return not before_any
