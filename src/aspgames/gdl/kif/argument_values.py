"""The possible terms at each argument of a sheet's fluents and moves (``asp.rewrite.domains``)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import cast

from clingo import ast

from ...asp.rewrite.domains import Domains, Terms
from ...asp.statements import DOES, TRUE, Argument, Literal, Rule, Signature
from .sheet import Function, SheetRule, Term, Variable, variables_of

_MOST = 1000  # terms at one argument; with more, they count as unknown
_COPIED = {"base": "init", "input": "legal"}
_NO_NODE = cast("ast.AST", None)  # domains read arguments only


@dataclass(frozen=True)
class _SheetAtom(Literal):
    """An atom of a sheet, read as a part of an encoding's rule."""

    terms: Sequence[Term] = ()

    @cached_property
    def arguments(self) -> Sequence[Argument]:
        """The analysed terms."""
        return tuple(map(_argument, self.terms))


class Values:
    """The terms at the arguments of one sheet's fluents and moves, each by name and arity."""

    def __init__(self, rules: Iterable[SheetRule]) -> None:
        domains = Domains(map(_rule, rules))
        self.fluents: Mapping[Signature, Sequence[Terms]] = domains.of(TRUE)[0].functions
        self.moves: Mapping[Signature, Sequence[Terms]] = domains.of(DOES)[1].functions


def possible_terms(terms: Terms) -> frozenset[Function] | None:
    """The possible terms at a place; None if they are too many or unknown."""
    return frozenset(_terms(terms)) if terms.size <= _MOST else None


def _terms(terms: Terms) -> Iterable[Function]:
    yield from map(Function, terms.constants)
    for (name, _), inner in terms.functions.items():
        yield from (Function(name, parts) for parts in product(*map(_terms, inner)))


def _rule(rule: SheetRule) -> Rule:
    head = _atom(rule.head)
    body = [_atom(atom, negated) for atom, negated in rule.body if atom.name != "distinct"]
    used = frozenset(signature for literal in body for signature in literal.signatures)
    return Rule(_NO_NODE, frozenset(head.signatures), used, head=head, literals=body)


def _atom(atom: Function, negated: bool = False) -> Literal:
    signature = _COPIED.get(atom.name, atom.name), len(atom.arguments)
    return _SheetAtom(_NO_NODE, (signature,), negated, atom.arguments)


def _argument(term: Term) -> Argument:
    variables = frozenset(variables_of([term]))
    if isinstance(term, Variable):
        return Argument(_NO_NODE, variable=term.variable, variables=variables)
    if not term.arguments:
        return Argument(_NO_NODE, constant=term.name)
    parts = tuple(map(_argument, term.arguments))
    function = term.name, len(parts)
    return Argument(_NO_NODE, function=function, parts=parts, variables=variables)
