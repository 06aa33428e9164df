"""What is likely a mistake in a user's own rules, each in a sentence with its place.

Nothing of this is wrong for clingo: a word that is misspelt is a predicate that never holds. So
these are guesses, and none keeps a game from being played.
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
_MOST = 2_000  # statements; more than that nobody has written by hand
_ALIKE = 0.7
"""How alike two words must be, from 0 to 1, for one to be meant by the other."""


def mistakes(encoding: Encoding) -> list[str]:
    """What is likely a mistake, each as ``FILE:LINE: SENTENCE``; in the order of the lines.

    Of what comes with aspgames nothing is said.
    """
    if not _own(encoding):
        return []
    question = "\n".join(["mistakes", *(source.text for source in encoding.explaining)])
    found: list[str] = remembered(encoding, question, {}, lambda: list(_Linter(encoding).told()))
    return found


class Mistake(NamedTuple):
    """What is likely a mistake."""

    kind: str
    """What it is in a word: ``undefined``, ``unused``, ``unknown_term``, ``growing``, ``missing``,
    ``empty_start`` or ``loop_through_negation``."""
    place: str
    """File and line; the file alone where something is missing in it."""
    sentence: str


def kinds_of_mistakes(encoding: Encoding) -> list[Mistake]:
    """The same mistakes, each with its kind."""
    return list(_Linter(encoding).found()) if _own(encoding) else []


def growing(encoding: Encoding) -> list[str]:
    """Those that say of what there may be no end, in the same form."""
    return [mistake for mistake in mistakes(encoding) if _ENDLESS in mistake]


@dataclass
class _TermKind:
    """The names and numbers of arguments that terms of one kind have, such as those of fluents."""

    made: set[Signature] = field(default_factory=set)
    asked: dict[Signature, ast.AST] = field(default_factory=dict)
    any: bool = False
    """Whether a variable makes them, so that there may be others."""


class _Linter:
    """An encoding, looked through once."""

    def __init__(self, encoding: Encoding) -> None:
        from ..asp.statements import rule_of

        own, self._main = _own(encoding), encoding.sources[-1].path
        parts = *encoding.parts.values(), encoding.sentences
        every = [statement for part in parts for statement in part][: _MOST + 1]
        self._rules = [rule_of(statement) for statement in every] if len(every) <= _MOST else []
        self._own = [r for r in self._rules if r.statement.location.begin.filename in own]
        self._heads = {signature for rule in self._rules for signature in rule.heads}
        self._used = {signature for rule in self._rules for signature in rule.body}
        # Of a sheet's relations, those that mean something else here have other names.
        self._renamed = {s for s in self._heads if encoding.is_sheet and s[0].endswith("_")}

    def told(self) -> Iterator[str]:
        """All that is to be said."""
        return (f"{mistake.place}: {mistake.sentence}" for mistake in self.found())

    def found(self) -> Iterator[Mistake]:
        """The same, with the kinds."""
        if not self._own:
            return
        found = [
            Mistake(kind, place, sentence)
            for kind, looked in (
                ("undefined", self._undefined()),
                ("unused", self._unused()),
                ("unknown_term", self._unknown_terms()),
                (_LOOP, self._unsettled()),
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
        """Predicates that are asked for and that nothing says."""
        declared = {(r.statement.name, r.statement.arity) for r in self._rules if _declares(r)}
        known = self._heads | declared | {(name, len(form)) for name, form in GIVEN.items()}
        for rule in self._own:
            if not _declares(rule):
                for signature in sorted(rule.body - known):
                    said = f"nothing says what {_shown(signature)} is"
                    yield _place(rule.statement), said + self._hint(signature, known)

    def _hint(self, signature: Signature, known: Iterable[Signature]) -> str:
        """What may be meant by a predicate that there isn't."""
        if file := _sharing().get(signature):
            return f'; {file} does (#include "{file}".)'
        return _meant(signature, known)

    def _unused(self) -> Iterator[tuple[str, str]]:
        """Predicates that nobody asks for and that look like one that somebody does."""
        wanted = {(name, len(form)) for name, form in _WORDS.items()}
        for rule in self._own:
            for signature in sorted(rule.heads - self._used - wanted - self._renamed):
                if meant := _meant(signature, wanted):
                    yield _place(rule.statement), f"nothing asks for {_shown(signature)}{meant}"

    def _unknown_terms(self) -> Iterator[tuple[str, str]]:
        """Fluents that nothing makes true, and moves that are never legal."""
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
            (fluents, "nothing makes the fluent {} true"),
            (moves, "no move is called {}"),
        ):
            for signature, statement in kind.asked.items():
                if signature not in kind.made and not kind.any:
                    said = sentence.format(_shown(signature))
                    yield _place(statement), said + _meant(signature, kind.made)

    # --- recursion --------------------------------------------------------------------------------

    def _unsettled(self) -> Iterator[tuple[str, str]]:
        """Predicates that depend on their own negation."""
        from ..asp.statements import unstratified

        for rule, signature in unstratified(self._rules):
            if rule in self._own:
                told = f"{_shown(signature)} depends on its own negation"
                yield _place(rule.statement), f"{told}: rules may not settle it"

    def _growing(self) -> Iterator[tuple[str, str]]:
        """Terms that are made larger from round to round, or from move to move."""
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
    """The files that don't come with aspgames."""
    sources = *encoding.sources, *encoding.explaining
    return {s.name for s in sources if encodings_folder() not in s.path.parents}


def _declares(rule: Rule) -> bool:
    """Whether a statement only says that a predicate may be missing."""
    return str(rule.statement).startswith("#defined")


def _place(statement: ast.AST) -> str:
    begin = statement.location.begin
    file = Path(begin.filename)  # the same rules may lie elsewhere, too
    name = f"why/{file.name}" if file.parent.name == "why" else file.name
    return f"{name}:{begin.line}"


def _order(place: str) -> tuple[str, int]:
    file, _, line = place.rpartition(":")
    return file, int(line)


def _shown(signature: Signature) -> str:
    return f"{signature[0]}/{signature[1]}"


def _meant(signature: Signature, known: Iterable[Signature]) -> str:
    """The word that is likely meant by another, as the end of a sentence, if there is one."""
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
    """Whether two letters next to each other have changed places."""
    differing = [place for place, (a, b) in enumerate(zip(name, other, strict=False)) if a != b]
    return len(differing) == 2 and any(b - a == 1 for a, b in pairwise(differing))


def _sharing() -> Mapping[tuple[str, int], str]:
    """The predicates that the shared files say, each with the file."""
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
    """The name and number of arguments of a term; None where they aren't written there."""
    from clingo import ast

    if term.ast_type is ast.ASTType.Function:
        return term.name, len(term.arguments)
    if term.ast_type is ast.ASTType.SymbolicTerm:
        return str(term), 0
    return None


def _made(node: ast.AST) -> Iterator[ast.AST]:
    """The terms in a head that are larger than what they are made from."""
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
