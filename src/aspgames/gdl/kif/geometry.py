"""Guesses the board of a sheet, and writes it as an encoding's part ``board``.

A board is a fluent with three arguments: consecutive numbers or letters, twice, and a content:
``(cell 1 1 b)``, ``(cell a 2 wp)``. Its size comes from the values that the rules allow there. In
doubt there is no board: a wrong one would hide pieces.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations, product
from string import ascii_letters
from typing import cast

from ...asp.clingo_api import AST
from ...asp.rewrite.domains import Domains, Terms
from ...asp.statements import DOES, TRUE, Argument, Literal, Rule, Signature
from .names import is_number
from .sheet import KEYWORDS, Function, SheetRule, Term, Variable, variables_of
from .translation import Encoder, quoted

_MOST_LINES = 40  # columns, ranks
_EMPTY = (
    *("blank", "empty", "none", "nothing", "free", "vacant", "clear", "nil", "null", "unoccupied"),
    "b",
)
_PIECES = {"k", "n"}  # contents beside which ``b`` is a bishop
_LETTERS = {"knight": "n"}  # pieces with another letter than their first
_SHAPES = ("king", "queen", "rook", "bishop", "knight", "pawn", "disc")
"""Pieces that pictures draw as shapes."""
_MOST_TERMS = 1000  # terms at one argument; with more, they count as unknown
_COPIED = {"base": "init", "input": "legal"}
_NO_NODE = cast("AST", None)  # domains read arguments only


@dataclass(frozen=True)
class _SheetAtom(Literal):
    """An atom of a sheet, read as a part of an encoding's rule."""

    terms: Sequence[Term] = ()

    @cached_property
    def arguments(self) -> Sequence[Argument]:
        """The analysed terms."""
        return tuple(map(_argument, self.terms))


class Values:
    """The terms at the arguments of one sheet's fluents and moves, each by name and arity."""

    def __init__(self, rules: Iterable[SheetRule]) -> None:
        domains = Domains(map(_rule, rules))
        self.fluents: Mapping[Signature, Sequence[Terms]] = domains.of(TRUE)[0].functions
        self.moves: Mapping[Signature, Sequence[Terms]] = domains.of(DOES)[1].functions


def possible_terms(terms: Terms) -> frozenset[Function] | None:
    """The possible terms at a place; None if they are too many or unknown."""
    return frozenset(_terms(terms)) if terms.size <= _MOST_TERMS else None


def _terms(terms: Terms) -> Iterable[Function]:
    yield from map(Function, terms.constants)
    for (name, _), inner in terms.functions.items():
        yield from (Function(name, parts) for parts in product(*map(_terms, inner)))


def _rule(rule: SheetRule) -> Rule:
    head = _atom(rule.head)
    body = [_atom(atom, negated) for atom, negated in rule.body if atom.name != "distinct"]
    used = frozenset(signature for literal in body for signature in literal.signatures)
    return Rule(_NO_NODE, frozenset(head.signatures), used, head=head, literals=body)


def _atom(atom: Function, negated: bool = False) -> Literal:
    signature = _COPIED.get(atom.name, atom.name), len(atom.arguments)
    return _SheetAtom(_NO_NODE, (signature,), negated, atom.arguments)


def _argument(term: Term) -> Argument:
    variables = frozenset(variables_of([term]))
    if isinstance(term, Variable):
        return Argument(_NO_NODE, variable=term.variable, variables=variables)
    if not term.arguments:
        return Argument(_NO_NODE, constant=term.name)
    parts = tuple(map(_argument, term.arguments))
    function = term.name, len(parts)
    return Argument(_NO_NODE, function=function, parts=parts, variables=variables)


@dataclass(frozen=True)
class _Cells:
    """The fluents for the squares."""

    name: str
    columns: tuple[str, ...]
    ranks: tuple[str, ...]
    contents: tuple[Function, ...]
    empty: Function | None  # the content of an empty square, if there is one


