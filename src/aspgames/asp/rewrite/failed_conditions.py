"""The first condition of each rule that fails in a state.

It is the reason where ``minimal_reasons`` has none: a condition that is independent of the state
fails, or the rule takes a number from an aggregate.
"""

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from clingo import Symbol, ast

from ..grounding import Query, parse_statements
from ..nodes import atom_of
from ..statements import Signature, changing_predicates, rule_of, signatures_in, variables_in
from ..terms import Constants
from .clauses import (
    AGGREGATES,
    Counts,
    Replaced,
    assigned,
    case_text,
    counted,
    failing_case,
    is_equation,
    outside,
    read_off,
)

_STEP, _CASE = ("_step", 3), ("_case", 4)


@dataclass(frozen=True)
class FailedCondition:
    """A condition that fails, with the values of the conditions before it."""

    rule: ast.AST
    text: str
    """The condition without its negation."""
    value: str
    """The value of its aggregate, or of its variables in a comparison."""
    holds: bool
    """Whether it fails because it is negated."""
    missing: int
    """The number of the rule's conditions from this one on."""


def failed_conditions(
    rules: Iterable[ast.AST],
    atom: Symbol,
    bound: str,
    statements: Sequence[ast.AST],
    constants: Constants,
    true: Sequence[Symbol],
    does: Sequence[Symbol],
    counts: Counts,
    lasting: bool = False,
) -> list[FailedCondition]:
    """Why each rule for an atom doesn't apply, the rule nearest to it first.

    If ``lasting``, conditions that are the same in all states come before the others.
    ``bound`` has a ``b`` for each argument of the atom that is fixed. Rules for other arguments are
    left out, and those with a choice as their head.
    """
    derive = (rule for rule in rules if rule.head.ast_type is ast.ASTType.Literal)
    changing = changing_predicates(list(map(rule_of, statements))) if lasting else frozenset()
    plans = [_Plan(rule, atom, bound, counts, changing) for rule in derive]
    text = "\n".join(step for number, plan in enumerate(plans) for step in plan.steps(number))
    if not text:
        return []
    query = Query([*statements, *parse_statements(text)], constants, [_STEP, _CASE])
    held = query(true, does)
    cases = {
        (number.number, step.number, values): case_text(case)
        for number, step, values, case in (s.arguments for s in sorted(held[_CASE], reverse=True))
    }
    furthest: dict[int, tuple[int, Symbol]] = {}
    for symbol in sorted(held[_STEP], reverse=True):
        number, step, values = symbol.arguments
        if step.number >= furthest.get(number.number, (0, values))[0]:
            furthest[number.number] = step.number, values
    found = (
        plans[number].failure(*far, cases.get((number, *far), ""))
        for number, far in furthest.items()
    )
    return sorted(filter(None, found), key=lambda failure: failure.missing)


class _Plan:
    """The conditions of a rule, each after those that give it values."""

    def __init__(
        self,
        rule: ast.AST,
        atom: Symbol,
        bound: str,
        counts: Counts,
        changing: AbstractSet[Signature],
    ) -> None:
        """Conditions with ``changing`` predicates come late."""
        self.rule = rule
        terms = getattr(rule.head.atom.symbol, "arguments", ())
        pairs = zip(atom.arguments, terms, bound, strict=True)
        equal = [f"{value} = {term}" for value, term, is_bound in pairs if is_bound == "b"]
        given = parse_statements(f":- {'; '.join(equal)}.")[-1].body if equal else ()
        self._first = len(given)
        late = sorted(rule.body, key=lambda part: not changing.isdisjoint(signatures_in(part)))
        waiting = [*given, *late]
        self._outside = set().union(*map(outside, (rule.head, *waiting)))
        self._parts: list[ast.AST] = []
        self._names: list[list[str]] = [[]]
        self._counted: dict[int, ast.AST] = {}  # by the place of the condition that compares it
        while ready := next(filter(self._is_ready, waiting), None):
            waiting.remove(ready)
            value = counted(ready, f"_Value{len(self._parts)}", counts)
            if value and outside(ready) <= {*self._names[-1]}:
                self._outside.add(f"_Value{len(self._parts)}")
                self._add(value)
                self._counted[len(self._parts)] = value
            self._add(ready)

    def _add(self, part: ast.AST) -> None:
        self._parts.append(part)
        self._names.append(sorted({*self._names[-1], *variables_in(part) & self._outside}))

    def steps(self, number: int) -> Iterator[str]:
        """The rules that say how many conditions hold, and with which values."""
        for step, names in enumerate(self._names[self._first :], start=self._first):
            values = "".join(f"{name}," for name in names)
            body = "; ".join(map(str, self._parts[:step])) or "#true"
            yield f"_step({number},{step},({values})) :- {body}."
            if step < len(self._parts) and (case := failing_case(self._parts[step])):
                asked = "; ".join([body, *case[1]])
                yield f"_case({number},{step},({values}),{case[0]}) :- {asked}."

    def failure(self, step: int, values: Symbol, case: str) -> FailedCondition | None:
        """The condition that fails after some others hold with these values.

        ``case`` is the instance of a conditional literal that does.
        """
        if step == len(self._parts):
            return None
        known = dict(zip(self._names[step], values.arguments, strict=True))
        part = self._parts[step + (step + 1 in self._counted)]  # without a count the next one fails
        atom = atom_of(part)
        holds = atom is not part and part.sign == ast.Sign.Negation
        text, given = str(Replaced(known).visit(atom)), case
        if atom.ast_type is ast.ASTType.Comparison:
            names = sorted(variables_in(part) & {*known})
            text, given = str(atom), ", ".join(f"{name} is {known[name]}" for name in names)
        elif step in self._counted:
            value = Replaced(known).visit(self._counted[step].atom)
            given = f"it is {value.left_guard.term if value.ast_type in AGGREGATES else value}"
            given *= str(value) != text
        return FailedCondition(self.rule, text, given, holds, len(self._parts) - step)

    def _is_ready(self, part: ast.AST) -> bool:
        names = variables_in(part) & self._outside - set(self._names[-1])
        return any(names <= given for given in _given(part))


def _given(part: ast.AST) -> Iterator[set[str]]:
    """The sets of variables that a condition can give values, if it has all others."""
    yield set()
    if part.ast_type is ast.ASTType.Literal and part.sign == ast.Sign.NoSign:
        atom = part.atom
        if atom.ast_type is ast.ASTType.SymbolicAtom:
            yield read_off(atom.symbol)
        elif atom.ast_type in AGGREGATES:
            yield {assigned(atom)}
        elif atom.ast_type is ast.ASTType.Comparison and is_equation(atom):
            yield from map(read_off, (atom.term, atom.guards[0].term))
