"""Programs of other dialects as encodings: those with time steps, and pyggp's rule sheets."""

import re
from collections.abc import Sequence
from pathlib import Path

from ..asp.clingo_api import AST
from ..asp.nodes import kind_of, with_atoms
from ..asp.parsing import parse, place_of
from ..asp.rewrite.step_phases import without_names
from ..asp.rewrite.time_steps import one_step_rules
from ..asp.sources import Source, read_sources
from ..asp.statements import rule_of
from ..runtime.errors import RulesError

_INCREMENTAL = re.compile(r"#include\s*<incmode>\s*\.")
_INFIX = re.compile(r"(?:\s|%.*)*[a-z_]\w*\s*[(.:]")
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
    if path.suffix == ".lp":
        dialect, rules = one_step_rules(statements)
    else:
        dialect, rules = "GDL in infix form", [*filter(None, map(_ours, statements)), _CONTROL]
    name = re.sub(r"[\W_]+", " ", path.stem).strip().capitalize()
    lines = [f"% {name}: the rules of {path.name}, which has {dialect}.", "", *rules, ""]
    return "\n".join([*lines, "#program board.", "", f'title("{name}").', ""])


def is_infix(path: Path) -> bool:
    """Whether a file looks like GDL in the infix form of pyggp: ``role(x).``"""
    try:
        return _INFIX.match(path.read_text(errors="replace")) is not None
    except OSError:
        return False


def _ours(statement: AST) -> str:
    """A rule of pyggp in our words. A role moves there only if it is in control."""
    rule = rule_of(statement)
    if ("sees", 2) in rule.heads or "role(random)" in str(statement):
        what = "chance and what roles see have no form here"
        raise RulesError(f"{place_of(statement)}: {what}: pyggp plays this game")
    if kind_of(statement) != "Rule":
        return "" if kind_of(statement) == "Program" else str(statement)

    def changed(name: str, terms: Sequence[AST]) -> tuple[str, Sequence[AST]]:
        return "possible" if (name, len(terms)) == ("legal", 2) else name, terms

    return str(without_names(with_atoms(statement, changed)))
