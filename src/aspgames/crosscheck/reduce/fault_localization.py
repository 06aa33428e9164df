"""Fault localization: the rule of the encoding that decides a disagreement.

Each rule, and each condition of a rule, is left out in turn. If the other rules then give the
engine's answer, the engine ignores this rule or condition. This is mutation-based fault
localization (Papadakis and Le Traon, "Metallaxis-FL: mutation-based fault localization", STVR
2015), with the engine's answer as the test.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from clingo import ast

from ...asp.grounding import ground
from ...asp.statements import Signature, needed_rules, rule_of
from ...game.game import Game
from ...gdl.reasoner import Facts
from ...gdl.rulebook import RuleLine, line_of
from ...runtime.budget import Budget
from ...runtime.errors import LimitReached, RulesError
from ..compare.disagreement import Disagreement
from ..engines.engine import Answer
from .disputed_move import describe_odd_form

_POSITION: tuple[Signature, ...] = (("legal", 2), ("terminal", 0), ("goal", 2))
_NEXT: tuple[Signature, ...] = (("next", 1),)
_MOST = 3


@dataclass(frozen=True)
class DecidingRule:
    """A rule that decides a disagreement."""

    line: RuleLine
    condition: str
    """The condition that the engine ignores; empty if it ignores the whole rule."""
    whole: bool
    """Whether the engine's answer is exactly that of the rules without it."""


def find_deciding_rules(found: Disagreement, budget: Budget) -> tuple[DecidingRule, ...]:
    """The rules that explain a disagreement best; none if no single rule does."""
    experiment = None if describe_odd_form(found) else _experiment(found)
    if experiment is None:
        return ()
    game = found.question.game
    rules = [rule_of(statement) for statement in game.encoding.statements("base")]
    base = [rule.statement for rule in needed_rules(rules, experiment.signatures)]
    apart = experiment.ours ^ experiment.theirs
    best, lines = len(apart), list[DecidingRule]()
    try:
        for statements, rule, condition in _mutants(base):
            budget.check()
            said = _answer(game, statements, experiment)
            # A rule that makes other differences as well doesn't explain the engine's answer.
            if said is None or not (left := said ^ experiment.theirs) < apart:
                continue
            if left and found.kind == "goals":
                continue  # one of several goal values may be right by accident
            distance = len(left)
            if distance < best:
                best, lines = distance, []
            if distance == best:
                line = line_of(game.encoding, rule)
                without = "" if condition is None else str(condition)
                lines.append(DecidingRule(line, without, distance == 0))
    except LimitReached:
        pass
    # The game's own file is the last source, and explains more than the shared files; a rule
    # explains more than a fact.
    order = [source.path.name for source in game.encoding.sources]
    lines.sort(
        key=lambda deciding: (
            -order.index(deciding.line.place.partition(":")[0]),
            not deciding.condition,
            ":-" not in deciding.line.rule,
        )
    )
    return tuple(lines[:_MOST])


@dataclass(frozen=True)
class _Experiment:
    """A query to changed rules, and both sides' answers to it."""

    signatures: tuple[Signature, ...]
    ours: frozenset[str]
    theirs: frozenset[str]
    true: Facts
    does: tuple[str, ...] = ()


def _experiment(found: Disagreement) -> _Experiment | None:
    question, theirs = found.question, found.theirs
    if not isinstance(theirs, Answer):
        return None
    if found.kind == "facts" and question.turns and theirs.facts and len(question.plies) == 1:
        joint = question.before.joint(question.plies[0])
        does = tuple(f"({role},{move})" for role, move in joint.items())
        after, other = frozenset(question.after), frozenset(theirs.facts)
        return _Experiment(_NEXT, after, other, question.facts, does)
    if theirs.legal is None or found.kind not in ("legal", "terminal", "goals"):
        return None
    state = question.state.consequences
    ours = _atoms({r: state.playable(r) for r in state.legal}, state.terminal, state.goals)
    goals = theirs.goals if theirs.goals is not None else state.goals
    said = _atoms(theirs.legal, bool(theirs.terminal), goals)
    return _Experiment(_POSITION, ours, said, question.after)


def _atoms(
    legal: Mapping[str, Collection[str]], terminal: bool, goals: Mapping[str, int]
) -> frozenset[str]:
    moves = {f"legal({role},{move})" for role, found in legal.items() for move in found}
    values = {f"goal({role},{value})" for role, value in goals.items()}
    return frozenset(moves | values | ({"terminal"} if terminal else set()))


def _answer(
    game: Game, statements: Sequence[ast.AST], experiment: _Experiment
) -> frozenset[str] | None:
    true, does = experiment.true, experiment.does
    text = "".join([f"true({fact})." for fact in true] + [f"does{pair}." for pair in does])
    try:
        control = ground(game.constants, statements, text=text)
    except RulesError:
        return None
    atoms = [a for s in experiment.signatures for a in control.symbolic_atoms.by_signature(*s)]
    if not all(atom.is_fact for atom in atoms):
        return None
    symbols = [atom.symbol for atom in atoms]
    if experiment.signatures == _NEXT:
        return frozenset(str(symbol.arguments[0]) for symbol in symbols)
    over = any(symbol.name == "terminal" for symbol in symbols)
    values = {str(s.arguments[0]) for s in symbols if s.name == "goal"}
    missing = {f"goal({role},0)" for role in game.roles if role not in values}
    return frozenset({str(s) for s in symbols if not (over and s.name == "legal")} | missing)


def _mutants(base: Sequence[ast.AST]) -> Iterator[tuple[list[ast.AST], ast.AST, ast.AST | None]]:
    rules = [place for place, s in enumerate(base) if s.ast_type is ast.ASTType.Rule]
    for place in rules:
        yield [*base[:place], *base[place + 1 :]], base[place], None
    for place in rules:
        body = list(base[place].body)
        for condition in range(len(body) if len(body) > 1 else 0):
            rest = body[:condition] + body[condition + 1 :]
            changed = base[place].update(body=rest)
            yield [*base[:place], changed, *base[place + 1 :]], base[place], body[condition]
