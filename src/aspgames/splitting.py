"""Rules split where a part of the body has to do with few of the other variables.

    next(cell(X,Y,C)) :- true(cell(X,Y,C)), does(R,move(U,V,S,T)),
                         differ(X,Y,U,V), differ(X,Y,S,T).

has an instance for each square, content and move, though the content has nothing to do with the
move. With the move in a rule of its own, ``part(X,Y)``, there are as many as squares and moves.
That is a step of the tree decomposition of rules (Bichler, Morak and Woltran, "lpopt: A Rule
Optimization Tool for Answer Set Programming", 2016): the variables of a part that are not in the
head are projected out, where some variable of the head isn't in the part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from math import inf, prod
from typing import Any

from clingo import ast

from .domains import Domains
from .statements import Literal, Rule, rule_of

_MANY = 20_000  # possible instances of a rule that is split
_FEW = 4  # variables of one that never is
_NAME = "part "  # no name in a file can have a blank


def split(
    statements: Iterable[ast.AST],
    game: Iterable[ast.AST],
    many: float = _MANY,
    few: int = _FEW,
) -> list[ast.AST]:
    """Statements from which the same follows, those with many instances in parts.

    ``game`` are all the statements of a game's rules: they tell how many instances there may be.
    Rules that may have no more than ``many``, or have no more than ``few`` variables, are left.
    """
    rules = [rule_of(statement) for statement in statements]
    candidates = [rule for rule in rules if _may_split(rule, few)]
    if not candidates:
        return [rule.statement for rule in rules]
    domains, numbers, chosen = Domains([*map(rule_of, game), *rules]), count(), set(candidates)
    return [
        part
        for rule in rules
        for part in (
            _split(rule, numbers)
            if rule in chosen and _instances(rule, domains) > many
            else [rule.statement]
        )
    ]


def _may_split(rule: Rule, few: int) -> bool:
    """Whether it is a rule of plain literals and comparisons, with many variables."""
    if rule.head is None or rule.head.sign is None or not rule.plain:
        return False
    if any(part.sign is None and not _compares(part) for part in rule.literals):
        return False
    return len(_variables(rule.literals)) > few


def _split(rule: Rule, numbers: Iterator[int]) -> list[ast.AST]:
    assert rule.head is not None
    of_head = rule.head.variables
    left, found = list(rule.literals), []
    for part in list(_parts(rule.literals, of_head)):
        shared = _variables(part) & of_head
        rest = [literal for literal in rule.literals if literal not in part]
        if shared == of_head or not rest or len(part) == len(rule.literals):
            continue
        guards = _guards(part, rest, shared)
        if guards is None:
            continue
        place, name = rule.statement.location, f"{_NAME}{next(numbers)}"
        variables = [ast.Variable(place, variable) for variable in sorted(shared)]
        atom = ast.SymbolicAtom(ast.Function(place, name, variables, 0))
        head = ast.Literal(place, ast.Sign.NoSign, atom)
        found.append(ast.Rule(place, head, [*(literal.node for literal in part), *guards]))
        left = [literal for literal in left if literal not in part]
        left.append(Literal(head, ((name, len(variables)),), ast.Sign.NoSign))
    if not found:
        return [rule.statement]
    return [*found, rule.statement.update(body=[literal.node for literal in left])]


def _parts(literals: Sequence[Literal], of_head: frozenset[str]) -> Iterator[list[Literal]]:
    """The literals that variables connect which are not in the head."""
    left = [literal for literal in literals if literal.variables - of_head]
    while left:
        part, names = [left[0]], left[0].variables - of_head
        left = left[1:]
        while more := [literal for literal in left if literal.variables & names]:
            part += more
            left = [literal for literal in left if literal not in more]
            names = names.union(*(literal.variables - of_head for literal in more))
        yield sorted(part, key=literals.index)


def _guards(
    part: Sequence[Literal], rest: Sequence[Literal], shared: frozenset[str]
) -> list[ast.AST] | None:
    """Literals that bind what a part compares or denies; None if there are none."""
    bound = _variables(literal for literal in part if _binds(literal))
    guards = []
    needed = _variables(part) - bound
    while needed:
        binding = [literal for literal in rest if _binds(literal) and literal.variables & needed]
        if not binding:
            return None
        best = max(binding, key=lambda literal: len(literal.variables & needed))
        guards.append(_Projection(shared).visit(best.node))
        needed -= best.variables
    return guards


class _Projection(ast.Transformer):
    """Leaves the names of some variables only."""

    def __init__(self, kept: frozenset[str]) -> None:
        self._kept = kept

    def visit_Variable(self, node: ast.AST) -> ast.AST:  # noqa: N802 (the name is clingo's)
        return node if node.name in self._kept else node.update(name="_")


def _binds(literal: Literal) -> bool:
    return literal.sign == ast.Sign.NoSign and all(given.is_plain for given in literal.arguments)


def _compares(literal: Literal) -> bool:
    node: Any = literal.node
    return node.ast_type is ast.ASTType.Literal and node.atom.ast_type is ast.ASTType.Comparison


def _variables(literals: Iterable[Literal]) -> frozenset[str]:
    return frozenset[str]().union(*(literal.variables for literal in literals))


def _instances(rule: Rule, domains: Domains) -> float:
    """How many instances a rule has at most."""
    terms = domains.variables(rule.literals)
    names = _variables(rule.literals)
    return prod(terms[name].size if name in terms else inf for name in names)
