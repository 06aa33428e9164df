"""Fault localization: the rule of the encoding that decides a disagreement.

Each rule, and each condition of a rule, is left out in turn. If the other rules then give the
engine's answer, the engine ignores this rule or condition. This is mutation-based fault
localization (Papadakis and Le Traon, "Metallaxis-FL: mutation-based fault localization", STVR
2015), with the engine's answer as the test.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from ...asp.clingo_api import AST, SymbolType
from ...asp.clingo_c import facts_of, parts_of
from ...asp.grounding import ground
from ...asp.node_details import with_body
from ...asp.nodes import kind_of
from ...asp.statements import Signature, needed_rules, rule_of
from ...asp.symbols import parse_symbol
from ...game.board import parse_square
from ...game.explain import Explanation
from ...game.game import Game
from ...game.notation.move_text import only_numbers
from ...game.state import State
from ...gdl.extensions import SEES
from ...gdl.rulebook import RuleLine, line_of
from ...gdl.rules import Facts
from ...runtime.budget import Budget
from ...runtime.errors import AspgamesError, LimitReached, RulesError
from ..compare.disagreement import Disagreement
from ..engines.engine import Answer, Turn

_POSITION: tuple[Signature, ...] = (("legal", 2), ("terminal", 0), ("goal", 2))
_NEXT: tuple[Signature, ...] = (("next", 1),)
_SEES: tuple[Signature, ...] = (SEES,)
_MOST_DECIDING = 3


def explain_disagreement(found: Disagreement) -> Explanation | None:
    """The rules' reasons for their answer, if they can be explained.

    Of several disputed moves, the first extra one counts, or the first missing one.
    """
    state = found.question.state
    try:
        if found.kind == "terminal":
            return state.why_terminal()
        if found.kind == "goals":
            return state.why_goal((*found.extra, *found.missing)[0].rpartition(" ")[0])
        if found.kind == "facts":
            return _of_fluent(found)
        return _of_move(found, state) if found.kind == "legal" else None
    except AspgamesError:
        return None


def turn_of(found: Disagreement, item: str) -> Turn:
    """The plies of a turn: like those of our turns, with the squares that the engine names."""
    options = found.options or {}
    if isinstance(found.theirs, Answer) and found.theirs.legal is not None:
        return (item,)  # a move of one role; several roles may choose
    if item in options or "(" in item:
        return options.get(item, (item,))
    forms = found.question.game.vocabulary.notation
    ours = {tuple(ply.partition("(")[0] for ply in turn) for turn in options.values()}
    for names in [*sorted(ours), *((name,) for name in forms)]:
        known = [form if only_numbers(form := forms.get(name, "")) else "" for name in names]
        sizes = [form.count("@") for form in known]
        squares = [parse_square(name) for name in item.split()]
        if sum(sizes) == len(squares) and all(squares):
            numbers = (f"{square[0]},{square[1]}" for square in squares if square)
            return tuple(
                f"{name}({','.join(islice(numbers, size))})"
                for name, size in zip(names, sizes, strict=True)
            )
    return ()


def _of_move(found: Disagreement, state: State) -> Explanation | None:
    """Explain the first illegal ply of a turn, or its last ply."""
    item = (*found.extra, *found.missing)[0]
    turn = turn_of(found, item)
    role = role_of(found, item)
    for ply in turn[:-1]:
        if all(move.term != ply for move in state.legal_moves):
            return state.why(ply, role)
        state = state.play(ply)
    return state.why(turn[-1], role) if turn else None


def _of_fluent(found: Disagreement) -> Explanation | None:
    if not found.question.plies:
        return None
    *plies, last = found.question.plies
    state = found.question.played(plies)
    return state.why_next(last, (*found.missing, *found.extra)[0])


def role_of(found: Disagreement, item: str) -> str | None:
    """The role of a disputed move; None for the side on move."""
    ours, theirs = found.ours.legal or {}, found.theirs
    if not isinstance(theirs, Answer):
        return None
    for role, moves in (theirs.legal or {}).items():
        if (item in moves) != (item in ours.get(role, ())):
            return role
    return None


def describe_odd_form(found: Disagreement) -> str:
    """A sentence about an unusual form of the engine's answer; empty for a usual form."""
    theirs, game = found.theirs, found.question.game
    if not isinstance(theirs, Answer) or not found.extra:
        return ""
    item = found.extra[0]
    match found.kind:
        case "to_move" if item and item not in game.roles:
            return f"{item} is not a role; the roles are {', '.join(game.roles)}"
        case "legal" if theirs.legal is not None:
            if not any(map(game.explainer.knows, found.extra)):
                ours = f", such as {found.missing[0]}" if found.missing else ""
                return f"no rule has a move of the form {item}; moves are terms{ours}"
        case "facts" if theirs.facts is not None:
            known = set(map(_form, (*game.vocabulary.base, *found.question.after)))
            if game.vocabulary.base and known.isdisjoint(map(_form, found.extra)):
                ours = f", such as {found.missing[0]}" if found.missing else ""
                return f"the game has no fluent of the form {item}; fluents are terms{ours}"
    return ""


def _form(fluent: str) -> tuple[str, int]:
    symbol = parse_symbol(fluent)
    if symbol is None or symbol.type is not SymbolType.Function:
        return fluent, 0
    return symbol.name, len(symbol.arguments)


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
    return tuple(lines[:_MOST_DECIDING])


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
    if found.kind in ("facts", "sees") and len(question.plies) == 1:
        joint = question.before.joint(question.plies[0])
        does = tuple(f"({role},{move})" for role, move in joint.items())
        if found.kind == "sees":
            ours, others = found.ours.sees or frozenset(), theirs.sees or frozenset()
            return _Experiment(_SEES, ours, others, question.facts, does)
        after, other = frozenset(question.after), frozenset(theirs.facts or ())
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
    game: Game, statements: Sequence[AST], experiment: _Experiment
) -> frozenset[str] | None:
    true, does = experiment.true, experiment.does
    text = "".join([f"true({fact})." for fact in true] + [f"does{pair}." for pair in does])
    try:
        control = ground(game.constants, statements, text=text)
    except RulesError:
        return None
    found = [facts_of(control, *signature) for signature in experiment.signatures]
    if None in found:
        return None
    symbols = [symbol for atoms in found for symbol in atoms or ()]
    if experiment.signatures == _NEXT:
        return frozenset(str(symbol.arguments[0]) for symbol in symbols)
    if experiment.signatures == _SEES:
        return frozenset(map(str, symbols))
    over = any(symbol.name == "terminal" for symbol in symbols)
    values = {str(s.arguments[0]) for s in symbols if s.name == "goal"}
    missing = {f"goal({role},0)" for role in game.roles if role not in values}
    return frozenset({str(s) for s in symbols if not (over and s.name == "legal")} | missing)


def _mutants(base: Sequence[AST]) -> Iterator[tuple[list[AST], AST, AST | None]]:
    rules = [place for place, s in enumerate(base) if kind_of(s) == "Rule"]
    for place in rules:
        yield [*base[:place], *base[place + 1 :]], base[place], None
    for place in rules:
        _, *body = parts_of(base[place])
        for condition in range(len(body) if len(body) > 1 else 0):
            rest = body[:condition] + body[condition + 1 :]
            changed = with_body(base[place], rest)
            yield [*base[:place], changed, *base[place + 1 :]], base[place], body[condition]
