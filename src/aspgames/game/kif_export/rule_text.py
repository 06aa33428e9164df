"""Reads rules of an encoding as rules of a sheet.

Sheets have no arithmetic, and ``distinct`` is their only comparison. Everything else is kept as a
``Comparison``, which ``arithmetic`` turns into a relation.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, count, pairwise, product
from typing import NamedTuple

from ...asp.clingo_api import AST, Number, Symbol, SymbolType, parse_term
from ...asp.clingo_c import parts_of, signature_of
from ...asp.node_details import operator_of
from ...asp.nodes import atom_of, is_negated, is_positive, kind_of, name_of, sides_of
from ...asp.parsing import place_of
from ...asp.statements import variables_in as named_variables
from ...asp.symbols import known_symbol
from ...asp.terms import Constants
from ...gdl.kif.sheet import Function, SheetLiteral, Term, Variable, variables_of

ANONYMOUS = "_"
"""The prefix of anonymous variables."""


class Inexpressible(Exception):
    """Something that a sheet can't express; the message names it."""


class _Never(Exception):
    """A rule that never fires, such as one with ``1 = 2`` in it."""


class Operation(NamedTuple):
    """A computation with terms: ``X+1``, ``1..N``."""

    sign: str
    parts: "tuple[Expression, ...]"


Expression = Term | Operation


class Comparison(NamedTuple):
    """A comparison, perhaps with a computation."""

    left: Expression
    sign: str
    right: Expression

    @property
    def variables(self) -> tuple[str, ...]:
        """Its variables, each once; the result of a computation comes last."""
        sides = (self.right, self.left) if self.sign == "=" else (self.left, self.right)
        return tuple(dict.fromkeys(name for side in sides for name in variables_in(side)))


@dataclass(frozen=True, slots=True)
class ReadRule:
    """A rule: its head, and its body of literals and comparisons."""

    head: Function
    body: tuple[SheetLiteral | Comparison, ...]
    place: str = ""
    """File and line."""

    @property
    def comparisons(self) -> list[Comparison]:
        """The comparisons of the body."""
        return [part for part in self.body if isinstance(part, Comparison)]

    @property
    def positive(self) -> Iterator[Function]:
        """The positive atoms of the body."""
        for part in self.body:
            if isinstance(part, SheetLiteral) and not part.negated and part.atom.name != "distinct":
                yield part.atom


def variables_in(found: Expression) -> Iterator[str]:
    """The variables of an expression, each as often as it occurs."""
    if isinstance(found, Operation):
        for part in found.parts:
            yield from variables_in(part)
    else:
        yield from variables_of([found])


def text_of(found: Comparison | Expression, named: Callable[[str], str] = "V{}".format) -> str:
    """An expression or comparison in clingo's syntax, with names for its variables."""
    if isinstance(found, Comparison):
        return f"{text_of(found.left, named)} {found.sign} {text_of(found.right, named)}"
    if isinstance(found, Operation):
        parts = [text_of(part, named) for part in found.parts]
        if found.sign == "|":
            return f"|{parts[0]}|"
        inner = [
            f"({text})" if isinstance(part, Operation) else text
            for part, text in zip(found.parts, parts, strict=True)
        ]
        return found.sign.join(inner) if len(inner) > 1 else f"{found.sign}{inner[0]}"
    if isinstance(found, Variable):
        return named(found.variable)
    if not found.arguments:
        return found.name or "()"
    end = ",)" if not found.name and len(found.arguments) == 1 else ")"
    return f"{found.name}({','.join(text_of(part, named) for part in found.arguments)}{end}"


def term_of(symbol: Symbol) -> Function:
    """The term of a symbol of clingo. Raises ``Inexpressible``."""
    if symbol.type is SymbolType.Number:
        return Function(str(symbol.number))
    if symbol.type is not SymbolType.Function:
        raise Inexpressible("a string" if symbol.type is SymbolType.String else str(symbol))
    if symbol.negative:
        raise Inexpressible("a classical negation")
    return Function(symbol.name, tuple(map(term_of, symbol.arguments)))


_OUTSIDE = {"role", "init", "true", "next", "legal", "does", "goal", "base", "input"}


def read_rule(statement: AST, constants: Constants) -> list[ReadRule]:
    """Read a rule without pools; empty if it never fires. Raises ``Inexpressible``."""
    return list(_RuleReader(constants).rules(statement))


# --- reading --------------------------------------------------------------------------------------

_DENIED = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_HOLDS: Mapping[str, Callable[[Symbol, Symbol], bool]] = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
_OTHER_HEADS: Mapping[str, str] = {
    "Aggregate": "a choice",
    "HeadAggregate": "a choice",
    "Disjunction": "a disjunction",
    "TheoryAtom": "a theory atom",
}
_OTHER_PARTS: Mapping[str, str] = {
    "Aggregate": "an aggregate",
    "BodyAggregate": "an aggregate",
    "ConditionalLiteral": "a conditional literal",
    "TheoryAtom": "a theory atom",
}


