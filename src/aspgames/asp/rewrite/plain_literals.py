"""Rules without classical negation, and without conditional literals that depend on the state.

clingo grounds both to rules that are not of the form "an atom if some literals": a constraint
between ``p`` and ``-p``, and auxiliary atoms with disjunctions. Here ``-p(X)`` becomes a predicate
of its own; a separate rule derives ``BOTH`` where an atom and its classical negation hold, and the
caller has to prove that this is never so. ``h(X) :- b(X), p(Y) : q(X,Y).`` becomes

    h(X) :- b(X), not unmet(X).
    unmet(X) :- b(X), q(X,Y), not p(Y).

which is the same where negation is stratified.
"""

from collections.abc import Iterable

from clingo import ast

from ..node_details import with_body
from ..nodes import NOWHERE, make_function, make_literal, make_rule, make_variable, replaced
from ..statements import (
    Rule,
    Signature,
    changing_predicates,
    needed_rules,
    rule_of,
    signatures_in,
    variables_in,
)
from .clauses import denied, outside

BOTH: Signature = ("both signs", 1)  # no name in a file can contain a blank
_MINUS = "minus "
_UNMET = "unmet "


def plain_literals(statements: Iterable[ast.AST], wanted: Iterable[Signature]) -> list[ast.AST]:
    """The statements with plain literals in place of those of clingo's that aren't.

    ``BOTH`` is about the atoms that the wanted ones depend on.
    """
    every = list(statements)
    if any(name.startswith("-") for one in every for name, _ in rule_of(one).heads):
        every = [replaced(one, "SymbolicAtom", _without_minus) for one in every]
        heads = {s for rule in needed_rules(list(map(rule_of, every)), wanted) for s in rule.heads}
        signed = sorted(s for s in heads if (f"{_MINUS}{s[0]}", s[1]) in heads)
        every += (_both(every[-1].location, *signature) for signature in signed)
    rules = list(map(rule_of, every))
    if not any(_conditional(part.node) for rule in rules for part in rule.literals):
        return every
    changing, found = changing_predicates(rules), list[ast.AST]()
    for number, rule in enumerate(rules):
        has_some = any(_conditional(part.node) for part in rule.literals)
        name = f"{_UNMET}{number} "
        found += _without_conditions(rule, changing, name) if has_some else [rule.statement]
    return found


def show(signature: Signature) -> ast.AST:
    """The statement that shows the atoms of a predicate."""
    return ast.ShowSignature(NOWHERE, *signature, True)


def _conditional(node: ast.AST) -> bool:
    return bool(node.ast_type is ast.ASTType.ConditionalLiteral)


def _without_minus(atom: ast.AST) -> ast.AST:
    symbol = atom.symbol
    while symbol.ast_type is ast.ASTType.UnaryOperation:  # twice is not at all
        name = symbol.argument.name
        name = name.removeprefix(_MINUS) if name.startswith(_MINUS) else f"{_MINUS}{name}"
        symbol = symbol.argument.update(name=name)
    return atom.update(symbol=symbol)


def _renamed(node: ast.AST, names: set[str]) -> ast.AST:
    def changed(variable: ast.AST) -> ast.AST:
        name = variable.name
        return variable.update(name=f"{name}@unmet") if name in names else variable

    return replaced(node, "Variable", changed)


def _both(place: ast.Location, name: str, arity: int) -> ast.AST:
    """The rule that an atom and its classical negation hold."""
    terms = [make_variable(place, f"V{number}") for number in range(arity)]
    names = name, f"{_MINUS}{name}"
    body = [make_literal(place, make_function(place, each, terms)) for each in names]
    atom = make_function(place, name, terms)
    return make_rule(place, make_literal(place, make_function(place, BOTH[0], [atom])), body)


def _without_conditions(rule: Rule, changing: set[Signature], name: str) -> list[ast.AST]:
    """A rule, and one for each conditional literal that depends on the state."""
    body, statement, found = list(rule.statement.body), rule.statement, list[ast.AST]()
    others = [part for part in body if not _conditional(part)]
    named = variables_in(statement.head).union(*map(outside, others))
    for number, part in enumerate(body):
        if not _conditional(part) or changing.isdisjoint(
            signature for each in part.condition for signature in signatures_in(each)
        ):
            continue
        place = statement.location
        terms = [make_variable(place, each) for each in sorted(variables_in(part) & named)]
        unmet = make_literal(place, make_function(place, f"{name}{number}", terms))
        # Aggregates among the other conditions may have variables of the same names.
        own = variables_in(part) - named
        asked = [_renamed(each, own) for each in (*part.condition, denied(part.literal))]
        asked = [*others, *asked]
        found.append(make_rule(place, unmet, asked))
        body[number] = denied(unmet)
    return [*found, with_body(statement, body)] if found else [statement]
