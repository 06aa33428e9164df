"""Finds likely mistakes in users' own rules, each a sentence with its place.

clingo accepts all of them: a misspelt word is a predicate that never holds. So these are guesses,
and the game can still be played.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..asp.sources import encodings_folder
from .encoding import Encoding
from .memo import remembered
from .predicates import GAME, GIVEN, TELLING

if TYPE_CHECKING:
    from clingo import ast

    from ..asp.statements import Rule, Signature

_WORDS = GAME | GIVEN | TELLING
_EMPTY = "there is no init/1, so nothing holds at the start"
_NEEDED = {
    "legal": "there is no legal/2, so nobody can move",
    "next": "there is no next/1, so nothing holds after a move",
    "terminal": "there is no terminal, so the game never ends",
    "goal": "there is no goal/2, so nobody can win",
}
_ENDLESS = "may grow without end"
_LOOP = "loop_through_negation"
_MOST = 2_000  # statements; larger encodings are generated
_ALIKE = 0.7
"""The similarity, from 0 to 1, at which one word may be a misspelling of another."""


def mistakes(encoding: Encoding) -> list[str]:
    """Likely mistakes, each as ``FILE:LINE: SENTENCE``, in the order of the lines.

    Files that come with aspgames are not examined.
    """
    if not _own(encoding):
        return []
    question = "\n".join(["mistakes", *(source.text for source in encoding.explaining)])
    found: list[str] = remembered(encoding, question, {}, lambda: list(_Linter(encoding).texts()))
    return found


class Mistake(NamedTuple):
    """A likely mistake."""

    kind: str
    """One of ``undefined``, ``unused``, ``unknown_term``, ``growing``, ``missing``,
    ``empty_start`` and ``loop_through_negation``."""
    place: str
    """File and line; only the file if something is missing in it."""
    sentence: str


def kinds_of_mistakes(encoding: Encoding) -> list[Mistake]:
    """The same mistakes, each with its kind."""
    return list(_Linter(encoding).found()) if _own(encoding) else []


def growing(encoding: Encoding) -> list[str]:
    """The mistakes about terms that may grow without end."""
    return [mistake for mistake in mistakes(encoding) if _ENDLESS in mistake]


@dataclass
class _TermKind:
    """The names and arities of all fluents, or of all moves."""

    made: set[Signature] = field(default_factory=set)
    asked: dict[Signature, ast.AST] = field(default_factory=dict)
    any: bool = False
    """Whether a variable stands for some, so that there may be others."""


class _Linter:
    """Examines an encoding once."""

    def __init__(self, encoding: Encoding) -> None:
        from ..asp.statements import rule_of

        own, self._main = _own(encoding), encoding.sources[-1].path
        parts = *encoding.parts.values(), encoding.sentences
        every = [statement for part in parts for statement in part][: _MOST + 1]
        self._rules = [rule_of(statement) for statement in every] if len(every) <= _MOST else []
        self._own = [r for r in self._rules if r.statement.location.begin.filename in own]
        self._heads = {signature for rule in self._rules for signature in rule.heads}
        self._used = {signature for rule in self._rules for signature in rule.body}
        # Relations of a sheet that encodings use otherwise got an underscore.
        self._renamed = {s for s in self._heads if encoding.is_sheet and s[0].endswith("_")}

    def texts(self) -> Iterator[str]:
        """The mistakes as texts."""
        return (f"{mistake.place}: {mistake.sentence}" for mistake in self.found())

    def found(self) -> Iterator[Mistake]:
        """The mistakes, in the order of the lines."""
        if not self._own:
            return
        found = [
            Mistake(kind, place, sentence)
            for kind, looked in (
                ("undefined", self._undefined()),
                ("unused", self._unused()),
                ("unknown_term", self._unknown_terms()),
                (_LOOP, self._negative_loops()),
                ("growing", self._growing()),
            )
            for place, sentence in looked
        ]
        for name, sentence in _NEEDED.items():
            if (name, len(GAME[name])) not in self._heads:
                yield Mistake("missing", self._main.name, sentence)
        if ("init", 1) not in self._heads:  # perhaps on purpose
            yield Mistake("empty_start", self._main.name, _EMPTY)
        yield from sorted(set(found), key=lambda mistake: _order(mistake.place))

    # --- words ------------------------------------------------------------------------------------

    def _undefined(self) -> Iterator[tuple[str, str]]:
        """Predicates that rules use and none defines."""
        declared = {(r.statement.name, r.statement.arity) for r in self._rules if _declares(r)}
        known = self._heads | declared | {(name, len(form)) for name, form in GIVEN.items()}
        for rule in self._own:
            if not _declares(rule):
                for signature in sorted(rule.body - known):
                    said = f"{_shown(signature)} is never defined"
                    yield _place(rule.statement), said + self._hint(signature, known)

    def _hint(self, signature: Signature, known: Iterable[Signature]) -> str:
        """A hint for an undefined predicate."""
        if file := _sharing().get(signature):
            return f'; {file} defines it (#include "{file}".)'
        return _meant(signature, known)

    def _unused(self) -> Iterator[tuple[str, str]]:
        """Unused predicates that look like one with a meaning."""
        wanted = {(name, len(form)) for name, form in _WORDS.items()}
        for rule in self._own:
            for signature in sorted(rule.heads - self._used - wanted - self._renamed):
                if meant := _meant(signature, wanted):
                    yield _place(rule.statement), f"{_shown(signature)} is never used{meant}"

    def _unknown_terms(self) -> Iterator[tuple[str, str]]:
        """Fluents that no rule makes true, and moves that are never legal."""
        fluents, moves = _TermKind(), _TermKind()
        kinds = {
            ("init", 1): (fluents, 0),
            ("next", 1): (fluents, 0),
            ("base", 1): (fluents, 0),
            ("default", 1): (fluents, 0),
            ("legal", 2): (moves, 1),
        }
        asking = {("true", 1): (fluents, 0), ("does", 2): (moves, 1)}
        for rule in self._rules:
            for atom in _atoms(getattr(rule.statement, "head", None)):
                if found := kinds.get((atom.name, len(atom.arguments))):
                    kind, place = found
                    signature = _signature(atom.arguments[place])
                    kind.any |= signature is None
                    kind.made |= {signature} if signature else set()
            if rule in self._own:
                for atom in (a for literal in rule.literals for a in _atoms(literal.node)):
                    if found := asking.get((atom.name, len(atom.arguments))):
                        kind, place = found
                        if signature := _signature(atom.arguments[place]):
                            kind.asked.setdefault(signature, rule.statement)
        for kind, sentence in (
            (fluents, "no rule makes the fluent {} true"),
            (moves, "no move is called {}"),
        ):
            for signature, statement in kind.asked.items():
                if signature not in kind.made and not kind.any:
                    said = sentence.format(_shown(signature))
                    yield _place(statement), said + _meant(signature, kind.made)

    # --- recursion --------------------------------------------------------------------------------

    def _negative_loops(self) -> Iterator[tuple[str, str]]:
        """Predicates that depend on their own negation."""
        from ..asp.statements import unstratified

        for rule, signature in unstratified(self._rules):
            if rule in self._own:
                sentence = (
                    f"{_shown(signature)} depends on its own negation: rules may not settle it"
                )
                yield _place(rule.statement), sentence

    def _growing(self) -> Iterator[tuple[str, str]]:
        """Terms that grow from round to round of the grounding, or from move to move."""
        from ..asp.statements import Dependencies, variables_in

        below = Dependencies(self._rules)
        for rule in self._own:
            if not rule.head or not rule.plain or len(rule.heads) != 1:
                continue
            head = next(iter(rule.heads))
            inner: set[str] = set()
            outer: set[str] = set()
            for literal in rule.literals:
                again = not literal.sign and (
                    any(below.reaches(signature, head) for signature in literal.signatures)
                    or (head, literal.signatures) == (("next", 1), (("true", 1),))
                )
                (inner if again else outer).update(variables_in(literal.node))
            for term in _made(rule.head.node):
                if (variables := variables_in(term)) and variables <= inner - outer:
                    said = f"{_shown(head)} {_ENDLESS}: give {term} a bound"
                    yield _place(rule.statement), said
                    break


def _own(encoding: Encoding) -> set[str]:
    """The names of the user's own files."""
    sources = *encoding.sources, *encoding.explaining
    return {s.name for s in sources if encodings_folder() not in s.path.parents}