class _RuleReader:
    def __init__(self, constants: Constants) -> None:
        self._constants = constants
        self._body: list[SheetLiteral | Comparison] = []
        self._choices: list[list[list[Comparison]]] = []
        """For each comparison of tuples, the ways in which it can hold."""
        self._computed: dict[str, Variable] = {}
        self._count = 0
        self._taken: set[str] = set()

    def rules(self, statement: AST) -> Iterator[ReadRule]:
        self._taken |= named_variables(statement)
        if kind_of(statement) != "Rule":
            raise Inexpressible(f"this directive ({str(statement).partition(' ')[0]})")
        head, *body = parts_of(statement)
        if kind_of(head) != "Literal":
            raise Inexpressible(_OTHER_HEADS.get(kind_of(head), "such a head"))
        if kind_of(atom_of(head)) == "BooleanConstant":
            raise Inexpressible("a constraint")
        if not is_positive(head) or kind_of(atom_of(head)) != "SymbolicAtom":
            raise Inexpressible("such a head")
        with suppress(_Never):
            for part in body:
                self._part(part)
            atom = self._atom(*parts_of(atom_of(head)))
            for chosen in product(*self._choices):
                with suppress(_Never):
                    found = ReadRule(atom, (*self._body, *chain(*chosen)), place_of(statement))
                    yield _simplified(found)

    def _part(self, node: AST) -> None:
        atom = atom_of(node)
        kind = kind_of(atom)
        if kind == "BooleanConstant":
            if (str(atom) == "#true") == is_negated(node):
                raise _Never
        elif kind == "Comparison":
            self._comparison(atom, denied=is_negated(node))
        elif kind == "SymbolicAtom":
            self._body.append(SheetLiteral(self._atom(*parts_of(atom)), is_negated(node)))
        else:
            raise Inexpressible(_OTHER_PARTS.get(kind, "such a condition"))

    def _comparison(self, node: AST, denied: bool) -> None:
        terms, signs = sides_of(node)
        if denied and (len(signs) > 1 or ".." in str(node)):
            raise Inexpressible("a negated chain of comparisons, or a negated interval")
        pairs = pairwise(map(self._expression, terms))
        for (left, right), sign in zip(pairs, signs, strict=True):
            found = Comparison(left, _DENIED[sign] if denied else sign, right)
            if _is_tuple(left) and _is_tuple(right):
                self._choices.append(list(_ways(found)))
            else:
                self._body.append(found)

    def _atom(self, node: AST) -> Function:
        if kind_of(node) != "Function":
            raise Inexpressible("a classical negation")
        if signature_of(node) == ("distinct", 2):
            raise Inexpressible("distinct/2, which is a keyword of KIF")
        return without_tuples(self._function(node))

    def _function(self, node: AST) -> Function:
        return Function(name_of(node), tuple(map(self._term, parts_of(node))))

    def _term(self, node: AST) -> Term:
        """A term in which a new variable, with its own comparison, replaces each computation."""
        found = self._expression(node)
        if not isinstance(found, Operation):
            return found
        text = text_of(found)
        known = self._computed.get(text)
        if known is None or ".." in text:  # each interval has its own value
            first = next(variables_in(found), "N")
            numbered = (f"{first}{number}" for number in count(2))
            name = next(name for name in numbered if name not in self._taken)
            self._taken.add(name)
            known = self._computed[text] = Variable(name)
            self._body.append(Comparison(known, "=", found))
        return known

    def _expression(self, node: AST) -> Expression:
        kind = kind_of(node)
        if kind == "Variable":
            if (name := name_of(node)) != "_":
                return Variable(name)
            self._count += 1
            return Variable(f"{ANONYMOUS}{self._count}")
        if kind == "SymbolicTerm":
            text = str(node)
            return term_of(known_symbol(str(self._constants.get(text, text))))
        if kind == "Function":
            return self._function(node)
        if kind in ("BinaryOperation", "UnaryOperation", "Interval"):
            parts = tuple(map(self._expression, parts_of(node)))
            return _computed(Operation(operator_of(node), parts))
        raise Inexpressible("such a term")


def without_tuples(atom: Function) -> Function:
    """The atom. Raises ``Inexpressible`` for a tuple in a fluent or a move, which would change."""
    work: list[Term] = [*atom.arguments] if atom.name in _OUTSIDE else []
    while work:
        term = work.pop()
        if _is_tuple(term):
            raise Inexpressible("a tuple")
        work += term.arguments if isinstance(term, Function) else ()
    return atom


def _is_tuple(found: Expression) -> bool:
    return isinstance(found, Function) and not found.name


