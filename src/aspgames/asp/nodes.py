"""What other packages ask of clingo's syntax trees, and the nodes that they make.

The kinds of nodes, signs and operators of clingo's API stand in this package only.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, cast

from clingo import Control, Function, Symbol, ast

Kind = Literal[
    "Aggregate",
    "BinaryOperation",
    "BodyAggregate",
    "BodyAggregateElement",
    "BooleanConstant",
    "Comparison",
    "ConditionalLiteral",
    "Defined",
    "Definition",
    "Disjunction",
    "Edge",
    "External",
    "Function",
    "HeadAggregate",
    "Heuristic",
    "Interval",
    "Literal",
    "Minimize",
    "Pool",
    "Program",
    "Rule",
    "SymbolicAtom",
    "SymbolicTerm",
    "TheoryAtom",
    "UnaryOperation",
    "Variable",
]
"""The kinds of nodes, by clingo 5's names."""

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
NOWHERE = ast.Location(ast.Position("<made>", 1, 1), ast.Position("<made>", 1, 1))


def kind_of(node: ast.AST) -> Kind:
    """The kind of a node."""
    return cast("Kind", node.ast_type.name)


def is_positive(literal: Any) -> bool:
    """Whether a literal, as a node or a ``Literal``, has no negation."""
    return bool(literal.sign == ast.Sign.NoSign)


def is_negated(literal: Any) -> bool:
    """Whether a literal, as a node or a ``Literal``, has one negation."""
    return bool(literal.sign == ast.Sign.Negation)


def operator_of(operation: ast.AST) -> str:
    """The operator of a computation, as text; an absolute value's is ``|``."""
    operators = _BINARY if operation.ast_type is ast.ASTType.BinaryOperation else _UNARY
    return operators[operation.operator_type]


def function_of(aggregate: ast.AST) -> str:
    """``#count``, ``#sum`` or the like; ``#count`` also for the elements of a choice."""
    functions = {ast.AggregateFunction.Count: "#count", ast.AggregateFunction.Sum: "#sum"}
    return functions.get(getattr(aggregate, "function", ast.AggregateFunction.Count), "another")


def replaced(node: ast.AST, kind: Kind, change: Callable[[ast.AST], ast.AST]) -> ast.AST:
    """The node with each node of a kind in it changed; the change sees to the nodes inside."""
    transformer = ast.Transformer()
    setattr(transformer, f"visit_{kind}", change)
    found: ast.AST = transformer.visit(node)
    return found


def make_variable(place: ast.Location, name: str) -> ast.AST:
    """A variable."""
    return ast.Variable(place, name)


def make_constant(place: ast.Location, symbol: Symbol) -> ast.AST:
    """A term without variables."""
    return ast.SymbolicTerm(place, symbol)


def make_function(place: ast.Location, name: str, arguments: Sequence[ast.AST]) -> ast.AST:
    """A term with arguments, or an atom's."""
    return ast.Function(place, name, arguments, 0)


def make_literal(place: ast.Location, term: ast.AST) -> ast.AST:
    """The positive literal of an atom's term."""
    return ast.Literal(place, ast.Sign.NoSign, ast.SymbolicAtom(term))


def make_equation(place: ast.Location, left: ast.AST, right: ast.AST) -> ast.AST:
    """The literal that two terms are equal."""
    guard = ast.Guard(ast.ComparisonOperator.Equal, right)
    return ast.Literal(place, ast.Sign.NoSign, ast.Comparison(left, [guard]))


def make_rule(place: ast.Location, head: ast.AST, body: Sequence[ast.AST]) -> ast.AST:
    """A rule."""
    return ast.Rule(place, head, body)


def make_part(place: ast.Location, name: str, *parameters: str) -> ast.AST:
    """The head of a part of a program."""
    return ast.Program(place, name, [ast.Id(place, parameter) for parameter in parameters])


def make_external(statement: ast.AST) -> ast.AST:
    """A rule as an external that holds, so that no solver chooses it."""
    true = ast.SymbolicTerm(statement.location, Function("true"))
    return ast.External(statement.location, statement.head.atom, statement.body, true)


def with_head(statement: ast.AST, name: str, arguments: Sequence[ast.AST]) -> ast.AST:
    """A rule with another head."""
    place = statement.location
    return statement.update(head=make_literal(place, make_function(place, name, arguments)))


def add_statements(control: Control, statements: Iterable[ast.AST]) -> None:
    """Add statements to a control. Raises ``RuntimeError`` if clingo refuses one."""
    with ast.ProgramBuilder(control) as builder:
        for statement in statements:
            builder.add(statement)