def _declares(rule: Rule) -> bool:
    """Whether a statement is ``#defined``."""
    return str(rule.statement).startswith("#defined")


def _place(statement: ast.AST) -> str:
    begin = statement.location.begin
    file = Path(begin.filename)  # the cached answer must not depend on the folder
    name = f"why/{file.name}" if file.parent.name == "why" else file.name
    return f"{name}:{begin.line}"


def _order(place: str) -> tuple[str, int]:
    file, _, line = place.rpartition(":")
    return file, int(line)


def _shown(signature: Signature) -> str:
    return f"{signature[0]}/{signature[1]}"


def _meant(signature: Signature, known: Iterable[Signature]) -> str:
    """The end of a sentence with the word that was likely meant, or an empty text."""
    name, arity = signature
    arities: Mapping[str, set[int]] = defaultdict(set)
    for other, arguments in known:
        arities[other].add(arguments)
    if name in arities:
        number = " or ".join(map(str, sorted(arities[name])))
        form = f"{name}({','.join(_WORDS[name])})" if _WORDS.get(name) else ""
        return f"; {form or name} has {number} argument{'s' * (number != '1')}, not {arity}"
    near = sorted(
        get_close_matches(name, arities, n=3, cutoff=_ALIKE),
        key=lambda other: (arity not in arities[other], not _swapped(name, other)),
    )
    if not near:
        return ""
    least = min(arities[near[0]], key=lambda number: (number != arity, number))
    return f"; did you mean {near[0]}/{least}?"


