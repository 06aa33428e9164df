"""Relations in place of arithmetic and comparisons: ``(plus_1 ?n ?n2)`` for ``N2 = N+1``.

A sheet has no arithmetic, so such a relation is a list of facts, for all values of the variables.
The rules bound these values, each argument by itself. clingo does the arithmetic.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ...asp.clingo_api import Control, Symbol, SymbolType
from ...asp.clingo_c import facts_of
from ...asp.grounding import Context, Program, ground, hand_over
from ...asp.terms import Constants
from ...gdl.kif.names import table, unused
from ...gdl.kif.sheet import KEYWORDS, Function, Term, Variable, variables_of
from ...runtime.errors import LimitReached, RulesError
from .rule_text import Comparison, Inexpressible, Operation, ReadRule, text_of, variables_in

_LARGEST_COUNTER = 10_000  # a larger number means that a counter has no bound
_LARGEST_OF_TWO_COUNTERS = 1_000  # as an operand beside another variable
_MOST_FACTS = 1_000_000  # facts
_FLUENT = ("init", "next", "true", "base")
_MOVE = ("legal", "does", "input")


class ArgumentPlace(NamedTuple):
    """An argument of a relation, or of a fluent such as ``cell`` in ``(true (cell 1 1 b))``."""

    relation: str
    """``true`` for fluents, ``does`` for moves."""
    function: str
    """The name of the fluent or move; empty for other relations."""
    arity: int
    number: int


@dataclass
class Relation:
    """The relation for one comparison."""

    name: str
    formula: str
    """The comparison, with ``?1``, ``?2``, … for its arguments."""
    arity: int
    bodies: dict[str, None] = field(default_factory=dict)
    """For each rule with the comparison, a rule that bounds the arguments."""
    atoms: Sequence[Symbol] = ()


class Arithmetic:
    """The relations that the rules of one encoding need."""

    def __init__(
        self,
        program: Program,
        constants: Constants,
        rules: Iterable[ReadRule],
        base: Iterable[str],
        taken: set[str],
    ) -> None:
        """``base`` has further fluents, ``taken`` the names of relations."""
        self._program, self._constants, self._base = program, constants, list(base)
        self._taken = taken
        self._heads: dict[ArgumentPlace, list[tuple[Term, ReadRule]]] = {}
        self._whole: dict[str, list[tuple[Variable, ReadRule]]] = {}
        self._functions: dict[ArgumentPlace, str] = {}
        self._limits: dict[ArgumentPlace, int] = {}
        """The largest number at a place with which the rules for the place go on."""
        self._text: list[str] = []
        self._left: list[ArgumentPlace] = []
        self.relations: dict[str, Relation] = {}
        for rule in rules:
            relation, whole = whole_of(rule.head)
            if isinstance(whole, Variable) and all(
                whole_of(atom) != (relation, whole) for atom in rule.positive
            ):
                self._whole.setdefault(relation, []).append((whole, rule))
            for place, term in arguments_of(rule.head):
                self._heads.setdefault(place, []).append((term, rule))

    def relation(self, comparison: Comparison, rule: ReadRule) -> Relation:
        """The relation for one of a rule's comparisons. Raises ``Inexpressible``.

        Its arguments are the comparison's ``variables``.
        """
        names = comparison.variables
        numbered = {name: f"?{number}" for number, name in enumerate(names, start=1)}
        formula = text_of(comparison, numbered.__getitem__)
        relation = self.relations.get(formula)
        if relation is None:
            words = _name_of(comparison)
            name = unused(words if words[0].isalpha() else f"is_{words}", self._taken)
            relation = self.relations[formula] = Relation(name, formula, len(names))
        head = f"{_own('r')}{list(self.relations).index(formula)}"
        body = self._bounds(names, rule, comparison)
        relation.bodies[f"{head}({','.join(f'V{name}' for name in names)}) :- {body}."] = None
        return relation

    def ground(self) -> None:
        """Find the atoms of all relations. Raises ``LimitReached`` and ``RulesError``."""
        if not self.relations:
            return
        control = self._grounded(
            body for relation in self.relations.values() for body in relation.bodies
        )
        count = 0
        for number, relation in enumerate(self.relations.values()):
            relation.atoms = _facts(control, f"{_own('r')}{number}", relation.arity)
            count += len(relation.atoms)
        if count > _MOST_FACTS:
            raise LimitReached(
                f"the arithmetic takes {count:,} facts in KIF, more than {_MOST_FACTS:,}"
            )

    def values(self, places: Iterable[ArgumentPlace]) -> dict[ArgumentPlace, Sequence[Symbol]]:
        """The terms that can stand at some places. Raises as ``ground`` does."""
        predicates = {place: self._predicate(place) for place in places}
        control = self._grounded([])
        return {
            place: [atom.arguments[0] for atom in _facts(control, name, 1)]
            for place, name in predicates.items()
        }

    def instances(self, rules: Sequence[ReadRule]) -> Sequence[Symbol]:
        """The atoms that rules for one relation may derive. Raises as ``ground`` does."""
        text = []
        for rule in rules:
            head = f"{_own('e')}({','.join(map(text_of, rule.head.arguments))})"
            body = self._bounds(variables_of([rule.head]), rule)
            text.append(f"{head}{' :- ' if body else ''}{body}.")
        arity = len(rules[0].head.arguments) if rules else 0
        return _facts(self._grounded(text), _own("e"), arity)

    @property
    def asked(self) -> set[str]:
        """The relations that have bounded a variable so far."""
        return {place.relation for place in self._functions}

    def _grounded(self, more: Iterable[str]) -> Control:
        while self._left:
            self._text += self._domain(self._left.pop())
        control = ground(
            self._constants,
            hand_over(self._program.static).values(),
            Context(self._program.static),
            text="\n".join(dict.fromkeys([*self._text, *more])),
        )
        for place, predicate in self._functions.items():
            self._check(place, _facts(control, predicate, 1))
        return control

    def _check(self, place: ArgumentPlace, atoms: Iterable[Symbol]) -> None:
        """Raise ``RulesError`` if the numbers at a place grow without end."""
        values = (atom.arguments[0] for atom in atoms)
        limit = self._limits.get(place, _LARGEST_COUNTER)
        if any(v.type is SymbolType.Number and abs(v.number) > limit for v in values):
            made = [rule for _, rule in self._heads.get(place, ()) if rule.comparisons]
            at = f"{made[0].place}: " if made else ""
            raise RulesError(
                f"{at}KIF can't count: the numbers at argument {place.number + 1} of "
                f"{place.function or place.relation}/{place.arity} have no bound, or one beyond "
                f"{limit:,}; the body needs a condition such as N < 60"
            )

    # --- the values of variables ------------------------------------------------------------------

    def _bounds(self, asked: Iterable[str], rule: ReadRule, *own: Comparison) -> str:
        """A body that bounds some variables of a rule. Raises ``Inexpressible``."""
        wanted = dict.fromkeys(asked)
        parts = dict.fromkeys(map(text_of, own))
        binders: dict[str, list[tuple[ArgumentPlace | None, Term]]] = {}
        for atom in rule.positive:
            for place, term in self._binding(atom):
                for name in dict.fromkeys(variables_of([term])):
                    binders.setdefault(name, []).append((place, term))
        left = list(wanted)
        while left:
            name = left.pop()
            for place, term in binders.get(name, ()):
                text = text_of(term)
                parts[f"{self._predicate(place)}({text})" if place else text] = None
            if name not in binders:
                making = [c for c in rule.comparisons if _defines(c, name)]
                if not making:
                    raise Inexpressible(f"a computation with {name}, whose values aren't known")
                for comparison in making:
                    parts[text_of(comparison)] = None
                    more = [other for other in comparison.variables if other not in wanted]
                    wanted.update(dict.fromkeys(more))
                    left += more
            for comparison in () if left else rule.comparisons:  # such as N+K < 40 for N
                names, limits = set(comparison.variables), comparison.sign not in ("=", "!=")
                if limits and wanted.keys() & names and names <= binders.keys():
                    left += sorted(names - wanted.keys())
                    wanted.update(dict.fromkeys(left))
        for comparison in rule.comparisons:
            if wanted.keys() >= set(comparison.variables):
                parts[text_of(comparison)] = None
        return "; ".join(parts)

    def _binding(self, atom: Function) -> Iterable[tuple[ArgumentPlace | None, Term]]:
        is_static = (atom.name, len(atom.arguments)) in self._program.static
        return [(None, atom)] if is_static else arguments_of(atom)

    def _predicate(self, place: ArgumentPlace) -> str:
        if place not in self._functions:
            self._functions[place] = f"{_own('d')}{len(self._functions)}"
            self._left.append(place)
        return self._functions[place]

    def _domain(self, place: ArgumentPlace) -> Iterator[str]:
        predicate = self._functions[place]
        arguments = ["_"] * place.arity
        arguments[place.number] = "T"
        inner = f"{place.function}({','.join(arguments)})" if place.function else "T"
        given = {
            ("true", True): (f"init({inner})", f"next({inner})"),
            ("does", True): (f"legal(_,{inner})",),
            ("does", False): (f"legal({inner},_)",),
        }
        for form in given.get((place.relation, bool(place.function)), ()):
            name = form.partition("(")[0]
            if (name, KEYWORDS[name]) in self._program.static:
                yield f"{predicate}(T) :- {form}."
        if place.relation == "true":
            for fluent in self._base:
                yield f"{_own('b')}({fluent})."
            yield f"{predicate}(T) :- {_own('b')}({inner})."
        for term, rule in self._heads.get(place, ()):
            body = self._bounds(variables_of([term]), rule)
            limits: list[str] = []
            for comparison in rule.comparisons:
                if any(_defines(comparison, name) for name in variables_of([term])):
                    sides = (comparison.left, comparison.right)
                    operands = {
                        n for o in sides if isinstance(o, Operation) for n in variables_in(o)
                    }
                    limit = _LARGEST_COUNTER if len(operands) < 2 else _LARGEST_OF_TWO_COUNTERS
                    self._limits[place] = min(limit, self._limits.get(place, limit))
                    # With an interval, clingo would try each of its numbers.
                    bound = (name for name in sorted(operands) if re.search(rf"\bV{name}\b", body))
                    limits += (f"|V{name}| <= {limit}" for name in bound)
            body = "; ".join(filter(None, [body, *limits]))
            yield f"{predicate}({text_of(term)}){' :- ' if body else ''}{body}."
        for whole, rule in self._whole.get(place.relation, ()) if place.function else ():
            body = self._bounds([whole.variable], rule)
            yield f"{predicate}(T) :- {body}; V{whole.variable} = {inner}."


def _facts(control: Control, name: str, arity: int) -> Sequence[Symbol]:
    found = facts_of(control, name, arity)
    assert found is not None, "domains have no negation"
    return sorted(found)


def _own(letter: str) -> str:
    return f"__{letter}_"


def _defines(comparison: Comparison, name: str) -> bool:
    sides = comparison.left, comparison.right
    return comparison.sign == "=" and Variable(name) in sides


def whole_of(atom: Function) -> tuple[str, Term | None]:
    """The relation of an atom, and its fluent or move for ``true`` and ``does``."""
    if atom.name in _FLUENT and len(atom.arguments) == 1:
        return "true", atom.arguments[0]
    if atom.name in _MOVE and len(atom.arguments) == 2:
        return "does", atom.arguments[1]
    return atom.name, None


def arguments_of(atom: Function) -> Iterator[tuple[ArgumentPlace, Term]]:
    """The arguments of an atom, with their places."""
    relation, whole = whole_of(atom)
    if relation == "does":
        yield ArgumentPlace("does", "", 2, 0), atom.arguments[0]
    function = whole if isinstance(whole, Function) else None
    if whole is not None and function is None:
        return
    name, arguments = (function.name, function.arguments) if function else ("", atom.arguments)
    for number, term in enumerate(arguments):
        yield ArgumentPlace(relation, name, len(arguments), number), term


# --- names ----------------------------------------------------------------------------------------

_SIGNS = table(r"""
    + plus   - minus   * times   / divided_by   \ modulo   ** to_the   & and   ? or   ^ xor   ~ not
    | size   .. to   < less_than   <= at_most   > more_than   >= at_least   = is   != is_not
""")


def _name_of(found: Comparison | Operation | Term) -> str:
    if isinstance(found, Comparison):
        if found.sign == "=" and isinstance(found.left, Variable):
            return _name_of(found.right)
        return _joined(_name_of(found.left), _SIGNS[found.sign], _name_of(found.right))
    if isinstance(found, Operation):
        words = [_name_of(part) for part in found.parts]
        if len(words) == 1:
            return _joined(_SIGNS[found.sign], *words)
        if found.sign in "+*" and words[1] == "":
            words.reverse()  # 10 times N is N times 10
        return _joined(words[0], _SIGNS[found.sign], words[1])
    if isinstance(found, Variable):
        return ""
    return _joined(found.name.replace("-", "minus_"), *map(_name_of, found.arguments))


def _joined(*words: str) -> str:
    return "_".join(filter(None, words))[:40].rstrip("_")
