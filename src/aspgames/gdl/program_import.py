"""Programs of other dialects as encodings: those with time steps, and pyggp's rule sheets."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..asp.clingo_api import AST
from ..asp.dependencies import Dependencies
from ..asp.nodes import kind_of, with_atoms
from ..asp.parsing import parse, place_of
from ..asp.rewrite.step_phases import without_names
from ..asp.rewrite.time_steps import one_step_rules
from ..asp.sources import Source, read_sources
from ..asp.statements import DOES, TRUE, Rule, Signature, rule_of
from ..runtime.errors import RulesError

_INCREMENTAL = re.compile(r"#include\s*<incmode>\s*\.")
_INFIX = re.compile(r"(?:\s|%.*)*[a-z_]\w*\s*[(.:]")
_SEES = ("sees", 2)
_GOAL = re.compile(r"^goal\(.*?,(-?\d+)\)(?: :-|\.)")
_CONTROL = """
% Who isn't in control waits.
legal(R,M) :- possible(R,M), true(control(R)).
legal(R,noop) :- role(R), not true(control(R))."""


def encoding_of_program(path: Path) -> str:
    """A program with time steps (``asp.rewrite.time_steps``), or pyggp's sheet, as an encoding.

    Raises ``RulesError`` for a file that can't be read or rewritten.
    """
    sources = read_sources(path.absolute())
    bare = [Source(Path(s.path.name), _INCREMENTAL.sub("", s.text)) for s in sources]
    statements = [statement for source in bare for statement in parse(source, comments=True)]
    board = list[str]()
    if path.suffix == ".lp":
        dialect, rules = one_step_rules(statements)
    else:
        dialect, (rules, board) = "GDL in infix form", _infix_rules(statements)
    name = re.sub(r"[\W_]+", " ", path.stem).strip().capitalize()
    lines = [f"% {name}: the rules of {path.name}, which has {dialect}.", "", *rules, ""]
    return "\n".join([*lines, "#program board.", "", f'title("{name}").', *board, ""])


def is_infix(path: Path) -> bool:
    """Whether a file looks like GDL in the infix form of pyggp: ``role(x).``"""
    try:
        return _INFIX.match(path.read_text(errors="replace")) is not None
    except OSError:
        return False


def _infix_rules(statements: Sequence[AST]) -> tuple[list[str], list[str]]:
    """A sheet of pyggp in our words: the rules, and what belongs to the board's part.

    A role moves there only if it is in control. It sees something of the state that a move reaches:
    ``true/1`` is ``later/1`` in the rules of ``sees/2``, and in copies of those that they need.
    Goals from -N to N become 0 to 100.
    """
    every = [rule_of(one) for one in statements if kind_of(one) != "Program"]
    below = Dependencies(every)
    heads = {head for rule in every for head in rule.heads}
    later = {h for h in heads if below.reaches(_SEES, h) and below.reaches(h, TRUE)} - {_SEES}
    goals = [int(value) for rule in every for value in _GOAL.findall(str(rule.statement))]
    most = max(map(abs, goals), default=0)
    mapped = {("goal", 2): "worth"} if min(goals, default=0) < 0 and 1 < most <= 50 else {}
    names = {("legal", 2): "possible", **mapped}
    rules, ends = list[str](), [_CONTROL]
    if _SEES in heads:
        names |= {("next", 1): "later"}
        ends.append("\n% The state that a move reaches.\nnext(F) :- later(F).")
    for rule in every:
        if _SEES not in rule.heads:
            rules.append(_renamed(rule, names))
        if rule.heads & {_SEES, *later}:
            if rule.body & {DOES, ("next", 1)}:
                what = "a role sees something of the state that moves reach, not of the moves"
                raise RulesError(f"{place_of(rule.statement)}: {what}")
            copies = {signature: f"{signature[0]}_later" for signature in later}
            rules.append(_renamed(rule, {**copies, TRUE: "later"}))
    if not mapped:
        return [*rules, *ends], []
    value = f"50+{50 // most}*V"
    ends.append(
        f"\n% Goals from -{most} to {most} are mapped to 0 to 100.\ngoal(R,{value}) :- worth(R,V)."
    )
    return [*rules, *ends], [f"goal_payoff({value},V) :- V = -{most}..{most}."]


def _renamed(rule: Rule, names: Mapping[Signature, str]) -> str:
    """A rule with other names for some predicates."""

    def changed(name: str, terms: Sequence[AST]) -> tuple[str, Sequence[AST]]:
        return names.get((name, len(terms)), name), terms

    if kind_of(rule.statement) != "Rule":
        return str(rule.statement)
    return str(without_names(with_atoms(rule.statement, changed)))
