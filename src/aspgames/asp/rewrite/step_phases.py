"""Reads programs with time steps, and names the phase of each atom (``phased``).

Two dialects say when an atom holds. In one, an argument is the step: ``holds(F,T+1)``, also ``t``
and ``t-1`` in clingo's parts ``step(t)`` and ``check(t)``. In the other, telingo's parts
``initial``, ``dynamic``, ``always`` and ``final`` say it, with ``'p`` for the step before and
``_p`` for the first. Here the name of an atom ends with its phase, and the step is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from clingo import SymbolType, ast

from ...runtime.errors import RulesError
from ..clingo_c import nodes_in, signature_of
from ..dependencies import Dependencies
from ..grounding import parse_statements
from ..node_details import elements_of, operator_of, with_body
from ..nodes import atom_of, replaced, sides_of, unpooled, with_atoms
from ..parsing import place_of
from ..statements import Rule, Signature, literal_of, rule_of, variables_in
from .dialects import chosen_in

SAME, OLD, NEW, START, END, MOVE = "@same", "@old", "@new", "@start", "@end", "@move"
"""Any one step; the state before a move and after it; the first and last step; the move itself."""

ACTIONS = ("occurs", "happens", "does", "do", "perform", "exec")
"""Predicates whose last argument, without the step, is an action."""

_PARTS = {"telingo's": ("initial", "dynamic", "always", "final"), "clingo's": ("step", "check")}
_KNOWN = {("holds", 2): 1, ("occurs", 2): 1, ("happens", 2): 1, ("does", 3): 2, ("legal", 3): 2}
_KNOWN |= {("true", 2): 1, ("terminal", 1): 0, ("goal", 3): 2}  # where the step usually stands
_STEP = "Step_"  # the step of a part
_TRUE: ast.AST = parse_statements("a :- #true.")[0].body[0]
_NOW, _BEFORE, _FIRST = parse_statements(f"a({_STEP},{_STEP}-1,0).")[0].head.atom.symbol.arguments


class _Time(NamedTuple):
    """A term for a step: a variable with an offset, or another text."""

    base: str
    offset: int = 0
    fixed: bool = False


def phase_of(name: str) -> str:
    """The phase at the end of an atom's name; empty for what never changes."""
    return name[name.find("@") :] if "@" in name else ""


def bare(signature: Signature) -> Signature:
    """A predicate without its phase."""
    return signature[0].partition("@")[0], signature[1]


def is_choice(rule: Rule) -> bool:
    """Whether a rule chooses atoms."""
    kinds = (ast.ASTType.Aggregate, ast.ASTType.HeadAggregate)
    return rule.head is not None and rule.head.node.ast_type in kinds


def made_terms(rule: Rule) -> list[ast.AST]:
    """The terms of the atoms that a rule makes or chooses, without those in conditions."""
    assert rule.head is not None
    nodes = [rule.head.node]
    if is_choice(rule):
        nodes = [chosen_in(first) for _, (first, *_) in elements_of(rule.head.node)]
    return [term for node in nodes for term in _atoms(node)]


def made_by(rule: Rule) -> set[Signature]:
    """Their predicates."""
    return set(map(signature_of, made_terms(rule)))


def refusal(rule: Rule, what: str) -> RulesError:
    """The error for a rule that stands in the way."""
    return RulesError(f"{place_of(rule.statement)}: {what}")


def without_names(node: ast.AST) -> ast.AST:
    """The node with ``_`` for each variable whose name begins with it."""
    return replaced(node, "Variable", lambda v: v.update(name="_") if v.name[0] == "_" else v)


def dialect_of(statements: Sequence[ast.AST]) -> str:
    """Which dialect a program has. Raises ``RulesError`` for other parts than those of one."""
    parts = [s.name for s in statements if s.ast_type is ast.ASTType.Program and s.name != "base"]
    text = ", ".join(dict.fromkeys(parts))
    for owner, names in _PARTS.items():
        if parts and {*parts} <= {*names}:
            return f"{owner} parts: {text}"
    if parts:
        raise RulesError(f"these parts are of no dialect with time steps: {text}")
    return "time steps"


