"""Splits rules where a part of the body shares few variables with the rest.

    next(cell(X,Y,C)) :- true(cell(X,Y,C)), does(R,move(U,V,S,T)),
                         differ(X,Y,U,V), differ(X,Y,S,T).

has an instance for each square, content and move, though the content does not depend on the move.
With a separate rule ``part(X,Y)`` for the move, there is one for each square and move. That is a
tree decomposition of the rule (Bichler, Morak and Woltran, "lpopt: A Rule Optimization Tool for
Answer Set Programming", 2016). It is found as in query planners: each step eliminates the variable
that leaves the fewest instances (bucket elimination: Dechter 1999).

    rectangle(P) :- true(cell(A,B,P)), true(cell(C,D,P)), true(cell(E,F,P)), corners(A,B,C,D,E,F).

has few instances, but clingo's grounder would first join all cells with all others. Such a rule is
split into steps. Each step joins one more literal, in an order that keeps the instances few.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from clingo import ast

from ..nodes import make_function, make_literal, make_rule, make_variable, replaced
from ..statements import Literal, Rule, Signature, literal_of, rule_of, variables_in
from .magic_sets import (
    PREFIX,
    Counts,
    Sizes,
    as_clingo,
    is_demand,
    is_plain,
    slowest_growth,
    variables_of,
)

_MANY_INSTANCES = 5_000  # instances; smaller rules are not split
_FEW_VARIABLES = 2  # variables; rules with no more are never split
_WORTHWHILE_SHARE = 0.6  # a split must leave no more than this share of the instances
_NEAR_FACTOR = 1.5  # times the fewest instances is good enough, with fewer parts
_BAD_FACTOR = 10  # an order is bad if it has so many times the intermediate instances
_NAME = "part "  # no name in a file can have a blank


def split(
    statements: Iterable[ast.AST],
    game: Iterable[ast.AST],
    known: Mapping[Signature, int] | None = None,
) -> list[ast.AST]:
    """Equivalent statements, in which rules with many instances are split.

    ``game`` are all statements of a game's rules, for estimates of the numbers of atoms; ``known``
    has the exact numbers for some predicates. Rules with few instances or variables stay as they
    are.
    """
    rules = [rule_of(statement) for statement in statements]
    candidates = {rule for rule in rules if _may_split(rule)}
    if not candidates:
        return [rule.statement for rule in rules]
    splitting = _Splitting([*map(rule_of, game), *rules], known or {})
    return [
        statement
        for rule in rules
        for statement in (splitting.of(rule) if rule in candidates else [rule.statement])
    ]


def _may_split(rule: Rule) -> bool:
    """Whether it is a rule of plain literals and comparisons with many variables."""
    return is_plain(rule) and len(variables_of(rule.literals)) > _FEW_VARIABLES


@dataclass(frozen=True)
class _Part:
    """A part of a body that may become a separate rule."""

    body: Sequence[Literal]
    rest: Sequence[Literal]
    shared: Sequence[str]  # the variables that also occur in the rest or the head
    instances: float
    rids: int  # how many variables disappear from the rest


class _Splitting:
    """Splits the rules of a program."""

    def __init__(self, rules: Sequence[Rule], known: Mapping[Signature, int]) -> None:
        self._counts = Counts(rules, known)
        self._made: dict[tuple[str, ...], Literal] = {}
        """The atoms of parts that have rules, by ``_key``."""
        self._numbers = count()

    def of(self, rule: Rule) -> list[ast.AST]:
        """The statements that replace a rule."""
        return self._split(rule.statement, rule.literals, Sizes(self._counts, rule.literals))

    def _split(
        self, statement: ast.AST, literals: Sequence[Literal], sizes: Sizes
    ) -> list[ast.AST]:
        body, spent, steps = list(literals), 0.0, list[tuple[_Part, Literal]]()
        costs, bodies = [sizes.instances(body)], [body]
        of_head = frozenset(variables_in(statement.head))
        while costs[0] > _MANY_INSTANCES and (part := _best(body, of_head, sizes)):
            literal = self._standing_for(part, statement, sizes)
            steps.append((part, literal))
            body = [*part.rest, literal]
            spent += part.instances
            bodies.append(body)
            costs.append(spent + sizes.instances(body))
        few = min(min(costs) * _NEAR_FACTOR, costs[0] * _WORTHWHILE_SHARE)
        length = next((n for n, cost in enumerate(costs) if cost <= few), 0)
        if not length:
            return self._in_steps(statement, literals, sizes)
        found = list[ast.AST]()
        for part, literal in steps[:length]:
            if self._is_new(literal, part, statement):
                found += self._split(_rule(literal, part.body, statement), part.body, sizes)
        statement = statement.update(body=[literal.node for literal in bodies[length]])
        return [*found, *self._in_steps(statement, bodies[length], sizes)]

    def _in_steps(self, statement: ast.AST, body: Sequence[Literal], sizes: Sizes) -> list[ast.AST]:
        """The statements that replace one whose literals clingo would join in a bad order.

        Each step joins one more literal.
        """
        so_many = sizes.most_at_once(body, as_clingo)
        few = sizes.most_at_once(body, slowest_growth)
        if so_many <= _MANY_INSTANCES or so_many <= _BAD_FACTOR * few:
            return [statement]
        order = [literal for literal, _ in sizes.joined(body, slowest_growth)]
        left = [literal for literal in body if literal not in order]
        of_head = frozenset(variables_in(statement.head))
        found = list[ast.AST]()
        first, *order = order
        while len(order) > 1:
            second, *order = order
            shared = (first.variables | second.variables) & (
                of_head | variables_of([*order, *left])
            )
            instances = sizes.instances([first, second])
            part = _Part([first, second], [*order, *left], sorted(shared), instances, 0)
            first = self._standing_for(part, statement, sizes)
            if self._is_new(first, part, statement):
                found.append(_rule(first, part.body, statement))
        return [*found, statement.update(body=[part.node for part in (first, *order, *left)])]

    def _standing_for(self, part: _Part, statement: ast.AST, sizes: Sizes) -> Literal:
        literal = self._made.get(_key(part, statement))
        if literal is None:
            place = statement.location
            variables = [make_variable(place, variable) for variable in part.shared]
            name = f"{_prefix(statement)}{next(self._numbers)}"
            literal = literal_of(make_literal(place, make_function(place, name, variables)))
        sizes.learn(literal, min(part.instances, sizes.most(part.shared)))
        return literal

    def _is_new(self, literal: Literal, part: _Part, statement: ast.AST) -> bool:
        """Whether the literal of a part has no rule yet; records that it gets one."""
        key = _key(part, statement)
        known, self._made[key] = self._made.get(key), literal
        return known is not literal


def _rule(head: Literal, body: Sequence[Literal], statement: ast.AST) -> ast.AST:
    return make_rule(statement.location, head.node, [literal.node for literal in body])


def _key(part: _Part, statement: ast.AST) -> tuple[str, ...]:
    body = sorted(str(literal.node) for literal in part.body)
    return (_prefix(statement), *part.shared, "", *body)


def _prefix(statement: ast.AST) -> str:
    """The prefix of a part's name; the parts of a demand rule are demand, too."""
    return f"{PREFIX}{_NAME}" if is_demand(statement) else _NAME


