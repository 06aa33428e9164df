"""The instances of rules on which an atom may depend, whatever holds in a state.

The rules are rewritten so that grounding them yields their instances as facts: a condition that
depends on the state may hold as soon as some state makes it hold, and whatever is negated may fail
to hold. Only what the atom asks for is grounded (magic sets: Beeri and Ramakrishnan, "On the power
of magic", Journal of Logic Programming 10, 1991), so that a move of the largest game takes no
longer than one of the smallest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import clingo
from clingo import ast

from ..encoding import Constants
from ..grounding import (
    DOES,
    TRUE,
    Atoms,
    Context,
    Program,
    Query,
    Rule,
    Signature,
    ground,
    parse_statements,
    parts_of,
    signatures_in,
)
from ..reasoner import Facts
from ..symbols import known_symbol

_FRAME = """
_possible(true(F)) :- F = @fluents().
_possible(true(F)) :- _open(F).
_possible(A)       :- A = @opaque().
_possible(does(R,M)) :- (R,M) = @does().
_possible(H)       :- _instance(_,H,_).
#defined _open/1.
#defined _instance/3.
"""

_Asked = tuple[Signature, str]
"""A predicate, and a ``b`` for each argument that is asked for, an ``f`` for each that is free."""


@dataclass(frozen=True)
class Instance:
    """A rule with its variables replaced."""

    rule: ast.AST
    head: clingo.Symbol
    conditions: tuple[tuple[clingo.Symbol, bool], ...]
    """The conditions that depend on the state, and whether each asks for its atom or denies it."""


@dataclass(frozen=True)
class Relevant:
    """What an atom may depend on."""

    instances: Sequence[Instance]
    opaque: frozenset[clingo.Symbol]
    """Atoms that hold by rules which aren't looked into, such as those with an aggregate, and those
    without a condition on the state."""
    complete: bool
    """Whether all rules could be looked into."""


class RelevantRules:
    """The rules of a game, made ready for being asked for instances again and again."""

    def __init__(
        self, statements: Sequence[ast.AST], constants: Constants, wanted: Iterable[Signature]
    ) -> None:
        program = Program(statements, constants, wanted)
        rules = [rule for rule in program.rules if rule.heads]
        self._constants, self._static = constants, program.static
        self._opaque = {s for r in rules if not _is_clear(r, program.changing) for s in r.heads}
        self._complete = not self._opaque
        self._opaque |= set(program.wanted) - program.changing
        self._others = [
            *(r.statement for r in program.rules if r.plain and not r.heads),
            *program.given.values(),
        ]
        self._clauses = [
            _Clause(rule, place, program.changing)
            for place, rule in enumerate(r for r in rules if not r.heads & self._opaque)
        ]
        self._opaque_query = Query(statements, constants, self._opaque) if self._opaque else None
        self._programs: dict[_Asked, list[ast.AST]] = {}

    def __call__(
        self,
        atom: clingo.Symbol,
        bound: str,
        facts: Facts,
        fluents: Iterable[str],
        does: Sequence[clingo.Symbol] = (),
    ) -> Relevant:
        """The instances on which atoms like this one may depend.

        ``bound`` has a ``b`` for each argument of the atom that is meant, an ``f`` for one that may
        be anything; ``fluents`` are those that may hold in any state; ``does`` has the pairs of the
        joint move that is made in all of them.
        """
        true = [known_symbol(fact) for fact in facts]
        atoms = self._opaque_query(true, does) if self._opaque_query else {}
        opaque = frozenset(symbol for found in atoms.values() for symbol in found)
        key = (atom.name, len(atom.arguments)), bound
        if key not in self._programs:
            text = "\n".join([_FRAME, *self._demands(*key)])
            self._programs[key] = [*self._others, *parse_statements(text)]
        asked = [a for a, b in zip(atom.arguments, bound, strict=True) if b == "b"]
        seed = clingo.Function(_demand(*key), asked)
        possible = [known_symbol(fluent) for fluent in (*facts, *fluents)]
        context = _Handed(self._static, possible, opaque, does)
        control = ground(self._constants, self._programs[key], context, text=f"{seed}.")
        found = control.symbolic_atoms.by_signature("_instance", 3)
        instances = [self._instance(atom.symbol) for atom in found]
        return Relevant(instances, opaque, self._complete)

    def _instance(self, symbol: clingo.Symbol) -> Instance:
        place, head, conditions = symbol.arguments
        return Instance(
            self._clauses[place.number].statement,
            head,
            tuple((c.arguments[0], c.name == "if") for c in conditions.arguments),
        )

    def _demands(self, signature: Signature, bound: str) -> Iterator[str]:
        """The rewritten rules for a predicate asked for with some arguments, and all they need."""
        seen, waiting = {(signature, bound)}, [(signature, bound)]
        while waiting:
            signature, bound = waiting.pop()
            if signature in self._opaque and "f" not in bound:
                name, arity = signature
                arguments = ",".join(f"V{i}" for i in range(arity))
                yield f"_possible({name}({arguments})) :- {_demand(signature, bound)}({arguments})."
            for clause in self._clauses:
                if signature in clause.heads:
                    text, needed = clause.rewritten(bound)
                    yield text
                    waiting += [key for key in needed if key not in seen]
                    seen.update(needed)


class _Clause:
    """A rule, ready for being rewritten."""

    def __init__(self, rule: Rule, place: int, changing: set[Signature]) -> None:
        self.heads, self.statement = rule.heads, rule.statement
        self._place = place
        self._head = _Atom(rule.statement.head)
        self._body = [
            _Atom(part, number) if changing & set(signatures_in(part)) else _Fixed(part)
            for number, part in enumerate(rule.statement.body)
        ]

    def rewritten(self, bound: str) -> tuple[str, set[_Asked]]:
        """The rules that stand for this one if some arguments are asked for; what they ask for."""
        arguments = zip(self._head.arguments, bound, strict=True)
        asked = [a if _can_be_asked(a) else None for a, b in arguments if b == "b"]
        known = {name for argument in asked if argument for name in _variables(argument)}
        demand = _atom(_demand(self._head.signature, bound), [str(a) if a else "_" for a in asked])
        given = [demand, *self._fixed(known)]
        texts, needed, conditions, possible = [], set[_Asked](), [], [demand]
        for part in self._body:
            if isinstance(part, _Fixed):
                possible.append(part.text)
                continue
            conditions.append(part.condition)
            if part.positive:
                possible.append(f"_possible({part.text})")
            else:
                texts += part.projection(self._place)
            meant = "".join("b" if _variables(a) <= known else "f" for a in part.arguments)
            terms = [str(argument) for argument in part.arguments if _variables(argument) <= known]
            if part.signature not in (TRUE, DOES):
                needed.add((part.signature, meant))
                texts.append(_rule(_atom(_demand(part.signature, meant), terms), given))
            elif part.signature == TRUE and terms:
                texts.append(_rule(f"_open({terms[0]})", given))
        tuple_ = f"({','.join(conditions)},)" if conditions else "()"
        texts.append(_rule(f"_instance({self._place},{self._head.text},{tuple_})", possible))
        return "\n".join(texts), needed

    def _fixed(self, known: set[str]) -> list[str]:
        """The conditions that don't depend on the state and say more of what is known."""
        found: list[str] = []
        rest = [part for part in self._body if isinstance(part, _Fixed)]
        while more := [part for part in rest if part.says_more(known)]:
            found += [part.text for part in more]
            rest = [part for part in rest if part not in more]
            known.update(name for part in more for name in part.variables)
        return found


