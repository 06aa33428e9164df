"""Rules as KIF text, with the names of a sheet."""

import re
from collections.abc import Iterable, Iterator, Mapping

from ...gdl.kif.names import is_number, unused
from ...gdl.kif.sheet import (
    KEYWORDS,
    Function,
    SheetLiteral,
    SheetRule,
    Term,
    Variable,
    variables_of,
)
from .rule_text import ANONYMOUS

WIDTH = 100
_SYMBOL = re.compile(r"[^\s()?;][^\s();]*\Z")
_WORDS = {*KEYWORDS, "or", "and", "not", "<="}


class KifWriter:
    """Writes the rules of one sheet.

    KIF ignores case, its keywords can't be other names, and a relation has one number of arguments:
    ambiguous names get a number.
    """

    def __init__(
        self, rules: Iterable[SheetRule], terms: Mapping[str, str], relations: Mapping[str, str]
    ) -> None:
        """``terms`` and ``relations`` map the rules' names to the sheet's."""
        self._terms = dict(terms)
        self._constants: dict[str, str] = {}
        self._functions: dict[str, str] = {}
        self._relations: dict[tuple[str, int], str] = {}
        self._taken_terms: set[str] = set()
        self._taken_relations: set[str] = set(_WORDS)
        # First the names from a sheet, then those that KIF allows unchanged.
        symbols: dict[tuple[str, bool], None] = {}
        names: dict[tuple[str, int], None] = {}
        for rule in rules:
            for atom in (rule.head, *(literal.atom for literal in rule.body)):
                names[atom.name, len(atom.arguments)] = None
                for term in _functions(atom.arguments):
                    symbols[term.name, bool(term.arguments)] = None
        for name in _in_order({name for name, _ in symbols}, terms):
            self._name_term(name, is_constant=(name, False) in symbols)
        for name in _in_order({name for name, _ in names}, relations):
            text = relations.get(name, "")
            text = text if _SYMBOL.match(text) else name
            for arity in sorted(arity for other, arity in names if other == name):
                if KEYWORDS.get(name) != arity:
                    self._relations[name, arity] = _apart(text, self._taken_relations)

    def _name_term(self, name: str, is_constant: bool) -> None:
        if is_number(name):
            self._constants[name] = name
            return
        text = self._terms.get(name, "")
        if not _SYMBOL.match(text) or (is_constant and is_number(text)):
            text = name or "tuple"
        if not is_number(text):  # a function may have the name of a number
            text = _apart(text, self._taken_terms)
        self._constants[name] = self._functions[name] = text

    def rule(self, rule: SheetRule) -> str:
        """A rule, on several lines if it is long."""
        variables = _KifVariables(rule)
        head = self._atom(rule.head, variables)
        if not rule.body:
            return head
        parts = [head, *(self._literal(literal, variables) for literal in rule.body)]
        whole = f"(<= {' '.join(parts)})"
        if len(whole) <= WIDTH and len(parts) <= 3:
            return whole
        return "\n    ".join([f"(<= {parts[0]}", *parts[1:]]) + ")"

    def facts(self, atoms: Iterable[Function]) -> Iterator[str]:
        """Lines of facts, each as full as possible."""
        line = ""
        for atom in atoms:
            text = self._atom(atom, {})
            if line and len(line) + 1 + len(text) > WIDTH:
                yield line
                line = text
            else:
                line = f"{line} {text}" if line else text
        if line:
            yield line

    def _literal(self, literal: SheetLiteral, variables: Mapping[str, str]) -> str:
        atom = self._atom(literal.atom, variables)
        return f"(not {atom})" if literal.negated else atom

    def _atom(self, atom: Function, variables: Mapping[str, str]) -> str:
        name = self._relations.get((atom.name, len(atom.arguments)), atom.name)  # or a keyword
        return _applied(name, [self._term(part, variables) for part in atom.arguments])

    def _term(self, term: Term, variables: Mapping[str, str]) -> str:
        if isinstance(term, Variable):
            return variables[term.variable]
        if not term.arguments:
            return self._constants[term.name]
        return _applied(
            self._functions[term.name], [self._term(part, variables) for part in term.arguments]
        )


def _apart(text: str, taken: set[str]) -> str:
    """A symbol that differs from those taken by more than its case: the text, or with a number."""
    return text + unused(text.lower(), taken)[len(text.lower()) :]


def _in_order(names: Iterable[str], given: Mapping[str, str]) -> list[str]:
    return sorted(
        names, key=lambda name: (name not in given, name != name.lower() or not name, name)
    )


def _applied(name: str, arguments: list[str]) -> str:
    return f"({name} {' '.join(arguments)})" if arguments else name


def _functions(terms: Iterable[Term]) -> Iterator[Function]:
    for term in terms:
        if isinstance(term, Function):
            yield term
            yield from _functions(term.arguments)


class _KifVariables(dict[str, str]):
    """The names of a rule's variables in KIF."""

    def __init__(self, rule: SheetRule) -> None:
        taken: set[str] = set()
        atoms = [rule.head, *(literal.atom for literal in rule.body)]
        names = dict.fromkeys(name for atom in atoms for name in variables_of(atom.arguments))
        for name in sorted(names, key=lambda name: name.startswith(ANONYMOUS)):
            is_named = any(map(str.isalpha, name))
            self[name] = unused(f"?{name.lower().lstrip('_')}" if is_named else "?any", taken)
