"""Gymnasium environments: games of one role, or of one role against opponents."""

from collections.abc import Mapping
from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt

from ..agents.match.policy import ByState
from ..game.game import Game
from ..game.state import State
from ..play.batch_arguments import read_joint
from ..propnet.array_layout import Floats
from ..runtime.call_arguments import optional_package
from ..runtime.errors import BadRequest, IllegalMove
from . import environment
from .environment import EnvironmentState, Opponent

optional_package("gymnasium", "aspgames.gymnasium", environment.INSTALL)

import gymnasium  # noqa: E402
from gymnasium import spaces  # noqa: E402

from .gymnasium_vector import VectorGameEnv  # noqa: E402

ID = "aspgames/Game-v0"
"""The environment's id for ``gymnasium.make``, which also takes ``game=`` and its constants."""

__all__ = ["ID", "GameEnv", "Opponent", "VectorGameEnv", "env", "vector_env"]


def env(game: str | PathLike[str] | Game, **options: Any) -> gymnasium.Env[Floats, np.int64]:
    """Make a ``GameEnv`` with Gymnasium's usual wrappers, as ``gymnasium.make`` does.

    >>> from aspgames.gymnasium import env
    >>> game = env("breakthrough", width=4, height=5, max_episode_steps=50)
    >>> observation, info = game.reset(seed=1)
    >>> int(info["action_mask"].sum())
    10

    Args:
        game: A name, a path or a ``Game``.
        **options: Options of ``GameEnv`` and ``gymnasium.make``, and the game's constants.
    """
    return gymnasium.make(ID, game=game, **options)


def vector_env(game: str | PathLike[str] | Game, num_envs: int, **options: Any) -> VectorGameEnv:
    """Make an environment of ``num_envs`` games side by side.

    >>> from aspgames.gymnasium import vector_env
    >>> games = vector_env("breakthrough", 16, width=4, height=5)
    >>> observations, infos = games.reset(seed=1)
    >>> observations.shape, infos["action_mask"].shape
    ((16, 4, 5, 4), (16, 82))

    Args:
        game: A name, a path or a ``Game``.
        num_envs: The number of games.
        **options: Options of ``VectorGameEnv``, and the game's constants.
    """
    return VectorGameEnv(game, num_envs, **options)


