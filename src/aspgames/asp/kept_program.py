"""Prepared programs, kept as text, so that a later process needs no syntax trees of the rules."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import clingo
from clingo import ast

from ..runtime.budget import UNLIMITED
from .clingo_c import nodes_in
from .grounding import Atoms, Query, parse_statements
from .nodes import add_statements, name_of, replaced
from .statements import Signature
from .terms import DEEPEST, Constants, depth

Recall = Callable[[Callable[[], Any]], Any]
"""Gets the answer of a function, as JSON, by asking it or not."""

_MOST_TEXT = 1 << 24  # letters of atoms that never change
# What a name that was made by rewriting may have and can't be read again, such as a blank, and the
# two quotes that are written in its place.
_ODD = re.compile(r"[^A-Za-z0-9_']|'(?=')")


class Prepared(NamedTuple):
    """Statements to be grounded, some of them ``before`` the others."""

    statements: Sequence[ast.AST]
    before: Sequence[ast.AST]
    static: Atoms
    """What they get by ``@static``."""
    settled: bool = True
    """As of a ``Program``."""


class KeptQuery(Query):
    """A query of the statements that ``ask`` gives, prepared once for all processes."""

    def __init__(
        self,
        ask: Callable[[], Iterable[ast.AST]],
        constants: Constants,
        wanted: Sequence[Signature],
        recall: Recall,
    ) -> None:
        def prepare() -> Prepared:
            query = Query(ask(), constants, wanted)
            return Prepared(query.statements, (), query.static, query.settled)

        self._constants, self._wanted = constants, tuple(wanted)
        self.statements, _, self.static, self.settled = kept_program(prepare, recall)


def kept_program(ask: Callable[[], Prepared], recall: Recall) -> Prepared:
    """The program that ``ask`` prepares, from a cache if it can be written as text."""
    made: list[Prepared] = []

    def look() -> Any:
        made.append(ask())
        return _written(made[0])

    kept = recall(look)
    if made:
        return made[0]
    return _read(kept) if kept else ask()


def _written(program: Prepared) -> Any:
    """The program as JSON; None if its text would be read as another one, or is refused."""
    parts = program.statements, program.before
    texts = [[str(_renamed(node)) for node in part] for part in parts]
    static = {signature: _text(signature[0], atoms) for signature, atoms in program.static.items()}
    if sum(map(len, static.values())) > _MOST_TEXT or depth("".join(static.values())) > DEEPEST:
        return None
    kept = [*texts, [[*signature, text] for signature, text in static.items()], program.settled]
    try:
        found = _read(kept)
    except RuntimeError:
        return None
    if [list(map(str, part)) for part in (found.statements, found.before)] != texts:
        return None
    return None if complaints([*found.statements, *found.before]) else kept


def complaints(statements: Iterable[ast.AST]) -> list[str]:
    """clingo's messages, if it refuses any of the statements. None is grounded."""
    messages: list[str] = []
    control = clingo.Control(logger=lambda _, message: messages.append(message))
    try:
        add_statements(control, statements)
        control.ground([("nothing", [])])
    except RuntimeError:
        UNLIMITED.check()  # see ``grounding.ground``
        return messages
    return []


def _renamed(statement: ast.AST) -> ast.AST:
    """The statement with names that can be read; mostly, and much sooner, itself."""
    if not any(_ODD.search(name_of(term)) for term in nodes_in(statement, "Function")):
        return statement
    return replaced(statement, "Function", lambda term: term.update(name=_plain(name_of(term))))


def _text(name: str, atoms: Sequence[clingo.Symbol]) -> str:
    """The atoms of one predicate; clingo writes all at once, as the arguments of a term."""
    plain = _plain(name)
    if plain != name:
        atoms = [clingo.Function(plain, atom.arguments) for atom in atoms]
    return str(clingo.Function("f", atoms))[2:-1]


def _plain(name: str) -> str:
    return _ODD.sub(lambda letter: f"''{ord(letter[0]):x}", name)


def _read(kept: Any) -> Prepared:
    statements, before, static, settled = kept
    atoms = {(name, arity): _terms(text) for name, arity, text in static}
    first, second = (parse_statements("\n".join(texts)) for texts in (statements, before))
    return Prepared(first, second, atoms, settled)


def _terms(text: str) -> Sequence[clingo.Symbol]:
    return clingo.parse_term(f"({text},)").arguments if text else ()
