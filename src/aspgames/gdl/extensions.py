"""Chance, hidden information and real time: words of later game description languages.

Whoever proves something or chooses moves says which of these it can do. The others are refused:
an answer that ignores such a word would be wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ..asp.statements import Rule, Signature, rule_of, short_place, shown, symbols_in
from .predicates import CHANCE

if TYPE_CHECKING:
    from ..asp.clingo_api import AST
    from .encoding import Encoding

SEES: Signature = ("sees", 2)
WEIGHT: Signature = ("weight", 2)


def extensions(encoding: Encoding, roles: Sequence[str]) -> Mapping[str, str]:
    """What an encoding has of them: a sentence with its file and line, by ``chance``, ``hidden``,
    ``knows`` and ``clock``.

    In an encoding, ``sees/2`` in the body of a rule, or ``knows`` and ``clock`` in heads and
    bodies, are predicates of its own.
    """
    rules = [rule_of(statement) for statement in encoding.statements("base")]
    heads, bodies = _heads_and_bodies(rules)

    def meaning(signature: Signature) -> tuple[str, str] | None:
        used, made = signature in bodies, signature in heads
        if signature == SEES and made and (encoding.is_sheet or not used):
            return "hidden", "hidden information (GDL-II)"
        if signature[0] == "knows" and used and not made:
            return "knows", "hidden information (GDL-III)"
        if signature[0] == "clock" and signature[1] and used != made:
            return "clock", "real time (rtGDL)"
        return None

    def found() -> Iterator[tuple[str, Rule, str]]:
        if CHANCE in roles:
            named = next(rule for rule in rules if _names_chance(rule.statement))
            yield "chance", named, f"the role {CHANCE!r} means chance (GDL-II)"
        for rule in rules:
            for signature in sorted(rule.heads | rule.body):
                if meant := meaning(signature):
                    yield meant[0], rule, f"{shown(signature)} means {meant[1]}"

    first: dict[str, str] = {}
    for kind, rule, sentence in found():
        first.setdefault(kind, f"{short_place(rule.statement)}: {sentence}")
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
