"""Arithmetic outside 32 bits, which clingo computes wrongly without a word.

The ranges of numbers prove most arithmetic safe when rules are read. The other rules get a check of
each operation: an external function that raises ``RulesError``. The check is in a rule of its own
behind the rest of the body, so that it sees only numbers for which the rest holds.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import inf, prod

from clingo import Number, String, Symbol, SymbolType, ast

from ..clingo_c import nodes_in, parts_of, type_of
from ..nodes import (
    atom_of,
    is_negated,
    make_constant,
    make_function,
    make_literal,
    make_rule,
    make_variable,
    sides_of,
    unpooled,
)
from ..parsing import place_of
from ..statements import (
    TRUE,
    Argument,
    Literal,
    Rule,
    Signature,
    literal_of,
    needed_rules,
    rule_of,
    variables_in,
)
from ..terms import LARGEST, Constants
from .domains import COPIED, EVERY, NONE, Domains, Range, Terms, value_range

_ENDLESS_NUMBER = LARGEST  # the end of a range of which clingo finds no end
_MOST_GIVEN = 10_000  # a number that positions may have though play doesn't come to it
_NAME = "checked "  # no name in a file can have a blank
_ROUNDS = 3  # for comparisons that limit each other's variables
_POWERS = [sign * 10**power for sign in (-1, 1) for power in range(10)]
_WIDEST = [EVERY.low, -LARGEST, *_POWERS, 0, LARGEST, EVERY.high]
_NUMBERS = (ast.ASTType.SymbolicTerm, ast.ASTType.Variable)
_LIMITED = (ast.ASTType.Variable, ast.ASTType.BinaryOperation)
_COMPUTED = (ast.ASTType.BinaryOperation, ast.ASTType.UnaryOperation, ast.ASTType.Interval)
_ELEMENTS = (ast.ASTType.BodyAggregateElement, ast.ASTType.ConditionalLiteral)
_SUMS = (ast.AggregateFunction.Sum, ast.AggregateFunction.SumPlus)
_SIGNS: Mapping[int, str] = {
    ast.BinaryOperator.Plus: "+",
    ast.BinaryOperator.Minus: "-",
    ast.BinaryOperator.Multiplication: "*",
    ast.BinaryOperator.Power: "**",
}
_NUMBER = re.compile(r"\b[0-9]+\b")
_SIGN = re.compile(r"(?<!:)-|[+*|]|#sum")
_UNARY = (ast.UnaryOperator.Minus, ast.UnaryOperator.Absolute)
_DENIED = {"<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_SWAPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}
_COUNTED = Range(0, 10_000_000)  # elements of an aggregate
_HALF = 1 << 16


def unproved(
    statements: Sequence[ast.AST], constants: Constants, only: Sequence[Signature] = ()
) -> list[int]:
    """The numbers of the statements with arithmetic that may leave 32 bits.

    If ``only`` some predicates are asked about, rules that they don't need are left out.
    """
    rules = list(map(rule_of, statements))
    asked = set(needed_rules(rules, only) if only else rules)
    suspects = [
        n
        for n, rule in enumerate(rules)
        if rule in asked and _SIGN.search(str(rule.statement)) and _has_arithmetic(rule)
    ]
    needed, size = list[Rule](), -1
    body = {signature for number in suspects for signature in rules[number].body}
    while size < len(needed):
        size = len(needed)
        body |= {made for made, given in _NumberDomains.copied.items() if given in body}
        needed = needed_rules(rules, body)
        body |= {signature for rule in needed for signature in rule.body}
    domains = _NumberDomains(_unpooled(rule.statement for rule in needed), constants)
    return [n for n in suspects if any(map(domains.leaves, _unpooled([statements[n]])))]


def _unpooled(statements: Iterable[ast.AST]) -> list[Rule]:
    return [rule_of(one) for statement in statements for one in unpooled(statement)]


def endless_range(statements: Iterable[ast.AST], constants: Constants) -> str | None:
    """A range that reaches the largest number, with its place; clingo counts it without an end."""
    for statement in (one for one in statements if ".." in str(one)):
        for node in nodes_in(statement, ast.ASTType.Interval):
            if _ENDLESS_NUMBER <= value_range(node.right, {}, constants).high < inf:
                return f"{place_of(statement)}: the range {node.left}..{node.right} has no end"
    return None


def beyond(
    statements: Iterable[ast.AST], constants: Constants, fluents: Iterable[Symbol]
) -> tuple[Symbol, Symbol] | None:
    """A fluent with a number for which arithmetic isn't proved, and the number; None without."""
    places = _NumberDomains(_unpooled(statements), constants).of(TRUE)
    for fluent in fluents:
        work = [(fluent, places[0])]
        while work:
            term, terms = work.pop()
            if term.type is SymbolType.Number and not terms.any:
                known = _in_positions(_numbers(terms))
                if not known.low <= term.number <= known.high:
                    return fluent, term
            elif term.type is SymbolType.Function:
                signature = term.name, len(term.arguments)
                work += zip(term.arguments, terms.functions.get(signature, ()), strict=False)
    return None


