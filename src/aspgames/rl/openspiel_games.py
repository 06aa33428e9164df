"""Games for OpenSpiel (``pip install aspgames[openspiel]``).

This module makes a ``pyspiel.Game`` from the rules of any game. Its states provide numbered
actions, tensors and returns for OpenSpiel's algorithms.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any
from urllib.parse import unquote

import numpy as np

from ..analysis.properties import properties
from ..game.game import Game
from ..game.game import load as load_rules
from ..game.state import State, is_stuck
from ..play.batch import Batch
from ..runtime.arguments import optional_package, told, whole_number
from ..runtime.errors import BadConstant, BadRequest, IllegalMove
from .environment import move_of, play

pyspiel: Any = optional_package("pyspiel", "aspgames.openspiel", "aspgames[openspiel]")

SHORT_NAME = "aspgames"
"""OpenSpiel's name for all of these games; the parameter ``game`` selects one."""

_TERMINAL = int(pyspiel.PlayerId.TERMINAL)

LONGEST = 1000
"""The limit on a game's plies if no bound on its length is proved."""

_RESERVED = "%(),=\n"
"""Characters that OpenSpiel can't read in a parameter's text; they are percent-encoded."""

_PARAMETERS: dict[str, Any] = {
    "game": "",
    "const": {"name": ""},
    "max_game_length": 0,
    "prove": False,
}


def load(
    game: str | PathLike[str],
    /,
    *,
    max_game_length: int = 0,
    prove: bool = False,
    progress: Callable[[str], None] | None = None,
    **constants: int | str,
) -> pyspiel.Game:
    """Load a game as a ``pyspiel.Game``.

    Actions are numbered as in ``Game.moves``, players as in ``Game.roles``. The goals 0, 50 and 100
    are the utilities -1, 0 and 1. ``aspgames.properties`` proves the properties of the game type,
    by default those that it can prove quickly.
    Without a proof that roles take turns, all roles act at once in every state. Without a proof
    that goals have a constant sum, the game has general sum.

    Args:
        game: As for ``aspgames.load``.
        max_game_length: The number of plies after which a game is broken off without a winner; by
            default the proved bound, or else ``LONGEST``. A game is also broken off if a role has
            no move in a non-terminal state.
        prove: Whether to look for all proofs, also about large games. This takes up to 20 seconds,
            once.
        progress: Called with a line of text before each proof; by default it is printed to standard
            error.
        **constants: As for ``aspgames.load``.

    Raises:
        RulesError: The rules have no net.
        LimitReached: The net would be too large.
        AspgamesError: As for ``aspgames.load``.

    >>> import aspgames.openspiel
    >>> game = aspgames.openspiel.load("breakthrough", width=4, height=5)
    >>> state = game.new_initial_state()
    >>> state.action_to_string(state.legal_actions()[0])
    'a2-a3'
    """
    rules = load_rules(game, **constants)
    parameters: dict[str, Any] = {"game": _quoted(rules.encoding.reference)}
    if constants:
        texts = {name: _quoted(value) for name, value in constants.items()}
        parameters["const"] = {"name": "", **texts}
    if max_game_length:
        parameters["max_game_length"] = max_game_length
    if prove:
        show = progress or (lambda text: print(f"aspgames: {text}", file=sys.stderr))
        properties(rules, progress=show)  # kept for this game and later ones
        parameters["prove"] = True
    return SpielGame(parameters)