def board_part(rules: Sequence[SheetRule], encoder: Encoder) -> list[str]:
    """The statements for a sheet's board; none if no board is found."""
    values = Values(rules)
    cells = _cells(rules, values)
    if cells is None:
        return []
    roles = _roles(rules)
    contents = [content for content in cells.contents if content != cells.empty]
    owners = _owners(contents, roles, rules)
    glyphs = _glyphs(contents, owners)
    if glyphs is None:
        return []
    lines = [f"board({len(cells.columns)},{len(cells.ranks)})."]
    for content, glyph in glyphs.items():
        term, (owner, kind) = encoder.ground(content), owners[content]
        lines.append(f"glyph({term},{quoted(glyph)}).")
        if owner is not None and len(roles) > 1 and roles[owner] not in re.findall(r"\w+", term):
            lines.append(f"belongs_to({term},{encoder.ground(Function(roles[owner]))}).")
        if kind in _SHAPES:
            lines.append(f"picture({term},{quoted(kind)}).")
    if cells.empty:
        lines.append(f"empty_square({encoder.ground(cells.empty)}).")
    lines += _placed(cells, encoder, has_empty=cells.empty is not None)
    lines += _fields(values, roles, encoder)
    lines += _notation(cells, values, encoder)
    return lines


# --- cells ----------------------------------------------------------------------------------------


def _cells(rules: Sequence[SheetRule], values: Values) -> _Cells | None:
    found: dict[str, _Cells] = {}
    for name, arity in values.fluents:
        if arity == 3 and (cells := _cells_of(name, rules, values)):
            found[name] = cells
    only = next(iter(found.values())) if len(found) == 1 else found.get("cell")
    return None if only is None or _hides(only, rules, values) else only


def _hides(cells: _Cells, rules: Iterable[SheetRule], values: Values) -> bool:
    """Whether other fluents tell where something is: a role's square, or lines that moves draw."""
    axes = [{Function(name) for name in axis} for axis in (cells.columns, cells.ranks)]
    forms = [[{Function(role) for role in _roles(rules)}, *axes]]
    if 4 in {arity for _, arity in values.moves}:
        forms.append([*axes, *axes])
    return any(
        all(
            (found := possible_terms(each)) and found <= known
            for each, known in zip(terms, form, strict=True)
        )
        for form in forms
        for (name, arity), terms in values.fluents.items()
        if name != cells.name and arity == len(form)
    )


def _cells_of(name: str, rules: Sequence[SheetRule], values: Values) -> _Cells | None:
    *axes, contents = map(possible_terms, values.fluents[name, 3])
    if not contents or len(contents) > len(ascii_letters):
        return None
    columns, ranks = (_axis(axis or ()) for axis in axes)
    start = _at_the_start(name, rules)
    squares = {(x, y) for x, y, _ in start}
    if len(squares) < len(start):  # two contents on one square
        return None
    empty = _empty(contents, _roles(rules), [content for _, _, content in start])
    if any(content == empty for _, _, content in start):  # every square has a fact at the start
        wide, high = (_axis([square[n] for square in squares]) for n in (0, 1))
        if len(wide) * len(high) == len(squares):
            columns, ranks = wide, high
    if not (2 <= len(columns) <= _MOST_LINES and 2 <= len(ranks) <= _MOST_LINES):
        return None
    return _Cells(name, columns, ranks, tuple(sorted(contents)), empty)


def _at_the_start(name: str, rules: Iterable[SheetRule]) -> list[tuple[Term, ...]]:
    inits = (r.head.arguments[0] for r in rules if r.head.name == "init" and not r.body)
    fluents = {fluent for fluent in inits if isinstance(fluent, Function)}
    return [f.arguments for f in fluents if (f.name, len(f.arguments)) == (name, 3)]


def _axis(terms: Collection[Term]) -> tuple[str, ...]:
    """Consecutive numbers or letters, sorted; empty if the terms aren't that."""
    names = {t.name for t in terms if isinstance(t, Function) and not t.arguments}
    if len(names) < len(set(terms)) or not names:
        return ()
    if all(map(is_number, names)):
        numbers = sorted(map(int, names))
        in_a_row = numbers[-1] - numbers[0] == len(numbers) - 1
        return tuple(map(str, numbers)) if in_a_row else ()
    if all(len(name) == 1 and name in ascii_letters for name in names):
        letters = sorted(names)
        in_a_row = ord(letters[-1]) - ord(letters[0]) == len(letters) - 1
        return tuple(letters) if in_a_row else ()
    return ()


def _placed(cells: _Cells, encoder: Encoder, has_empty: bool) -> Iterator[str]:
    name = encoder.names.functions[cells.name]
    axes = cells.columns, cells.ranks
    if name == "cell" and all(axis[0] == "1" for axis in axes):
        return
    given, squares, bodies = zip(*map(_coordinate, axes, "AB", "XY"), strict=True)
    for content in ("glyph(C,_)", "empty_square(C)")[: 1 + has_empty]:
        head = f"placed({name}({','.join(given)},C),{','.join(squares)},C)"
        yield f"{head} :- {', '.join(bodies)}, {content}."