def numbers_of(statements: Iterable[ast.AST], signature: Signature, place: int) -> Range:
    """The numbers of an argument of a predicate; no number if it may be another term."""
    terms = _NumberDomains(_unpooled(statements), {}).of(signature)[place]
    other = terms.any or terms.functions or any(map(_is_name, terms.constants))
    return NONE if other else _numbers(terms)


def with_checks(statements: Iterable[ast.AST], numbers: Collection[int]) -> list[ast.AST]:
    """The statements, with checks in those with some numbers."""
    found: list[ast.AST] = []
    for number, statement in enumerate(statements):
        if number in numbers and type_of(statement) is ast.ASTType.Rule:
            for place, one in enumerate(statement.unpool()):
                found += _checked(one, f"{_NAME}{number} {place}")
        else:
            found.append(statement)
    return found


class _NumberDomains(Domains):
    """Domains with the numbers that operations have as results."""

    copied: Mapping[Signature, Signature] = {**COPIED, ("base", 1): TRUE}  # as in positions

    def __init__(self, rules: Sequence[Rule], constants: Constants) -> None:
        self._constants, self._body = constants, list[Literal]()
        self._limits: dict[int, tuple[Literal, list[tuple[str, str, ast.AST, set[str]]]]] = {}
        texts = (str(rule.statement) for rule in rules)
        given = [int(number) for text in texts for number in _NUMBER.findall(text)]
        given += [value for value in constants.values() if isinstance(value, int)]
        near = (
            sign * (number + more) for number in given for more in (-1, 0, 1) for sign in (-1, 1)
        )
        self._bounds = sorted({*_WIDEST, *near})
        super().__init__(rules)

    def leaves(self, rule: Rule) -> bool:
        """Whether an operation of a rule may leave 32 bits."""
        sums = [atom for part in rule.literals if (atom := _aggregate(part))]
        if not all(self._total(atom, rule.literals).fits for atom in sums):
            return True
        for operations, condition in _scopes(rule):
            ranges = self._ranges_of([*rule.literals, *condition])
            for node in operations:
                unlimited = {**ranges, str(node): EVERY}  # a limit on the result comes later
                if not value_range(node, unlimited, self._constants).fits:
                    return True
        return False

    def variables(self, literals: Iterable[Literal]) -> dict[str, Terms]:
        """As ``Domains.variables``, with the numbers that comparisons leave."""
        self._body = literals = list(literals)
        found = super().variables(literals)
        if all(part.sign is not None for part in literals) and not any(
            terms.computed != NONE for terms in found.values()
        ):
            return found  # no operation has a result here
        for name, numbers in self._ranges_of(literals).items():
            known = found.get(name)
            if known is None or known.computed != NONE:
                found[name] = clipped = Terms()
                if known is not None:
                    clipped.add(known)
                    numbers = numbers.meet(known.computed)
                clipped.computed = numbers.widen(self._bounds)
        return found

    def _add(self, given: Argument, terms: Terms, known: Mapping[str, Terms]) -> bool:
        if (value := self._constants.get(given.constant)) is not None:
            given = given._replace(constant=str(value))
        return super()._add(given, terms, known)

    def _add_computed(self, given: Argument, terms: Terms) -> bool:
        if type_of(given.node) not in _COMPUTED:
            return super()._add_computed(given, terms)
        found = value_range(given.node, self._ranges_of(self._body), self._constants)
        return terms.compute(found.widen(self._bounds))

    def _ranges_of(self, literals: Sequence[Literal]) -> dict[str, Range]:
        """The numbers that a body's variables can be; no entry for other terms and all numbers."""
        found: dict[str, Range] = {}
        mixed: set[str] = set()  # variables that may be other terms, too
        for literal in literals:
            if literal.sign == ast.Sign.NoSign:
                for name, terms in self._places(literal):
                    numbers = _numbers(terms)
                    if literal.signatures[0] == TRUE:
                        numbers = _in_positions(numbers)
                    found[name] = found.get(name, EVERY).meet(numbers)
                    if terms.any or terms.functions or any(map(_is_name, terms.constants)):
                        mixed.add(name)
        for literal in literals:
            guard = (atom := _aggregate(literal)) and atom.left_guard
            if atom and guard and guard.comparison == ast.ComparisonOperator.Equal:
                found[str(guard.term)] = self._total(atom, literals)
        compared = [part for literal in literals for part in self._comparisons(literal)]
        for _ in range(_ROUNDS):
            for name, sign, node, variables in compared:
                if not mixed.isdisjoint(variables):
                    continue
                limit = value_range(node, found, self._constants)
                if limit == NONE and sign == "=":
                    found[name] = NONE
                elif limit != NONE:
                    low = EVERY.low if sign[0] == "<" else limit.low + (sign == ">")
                    high = EVERY.high if sign[0] == ">" else limit.high - (sign == "<")
                    found[name] = found.get(name, EVERY).meet(Range(low, high))
        return found

    def _comparisons(self, literal: Literal) -> list[tuple[str, str, ast.AST, set[str]]]:
        """The limits in a comparison by numbers, and these numbers' variables; read only once."""
        if literal.kind is not ast.ASTType.Comparison:
            return []
        key = id(literal)
        if key not in self._limits:
            found = [
                (name, sign, node, variables_in(node))
                for name, sign, node in _comparisons(literal.node)
                if type_of(node) in (*_NUMBERS, *_COMPUTED)
            ]
            self._limits[key] = literal, found
        return self._limits[key][1]

    def _total(self, atom: ast.AST, literals: Sequence[Literal]) -> Range:
        if atom.function == ast.AggregateFunction.Count:
            return _COUNTED
        if atom.function not in _SUMS:
            return EVERY
        total = Range(0, 0)
        for element in atom.elements:
            body = [part for part in literals if getattr(part.node, "atom", None) != atom]
            body += map(literal_of, element.condition)
            weights = value_range(element.terms[0], self._ranges_of(body), self._constants)
            known = self.variables(body)
            names = set[str]().union(*map(variables_in, element.terms))
            most = prod(known[name].size if name in known else inf for name in names)
            total = Range(
                total.low + min(0, weights.low) * most, total.high + max(0, weights.high) * most
            )
        return total

    def _places(self, literal: Literal) -> Iterator[tuple[str, Terms]]:
        work = list(zip(literal.arguments, self.of(literal.signatures[0]), strict=True))
        while work:
            given, terms = work.pop()
            if given.variable:
                yield given.variable, terms
            elif not given.is_plain:
                yield str(given.node), terms
            elif given.function in terms.functions and not terms.any:
                work += zip(given.parts, terms.functions[given.function], strict=True)


