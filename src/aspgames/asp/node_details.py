"""Details of clingo's syntax trees: operators, aggregates, and rules with other parts."""

from collections.abc import Iterable, Iterator, Sequence

from clingo import Function, ast

from .clingo_c import type_of
from .nodes import atom_of, make_function, make_literal
from .statements import Rule, Signature

_BINARY = {
    ast.BinaryOperator.And: "&",
    ast.BinaryOperator.Division: "/",
    ast.BinaryOperator.Minus: "-",
    ast.BinaryOperator.Modulo: "\\",
    ast.BinaryOperator.Multiplication: "*",
    ast.BinaryOperator.Or: "?",
    ast.BinaryOperator.Plus: "+",
    ast.BinaryOperator.Power: "**",
    ast.BinaryOperator.XOr: "^",
}
_UNARY = {
    ast.UnaryOperator.Absolute: "|",
    ast.UnaryOperator.Minus: "-",
    ast.UnaryOperator.Negation: "~",
}


def beginning_of(literal: ast.AST) -> tuple[int, int]:
    """The line and the column at which a literal's atom begins, both from 0."""
    begin = atom_of(literal).symbol.location.begin
    return begin.line - 1, begin.column - 1


def declared_by(rules: Iterable[Rule]) -> set[Signature]:
    """The predicates that ``#defined`` declares."""
    statements = (rule.statement for rule in rules)
    return {(one.name, one.arity) for one in statements if type_of(one) is ast.ASTType.Defined}


def operator_of(operation: ast.AST) -> str:
    """The operator of a computation or an interval, as text; an absolute value's is ``|``."""
    if operation.ast_type is ast.ASTType.Interval:
        return ".."
    operators = _BINARY if operation.ast_type is ast.ASTType.BinaryOperation else _UNARY
    return operators[operation.operator_type]


def function_of(aggregate: ast.AST) -> str:
    """``#count``, ``#sum`` or the like; ``#count`` also for the elements of a choice."""
    functions = {ast.AggregateFunction.Count: "#count", ast.AggregateFunction.Sum: "#sum"}
    return functions.get(getattr(aggregate, "function", ast.AggregateFunction.Count), "another")


def bounds_of(aggregate: ast.AST, value: str) -> list[str]:
    """The comparisons of an aggregate with its bounds, as texts with a name for its value."""
    left, right = aggregate.left_guard, aggregate.right_guard
    bounds = [f"{left.term} {str(left).split()[0]} {value}"] if left else []
    return [*bounds, f"{value} {right}"] if right else bounds


def elements_of(aggregate: ast.AST) -> Iterator[tuple[Sequence[ast.AST] | None, list[ast.AST]]]:
    """The terms and the conditions of an aggregate's elements.

    An element in braces has no terms (None), but its literal as the first condition.
    """
    for element in aggregate.elements:
        if element.ast_type is ast.ASTType.ConditionalLiteral:
            yield None, [element.literal, *element.condition]
        else:
            yield element.terms, list(element.condition)


def make_equation(place: ast.Location, left: ast.AST, right: ast.AST) -> ast.AST:
    """The literal that two terms are equal."""
    guard = ast.Guard(ast.ComparisonOperator.Equal, right)
    return ast.Literal(place, ast.Sign.NoSign, ast.Comparison(left, [guard]))


def make_external(statement: ast.AST) -> ast.AST:
    """A rule as an external that holds, so that no solver chooses it."""
    true = ast.SymbolicTerm(statement.location, Function("true"))
    return ast.External(statement.location, statement.head.atom, statement.body, true)


def with_head(statement: ast.AST, name: str, arguments: Sequence[ast.AST]) -> ast.AST:
    """A rule with another head."""
    place = statement.location
    return statement.update(head=make_literal(place, make_function(place, name, arguments)))


def with_body(statement: ast.AST, body: Iterable[ast.AST], head: ast.AST | None = None) -> ast.AST:
    """A rule with other conditions, and perhaps with another head."""
    return statement.update(head=head or statement.head, body=list(body))
