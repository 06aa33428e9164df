"""Arguments, masks, rewards and rendering of the reinforcement learning environments."""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from io import BytesIO
from os import PathLike
from random import Random
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ..agents.match.policy import ByState
from ..game.game import Game, load
from ..game.move import Move
from ..game.state import State, is_stuck
from ..game.view import History, history_text, percept_net
from ..gdl.predicates import CHANCE
from ..play.batch import Batch
from ..play.batch_arguments import check_state_of
from ..propnet.array_layout import Floats
from ..runtime.arguments import quote
from ..runtime.call_arguments import optional_package, whole_number
from ..runtime.errors import BadMove, BadPosition, BadRequest, IllegalMove
from .action_groups import ActionGroups
from .view_observation import ViewObservation

Mask = npt.NDArray[np.int8]
Frame = str | npt.NDArray[np.uint8] | None

Opponent = Callable[[Floats, Mask], npt.ArrayLike]
"""Chooses an action for each state, from observations ``(k, *shape)`` and masks ``(k, moves)``."""


class RoleViews:
    """Observations, masks and actions of a game's roles, or those of ``Game.relative``."""

    def __init__(self, game: Game, relative: bool, actions: str | None) -> None:
        """Raises ``BadRequest`` if no proven symmetry exchanges the roles, or no move matches."""
        self._game = game
        if relative and (game.chance or game.hidden):
            raise BadRequest("relative=True is for games without chance and hidden information")
        self._relative = game.relative if relative else None
        self.histories = ViewObservation(game) if game.hidden else None
        """With hidden information, the arrays of what a role knows."""
        self._groups: ActionGroups | None = None
        if actions is not None and self._relative:
            self._groups = ActionGroups(actions, self._relative.moves)
        elif actions is not None:
            moves = game.moves
            self._groups = ActionGroups(actions, [m.term for m in moves], [m.role for m in moves])
        own = self._relative.moves if self._relative else game.moves
        self.actions = self._groups.actions if self._groups else len(own)
        """The number of actions."""

    def _movers(self, role: str, count: int) -> npt.NDArray[Any]:
        return np.full(count, self._game.roles.index(role))

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of an observation."""
        return self.histories.shape if self.histories else self._game.observation.shape

    def observe(self, state: State, role: str, history: History) -> Floats:
        """A state as a role sees it; with hidden information, its own moves and percepts."""
        if self.histories:
            return self.histories.of(history)
        if self._relative and role != self._game.roles[0]:
            state = state.mirror(self._relative.symmetry)
        return self._game.observation.of(state)

    def observe_batch(
        self, batch: Batch, role: str, where: Any = None, out: Floats | None = None
    ) -> Floats:
        """Some states of a batch as a role sees them."""
        if not self._relative:
            return self._game.observation.of_batch(batch, where, out)
        rows = batch.holds_bits_of(where).view(np.uint64)
        return self._relative.of_rows(rows, self._movers(role, len(rows)), out)

    def masks(self, masks: npt.NDArray[Any], role: str) -> npt.NDArray[Any]:
        """The actions of a role, from masks of moves, ``(n, moves)``."""
        own = self._own_masks(masks, role)
        return self._groups.masks(own) if self._groups else own

    def _own_masks(self, masks: npt.NDArray[Any], role: str) -> npt.NDArray[Any]:
        if not self._relative:
            return masks
        return self._relative.take(masks, self._movers(role, len(masks)))

    def numbers(
        self, actions: npt.NDArray[Any], masks: Callable[[], npt.NDArray[Any]], role: str
    ) -> npt.NDArray[Any]:
        """The numbers in ``game.moves`` of a role's actions, given the masks of legal moves."""
        if self._groups:
            actions = self._groups.moves(actions, self._own_masks(masks(), role), role)
        if not self._relative:
            return actions
        return self._relative.numbers(actions, self._movers(role, len(actions)))

    def mask(self, state: State, role: str) -> Mask:
        """The legal actions of a role in a state; see ``mask_of``."""
        found: Mask = self.masks(mask_of(state, role)[np.newaxis], role)[0]
        return found

    def move(self, action: Any, state: State, role: str) -> Move:
        """The move of a role's action in a state. Raises ``BadMove``."""
        number = whole_number(action, "an action", 0, self.actions - 1, BadMove)
        found = self.numbers(np.array([number]), lambda: mask_of(state, role)[np.newaxis], role)
        return self._game.moves[int(found[0])]