def _numbers(terms: Terms) -> Range:
    numbers = [int(constant) for constant in terms.constants if not _is_name(constant)]
    found = EVERY if terms.any else terms.computed
    return found.join(Range(min(numbers), max(numbers))) if numbers else found


def _in_positions(numbers: Range) -> Range:
    """The numbers at a place of a fluent in positions that are allowed."""
    if numbers == NONE:
        return NONE
    return numbers.join(Range(-_MOST_GIVEN if numbers.low < 0 else 0, _MOST_GIVEN))


def _is_name(constant: str) -> bool:
    return not constant.lstrip("-").isdigit()


def _aggregate(literal: Literal) -> ast.AST | None:
    return atom_of(literal.node) if literal.kind is ast.ASTType.BodyAggregate else None


def _has_arithmetic(rule: Rule) -> bool:
    atoms = map(_aggregate, rule.literals)
    return any(a and a.function in _SUMS for a in atoms) or any(o for o, _ in _scopes(rule))


def _scopes(rule: Rule) -> Iterator[tuple[list[ast.AST], Sequence[Literal]]]:
    """The operations of a rule's own terms, and those of each element of an aggregate.

    Each list comes with the conditions of the element.
    """
    yield list(_operations(rule.statement)), ()
    for node in nodes_in(rule.statement, *_ELEMENTS):
        operations = [o for part in parts_of(node) for o in _operations(part)]
        yield operations, [literal_of(part) for part in node.condition]


