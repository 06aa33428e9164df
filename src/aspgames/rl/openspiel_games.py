"""Games as OpenSpiel has them (``pip install aspgames[openspiel]``).

OpenSpiel's algorithms ask a ``pyspiel.Game`` for states, and these for numbered actions, tensors
and returns. Here they are made of any game, built-in or a user's own, from its rules alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any
from urllib.parse import unquote

import numpy as np

from ..analysis.properties import properties
from ..game.game import Game, State, is_stuck
from ..game.game import load as load_rules
from ..play.batch import Batch
from ..runtime.arguments import told
from ..runtime.errors import BadConstant, BadMove, BadRequest, IllegalMove
from ..runtime.optional_imports import optional_package

pyspiel: Any = optional_package("pyspiel", "aspgames.openspiel", "aspgames[openspiel]")

SHORT_NAME = "aspgames"
"""What OpenSpiel calls all of these games; ``game=...`` says which one it is."""

LONGEST = 1000
"""Plies after which a game is broken off where nothing is proved of when it ends."""

_RESERVED = "%(),=\n"
"""What a parameter's text has as ``%28``, since OpenSpiel doesn't read it otherwise."""

_PARAMETERS: dict[str, Any] = {"game": "", "const": {"name": ""}, "max_game_length": 0}


def load(
    game: str | PathLike[str], /, *, max_game_length: int = 0, **constants: int | str
) -> pyspiel.Game:
    """A game, given as for ``aspgames.load``, as a ``pyspiel.Game``.

    Actions are numbered as in ``Game.moves``, players as in ``Game.roles``. A goal of 0 is a
    utility of -1, one of 50 of 0, and one of 100 of 1. What OpenSpiel wants to be told before play
    is what ``aspgames.properties`` proves: where it isn't proved that roles take turns, all of them
    act at once in every state, and where goals aren't proved to add up to the same, the game is of
    general sum.

    ``max_game_length`` is the number of plies after which a game is broken off, as one that nobody
    has won; unless given, it is the number that is proved, or else ``LONGEST``. So is a game in
    which a role has no move, though it isn't over.

    Raises as ``aspgames.load`` does, ``RulesError`` where the rules have no net, and
    ``LimitReached`` where it would be too large.

    >>> import aspgames.openspiel
    >>> game = aspgames.openspiel.load("breakthrough", width=4, height=5)
    >>> state = game.new_initial_state()
    >>> state.action_to_string(state.legal_actions()[0])
    'a2-a3'
    """
    reference = load_rules(game, **constants).encoding.reference
    parameters: dict[str, Any] = {"game": _quoted(reference)}
    if constants:
        texts = {name: _quoted(value) for name, value in constants.items()}
        parameters["const"] = {"name": "", **texts}
    if max_game_length:
        parameters["max_game_length"] = max_game_length
    return SpielGame(parameters)


class SpielGame(pyspiel.Game):
    """A game of aspgames for OpenSpiel; made by ``load``, and by ``pyspiel.load_game``."""

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        """Of OpenSpiel's parameters: ``game``, ``const`` and ``max_game_length``."""
        self.rules = _rules(parameters)
        """The ``aspgames.Game``."""
        longest = _length(parameters.get("max_game_length", 0))
        known, players = properties(self.rules), len(self.rules.roles)
        longest = longest or known.bound or LONGEST
        self.takes_turns = known.take_turns
        total = None if known.total is None or players == 1 else known.total / 50 - players
        self.broken_off = [(total or 0.0) / players] * players
        """Everybody's utility where a game isn't over and doesn't go on, since it has come to its
        greatest length, or a role has no move."""
        utilities = [goal / 50 - 1 for goal in (known.lowest, known.highest)] + self.broken_off
        if min(utilities) == max(utilities):  # which OpenSpiel doesn't want
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

    def new_initial_state(self, position: str | State | None = None) -> SpielState:
        """The state that the game starts from, or a position given as for ``Batch``."""
        start = self._first if position is None else Batch(self.rules, start=[position])[0]
        return SpielState(self, start)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> Any:
        """What sees the position; the history, where all that was seen is to be remembered."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return Observer(self.rules, params)
        from open_spiel.python.observation import IIGObserverForPublicInfoGame

        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class SpielState(pyspiel.State):
    """A state for OpenSpiel, which goes on from one ``aspgames.State`` to another."""

    def __init__(self, game: SpielGame, start: State) -> None:
        super().__init__(game)
        self.position = start
        """The ``aspgames.State``. It is all that is copied and pickled, besides the history."""

    def current_player(self) -> int:
        """Who acts: the role with a choice, or all at once; ``TERMINAL`` when the game is over."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        if not self.get_game().takes_turns:
            return int(pyspiel.PlayerId.SIMULTANEOUS)
        state, roles = self.position, self.position.game.roles
        if state.to_move and state.others_wait:
            return roles.index(state.to_move)
        choosing = [role for role, moves in state.legal.items() if len(moves) > 1]
        return roles.index((*choosing, state.to_move or roles[0])[0])

    def string_to_action(self, player: int | str, text: str | None = None) -> int:
        """A legal move's number, given as people write it or as a term; perhaps a player before it.

        Raises ``IllegalMove``, which says why it isn't legal, and ``BadMove`` if it is no move.
        """
        if text is None:
            player, text = self._mover(), str(player)
        game = self.position.game
        return game.moves.index(self.position.legal_move(game.roles[int(player)], text))

    def is_terminal(self) -> bool:
        """Whether the game is over, or broken off."""
        return self.position.is_terminal or self._is_broken_off()

    def returns(self) -> list[float]:
        """Each player's utility; 0 until the game is over."""
        if self.position.is_terminal:
            goals = self.position.goals
            return [goals[role] / 50 - 1 for role in self.position.game.roles]
        if self._is_broken_off():
            return list(self.get_game().broken_off)
        return [0.0] * len(self.position.game.roles)

    def _is_broken_off(self) -> bool:
        longest = self.get_game().max_game_length()
        return bool(self.move_number() >= longest) or is_stuck(self.position)

    def _legal_actions(self, player: int) -> list[int]:
        state, game = self.position, self.position.game
        if player < 0:
            raise BadRequest("all roles act at once here: say whose actions are meant")
        role = game.roles[player]
        moves = state.legal_moves if role == state.to_move else state.legal[role]
        return list(map(game.moves.index, moves))  # both in the order of their terms

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
        moves = {role: _move(state.game, action) for role, action in actions.items()}
        alone = moves.get(state.to_move or "") if len(moves) == 1 else None
        self.position = state.play(alone or moves)

    def _mover(self) -> int:
        player = self.current_player()
        if player == pyspiel.PlayerId.SIMULTANEOUS:
            raise IllegalMove("all roles act at once here: apply_actions takes an action of each")
        return max(player, 0)

    def _action_to_string(self, _player: int, action: int) -> str:
        return self.position.move_text(_move(self.position.game, action).term)

    def _repr_svg_(self) -> str:
        return self.position.svg(theme="auto")

    def __str__(self) -> str:
        """The position as people see it, and as one line that no other position has."""
        state = self.position
        return f"{state}\n{state.fen or ' '.join(state.facts)}" if state.game.board else str(state)


