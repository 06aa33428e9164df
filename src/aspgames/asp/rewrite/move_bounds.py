"""Bounds of numbers that only ``legal/2`` has.

``next(h(N-M)) :- true(h(N)), does(p,take(M)).`` never goes below zero if ``legal(p,take(M))`` needs
``true(h(N)), N >= M``. But with the state left open, any ``h(N)`` meets any move, and the grounding
has no end. A move is made only where it is legal, so what ``legal/2`` says of the move and of the
same fluent is added to the rule.

It must be the same instance of the fluent: the result holds for states with at most one ``h(_)``,
which the caller has to prove (``Dependent``).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from typing import NamedTuple

from clingo import ast

from ..dependencies import Dependencies
from ..node_details import make_equation, with_body
from ..nodes import atom_of, is_positive, replaced, sides_of, unpooled, with_names
from ..statements import (
    DOES,
    TRUE,
    Argument,
    Literal,
    Rule,
    Signature,
    changing_predicates,
    literal_of,
    rule_of,
    variables_in,
)

_HELPER_RULES = 4  # rules of a helper
_MOST_UNFOLDED = 64  # rules that one is unfolded into
_LEGAL, _NEXT = ("legal", 2), ("next", 1)
_CONDITIONS = (ast.ASTType.Comparison, ast.ASTType.BodyAggregate)


class Dependent(NamedTuple):
    """A fluent of which at most one may hold with the same arguments at some places."""

    fluent: Signature
    keys: tuple[int, ...]


def with_move_bounds(
    statements: Iterable[ast.AST], numbers: Iterable[int]
) -> tuple[list[ast.AST], list[int], frozenset[Dependent]]:
    """The statements, with what ``legal/2`` says added to the rules of some numbers.

    Returns also the new numbers of these rules, and what must hold in all states.
    """
    every, chosen = list(statements), set(numbers)
    if not chosen:
        return every, [], frozenset()
    rules = [rule_of(one) for statement in every for one in unpooled(statement)]
    legal = [rule for rule in rules if rule.heads == {_LEGAL} and rule.head and rule.head.arguments]
    changing = changing_predicates(rules)
    helpers = _helpers(rules, changing)
    legal = [one for rule in legal for one in _unfolded_if_few(rule, helpers)]
    needed = set[Dependent]()
    found, places = list[ast.AST](), list[int]()
    for number, statement in enumerate(every):
        bounded = list[ast.AST]()
        if number in chosen and rule_of(statement).heads == {_NEXT}:
            for one in unpooled(statement):
                unfolded = _unfolded_if_few(rule_of(one), helpers)
                copies = [copy for each in unfolded for copy in _bounded(each, legal, changing)]
                ends = [rule.statement for rule in unfolded]
                if not copies or any(copy in ends for copy, _ in copies):
                    copies = [(one, frozenset())]
                bounded += (copy for copy, _ in copies)
                needed.update(*(dependent for _, dependent in copies))
        bounded = bounded or [statement]
        places += range(len(found), len(found) + len(bounded)) if number in chosen else ()
        found += bounded
    return found, places, frozenset(needed)


def _helpers(rules: Sequence[Rule], changing: set[Signature]) -> dict[Signature, list[Rule]]:
    """The predicates between the state or the moves and other rules, with their few rules."""
    below, found = Dependencies(rules), dict[Signature, list[Rule]]()
    for rule in rules:
        for signature in rule.heads & changing - {_LEGAL, _NEXT, TRUE, DOES}:
            found.setdefault(signature, []).append(rule)
    return {
        signature: its
        for signature, its in found.items()
        if len(its) <= _HELPER_RULES
        and all(rule.plain and rule.head and rule.head.sign is not None for rule in its)
        and not any(below.reaches(s, signature) for rule in its for s in rule.body)
    }


def _unfolded_if_few(rule: Rule, helpers: Mapping[Signature, list[Rule]]) -> list[Rule]:
    """The unfolded rules; the rule as it is where helpers of helpers would make too many."""
    found = list(islice(_unfolded(rule, helpers), _MOST_UNFOLDED + 1))
    return found if len(found) <= _MOST_UNFOLDED else [rule]


def _unfolded(
    rule: Rule, helpers: Mapping[Signature, list[Rule]], depth: int = 0
) -> Iterator[Rule]:
    """The rule with the bodies of helpers in the place of their atoms, for each of their rules."""
    for place, part in enumerate(rule.literals):
        if part.sign is None or not is_positive(part) or part.signatures[0] not in helpers:
            continue
        for other in helpers[part.signatures[0]]:
            named, body = dict[str, ast.AST](), list[ast.AST]()
            assert other.head is not None
            fresh = (f"_{number}@{depth}" for number in count())
            terms = [with_names(given.node, fresh) for given in part.arguments]
            for given, argument in zip(terms, other.head.arguments, strict=True):
                if argument.variable and argument.variable not in named:
                    named[argument.variable] = given
                else:
                    own = _in_place(argument.node, named, depth)
                    body.append(make_equation(own.location, given, own))
            body += (_in_place(each.node, named, depth) for each in other.literals)
            nodes = [each.node for each in rule.literals]
            statement = with_body(rule.statement, [*nodes[:place], *body, *nodes[place + 1 :]])
            yield from _unfolded(rule_of(statement), helpers, depth + 1)
        return
    yield rule


def _in_place(node: ast.AST, named: Mapping[str, ast.AST], depth: int) -> ast.AST:
    """A part of a helper's rule in the variables of the rule that it is put into."""

    def changed(variable: ast.AST) -> ast.AST:
        name = variable.name
        return named.get(name) or variable.update(name=name if name == "_" else f"{name}@{depth}")

    return replaced(node, "Variable", changed)