RENDER_MODES: Final = ["human", "ansi", "svg", "rgb_array"]
_OF_A_VIEW = "human", "ansi"  # the render modes of games with hidden information
ILLEGAL: Final = -1.0
"""The reward for an illegal move, equal to a loss."""
INSTALL: Final = "aspgames[rl]"
_OPPONENT_SECONDS = 0.1  # for a move of a named opponent
_RANDOM = Random(0)


class EnvironmentState:
    """The state of an environment, which begins at a start and can be rendered.

    Chance plays itself. With hidden information, an agent sees its own moves and percepts only.
    """

    def __init__(
        self, game: Game, render_mode: Any, start: Any, relative: bool, actions: str | None
    ) -> None:
        super().__init__()
        self.game = game
        self.render_mode = check_mode(render_mode, game)
        self._start = self._state = start_of(game, start)
        self._rng = Random()
        self._views = RoleViews(game, relative, actions)
        self._histories: dict[str, History] = {}

    @property
    def position(self) -> State:
        """The current state, with all that is hidden from agents."""
        return self._state

    def render(self) -> Frame:
        """The position in the render mode: printed, a text, an SVG text, or pixels.

        With hidden information: the history of the agent that acts, its own moves and percepts.
        """
        if not self.game.hidden:
            return frame(self._state, self.render_mode)
        agent = self._watcher
        text = f"{agent}: {history_text(self._histories.get(agent, ()))}"
        if self.render_mode == "human":
            print(text, end="\n\n", flush=True)
        return text if self.render_mode == "ansi" else None

    @property
    def _watcher(self) -> str:
        """The agent whose history is rendered."""
        raise NotImplementedError

    def _begin(self, options: Mapping[str, Any] | None, seed: int | None = None) -> None:
        """Begin at the start; the seed determines the moves of chance."""
        given = (options or {}).get("start")
        self._state = self._start if given is None else start_of(self.game, given)
        self._histories = dict.fromkeys(self.game.players, ())
        if seed is not None:
            self._rng = Random(seed)
        self._roll()

    def _play(self, moves: Mapping[str, Move]) -> None:
        """Play the moves of some roles; chance plays its own, also in the plies after them."""
        self._ply(moves)
        self._roll()

    def _roll(self) -> None:
        while self.game.chance and not self._is_at_an_end and not choosers(self._state):
            self._ply({})

    def _ply(self, moves: Mapping[str, Move]) -> None:
        state = self._state
        if state.chance:
            moves = {**moves, CHANCE: state.draw(self._rng)}
        if self.game.hidden:
            joint = state.joint(moves)
            seen = percept_net(self.game.initial).seen(state.facts, joint)
            self._histories = {
                role: (*known, (joint[role], seen[role])) for role, known in self._histories.items()
            }
        self._state = play(state, moves)

    def _observe(self, agent: str) -> Floats:
        return self._views.observe(self._state, agent, self._histories.get(agent, ()))

    def _why_not(self, error: IllegalMove, move: Move) -> str:
        """The reason why a move is illegal, without a word about what is hidden."""
        return f"{move.text} is not legal for {move.role}" if self.game.hidden else str(error)

    def _show_to_people(self) -> None:
        if self.render_mode == "human":
            self.render()

    @property
    def _is_at_an_end(self) -> bool:
        return self._state.is_terminal or is_stuck(self._state)


def game_of(game: str | PathLike[str] | Game, constants: dict[str, Any]) -> Game:
    """The game of an environment. Raises the same as ``load``, and ``BadRequest``."""
    if not isinstance(game, Game):
        game = load(game, **constants)
    elif constants:
        raise BadRequest(f"a Game has its constants already: {', '.join(constants)} can't be set")
    return game


def start_of(game: Game, start: Any) -> State:
    """The first state of an environment, by default the game's initial state.

    Raises ``BadPosition`` and ``BadRequest``.
    """
    state = game.initial if start is None else start
    state = state if isinstance(state, State) else game.position(state)
    if check_state_of(state, game).is_terminal:
        raise BadPosition("where an environment begins the game can't be over")
    if is_stuck(state):
        raise BadPosition("where an environment begins each role must have a move")
    if not game.hidden:
        game.observation.of(state)  # refuses unreachable positions
    elif percept_net(game.initial).tables.row(state.facts) is None:
        raise BadPosition("no play from the game's start leads to where the environment begins")
    return state


