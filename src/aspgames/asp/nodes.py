"""What other packages ask of clingo's syntax trees, and the nodes that they make.

The kinds of nodes, their attributes, signs and operators stand in this package only. The nodes in a
node are read with ``clingo_c.parts_of``, rules and literals with ``statements.rule_of``.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, cast

from clingo import Control, Symbol, ast

from .clingo_c import type_of

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

_POOLED = re.compile(r";\S")  # in a text of clingo's a blank follows any other semicolon
NOWHERE = ast.Location(ast.Position("<made>", 1, 1), ast.Position("<made>", 1, 1))


def kind_of(node: ast.AST) -> Kind:
    """The kind of a node."""
    return cast("Kind", type_of(node).name)


class Span(NamedTuple):
    """Where a statement stands: its file, and its first and its last line."""

    file: str
    first: int
    last: int


def span_of(statement: ast.AST) -> Span:
    """The file and the lines of a statement."""
    begin, end = statement.location.begin, statement.location.end
    return Span(begin.filename, begin.line, end.line)


def name_of(node: ast.AST) -> str:
    """The name of a function, a predicate's term, a variable, a constant or a part."""
    return cast("str", node.name)


def atom_of(part: ast.AST) -> ast.AST:
    """What a literal affirms or denies; any other part of a body itself."""
    found: ast.AST = part.atom if type_of(part) is ast.ASTType.Literal else part
    return found


def is_positive(literal: Any) -> bool:
    """Whether a literal, as a node or a ``Literal``, has no negation."""
    return bool(literal.sign == ast.Sign.NoSign)


def is_negated(literal: Any) -> bool:
    """Whether a literal, as a node or a ``Literal``, has one negation."""
    return bool(literal.sign == ast.Sign.Negation)


def sides_of(comparison: ast.AST) -> tuple[list[ast.AST], list[str]]:
    """The terms of a comparison and the signs between them: ``X < Y < 3`` has two signs."""
    guards = comparison.guards
    terms = [comparison.term, *(guard.term for guard in guards)]
    return terms, [str(guard).split()[0] for guard in guards]


def replaced(node: ast.AST, kind: Kind, change: Callable[[ast.AST], ast.AST]) -> ast.AST:
    """The node with each node of a kind in it changed; the change sees to the nodes inside."""
    transformer = ast.Transformer()
    setattr(transformer, f"visit_{kind}", change)
    found: ast.AST = transformer.visit(node)
    return found


def with_atoms(
    node: ast.AST, change: Callable[[str, Sequence[ast.AST]], tuple[str, Sequence[ast.AST]]]
) -> ast.AST:
    """The node with the name and the arguments of each atom changed."""

    def changed(term: ast.AST) -> ast.AST:
        if type_of(term) is ast.ASTType.Pool:
            return term.update(arguments=list(map(changed, term.arguments)))
        if type_of(term) is ast.ASTType.UnaryOperation:  # a classical negation
            return term.update(argument=changed(term.argument))
        name, arguments = change(term.name, term.arguments)
        return term.update(name=name, arguments=list(arguments))

    return replaced(node, "SymbolicAtom", lambda atom: atom.update(symbol=changed(atom.symbol)))


def with_names(node: ast.AST, names: Iterator[str]) -> ast.AST:
    """The node with a name for each anonymous variable."""
    return replaced(node, "Variable", lambda v: v.update(name=next(names)) if v.name == "_" else v)


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


def make_rule(place: ast.Location, head: ast.AST, body: Sequence[ast.AST]) -> ast.AST:
    """A rule."""
    return ast.Rule(place, head, body)


def make_part(place: ast.Location, name: str, *parameters: str) -> ast.AST:
    """The head of a part of a program."""
    return ast.Program(place, name, [ast.Id(place, parameter) for parameter in parameters])


def unpooled(statement: ast.AST) -> list[ast.AST]:
    """The rules without pools that a rule stands for; any other statement itself."""
    is_pooled = type_of(statement) is ast.ASTType.Rule and _POOLED.search(str(statement))
    return list(statement.unpool()) if is_pooled else [statement]


def add_statements(control: Control, statements: Iterable[ast.AST]) -> None:
    """Add statements to a control. Raises ``RuntimeError`` if clingo refuses one."""
    with ast.ProgramBuilder(control) as builder:
        for statement in statements:
            builder.add(statement)
