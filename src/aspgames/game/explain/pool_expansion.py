"""Rules without pools and intervals: each as the rules that it stands for.

``legal(R,take(1..N)) :- to_move(R), true(pile(N)).`` has one head for each number. So has
``legal(R,take(K)) :- to_move(R), true(pile(N)), K = 1..N.``, and there the head is an atom.
"""

from __future__ import annotations

from clingo import ast


def plain_rules(statement: ast.AST) -> list[ast.AST]:
    """The statements that one stands for; itself, if it isn't a rule."""
    if statement.ast_type is not ast.ASTType.Rule:
        return [statement]
    return [_without_intervals(rule) for rule in statement.unpool()]


def _without_intervals(rule: ast.AST) -> ast.AST:
    """The rule with a variable in the place of each interval in an atom, which ranges over it."""
    named = _Named()
    head, body = named.literal(rule.head), [named.literal(part) for part in rule.body]
    if not named.ranges:
        return rule
    return ast.Rule(rule.location, head, [*body, *named.ranges])


class _Named(ast.Transformer):
    """Gives intervals names, and keeps what they name."""

    def __init__(self) -> None:
        self.ranges: list[ast.AST] = []

    def literal(self, part: ast.AST) -> ast.AST:
        """A literal whose atom has no intervals; anything else as it is."""
        if part.ast_type is not ast.ASTType.Literal:
            return part
        is_atom = part.atom.ast_type is ast.ASTType.SymbolicAtom
        found: ast.AST = self.visit(part) if is_atom else part
        return found

    def visit_Interval(self, node: ast.AST) -> ast.AST:  # noqa: N802
        node = node.update(**self.visit_children(node))
        name = ast.Variable(node.location, f"_I{len(self.ranges)}")
        equal = ast.Guard(ast.ComparisonOperator.Equal, node)
        comparison = ast.Comparison(name, [equal])
        self.ranges.append(ast.Literal(node.location, ast.Sign.NoSign, comparison))
        return name
