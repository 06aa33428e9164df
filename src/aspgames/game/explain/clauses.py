"""Rules rewritten so that grounding them yields their instances as facts; see ``relevant``."""

from __future__ import annotations

from collections.abc import Sequence, Set

import clingo
from clingo import ast

from ...asp.statements import DOES, TRUE, Rule, Signature, nodes_in, signatures_in, variables_in

Asked = tuple[Signature, str]
"""A predicate, and a ``b`` for each argument that is asked for, an ``f`` for each that is free."""


UNCLEAR: Signature = ("_unclear", 2)
"""What stands for a condition that isn't looked into: its name, and the values of its variables."""


def hidden_predicates(rules: Sequence[Rule], changing: Set[Signature]) -> Set[Signature]:
    """The predicates with rules that can't be looked into.

    What can has one atom as its head. What depends on the state in its body is an atom or an atom
    denied, or else something whose variables have their values from elsewhere.
    """
    hidden: set[Signature] = set()
    waiting = list(rules)
    while more := [rule for rule in waiting if not _is_clear(rule, changing, hidden)]:
        hidden.update(signature for rule in more for signature in rule.heads)
        waiting = [rule for rule in waiting if not rule.heads & hidden]
    return hidden


def _is_clear(rule: Rule, changing: Set[Signature], hidden: Set[Signature]) -> bool:
    statement = rule.statement
    if not _is_atom(statement.head) or statement.head.sign != ast.Sign.NoSign:
        return False
    unclear = [part for part in statement.body if _is_unclear(part, changing, hidden)]
    clear = [part for part in statement.body if not _is_unclear(part, changing, hidden)]
    known = _given_by(clear)
    asked = variables_in(statement.head).union(*map(variables_in, clear))
    guards = {name for part in unclear for name in _bound_by(part)}
    return guards <= known and all(variables_in(part) & asked <= known for part in unclear)


class Clause:
    """A rule that can be looked into, ready for being rewritten."""

    def __init__(
        self, rule: Rule, place: int, changing: Set[Signature], hidden: Set[Signature]
    ) -> None:
        self.heads, self.statement = rule.heads, rule.statement
        self._place = place
        self._head = _Atom(rule.statement.head)
        body = rule.statement.body
        known = _given_by([part for part in body if not _is_unclear(part, changing, hidden)])
        self._body: list[_Atom | _Fixed | Unclear] = []
        for number, part in enumerate(body):
            if _is_unclear(part, changing, hidden):
                self._body.append(Unclear(part, f"{place}_{number}", known))
            elif changing.isdisjoint(signatures_in(part)):
                self._body.append(_Fixed(part))
            else:
                self._body.append(_Atom(part, number))
        self.unclear = [part for part in self._body if isinstance(part, Unclear)]

    def rewritten(self, bound: str) -> tuple[str, set[Asked]]:
        """The rules that stand for this one if some arguments are asked for; what they ask for."""
        arguments = zip(self._head.arguments, bound, strict=True)
        asked = [a if _can_be_asked(a) else None for a, b in arguments if b == "b"]
        known = {name for argument in asked if argument for name in variables_in(argument)}
        asks = demand(self._head.signature, bound)
        first = _atom(asks, [str(a) if a else "_" for a in asked])
        given = [first, *self._fixed(known)]
        texts, needed, conditions, possible = [], set[Asked](), [], [first]
        for part in self._body:
            if isinstance(part, _Fixed):
                possible.append(part.text)
                continue
            conditions.append(part.condition)
            if isinstance(part, Unclear):
                continue
            if part.positive:
                possible.append(f"_possible({part.text})")
            else:
                texts += part.projection(self._place)
            meant = "".join("b" if variables_in(a) <= known else "f" for a in part.arguments)
            terms = [
                str(argument) for argument in part.arguments if variables_in(argument) <= known
            ]
            if part.signature not in (TRUE, DOES):
                needed.add((part.signature, meant))
                texts.append(_rule(_atom(demand(part.signature, meant), terms), given))
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


class Unclear:
    """A condition on the state that isn't looked into, such as an aggregate."""

    def __init__(self, part: ast.AST, name: str, known: Set[str]) -> None:
        denied = part.ast_type is ast.ASTType.Literal and part.sign == ast.Sign.Negation
        self._part = part.update(sign=ast.Sign.NoSign) if denied else part
        self._word = "unless" if denied else "if"
        self._variables = sorted(variables_in(part) & known)
        self._values = "".join(f"{variable}," for variable in self._variables)
        self.name = name

    @property
    def condition(self) -> str:
        """How an instance has it."""
        return f"{self._word}({self._atom})"

    @property
    def _atom(self) -> str:
        return f'{UNCLEAR[0]}("{self.name}",({self._values}))'

    @property
    def rule(self) -> str:
        """The rule by which it holds, with the values that are asked about."""
        return _rule(self._atom, [f'("{self.name}",({self._values})) = @asked()', str(self._part)])

    def text(self, values: Sequence[clingo.Symbol]) -> str:
        """It with the values of its variables."""
        replaced = _Replaced(dict(zip(self._variables, values, strict=True)))
        return str(replaced.visit(self._part))