class SpielGame(pyspiel.Game):
    """A game for OpenSpiel; create it with ``load`` or ``pyspiel.load_game``."""

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        """``parameters`` are OpenSpiel's: ``game``, ``const`` and ``max_game_length``."""
        self.rules = _rules(parameters)
        """The ``aspgames.Game``."""
        longest = whole_number(parameters.get("max_game_length", 0), "max_game_length", 0)
        known = properties(self.rules, quick=not parameters.get("prove", False))
        players = len(self.rules.roles)
        longest = longest or known.bound or LONGEST
        self.takes_turns = known.take_turns
        total = None if known.total is None or players == 1 else known.total / 50 - players
        self.broken_off = [(total or 0.0) / players] * players
        """The utilities of a game that is broken off."""
        utilities = [goal / 50 - 1 for goal in (known.lowest, known.highest)] + self.broken_off
        if min(utilities) == max(utilities):  # OpenSpiel refuses this
            utilities = [-1.0, 1.0]
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.rules.moves),
            max_chance_outcomes=0,
            num_players=players,
            min_utility=min(utilities),
            max_utility=max(utilities),
            utility_sum=total,
            max_game_length=longest,
        )
        utility = "GENERAL_SUM" if total is None else "CONSTANT_SUM" if total else "ZERO_SUM"
        dynamics = "SEQUENTIAL" if known.take_turns else "SIMULTANEOUS"
        kind = _type(self.rules.title, dynamics, utility, (players, players))
        given = {k: value for k, value in parameters.items() if value != _PARAMETERS[k]}
        super().__init__(kind, info, given)
        self._first = Batch(self.rules, 1)[0]

    def new_initial_state(self, position: str | State | None = None) -> "SpielState":
        """The initial state, or the state of a position as for ``Batch``."""
        start = self._first if position is None else Batch(self.rules, start=[position])[0]
        return SpielState(self, start)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> Any:
        """An observer of the position, or of the history for perfect recall."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return Observer(self.rules, params)
        from open_spiel.python.observation import IIGObserverForPublicInfoGame

        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class SpielState(pyspiel.State):
    """A mutable state for OpenSpiel; it holds the current ``aspgames.State``."""

    def __init__(self, game: SpielGame, start: State) -> None:
        super().__init__(game)
        self.position = start
        """The ``aspgames.State``. Copies and pickles contain only it and the history."""
        self._player: tuple[State | None, int] = None, 0  # OpenSpiel asks several times a ply

    def current_player(self) -> int:
        """The player to act, ``SIMULTANEOUS`` if all players act, or ``TERMINAL`` at the end."""
        if self._player[0] is not self.position:
            self._player = self.position, self._find_player()
        return self._player[1]

    def _find_player(self) -> int:
        game, state = self.get_game(), self.position
        mover = state.to_move
        alone = mover is not None and state.others_wait
        is_stuck_here = not state.legal_moves if alone else is_stuck(state)
        if state.is_terminal or is_stuck_here or self.move_number() >= game.max_game_length():
            return _TERMINAL
        if not game.takes_turns:
            return int(pyspiel.PlayerId.SIMULTANEOUS)
        roles = state.game.roles
        if alone:
            return roles.index(mover)
        choosing = [role for role, moves in state.legal.items() if len(moves) > 1]
        return roles.index((*choosing, mover or roles[0])[0])

    def string_to_action(self, player: int | str, text: str | None = None) -> int:
        """The number of a legal move, given as a text or a term; by default of the mover.

        Raises ``IllegalMove``, with the reason, and ``BadMove``.
        """
        if text is None:
            player, text = self._mover(), str(player)
        game = self.position.game
        return game.moves.index(self.position.legal_move(game.roles[int(player)], text))

    def is_terminal(self) -> bool:
        """Whether the game is over or broken off."""
        return self.current_player() == _TERMINAL

    def returns(self) -> list[float]:
        """Each player's utility; 0 until the game is over."""
        if self.position.is_terminal:
            goals = self.position.goals
            return [goals[role] / 50 - 1 for role in self.position.game.roles]
        if self.is_terminal():
            return list(self.get_game().broken_off)
        return [0.0] * len(self.position.game.roles)

    def _legal_actions(self, player: int) -> list[int]:
        state, game = self.position, self.position.game
        if player < 0:
            raise BadRequest("all roles act at once here: name the player")
        role = game.roles[player]
        moves = state.legal_moves if role == state.to_move else state.legal[role]
        return game.moves.numbers_of(moves)  # both in the order of their terms

    def _apply_action(self, action: int) -> None:
        self._play({self.position.game.roles[self._mover()]: action})

    def _apply_actions(self, actions: Sequence[int]) -> None:
        roles = self.position.game.roles
        if len(actions) != len(roles):
            raise BadRequest(f"there are {len(actions)} actions for {len(roles)} roles")
        self._play(dict(zip(roles, actions, strict=True)))

    def _play(self, actions: Mapping[str, int]) -> None:
        state = self.position
        if self.is_terminal():
            raise IllegalMove("the game is over")
        moves = {role: move_of(state.game, action) for role, action in actions.items()}
        self.position = play(state, moves)

    def _mover(self) -> int:
        player = self.current_player()
        if player == pyspiel.PlayerId.SIMULTANEOUS:
            raise IllegalMove("all roles act at once here: apply_actions takes an action of each")
        return max(player, 0)

    def _action_to_string(self, _player: int, action: int) -> str:
        return self.position.move_text(move_of(self.position.game, action).term)

    def _repr_svg_(self) -> str:
        return self.position.svg(theme="auto")

    def __str__(self) -> str:
        """The position as a drawing, and as a line that identifies it."""
        state = self.position
        return f"{state}\n{state.fen or ' '.join(state.facts)}" if state.game.board else str(state)


class Observer:
    """Shows a state as the tensor of ``Game.observation``, and as text."""

    def __init__(self, rules: Game, params: Mapping[str, Any] | None) -> None:
        if params:
            raise BadRequest(f"observations have no parameters, so there is no {told(params)}")
        self._seen = rules.observation
        self.tensor = np.zeros(int(np.prod(self._seen.shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(self._seen.shape)}

    def set_from(self, state: SpielState, _player: int) -> None:
        """Write a state to the tensor; it is the same for all players."""
        self.tensor[:] = self._seen.of(state.position).ravel()

    def string_from(self, state: SpielState, _player: int) -> str:
        """The state as text."""
        return str(state)


def _rules(parameters: Mapping[str, Any]) -> Game:
    if not parameters.get("game"):
        raise BadRequest(f"the parameter game is missing: {SHORT_NAME}(game=breakthrough)")
    constants = {
        name: _value(v) for name, v in parameters.get("const", {}).items() if name != "name"
    }
    return load_rules(unquote(str(parameters["game"])), **constants)


def _value(given: Any) -> int | str:
    if isinstance(given, bool):
        return str(given).lower()
    if isinstance(given, int):
        return given
    if not isinstance(given, str):
        raise BadConstant(f"a constant's value is a number or a name, not {told(given)}")
    return unquote(given)


def _quoted(value: int | str) -> int | str:
    if not isinstance(value, str):
        return value
    return "".join(f"%{ord(each):02X}" if each in _RESERVED else each for each in value)


def _type(title: str, dynamics: str, utility: str, players: tuple[int, int]) -> Any:
    kinds = pyspiel.GameType
    return kinds(
        short_name=SHORT_NAME,
        long_name=title,
        dynamics=getattr(kinds.Dynamics, dynamics),
        chance_mode=kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION,
        utility=getattr(kinds.Utility, utility),
        reward_model=kinds.RewardModel.TERMINAL,
        min_num_players=players[0],
        max_num_players=players[1],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_PARAMETERS,
        default_loadable=False,
    )


pyspiel.register_game(
    _type("A game whose rules are an answer-set program", "SIMULTANEOUS", "GENERAL_SUM", (1, 100)),
    SpielGame,
)
