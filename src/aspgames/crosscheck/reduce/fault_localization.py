"""Which line of the encoding decides a disagreement.

Each rule is left out in turn, and each condition of each rule. Where that makes the rules say what
the engine says, the line is what the engine doesn't keep to (mutation-based fault localization, as
in Papadakis and Le Traon, "Metallaxis-FL", STVR 2015, with the engine's answer for the test).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from clingo import ast

from ...asp.grounding import ground
from ...asp.statements import Signature, needed_rules, rule_of
from ...gdl.reasoner import Facts
from ...gdl.rulebook import Line, line_of
from ...runtime.budget import Budget
from ...runtime.errors import LimitReached, RulesError
from ..compare.disagreement import Disagreement
from ..engines.engine import Answer
from .answer_form import describe_odd_form

_POSITION: tuple[Signature, ...] = (("legal", 2), ("terminal", 0), ("goal", 2))
_NEXT: tuple[Signature, ...] = (("next", 1),)
_MOST = 3


@dataclass(frozen=True)
class DecidingRule:
    """A rule that decides."""

    line: Line
    condition: str
    """The condition of it that the engine does without; empty if it is the rule as a whole."""
    whole: bool
    """Whether the engine says just what the rules would say without it."""


def find_deciding_rules(found: Disagreement, budget: Budget) -> tuple[DecidingRule, ...]:
    """The lines that explain a disagreement best, none if no single one brings the two nearer."""
    wanted = None if describe_odd_form(found) else _wanted(found)
    if wanted is None:
        return ()
    signatures, ours, theirs, true, does = wanted
    base = _needed(found.question.game.encoding.statements("base"), signatures)
    apart = ours ^ theirs
    best, lines = len(apart), list[DecidingRule]()
    try:
        for statements, rule, condition in _mutants(base):
            budget.check()
            said = _said(statements, found, signatures, true, does)
            # What makes other differences, too, is not what the engine does without.
            if said is None or not (left := said ^ theirs) < apart:
                continue
            if left and found.kind == "goals":
                continue  # one role's value of several may come right by accident
            distance = len(left)
            if distance < best:
                best, lines = distance, []
            if distance == best:
                line = line_of(found.question.game.encoding, rule)
                without = "" if condition is None else str(condition)
                lines.append(DecidingRule(line, without, distance == 0))
    except LimitReached:
        pass
    # The game's own file is the last of its sources, and says more than what it builds on; a fact
    # says less than a rule.
    order = [source.path.name for source in found.question.game.encoding.sources]
    lines.sort(
        key=lambda deciding: (
            -order.index(deciding.line.place.partition(":")[0]),
            not deciding.condition,
            ":-" not in deciding.line.rule,
        )
    )
    return tuple(lines[:_MOST])


_Wanted = tuple[tuple[Signature, ...], frozenset[str], frozenset[str], Facts, tuple[str, ...]]


def _wanted(found: Disagreement) -> _Wanted | None:
    """What is asked, both sides' answers to it, the state, and the ply that is played in it."""
    question, theirs = found.question, found.theirs
    if not isinstance(theirs, Answer):
        return None
    if found.kind == "facts" and question.turns and theirs.facts and len(question.plies) == 1:
        joint = question.before.joint(question.plies[0])
        does = tuple(f"({role},{move})" for role, move in joint.items())
        return _NEXT, frozenset(question.after), frozenset(theirs.facts), question.facts, does
    if theirs.legal is None or found.kind not in ("legal", "terminal", "goals"):
        return None
    state = question.state.consequences
    ours = _atoms({r: state.playable(r) for r in state.legal}, state.terminal, state.goals)
    goals = theirs.goals if theirs.goals is not None else state.goals
    said = _atoms(theirs.legal, bool(theirs.terminal), goals)
    return _POSITION, ours, said, question.after, ()


def _atoms(
    legal: Mapping[str, Collection[str]], terminal: bool, goals: Mapping[str, int]
) -> frozenset[str]:
    moves = {f"legal({role},{move})" for role, found in legal.items() for move in found}
    values = {f"goal({role},{value})" for role, value in goals.items()}
    return frozenset(moves | values | ({"terminal"} if terminal else set()))


def _said(
    statements: Sequence[ast.AST],
    found: Disagreement,
    signatures: tuple[Signature, ...],
    true: Facts,
    does: tuple[str, ...],
) -> frozenset[str] | None:
    """What changed rules say; None where they say nothing sensible."""
    game = found.question.game
    text = "".join([f"true({fact})." for fact in true] + [f"does{pair}." for pair in does])
    try:
        control = ground(game.constants, statements, text=text)
    except RulesError:
        return None
    atoms = [a for s in signatures for a in control.symbolic_atoms.by_signature(*s)]
    if not all(atom.is_fact for atom in atoms):
        return None
    symbols = [atom.symbol for atom in atoms]
    if signatures == _NEXT:
        return frozenset(str(symbol.arguments[0]) for symbol in symbols)
    over = any(symbol.name == "terminal" for symbol in symbols)
    values = {str(s.arguments[0]) for s in symbols if s.name == "goal"}
    missing = {f"goal({role},0)" for role in game.roles if role not in values}
    return frozenset({str(s) for s in symbols if not (over and s.name == "legal")} | missing)


def _needed(base: Sequence[ast.AST], signatures: tuple[Signature, ...]) -> Sequence[ast.AST]:
    """The statements on which the answer depends."""
    rules = [rule_of(statement) for statement in base]
    return [rule.statement for rule in needed_rules(rules, signatures)]


def _mutants(base: Sequence[ast.AST]) -> Iterator[tuple[list[ast.AST], ast.AST, ast.AST | None]]:
    """The statements with a rule, or a condition of a rule, left out."""
    rules = [place for place, s in enumerate(base) if s.ast_type is ast.ASTType.Rule]
    for place in rules:
        yield [*base[:place], *base[place + 1 :]], base[place], None
    for place in rules:
        body = list(base[place].body)
        for condition in range(len(body) if len(body) > 1 else 0):
            rest = body[:condition] + body[condition + 1 :]
            changed = base[place].update(body=rest)
            yield [*base[:place], changed, *base[place + 1 :]], base[place], body[condition]
