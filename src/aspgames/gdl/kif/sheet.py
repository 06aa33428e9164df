"""Rule sheets: games in GDL (Love, Hinrichs, Haley, Schkufza and Genesereth, "General Game Playing:
Game Description Language Specification", 2008).

Public sheets don't keep to the letter of it, and neither does this reader: it ignores case, allows
parentheses around relations without arguments, negated ``distinct``, and nested ``or``, ``and`` and
``not`` in bodies.
"""

import math
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple, NoReturn

from ...asp.terms import shorten
from ...runtime.errors import AspgamesError

_MOST_RULES = 4096  # without "or", for one rule with it
KEYWORDS = {
    "role": 1,
    "init": 1,
    "true": 1,
    "next": 1,
    "does": 2,
    "legal": 2,
    "goal": 2,
    "terminal": 0,
    "base": 1,
    "input": 2,
    "distinct": 2,
}
"""The relations of the language, with their arities."""
_GIVEN = ("true", "does", "distinct", "not", "or", "and")
"""Relations that can't be the head of a rule."""
_IGNORED = ("base", "input")
"""Relations without a meaning: sheets may have rules for them that can't be read."""
DEEPEST = 200  # nested lists
_TOKEN = re.compile(r"[()]|;[^\r\n]*|[^\s();]+")


@dataclass(frozen=True, slots=True)
class Word:
    """A symbol, a variable or a number."""

    spelling: str
    """The symbol as it is written."""
    at: int
    """Its first character's index in the text."""

    @property
    def text(self) -> str:
        """The symbol in lower case."""
        return self.spelling.lower()


@dataclass(frozen=True, slots=True)
class List:
    """Expressions in parentheses."""

    items: "list[Expression]"
    at: int


Expression = Word | List


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment between expressions, without its semicolons."""

    text: str
    at: int


class KifError(AspgamesError):
    """An error in a KIF text, with the index of the character."""

    def __init__(self, what: str, at: int) -> None:
        super().__init__(what)
        self.what, self.at = what, at


def expressions(text: str) -> Iterator[Expression | Comment]:
    """The expressions of a text, one after the other, and the comments between them.

    Comments within an expression come right before it. Raises ``KifError`` for unbalanced
    parentheses, and for nesting beyond ``DEEPEST``. The reader is written by hand: libraries for
    S-expressions lose the places, or recurse and fail on deep nesting.
    """
    opened: list[List] = []
    for found in _TOKEN.finditer(text):
        token, at = found[0], found.start()
        if token == "(":
            if len(opened) == DEEPEST:
                raise KifError(f"parentheses are nested more than {DEEPEST} deep", at)
            opened.append(List([], at))
            continue
        if token[0] == ";":
            yield Comment(token.lstrip(";").strip(), at)
            continue
        done: Expression
        if token == ")":
            if not opened:
                raise KifError("a ) too many", at)
            done = opened.pop()
        else:
            done = Word(token, at)
        if opened:
            opened[-1].items.append(done)
        else:
            yield done
    if opened:
        raise KifError("this ( is never closed", opened[-1].at)


def without_comments(text: str) -> Iterator[Expression]:
    """The expressions of a text, without its comments. Raises as ``expressions`` does."""
    return (found for found in expressions(text) if not isinstance(found, Comment))


def spellings(text: str) -> dict[str, str]:
    """The symbols of a text in lower case, each with its first spelling."""
    found: dict[str, str] = {}
    for token in _TOKEN.findall(text):
        if token[0] not in "();":
            found.setdefault(token.lower(), token)
    return found


class Places:
    """Lines and columns of a text's characters."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(found.end() for found in re.finditer("\n", text))]

    def line(self, at: int) -> int:
        """The line of a character, the first being 1."""
        return bisect_right(self._starts, at)

    def place(self, at: int) -> str:
        """Line and column of a character, as messages name them: ``12:5``."""
        line = self.line(at)
        return f"{line}:{at - self._starts[line - 1] + 1}"


def shown(expression: Expression) -> str:
    """An expression as a message quotes it."""
    return shorten(kif(expression, 60))