def _bounded(
    rule: Rule, legal: Sequence[Rule], changing: set[Signature]
) -> Iterator[tuple[ast.AST, frozenset[Dependent]]]:
    """A copy of a rule for each rule of a legal move; the rule itself if that says nothing."""
    made = [part for part in rule.literals if part.signatures == (DOES,) and is_positive(part)]
    for other in legal if made else ():
        matched = _MoveMatch(rule, changing)
        if matched.meets(made[0], other):
            added = matched.conditions(other)
            if not added:
                yield rule.statement, frozenset()
            body = [part.node for part in rule.literals]
            yield with_body(rule.statement, [*body, *added]), frozenset(matched.dependent)


@dataclass
class _MoveMatch:
    """The conditions of a rule for a legal move, in the variables of a rule with this move."""

    rule: Rule
    changing: set[Signature]
    named: dict[str, ast.AST] = field(default_factory=dict)
    """The terms for variables of the legal move's rule."""
    equal: list[tuple[ast.AST, ast.AST]] = field(default_factory=list)
    """Terms of this rule and of the legal move's rule that must be equal."""
    dependent: set[Dependent] = field(default_factory=set)

    def meets(self, made: Literal, legal: Rule) -> bool:
        """Unify the move; returns False if it is another one."""
        assert legal.head is not None
        pairs = zip(made.arguments, legal.head.arguments, strict=True)
        return all(self._unify(*pair) for pair in pairs)

    def _unify(self, one: Argument, other: Argument) -> bool:
        if other.variable and other.variable not in self.named and one.is_bindable:
            self.named[other.variable] = one.node
        elif one.function and other.function:
            return one.function == other.function and all(
                self._unify(*pair) for pair in zip(one.parts, other.parts, strict=True)
            )
        elif (one.constant and other.function) or (one.function and other.constant):
            return False
        elif one.is_bindable and other.is_bindable:
            self.equal.append((one.node, other.node))
        return True

    def conditions(self, legal: Rule) -> list[ast.AST]:
        """What the rule of the legal move says of the move and of the rule's fluents."""
        same = [part for part in legal.literals if self._is_same(part)]
        left = [part for part in legal.literals if part not in same]
        equations = (make_equation(one.location, one, self._own(o)) for one, o in self.equal)
        asked = [(node, variables_in(node)) for node in equations]
        asked += [
            (self._own(part.node), self._outer(part, legal))
            for part in left
            if self._is_condition(part)
        ]
        binding = [literal_of(self._own(p.node)) for p in left if _is_atom(p) and is_positive(p)]
        known = set[str]().union(*(part.variables for part in self.rule.literals if _is_atom(part)))
        wanted = set[str]().union(*(names for _, names in asked)) - known
        used = list[Literal]()
        while more := [p for p in binding if p not in used and p.variables & wanted]:
            used += more
            wanted |= set[str]().union(*(part.variables for part in more))
        bound = known.union(*(part.variables for part in used))
        for _ in asked:  # an equation gives a variable its value
            bound |= {
                name for node, names in asked for name in _given(node) if names - {name} <= bound
            }
        return [part.node for part in used] + [node for node, names in asked if names <= bound]

    def _outer(self, part: Literal, legal: Rule) -> set[str]:
        """The variables of a condition, without those of an aggregate's elements alone."""
        others = (variables_in(each.node) for each in legal.literals if each is not part)
        assert legal.head is not None
        outside = variables_in(legal.head.node).union(*others)
        atom = atom_of(part.node)
        if atom.ast_type is ast.ASTType.BodyAggregate:
            guards = (guard for guard in (atom.left_guard, atom.right_guard) if guard)
            outside = outside.union(*(variables_in(guard.term) for guard in guards))
            return variables_in(self._own(part.node)) & self._names(outside)
        return variables_in(self._own(part.node))

    def _names(self, names: Iterable[str]) -> set[str]:
        """The variables in this rule's terms for some variables of the legal move's rule."""
        terms = (self.named.get(name) for name in names)
        found = (variables_in(term) for term in terms if term is not None)
        return {f"{name}@legal" for name in names}.union(*found)

    def _is_condition(self, part: Literal) -> bool:
        return (
            part.node.ast_type is ast.ASTType.Literal
            and atom_of(part.node).ast_type in _CONDITIONS
            and self.changing.isdisjoint(part.signatures)
        )

    def _is_same(self, part: Literal) -> bool:
        """Whether a literal asks for a fluent of the rule; then unify the two."""
        if part.signatures != (TRUE,) or not is_positive(part):
            return False
        fluent = part.arguments[0]
        own = [
            one.arguments[0]
            for one in self.rule.literals
            if one.signatures == (TRUE,) and is_positive(one) and one.arguments
        ]
        own = [one for one in own if one.function == fluent.function]
        if len(own) != 1 or not fluent.function:
            return False
        pairs = list(zip(own[0].parts, fluent.parts, strict=True))
        same = [str(one.node) == str(self._own(other.node)) for one, other in pairs]
        self.dependent.add(Dependent(fluent.function, tuple(n for n, s in enumerate(same) if s)))
        for pair, is_key in zip(pairs, same, strict=True):
            if not is_key and not self._unify(*pair):
                return False
        return True

    def _own(self, node: ast.AST) -> ast.AST:
        """A term of the legal move's rule in the variables of this rule."""

        def changed(variable: ast.AST) -> ast.AST:
            if variable.name == "_":
                return variable
            return self.named.get(variable.name) or variable.update(name=f"{variable.name}@legal")

        return replaced(node, "Variable", changed)


def _given(node: ast.AST) -> set[str]:
    """The variables that are a side of an equation."""
    atom = atom_of(node)
    if atom.ast_type is not ast.ASTType.Comparison or not is_positive(node):
        return set()
    terms, signs = sides_of(atom)
    kinds = [term.name for term in terms if term.ast_type is ast.ASTType.Variable]
    return set(kinds) if signs == ["="] else set()


def _is_atom(part: Literal) -> bool:
    """Whether a part of a body is a plain atom, negated or not."""
    return part.sign is not None