def _swapped(name: str, other: str) -> bool:
    """Whether two neighbouring letters are swapped."""
    differing = [place for place, (a, b) in enumerate(zip(name, other, strict=False)) if a != b]
    return len(differing) == 2 and any(b - a == 1 for a, b in pairwise(differing))


def _sharing() -> Mapping[tuple[str, int], str]:
    """The predicates that the shared files define, each with its file."""
    from ..asp.parsing import parse
    from ..asp.sources import Source
    from ..asp.statements import rule_of

    found: dict[tuple[str, int], str] = {}
    folder = encodings_folder()
    for name in ("shared/players.lp", "shared/alternating.lp", "shared/board.lp"):
        text = re.sub(r"#include.*", "", (folder / name).read_text(encoding="utf-8"))
        for statement in parse(Source(folder / name, text)):
            for signature in rule_of(statement).heads:
                found.setdefault(signature, name)
    return found


def _atoms(node: ast.AST | None) -> Iterator[ast.AST]:
    """The atoms within a node, as functions."""
    from clingo import ast

    from ..asp.statements import parts_of

    if node is None:
        return
    if node.ast_type is ast.ASTType.SymbolicAtom:
        if node.symbol.ast_type is ast.ASTType.Function:
            yield node.symbol
        return
    for part in parts_of(node):
        yield from _atoms(part)


def _signature(term: ast.AST) -> tuple[str, int] | None:
    """The name and arity of a term; None for variables and operations."""
    from clingo import ast

    if term.ast_type is ast.ASTType.Function:
        return term.name, len(term.arguments)
    if term.ast_type is ast.ASTType.SymbolicTerm:
        return str(term), 0
    return None


def _made(node: ast.AST) -> Iterator[ast.AST]:
    """The terms in a head that may be larger than the terms of the body."""
    from clingo import ast

    from ..asp.statements import parts_of, variables_in

    for atom in _atoms(node):
        arguments = list(atom.arguments)
        if atom.name == "next" and len(arguments) == 1:
            arguments = list(parts_of(arguments[0]))
        for term in arguments:
            growing = (ast.ASTType.BinaryOperation, ast.ASTType.Function)
            if term.ast_type in growing and variables_in(term):
                yield term