def role_of(game: Game, role: Any) -> str:
    """The role that learns, by default the first. Raises ``BadRequest``."""
    if role is None:
        return game.players[0]
    if role not in game.players:
        raise BadRequest(f"role must be {' or '.join(game.players)}, not {quote(role)}")
    found: str = role
    return found


def check_opponent(opponent: Any, game: Game) -> Any:
    """The player of the other roles: ``"random"`` or a function. Raises ``BadRequest``."""
    if isinstance(opponent, str) and opponent in ("engine", "solver"):
        game.refuse_unsupported(
            chance=True, but='a named opponent can\'t play: give "random" or a function'
        )
        _named(game, opponent)  # refuses a game that it can't play
        return ByState(partial(_choose_by_name, game, opponent))
    if opponent != "random" and not callable(opponent):
        raise BadRequest(
            f'opponent is "random", "engine", "solver" or a function, not {quote(opponent)}'
        )
    return opponent


@lru_cache(maxsize=8)
def _named(game: Game, name: str) -> Callable[[State, str, Random], str]:
    from .data.played_games import PLAYERS  # loaded only if necessary

    return PLAYERS[name](game, _OPPONENT_SECONDS)


def _choose_by_name(game: Game, name: str, state: State, role: str) -> str:
    """The move of a named player, made where it plays: an environment can be pickled."""
    return _named(game, name)(state, role, _RANDOM)


def check_mode(render_mode: Any, game: Game) -> str | None:
    """A render mode. Raises ``BadRequest``."""
    if game.hidden and render_mode in RENDER_MODES and render_mode not in _OF_A_VIEW:
        raise BadRequest(
            f"with hidden information render_mode must be {' or '.join(_OF_A_VIEW)}: a picture "
            "would show what agents don't know"
        )
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise BadRequest(
            f"render_mode must be {', '.join(RENDER_MODES)} or None, not {quote(render_mode)}"
        )
    found: str | None = render_mode
    return found


def choosers(state: State) -> tuple[str, ...]:
    """The players that must choose a move in a state.

    This is the role on move. If several roles move at once, these are the roles with a choice, or
    all players if none has a choice. None where only chance has one.
    """
    mover = state.to_move
    if mover is not None and state.others_wait:
        return () if mover == CHANCE else (mover,)
    players, legal = state.game.players, state.legal
    found = tuple(r for r in players if r == mover or len(legal[r]) > 1)
    return found or (() if state.chance else players)


def mask_of(state: State, role: str) -> Mask:
    """The legal moves of a role as a mask for ``Discrete.sample``: int8, ``(moves,)``."""
    moves = state.game.moves
    mask = np.zeros(len(moves), np.int8)
    legal = state.legal_moves if role == state.to_move else state.legal.get(role, ())
    mask[moves.numbers_of(legal)] = 1
    return mask


def play(state: State, moves: Mapping[str, Move]) -> State:
    """The state after moves of some roles; the others have a single one. Raises as ``State.play``
    does."""
    alone = moves.get(state.to_move or "") if len(moves) == 1 else None
    return state.play(alone or moves)


def replies(opponent: Opponent, seen: Floats, masks: Mask) -> npt.NDArray[Any]:
    """An opponent's actions in some states. Raises ``BadRequest``."""
    moves = np.asarray(opponent(seen, masks))
    if moves.dtype.kind not in "iu" or moves.shape != (len(seen),):
        raise BadRequest(
            f"an opponent gives a whole number for each state, {len(seen)} here, not {quote(moves)}"
        )
    return moves


def reward_of(goal: int) -> float:
    """The reward for a goal value at the end: from -1 for 0 to 1 for 100."""
    return goal / 50 - 1


def frame(state: State, mode: str | None) -> Frame:
    """A state in a render mode; ``human`` prints it."""
    if mode == "ansi":
        return str(state)
    if mode == "svg":
        return state.svg()
    if mode == "rgb_array":
        return pixels(state.svg())
    if mode == "human":
        print(state, end="\n\n", flush=True)
    return None


def pixels(svg: str) -> npt.NDArray[np.uint8]:
    """The pixels of a picture: uint8, ``(height, width, 3)``."""
    from ..game.picture.markup import png_of

    image = optional_package("PIL.Image", "rgb_array", INSTALL)
    with image.open(BytesIO(png_of(svg))) as picture:
        return np.array(picture.convert("RGB"))
