"""The disputed move, and the rules' reasons."""

from itertools import islice

import clingo

from ...asp.symbols import parse_symbol
from ...game.board import parse_square
from ...game.explain import Explanation
from ...game.game import State
from ...runtime.errors import AspgamesError
from ..compare.disagreement import Disagreement
from ..engines.engine import Answer, Turn


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
        sizes = [forms.get(name, "").count("@") for name in names]
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
    if symbol is None or symbol.type is not clingo.SymbolType.Function:
        return fluent, 0
    return symbol.name, len(symbol.arguments)
