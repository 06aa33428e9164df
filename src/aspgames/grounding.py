"""Asking clingo's grounder: which atoms follow from some statements and the facts of one state.

A ``Query`` is prepared once and asked once a state. Three things make it cheap, measured against
parsing the program anew for each state: the statements are parsed once (``ProgramBuilder`` takes
them as they are), the predicates that don't depend on the state are grounded once and handed over
as finished tuples, and rules that the wanted predicates don't need are left out. Each question gets
a ``Control`` of its own, so nothing of one state can leak into the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import clingo
from clingo import ast

from .encoding import Constants
from .errors import RulesError

Signature = tuple[str, int]
Atoms = Mapping[Signature, Sequence[clingo.Symbol]]

TRUE: Signature = ("true", 1)
DOES: Signature = ("does", 2)


class Query:
    """The atoms of some predicates that follow from statements, ``true/1`` and ``does/2``."""

    def __init__(
        self, statements: Iterable[ast.AST], constants: Constants, wanted: Iterable[Signature]
    ) -> None:
        self.wanted = tuple(wanted)
        self._constants = constants
        rules = _needed([_Rule.of(s) for s in statements], self.wanted)
        self._always_solve = any(not rule.plain for rule in rules)
        changing = _changing(rules)
        static = [rule for rule in rules if not rule.heads & changing and rule.heads]
        rest = [rule for rule in rules if rule not in static]
        signatures = {signature for rule in static for signature in rule.heads}
        unchanging = self._ask([r.statement for r in static + _unheaded(rest)], signatures)
        self._static = {key: _as_terms(atoms) for key, atoms in unchanging.items()}
        self._statements = [rule.statement for rule in rest] + list(_handed_over(self._static))

    def __call__(
        self, true: Sequence[clingo.Symbol] = (), does: Sequence[clingo.Symbol] = ()
    ) -> Atoms:
        """The wanted atoms, given the state's fluents and the joint move's ``(role,move)`` pairs.

        Raises ``RulesError`` if the program doesn't settle them: no answer set, or several.
        """
        return self._ask(self._statements, self.wanted, _Given(self._static, true, does))

    def _ask(
        self,
        statements: Sequence[ast.AST],
        wanted: Iterable[Signature],
        given: _Given | None = None,
    ) -> dict[Signature, list[clingo.Symbol]]:
        control = ground(self._constants, statements, given)
        answer: dict[Signature, list[clingo.Symbol]] = {}
        for name, arity in wanted:
            atoms = list(control.symbolic_atoms.by_signature(name, arity))
            if self._always_solve or not all(atom.is_fact for atom in atoms):
                return _solve(control, wanted)
            answer[name, arity] = [atom.symbol for atom in atoms]
        return answer


class _Given:
    """The grounding context: answers the ``@`` calls that bring a state into the program."""

    def __init__(
        self, static: Atoms, true: Sequence[clingo.Symbol], does: Sequence[clingo.Symbol]
    ) -> None:
        self._static, self._true, self._does = static, true, does

    def true(self) -> Sequence[clingo.Symbol]:
        return self._true

    def does(self) -> Sequence[clingo.Symbol]:
        return self._does

    def static(self, name: clingo.Symbol, arity: clingo.Symbol) -> Sequence[clingo.Symbol]:
        return self._static[name.string, arity.number]


def _as_terms(atoms: Iterable[clingo.Symbol]) -> list[clingo.Symbol]:
    """The arguments of atoms as single terms: what a grounding context can hand over."""
    arguments = [atom.arguments for atom in atoms]
    return [a[0] if len(a) == 1 else clingo.Tuple_(a) for a in arguments]


@dataclass(frozen=True, eq=False)
class _Rule:
    """A statement with the predicates it defines and uses."""

    statement: ast.AST
    heads: frozenset[Signature] = field(default_factory=frozenset)
    body: frozenset[Signature] = field(default_factory=frozenset)
    plain: bool = True
    """Whether it is a rule with one atom as its head, or no rule at all."""

    @staticmethod
    def of(statement: ast.AST) -> _Rule:
        if statement.ast_type is not ast.ASTType.Rule:
            directive = statement.ast_type in (ast.ASTType.Definition, ast.ASTType.Defined)
            return _Rule(statement, body=frozenset(_signatures(statement)), plain=directive)
        literal = statement.head.ast_type is ast.ASTType.Literal
        plain = literal and statement.head.atom.ast_type is ast.ASTType.SymbolicAtom
        heads = frozenset(_signatures(statement.head))
        body = frozenset(s for part in statement.body for s in _signatures(part))
        return _Rule(statement, heads, body, plain)


def _signatures(node: ast.AST) -> Iterator[Signature]:
    """The predicates that occur in a node."""
    if node.ast_type is ast.ASTType.SymbolicAtom:
        yield from _signatures_of_term(node.symbol)
        return
    for key in node.child_keys:
        child = getattr(node, key)
        for part in child if isinstance(child, ast.ASTSequence) else [child]:
            if isinstance(part, ast.AST):
                yield from _signatures(part)


def _signatures_of_term(term: ast.AST) -> Iterator[Signature]:
    if term.ast_type is ast.ASTType.Pool:
        for part in term.arguments:
            yield from _signatures_of_term(part)
    elif term.ast_type is ast.ASTType.UnaryOperation:
        yield from (("-" + name, arity) for name, arity in _signatures_of_term(term.argument))
    elif term.ast_type is ast.ASTType.Function:
        yield term.name, len(term.arguments)


def _needed(rules: Sequence[_Rule], wanted: Iterable[Signature]) -> list[_Rule]:
    """The rules that the wanted predicates depend on, and those that constrain or choose."""
    needed = set(wanted)
    chosen = {rule for rule in rules if not rule.plain or not rule.heads}
    for rule in chosen:
        needed |= rule.heads | rule.body
    grew = True
    while grew:
        more = {r for r in rules if r not in chosen and r.heads & needed}
        needed.update(signature for rule in more for signature in rule.body)
        chosen |= more
        grew = bool(more)
    return [rule for rule in rules if rule in chosen]


def _changing(rules: Sequence[_Rule]) -> set[Signature]:
    """The predicates that depend on the state, or that a choice may make true."""
    changing = {TRUE, DOES}
    for rule in rules:
        if not rule.plain or any(name.startswith("-") for name, _ in rule.heads):
            changing |= rule.heads
    grew = True
    while grew:
        more = {s for r in rules if r.body & changing for s in r.heads} - changing
        changing |= more
        grew = bool(more)
    return changing


def _unheaded(rules: Sequence[_Rule]) -> list[_Rule]:
    """The statements that define nothing but must be known everywhere, such as constants."""
    return [rule for rule in rules if rule.plain and not rule.heads]


def _handed_over(static: Atoms) -> Iterator[ast.AST]:
    """The rules by which a grounding receives the state and what never changes."""
    text = "true(F) :- F = @true(). does(R,M) :- (R,M) = @does()."
    for (name, arity), atoms in static.items():
        variables = ",".join(f"V{i}" for i in range(arity))
        if arity == 0:
            text += f" {name}." if atoms else ""
        else:
            text += f' {name}({variables}) :- ({variables}) = @static("{name}",{arity}).'
    statements: list[ast.AST] = []
    ast.parse_string(text, statements.append)
    return (s for s in statements if s.ast_type is not ast.ASTType.Program)


def ground(
    constants: Constants,
    statements: Iterable[ast.AST],
    context: object = None,
    text: str = "",
    observer: clingo.Observer | None = None,
) -> clingo.Control:
    """A control of its own that has grounded statements, and a text besides.

    Raises ``RulesError`` with clingo's message, and whatever ``context`` or ``observer`` raise.
    """
    messages: list[str] = []
    options = [f"-c{name}={value}" for name, value in constants.items()]
    control = clingo.Control(options, logger=lambda _, m: messages.append(m))
    if observer:
        control.register_observer(observer)
    try:
        if text:
            control.add("base", [], text)
        with ast.ProgramBuilder(control) as builder:
            for statement in statements:
                builder.add(statement)
        control.ground([("base", [])], context=context)
    except RecursionError:
        raise
    except RuntimeError as error:
        message = next((m for m in messages if "error" in m), str(error))
        raise RulesError(" ".join(message.split())) from None
    return control


def _solve(
    control: clingo.Control, wanted: Iterable[Signature]
) -> dict[Signature, list[clingo.Symbol]]:
    """The wanted atoms of the one answer set, where grounding alone doesn't settle them."""
    signatures = tuple(wanted)
    answers: list[dict[Signature, list[clingo.Symbol]]] = []
    control.configuration.solve.models = "2"  # type: ignore[union-attr]
    with control.solve(yield_=True) as handle:
        for model in handle:
            answer: dict[Signature, list[clingo.Symbol]] = {s: [] for s in signatures}
            for symbol in model.symbols(atoms=True):
                if (key := (symbol.name, len(symbol.arguments))) in answer and symbol.positive:
                    answer[key].append(symbol)
            answers.append(answer)
    if len(answers) != 1:
        found = "no answer set" if not answers else "more than one answer set"
        raise RulesError(f"the rules don't settle what follows from the state: {found}")
    return answers[0]
