"""The numbers that the terms of a rule can have, as intervals.

Interval arithmetic (Moore, "Interval Analysis", 1966) and the widening to a few bounds of abstract
interpretation (Cousot and Cousot, "Abstract interpretation", 1977) keep the analysis short.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping
from itertools import product
from math import inf
from typing import NamedTuple

from clingo import SymbolType, ast

from ..terms import LARGEST, Constants

_HIGHEST_POWER = 40  # exponents above it leave 32 bits, except for bases with at most one bit


class Range(NamedTuple):
    """The numbers from ``low`` to ``high``; no number if ``low`` is higher."""

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
    kind = node.ast_type
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