def phased(statements: Sequence[ast.AST]) -> list[Rule]:
    """The rules, with a phase at the end of each changing atom's name, and without steps.

    Raises ``RulesError`` for programs without time steps, and for rules that can't be read.
    """
    return _TimeSteps(list(_split(statements))).rules()


def _split(statements: Sequence[ast.AST]) -> Iterator[tuple[str, Rule]]:
    """Each rule with its part. Every step is an argument, and ``no_p`` stands for ``-p``."""
    part = "base"
    telingo = any(
        s.ast_type is ast.ASTType.Program and s.name in _PARTS["telingo's"] for s in statements
    )

    def positive(atom: ast.AST) -> ast.AST:
        if atom.symbol.ast_type is not ast.ASTType.UnaryOperation:
            return atom
        term = atom.symbol.argument
        return atom.update(symbol=term.update(name=f"no_{term.name}"))

    for statement in statements:
        if statement.ast_type is ast.ASTType.Program:
            part = "initial" if telingo and statement.name == "base" else str(statement.name)
        elif statement.ast_type is ast.ASTType.Rule:
            for one in unpooled(statement):
                rule = replaced(one, "SymbolicAtom", positive)
                for theory in nodes_in(rule, ast.ASTType.TheoryAtom):
                    raise refusal(rule_of(one), f"there is no form here for &{theory.term}")
                if telingo:
                    yield from _with_steps(part, rule_of(rule))
                    continue
                if part in _PARTS["clingo's"]:
                    rule = _with(rule, "SymbolicTerm", "t", _NOW)
                yield part, rule_of(_joined(rule))


def _with(
    rule: ast.AST, kind: Literal["SymbolicTerm", "Variable"], old: str, new: ast.AST
) -> ast.AST:
    """A rule with another term for each name or variable."""
    return replaced(rule, kind, lambda term: new if str(term) == old else term)


def _with_steps(part: str, rule: Rule) -> Iterator[tuple[str, Rule]]:
    """A rule of telingo with the step as the last argument of each atom."""

    def changed(name: str, terms: Sequence[ast.AST]) -> tuple[str, Sequence[ast.AST]]:
        if name.startswith("''") or name.endswith("'"):
            raise refusal(rule, f"{name} is not one step back")
        is_first = part == "initial" or name[0] == "_"
        time = _BEFORE if name[0] == "'" else _FIRST if is_first else _NOW
        return name.lstrip("'_"), [*terms, time]

    yield part, rule_of(with_atoms(rule.statement, changed))
    before = [p for p in rule.literals if any(name[0] == "'" for name, _ in p.signatures)]
    if part == "always" and before and all(literal.sign for literal in before):
        kept = [literal.node for literal in rule.literals if literal not in before]
        yield from _with_steps("initial", rule_of(with_body(rule.statement, kept)))


def _joined(rule: ast.AST) -> ast.AST:
    """A rule without equations of variables: ``T+1`` for ``U`` if it has ``U = T+1``."""
    for literal in rule_of(rule).literals:
        terms, signs = sides_of(literal.node.atom) if literal.compares else ([], [])
        for one, other in (terms, terms[::-1]) if signs == ["="] and not literal.node.sign else ():
            time = _time(other)
            if one.ast_type is ast.ASTType.Variable and time and time.base not in ("", one.name):
                rest = [p.node for p in rule_of(rule).literals if p is not literal]
                found = _with(with_body(rule, rest), "Variable", one.name, other)
                return found if time.fixed else _joined(found)
    return rule


