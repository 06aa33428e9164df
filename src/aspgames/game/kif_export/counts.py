"""Counts and sums over the state as rules that go from one possible element to the next.

KIF has no aggregates. For ``N = #count { X : true(at(X,R)) }``, one relation lists the possible
elements in an order, one has the elements that hold, and one counts these up to each place.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ...asp.clingo_api import AST, Number, Symbol, SymbolType
from ...asp.clingo_c import parts_of
from ...asp.node_details import bounds_of, elements_of, function_of
from ...asp.nodes import atom_of, is_negated, is_positive, kind_of
from ...asp.rewrite.clauses import outside
from ...asp.statements import atoms_in, literal_of, rule_of, variables_in
from ...gdl.kif.names import unused
from ...gdl.kif.sheet import KEYWORDS, Function
from .arithmetic import Arithmetic
from .rule_text import Inexpressible, ReadRule, term_of

_MOST_ELEMENTS = 10_000  # possible elements
_RELATIONS = ("{}_element", "{}_elements", "{}_holds", "{}_so_far")

Read = Callable[[str], list[ReadRule]]
"""Reads the text of rules. Raises ``Inexpressible``."""


@dataclass
class CountRules:
    """The rules in place of one count or sum."""

    read: Read
    names: Sequence[str]
    """Of the relations: the elements, their number, those that hold, and their count so far."""
    given: int
    """The number of variables that have their values from the rest of the rule."""
    sums: bool
    starts: list[ReadRule]
    """The rules for the count 0, for all given values."""
    holding: list[ReadRule]
    """The rules for the elements that hold."""
    facts: list[Function] = field(default_factory=list)

    def steps(self, arithmetic: Arithmetic) -> list[ReadRule]:
        """The rules that count, and ``facts``; ``arithmetic`` has the domains of all other rules.

        Raises ``Inexpressible``, and ``RulesError`` if the elements have no bound.
        """
        element, number, holds, so_far = self.names
        starts = arithmetic.instances(self.starts)
        known = {tuple(atom.arguments[: self.given]): [0, 0, 0] for atom in starts}
        for atom in arithmetic.instances(self.holding):
            values, terms = atom.arguments[: self.given], atom.arguments[self.given :]
            weight = terms[0] if self.sums else Number(1)
            if (found := known.get(tuple(values))) and weight.type is SymbolType.Number:
                places = Number(found[0]), Number(found[0] + 1)
                self.facts.append(_fact(element, (*values, *places, *terms)))
                found[0] += 1
                found[1 + (weight.number > 0)] += weight.number
        if (size := len(self.facts)) > _MOST_ELEMENTS:
            raise Inexpressible(
                f"a count of {size:,} possible elements (at most {_MOST_ELEMENTS:,})"
            )
        self.facts += (_fact(number, (*v, Number(found[0]))) for v, found in known.items())
        if not size:
            return []
        low, high = min(found[1] for found in known.values()), max(f[2] for f in known.values())
        every = [f"X{n}" for n in range(len(self.holding[0].head.arguments))]
        given, own = every[: self.given], every[self.given :]
        before = f"{_text(so_far, given, 'I', 'N')}, {_text(element, given, 'I', 'J', *own)}"
        more = f"M = N+{own[0] if self.sums else 1}, M >= {low}, M <= {high}"
        return self.read(
            f"{_text(so_far, given, 'J', 'N')} :- {before}, not {_text(holds, every)}."
            f"{_text(so_far, given, 'J', 'M')} :- {before}, {_text(holds, every)}, {more}."
        )


def is_count(part: AST) -> bool:
    """Whether a part of a body is an aggregate."""
    return kind_of(atom_of(part)) in ("Aggregate", "BodyAggregate")


def without_counts(rule: AST, read: Read, taken: set[str]) -> tuple[str, list[CountRules]]:
    """A rule's text without its counts, and these. Raises ``Inexpressible``."""
    head, *parts = parts_of(rule)
    rest = [part for part in parts if not is_count(part)]
    shared = variables_in(head).union(*map(outside, parts))
    word = next((name for name, _ in rule_of(rule).heads if name not in KEYWORDS), "count")
    names = variables_in(rule)
    body, counts = list(map(str, rest)), list[CountRules]()
    for part in filter(is_count, parts):
        aggregate = atom_of(part)
        elements = list(_elements(aggregate))
        inner = (
            variables_in(node) for terms, condition in elements for node in (*terms, *condition)
        )
        given = sorted(shared.intersection(set[str]().union(*inner)))
        if len({len(terms) for terms, _ in elements}) > 1:
            raise Inexpressible("a count of tuples with several lengths")
        relations = [unused(form.format(word), taken) for form in _RELATIONS]
        starts = _rule(_text(relations[3], given, "0", "0"), _binding(rest, given))
        holding = [
            _rule(
                _text(relations[2], given, *map(str, terms)),
                [*condition, *_binding(rest, set(given) - _bound(condition))],
            )
            for terms, condition in elements
        ]
        sums = function_of(aggregate) == "#sum"
        counts.append(
            CountRules(read, relations, len(given), sums, read(starts), read("".join(holding)))
        )
        size, total = unused("I", names), unused("N", names)
        body += [_text(relations[1], given, size), _text(relations[3], given, size, total)]
        bounds, denied = bounds_of(aggregate, total), is_negated(part)
        if denied and len(bounds) > 1:
            raise Inexpressible("a negated count with two bounds")
        body += [f"not {bound}" if denied else bound for bound in bounds]
    return _rule(str(head), body), counts


def _elements(aggregate: AST) -> Iterator[tuple[Sequence[AST], Sequence[AST]]]:
    """The terms and the conditions of an aggregate's elements. Raises ``Inexpressible``."""
    if function_of(aggregate) not in ("#count", "#sum"):
        raise Inexpressible("an aggregate other than #count and #sum")
    for terms, conditions in elements_of(aggregate):
        if terms is None and not is_positive(literal_of(conditions[0])):
            raise Inexpressible("a count of negated literals")
        yield list(atoms_in(conditions[0])) if terms is None else terms, conditions


def _binding(rest: Iterable[AST], names: Collection[str]) -> Iterator[AST]:
    known = _bound(rest := list(rest)).union(names)
    for part in rest:
        variables = variables_in(part)
        if variables & set(names) and variables <= known and not literal_of(part).sign:
            yield part


def _bound(literals: Iterable[AST]) -> set[str]:
    found = map(literal_of, literals)
    return set[str]().union(*(part.variables for part in found if is_positive(part)))


def _rule(head: str, body: Iterable[object]) -> str:
    conditions = "; ".join(map(str, body))
    return f"{head} :- {conditions}." if conditions else f"{head}."


def _text(name: str, *terms: str | Sequence[str]) -> str:
    """An atom; a sequence of terms stands for all of them."""
    each = (term if isinstance(term, str) else ",".join(term) for term in terms)
    return f"{name}({','.join(filter(None, each))})"


def _fact(name: str, values: Sequence[Symbol]) -> Function:
    return Function(name, tuple(map(term_of, values)))