def kif(expression: Expression, room: float = math.inf) -> str:
    """An expression as text with single blanks; at least the first ``room`` characters."""
    if isinstance(expression, Word):
        return expression.spelling
    parts: list[str] = []
    for item in expression.items:
        if room < 0:
            break
        parts.append(kif(item, room))
        room -= len(parts[-1]) + 1
    return f"({' '.join(parts)})"


class Variable(NamedTuple):
    """A variable, by its name without the question mark."""

    variable: str


class Function(NamedTuple):
    """A function term, a constant or an atom: a symbol, perhaps with arguments."""

    name: str
    arguments: "tuple[Term, ...]" = ()


Term = Variable | Function


class SheetLiteral(NamedTuple):
    """An atom or comparison of a body, perhaps negated."""

    atom: Function
    """``distinct`` for a comparison."""
    negated: bool = False


@dataclass(frozen=True, slots=True)
class SheetRule:
    """A rule without ``or``; a fact has no body."""

    head: Function
    body: tuple[SheetLiteral, ...]


@dataclass(frozen=True, slots=True)
class RuleGroup:
    """The rules of one expression: one, or several for a rule with ``or``."""

    rules: tuple[SheetRule, ...]
    at: int


def read_sheet(text: str) -> Iterator[RuleGroup | Comment]:
    """The rules of a sheet in their order, and the comments between them.

    Malformed rules for ``base`` and ``input`` are left out, unless other rules need them. Raises
    ``KifError`` for malformed KIF, a malformed rule, or a rule with an unbound variable.
    """
    left_out: dict[str, KifError] = {}
    needed: set[str] = set()
    begun = False
    for found in expressions(text):
        if isinstance(found, Comment):
            yield found
            continue
        if isinstance(found, Word) and not begun:
            _refuse_other_language(text, found)
        begun = True
        name = _head_name(found)
        try:
            group = RuleGroup(tuple(_rules(found)), found.at)
        except KifError as error:
            if name not in _IGNORED:
                raise
            left_out.setdefault(name, error)
            continue
        if name not in _IGNORED:
            needed |= {literal.atom.name for rule in group.rules for literal in rule.body}
        yield group
    for name in needed & left_out.keys():
        raise left_out[name]


def variables_of(terms: Iterable[Term]) -> Iterator[str]:
    """The variables in terms, each as often as it occurs."""
    for term in terms:
        if isinstance(term, Variable):
            yield term.variable
        else:
            yield from variables_of(term.arguments)


def _rules(found: Expression) -> Iterator[SheetRule]:
    if isinstance(found, List) and found.items and _is_word(found.items[0], "<="):
        if len(found.items) == 1:
            raise KifError("(<=) has no head", found.at)
        head = _atom(found.items[1])
        bodies = _conjunction(found.items[2:], found.at)
    elif isinstance(found, Word) and found.text == "<=":
        raise KifError("<= stands outside of parentheses", found.at)
    else:
        head = _atom(found)
        bodies = [()]
    if head.name in _GIVEN:
        raise KifError(f"{head.name} can't be the head of a rule", found.at)
    for body in bodies:
        body = _with_role(head, body)
        _check_bound(head, body, found.at)
        yield SheetRule(head, tuple(dict.fromkeys(body)))


def _refuse_other_language(text: str, first: Word) -> NoReturn:
    if re.match(r"\w+\s*\(", text[first.at :]):
        what = (
            "this is GDL in infix form, as pyggp writes it: aspgames import makes an encoding of it"
        )
        raise KifError(what, first.at)
    what = f"{shown(first)} stands outside of parentheses: this is not KIF"
    raise KifError(f"{what}; rule sheets are in KIF, such as (role white)", first.at)


def _head_name(found: Expression) -> str:
    """The relation of a rule's head; empty if there is none."""
    while isinstance(found, List) and found.items:
        is_rule = _is_word(found.items[0], "<=") and len(found.items) > 1
        found = found.items[1 if is_rule else 0]
    return found.text if isinstance(found, Word) else ""


# --- bodies ---------------------------------------------------------------------------------------

