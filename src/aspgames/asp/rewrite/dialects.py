"""Reads what other authors of games in answer-set programming write.

Their programs choose moves themselves, start from ``true/1``, compare with ``distinct/2``, let only
the role in control move, or count a loss as -1. ``adapted`` turns these into the words of
``encodings/README.md``, and each change into a note. Programs in these words stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, count

from clingo import ast

from ..grounding import parse_statements
from ..node_details import elements_of, with_body
from ..nodes import atom_of, is_negated, is_positive, sides_of, unpooled, with_atoms
from ..statements import DOES, TRUE, Literal, Rule, literal_of, rule_of, short_place, signatures_in
from .domains import NONE, Range
from .overflow import numbers_of

Note = tuple[str, str]
"""The file and line, and a sentence."""

_LEGAL, _GOAL, _INIT, _DISTINCT = ("legal", 2), ("goal", 2), ("init", 1), ("distinct", 2)
_CHOICES = (ast.ASTType.Aggregate, ast.ASTType.HeadAggregate)
_COUNTS = (ast.ASTType.Aggregate, ast.ASTType.BodyAggregate)
_HIGHEST = 100
_WAITING = "legal(R,noop) :- role(R), not true(control(R))."


def adapted(statements: Sequence[ast.AST]) -> tuple[tuple[ast.AST, ...], list[Note]]:
    """The rules of a game in our words, and what was changed."""
    notes: list[Note] = []
    found = list(statements)
    for change in (_without_choices, _with_start, _with_comparisons, _with_waiting, _with_goals):
        found = list(change(found, notes))
    return tuple(found), notes


def _without_choices(statements: Sequence[ast.AST], notes: list[Note]) -> Iterator[ast.AST]:
    """Without choices of a legal move, and constraints that every choice of one move meets."""
    for statement in statements:
        rule = rule_of(statement)
        if DOES in rule.heads | rule.body and (what := _choosing(rule)):
            text = f"this {what} is left out: each role makes exactly one legal move anyway"
            notes.append((short_place(statement), text))
        else:
            yield statement


def _choosing(rule: Rule) -> str:
    if rule.head is None:
        return ""
    node = rule.head.node
    if node.ast_type in _CHOICES:
        made = {s for _, parts in elements_of(node) for s in signatures_in(chosen_in(parts[0]))}
        return "choice" if made == {DOES} else ""
    is_constraint = not rule.heads and str(node) == "#false"
    return "constraint" if is_constraint and is_met(rule.literals) else ""


def chosen_in(part: ast.AST) -> ast.AST:
    """The literal that an element of a choice chooses, without its condition."""
    return part.literal if part.ast_type is ast.ASTType.ConditionalLiteral else part


def is_met(body: Sequence[Literal]) -> bool:
    """Whether a body never holds if each role makes exactly one move, which is legal."""
    done = [part for part in body if part.signatures == (DOES,) and part.arguments]
    made = [tuple(map(str, _terms(part))) for part in done if is_positive(part)]
    none = [part for part in done if is_negated(part)]
    if any(str(_terms(part)[1]) == "_" for part in none):
        return True
    illegal = [part for part in body if part.signatures == (_LEGAL,) and is_negated(part)]
    if any(tuple(map(str, _terms(part))) in made for part in illegal):
        return True
    if any(_counts_moves(part, body) for part in body):
        return True
    unequal = [
        {str(term) for term in terms}
        for part in body
        if atom_of(part.node).ast_type is ast.ASTType.Comparison and is_positive(part.node)
        for terms, signs in [sides_of(atom_of(part.node))]
        if len(signs) == 1 and signs[0] in ("<", ">", "!=")
    ]
    chosen = [part for part in done if is_positive(part)]
    return any(
        str(_terms(one)[0]) == str(_terms(other)[0])
        and any(pair in unequal for pair in _pairs(_terms(one)[1], _terms(other)[1]))
        for one, other in combinations(chosen, 2)
    )


def _terms(literal: Literal) -> list[ast.AST]:
    return [given.node for given in literal.arguments]


def _pairs(one: ast.AST, other: ast.AST) -> Iterator[set[str]]:
    """The terms of two moves at the same places."""
    yield {str(one), str(other)}
    kinds = {one.ast_type, other.ast_type}
    if kinds == {ast.ASTType.Function} and one.name == other.name:
        for pair in zip(one.arguments, other.arguments, strict=False):
            yield from _pairs(*pair)


def _counts_moves(literal: Literal, body: Sequence[Literal]) -> bool:
    """Whether it says that a role makes no move, or several: ``not 1 { does(R,M) } 1``."""
    atom = atom_of(literal.node)
    if atom.ast_type not in _COUNTS or literal.node is atom:
        return False
    guards = [guard for guard in (atom.left_guard, atom.right_guard) if guard]
    signs = {str(guard).split()[0] for guard in guards}
    wrong = signs <= {"<=", "="} if is_negated(literal.node) else signs == {"!="}
    if not wrong or any(str(guard.term) != "1" for guard in guards):
        return False
    elsewhere = [part for part in body if part is not literal]
    for _, (first, *conditions) in elements_of(atom):
        chosen = literal_of(chosen_in(first))
        if chosen.signatures != (DOES,) or not is_positive(chosen):
            return False
        role, move = chosen.arguments
        bound = any(role.variable in part.variables for part in elsewhere) or role.constant
        known = all(str(part) == f"legal({role.node},{move.node})" for part in conditions)
        if not (move.variable and bound and known):
            return False
    return True


def _with_start(statements: Sequence[ast.AST], notes: list[Note]) -> Iterator[ast.AST]:
    """With ``init/1`` for the facts of ``true/1``, if nothing else is the start."""
    rules = list(map(rule_of, statements))
    starts = any(_INIT in rule.heads for rule in rules)
    noted = False
    for rule in rules:
        if starts or rule.heads != {TRUE} or not rule.plain or rule.body & {TRUE, DOES}:
            yield rule.statement
            continue
        if not noted:
            notes.append((short_place(rule.statement), "facts of true/1 are the start, as init/1"))
        noted = True
        yield with_atoms(
            rule.statement, lambda name, terms: ("init" if name == "true" else name, terms)
        )


def _with_comparisons(statements: Sequence[ast.AST], notes: list[Note]) -> Iterator[ast.AST]:
    """With comparisons in place of ``distinct/2``."""
    rules = list(map(rule_of, statements))
    if any(_DISTINCT in rule.heads for rule in rules):
        yield from statements
        return
    noted = False
    for rule in rules:
        if _DISTINCT not in rule.body:
            yield rule.statement
            continue
        if not noted:
            notes.append((short_place(rule.statement), "distinct(A,B) is read as A != B"))
        noted = True
        yield with_body(rule.statement, map(_compared, rule.literals))


def _compared(literal: Literal) -> ast.AST:
    if literal.signatures != (_DISTINCT,) or literal.sign is None:
        return literal.node
    one, other = _terms(literal)
    operator = ast.ComparisonOperator
    sign = operator.Equal if is_negated(literal) else operator.NotEqual
    comparison = ast.Comparison(one, [ast.Guard(sign, other)])
    return ast.Literal(literal.node.location, ast.Sign.NoSign, comparison)


def _with_waiting(statements: Sequence[ast.AST], notes: list[Note]) -> Iterator[ast.AST]:
    """With ``noop`` for the roles that aren't in control, if only a role in control can move."""
    yield from statements
    rules = list(map(rule_of, statements))
    moves = [r for r in rules if r.head and r.heads == {_LEGAL} and r.head.arguments]
    waits = [r for r in moves if r.head and r.head.arguments[1].constant == "noop"]
    roles = sum(len(unpooled(r.statement)) for r in rules if ("role", 1) in r.heads)
    free = [r for r in moves if r not in waits and not _in_control(r)]
    open_wait = any(rule.head and rule.head.arguments[0].variable for rule in waits)
    if moves and roles > 1 and not free and not open_wait and len(waits) < roles:
        text = f"a role that isn't in control waits, as by {_WAITING}"
        yield _added(_WAITING, moves[0], text, notes)


