"""Computes which terms each argument of a predicate can have, from the rules alone.

It is an over-approximation, as in the domain graphs of general game players (Schiffel and
Thielscher, "Fluxplayer", 2007): a variable takes the smallest domain among its places, and the
arguments are treated as independent.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from math import inf, prod

import clingo

from ..statements import DOES, TRUE, Argument, Literal, Rule, Signature
from .ranges import NONE, Range

COPIED: Mapping[Signature, Signature] = {("init", 1): TRUE, ("next", 1): TRUE, ("legal", 2): DOES}
_DEEPEST = 4  # nested terms; deeper terms may be any term


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
            if (given := COPIED.get(signature)) is not None:
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