class GameEnv(EnvironmentState, gymnasium.Env[Floats, np.int64]):
    """A game of one role, or of one role against others. It can be pickled, even during a game.

    Observations are those of ``game.observation``. An action is a move's number in ``game.moves``.
    ``info["action_mask"]`` flags the legal actions for ``action_space.sample``, ``action_masks()``
    for the ``MaskablePPO`` of sb3-contrib. The final reward is the role's goal, 0 to 100 mapped to
    -1 to 1; earlier rewards are 0. Chance plays itself. With hidden information, the observation is
    an array of the role's own moves and percepts, a row for each ply, the last ply first. An
    illegal move ends the game with -1, and ``info["illegal"]`` is the reason. If a role has no move
    in a non-terminal state, the game is truncated.
    """

    metadata: dict[str, Any] = {"render_modes": environment.RENDER_MODES, "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        game: str | PathLike[str] | Game,
        *,
        role: str | None = None,
        opponent: str | Opponent | ByState = "random",
        start: State | str | None = None,
        joint: bool | None = None,
        relative: bool = False,
        actions: str | None = None,
        render_mode: str | None = None,
        **constants: int | str,
    ) -> None:
        """Make the environment of a game.

        Args:
            game: A name or a path, with constants, or a ``Game``.
            role: The role that learns, by default the game's first.
            opponent: The player of all other roles: ``"random"``; ``"engine"`` or ``"solver"``,
                with 0.1 s a move; a function of observations ``(k, *shape)`` and masks
                ``(k, moves)`` that returns k actions, here k is 1; or a ``ByState``.
            start: The first position; by default the game's initial state.
            joint: Whether the role chooses a move in every state, or only when it is on move or
                several roles are. Defaults to True for games that begin with simultaneous moves.
            relative: Whether each role sees and numbers everything as the first one does
                (``game.relative``): half the actions, and a policy for both roles.
            actions: A pattern of moves, as ``drop(X,_)``: moves that differ only where it has ``_``
                share an action, in Connect Four one a column. At most one of them may be legal.
            render_mode: ``"human"``, ``"ansi"``, ``"svg"``, ``"rgb_array"`` or None.
            **constants: The game's constants.

        Raises:
            BadRequest: An argument is invalid, or no symmetry exchanges the roles.
            BadPosition: A game can't begin at ``start``.
            AspgamesError: As for ``load`` and ``game.moves``.
        """
        super().__init__(
            environment.game_of(game, constants), render_mode, start, relative, actions
        )
        self.role = environment.role_of(self.game, role)
        self._opponent = environment.check_opponent(opponent, self.game)
        self._joint = read_joint(joint, self.game)
        self._is_over = True
        self.observation_space = spaces.Box(0, 1, self._views.shape, np.float32)
        self.action_space = spaces.Discrete(self._views.actions)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        """Begin a game, at ``options["start"]`` if given.

        The seed determines a random opponent and chance.
        """
        super().reset(seed=seed)
        chance = self.game.chance
        self._begin(options, int(self.np_random.integers(2**63)) if chance else None)
        self._is_over = False
        self._wait()
        return self._seen()

    def step(self, action: Any) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """Play a move, then the other roles' moves until the role must choose again.

        Raises ``BadMove`` for an action that isn't a move's number, and ``BadRequest`` if the game
        is over.
        """
        if self._is_over:
            raise BadRequest("the game is over, or hasn't begun: reset the environment")
        illegal = None
        if not self._is_at_an_end:  # other roles may end the game before the first move
            move = self._views.move(action, self._state, self.role)
            try:
                own = self._state.legal_move(self.role, move)
            except IllegalMove as error:
                illegal = self._why_not(error, move)
            else:
                self._play({self.role: own, **self._others()})
                self._wait()
        self._is_over = illegal is not None or self._is_at_an_end
        seen, info = self._seen()
        if illegal is not None:
            info["illegal"] = illegal
            return seen, environment.ILLEGAL, True, False, info
        over = self._state.is_terminal
        reward = environment.reward_of(self._state.goals[self.role]) if over else 0.0
        return seen, reward, over, self._is_over and not over, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal actions, and all once the game is over: bool, ``(moves,)``."""
        if self._is_over or self._is_at_an_end:
            return np.ones(self._views.actions, np.bool_)
        return self._views.mask(self._state, self.role).view(np.bool_)

    def _wait(self) -> None:
        """Play the other roles' moves until the role must choose."""
        while not (
            self._joint or self._is_at_an_end or self.role in environment.choosers(self._state)
        ):
            self._play(self._others())
        self._show_to_people()

    def _others(self) -> dict[str, Any]:
        asked = [role for role in environment.choosers(self._state) if role != self.role]
        return {role: self._reply(role) for role in asked}

    def _reply(self, role: str) -> Any:
        mask = self._views.mask(self._state, role)
        if not callable(self._opponent):
            action = self.np_random.choice(np.flatnonzero(mask))
            return self._views.move(int(action), self._state, role)
        if isinstance(self._opponent, ByState):
            return self._opponent(self._state, role)
        seen = self._observe(role)
        (action,) = environment.replies(self._opponent, seen[np.newaxis], mask[np.newaxis])
        return self._state.legal_move(role, self._views.move(action, self._state, role))

    def _seen(self) -> tuple[Floats, dict[str, Any]]:
        mask = self.action_masks().view(np.int8)
        return self._observe(self.role), {"action_mask": mask}

    @property
    def _watcher(self) -> str:
        return self.role


if ID not in gymnasium.registry:
    gymnasium.register(
        ID,
        entry_point="aspgames.gymnasium:GameEnv",
        vector_entry_point="aspgames.gymnasium:VectorGameEnv",
    )
