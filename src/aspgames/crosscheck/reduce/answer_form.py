"""Answers that differ in their form only, so that no rule decides the disagreement."""

from __future__ import annotations

import clingo

from ...asp.symbols import parse_symbol
from ..compare.disagreement import Disagreement
from ..engines.engine import Answer


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
    """A fluent's name and number of arguments."""
    symbol = parse_symbol(fluent)
    if symbol is None or symbol.type is not clingo.SymbolType.Function:
        return fluent, 0
    return symbol.name, len(symbol.arguments)
