"""Gymnasium environments: games of one role, or of one against opponents."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt

from ..game.game import Game, State, chooses_jointly, is_stuck
from ..play.batch_arguments import read_flag
from ..propnet.array_layout import Floats
from ..runtime.errors import BadRequest, IllegalMove
from ..runtime.optional_imports import optional_package
from .environment import (
    ILLEGAL,
    INSTALL,
    RENDER_MODES,
    Frame,
    Opponent,
    check_mode,
    check_opponent,
    choosers,
    frame,
    game_of,
    mask_of,
    move_of,
    replies,
    reward_of,
    role_of,
    start_of,
)

optional_package("gymnasium", "aspgames.gymnasium", INSTALL)

import gymnasium  # noqa: E402
from gymnasium import spaces  # noqa: E402

from .gymnasium_vector import VectorGameEnv  # noqa: E402

ID = "aspgames/Game-v0"
"""What ``gymnasium.make`` calls the environment, with a ``game=`` and its constants."""

__all__ = ["ID", "GameEnv", "Opponent", "VectorGameEnv", "env", "vector_env"]


def env(game: str | PathLike[str] | Game, **options: Any) -> gymnasium.Env[Floats, np.int64]:
    """A ``GameEnv`` with Gymnasium's usual wrappers, as ``gymnasium.make`` gives it.

    ``options`` are those of ``GameEnv`` and of ``gymnasium.make``, such as ``max_episode_steps``,
    and the game's constants.
    """
    return gymnasium.make(ID, game=game, **options)


def vector_env(game: str | PathLike[str] | Game, num_envs: int, **options: Any) -> VectorGameEnv:
    """So many games at once; ``options`` are those of ``VectorGameEnv``, and constants."""
    return VectorGameEnv(game, num_envs, **options)


class GameEnv(gymnasium.Env[Floats, np.int64]):
    """A game of one role, or of one role against others. It pickles in the middle of a game, too.

    An observation is that of ``game.observation``, an action a move's number in ``game.moves``.
    ``info["action_mask"]`` says which are legal, as ``action_space.sample`` wants it;
    ``action_masks()`` says it as sb3-contrib's ``MaskablePPO`` does. When the game is over the
    reward is the role's goal value of 0 to 100, from -1 to 1; before, it is 0. A move that isn't
    legal ends the game with -1, and ``info["illegal"]`` says why it isn't. Where a role has no
    move, though the game isn't over, it is truncated.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        game: str | PathLike[str] | Game,
        *,
        role: str | None = None,
        opponent: str | Opponent = "random",
        start: State | str | None = None,
        joint: bool | None = None,
        render_mode: str | None = None,
        **constants: int | str,
    ) -> None:
        """Make the environment of a game by its name or path, with its constants, or of a ``Game``.

        ``role`` is who learns, the game's first unless given. All others are played by the
        ``opponent``: ``"random"``, or a function of observations (k, *shape) and masks (k, moves)
        that gives k actions; here k is 1. ``start`` is where games begin. ``joint`` says whether
        roles choose at once: unless given, if they do so at the game's start. The role is asked for
        a move in every state then, else when it is on move, or several are.

        Raises what ``load`` and ``game.moves`` raise, and ``BadRequest`` and ``BadPosition`` for
        other arguments that make no sense.
        """
        self.game = game_of(game, constants)
        self.role = role_of(self.game, role)
        self.render_mode = check_mode(render_mode)
        self._opponent = check_opponent(opponent)
        self._start = self._state = start_of(self.game, start)
        self._joint = chooses_jointly(self.game) if joint is None else read_flag("joint", joint)
        self._is_over = True
        self.observation_space = spaces.Box(0, 1, self.game.observation.shape, np.float32)
        self.action_space = spaces.Discrete(len(self.game.moves))

    @property
    def position(self) -> State:
        """The state that the game is in."""
        return self._state

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        """Begin a game, where ``options["start"]`` says or else where all do.

        The seed settles what a random opponent does.
        """
        super().reset(seed=seed)
        given = (options or {}).get("start")
        self._state = self._start if given is None else start_of(self.game, given)
        self._is_over = False
        self._wait()
        return self._seen()

    def step(self, action: Any) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """Play a move, and what the others answer until there is one to be made again.

        Raises ``BadMove`` for what is no action, and ``BadRequest`` when the game is over.
        """
        if self._is_over:
            raise BadRequest("the game is over, or hasn't begun: reset the environment")
        illegal = None
        if not self._is_at_an_end:  # the others may have ended it before the first move
            move = move_of(self.game, action)
            try:
                own = self._state.legal_move(self.role, move)
            except IllegalMove as error:
                illegal = str(error)
            else:
                self._state = self._state.play({self.role: own, **self._others()})
                self._wait()
        self._is_over = illegal is not None or self._is_at_an_end
        seen, info = self._seen()
        if illegal is not None:
            info["illegal"] = illegal
            return seen, ILLEGAL, True, False, info
        over = self._state.is_terminal
        reward = reward_of(self._state.goals[self.role]) if over else 0.0
        return seen, reward, over, self._is_over and not over, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal now."""
        return mask_of(self._state, self.role).view(np.bool_)

    def render(self) -> Frame:
        """The position as the render mode has it: printed, a text, an SVG text, or pixels."""
        return frame(self._state, self.render_mode)

    def _wait(self) -> None:
        """Play on until the role is to make a move."""
        while not (self._joint or self._is_at_an_end or self._is_asked):
            self._state = self._state.play(self._others())
        if self.render_mode == "human":
            self.render()

    @property
    def _is_at_an_end(self) -> bool:
        return self._state.is_terminal or is_stuck(self._state)

    @property
    def _is_asked(self) -> bool:
        return self.role in choosers(self._state)

    def _others(self) -> dict[str, Any]:
        """What the others do that are asked for a move."""
        asked = [role for role in choosers(self._state) if role != self.role]
        return {role: self._reply(role) for role in asked}

    def _reply(self, role: str) -> Any:
        mask = mask_of(self._state, role)
        if not callable(self._opponent):
            return self.game.moves[int(self.np_random.choice(np.flatnonzero(mask)))]
        seen = self.game.observation.of(self._state)
        (action,) = replies(self._opponent, seen[np.newaxis], mask[np.newaxis])
        return self._state.legal_move(role, move_of(self.game, action))

    def _seen(self) -> tuple[Floats, dict[str, Any]]:
        mask = mask_of(self._state, self.role)
        return self.game.observation.of(self._state), {"action_mask": mask}


if ID not in gymnasium.registry:
    gymnasium.register(
        ID,
        entry_point="aspgames.gymnasium:GameEnv",
        vector_entry_point="aspgames.gymnasium:VectorGameEnv",
    )
