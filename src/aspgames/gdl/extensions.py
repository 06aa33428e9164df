"""Chance, hidden information and real time: words of later game description languages.

The rules of such games can be shown and played, with each move given. But a proof or a choice of
moves that ignores these words would be wrong, so it is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..asp.statements import Rule, Signature, rule_of, short_place, shown, symbols_in

if TYPE_CHECKING:
    from ..asp.clingo_api import AST
    from .encoding import Encoding

_CHANCE = "random"
_HIDDEN = "hidden information"


def unsupported(encoding: Encoding, roles: tuple[str, ...]) -> tuple[str, ...]:
    """What of an encoding isn't supported: a sentence each, after its file and line.

    In an encoding, ``sees/2`` in the body of a rule, or ``knows`` and ``clock`` in heads and
    bodies, are predicates of its own.
    """
    rules = [rule_of(statement) for statement in encoding.statements("base")]
    heads = {signature for rule in rules for signature in rule.heads}
    bodies = {signature for rule in rules for signature in rule.body}

    def meaning(signature: Signature) -> str:
        used, made = signature in bodies, signature in heads
        if signature == ("sees", 2) and made and (encoding.is_sheet or not used):
            return f"{_HIDDEN} (GDL-II)"
        if signature[0] == "knows" and used and not made:
            return f"{_HIDDEN} (GDL-III)"
        if signature[0] == "clock" and signature[1] and used != made:
            return "real time (rtGDL)"
        return ""

    def found() -> Iterator[tuple[Rule, str]]:
        if _CHANCE in roles:
            yield (
                next(rule for rule in rules if _names_chance(rule.statement)),
                (f"the role {_CHANCE!r} means chance (GDL-II)"),
            )
        for rule in rules:
            for signature in sorted(rule.heads | rule.body):
                if meant := meaning(signature):
                    yield rule, f"{shown(signature)} means {meant}"

    first: dict[str, str] = {}
    for rule, sentence in found():
        first.setdefault(sentence, short_place(rule.statement))
    return tuple(
        f"{place}: {sentence}, which isn't supported; rename it if it means something else"
        for sentence, place in first.items()
    )


def _names_chance(statement: AST) -> bool:
    return any(str(symbol) == _CHANCE for symbol in symbols_in(statement))
