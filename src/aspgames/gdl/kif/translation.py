"""Translates the rules of a sheet to rules of an answer-set program."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from .names import SheetNames, unused
from .sheet import Function, SheetLiteral, SheetRule, Term, Variable, spellings, variables_of

WIDTH = 100


class Encoder:
    """Translates the rules of one sheet."""

    def __init__(self, rules: Sequence[SheetRule], text: str) -> None:
        """``text`` is the sheet's, for the spelling of its symbols."""
        self.names = SheetNames(rules, spellings(text))

    def rule(self, rule: SheetRule) -> str:
        """A rule on one line."""
        head, body = self._rule(rule)
        return f"{head} :- {', '.join(body)}." if body else f"{head}."

    def wrapped(self, rule: SheetRule) -> str:
        """A rule, on several lines if it is long."""
        head, body = self._rule(rule)
        if not body:
            return f"{head}."
        lines, line = [], f"{head} :- "
        for number, literal in enumerate(body):
            end = "." if number == len(body) - 1 else ","
            if len(line) + len(literal) + 1 > WIDTH and line.strip():
                lines.append(line.rstrip())
                line = "    "
            line += literal + end + " "
        return "\n".join([*lines, line.rstrip()])

    def ground(self, term: Term) -> str:
        """A term without variables."""
        return self._term(term, {})

    def _rule(self, rule: SheetRule) -> tuple[str, list[str]]:
        variables = _VariableNames(rule)
        return self._atom(rule.head, variables), [self._literal(b, variables) for b in rule.body]

    def _literal(self, literal: SheetLiteral, variables: Mapping[str, str]) -> str:
        if literal.atom.name == "distinct":
            one, other = (self._term(term, variables) for term in literal.atom.arguments)
            return f"{one} {'=' if literal.negated else '!='} {other}"
        atom = self._atom(literal.atom, variables)
        return f"not {atom}" if literal.negated else atom

    def _atom(self, atom: Function, variables: Mapping[str, str]) -> str:
        name = self.names.relations[atom.name, len(atom.arguments)]
        return self._applied(name, atom.arguments, variables)

    def _term(self, term: Term, variables: Mapping[str, str]) -> str:
        if isinstance(term, Variable):
            return variables[term.variable]
        names = self.names.functions if term.arguments else self.names.constants
        return self._applied(names[term.name], term.arguments, variables)

    def _applied(self, name: str, arguments: Sequence[Term], variables: Mapping[str, str]) -> str:
        if not arguments:
            return name
        return f"{name}({','.join(self._term(part, variables) for part in arguments)})"


class _VariableNames(dict[str, str]):
    """The names of a rule's variables; ``_`` for those that occur once."""

    def __init__(self, rule: SheetRule) -> None:
        atoms = (rule.head, *(literal.atom for literal in rule.body))
        count = Counter(variables_of(atoms))
        alone = {
            name
            for literal in rule.body
            if not literal.negated and literal.atom.name != "distinct"
            for name in variables_of([literal.atom])
            if count[name] == 1
        }
        taken: set[str] = set()
        for name in count:
            self[name] = "_" if name in alone else unused(capital(name), taken)


def capital(name: str) -> str:
    """A variable's name in clingo's syntax."""
    plain = re.sub(r"[^a-z0-9_]", "_", name)
    return plain.capitalize() if plain[0].isalpha() else f"V{plain}"


def quoted(text: str) -> str:
    """A text as a string of an encoding."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def name_facts(names: SheetNames) -> Iterable[str]:
    """The facts for names that differ in KIF."""
    return (f"{word}({name},{quoted(text)})." for word, name, text in names.changed())
