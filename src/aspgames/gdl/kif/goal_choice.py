"""Sheets of the competitions from 2005 to 2008, whose rules may give a role several goal values.

GDL's specification forbids several values in terminal states. The programs of that time took the
value that they found first, or the highest one.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ...runtime.arguments import quote
from ...runtime.errors import BadConstant, RulesError

if TYPE_CHECKING:
    from ..encoding import Encoding

CONSTANT = "goals"
"""The constant that says how a sheet's goals are chosen."""
_RULES = {
    "highest": """goal(R,N) :- {0}(_,R,N), not {1}(R,N).
{1}(R,N) :- {0}(_,R,N), {0}(_,R,M), M > N.""",
    "first": """goal(R,N) :- {0}(I,R,N), not {1}(I,R).
{1}(I,R) :- {0}(I,R,_), {0}(J,R,_), J < I.""",
}
CHOICES = tuple(_RULES)
"""The values of the constant; ``first``: the value of the first rule in the sheet that has one."""
_BOARD = "\n#program board.\n"  # what follows a sheet's rules
_GOAL = "goal("


def choose_goals(encoding: Encoding, choice: object) -> Encoding:
    """A sheet whose rules give each role at most one goal value, and that has the constant.

    Lines stay. Raises ``BadConstant`` for another choice than ``CHOICES``.
    """
    from ...asp.node_details import beginning_of  # clingo: the choices' names don't need it
    from ...asp.statements import rule_of

    if choice not in _RULES:
        raise BadConstant(f"{quote(choice)} chooses no goals: give {' or '.join(CHOICES)}")
    (source,) = encoding.sources
    rules, board, rest = source.text.rpartition(_BOARD)
    if re.search(rf"\b{CONSTANT}\b(?!\()", rules):
        raise RulesError(f"{source.path}: the sheet has a symbol {CONSTANT}, so it can't be set")
    given, beaten = (_unused(name, rules) for name in ("stated_goal", "beaten_goal"))
    lines = rules.split("\n")
    places = [
        (*beginning_of(literal.node), str(number) if literal is rule.head else "_")
        for number, rule in enumerate(map(rule_of, encoding.statements("base")))
        for literal in (rule.head, *rule.literals)
        if literal and literal.signatures == (("goal", 2),)
    ]
    for line, column, number in sorted(places, reverse=True):
        after = lines[line][column + len(_GOAL) :]
        lines[line] = f"{lines[line][:column]}{given}({number},{after}"
    lines += [_RULES[str(choice)].format(given, beaten), f"#const {CONSTANT} = {choice}."]
    text = "\n".join(lines) + board + rest
    return replace(encoding, sources=(replace(source, text=text),))


def _unused(name: str, rules: str) -> str:
    while f"{name}(" in rules:
        name += "_"
    return name
