"""``pgx``: the games of Pgx, which are written in JAX. It plays games from their start only.

Its actions are numbers. Here they are texts: ``0 12`` is action 12 of the player who begins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...runtime.arguments import optional_package
from .openspiel_engine import OpenSpielEngine


class PgxEngine(OpenSpielEngine):
    """Pgx. Its states are wrapped as OpenSpiel's; a turn is one action."""

    name = "pgx"

    def _program(self) -> tuple[Callable[[str], Any], type[Exception]]:
        pgx: Any = optional_package("pgx", "--against pgx", "aspgames[pgx]")
        jax: Any = optional_package("jax", "--against pgx", "aspgames[pgx]")

        def load(name: str) -> _PgxState:
            env = pgx.make(name)
            start = jax.jit(env.init)(jax.random.PRNGKey(0))
            return _PgxState(jax.jit(env.step), start, int(start.current_player))

        return load, ValueError


@dataclass
class _PgxState:
    """A state of Pgx with OpenSpiel's methods. The first one is the game, too."""

    step: Any
    state: Any
    first: int

    def clone(self) -> _PgxState:
        return replace(self)

    new_initial_state = clone

    def apply_action(self, action: int) -> None:
        self.state = self.step(self.state, action)

    def child(self, action: int) -> _PgxState:
        return replace(self, state=self.step(self.state, action))

    def is_terminal(self) -> bool:
        return bool(self.state.terminated)

    def current_player(self) -> int:
        return -1 if self.is_terminal() else self._place(int(self.state.current_player))

    def legal_actions(self) -> Sequence[int]:
        return [] if self.is_terminal() else self.state.legal_action_mask.nonzero()[0].tolist()

    def returns(self) -> Sequence[float]:
        return [float(self.state.rewards[self._place(player)]) for player in (0, 1)]

    def action_to_string(self, action: int) -> str:
        return f"{self.current_player()} {action}"

    def _place(self, player: int) -> int:
        """0 for the player who begins, 1 for the other; and back."""
        return player ^ self.first
