"""PettingZoo environments: the roles are agents that act in turn or simultaneously."""

from collections.abc import Mapping
from os import PathLike
from typing import Any

import numpy as np

from ..game.game import Game
from ..game.move import Move
from ..game.state import State
from ..propnet.array_layout import Floats
from ..runtime.arguments import quote
from ..runtime.call_arguments import optional_package
from ..runtime.errors import BadRequest, IllegalMove
from . import environment
from .environment import EnvironmentState, Mask

for _module in ("gymnasium", "pettingzoo"):
    optional_package(_module, "aspgames.pettingzoo", environment.INSTALL)

from gymnasium import spaces  # noqa: E402
from pettingzoo import AECEnv, ParallelEnv  # noqa: E402
from pettingzoo.utils import wrappers  # noqa: E402

Seen = dict[str, Floats | Mask]
"""An agent's observation: ``observation`` and ``action_mask``."""


def env(game: str | PathLike[str] | Game, **options: Any) -> AECEnv:
    """Make an environment in which agents act in turn, with PettingZoo's usual wrappers.

    The agents are the roles. An action is a move's number in ``game.moves``. An agent acts when its
    role is on move. If several roles choose at once, their agents act one after the other, without
    seeing the others' choices. An agent sees ``game.observation`` and an ``action_mask``. Chance is
    no agent: it plays itself. With hidden information, an agent sees its own moves and percepts, as
    an array with a row for each ply, the last ply first; there is no ``state()``. The final reward
    is the role's goal, 0 to 100 mapped to -1 to 1; earlier rewards are 0. An illegal move ends the
    game with -1 for its agent and 0 for the others. If a role has no move in a non-terminal state,
    the game is truncated, with 0 for all agents.

    Args:
        game: A name or a path, with constants, or a ``Game``.
        **options: The options of ``TurnEnv``, and the game's constants.
    """
    found = wrappers.TerminateIllegalWrapper(raw_env(game, **options), environment.ILLEGAL)
    found = wrappers.AssertOutOfBoundsWrapper(found)
    return wrappers.OrderEnforcingWrapper(found)


class _Spaces(EnvironmentState):
    """The base of both environments. It can be pickled, even during a game."""

    def __init__(
        self,
        game: str | PathLike[str] | Game,
        *,
        render_mode: str | None = None,
        start: State | str | None = None,
        relative: bool = False,
        actions: str | None = None,
        **constants: int | str,
    ) -> None:
        """Make the environment of a game.

        Args:
            game: A name or a path, with constants, or a ``Game``.
            render_mode: ``"human"``, ``"ansi"``, ``"svg"``, ``"rgb_array"`` or None.
            start: The first position; by default the game's initial state.
            relative: Whether each agent sees and numbers everything as the first one does
                (``game.relative``): half the actions, and a policy for both agents.
            actions: A pattern of moves, as ``drop(X,_)``: moves that differ only where it has ``_``
                share an action, in Connect Four one a column. At most one of them may be legal.
            **constants: The game's constants.

        Raises:
            BadRequest: An argument is invalid.
            BadPosition: A game can't begin at ``start``.
            AspgamesError: As for ``load`` and ``game.moves``.
        """
        game = environment.game_of(game, constants)
        super().__init__(game, render_mode, start, relative, actions)
        self.metadata = {
            "name": f"{game.name}_v0",
            "render_modes": list(environment.RENDER_MODES),
            "render_fps": 2,
            "is_parallelizable": False,
        }
        self.possible_agents = list(game.players)
        self.agents: list[str] = []
        shape, count = self._views.shape, self._views.actions
        if not game.hidden:
            self.state_space = spaces.Box(0, 1, shape, np.float32)
        self.observation_spaces = {
            role: spaces.Dict(
                observation=spaces.Box(0, 1, shape, np.float32),
                action_mask=spaces.Box(0, 1, (count,), np.int8),
            )
            for role in game.players
        }
        self.action_spaces = {role: spaces.Discrete(count) for role in game.players}

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The action space of an agent: the numbers of ``game.moves``."""
        return self.action_spaces[agent]

    def state(self) -> Floats:
        """The position as an array. Raises ``NotImplementedError`` with hidden information."""
        if self.game.hidden:
            raise NotImplementedError("a state() would show what agents don't know")
        return self.game.observation.of(self._state)

    def _begin(self, options: Mapping[str, Any] | None, seed: int | None = None) -> None:
        super()._begin(options, seed)
        self.agents = list(self.possible_agents)

    def _seen(self, agent: str, asked: bool) -> Seen:
        """An agent's observation; its mask is all 0 unless it is asked for an action."""
        views, state = self._views, self._state
        mask = views.mask(state, agent) if asked else np.zeros(views.actions, np.int8)
        return {"observation": self._observe(agent), "action_mask": mask}

    def _rewards(self) -> dict[str, float]:
        goals = self._state.goals
        return {role: environment.reward_of(goals[role]) for role in self.possible_agents}