class _TimeSteps:
    """A program in which an argument is the step."""

    def __init__(self, found: Sequence[tuple[str, Rule]]) -> None:
        self._found, self._all = found, [rule for _, rule in found]
        derived = {s for r in self._all for s in made_by(r) if r.body or is_choice(r)}
        self._facts = {s for r in self._all for s in made_by(r)} - derived
        self._ranges: dict[Signature, set[str]] = {}  # step(0..n): "0..n"
        for rule in self._all:
            for term in made_terms(rule) if made_by(rule) <= self._facts else ():
                text = str(term)[len(term.name) :].strip("()")
                self._ranges.setdefault(signature_of(term), set()).add(text)
        self._clocks = {
            s
            for s, texts in self._ranges.items()
            if s[1] == 1 and all(re.fullmatch(r"\d+(\.\..+)?", text) for text in texts)
        }
        self._find_places()
        if not self._places:
            raise RulesError("no argument of the rules is a time step, as in holds(F,T+1)")
        self._used = {  # the clocks that count steps
            signature_of(term)
            for rule in self._all
            for term in _atoms(rule.statement)
            if signature_of(term) in self._clocks and _base(term.arguments[0]) in self._steps(rule)
        }
        ranges = [text.split("..") for s in self._used for text in self._ranges[s]]
        self._last = {text for each in ranges for text in each[1:]}
        heads = [self._step_of(term) for r in self._all if r.heads for term in made_terms(r)]
        numbers = [int(t.base) for t in heads if t and t.fixed and t.base.isdigit()]
        self._first = min(numbers or [int(each[0]) for each in ranges], default=0)
        below = Dependencies(self._all)
        static = {s for r in self._all for s in r.heads if r.plain} - self._places.keys()
        self._ever = {s for s in static if any(below.reaches(s, t) for t in self._places)}

    def _step_of(self, term: ast.AST) -> _Time | None:
        return _time(term.arguments[place]) if (place := self._place(term)) is not None else None

    def _place(self, term: ast.AST) -> int | None:
        return self._places.get(signature_of(term))

    def _steps(self, rule: Rule) -> set[str]:
        """The variables of a rule that are steps."""
        times = map(self._step_of, _atoms(rule.statement))
        return {time.base for time in times if time and not time.fixed}

    def _find_places(self) -> None:
        """The argument of each predicate that is the step: that of what is chosen, and so on."""
        every = {s for r in self._all for s in r.heads | r.body}
        self._places = {s: place for s, place in _KNOWN.items() if s in every}
        self._places |= {
            s: s[1] - 1 for p, r in self._found for s in r.heads if p in _PARTS["telingo's"]
        }
        for rule in filter(is_choice, self._all):
            given = [
                a for p in rule.literals if {*p.signatures} & self._clocks for a in p.arguments
            ]
            clocks = {argument.variable for argument in given} | {_STEP}
            for term in made_terms(rule):
                texts = list(map(str, term.arguments))
                found = [n for n, text in enumerate(texts) if text in clocks]
                if texts and (texts[-1] in clocks or not found):
                    found = [len(texts) - 1] if _time(term.arguments[-1]) else []
                if found:
                    self._places.setdefault(signature_of(term), found[0])
        while True:
            known = len(self._places)
            for rule in self._all:
                steps = self._steps(rule)
                for term in _atoms(rule.statement):
                    for place, given in enumerate(term.arguments):
                        signature = signature_of(term)
                        if _base(given) in steps and signature not in self._facts:
                            self._places.setdefault(signature, place)
            if len(self._places) == known:
                return

    def rules(self) -> list[Rule]:
        """All rules with phases, and a constraint that nothing holds together with its opposite."""
        for name, number in [s for s in self._places if (f"no_{s[0]}", s[1]) in self._places]:
            terms = ",".join(f"V{n}" for n in range(number))
            (both,) = parse_statements(f":- {name}({terms}), no_{name}({terms}).")
            self._found = [*self._found, ("base", rule_of(both))]
        found = [self._with_phases(part, rule) for part, rule in self._found]
        return [rule for rule in found if not (rule.heads and rule.heads <= self._used)]

    def _with_phases(self, part: str, rule: Rule) -> Rule:
        """A rule with phases and without steps."""
        placed = [term for term in _atoms(rule.statement) if self._place(term) is not None]
        times = [time for term in placed if (time := self._step_of(term))]
        if len(times) < len(placed):
            raise refusal(rule, "a step is no variable, number or constant")
        steps, offsets = self._steps(rule), [time.offset for time in times if not time.fixed] or [0]
        low, high = min(offsets), max(offsets)
        if len(steps) > 1 or high > low + 1:
            raise refusal(rule, "it looks at more than two steps, one after the other")
        outside = {v for p in rule.literals if p.arguments for v in p.variables}
        is_end = part == "final" or ("query", 1) in rule.body or not steps & {*outside, _STEP}
        later = [part in ("step", "dynamic")]

        def phase(time: _Time) -> str:
            if not time.fixed and low < high:
                return NEW if time.offset > low else OLD
            if not time.fixed:
                return END if is_end and not rule.heads else NEW if any(later) else SAME
            if time.base == str(self._first):
                return START
            if time.base.isdigit() and time.base not in self._last:
                raise refusal(rule, f"step {time.base} is neither the first nor the last one")
            # done :- holds(f,n). asks what holds at the end
            return SAME if rule.heads and not rule.heads & self._places.keys() else END

        def changed(name: str, terms: Sequence[ast.AST]) -> tuple[str, Sequence[ast.AST]]:
            place = self._places.get((name, len(terms)))
            if place is None:
                ever = (name, len(terms)) in self._ever
                return name + ((SAME if rule.heads else END) if ever else ""), terms
            time = _time(terms[place])
            assert time is not None
            return name + phase(time), [*terms[:place], *terms[place + 1 :]]

        def counted(literal: ast.AST) -> ast.AST:
            one = literal_of(literal)
            if one.sign is None and one.signatures:  # an aggregate
                inner: ast.AST = literal.update(atom=replaced(literal.atom, "Literal", counted))
                return inner
            if one.compares and one.variables and one.variables <= steps:
                later.append(self._is_later(rule, atom_of(literal)))
                return _TRUE
            clock = {*one.signatures} & self._used and _base(one.arguments[0].node) in steps
            return _TRUE if clock or ("query", 1) in one.signatures else literal

        without = replaced(rule.statement, "Literal", counted)
        found = with_atoms(without, changed)
        if variables_in(found) & steps:
            raise refusal(rule, f"the number of the step counts: {'/'.join(sorted(steps))}")
        return rule_of(found)

    def _is_later(self, rule: Rule, comparison: ast.AST) -> bool:
        """Whether a comparison of the step excludes the first one; others must be about the last.

        Raises ``RulesError`` if it isn't.
        """
        (one, other, *more), (sign, *_) = sides_of(comparison)
        if (time := _time(one)) and time.fixed:
            one, other, sign = other, one, sign.translate(str.maketrans("<>", "><"))
        time = _time(other)
        if time is None or not time.fixed or _time(one) is None or more:
            raise refusal(rule, f"the number of the step counts: {comparison}")
        number = int(time.base) if time.base.isdigit() else -1
        if time.base in self._last or number < 0 or (sign, number) == (">=", self._first):
            return False
        if (sign, number) in ((">", self._first), ("!=", self._first), (">=", self._first + 1)):
            return True
        raise refusal(rule, f"the number of the step counts: {comparison}")


