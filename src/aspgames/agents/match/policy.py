"""Policies: functions of users that choose moves."""

import runpy
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib import import_module
from typing import Any

from ...game.move import Move
from ...game.state import State
from ...game.view import View
from ...runtime.errors import AspgamesError, BadRequest

Known = State | View
"""What a role knows: the state, or a view in a game with hidden information."""

Policy = Callable[[Any, str], Move | str]
"""Chooses a move of a role by what it knows (``Known``), in any form."""


class ByState:
    """A player that sees states: a function from a state and a role to a move in any form.

    >>> from aspgames.gymnasium import ByState, env
    >>> first = ByState(lambda state, role: state.legal[role][0])
    >>> game = env("tictactoe", opponent=first)
    """

    def __init__(self, choose: Policy) -> None:
        self._choose = choose

    def __call__(self, known: Known, role: str) -> Move:
        """The legal move of a role. Raises ``IllegalMove`` and ``BadMove``."""
        only = known.legal_moves if isinstance(known, View) else known.legal[role]
        if len(only) == 1:
            return only[0]
        move = self._choose(known, role)
        return known.legal_move(move) if isinstance(known, View) else known.legal_move(role, move)

    def actions(self, states: Sequence[State], role: str | None) -> list[int]:
        """The numbers of the moves of a role, or of the role on move, in some states."""
        found = [self(state, role or state.to_move or "") for state in states]
        return [state.game.moves.index(move) for state, move in zip(states, found, strict=True)]


def is_policy(name: str) -> bool:
    """Whether a player's name has the form of a policy's, and not that of a built-in player."""
    return ":" in name


@lru_cache(maxsize=8)
def policy_named(name: str) -> ByState:
    """The policy ``MODULE:FUNCTION`` or ``FILE.py:FUNCTION``. Raises ``BadRequest``.

    An exception of the function also becomes a ``BadRequest``.
    """
    place, _, function = name.rpartition(":")
    try:
        found = (
            runpy.run_path(place).get(function)
            if place.endswith(".py")
            else getattr(import_module(place), function, None)
        )
    except Exception as error:
        raise BadRequest(f"{name}: {_one_line(error)}") from None
    if not callable(found):
        raise BadRequest(f"{name}: {place} has no function {function!r}")

    def choose(known: Known, role: str) -> Move | str:
        try:
            move: Move | str = found(known, role)
        except AspgamesError:
            raise
        except Exception as error:
            raise BadRequest(f"{name}: {_one_line(error)}") from None
        return move

    return ByState(choose)


def _one_line(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
