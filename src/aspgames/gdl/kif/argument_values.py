"""The possible terms at each argument of a sheet's relations, fluents and moves.

This is an over-approximation: each argument is treated by itself. ``asp.rewrite.domains`` does the
same for encodings, with clingo. Here only the rules that the wanted arguments depend on are read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import NamedTuple

from .sheet import Function, SheetRule, Term, Variable, variables_of

_MOST = 1000  # terms at one argument; with more, they count as unknown
_DEEPEST = 6  # nested terms; deeper ones count as endless
_FLUENT = ("init", "next", "true", "base")
_MOVE = ("legal", "does", "input")
_RELATION_OF = dict.fromkeys(_FLUENT, "true") | dict.fromkeys(_MOVE, "does")


class ArgumentPlace(NamedTuple):
    """An argument of a relation, or of a fluent such as ``cell`` in ``(true (cell 1 1 b))``."""

    relation: str
    """``true`` for fluents, ``does`` for moves."""
    function: str
    """The name of the fluent or move; empty for other relations."""
    arity: int
    number: int


Found = frozenset[Function] | None
"""Terms; None if they are too many or unknown."""


Binders = Mapping[str, tuple[tuple[ArgumentPlace, Term], ...]]
"""For each variable the places that give it values, and the terms there."""


class Values:
    """The terms at the arguments of one sheet's relations."""

    def __init__(self, rules: Sequence[SheetRule]) -> None:
        self._rules: dict[str, list[SheetRule]] = {}
        """By relation; kept, so that the ``id`` of a rule stays its own."""
        self._heads: dict[ArgumentPlace, list[tuple[Term, SheetRule]]] = {}
        self._binders: dict[int, Binders] = {}
        """By the ``id`` of the rule."""
        self._found: dict[ArgumentPlace, Found] = {}
        self._open: set[str] = set()
        self._looked: set[str] = set()
        for rule in rules:
            relation = _RELATION_OF.get(rule.head.name, rule.head.name)
            self._rules.setdefault(relation, []).append(rule)

    def fluents(self) -> list[tuple[str, int]]:
        """Name and number of arguments of each fluent that has arguments."""
        return self._named("true")

    def moves(self) -> list[tuple[str, int]]:
        """Name and number of arguments of each move that has arguments."""
        return self._named("does")

    def _named(self, relation: str) -> list[tuple[str, int]]:
        self._look(relation)
        places = (place for place in self._heads if place.relation == relation and place.function)
        return list(dict.fromkeys((place.function, place.arity) for place in places))

    def of(self, place: ArgumentPlace) -> Found:
        """The possible terms at a place."""
        if place not in self._found:
            self._find(place)
        return self._found[place]

    def _look(self, relation: str) -> None:
        """Read the rules for a relation, for fluents, or for moves."""
        if relation in self._looked:
            return
        self._looked.add(relation)
        for rule in self._rules.get(relation, ()):
            self._take(rule)

    def _take(self, rule: SheetRule) -> None:
        relation, whole = whole_of(rule.head)
        if isinstance(whole, Variable) and not any(
            not literal.negated and whole_of(literal.atom) == (relation, whole)
            for literal in rule.body
        ):
            self._pass_on(relation, whole, rule)
        for place, term in arguments_of(rule.head):
            self._heads.setdefault(place, []).append((term, rule))

    def _pass_on(self, relation: str, whole: Variable, rule: SheetRule) -> None:
        """Read ``(legal ?p ?m)`` where another relation has the moves: ``(can ?p (put ?x))``."""
        atoms = (literal.atom for literal in rule.body if not literal.negated)
        source = next((atom for atom in atoms if whole in atom.arguments), rule.head)
        number, arity = source.arguments.index(whole), len(source.arguments)
        rules = [r for r in self._rules.get(source.name, ()) if len(r.head.arguments) == arity]
        for other in rules:
            term = other.head.arguments[number]
            if isinstance(term, Variable):
                self._open.add(relation)
                return
            for place, part in enumerate(term.arguments):
                key = ArgumentPlace(relation, term.name, len(term.arguments), place)
                self._heads.setdefault(key, []).append((part, other))
        if not rules:
            self._open.add(relation)

    def _find(self, first: ArgumentPlace) -> None:
        """Find the terms at a place, and at all places that it depends on."""
        made = self._begin(first)
        grew = True
        while grew:
            grew = False
            for place, term, binders in made:
                known = self._found[place]
                if known is None:
                    continue
                more = self._made(term, binders)
                if more is not None:
                    more |= known
                    if len(more) == len(known):
                        continue
                self._found[place] = None if more is None or len(more) > _MOST else more
                grew = True

    def _begin(self, first: ArgumentPlace) -> list[tuple[ArgumentPlace, Term, Binders]]:
        """Take the ground terms at a place, and at all places that it depends on.

        Returns the terms of heads with variables.
        """
        made: dict[object, tuple[ArgumentPlace, Term, Binders]] = {}
        left = [first]
        while left:
            place = left.pop()
            if place in self._found:
                continue
            self._look(place.relation)
            terms = set()
            for term, rule in self._heads.get(place, ()):
                if isinstance(term, Function) and is_ground(term):
                    terms.add(term)
                    continue
                bound = self._binders_of(rule)
                binders = {name: bound.get(name, ()) for name in set(variables_of([term]))}
                made[place, term, tuple(binders.items())] = place, term, binders
                left += (other for places in binders.values() for other, _ in places)
            unknown = place.relation in self._open or len(terms) > _MOST
            self._found[place] = None if unknown else frozenset(terms)
        return list(made.values())

    def _binders_of(self, rule: SheetRule) -> Binders:
        """The places that give a rule's variables their values."""
        if id(rule) not in self._binders:
            bound: dict[str, list[tuple[ArgumentPlace, Term]]] = {}
            for literal in rule.body:
                if not literal.negated and literal.atom.name != "distinct":
                    for place, term in arguments_of(literal.atom):
                        for name in set(variables_of([term])):
                            bound.setdefault(name, []).append((place, term))
            self._binders[id(rule)] = {name: tuple(places) for name, places in bound.items()}
        return self._binders[id(rule)]

    def _made(self, made: Term, binders: Binders) -> Found:
        """The possible instances of a head's term."""
        choices: dict[str, frozenset[Term]] = {}
        for name, places in binders.items():
            bound = (self._bound(place, term, name) for place, term in places)
            known = [found for found in bound if found is not None]
            if not known:
                return None
            choices[name] = known[0].intersection(*known[1:])
        if prod(map(len, choices.values())) > _MOST:
            return None
        bindings = (dict(zip(choices, one, strict=True)) for one in product(*choices.values()))
        found = frozenset(_substituted(made, binding) for binding in bindings)
        grows = isinstance(made, Function) and any(_depth(term) > _DEEPEST for term in found)
        return None if grows else found

    def _bound(self, place: ArgumentPlace, pattern: Term, name: str) -> frozenset[Term] | None:
        """The values of a variable of a pattern at a place."""
        found = self._found[place]
        if found is None or pattern == Variable(name):
            return found
        bindings = (_match(pattern, term) for term in found)
        return frozenset(binding[name] for binding in bindings if binding is not None)


def is_ground(term: Term) -> bool:
    """Whether a term has no variables."""
    return isinstance(term, Function) and all(map(is_ground, term.arguments))


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


def _match(pattern: Term, term: Term) -> dict[str, Term] | None:
    """The substitution that makes a pattern a term; None if there is none."""
    binding: dict[str, Term] = {}
    work = [(pattern, term)]
    while work:
        one, other = work.pop()
        if isinstance(one, Variable):
            if binding.setdefault(one.variable, other) != other:
                return None
        elif isinstance(other, Variable) or one.name != other.name:
            return None
        else:
            if len(one.arguments) != len(other.arguments):
                return None
            work += zip(one.arguments, other.arguments, strict=True)
    return binding


def _depth(term: Term) -> int:
    if isinstance(term, Variable):
        return 0
    return 1 + max(map(_depth, term.arguments), default=0)


def _substituted(term: Term, binding: Mapping[str, Term]) -> Function:
    if isinstance(term, Variable):
        found = binding[term.variable]
        assert isinstance(found, Function)
        return found
    return Function(term.name, tuple(_substituted(part, binding) for part in term.arguments))
