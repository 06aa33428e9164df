"""Pools and intervals in rules, expanded.

``legal(R,take(1..N)) :- to_move(R), true(pile(N)).`` has one head for each number. So has
``legal(R,take(K)) :- to_move(R), true(pile(N)), K = 1..N.``, and there the head is an atom.
"""

from clingo import ast


def plain_rules(statement: ast.AST) -> list[ast.AST]:
    """The rules without pools and intervals that a rule stands for; other statements unchanged."""
    if statement.ast_type is not ast.ASTType.Rule:
        return [statement]
    return [_without_intervals(rule) for rule in statement.unpool()]


def _without_intervals(rule: ast.AST) -> ast.AST:
    """The rule with each interval in an atom replaced by a variable with that range."""
    named = _Named()
    head, body = named.literal(rule.head), [named.literal(part) for part in rule.body]
    if not named.ranges:
        return rule
    return ast.Rule(rule.location, head, [*body, *named.ranges])


class _Named(ast.Transformer):
    """Replaces intervals by variables, and collects their ranges."""

    def __init__(self) -> None:
        self.ranges: list[ast.AST] = []

    def literal(self, part: ast.AST) -> ast.AST:
        """A literal with the intervals of its atom replaced; any other condition unchanged."""
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
