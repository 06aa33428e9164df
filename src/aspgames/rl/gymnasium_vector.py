"""A Gymnasium vector environment: many games side by side, on a ``Batch``."""

from collections.abc import Mapping
from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ..agents.match.policy import ByState
from ..game.game import Game
from ..game.state import State
from ..gdl.predicates import CHANCE
from ..play.batch import Batch
from ..propnet.array_layout import Floats
from ..propnet.batch_states import is_unheld
from ..propnet.lanes import Array, KernelArray
from ..runtime.arguments import quote
from ..runtime.errors import BadMove, BadRequest
from . import environment
from .environment import Opponent
from .view_observation import ViewBatch

Rewards = npt.NDArray[np.float64]
_SEEDS = 2**63


class VectorGameEnv(VectorEnv[Floats, npt.ArrayLike, Array]):
    """Many games of one role, or of one role against others, side by side.

    Observations, actions, rewards and masks are those of ``GameEnv``, one row for each game. The
    next step restarts a game that is over, and ignores its action (Gymnasium's
    ``AutoresetMode.NEXT_STEP``), so its mask has all actions. A game is truncated if the role on
    move has no move.
    ``infos["illegal"]``, if present, flags the games that ended by an illegal move.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": environment.RENDER_MODES,
        "render_fps": 2,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        game: str | PathLike[str] | Game,
        num_envs: int = 1,
        *,
        role: str | None = None,
        opponent: str | Opponent | ByState = "random",
        start: State | str | None = None,
        render_mode: str | None = None,
        joint: bool | None = None,
        relative: bool = False,
        actions: str | None = None,
        threads: int | None = None,
        **constants: int | str,
    ) -> None:
        """Make ``num_envs`` environments; arguments and exceptions are those of ``GameEnv``.

        ``threads`` threads share the work, as in a ``Batch``.
        """
        self.game = environment.game_of(game, constants)
        self.role = environment.role_of(self.game, role)
        self.render_mode = environment.check_mode(render_mode, self.game)
        self._opponent = environment.check_opponent(opponent, self.game)
        self._start = environment.start_of(self.game, start)
        self._me = self.game.roles.index(self.role)
        if self.game.hidden and self.render_mode is not None:
            raise BadRequest("many games with hidden information aren't rendered: leave it out")
        self._joint, self._threads = joint, threads
        self._views = environment.RoleViews(self.game, relative, actions)
        self.batch = self._batch(num_envs, 0)
        """The games, for reading only."""
        self.num_envs = len(self.batch)
        self._known: ViewBatch | None = None
        if self._views.histories:
            self._known = ViewBatch(self._views.histories, self._start, self.num_envs)
        self.single_observation_space = spaces.Box(0, 1, self._views.shape, np.float32)
        self.single_action_space = spaces.Discrete(self._views.actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._first_moves = np.arange(self.num_envs) * len(self.game.moves)
        self._all = np.ones(self.num_envs, np.bool_)
        self._rooms: list[KernelArray] = []
        self._is_begun = False
        self._over = self._illegal = self._stuck = np.zeros(self.num_envs, np.bool_)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        """Begin all games, or those flagged in ``options["reset_mask"]``.

        The seed determines random opponents and chance.
        """
        super().reset(seed=seed)
        which = (options or {}).get("reset_mask")
        if seed is not None or not self._is_begun:
            if which is not None:
                raise BadRequest("at first, and with a seed, all games begin: no reset_mask")
            self.batch = self._batch(self.num_envs, int(self.np_random.integers(_SEEDS)))
            self._is_begun = True
            if self._known:
                self._known.reset()
        else:
            self._reset(which)
        begun = np.zeros(self.num_envs, np.bool_)
        begun[slice(None) if which is None else which] = True
        self._over, self._illegal = self._over & ~begun, self._illegal & ~begun
        self._wait()
        return self._seen()

    def step(self, actions: npt.ArrayLike) -> tuple[Floats, Array, Array, Array, dict[str, Any]]:
        """Play a move in each game, then the other roles' moves until the role is on move.

        Raises:
            BadRequest: ``actions`` isn't one whole number for each game.
            BadMove: An action isn't a move's number.
        """
        if not self._is_begun:
            raise BadRequest("no game has begun: reset the environment")
        batch, over = self.batch, self._over
        given = self._read(actions)
        legal = self._legal().reshape(-1).take(self._first_moves + given).view(np.bool_)
        illegal = ~(legal | batch.is_terminal | self._stuck | self._illegal)
        any_illegal = illegal.any()
        staying = illegal | self._stuck | self._illegal
        where = ~staying if staying.any() else None
        moves = self._with_others(given) if batch.joint else given
        self._step(moves, where)
        if over.any():
            self._reset(over)
        self._wait()
        # Games that end before the first move end in the next step.
        ended = batch.is_terminal & ~over
        truncated = self._stuck & ~over
        rewards = np.where(ended, batch.goals[:, self._me] / 50 - 1, 0.0)
        if any_illegal:
            rewards[illegal] = environment.ILLEGAL
            ended, truncated = ended | illegal, truncated & ~illegal
        self._over, self._illegal = ended | truncated, illegal
        seen, infos = self._seen()
        if any_illegal:
            infos |= {"illegal": illegal, "_illegal": illegal}
        return seen, rewards, ended, truncated, infos

    def render(self) -> tuple[environment.Frame, ...] | None:  # type: ignore[override]
        """Each position in the render mode."""
        if self.render_mode is None:
            return None
        return tuple(environment.frame(state, self.render_mode) for state in self.batch)

    def _step(self, moves: Array, where: Array | None) -> None:
        """Play moves in all games, or in the flagged ones."""
        if self._known:
            playing = ~self.batch.is_terminal
            self._known.step(moves, playing if where is None else playing & where)
        self.batch.step(moves if where is None else moves[where], where)

    def _reset(self, where: Any) -> None:
        self.batch.reset(where)
        if self._known:
            self._known.reset(where)

    def _batch(self, count: int, seed: int) -> Batch:
        return Batch(
            self.game, count, start=self._start, seed=seed, joint=self._joint, threads=self._threads
        )

    def _read(self, actions: npt.ArrayLike) -> Array:
        given = np.asarray(actions)
        if given.dtype.kind not in "iu" or given.shape != (self.num_envs,):
            raise BadRequest(
                f"actions are {self.num_envs} whole numbers, one for each game, "
                f"not {quote(actions)}"
            )
        last = self._views.actions - 1
        wrong = (given < 0) | (given > last)
        if wrong.any():
            first = int(wrong.argmax())
            raise BadMove(f"game {first}: an action is from 0 to {last}, not {given[first]}")
        given = given.astype(np.int32, copy=False)
        return self._views.numbers(given, self._legal, self.role)

    def _with_others(self, given: Array) -> Array:
        """The move of each role in a joint batch, ``(n, roles)``."""
        going, moves = ~(self.batch.is_terminal | self._stuck), self._drawn()
        if callable(self._opponent):
            for role in self._others:
                mask = self._of_role(role)[going]
                moves[going, self.game.roles.index(role)] = self._replies(going, mask, role)
        moves[:, self._me] = given
        return moves

    @property
    def _others(self) -> list[str]:
        return [role for role in self.game.players if role != self.role]

    def _drawn(self) -> Array:
        """Random moves of chance, and of opponents that play at random; else -1."""
        batch = self.batch
        if self.game.chance or not callable(self._opponent):
            return batch.sample()
        return np.full((self.num_envs, len(self.game.roles)) if batch.joint else self.num_envs, -1)

    def _replies(self, where: Any, masks: Any, role: str) -> Any:
        """The opponent's actions in some games, for a role."""
        if isinstance(self._opponent, ByState):
            return self._opponent.actions(self.batch.states(where), role)
        seen = self._observe(role, where)
        own = self._views.masks(masks, role)
        chosen = environment.replies(self._opponent, seen, own)
        return self._views.numbers(chosen, lambda: masks, role)

    def _wait(self) -> None:
        """Play the other roles' moves until the role is on move."""
        batch, chance = self.batch, len(self.game.roles)
        if self.game.chance:
            chance = self.game.roles.index(CHANCE)
        self._stuck = np.zeros(self.num_envs, np.bool_)
        while len(self.game.roles) > 1:
            mover, over = batch.to_move, batch.is_terminal
            waits = mover == chance if batch.joint else mover != self._me
            theirs = waits & ~(over | self._stuck)
            if not theirs.any():
                break
            if (mover[theirs] < 0).any():
                raise BadRequest(
                    f"several roles of {self.game.name} move at once: make the environment with "
                    "joint=True"
                )
            stuck = theirs.copy()
            stuck[theirs] = ~batch.legal_of(theirs).any(axis=1)
            if stuck.any():
                self._stuck = self._stuck | stuck
                continue
            moves = self._drawn()
            if callable(self._opponent):
                for role in self._others:
                    here = theirs & (mover == self.game.roles.index(role))
                    if here.any():
                        moves[here] = self._replies(here, batch.legal_of(here).view(np.int8), role)
            self._step(moves, None if (theirs | over).all() else theirs)
        self._stuck = self._find_stuck()

    def _find_stuck(self) -> npt.NDArray[np.bool_]:
        """The unfinished games in which a role that must choose has no move."""
        batch, moves = self.batch, self.game.moves
        if batch.joint:
            ranges = [moves.of(role) for role in self.game.roles]
            can = np.logical_and.reduce(
                [batch.legal[:, own.start : own.stop].any(axis=1) for own in ranges]
            )
        else:
            can = batch.legal.any(axis=1)
        found: npt.NDArray[np.bool_] = ~(can | batch.is_terminal)
        return found

    def _mask(self) -> npt.NDArray[np.int8]:
        over = self._over | self._stuck | self.batch.is_terminal
        found = self._views.masks(self._legal(), self.role)
        return np.where(over[:, np.newaxis], np.int8(1), found) if over.any() else found

    def _legal(self) -> npt.NDArray[np.int8]:
        if self.batch.joint:
            return self._of_role(self.role)
        found: npt.NDArray[np.int8] = self.batch.legal.view(np.int8)
        return found

    def _of_role(self, role: str) -> npt.NDArray[np.int8]:
        own, legal = self.game.moves.of(role), self.batch.legal.view(np.int8)
        found = np.zeros_like(legal)
        found[:, own.start : own.stop] = legal[:, own.start : own.stop]
        return found

    def _seen(self) -> tuple[Floats, dict[str, Any]]:
        infos = {"action_mask": self._mask(), "_action_mask": self._all.copy()}
        return self._observe(self.role, out=self._room()), infos

    def _observe(self, role: str, where: Any = None, out: Floats | None = None) -> Floats:
        """What a role observes in some games."""
        if self._known:
            return self._known.of(role, where, out)
        return self._views.observe_batch(self.batch, role, where, out)

    def _room(self) -> Floats:
        """An array for observations: an earlier one without references, or a new one."""
        for room in self._rooms:
            if is_unheld(room):
                return room.array
        room = KernelArray(np.empty(self.observation_space.shape or (), np.float32))
        self._rooms = [*self._rooms[-1:], room]
        return room.array