def _in_control(rule: Rule) -> bool:
    """Whether a move is legal only for a role with the fluent ``control(R)``."""
    assert rule.head is not None
    wanted = f"control({rule.head.arguments[0].node})"
    return any(
        part.signatures == (TRUE,) and is_positive(part) and str(_terms(part)[0]) == wanted
        for part in rule.literals
    )


def _with_goals(statements: Sequence[ast.AST], notes: list[Note]) -> Iterator[ast.AST]:
    """With goals from 0 to 100, if they are from -N to N, or 0 and 1."""
    rules = list(map(rule_of, statements))
    made = [rule for rule in rules if _GOAL in rule.heads]
    values = _values(statements, made)
    if values != (0, 1) and not (-_HIGHEST <= values.low < 0 and values.high == -values.low):
        yield from statements
        return
    low, most = int(values.low), int(values.high)  # a draw is 0 if there are negative goals
    taken = {name for rule in rules for name, _ in rule.heads | rule.body}
    name = next(name for n in count() if (name := "value" + "_" * n) not in taken)

    def changed(old: str, terms: Sequence[ast.AST]) -> tuple[str, Sequence[ast.AST]]:
        return name if (old, len(terms)) == _GOAL else old, terms

    for rule in rules:
        yield (
            rule.statement
            if _GOAL not in rule.heads | rule.body
            else with_atoms(rule.statement, changed)
        )
    mapped = f"goal(R,({_HIGHEST}*(N+{-low}))/{most - low}) :- {name}(R,N)."
    text = f"goals from {low} to {most} are read as 0 to {_HIGHEST}"
    yield _added(mapped, made[0], text, notes)


def _values(statements: Sequence[ast.AST], made: Sequence[Rule]) -> Range:
    """The goals that rules may have; no number if they aren't known."""
    given = [rule.head.arguments[1] for rule in made if rule.head and rule.head.arguments]
    if any("-" in str(term.node) for term in given):
        return numbers_of(statements, _GOAL, 1)
    numbers = [term.constant for term in given]
    if not all(map(str.isdigit, numbers)):
        return NONE
    return Range(min(map(int, numbers), default=0), max(map(int, numbers), default=_HIGHEST))


def _added(text: str, rule: Rule, note: str, notes: list[Note]) -> ast.AST:
    """A rule to add, with the place of another one, and a note about it."""
    notes.append((short_place(rule.statement), note))
    (added,) = parse_statements(text)
    return added.update(location=rule.statement.location)
