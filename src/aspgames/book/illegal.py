"""Why moves that somebody may try are illegal: sentences of the encoding's, for a page to tell.

An explanation rests on some facts of the position and on the absence of others, and suffices where
these are so. So a page may tell it in other positions than the one it was found in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice, zip_longest

from ..board import Board, Square
from ..errors import AspgamesError, Interrupted, LimitReached
from ..game import State
from ..notation.moves import named_squares
from .steps import Steps

_MOST = 100
"""Moves of a puzzle that are explained; what is told of others is that no such move can be made."""

Told = tuple[tuple[str, ...], tuple[int, ...], tuple[int, ...], str]
"""The squares of an illegal move that were named, as ``x,y``; the fluents that must hold for the
sentence to be so, those that mustn't, and the sentence."""


def illegal_moves(steps: Steps, state: State) -> list[Told]:
    """Why nobody on move can make some moves which the board lets one try.

    Raises what the budget of the puzzle does.
    """
    board, role = state.game.board, state.to_move
    if board is None or role is None or state.is_terminal:
        return []
    found = []
    for squares, term in islice(_tried(state, board, role), _MOST):
        steps.solved.budget.check()
        try:
            why = state.why(term)
        except (LimitReached, Interrupted):
            raise
        except AspgamesError:
            continue  # the rules can't be asked
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


def _tried(state: State, board: Board, role: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Illegal moves, each with the squares that somebody who tries it has named so far.

    They begin where something of the mover's stands, or where moves of one square would put
    something, and end on the other squares, the nearest first.
    """
    forms = state.game.vocabulary.notation
    owner, mine = state.game.vocabulary.owner, []
    for square, content in state.scene.occupied.items():
        if owner(content) == role:
            mine.append(square)
    legal = [named_squares(forms, move.term) for move in state.legal_moves]
    begun = {tuple(squares[:2]) for squares in legal}
    names = {move.term.partition("(")[0] for move in state.legal_moves}
    for name in sorted(names & forms.keys()):
        count = forms[name].count("@")
        if count == 1:
            for x, y in sorted(state.scene.occupied):
                if ((x, y),) not in begun:
                    yield (f"{x},{y}",), f"{name}({x},{y})"
            continue
        if count < 2:
            continue
        several = zip_longest(*(_from(board, square, begun) for square in sorted(mine)))
        for pair in chain.from_iterable(several):
            if pair is not None:
                # The squares that aren't named yet would be no reason: shots go back, for one.
                whole = [*pair, *[pair[0]] * (count - 2)]
                numbers = ",".join(f"{x},{y}" for x, y in whole)
                yield tuple(f"{x},{y}" for x, y in pair), f"{name}({numbers})"


def _from(
    board: Board, start: Square, begun: set[tuple[Square, ...]]
) -> Sequence[tuple[Square, Square]]:
    """Where no legal move goes to from a square, the nearest first."""

    def distance(square: Square) -> tuple[int, Square]:
        return max(abs(square[0] - start[0]), abs(square[1] - start[1])), square

    squares = ((x, y) for x in range(1, board.width + 1) for y in range(1, board.height + 1))
    ends = (s for s in squares if s != start and (start, s) not in begun)
    return [(start, end) for end in sorted(ends, key=distance)]
