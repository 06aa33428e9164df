"""Why the rules say what they say of what is disputed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ..board import parse_square
from ..errors import AspgamesError
from ..game import Game
from ..state import State
from ..why import Explanation
from .compare import Disagreement
from .engine import Answer, Turn

_MOST_PLIES = 2  # of a turn that only the engine has


def explanation(found: Disagreement) -> Explanation | None:
    """The rules' reasons for their answer; None where they can't be asked for them.

    Of several disputed moves the first one's: one that is extra rather than one that is missing.
    """
    state = found.question.state
    try:
        if found.kind == "terminal":
            return state.why_terminal()
        if found.kind == "goals":
            return state.why_goal((*found.extra, *found.missing)[0].rpartition(" ")[0])
        return _of_move(found, state) if found.kind == "legal" else None
    except AspgamesError:
        return None


def _of_move(found: Disagreement, state: State) -> Explanation | None:
    item = (*found.extra, *found.missing)[0]
    for turn in _readings(found, state.game, item):
        if reached := _up_to_last(state, turn):
            return reached.why(turn[-1], _role(found, item))
    return None


def _readings(found: Disagreement, game: Game, item: str) -> Iterator[Turn]:
    """A disputed move as plies of ours; where only the engine has it, by the squares it names."""
    if "(" in item:
        yield (item,)
    elif turn := (found.options or {}).get(item):
        yield turn[:1]
    else:
        squares = [square for name in item.split() if (square := parse_square(name))]
        forms = game.vocabulary.notation
        for plies in range(1, _MOST_PLIES + 1):
            for names in product(forms, repeat=plies):
                counts = [forms[name].count("@") for name in names]
                if sum(counts) == len(squares):
                    rest = iter(squares)
                    yield tuple(
                        f"{name}({','.join(f'{x},{y}' for _ in range(n) for x, y in [next(rest)])})"
                        for name, n in zip(names, counts, strict=True)
                    )


def _up_to_last(state: State, turn: Turn) -> State | None:
    """Where a turn's plies but the last lead; the state where one of them isn't legal is none."""
    try:
        for ply in turn[:-1]:
            state = state.play(ply)
    except AspgamesError:
        return None
    return state


def _role(found: Disagreement, item: str) -> str | None:
    """Who would make a disputed move; None for the side on move."""
    ours, theirs = found.ours.legal or {}, found.theirs
    if not isinstance(theirs, Answer):
        return None
    for role, moves in (theirs.legal or {}).items():
        if (item in moves) != (item in ours.get(role, ())):
            return role
    return None
