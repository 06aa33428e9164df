"""What the environments for reinforcement learning have in common: masks, rewards, pictures."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ..game.game import Game, State, is_stuck, load
from ..game.move import Move
from ..propnet.array_layout import Floats
from ..runtime.arguments import told
from ..runtime.errors import BadMove, BadPosition, BadRequest
from ..runtime.optional_imports import optional_package

Mask = npt.NDArray[np.int8]
Frame = str | npt.NDArray[np.uint8] | None

Opponent = Callable[[Floats, Mask], npt.ArrayLike]
"""Chooses moves for others: from observations and masks, a state a row, an action for each."""

RENDER_MODES: Final = ["human", "ansi", "svg", "rgb_array"]
ILLEGAL: Final = -1.0
"""The reward of who makes a move that isn't legal: that of a loss."""
INSTALL: Final = "aspgames[rl]"


def game_of(game: str | PathLike[str] | Game, constants: dict[str, Any]) -> Game:
    """A game as environments are given it. Raises as ``load`` does, and ``BadRequest``."""
    if not isinstance(game, Game):
        return load(game, **constants)
    if constants:
        raise BadRequest(f"a Game has its constants already: {', '.join(constants)} can't be set")
    return game


def start_of(game: Game, start: Any) -> State:
    """Where games begin: the game's start unless a position is given.

    Raises ``BadPosition`` and ``BadRequest``.
    """
    state = game.initial if start is None else start
    state = state if isinstance(state, State) else game.position(state)
    if state.game != game:
        raise BadRequest(f"a state of {state.game!r} is none of {game!r}")
    if state.is_terminal:
        raise BadPosition("where an environment begins the game can't be over")
    if is_stuck(state):
        raise BadPosition("where an environment begins each role must have a move")
    game.observation.of(state)  # so it is one to which play leads
    return state


def role_of(game: Game, role: Any) -> str:
    """The role that learns, the first unless one is given. Raises ``BadRequest``."""
    if role is None:
        return game.roles[0]
    if role not in game.roles:
        raise BadRequest(f"role must be {' or '.join(game.roles)}, not {told(role)}")
    found: str = role
    return found


def check_opponent(opponent: Any) -> Any:
    """Who plays the other roles. Raises ``BadRequest``."""
    if opponent != "random" and not callable(opponent):
        raise BadRequest(f'opponent is "random" or a function, not {told(opponent)}')
    return opponent


def check_mode(render_mode: Any) -> str | None:
    """A render mode. Raises ``BadRequest``."""
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise BadRequest(
            f"render_mode must be {', '.join(RENDER_MODES)} or None, not {told(render_mode)}"
        )
    found: str | None = render_mode
    return found


def choosers(state: State) -> tuple[str, ...]:
    """The roles that an environment asks for a move in a state.

    That is the one on move; where several choose at once, those that have a choice; and all of
    them where nobody has one.
    """
    mover = state.to_move
    if mover is not None and state.others_wait:
        return (mover,)
    legal = state.legal
    return tuple(r for r in legal if r == mover or len(legal[r]) > 1) or tuple(legal)


def mask_of(state: State, role: str) -> Mask:
    """Which moves a role may make: int8, 1 for those, as ``Discrete.sample`` wants it."""
    moves = state.game.moves
    mask = np.zeros(len(moves), np.int8)
    legal = state.legal_moves if role == state.to_move else state.legal.get(role, ())
    for move in legal:
        mask[moves.index(move)] = 1
    return mask


def move_of(game: Game, action: Any) -> Move:
    """The move of a number. Raises ``BadMove``."""
    whole = isinstance(action, int | np.integer) and not isinstance(action, bool)
    if isinstance(action, np.ndarray) and action.dtype.kind in "iu" and not action.ndim:
        whole = True
    if not whole or not 0 <= int(action) < len(game.moves):
        raise BadMove(
            f"an action is a whole number from 0 to {len(game.moves) - 1}, not {told(action)}"
        )
    return game.moves[int(action)]


def replies(opponent: Opponent, seen: Floats, masks: Mask) -> npt.NDArray[Any]:
    """What an opponent does in some states. Raises ``BadRequest``."""
    moves = np.asarray(opponent(seen, masks))
    if moves.dtype.kind not in "iu" or moves.shape != (len(seen),):
        raise BadRequest(
            f"an opponent gives a whole number for each state, {len(seen)} here, not {told(moves)}"
        )
    return moves


def reward_of(goal: int) -> float:
    """What a goal value is worth when the game is over: from -1 for 0 to 1 for 100."""
    return goal / 50 - 1


def frame(state: State, mode: str | None) -> Frame:
    """A state as a render mode has it; ``human`` prints it."""
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
    """A picture as an array of its pixels: uint8, (height, width, 3)."""
    from io import BytesIO

    from ..game.picture.png import png_of

    image = optional_package("PIL.Image", "rgb_array", INSTALL)
    with image.open(BytesIO(png_of(svg))) as picture:
        return np.array(picture.convert("RGB"))