class Observer:
    """Shows a state as ``Game.observation`` does, and as text."""

    def __init__(self, rules: Game, params: Mapping[str, Any] | None) -> None:
        if params:
            raise BadRequest(f"observations have no parameters, so there is no {told(params)}")
        self._seen = rules.observation
        self.tensor = np.zeros(int(np.prod(self._seen.shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(self._seen.shape)}

    def set_from(self, state: SpielState, _player: int) -> None:
        """Show a state. It is the same to all players."""
        self.tensor[:] = self._seen.of(state.position).ravel()

    def string_from(self, state: SpielState, _player: int) -> str:
        """The state as text."""
        return str(state)


def _move(game: Game, action: int) -> Any:
    """The move of a number. Raises ``BadMove``."""
    if not 0 <= action < len(game.moves):
        raise BadMove(f"there is no action {action}, only 0 to {len(game.moves) - 1}")
    return game.moves[action]


def _rules(parameters: Mapping[str, Any]) -> Game:
    """The game that parameters speak of. Raises as ``aspgames.load`` does."""
    constants = {
        name: _value(v) for name, v in parameters.get("const", {}).items() if name != "name"
    }
    return load_rules(unquote(str(parameters["game"])), **constants)


def _value(given: Any) -> int | str:
    """A constant's value, of what OpenSpiel makes of a text."""
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


def _length(given: Any) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or given < 0:
        raise BadRequest(f"max_game_length must be a whole number from 1 on, not {told(given)}")
    return given


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