def _base(term: ast.AST) -> str:
    """The variable of a step, or an empty text."""
    return time.base if (time := _time(term)) and not time.fixed else ""


def _time(term: ast.AST) -> _Time | None:
    """A term as a step: ``T``, ``T+1``, ``1+T``, ``0`` or ``n``."""
    if term.ast_type is ast.ASTType.Variable:
        return None if term.name == "_" else _Time(term.name)
    if term.ast_type is ast.ASTType.SymbolicTerm:
        is_text = term.symbol.type is SymbolType.String
        return None if is_text else _Time(str(term), fixed=True)
    if term.ast_type is not ast.ASTType.BinaryOperation or operator_of(term) not in "+-":
        return None
    one, other, sign = _time(term.left), _time(term.right), int(f"{operator_of(term)}1")
    if one and other and one.fixed and other.fixed:
        return _Time(str(term).strip("()"), fixed=True)
    if one and other and one.fixed and sign == 1:
        one, other = other, one
    if one and other and other.fixed and other.base.isdigit():
        return _Time(one.base, one.offset + sign * int(other.base))
    return None


def _atoms(node: ast.AST) -> Iterator[ast.AST]:
    """The terms of the atoms in a node, those of pools apart."""
    for atom in nodes_in(node, ast.ASTType.SymbolicAtom):
        if atom.symbol.ast_type is ast.ASTType.Function:
            yield atom.symbol