def _ways(found: Comparison) -> Iterator[list[Comparison]]:
    left, sign, right = found
    assert isinstance(left, Function)
    assert isinstance(right, Function)
    sizes = len(left.arguments), len(right.arguments)
    if sizes[0] != sizes[1]:  # clingo compares their lengths first
        if _HOLDS[sign](*map(Number, sizes)):
            yield []
        return
    pairs = list(zip(left.arguments, right.arguments, strict=True))
    equal = [Comparison(one, "=", other) for one, other in pairs]
    if sign == "!=":
        yield from ([Comparison(one, "!=", other)] for one, other in pairs)
    elif sign != "=":
        for place, (one, other) in enumerate(pairs):
            yield [*equal[:place], Comparison(one, sign[0], other)]
    if sign.endswith("=") and sign != "!=":
        yield equal


def _computed(found: Operation) -> Expression:
    text = text_of(found)
    if ".." in text or next(variables_in(found), None):
        return found
    try:
        return term_of(parse_term(text, logger=lambda *_: None))
    except RuntimeError:  # such as a name that should be a number
        raise _Never from None


# --- simplifications ------------------------------------------------------------------------------


def _simplified(found: ReadRule) -> ReadRule:
    while True:
        for part in found.comparisons:
            if part.sign == "=" and not any(isinstance(s, Operation) for s in (part[0], part[2])):
                rest = tuple(other for other in found.body if other is not part)
                found = _substituted(replace(found, body=rest), _unified(part.left, part.right))
                break
        else:
            break
    for left, sign, right in found.comparisons:
        computed = isinstance(left, Operation) or isinstance(right, Operation)
        if (computed or sign != "!=") and (_is_tuple(left) or _is_tuple(right)):
            raise Inexpressible("a tuple")
    return replace(found, head=without_tuples(found.head), body=tuple(_open_parts(found.body)))


def _open_parts(body: Iterable[SheetLiteral | Comparison]) -> Iterator[SheetLiteral | Comparison]:
    """The parts of a body that may hold or not. Raises ``_Never`` if one never does."""
    for part in body:
        if isinstance(part, SheetLiteral):
            yield part
            continue
        left, sign, right = part
        if isinstance(left, Operation) or isinstance(right, Operation):
            yield part
        elif next(variables_of([left, right]), None) is None:
            if not _HOLDS[sign](known_symbol(text_of(left)), known_symbol(text_of(right))):
                raise _Never
        elif sign == "!=":
            yield SheetLiteral(Function("distinct", (left, right)))
        else:
            yield part


def _unified(one: Expression, other: Expression) -> dict[str, Term]:
    """The most general unifier of two terms. Raises ``_Never`` without one."""
    bound: dict[str, Term] = {}
    work = [(one, other)]
    while work:
        a, b = (_replaced(term, bound) for term in work.pop())
        assert not isinstance(a, Operation)
        assert not isinstance(b, Operation)
        if a == b:
            continue
        if isinstance(a, Variable) or isinstance(b, Variable):
            # Named variables are kept, anonymous ones replaced.
            if not isinstance(a, Variable) or (
                isinstance(b, Variable) and b.variable.startswith(ANONYMOUS)
            ):
                a, b = b, a
            assert isinstance(a, Variable)
            if a.variable in variables_of([b]):
                raise _Never
            bound = {name: _replaced_term(term, {a.variable: b}) for name, term in bound.items()}
            bound[a.variable] = b
        elif a.name != b.name or len(a.arguments) != len(b.arguments):
            raise _Never
        else:
            work += zip(a.arguments, b.arguments, strict=True)
    return bound


def _substituted(found: ReadRule, bound: Mapping[str, Term]) -> ReadRule:
    body: list[SheetLiteral | Comparison] = []
    for part in found.body:
        if isinstance(part, SheetLiteral):
            body.append(SheetLiteral(replaced(part.atom, bound), part.negated))
        else:
            sides = [_replaced(side, bound) for side in (part.left, part.right)]
            values = [_computed(s) if isinstance(s, Operation) else s for s in sides]
            body.append(Comparison(values[0], part.sign, values[1]))
    return replace(found, head=replaced(found.head, bound), body=tuple(body))


def replaced(atom: Function, bound: Mapping[str, Term]) -> Function:
    """An atom or function with its variables replaced by terms."""
    return Function(atom.name, tuple(_replaced_term(part, bound) for part in atom.arguments))


def _replaced_term(term: Term, bound: Mapping[str, Term]) -> Term:
    if isinstance(term, Variable):
        return bound.get(term.variable, term)
    return replaced(term, bound)


def _replaced(found: Expression, bound: Mapping[str, Term]) -> Expression:
    if isinstance(found, Operation):
        return Operation(found.sign, tuple(_replaced(part, bound) for part in found.parts))
    return _replaced_term(found, bound)
