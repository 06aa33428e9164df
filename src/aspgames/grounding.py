"""Asking clingo's grounder: which atoms follow from some statements and the facts of one state.

A ``Query`` is prepared once and asked once a state. Three things make it cheap, measured against
parsing the program anew for each state: the statements are parsed once (``ProgramBuilder`` takes
them as they are), the predicates that don't depend on the state are grounded once and handed over
as finished tuples, and rules that the wanted predicates don't need are left out. Each question gets
a ``Control`` of its own, so nothing of one state can leak into the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import clingo
from clingo import ast

from .encoding import Constants
from .errors import RulesError

Signature = tuple[str, int]
Atoms = Mapping[Signature, Sequence[clingo.Symbol]]

TRUE: Signature = ("true", 1)
DOES: Signature = ("does", 2)


class Program:
    """Statements made ready for being grounded again and again.

    Rules that the wanted predicates don't need are left out; predicates that don't depend on the
    state are grounded once, and handed over from then on (``given``).
    """

    def __init__(
        self, statements: Iterable[ast.AST], constants: Constants, wanted: Iterable[Signature]
    ) -> None:
        self.wanted = tuple(wanted)
        self.constants = constants
        needed = needed_rules([Rule.of(s) for s in statements], self.wanted)
        self.settled = all(rule.plain for rule in needed)
        """Whether there are no choices and constraints, for which a solver would be needed."""
        self.changing = _changing(needed)
        """The predicates that depend on the state."""
        static = [rule for rule in needed if rule.heads and not rule.heads & self.changing]
        self.rules = [rule for rule in needed if rule not in static]
        """The rules for what depends on the state, and the directives."""
        signatures = {signature for rule in static for signature in rule.heads}
        control = ground(constants, [r.statement for r in static + _unheaded(self.rules)])
        unchanging = _read(control, signatures)
        self.static = {key: _as_terms(atoms) for key, atoms in unchanging.items()}
        self.given = {signature: _hand_over(signature) for signature in self.static}

    @property
    def statements(self) -> list[ast.AST]:
        """The statements of the rules."""
        return [rule.statement for rule in self.rules]


class Query:
    """The atoms of some predicates that follow from statements, ``true/1`` and ``does/2``."""

    def __init__(
        self, statements: Iterable[ast.AST], constants: Constants, wanted: Iterable[Signature]
    ) -> None:
        self._program = Program(statements, constants, wanted)
        state = parse_statements("true(F) :- F = @true(). does(R,M) :- (R,M) = @does().")
        self._statements = [*self._program.statements, *self._program.given.values(), *state]

    def __call__(
        self, true: Sequence[clingo.Symbol] = (), does: Sequence[clingo.Symbol] = ()
    ) -> Atoms:
        """The wanted atoms, given the state's fluents and the joint move's ``(role,move)`` pairs.

        Raises ``RulesError`` if the program doesn't settle them: no answer set, or several.
        """
        program = self._program
        context = _Given(program.static, true, does)
        control = ground(program.constants, self._statements, context)
        return (
            _read(control, program.wanted) if program.settled else _solve(control, program.wanted)
        )


def _read(control: clingo.Control, wanted: Iterable[Signature]) -> Atoms:
    """The wanted atoms of a grounding, if it settles them; else those of the one answer set."""
    answer: dict[Signature, list[clingo.Symbol]] = {}
    for name, arity in wanted:
        atoms = list(control.symbolic_atoms.by_signature(name, arity))
        if not all(atom.is_fact for atom in atoms):
            return _solve(control, wanted)
        answer[name, arity] = [atom.symbol for atom in atoms]
    return answer


class Context:
    """Answers the ``@`` calls by which a program is handed what never changes."""

    def __init__(self, static: Atoms) -> None:
        self._static = static

    def static(self, name: clingo.Symbol, arity: clingo.Symbol) -> Sequence[clingo.Symbol]:
        """The atoms of a predicate, as ``_as_terms`` has them."""
        return self._static[name.string, arity.number]


class _Given(Context):
    """Answers those by which it is handed a state, too."""

    def __init__(
        self, static: Atoms, true: Sequence[clingo.Symbol], does: Sequence[clingo.Symbol]
    ) -> None:
        super().__init__(static)
        self._true, self._does = true, does

    def true(self) -> Sequence[clingo.Symbol]:
        return self._true

    def does(self) -> Sequence[clingo.Symbol]:
        return self._does


def _as_terms(atoms: Iterable[clingo.Symbol]) -> list[clingo.Symbol]:
    """The arguments of atoms as single terms: what a grounding context can hand over."""
    arguments = [atom.arguments for atom in atoms]
    return [a[0] if len(a) == 1 else clingo.Tuple_(a) for a in arguments]


@dataclass(frozen=True, eq=False)
class Rule:
    """A statement with the predicates it defines and uses."""

    statement: ast.AST
    heads: frozenset[Signature] = field(default_factory=frozenset)
    body: frozenset[Signature] = field(default_factory=frozenset)
    plain: bool = True
    """Whether it is a rule with one atom as its head, or no rule at all."""

    @staticmethod
    def of(statement: ast.AST) -> Rule:
        """Find the predicates of a statement."""
        if statement.ast_type is not ast.ASTType.Rule:
            directive = statement.ast_type in (ast.ASTType.Definition, ast.ASTType.Defined)
            return Rule(statement, body=frozenset(signatures_in(statement)), plain=directive)
        literal = statement.head.ast_type is ast.ASTType.Literal
        plain = literal and statement.head.atom.ast_type is ast.ASTType.SymbolicAtom
        heads = frozenset(signatures_in(statement.head))
        body = frozenset(s for part in statement.body for s in signatures_in(part))
        return Rule(statement, heads, body, plain)


def signatures_in(node: ast.AST) -> Iterator[Signature]:
    """The predicates that occur in a node."""
    if node.ast_type is ast.ASTType.SymbolicAtom:
        yield from _signatures_of_term(node.symbol)
        return
    for part in parts_of(node):
        yield from signatures_in(part)


def parts_of(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes right below a node."""
    for key in node.child_keys:
        child = getattr(node, key)
        for part in child if isinstance(child, ast.ASTSequence) else [child]:
            if isinstance(part, ast.AST):
                yield part


