"""Policies: functions of users that choose moves."""

import runpy
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib import import_module

from ...game.move import Move
from ...game.state import State
from ...runtime.errors import AspgamesError, BadRequest

Policy = Callable[[State, str], Move | str]
"""Chooses a move of a role in a state, in any form."""


class ByState:
    """A player that sees states: a function from a state and a role to a move in any form.

    >>> from aspgames.gymnasium import ByState, env
    >>> first = ByState(lambda state, role: state.legal[role][0])
    >>> game = env("tictactoe", opponent=first)
    """

    def __init__(self, choose: Policy) -> None:
        self._choose = choose

    def __call__(self, state: State, role: str) -> Move:
        """The legal move of a role. Raises ``IllegalMove`` and ``BadMove``."""
        only = state.legal[role]
        return only[0] if len(only) == 1 else state.legal_move(role, self._choose(state, role))

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
        raise BadRequest(f"{name}: {_told(error)}") from None
    if not callable(found):
        raise BadRequest(f"{name}: {place} has no function {function!r}")

    def choose(state: State, role: str) -> Move | str:
        try:
            move: Move | str = found(state, role)
        except AspgamesError:
            raise
        except Exception as error:
            raise BadRequest(f"{name}: {_told(error)}") from None
        return move

    return ByState(choose)


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