class _Fixed:
    """A condition that doesn't depend on the state."""

    def __init__(self, literal: ast.AST) -> None:
        self.text = str(literal)
        self.variables = _variables(literal)
        atom = literal.atom
        self._gives = self.variables if atom.ast_type is ast.ASTType.SymbolicAtom else set()
        if literal.sign != ast.Sign.NoSign:
            self._gives = set()
        elif atom.ast_type is ast.ASTType.Comparison and _is_assignment(atom):
            self._gives = {atom.term.name}

    def says_more(self, known: set[str]) -> bool:
        """Whether its variables are known, or it makes them known from some that are."""
        new = self.variables - known
        return not new or (new <= self._gives and new != self.variables)


class _Atom:
    """A condition that depends on the state, or a head."""

    def __init__(self, literal: ast.AST, number: int = 0) -> None:
        self.positive = literal.sign == ast.Sign.NoSign
        named = _Named(number).visit(literal.atom.symbol)
        self.text = str(named)
        self.arguments: list[ast.AST] = list(named.arguments)
        self.signature: Signature = (named.name, len(self.arguments))
        self._pattern = str(_Marked().visit(literal.atom.symbol))
        self._some = not self.positive and str(literal.atom.symbol) != self.text

    @property
    def condition(self) -> str:
        """How an instance has it. With a variable of no name, what is denied is that any holds."""
        atom = f"_some({self._pattern})" if self._some else self.text
        return f"if({atom})" if self.positive else f"unless({atom})"

    def projection(self, place: int) -> list[str]:
        """The rule for what is denied, if that is that any holds."""
        head = f"_instance({place},_some({self._pattern}),(if({self.text}),))"
        return [_rule(head, [f"_possible({self.text})"])] if self._some else []


