"""Chance, hidden information and real time: words of later game description languages.

Whoever proves something or chooses moves says which of these it can do. The others are refused:
an answer that ignores such a word would be wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from ..asp.statements import Rule, Signature, rule_of, short_place, shown, symbols_in
from ..runtime.errors import UnsupportedRules
from .predicates import CHANCE

if TYPE_CHECKING:
    from ..asp.clingo_api import AST
    from .encoding import Encoding

SEES: Signature = ("sees", 2)
WEIGHT: Signature = ("weight", 2)
_UNSUPPORTED = {
    "knows": "hidden information (GDL-III), which isn't supported: sees/2 says what a role sees",
    "clock": "real time (rtGDL), which isn't supported: a fluent such as step(1) can count plies",
}


def extensions(encoding: Encoding, roles: Sequence[str]) -> Mapping[str, str]:
    """What an encoding has of them: a sentence with file and line, by ``chance`` and ``hidden``.

    In an encoding, ``sees/2`` in the body of a rule, or ``knows`` and ``clock`` in heads and
    bodies, are predicates of its own. Raises ``UnsupportedRules`` for those of later languages.
    """
    rules = [rule_of(statement) for statement in encoding.statements("base")]
    heads, bodies = _heads_and_bodies(rules)
    first: dict[str, str] = {}
    if CHANCE in roles:
        named = next(rule for rule in rules if _names_chance(rule.statement))
        place = short_place(named.statement)
        first["chance"] = f"{place}: the role {CHANCE!r} means chance (GDL-II)"
    for rule in rules:
        for signature in sorted(rule.heads | rule.body):
            used, made = signature in bodies, signature in heads
            means = f"{short_place(rule.statement)}: {shown(signature)} means"
            if signature == SEES and made and (encoding.is_sheet or not used):
                first.setdefault("hidden", f"{means} hidden information (GDL-II)")
            if (signature[0] == "knows" and used and not made) or (
                signature[0] == "clock" and signature[1] and used != made
            ):
                why = _UNSUPPORTED[signature[0]]
                raise UnsupportedRules(f"{means} {why}; rename it if it means something else")
    return first


def is_weighted(encoding: Encoding, roles: Sequence[str]) -> bool:
    """Whether ``weight/2`` gives chances: not without chance, nor where a sheet's rules use it."""
    heads, bodies = _heads_and_bodies(map(rule_of, encoding.statements("base")))
    return CHANCE in roles and WEIGHT in heads and not (encoding.is_sheet and WEIGHT in bodies)


def _heads_and_bodies(rules: Iterable[Rule]) -> tuple[set[Signature], set[Signature]]:
    rules = list(rules)
    return {s for rule in rules for s in rule.heads}, {s for rule in rules for s in rule.body}


def _names_chance(statement: AST) -> bool:
    return any(str(symbol) == CHANCE for symbol in symbols_in(statement))