def _coordinate(axis: Sequence[str], given: str, square: str) -> tuple[str, str, str]:
    """A fluent's argument, its column or rank, and the condition that relates the two."""
    if is_number(axis[0]):
        less = 1 - int(axis[0])
        shifted = f"{given}{less:+}" if less else given
        return given, shifted, f"{given} = {axis[0]}..{axis[-1]}"
    pairs = ";".join(f"({name},{number})" for number, name in enumerate(axis, start=1))
    return given, square, f"({given},{square}) = ({pairs})"


def _notation(cells: _Cells, values: Values, encoder: Encoder) -> Iterator[str]:
    """The forms of moves, all different: later moves with the same squares say their names."""
    forms: dict[str, str] = {}
    for name, _ in values.moves:
        form, known = _form(cells, values.moves[name, _]), encoder.names.functions[name]
        if form in forms.values() and not {*"xX"} & {*known}:
            form = f"{known}:{form}"
        if form and known not in forms and form not in forms.values():
            forms[known] = form
            yield f"notation({known},{quoted(form)})."


def _form(cells: _Cells, arguments: Sequence[Terms]) -> str | None:
    """The form of moves: squares, and perhaps a content or another name before or after them."""
    mark = {("1", "1"): "@", ("a", "1"): "&"}.get((cells.columns[0], cells.ranks[0]))
    axes = [{Function(name) for name in axis} for axis in (cells.columns, cells.ranks)]
    found = [possible_terms(terms) or frozenset() for terms in arguments]
    count, odd = divmod(len(found), 2)
    form = {1: "@", 2: "@-@", 3: "@-@-@" if odd else "@-@/@", 4: "@-@-@-@"}.get(count)
    if not mark or not form:
        return None
    form, either = form.replace("@", mark), (axes[0] | axes[1] if mark == "&" else set())

    def are_squares(places: Sequence[frozenset[Function]]) -> bool:
        return all(f & axes[n % 2] and f <= axes[n % 2] | either for n, f in enumerate(places))

    if not odd:
        return form if are_squares(found) else None
    for names, squares, written in (
        (found[-1], found[:-1], f"{form}:?"),
        (found[0], found[1:], f"?:{form}"),
    ):
        are_names = names <= {*cells.contents} or not names & (axes[0] | axes[1])
        if are_squares(squares) and names and are_names and not any(n.arguments for n in names):
            return written
    return None


# --- contents -------------------------------------------------------------------------------------


def _roles(rules: Iterable[SheetRule]) -> list[str]:
    heads = (rule.head for rule in rules if rule.head.name == "role" and not rule.body)
    return [
        role.name for (role,) in (head.arguments for head in heads) if isinstance(role, Function)
    ]


def _empty(
    contents: Iterable[Function], roles: Sequence[str], start: Sequence[Term]
) -> Function | None:
    names = {content.name for content in contents if not content.arguments}
    found = next((name for name in _EMPTY if name in names), None)
    if found is None:
        return None
    most = 2 * start.count(Function(found)) > len(start)
    is_piece = found == "b" and (names & _PIECES or _is_a_side(found, names, roles))
    return Function(found) if most or not is_piece else None


def _is_a_side(name: str, names: Iterable[str], roles: Sequence[str]) -> bool:
    others = {other for other in names if len(other) == 1 and other != name}
    return any(role.startswith(name) for role in roles) and any(
        role.startswith(other) for role in roles for other in others
    )


def _glyphs(
    contents: Iterable[Function], owners: Mapping[Function, tuple[int | None, str]]
) -> dict[Function, str] | None:
    """A letter for each content: capitals for the first role, small letters for the others."""
    glyphs: dict[Function, str] = {}
    for content in contents:
        owner, kind = owners[content]
        letters = [_LETTERS.get(kind, ""), *kind, *"".join(_words(content)), *ascii_letters]
        cased = [letter.upper() if owner == 0 else letter for letter in letters]
        wanted = [*cased, *(letter.swapcase() for letter in letters)]
        free = (w for w in wanted if w and w in ascii_letters and w not in glyphs.values())
        glyph = next(free, None)
        if glyph is None:
            return None
        glyphs[content] = glyph
    return glyphs


