"""What OpenSpiel's players see of a state: the position, or their own moves and percepts."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..game.game import Game
from ..game.view import history_text
from ..runtime.arguments import quote
from ..runtime.errors import BadRequest
from .view_observation import ViewObservation


class Observer:
    """Shows a state as the tensor of ``Game.observation``, and as text."""

    def __init__(self, rules: Game, params: Mapping[str, Any] | None) -> None:
        if params:
            raise BadRequest(f"observations have no parameters, so there is no {quote(params)}")
        self._seen = rules.observation
        self.tensor = np.zeros(int(np.prod(self._seen.shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(self._seen.shape)}

    def set_from(self, state: Any, _player: int) -> None:
        """Write a state to the tensor; it is the same for all players."""
        self.tensor[:] = self._seen.of(state.position).ravel()

    def string_from(self, state: Any, _player: int) -> str:
        """The state as text."""
        return str(state)


class ViewObserver:
    """Shows what a player knows: its own moves and percepts, as a tensor and as text."""

    def __init__(
        self, rules: Game, seen: ViewObservation, recalls: bool, params: Mapping[str, Any] | None
    ) -> None:
        """With ``recalls``, the player knows all plies, else only the last one."""
        if params:
            raise BadRequest(f"observations have no parameters, so there is no {quote(params)}")
        self._seen = seen if recalls else ViewObservation(rules, 1)
        self._first = 0 if recalls else -1
        self.tensor = np.zeros(int(np.prod(self._seen.shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(self._seen.shape)}

    def set_from(self, state: Any, player: int) -> None:
        """Write what a player knows to the tensor."""
        self.tensor[:] = self._seen.of(state.known(player)[self._first :]).ravel()

    def string_from(self, state: Any, player: int) -> str:
        """What a player knows, as text."""
        return f"{state.role_of(player)}: {history_text(state.known(player)[self._first :])}"
