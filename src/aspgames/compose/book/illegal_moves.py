"""Reasons for illegal moves that a reader may try, in the encoding's sentences.

An explanation depends on some facts of the position, and on the absence of others. A page can
therefore show it in every position that agrees with these.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice, zip_longest

from ...game.board import Board, Square
from ...game.game import State
from ...game.notation.move_text import named_squares
from ...runtime.errors import AspgamesError, Interrupted, LimitReached
from .page_steps import Steps

MOST = (70, 40)
"""The number of moves explained, in the solver's first position and in the next one. For other
moves, the page says only that they don't exist."""

_MOST_LATER = 20
"""Among these, the number of moves with the first squares of a right move."""

Told = tuple[tuple[str, ...], tuple[int, ...], tuple[int, ...], str]
"""The named squares of an illegal move, as ``x,y``; the fluents that must hold for the sentence to
be true, those that must not, and the sentence."""


def illegal_moves(steps: Steps, state: State, right: Sequence[Square], most: int) -> list[Told]:
    """Explain at most ``most`` illegal moves.

    ``right`` has the squares of a right move. Raises ``LimitReached`` if the budget is over.
    """
    board, role = state.game.board, state.to_move
    if board is None or role is None or state.is_terminal:
        return []
    found = []
    for squares, term in islice(_tried(state, board, role, right), most):
        steps.solved.budget.check()
        try:
            why = state.why(term)
        except (LimitReached, Interrupted):
            raise
        except AspgamesError:
            continue  # no explanation exists
        if why.holds:
            continue
        facts = {fact for reason in why.reasons for fact in reason.facts}
        absent = {fact for reason in why.reasons for fact in reason.absent}
        if not why.whole:
            facts = set(state.facts)
        sentence = "; ".join(dict.fromkeys(reason.text for reason in why.reasons))
        found.append(
            (
                squares,
                tuple(sorted(map(steps.fluent, facts))),
                tuple(sorted(steps.fluents[f] for f in absent if f in steps.fluents)),
                f"{sentence[:1].upper()}{sentence[1:]}.",
            )
        )
    return found


def _tried(
    state: State, board: Board, role: str, right: Sequence[Square]
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Illegal moves, each with the squares that the reader has named so far.

    They begin on the mover's pieces, or on occupied squares for moves of one square, and end on the
    other squares, the nearest first. If moves have more squares, some begin like the right one.
    """
    forms = state.game.vocabulary.notation
    owner, occupied = state.game.vocabulary.owner, state.scene.occupied
    mine = sorted(square for square, content in occupied.items() if owner(content) == role)
    legal = [tuple(named_squares(forms, move.term)) for move in state.legal_moves]
    begun = {squares[:count] for squares in legal for count in range(1, len(squares) + 1)}
    names = {move.term.partition("(")[0] for move in state.legal_moves}
    for name in sorted(names & forms.keys()):
        count = forms[name].count("@")
        if count == 1:
            tried: list[tuple[Square, ...] | None]
            tried = [(square,) for square in sorted(occupied) if (square,) not in begun]
        else:
            later = (_on_from(board, tuple(right[:n]), begun) for n in range(2, count))
            several = zip_longest(*(_on_from(board, (square,), begun) for square in mine))
            tried = [
                *islice(chain.from_iterable(zip_longest(*later)), _MOST_LATER),
                *chain.from_iterable(several),
            ]
        for squares in filter(None, tried):
            # The remaining squares must not be the reason; for one, a shot can go back.
            whole = [*squares, *[squares[0]] * (count - len(squares))]
            numbers = ",".join(f"{x},{y}" for x, y in whole)
            yield tuple(f"{x},{y}" for x, y in squares), f"{name}({numbers})"


def _on_from(
    board: Board, begun: tuple[Square, ...], legal: set[tuple[Square, ...]]
) -> list[tuple[Square, ...]]:
    """Continuations of some squares that no legal move has, the nearest first."""
    if not begun:
        return []
    last = begun[-1]

    def distance(square: Square) -> tuple[int, Square]:
        return max(abs(square[0] - last[0]), abs(square[1] - last[1])), square

    squares = ((x, y) for x in range(1, board.width + 1) for y in range(1, board.height + 1))
    ends = (square for square in squares if square != last and (*begun, square) not in legal)
    return [(*begun, end) for end in sorted(ends, key=distance)]