def _operations(node: ast.AST) -> Iterator[ast.AST]:
    """The operations that may leave 32 bits, without those of aggregates' elements."""
    kind = type_of(node)
    if kind is ast.ASTType.BinaryOperation and node.operator_type in _SIGNS:
        yield node
    if kind is ast.ASTType.UnaryOperation and node.operator_type in _UNARY:
        yield node
    for part in parts_of(node):
        if type_of(part) not in _ELEMENTS:
            yield from _operations(part)


def _comparisons(node: ast.AST) -> Iterator[tuple[str, str, ast.AST]]:
    """The limits on variables in a comparison: ``("N", "<", 60)``."""
    terms, signs = sides_of(atom_of(node))
    if is_negated(node):
        signs = [_DENIED.get(sign, "") if len(signs) == 1 else "" for sign in signs]
    for (left, right), sign in zip(pairwise(terms), signs, strict=True):
        if sign in _SWAPPED and type_of(left) in _LIMITED:
            yield str(left), sign, right
        if sign in _SWAPPED and type_of(right) in _LIMITED:
            yield str(right), _SWAPPED[sign], left


# --- checks ---------------------------------------------------------------------------------------


def _checked(statement: ast.AST, name: str) -> Iterator[ast.AST]:
    rule, check = rule_of(statement), _Checks(place_of(statement))
    safe = [part for part in rule.literals if not any(_operations(part.node))]
    binding = [part for part in safe if part.binds]
    bound = frozenset[str]().union(*(part.variables for part in binding))
    first = [
        part
        for part in safe
        if (part.sign is not None or part.compares) and part.variables <= bound
    ]
    rest = [check.visit(part.node) for part in rule.literals if part not in first]
    for part in rule.literals:
        if (atom := _aggregate(part)) and atom.function in _SUMS:
            rest += check.of_sum(atom)
    asked = set[str]().union(*map(variables_in, (statement.head, *rest)))
    place = statement.location
    names = [make_variable(place, variable) for variable in sorted(bound & asked)]
    before = make_literal(place, make_function(place, name, names))
    yield make_rule(place, before, [literal.node for literal in first])
    yield statement.update(body=[before, *rest, *check.of(_operations(statement))])


class _Checks(ast.Transformer):
    """Adds checks to the elements of aggregates."""

    def __init__(self, place: str) -> None:
        self._place, self._halves = place, 0

    def of(self, operations: Iterable[ast.AST]) -> list[ast.AST]:
        found = []
        for node in operations:
            place = node.location
            if type_of(node) is ast.ASTType.BinaryOperation:
                parts = [String(_SIGNS[node.operator_type])], [node.left, node.right]
            else:  # |N| leaves 32 bits where 0-N does
                parts = [String("-"), Number(0)], [node.argument]
            head = [ast.SymbolicTerm(place, symbol) for symbol in (String(self._place), *parts[0])]
            call = ast.Function(place, "arithmetic", [*head, *parts[1]], 1)
            none = ast.Guard(ast.ComparisonOperator.Equal, make_constant(place, Number(0)))
            found.append(ast.Literal(place, ast.Sign.NoSign, ast.Comparison(call, [none])))
        return found

    def of_sum(self, atom: ast.AST) -> list[ast.AST]:
        """Conditions that compute a sum again, in two halves."""
        place, found, halves = atom.location, [], []
        factor = ast.SymbolicTerm(place, Number(_HALF))
        for operator in (ast.BinaryOperator.Division, ast.BinaryOperator.Modulo):
            self._halves += 1
            elements = []
            for element in self.visit_sequence(atom.elements):
                half = ast.BinaryOperation(place, operator, element.terms[0], factor)
                elements.append(element.update(terms=[half, *element.terms]))
            halves.append(ast.Variable(place, f"Half{self._halves}@"))  # no file's name
            guard = ast.Guard(ast.ComparisonOperator.Equal, halves[-1])
            body = ast.BodyAggregate(place, guard, atom.function, elements, None)
            found.append(ast.Literal(place, ast.Sign.NoSign, body))
        high = ast.BinaryOperation(place, ast.BinaryOperator.Multiplication, halves[0], factor)
        whole = ast.BinaryOperation(place, ast.BinaryOperator.Plus, high, halves[1])
        return found + self.of([high, whole])

    def visit_ConditionalLiteral(self, node: ast.AST) -> ast.AST:  # noqa: N802
        terms = [o for part in parts_of(node) for o in _operations(part)]
        return node.update(condition=[*node.condition, *self.of(terms)])

    visit_BodyAggregateElement = visit_ConditionalLiteral  # noqa: N815
