"""Grounding the rules with the state left open: every fluent that may hold is a choice.

Certain fluents are facts and vanish from the ground rules; possible ones are left open. A grounding
is closed when the fluents of the next state are left open in turn: then it holds every state that
can be reached from the given fluents.

In a closed grounding fluents follow from each other, and clingo doesn't see in time that something
negated is certain: slides would go on behind an arrow. So what certain fluents alone bring about,
by the rules that negate nothing, is grounded first, under names of its own; and a rule that asks
for ``not occupied(X,Y)`` asks for ``not`` its certain part as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import clingo
from clingo import ast

from ..encoding import Constants
from ..errors import LimitReached, RulesError
from ..grounding import (
    TRUE,
    Atoms,
    Context,
    Program,
    Rule,
    Signature,
    ground,
    needed_rules,
    parse_statements,
    signatures_in,
)
from ..symbols import known_symbol
from .ground_rules import ADVICE, GroundRules

_MOST_FLUENTS = 100_000
MOST_RULES = 2_000_000

_WANTED: tuple[Signature, ...] = (
    ("legal", 2),
    ("next", 1),
    ("terminal", 0),
    ("goal", 2),
    ("to_move", 1),
)
_OPEN = parse_statements("""
{ true(F) } :- F = @possible().
{ does(R,M) } :- legal(R,M).
#show true/1.
#show does/2.
#show legal/2.
#show next/1.
#show terminal/0.
#show goal/2.
#show to_move/1.
""")
_CLOSED = parse_statements("{ true(F) } :- next(F), @admit(F) = 1.")
_GIVEN = parse_statements("true(F) :- F = @certain().")


class _Given(Context):
    """Hands in the state, too, and watches over the fluents that are reached."""

    def __init__(self, static: Atoms, certain: Iterable[str], possible: Iterable[str]) -> None:
        super().__init__(static)
        self._certain = {known_symbol(fluent): None for fluent in certain}
        self._possible = [known_symbol(fluent) for fluent in possible]
        self._admitted = 0

    def certain(self) -> Sequence[clingo.Symbol]:
        return list(self._certain)

    def possible(self) -> Sequence[clingo.Symbol]:
        return self._possible

    def admit(self, fluent: clingo.Symbol) -> clingo.Symbol:
        if fluent in self._certain:
            return clingo.Number(0)
        self._admitted += 1
        if self._admitted > _MOST_FLUENTS:
            raise LimitReached(f"more than {_MOST_FLUENTS:,} fluents can be reached{ADVICE}")
        return clingo.Number(1)


class OpenProgram:
    """The rules of a game, made ready for being grounded with the state left open."""

    def __init__(self, statements: Iterable[ast.AST], constants: Constants) -> None:
        program = Program(statements, constants, _WANTED)
        lasting = _lasting(program.rules, program.changing)
        certainly = _Certainly({TRUE, *(head for rule in lasting for head in rule.heads)})
        before = [*_GIVEN, *(rule.statement for rule in lasting)]
        self._constants, self._static = constants, program.static
        told = [rule for signature, rule in program.given.items() if signature in _WANTED]
        self._before = [rule for rule in program.given.values() if rule not in told]
        self._before += map(certainly.visit, before)
        self._statements = [*told, *map(certainly.cut, program.statements), *_GIVEN, *_OPEN]

    def ground(
        self,
        certain: Iterable[str],
        possible: Iterable[str],
        closed: bool,
        most_rules: int = MOST_RULES,
    ) -> GroundRules:
        """The ground rules for all states with the certain fluents and any of the possible ones.

        Raises ``LimitReached`` where there are too many rules, or the reachable fluents seem to
        have no end.
        """
        found = GroundRules(most_rules)
        context = _Given(self._static, certain, possible)
        statements = self._statements + _CLOSED if closed else self._statements
        try:
            ground(self._constants, statements, context, observe=found.observe, before=self._before)
        except RulesError:
            found.check()
            raise
        return found


class _Certainly(ast.Transformer):
    """Turns predicates into those that say what is certain."""

    def __init__(self, predicates: set[Signature]) -> None:
        self._predicates = predicates

    def visit_SymbolicAtom(self, node: ast.AST) -> ast.AST:  # noqa: N802
        if not self._predicates.issuperset(signatures_in(node)):
            return node
        # No name in a file can have a blank.
        return node.update(symbol=node.symbol.update(name=f"certain {node.symbol.name}"))

    def cut(self, statement: ast.AST) -> ast.AST:
        """The statement without those of its instances that deny what is certain."""
        if statement.ast_type is not ast.ASTType.Rule:
            return statement
        denied = [
            literal
            for literal in statement.body
            if _is_atom(literal, ast.Sign.Negation)
            and self._predicates.issuperset(signatures_in(literal))
        ]
        return statement.update(body=[*statement.body, *map(self.visit, denied)])


def _lasting(rules: Sequence[Rule], changing: set[Signature]) -> list[Rule]:
    """The rules by which something follows from fluents that hold, whatever doesn't hold.

    Of these, the ones that lead to a predicate that some rule negates.
    """
    found: list[Rule] = []
    known = {TRUE}
    candidates = [rule for rule in rules if _is_positive(rule.statement, changing)]
    while more := [r for r in candidates if r not in found and r.body & changing <= known]:
        found += more
        known.update(head for rule in more for head in rule.heads)
    negated = {
        signature
        for rule in rules
        if rule.heads
        for literal in rule.statement.body
        if _is_atom(literal, ast.Sign.Negation)
        for signature in signatures_in(literal)
    }
    return needed_rules(found, negated)


def _is_positive(statement: ast.AST, changing: set[Signature]) -> bool:
    """Whether it is a rule that derives an atom, and denies nothing that depends on the state."""
    return (
        statement.ast_type is ast.ASTType.Rule
        and _is_atom(statement.head)
        and all(_is_atom(p) or changing.isdisjoint(signatures_in(p)) for p in statement.body)
    )


def _is_atom(literal: ast.AST, sign: ast.Sign = ast.Sign.NoSign) -> bool:
    """Whether it is an atom, or one negated, without a pool of arguments or a classical minus."""
    return (
        literal.ast_type is ast.ASTType.Literal
        and literal.sign == sign
        and literal.atom.ast_type is ast.ASTType.SymbolicAtom
        and literal.atom.symbol.ast_type is ast.ASTType.Function
    )
