"""The statements of an encoding: the predicates that they define and use, and their arguments."""

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from clingo import Symbol, SymbolType, ast

from .clingo_c import ATOM, SYMBOL, child_of, nodes_in, parts_of, signature_of, type_of
from .nodes import atom_of, span_of

Signature = tuple[str, int]

TRUE: Signature = ("true", 1)
DOES: Signature = ("does", 2)


class Argument(NamedTuple):
    """A term of an atom, analysed once: each access to a node takes clingo microseconds."""

    node: ast.AST
    variable: str = ""
    """The name of a variable."""
    constant: str = ""
    """A name or number, as text."""
    function: Signature | None = None
    parts: "Sequence[Argument]" = ()
    """The arguments of a function."""
    variables: frozenset[str] = frozenset()
    """The named variables in it."""
    is_plain: bool = True
    """Whether it has no computed part, so that it binds its variables."""
    is_bindable: bool = True
    """Whether the values of its variables determine its value: it has no anonymous variable."""


def argument(node: ast.AST) -> Argument:
    """Analyse a term. For operations, intervals and pools, the result has only the variables."""
    kind = type_of(node)
    if kind is ast.ASTType.Variable:
        name = node.name
        if name == "_":
            return Argument(node, is_bindable=False)
        return Argument(node, variable=name, variables=frozenset([name]))
    if kind is ast.ASTType.SymbolicTerm:
        symbol = node.symbol
        if symbol.type is SymbolType.Function and symbol.arguments:
            return Argument(node)
        return Argument(node, constant=str(symbol))
    if kind is ast.ASTType.Function and (name := signature_of(node)[0]) and not node.external:
        parts = tuple(map(argument, parts_of(node)))
        return Argument(
            node,
            function=(name, len(parts)),
            parts=parts,
            variables=frozenset[str]().union(*(part.variables for part in parts)),
            is_plain=all(part.is_plain for part in parts),
            is_bindable=all(part.is_bindable for part in parts),
        )
    names = [part.name for part in nodes_in(node, ast.ASTType.Variable)]
    variables = frozenset(names) - {"_"}
    return Argument(node, variables=variables, is_plain=False, is_bindable="_" not in names)


@dataclass(frozen=True)
class Literal:
    """A part of a rule: a literal, or any other element of its body."""

    node: ast.AST
    signatures: tuple[Signature, ...]
    """The predicates that occur in it."""
    sign: int | None = None
    """The sign of an atom without a pool of arguments or a classical minus; else None."""

    @cached_property
    def arguments(self) -> Sequence[Argument]:
        """The arguments of a plain atom; else empty."""
        if self.sign is None:
            return ()
        return tuple(map(argument, parts_of(child_of(child_of(self.node, ATOM), SYMBOL))))

    @cached_property
    def variables(self) -> frozenset[str]:
        """The named variables in it."""
        if self.sign is None:
            return frozenset(variables_in(self.node))
        return frozenset[str]().union(*(given.variables for given in self.arguments))

    @cached_property
    def kind(self) -> ast.ASTType:
        """The kind of what it affirms or denies; of any other part of a body, its own."""
        return type_of(atom_of(self.node))

    @property
    def binds(self) -> bool:
        """Whether it binds its variables."""
        return self.sign == ast.Sign.NoSign and all(given.is_plain for given in self.arguments)

    @property
    def compares(self) -> bool:
        """Whether it is a comparison, negated or not."""
        return self.kind is ast.ASTType.Comparison


@dataclass(frozen=True, eq=False)
class Rule:
    """A statement with the predicates it defines and uses."""

    statement: ast.AST
    heads: frozenset[Signature] = field(default_factory=frozenset)
    body: frozenset[Signature] = field(default_factory=frozenset)
    plain: bool = True
    """Whether it is a rule with one atom as its head, or not a rule."""
    head: Literal | None = None
    literals: Sequence[Literal] = ()
    """The parts of its body."""


def rule_of(statement: ast.AST) -> Rule:
    """Find the predicates of a statement. The result is cached: each access takes microseconds."""
    rule = _KNOWN.get(id(statement))
    if rule is None or rule.statement is not statement:
        if len(_KNOWN) == _MOST_KNOWN:
            _KNOWN.clear()
        rule = _KNOWN[id(statement)] = _rule_of(statement)
    return rule


_KNOWN: dict[int, Rule] = {}
_MOST_KNOWN = 1 << 16