class _Fixed:
    """A condition that doesn't depend on the state."""

    def __init__(self, literal: ast.AST) -> None:
        self.text = str(literal)
        self.variables = variables_in(literal)
        self._gives: set[str] = set()
        if literal.ast_type is ast.ASTType.Literal and literal.sign == ast.Sign.NoSign:
            if literal.atom.ast_type is ast.ASTType.SymbolicAtom:
                self._gives = _read_off(literal.atom.symbol)
            elif literal.atom.ast_type is ast.ASTType.Comparison and _is_assignment(literal.atom):
                self._gives = {literal.atom.term.name}

    def says_more(self, known: set[str]) -> bool:
        """Whether its variables are known, or it makes them known from some that are."""
        new = self.variables - known
        return not new or (new <= self._gives and new != self.variables)


class _Atom:
    """A condition that depends on the state, or a head."""

    def __init__(self, literal: ast.AST, number: int = 0) -> None:
        # What isn't denied twice holds, as rules that recur through negation are refused.
        self.positive = literal.sign != ast.Sign.Negation
        named = _Nameless(number).visit(literal.atom.symbol)
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


class _Nameless(ast.Transformer):
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


class _Replaced(ast.Transformer):
    """Puts values in the place of variables."""

    def __init__(self, values: dict[str, clingo.Symbol]) -> None:
        self._values = values

    def visit_Variable(self, node: ast.AST) -> ast.AST:  # noqa: N802
        if node.name not in self._values:
            return node
        return ast.SymbolicTerm(node.location, self._values[node.name])


def demand(signature: Signature, bound: str) -> str:
    """The predicate that asks for another one's atoms."""
    return f"_asked_{signature[0]}_{bound}"


def _is_atom(part: ast.AST) -> bool:
    return (
        part.ast_type is ast.ASTType.Literal
        and part.atom.ast_type is ast.ASTType.SymbolicAtom
        and part.atom.symbol.ast_type is ast.ASTType.Function
    )


def _is_unclear(part: ast.AST, changing: Set[Signature], hidden: Set[Signature]) -> bool:
    """Whether a part of a body depends on the state, and can't be looked into."""
    signatures = set(signatures_in(part))
    return bool(signatures & changing) and (not _is_atom(part) or bool(signatures & hidden))


def _given_by(body: Sequence[ast.AST]) -> set[str]:
    """The variables to which a body gives values."""
    found: set[str] = set()
    for part in body:
        if _is_atom(part) and part.sign == ast.Sign.NoSign:
            found |= _read_off(part.atom.symbol)
    grew = True
    while grew:
        grew = False
        for part in body:
            if (
                part.ast_type is ast.ASTType.Literal
                and part.sign == ast.Sign.NoSign
                and part.atom.ast_type is ast.ASTType.Comparison
                and _is_assignment(part.atom)
                and part.atom.term.name not in found
                and variables_in(part.atom.guards[0]) <= found
            ):
                found.add(part.atom.term.name)
                grew = True
    return found


def _bound_by(part: ast.AST) -> set[str]:
    """The variables that have their values from a condition, if from nowhere else."""
    if part.ast_type is not ast.ASTType.Literal:
        return set()
    if part.atom.ast_type is ast.ASTType.SymbolicAtom:
        return variables_in(part)
    guards = [getattr(part.atom, side, None) for side in ("left_guard", "right_guard")]
    return {name for guard in guards if guard for name in variables_in(guard)}


def _read_off(term: ast.AST) -> set[str]:
    """The variables that have values when a term is known to match."""
    if term.ast_type is ast.ASTType.Function:
        return {name for part in term.arguments for name in _read_off(part)}
    return variables_in(term) if _can_be_asked(term) else set()


def _can_be_asked(term: ast.AST) -> bool:
    """Whether the grounder can read off the variables of a term from its value."""
    if term.ast_type is ast.ASTType.BinaryOperation:
        sides = term.left, term.right
        one = sum(
            node.ast_type is ast.ASTType.Variable for side in sides for node in nodes_in(side)
        )
        adds = (ast.BinaryOperator.Plus, ast.BinaryOperator.Minus)
        return one == 0 or (
            one == 1 and term.operator_type in adds and all(map(_can_be_asked, sides))
        )
    if term.ast_type is ast.ASTType.UnaryOperation:
        if term.operator_type == ast.UnaryOperator.Minus:
            return _can_be_asked(term.argument)
        return not variables_in(term)
    if term.ast_type is ast.ASTType.Function:
        return all(map(_can_be_asked, term.arguments))
    return True


def _is_assignment(comparison: ast.AST) -> bool:
    guards = comparison.guards
    return (
        comparison.term.ast_type is ast.ASTType.Variable
        and len(guards) == 1
        and guards[0].comparison == ast.ComparisonOperator.Equal
    )


def _atom(name: str, terms: Sequence[str]) -> str:
    return f"{name}({','.join(terms)})" if terms else name


def _rule(head: str, body: Sequence[str]) -> str:
    return f"{head} :- {'; '.join(body)}."