def _best(body: Sequence[Literal], of_head: frozenset[str], sizes: Sizes) -> _Part | None:
    """The smallest part that removes variables from a body which its head doesn't have."""
    return min(
        _parts(body, of_head, sizes), key=lambda part: (part.instances, -part.rids), default=None
    )


def _parts(body: Sequence[Literal], of_head: frozenset[str], sizes: Sizes) -> Iterator[_Part]:
    tried = set[tuple[Literal, ...]]()
    singly = ({name} for name in sorted(variables_of(body) - of_head))
    for names in (*_components(body, of_head), *singly):
        inside = tuple(literal for literal in body if literal.variables & names)
        rest = [literal for literal in body if literal not in inside]
        if inside in tried or not rest:
            continue
        tried.add(inside)
        shared = variables_of(inside) & (variables_of(rest) | of_head)
        guards = _guards(inside, rest, shared)
        if guards is not None:
            part = [*inside, *guards]
            rids = len(variables_of(inside) - shared)
            yield _Part(part, rest, sorted(shared), sizes.instances(part), rids)


def _components(body: Sequence[Literal], of_head: frozenset[str]) -> Iterator[set[str]]:
    """The variables that are not in the head, grouped by the literals that connect them."""
    left = [literal.variables - of_head for literal in body]
    while left := [names for names in left if names]:
        names = set(left[0])
        while more := [others for others in left if others & names and not others <= names]:
            names = names.union(*more)
        yield names
        left = [others - names for others in left]


def _guards(
    part: Sequence[Literal], rest: Sequence[Literal], shared: frozenset[str]
) -> list[Literal] | None:
    """The literals that bind the variables of a part; None if there are no such literals."""
    bound = variables_of(literal for literal in part if literal.binds)
    guards = []
    needed = variables_of(part) - bound
    while needed:
        binding = [literal for literal in rest if literal.binds and literal.variables & needed]
        if not binding:
            return None
        best = max(binding, key=lambda literal: len(literal.variables & needed))
        node = replaced(
            best.node, "Variable", lambda v: v if v.name in shared else v.update(name="_")
        )
        guards.append(Literal(node, best.signatures, best.sign))
        needed -= best.variables
    return guards
