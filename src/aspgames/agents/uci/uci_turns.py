"""Turns in UCI: all plies of one side's turn form one UCI move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from ...asp.terms import shorten
from ...game.board import square_name
from ...game.game import State
from ...game.move import Move
from ...game.notation.move_text import count_squares, named_squares
from ...game.notation.uci_notation import coordinates, label
from ...runtime.errors import IllegalMove

_BETWEEN = ";"  # between plies that are written as terms


def turn_text(state: State, plies: Sequence[Move]) -> str:
    """The text of a turn or its first plies: squares (``d1d7,d7g7``), or else terms."""
    forms = state.game.vocabulary.notation
    counts = list(map(count_squares, forms.values()))
    named = any("?" in form for form in forms.values())
    squares = [named_squares(forms, move.term) for move in plies]
    if named or not all(squares) or len(set(counts)) < len(counts):
        return _BETWEEN.join(move.term for move in plies)
    return coordinates(_label(state, plies))


def turns(state: State) -> Iterator[tuple[tuple[Move, ...], State]]:
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


def read_turn(state: State, text: str) -> tuple[tuple[Move, ...], State]:
    """Read a turn in any notation (``d1-d7/g7``, terms); returns its plies and the state after.

    A complete turn is preferred to the first part of one. Raises ``IllegalMove``.
    """
    terms = text.split(_BETWEEN)
    for wanted in (terms, label(text).split()):
        found = list(_fitting(state, wanted, wanted is not terms)) if wanted else []
        whole = [(plies, after) for plies, after in found if not _goes_on(state, after)]
        for each in (*whole, *found):
            return each
    if state.is_terminal:
        raise IllegalMove("the game is over")
    raise IllegalMove(f"{shorten(text)!r} is no legal move of {state.to_move}")


def _fitting(
    state: State, wanted: Sequence[str], as_squares: bool, before: tuple[Move, ...] = ()
) -> Iterator[tuple[tuple[Move, ...], State]]:
    """The plies that match ``wanted``, a list of squares or of terms."""
    for move in state.legal_moves:
        plies = (*before, move)
        said = _label(state, plies).split() if as_squares else [each.term for each in plies]
        if said == wanted[: len(said)] and said:
            after = state.play(move)
            if len(said) == len(wanted):
                yield plies, after
            elif after.to_move == state.to_move:
                yield from _fitting(after, wanted, as_squares, plies)


def _goes_on(state: State, after: State) -> bool:
    """Whether the same side is still on move in ``after``."""
    alone = len(state.game.roles) == 1
    return not alone and not after.is_terminal and after.to_move == state.to_move


def _label(state: State, plies: Sequence[Move]) -> str:
    forms = state.game.vocabulary.notation
    names = (square_name(s) for move in plies for s in named_squares(forms, move.term))
    return " ".join(name for name, _ in groupby(names))