def _signatures_of_term(term: ast.AST) -> Iterator[Signature]:
    if term.ast_type is ast.ASTType.Pool:
        for part in term.arguments:
            yield from _signatures_of_term(part)
    elif term.ast_type is ast.ASTType.UnaryOperation:
        yield from (("-" + name, arity) for name, arity in _signatures_of_term(term.argument))
    elif term.ast_type is ast.ASTType.Function:
        yield term.name, len(term.arguments)


def needed_rules(rules: Sequence[Rule], wanted: Iterable[Signature]) -> list[Rule]:
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


def _changing(rules: Sequence[Rule]) -> set[Signature]:
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


def _unheaded(rules: Sequence[Rule]) -> list[Rule]:
    """The statements that define nothing but must be known everywhere, such as constants."""
    return [rule for rule in rules if rule.plain and not rule.heads]


def _hand_over(signature: Signature) -> ast.AST:
    """The rule by which a grounding receives a predicate that never changes."""
    name, arity = signature
    variables = ",".join(f"V{i}" for i in range(arity))
    head, term = (f"{name}({variables})", f"({variables})") if arity else (name, "()")
    return parse_statements(f'{head} :- {term} = @static("{name}",{arity}).')[0]


def parse_statements(text: str) -> list[ast.AST]:
    """The statements of a text of our own."""
    statements: list[ast.AST] = []
    ast.parse_string(text, statements.append)
    return statements[1:]  # the first says that the base part begins


_BEFORE = parse_statements("#program before.")


def ground(
    constants: Constants,
    statements: Iterable[ast.AST],
    context: object = None,
    text: str = "",
    observe: Callable[[clingo.Control], object] | None = None,
    before: Sequence[ast.AST] = (),
) -> clingo.Control:
    """A control of its own that has grounded statements, and a text besides.

    The statements ``before`` are grounded in a step of their own, before ``observe`` is called.
    Raises ``RulesError`` with clingo's message, and whatever ``context`` or an observer raise.
    """
    messages: list[str] = []
    options = [f"-c{name}={value}" for name, value in constants.items()]
    control = clingo.Control(options, logger=lambda _, m: messages.append(m))
    try:
        if text:
            control.add("base", [], text)
        with ast.ProgramBuilder(control) as builder:
            for statement in (*statements, *_BEFORE, *before):
                builder.add(statement)
        if before:
            control.ground([("before", [])], context=context)
        if observe:
            observe(control)
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
