"""Turns in UCI: all plies of one side's turn form one UCI move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from ...asp.terms import shorten
from ...game.move import Move
from ...game.notation.uci_notation import coordinates, label, turn_label
from ...game.state import State
from ...runtime.errors import AspgamesError, IllegalMove

FoundTurn = tuple[tuple[Move, ...], State]
"""The plies of a turn or of its first part, and the state after them."""

_NULL_MOVE = "0000"  # UCI's, for a pass
_BETWEEN = ";"  # between plies that are written as terms


def turn_text(state: State, plies: Sequence[Move]) -> str:
    """The text of a turn or its first plies: squares (``d1d7,d7g7``, ``a7a8q``), or else terms.

    It has squares if ``read_turn`` finds exactly this turn by them.
    """
    named = turn_label(state.game.vocabulary.notation, [move.term for move in plies])
    text = coordinates(named)
    if (
        named
        and label(text) == named
        and [found for found, _ in _by_label(state, named)] == [tuple(plies)]
    ):
        return text
    return _BETWEEN.join(move.term for move in plies)


def turns(state: State) -> Iterator[FoundTurn]:
    """Every turn of the side on move, with the state after it."""
    for move in state.legal_moves:
        after = state.play(move)
        if _goes_on(state, after):
            yield from (((move, *rest), end) for rest, end in turns(after))
        else:
            yield (move,), after


def made_whole(state: State, plies: Sequence[Move]) -> tuple[Move, ...]:
    """A complete turn that begins with ``plies``; the first legal moves complete it."""
    found = list(plies)
    for move in plies[:-1]:
        state = state.play(move)
    while _goes_on(state, after := state.play(found[-1])) and after.legal_moves:
        state = after
        found.append(state.legal_moves[0])
    return tuple(found)


def begins(turn: Sequence[Move], wanted: Iterable[tuple[Move, ...]]) -> bool:
    """Whether a turn begins with the plies of one of ``wanted``."""
    return any(tuple(turn[: len(plies)]) == plies for plies in wanted)


def read_turn(state: State, text: str) -> FoundTurn:
    """Read a turn: terms, squares, or one ply in the game's notation, as in ``Nf3``.

    A complete turn is preferred to the first part of one. Raises ``IllegalMove``.
    """
    if state.is_terminal:
        raise IllegalMove("the game is over")
    found = _by_terms(state, text.split(_BETWEEN)) or _by_label(state, label(text))
    if len(found) > 1:
        terms = [_BETWEEN.join(move.term for move in plies) for plies, _ in found[:2]]
        raise IllegalMove(f"{shorten(text)!r} may be {' or '.join(terms)}: give one of these")
    if found:
        return found[0]
    try:
        move = state.legal_move(state.to_move or "", "pass" if text == _NULL_MOVE else text)
    except AspgamesError:
        raise IllegalMove(f"{shorten(text)!r} is no legal move of {state.to_move}") from None
    return (move,), state.play(move)


def _by_terms(state: State, terms: Sequence[str]) -> list[FoundTurn]:
    """The plies with these terms, and the state after them, if they are legal."""
    plies, after = list[Move](), state
    for term in terms:
        move = next((move for move in after.legal_moves if move.term == term), None)
        if move is None or (plies and not _goes_on(state, after)):
            return []
        plies.append(move)
        after = after.play(move)
    return [(tuple(plies), after)]


def _by_label(state: State, named: str) -> list[FoundTurn]:
    """The whole turns with a label; without such a turn, the first parts of turns with it."""
    found = list(_fitting(state, named))
    return [each for each in found if not _goes_on(state, each[1])] or found


def _fitting(state: State, named: str, last: str = "") -> Iterator[FoundTurn]:
    """The plies with a label, after a ply that ended on the square ``last``."""
    squares, equals, promotion = named.partition("=")
    names = squares.split()
    for count in range(len(names) + 1):
        rest = names[count:]
        sign = "" if rest else equals + promotion
        # The square on which the last ply ended is named once.
        for begun in filter(
            None, {" ".join(names[:count]), " ".join([last, *names[:count]]).strip()}
        ):
            for move in _moves_by_label(state).get(begun + sign, ()):
                after = state.play(move)
                if not rest:
                    yield (move,), after
                if _goes_on(state, after):
                    left = " ".join(rest) + (equals + promotion if rest else "")
                    for plies, end in _fitting(after, left, begun.split()[-1]):
                        yield (move, *plies), end


@lru_cache(maxsize=64)
def _moves_by_label(state: State) -> Mapping[str, Sequence[Move]]:
    """The legal moves, by the labels of these plies."""
    found: dict[str, list[Move]] = {}
    forms = state.game.vocabulary.notation
    for move in state.legal_moves:
        found.setdefault(turn_label(forms, [move.term]), []).append(move)
    return found


def _goes_on(state: State, after: State) -> bool:
    """Whether the same side is still on move in ``after``."""
    alone = len(state.game.roles) == 1
    return not alone and not after.is_terminal and after.to_move == state.to_move