def _owners(
    contents: Sequence[Function], roles: Sequence[str], rules: Sequence[SheetRule]
) -> dict[Function, tuple[int | None, str]]:
    """The number of each content's owner, and the kind of piece.

    Facts of the sheet come first, then the content's name, then the moves that place it.
    """
    listed = _listed_owners(contents, roles, rules)
    movers = {c: _mover(c, roles, rules) for c in contents if len(roles) > 1}
    found = {}
    for content in contents:
        owner, kind = _named_owner(content, contents, roles)
        if owner is None and any(mover is not None for mover in movers.values()):
            owner = movers[content]
        elif owner is None:  # x for xplayer
            begun = [n for n, role in enumerate(roles) if role.startswith(content.name)]
            owner = begun[0] if len(begun) == 1 and not content.arguments else None
        by_fact, said = listed.get(content, (owner, kind))
        found[content] = by_fact, said or kind
    return found


def _listed_owners(
    contents: Collection[Function], roles: Sequence[str], rules: Iterable[SheetRule]
) -> Mapping[Function, tuple[int, str]]:
    """The owners that the facts of one relation name: ``(piece_owner_type wp white pawn)``."""
    tables: dict[tuple[object, ...], dict[Function, list[tuple[int, str]]]] = {}
    for head in (rule.head for rule in rules if not rule.body and rule.head.name not in KEYWORDS):
        names = [part.name for part in head.arguments if isinstance(part, Function)]
        for (at, name), (whose, role) in permutations(enumerate(names), 2):
            content = Function(name)
            if content in contents and name not in roles and role in roles:
                table = tables.setdefault((head.name, len(names), at, whose), {})
                kinds = [other for n, other in enumerate(names) if n not in (at, whose)]
                found = roles.index(role), kinds[0] if kinds else ""
                table.setdefault(content, []).append(found)
    single = [t for t in tables.values() if len(t) > 1 and all(len(v) == 1 for v in t.values())]
    return {content: found for content, (found,) in max(single, key=len, default={}).items()}


def _mover(content: Function, roles: Sequence[str], rules: Iterable[SheetRule]) -> int | None:
    found = {
        player
        for rule in rules
        if rule.head.name == "next" and isinstance(fluent := rule.head.arguments[0], Function)
        if fluent.arguments[2:] == (content,)
        for atom, negated in rule.body
        if atom.name == "does" and not negated
        for player, role in enumerate(roles)
        if atom.arguments[0] == Function(role)
    }
    return found.pop() if len(found) == 1 else None


def _named_owner(
    content: Function, contents: Sequence[Function], roles: Sequence[str]
) -> tuple[int | None, str]:
    words = _words(content)
    for number, role in enumerate(roles):
        if role in words:
            return number, "".join(word for word in words if word != role)
    name = content.name
    for number, role in enumerate(roles):
        if not content.arguments and (name.startswith(role) or name.endswith(role)):
            return number, name.removeprefix(role).removesuffix(role).strip("_-")
    initials = [role[0] for role in roles]
    if len(set(initials)) == len(initials) and all(
        len(other.name) == 2 and not other.arguments and other.name[0] in initials
        for other in contents
    ):
        return initials.index(name[0]), name[1]
    return None, ""


def _words(content: Function) -> list[str]:
    found = [content.name]
    for part in content.arguments:
        if isinstance(part, Function):
            found += _words(part)
    return [word for name in found for word in re.split("[_-]", name) if word]


# --- beside the board -----------------------------------------------------------------------------


def _fields(values: Values, roles: Sequence[str], encoder: Encoder) -> Iterator[str]:
    known = {
        name: possible_terms(terms[0])
        for (name, arity), terms in values.fluents.items()
        if arity == 1
    }
    sides = {
        name: found
        for name, found in known.items()
        if found and len(found) > 1 and all(t.name in roles and not t.arguments for t in found)
    }
    if len(sides) == 1:
        ((name, found),) = sides.items()
        on_move = [role for role in roles if Function(role) in found]
        short = len({role[0] for role in on_move}) == len(on_move)
        for role in on_move:
            fluent = encoder.ground(Function(name, (Function(role),)))
            yield f"fen_field(1,{quoted(role[0] if short else role)},{fluent})."
    counters = {name: axis for name, found in known.items() if (axis := _axis(found or ()))}
    counters = {name: axis for name, axis in counters.items() if is_number(axis[0])}
    if len(counters) == 1:
        ((name, axis),) = counters.items()
        fluent = f"{encoder.names.functions[name]}(N)"
        yield f"fen_field(2,N,{fluent}) :- N = {axis[0]}..{axis[-1]}."