Body = tuple[SheetLiteral, ...]
"""A conjunction."""
Bodies = list[Body]
"""A disjunction of conjunctions."""


def _conjunction(items: Sequence[Expression], at: int) -> Bodies:
    return _all_of([_formula(item, negated=False) for item in items], at)


def _all_of(parts: Sequence[Bodies], at: int) -> Bodies:
    rules = 1
    for part in parts:
        rules *= len(part)
        if rules > _MOST_RULES:
            raise KifError(f"the rule stands for more than {_MOST_RULES} rules without or", at)
    return [tuple(literal for body in chosen for literal in body) for chosen in product(*parts)]


def _formula(found: Expression, negated: bool) -> Bodies:
    """A formula of a body, or its negation, as a disjunction of conjunctions."""
    name = _operator(found)
    if name is None or isinstance(found, Word):
        return [(SheetLiteral(_atom(found), negated),)]
    items = found.items[1:]
    if name == "not":
        if len(items) != 1:
            raise KifError(f"not takes one argument, not {len(items)}", found.at)
        return _formula(items[0], not negated)
    parts = [_formula(item, negated) for item in items]
    if (name == "or") != negated:
        return [body for part in parts for body in part]
    return _all_of(parts, found.at)


def _operator(found: Expression) -> str | None:
    if isinstance(found, List) and found.items and isinstance(found.items[0], Word):
        name = found.items[0].text
        return name if name in ("not", "or", "and") else None
    return None


def _with_role(head: Function, body: Body) -> Body:
    """The body, with ``(role ?r)`` if only the head, ``(legal ?r …)``, says what ``?r`` is."""
    role = head.arguments[0] if head.name in ("legal", "goal") else None
    if not isinstance(role, Variable) or role.variable in _bound(body):
        return body
    return (*body, SheetLiteral(Function("role", (role,))))


def _bound(body: Body) -> set[str]:
    """The variables of a body that its literals give a value."""
    bound = {
        name
        for literal in body
        if not literal.negated and literal.atom.name != "distinct"
        for name in variables_of(literal.atom.arguments)
    }
    equal = [x.atom.arguments for x in body if x.negated and x.atom.name == "distinct"]
    ways = [way for one, other in equal for way in ((one, other), (other, one))]
    while (
        more := {
            name
            for one, other in ways
            if bound.issuperset(variables_of([one]))
            for name in variables_of([other])
        }
        - bound
    ):
        bound |= more
    return bound


def _check_bound(head: Function, body: Body, at: int) -> None:
    """Raise ``KifError`` for an unbound variable (section 4.1 of the specification)."""
    bound = _bound(body)
    for atom in (head, *(literal.atom for literal in body)):
        for name in variables_of(atom.arguments):
            if name not in bound:
                raise KifError(f"the variable ?{name} is unsafe: nothing gives it a value", at)


# --- atoms and terms ------------------------------------------------------------------------------


def _atom(found: Expression) -> Function:
    atom = read_term(found)
    if isinstance(atom, Variable):
        raise KifError(f"?{atom.variable} stands where a relation should", found.at)
    arity = KEYWORDS.get(atom.name)
    if arity is not None and arity != len(atom.arguments):
        given = len(atom.arguments)
        raise KifError(
            f"{atom.name} takes {_counted(arity)}, not {given}: {shown(found)}", found.at
        )
    return atom


def _counted(arguments: int) -> str:
    return {0: "no argument", 1: "one argument", 2: "two arguments"}[arguments]


def read_term(found: Expression) -> Term:
    """The term of an expression. Raises ``KifError``."""
    if isinstance(found, Word):
        if found.text[0] == "?":
            if len(found.text) == 1:
                raise KifError("a variable has no name", found.at)
            return Variable(found.text[1:])
        return Function(found.text)
    if not found.items:
        raise KifError("() is no term", found.at)
    name = found.items[0]
    if not isinstance(name, Word) or name.text[0] == "?":
        raise KifError(f"{shown(name)} stands where a name should", name.at)
    return Function(name.text, tuple(map(read_term, found.items[1:])))


def _is_word(found: Expression, text: str) -> bool:
    return isinstance(found, Word) and found.text == text