class TurnEnv(_Spaces, AECEnv):
    """The environment of ``env`` without wrappers: an illegal move raises ``IllegalMove``."""

    agent_selection: str
    """The agent that must act now."""
    _asked: tuple[str, ...]  # the agents that must still act in this ply, the current one first
    _chosen: dict[str, Move]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game, at ``options["start"]`` if given. The seed determines chance."""
        self._begin(options, seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {role: {} for role in self.agents}
        self._ask()
        self._show_to_people()

    def observe(self, agent: str) -> Seen:
        """An agent's observation; its mask is all 0 unless the agent must act in this ply."""
        return self._seen(agent, agent in self._asked and not self._is_at_an_end)

    def step(self, action: Any) -> None:
        """Play the current agent's move; None for an agent whose game is over.

        Raises ``IllegalMove``, and ``BadMove`` for an action that isn't a move's number. After an
        error, the environment is unchanged.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        move = self._views.move(action, self._state, agent)
        try:
            move = self._state.legal_move(agent, move)
        except IllegalMove as error:
            raise IllegalMove(self._why_not(error, move)) from None
        self._chosen[agent] = move
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._asked = self._asked[1:]
        if self._asked:
            self.agent_selection = self._asked[0]
            return
        self._play(self._chosen)
        if self._is_at_an_end:
            if self._state.is_terminal:
                self.rewards = self._rewards()
                self._accumulate_rewards()
            self.terminations = dict.fromkeys(self.agents, self._state.is_terminal)
            self.truncations = dict.fromkeys(self.agents, not self._state.is_terminal)
            place = self.agents.index(agent) + 1
            self.agent_selection = self.agents[place % len(self.agents)]
        else:
            self._ask()
        self._show_to_people()

    @property
    def _watcher(self) -> str:
        return self.agent_selection

    def _ask(self) -> None:
        self._chosen = {}
        self._asked = environment.choosers(self._state)
        self.agent_selection = self._asked[0]


class SimultaneousEnv(_Spaces, ParallelEnv):
    """An environment in which all agents act at the same time, with the arguments of ``TurnEnv``.

    ``step`` needs no action for an agent with a single move, such as ``noop``.
    ``infos[agent]["illegal"]`` is the reason why a move is illegal.
    """

    @property
    def _watcher(self) -> str:
        return self.possible_agents[0]

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Seen], dict[str, dict[str, Any]]]:
        """Begin a game, at ``options["start"]`` if given. The seed determines chance."""
        self._begin(options, seed)
        self._show_to_people()
        seen = {agent: self._seen(agent, True) for agent in self.agents}
        return seen, {role: {} for role in self.agents}

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[
        dict[str, Seen],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Play a move of each agent. A step after the end does nothing.

        Raises:
            BadMove: An action isn't a move's number.
            BadRequest: An agent is unknown, or an agent with a choice has no action.
        """
        agents = self.agents
        if not isinstance(actions, Mapping) or not set(actions) <= set(self.possible_agents):
            raise BadRequest(
                f"actions are given by agents, {', '.join(self.possible_agents)}: {quote(actions)}"
            )
        if not agents:
            return {}, {}, {}, {}, {}
        state = self._state
        moves = {a: self._views.move(action, state, a) for a, action in actions.items()}
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        for agent, move in moves.items():
            try:
                self._state.legal_move(agent, move)
            except IllegalMove as error:
                infos[agent]["illegal"] = self._why_not(error, move)
        illegal = any(infos.values())
        if not illegal:
            missing = [r for r in environment.choosers(self._state) if r not in moves]
            if missing and (count := len(self._state.legal[missing[0]])) > 1:
                raise BadRequest(f"say what {missing[0]} does: it has {count} moves")
            self._play(moves)
        over = illegal or self._state.is_terminal
        broken_off = not over and self._is_at_an_end
        if illegal:
            rewards = {agent: environment.ILLEGAL if infos[agent] else 0.0 for agent in agents}
        else:
            rewards = self._rewards() if over else dict.fromkeys(agents, 0.0)
        ended = over or broken_off
        seen = {agent: self._seen(agent, not ended) for agent in agents}
        self.agents = [] if ended else agents
        self._show_to_people()
        return seen, rewards, dict.fromkeys(agents, over), dict.fromkeys(agents, broken_off), infos


# The names that PettingZoo's own games have for such environments.
raw_env, parallel_env = TurnEnv, SimultaneousEnv