class _Named(ast.Transformer):
    """Gives each variable of no name one."""

    def __init__(self, number: int) -> None:
        self._prefix, self._count = f"_V{number}_", 0

    def visit_Variable(self, node: ast.AST) -> ast.AST:  # noqa: N802
        if node.name != "_":
            return node
        self._count += 1
        return node.update(name=f"{self._prefix}{self._count}")


class _Marked(ast.Transformer):
    """Puts the text ``"_"`` in the place of each variable of no name."""

    def visit_Variable(self, node: ast.AST) -> ast.AST:  # noqa: N802
        if node.name != "_":
            return node
        return ast.SymbolicTerm(node.location, clingo.String("_"))


class _Handed(Context):
    """Hands over the state, what is known of it, and what is done."""

    def __init__(
        self,
        static: Atoms,
        fluents: Sequence[clingo.Symbol],
        opaque: Iterable[clingo.Symbol],
        does: Sequence[clingo.Symbol],
    ) -> None:
        super().__init__(static)
        self._fluents, self._opaque, self._does = fluents, list(opaque), does

    def fluents(self) -> Sequence[clingo.Symbol]:
        return self._fluents

    def opaque(self) -> Sequence[clingo.Symbol]:
        return self._opaque

    def does(self) -> Sequence[clingo.Symbol]:
        return self._does


def _is_clear(rule: Rule, changing: set[Signature]) -> bool:
    """Whether a rule is a head and conditions that are atoms, atoms denied, or comparisons."""
    return _is_literal(rule.statement.head, changing) and all(
        _is_literal(part, changing) for part in rule.statement.body
    )


def _is_literal(part: ast.AST, changing: set[Signature]) -> bool:
    if part.ast_type is not ast.ASTType.Literal or part.sign == ast.Sign.DoubleNegation:
        return False
    if changing.isdisjoint(signatures_in(part)):
        kinds = (ast.ASTType.SymbolicAtom, ast.ASTType.Comparison, ast.ASTType.BooleanConstant)
        return part.atom.ast_type in kinds
    if part.atom.ast_type is not ast.ASTType.SymbolicAtom:
        return False
    symbol = part.atom.symbol
    several = (ast.ASTType.Pool, ast.ASTType.Interval)
    return symbol.ast_type is ast.ASTType.Function and not any(
        node.ast_type in several for node in _nodes(symbol)
    )


def _can_be_asked(argument: ast.AST) -> bool:
    """Whether the grounder can read off the variables of a head's argument from its value."""
    computes = any(node.ast_type is ast.ASTType.BinaryOperation for node in _nodes(argument))
    return not computes or len(_variables(argument)) <= 1


def _is_assignment(comparison: ast.AST) -> bool:
    guards = comparison.guards
    return (
        comparison.term.ast_type is ast.ASTType.Variable
        and len(guards) == 1
        and guards[0].comparison == ast.ComparisonOperator.Equal
    )


def _variables(node: ast.AST) -> set[str]:
    found = (part.name for part in _nodes(node) if part.ast_type is ast.ASTType.Variable)
    return {name for name in found if name != "_"}


def _nodes(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for part in parts_of(node):
        yield from _nodes(part)


def _demand(signature: Signature, bound: str) -> str:
    return f"_asked_{signature[0]}_{bound}"


def _atom(name: str, terms: Sequence[str]) -> str:
    return f"{name}({','.join(terms)})" if terms else name


def _rule(head: str, body: Sequence[str]) -> str:
    return f"{head} :- {'; '.join(body)}."
