"""Checks the arguments of a ``Batch``."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..game.game import Game, chooses_jointly
from ..game.state import State
from ..runtime.arguments import quote
from ..runtime.call_arguments import whole_number
from ..runtime.errors import BadRequest

Where = int | slice | Sequence[int] | Sequence[bool] | npt.NDArray[Any] | None
"""Some of a batch's states: a number, numbers, a mask, a slice, or None for all."""
Given = State | str | Iterable[State | str]
"""A position, or one for each state."""

_LARGEST = 2**31 - 1  # the largest move number that the kernel can represent


def read_positions(given: Given) -> list[State | str]:
    """Positions as a list. Raises ``BadRequest``."""
    try:
        found = [given] if isinstance(given, State | str) else list(given)
    except TypeError:
        found = [given]  # type: ignore[list-item]
    for position in found:
        if not isinstance(position, State | str):
            raise BadRequest(f"a position is a State or a text, not {quote(position)}")
    return found


def read_count(n: int | None, start: Given | None, positions: Sequence[State | str]) -> int:
    """The number of states. Raises ``BadRequest``."""
    several = None if start is None or isinstance(start, State | str) else len(positions)
    if n is None:
        if several is None:
            raise BadRequest("give the number of states")
        n = several
    n = whole_number(n, "the number of states", 1)
    if several not in (None, n):
        raise BadRequest(f"there are {several} positions for {n} states")
    return n


def read_seed(seed: int) -> int:
    """A seed as an ``int``. Raises ``BadRequest``."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed < 2**64:
        raise BadRequest(f"the seed must be a whole number from 0 to 2**64 - 1, not {quote(seed)}")
    return int(seed)


def read_joint(joint: bool | None, game: Game) -> bool:
    """Whether a batch is joint; by default as at the game's start. Raises ``BadRequest``."""
    return chooses_jointly(game) if joint is None else read_flag("joint", joint)


def check_state_of(state: State, game: Game) -> State:
    """Check that a state is one of a game, and return it. Raises ``BadRequest``."""
    if state.game != game:
        raise BadRequest(f"a state of {state.game!r} is not a state of {game!r}")
    return state


def read_flag(name: str, value: bool) -> bool:
    """Check a flag, and return it. Raises ``BadRequest``."""
    if not isinstance(value, bool):
        raise BadRequest(f"{name} must be True or False, not {quote(value)}")
    return value


def read_where(where: Where, count: int) -> npt.NDArray[np.int64]:
    """The numbers of the chosen states. Raises ``BadRequest``."""
    if where is None or isinstance(where, slice):
        try:
            return np.arange(count)[slice(None) if where is None else where]
        except (TypeError, ValueError):
            raise BadRequest(f"{quote(where)} is not a slice of {count} states") from None
    chosen = _array(where)
    if chosen.size == 0 and chosen.ndim == 1 and isinstance(where, Sequence):
        return np.empty(0, np.int64)
    if chosen.dtype.kind == "b" and chosen.shape == (count,):
        return np.flatnonzero(chosen)
    if chosen.dtype.kind not in "iu" or chosen.ndim > 1:
        raise BadRequest(
            f"states are named by whole numbers or by {count} flags, not by {quote(where)}"
        )
    chosen = np.atleast_1d(chosen)
    wrong = (chosen < -count) | (chosen >= count)
    if wrong.any():
        raise BadRequest(f"there is no state {chosen[wrong][0]}: there are {count}")
    return chosen.astype(np.int64) % count


def read_moves(moves: npt.ArrayLike, count: int, roles: int) -> npt.NDArray[Any]:
    """Numbers of moves: one for each state, or for each state and role. Raises ``BadRequest``."""
    given = _array(moves)
    if given.dtype.kind not in "iu":
        raise BadRequest(f"moves are an array of whole numbers, not {quote(moves)}")
    if given.shape not in ((count,), (count, roles)):
        raise BadRequest(
            f"moves have the shape ({count},) or ({count}, {roles}): one for each state, or for "
            f"each state and role; not {given.shape}"
        )
    return given


def within_32_bits(moves: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Clip move numbers to 32 bits; wrong numbers stay wrong."""
    limits = np.iinfo(moves.dtype)
    if limits.max <= _LARGEST:
        return moves
    clipped: npt.NDArray[Any] = np.clip(moves, max(limits.min, -2), _LARGEST)
    return clipped


def _array(given: Any) -> npt.NDArray[Any]:
    """An argument as an array; an invalid one becomes an object array."""
    try:
        return np.asarray(given)
    except (TypeError, ValueError):
        return np.empty((), np.object_)
