"""A simple reasoner for rule sheets that shares no code with aspgames: an oracle for tests.

It has its own small KIF reader. It works top-down like Prolog, and tables the answers to each call
until no call gets new answers: slow, but simple.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

Term = Any
"""A text, or a tuple of terms; variables begin with a question mark."""


def read(text: str) -> list[Term]:
    tokens = re.findall(r"[()]|[^\s()]+", re.sub(r";[^\r\n]*", "", text).lower())
    stack: list[list[Term]] = [[]]
    for token in tokens:
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done[0] if len(done) == 1 else tuple(done))
        else:
            stack[-1].append(token)
    assert len(stack) == 1
    return stack[0]


def write(term: Term) -> str:
    return term if isinstance(term, str) else f"({' '.join(map(write, term))})"


class Naive:
    """The rules of one sheet."""

    def __init__(self, text: str) -> None:
        self.rules: list[tuple[Term, tuple[Term, ...]]] = []
        for found in read(text):
            if isinstance(found, tuple) and found[0] == "<=":
                self.rules.append((found[1], found[2:]))
            else:
                self.rules.append((found, ()))
        self.roles = [atom[1] for atom in self._all(("role", "?r"), {})]
        self.initial = frozenset(atom[1] for atom in self._all(("init", "?f"), {}))

    def legal(self, state: frozenset[Term]) -> dict[Term, set[Term]]:
        facts = {("true", fluent) for fluent in state}
        found: dict[Term, set[Term]] = {role: set() for role in self.roles}
        for _, role, move in self._all(("legal", "?r", "?m"), facts):
            if role in found:
                found[role].add(move)
        return found

    def next(self, state: frozenset[Term], joint: Mapping[Term, Term]) -> frozenset[Term]:
        facts: set[Term] = {("true", fluent) for fluent in state}
        facts |= {("does", role, move) for role, move in joint.items()}
        return frozenset(atom[1] for atom in self._all(("next", "?f"), facts))

    def terminal(self, state: frozenset[Term]) -> bool:
        return bool(self._all("terminal", {("true", fluent) for fluent in state}))

    def goals(self, state: frozenset[Term]) -> dict[Term, int]:
        """Each role's goal; 0 without one."""
        facts = {("true", fluent) for fluent in state}
        values: dict[Term, list[int]] = {role: [] for role in self.roles}
        for _, role, value in self._all(("goal", "?r", "?n"), facts):
            if role in values:
                values[role].append(int(value))
        return {role: given[0] if len(given) == 1 else 0 for role, given in values.items()}

    def _all(self, goal: Term, facts: Any) -> set[Term]:
        return _Tables(self.rules, set(facts)).answers(goal)


class _Tables:
    """The tabled answers to calls."""

    def __init__(self, rules: list[tuple[Term, tuple[Term, ...]]], facts: set[Term]) -> None:
        self._rules, self._facts = rules, facts
        self._found: dict[Term, set[Term]] = {}
        self._done: set[Term] = set()
        self._active: dict[Term, None] = {}

    def answers(self, goal: Term) -> set[Term]:
        """All instances of an atom that hold."""
        goal = _renamed(goal, {})
        if goal in self._done or goal in self._active:
            return self._found[goal]
        first = not self._active
        self._active[goal] = None
        found = self._found.setdefault(goal, set())
        grew = True
        while grew:
            before = sum(map(len, self._found.values()))
            for fact in self._facts:
                if _unify(goal, fact, {}) is not None:
                    found.add(fact)
            for head, body in self._rules:
                if (bound := _unify(goal, head, {})) is not None:
                    for solution in self._solve([*body], bound):
                        found.add(_filled(head, solution))
            grew = sum(map(len, self._found.values())) > before
        del self._active[goal]
        if first:
            self._done |= self._found.keys()
        return found

    def _solve(self, body: list[Term], bound: dict[str, Term]) -> Iterator[dict[str, Term]]:
        if not body:
            yield bound
            return
        # Negations and comparisons wait until their variables are bound.
        ready = next(
            (p for p in body if not _waits(p) or not _variables(_filled(p, bound))), body[0]
        )
        rest = [part for part in body if part is not ready]
        part = _filled(ready, bound)
        name = part[0] if isinstance(part, tuple) else part
        if name == "or":
            for choice in part[1:]:
                yield from self._solve([choice, *rest], bound)
        elif name == "and":
            yield from self._solve([*part[1:], *rest], bound)
        elif name == "distinct":
            assert not _variables(part)
            if part[1] != part[2]:
                yield from self._solve(rest, bound)
        elif name == "not":
            inner = part[1]
            kind = inner[0] if isinstance(inner, tuple) else inner
            if kind == "distinct" and _variables(inner):
                if (more := _unify(inner[1], inner[2], bound)) is not None:
                    yield from self._solve(rest, more)
                return
            assert not _variables(inner)
            alone = _Tables(self._rules, self._facts)
            if next(iter(alone._solve([inner], {})), None) is None:
                yield from self._solve(rest, bound)
        else:
            for atom in list(self.answers(part)):
                if (more := _unify(part, atom, bound)) is not None:
                    yield from self._solve(rest, more)


def _renamed(term: Term, names: dict[str, str]) -> Term:
    """A call whose variables are no rule's: they have a space in their names."""
    if isinstance(term, tuple):
        return tuple(_renamed(part, names) for part in term)
    return names.setdefault(term, f"? {len(names)}") if term.startswith("?") else term


def _waits(part: Term) -> bool:
    return isinstance(part, tuple) and part[0] in ("not", "distinct", "or")


def _variables(term: Term) -> set[str]:
    if isinstance(term, tuple):
        return set().union(*map(_variables, term))
    return {term} if term.startswith("?") else set()


def _filled(term: Term, bound: Mapping[str, Term]) -> Term:
    if isinstance(term, tuple):
        return tuple(_filled(part, bound) for part in term)
    return _filled(bound[term], bound) if term in bound else term


def _unify(one: Term, other: Term, bound: dict[str, Term]) -> dict[str, Term] | None:
    one, other = _filled(one, bound), _filled(other, bound)
    if one == other:
        return bound
    for name, term in ((one, other), (other, one)):
        if isinstance(name, str) and name.startswith("?"):
            return None if name in _variables(term) else {**bound, name: term}
    if isinstance(one, str) or isinstance(other, str) or len(one) != len(other):
        return None
    found: dict[str, Term] | None = bound
    for left, right in zip(one, other, strict=True):
        found = _unify(left, right, found) if found is not None else None
    return found
