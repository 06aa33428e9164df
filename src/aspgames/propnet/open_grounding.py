"""Grounds the rules with the state left open: every fluent that may hold is a choice.

Certain fluents are facts and vanish from the ground rules. Possible fluents are left open. In a
closed grounding, the fluents of the next state are left open, too: it covers every state that can
be reached from the given fluents.

In a closed grounding, fluents follow from each other. So clingo learns too late that a negated atom
is certain, and a slide would pass through a certain arrow. Therefore the consequences of certain
fluents, by rules without negation, are grounded first, under separate names. A rule with ``not
occupied(X,Y)`` then also gets the condition ``not`` its certain part.

The checker of certificates must not use this module; it grounds the rules in its own way
(``docs/certificates.md``).
"""

from collections.abc import Iterable, Sequence

import clingo
from clingo import ast

from ..asp.grounding import Context, Program, ground, parse_statements
from ..asp.rewrite.decompose import split
from ..asp.rewrite.magic_sets import MagicSets, is_demand
from ..asp.statements import TRUE, Literal, Rule, Signature, needed_rules, rule_of
from ..asp.symbols import known_symbol
from ..asp.terms import Constants
from ..runtime.budget import MOST_RULES, UNLIMITED, Budget
from ..runtime.errors import RulesError
from .ground_rules import GroundRules

_WANTED: tuple[Signature, ...] = (
    ("legal", 2),
    ("next", 1),
    ("terminal", 0),
    ("goal", 2),
    ("to_move", 1),
)
_LARGE = 1_000_000  # possible atoms of a predicate that magic sets restrict
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
_CLOSED = parse_statements("{ true(F) } :- next(F).")
_GIVEN = parse_statements("true(F) :- F = @certain().")


class OpenProgram:
    """The rules of a game, prepared for grounding with an open state."""

    def __init__(self, statements: Iterable[ast.AST], constants: Constants) -> None:
        statements = list(statements)
        asked = MagicSets(statements, _LARGE, _LARGE).statements(_WANTED)
        known = Program(asked, constants, _WANTED).static
        counts = {signature: len(atoms) for signature, atoms in known.items()}
        program = Program(split(asked, statements, counts), constants, _WANTED, known)
        lasting = _lasting(program.rules, program.changing)
        certainly = _Certainly({TRUE, *(head for rule in lasting for head in rule.heads)})
        self._constants, self._static = constants, program.static
        told = [rule for signature, rule in program.given.items() if signature in _WANTED]
        self._before = [rule for rule in program.given.values() if rule not in told]
        self._before += [certainly.of(rule) for rule in (*map(rule_of, _GIVEN), *lasting)]
        rules = (_asking(certainly.cut(rule)) for rule in program.rules)
        self._statements = [*told, *rules, *_GIVEN, *_OPEN]

    def ground(
        self,
        certain: Iterable[str],
        possible: Iterable[str],
        closed: bool,
        most_rules: int = MOST_RULES,
        budget: Budget = UNLIMITED,
    ) -> GroundRules:
        """The ground rules for all states with the certain fluents and any of the possible ones.

        Raises ``LimitReached`` for too many rules: always if reachable fluents have no end.
        """
        found = GroundRules(most_rules, budget)
        context = Context(
            self._static,
            certain=lambda: list(map(known_symbol, certain)),
            possible=lambda: list(map(known_symbol, possible)),
        )
        statements = self._statements + _CLOSED if closed else self._statements
        try:
            ground(self._constants, statements, context, observe=found.observe, before=self._before)
        except RulesError:
            found.check()
            raise
        return found


def _asking(statement: ast.AST) -> ast.AST:
    """Turn a demand rule into an external: possible demand counts as demand.

    So the net does not compute demand for each state.
    """
    if not is_demand(statement):
        return statement
    outside = ast.SymbolicTerm(statement.location, clingo.Function("true"))
    atom = statement.head.atom
    return ast.External(statement.location, atom, statement.body, outside)


class _Certainly:
    """Rewrites rules to use predicates of certain atoms."""

    def __init__(self, predicates: set[Signature]) -> None:
        self._predicates = predicates

    def of(self, rule: Rule) -> ast.AST:
        """The rule that derives certain atoms."""
        assert rule.head is not None
        body = [self._literal(literal) for literal in rule.literals]
        return rule.statement.update(head=self._literal(rule.head), body=body)

    def _literal(self, literal: Literal) -> ast.AST:
        if not self._predicates.issuperset(literal.signatures) or not literal.signatures:
            return literal.node
        # No name in a file can contain a blank.
        symbol = literal.node.atom.symbol
        name = f"certain {symbol.name}"
        return literal.node.update(atom=ast.SymbolicAtom(symbol.update(name=name)))

    def cut(self, rule: Rule) -> ast.AST:
        """The statement without the instances that negate a certain atom."""
        denied = [
            self._literal(literal)
            for literal in rule.literals
            if literal.sign == ast.Sign.Negation and self._predicates.issuperset(literal.signatures)
        ]
        if not denied:
            return rule.statement
        body = [*(literal.node for literal in rule.literals), *denied]
        return rule.statement.update(body=body)


def _lasting(rules: Sequence[Rule], changing: set[Signature]) -> list[Rule]:
    """The rules that derive atoms from fluents without negation.

    Only rules that a negated predicate depends on are kept.
    """
    found: list[Rule] = []
    known = {TRUE}
    candidates = [rule for rule in rules if _is_positive(rule, changing)]
    while more := [r for r in candidates if r not in found and r.body & changing <= known]:
        found += more
        known.update(head for rule in more for head in rule.heads)
    negated = {
        signature
        for rule in rules
        for literal in rule.literals
        if rule.heads and literal.sign == ast.Sign.Negation
        for signature in literal.signatures
    }
    return needed_rules(found, negated)


def _is_positive(rule: Rule, changing: set[Signature]) -> bool:
    """Whether a rule derives an atom and negates nothing that depends on the state."""
    return (
        rule.head is not None
        and rule.head.sign == ast.Sign.NoSign
        and all(
            literal.sign == ast.Sign.NoSign or changing.isdisjoint(literal.signatures)
            for literal in rule.literals
        )
    )