def _rule_of(statement: ast.AST) -> Rule:
    kind = type_of(statement)
    if kind is not ast.ASTType.Rule:
        directive = kind in (ast.ASTType.Definition, ast.ASTType.Defined)
        return Rule(statement, body=frozenset(signatures_in(statement)), plain=directive)
    first, *others = parts_of(statement)
    head, literals = literal_of(first), tuple(map(literal_of, others))
    plain = type_of(head.node) is ast.ASTType.Literal
    plain = plain and type_of(child_of(head.node, ATOM)) is ast.ASTType.SymbolicAtom
    body = frozenset(signature for literal in literals for signature in literal.signatures)
    return Rule(statement, frozenset(head.signatures), body, plain, head, literals)


def literal_of(node: ast.AST) -> Literal:
    """A part of a body, with its predicates."""
    if type_of(node) is not ast.ASTType.Literal:
        return Literal(node, tuple(signatures_in(node)))
    atom = child_of(node, ATOM)
    kind = type_of(atom)
    if kind in (ast.ASTType.Comparison, ast.ASTType.BooleanConstant):
        return Literal(node, ())
    if kind is not ast.ASTType.SymbolicAtom:
        return Literal(node, tuple(signatures_in(atom)))
    term = child_of(atom, SYMBOL)
    if type_of(term) is not ast.ASTType.Function:
        return Literal(node, tuple(_signatures_of_term(term)))
    return Literal(node, (signature_of(term),), node.sign)


def shown(signature: Signature) -> str:
    """A predicate as messages name it: ``legal/2``."""
    return f"{signature[0]}/{signature[1]}"


def short_place(statement: ast.AST) -> str:
    """The file and line of a statement; a file of sentences with its folder."""
    span = span_of(statement)
    file = Path(span.file)  # answers in the cache must not depend on the folder
    name = f"why/{file.name}" if file.parent.name == "why" else file.name
    return f"{name}:{span.first}"


def atoms_in(node: ast.AST) -> Iterator[ast.AST]:
    """The terms of the atoms in a node."""
    if type_of(node) is ast.ASTType.SymbolicAtom:
        yield child_of(node, SYMBOL)
        return
    for part in parts_of(node):
        yield from atoms_in(part)


def signatures_in(node: ast.AST) -> Iterator[Signature]:
    """The predicates that occur in a node."""
    return (signature for term in atoms_in(node) for signature in _signatures_of_term(term))


def symbols_in(node: ast.AST) -> Iterator[Symbol]:
    """The names, numbers and texts in a node."""
    return (part.symbol for part in nodes_in(node, ast.ASTType.SymbolicTerm))


def variables_in(node: ast.AST) -> set[str]:
    """The names of the named variables in a node."""
    return {part.name for part in nodes_in(node, ast.ASTType.Variable)} - {"_"}


def _signatures_of_term(term: ast.AST) -> Iterator[Signature]:
    kind = type_of(term)
    if kind is ast.ASTType.Pool:
        for part in term.arguments:
            yield from _signatures_of_term(part)
    elif kind is ast.ASTType.UnaryOperation:
        yield from (("-" + name, arity) for name, arity in _signatures_of_term(term.argument))
    elif kind is ast.ASTType.Function:
        yield signature_of(term)


def constants_of(rules: Iterable[Rule]) -> set[str]:
    """The names of the constants that ``#const`` defines."""
    return {r.statement.name for r in rules if type_of(r.statement) is ast.ASTType.Definition}


def needed_rules(rules: Sequence[Rule], wanted: Iterable[Signature]) -> list[Rule]:
    """The rules that the wanted predicates depend on, and those that constrain or choose."""
    needed = set(wanted)
    chosen = {rule for rule in rules if not rule.plain or not rule.heads}
    for rule in chosen:
        needed |= rule.heads | rule.body
    while more := {r for r in rules if r not in chosen and r.heads & needed}:
        needed.update(signature for rule in more for signature in rule.body)
        chosen |= more
    return [rule for rule in rules if rule in chosen]


def dependent_predicates(rules: Sequence[Rule], given: Set[Signature]) -> set[Signature]:
    """Some predicates, and all predicates that depend on them."""
    found = set(given)
    while more := {s for r in rules if r.body & found for s in r.heads} - found:
        found |= more
    return found


def changing_predicates(rules: Sequence[Rule]) -> set[Signature]:
    """The predicates that depend on the state or on a choice."""
    chosen = (r for r in rules if not r.plain or any(name.startswith("-") for name, _ in r.heads))
    return dependent_predicates(rules, {TRUE, DOES}.union(*(rule.heads for rule in chosen)))
