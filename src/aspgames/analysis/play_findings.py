"""Likely mistakes that random games show: lost fluents, and roles that choose at once."""

from collections.abc import Iterable, Iterator, Sequence

from ..asp.statements import rule_of, short_place
from ..asp.symbols import known_symbol
from ..game.game import Game
from ..gdl.predicates import CHANCE
from .bounded_play import content_groups
from .check_report import WARNING, Finding, Witness
from .deriving_rules import DerivingRules
from .sampled_play import Sample, SampledGame

_NOOP = "noop"
_GAMES_LOOKED_AT = 5  # whose squares are looked at
_STATES_OF_A_GAME = 20  # states of each game


def several_choose(game: Game, sample: Sample) -> Iterator[Finding]:
    """Several roles choose at once, though the rules seem to mean one."""
    base = game.encoding.statements("base")
    has_turns = any(("to_move", 1) in rule_of(statement).heads for statement in base)
    why = "to_move/1 names one role" if has_turns else ""
    if any(move == _NOOP for _, move in sample.moves_seen):
        why = why or f"{_NOOP} lets a role wait"
    why = why or next(_controls(game), "")
    for line in sample.lines if why else ():
        for place, state in enumerate(line.states[: len(line.joints)][:_STATES_OF_A_GAME]):
            legal = state.consequences.legal
            if len(movers := [role for role in game.players if len(legal[role]) > 1]) > 1:
                witness = Witness(tuple(line.joints[:place]), state.facts, state.fen)
                text = f"{' and '.join(movers)} choose a move at once, though {why}"
                rules = DerivingRules(game, ("legal", 2)).of(state)
                text += _in_brackets(rules[m] for role in movers for m in legal[role] if m != _NOOP)
                yield Finding("moves_at_once", WARNING, text, witness=witness)
                return


def _controls(game: Game) -> Iterator[str]:
    start = game.vocabulary.initial
    for fluent in start:
        name, _, rest = fluent.partition("(")
        alike = [each for each in start if each.startswith(f"{name}(")]
        if rest.rstrip(")") in game.roles and len(alike) == 1 < len(game.roles):
            yield f"{fluent} holds at the start"


def idle_roles(game: Game, sample: Sample) -> Iterator[Finding]:
    """Roles that only wait, while another one moves."""
    seen = {role: {move for who, move in sample.moves_seen if who == role} for role in game.roles}
    idle = [role for role in game.players if seen[role] == {_NOOP}]
    if idle and len(idle) < len(game.roles) and any(len(line.joints) > 1 for line in sample.lines):
        text = f"{' and '.join(idle)} was never on move: {_NOOP} was the only move"
        yield sample.only_seen("never_on_move", WARNING, text, _next_rule(game, "control", 1))


def idle_chance(game: Game, sample: Sample) -> Iterator[Finding]:
    """The role that moves by chance never has a choice."""
    if game.chance and not sample.rolls and any(line.joints for line in sample.lines):
        text = f"chance is never used: {CHANCE} has a single move in every state"
        yield sample.only_seen("no_chance", WARNING, text)


def board_findings(game: Game, sample: Sample) -> Iterator[Finding]:
    """Pieces off the board, and two on one square, neither of which a position may have."""
    board = game.board
    for line in sample.lines[:_GAMES_LOOKED_AT] if board else ():
        for place, state in enumerate(line.states):
            seen: dict[tuple[int, int], str] = {}
            for fact in state.facts:
                if not board or not (placed := board.piece(fact)):
                    continue
                wrong = [] if board.has(placed[0]) else [fact]
                text = f"{fact} is off the board, {board.size}"
                if (other := seen.setdefault(placed[0], fact)) != fact:
                    wrong = [other, fact]
                    text = f"two things stand on one square: {other} and {fact}"
                if wrong:
                    text += _made_by(game, line, place, wrong)
                    witness = Witness(tuple(line.joints[:place]), state.facts, None)
                    yield Finding("content", WARNING, text, witness=witness)
                    return


def lost_fluents(game: Game, sample: Sample) -> Iterator[Finding]:
    """Fluents of the start that the first move loses, as without a frame rule."""
    start = frozenset(game.vocabulary.initial)
    after = [frozenset(line.states[1].facts) for line in sample.lines if line.joints]
    steps = [step.before & step.after for step in sample.steps()]
    for name in sorted({_name(fluent) for fluent in start}):
        first = sorted(fluent for fluent in start if _name(fluent) == name)
        left = max((sum(_name(each) == name for each in facts) for facts in after), default=0)
        kept = any(fluent in facts for facts in (*after, *steps) for fluent in first)
        if after and len(first) > 1 and 2 * left <= len(first) and not kept:
            what = f"{first[0]} and {len(first) - 1} more like it hold at the start only"
            text = f"{what}: no rule of next/1 carries {name[0]}/{name[1]} on"
            yield sample.only_seen("lost", WARNING, text, _next_rule(game, *name))


def lost_pieces(game: Game, sample: Sample) -> Iterator[Finding]:
    """Pieces of a board that starts without them, each gone after one ply."""
    board, start = game.board, set(map(_name, game.vocabulary.initial))
    kept: dict[tuple[str, int], bool] = {}
    for step in sample.steps() if board else ():
        for fact in step.before:
            if board and board.piece(fact) and (name := _name(fact)) not in start:
                kept[name] = kept.get(name, False) or fact in step.after
    for name, is_kept in kept.items():
        if not is_kept:
            text = f"no rule keeps {name[0]}/{name[1]}: each piece is gone after one ply"
            yield sample.only_seen("lost", WARNING, text, _next_rule(game, *name))


def content_findings(fluents: Sequence[str], line: SampledGame) -> Iterator[Finding]:
    """Squares that have no content, or two, in the last state."""
    facts = set(line.states[-1].facts)
    for group in content_groups(fluents, line.states[0].facts):
        held = [fluent for fluent in group if fluent in facts]
        if len(held) != 1:
            square = group[0].rpartition(",")[0]
            has = f"has two contents: {' and '.join(held[:2])}" if held else "has no content left"
            text = f"{square},_) {has}, though each has one at the start"
            yield Finding("content", WARNING, text, witness=line.witness)
            return


def _made_by(game: Game, line: SampledGame, place: int, facts: Sequence[str]) -> str:
    """The rules that give facts of a state, in brackets."""
    if place:
        rules = DerivingRules(game, ("next", 1))
        before, joint = line.states[place - 1], line.joints[place - 1]
        moves = DerivingRules(game, ("legal", 2)).of(before)
        found = rules.of(before, joint)
        asked = [found.get(fact, []) for fact in facts]
        return _in_brackets([*asked, *(moves[m] for m in joint.values() if m != _NOOP)])
    found = DerivingRules(game, ("init", 1)).of(line.states[0])
    return _in_brackets(found.get(fact, []) for fact in facts)


def _in_brackets(places: Iterable[Sequence[str]]) -> str:
    """Some places of rules, each once."""
    found = dict.fromkeys(place for its in places for place in its)
    return f" ({', '.join(found)})" if found else ""


def _name(fluent: str) -> tuple[str, int]:
    symbol = known_symbol(fluent)
    try:
        return symbol.name, len(symbol.arguments)
    except RuntimeError:  # a number or a text
        return fluent, 0


def _next_rule(game: Game, name: str, arity: int) -> str:
    heads = [f"{kind}({name}{'(' if arity else ')'}" for kind in ("next", "init")]
    rules = [rule_of(statement) for statement in game.encoding.statements("base")]
    for head in heads:
        for rule in rules:
            if rule.head and str(rule.head.node).startswith(head):
                return short_place(rule.statement)
    return ""
