"""Games for OpenSpiel (``pip install aspgames[openspiel]``).

This module makes a ``pyspiel.Game`` from the rules of any game. Its states provide numbered
actions, chances, information states, tensors and returns for OpenSpiel's algorithms.
"""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np

from ..analysis.properties import properties
from ..game.game import load as load_rules
from ..game.move import Move
from ..game.state import State, is_stuck
from ..game.view import History, history_text, percept_net
from ..gdl.predicates import CHANCE
from ..play.batch import Batch
from ..runtime.arguments import quote
from ..runtime.call_arguments import whole_number
from ..runtime.errors import BadMove, BadRequest, IllegalMove, RulesError
from .environment import play
from .openspiel_types import (
    LONGEST,
    PARAMETERS,
    constant_sum,
    pyspiel,
    quoted,
    rules_of,
    seems_to_take_turns,
    type_of,
)
from .view_observation import ViewObservation

_TERMINAL, _CHANCE = int(pyspiel.PlayerId.TERMINAL), int(pyspiel.PlayerId.CHANCE)
_MOST_NUMBERS = 1_000_000  # in the tensor of an information state


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

    Actions are numbered as in ``Game.moves``, but moves of ``random`` apart: they are the outcomes
    of chance nodes. Players are numbered as in ``Game.players``. The goals 0, 50 and 100 are the
    utilities -1, 0 and 1, unless the rules have ``goal_payoff/2``. ``aspgames.properties`` proves
    the properties of the game type, by default those that it can prove quickly.
    Without a proof that roles take turns, all roles act at once in every state. Without a proof
    that goals have a constant sum, the game has general sum.

    With ``sees/2``, a player's information state is the history of its own moves and percepts.
    Players who choose at the same time act one after the other, without seeing the others' actions,
    and chance comes last.

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
    parameters: dict[str, Any] = {"game": quoted(rules.encoding.reference)}
    if constants:
        texts = {name: quoted(value) for name, value in constants.items()}
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
        self.rules = rules = rules_of(parameters)
        """The ``aspgames.Game``."""
        longest = whole_number(parameters.get("max_game_length", 0), "max_game_length", 0)
        known = properties(rules, quick=not parameters.get("prove", False))
        players = len(rules.players)
        self.longest = longest = longest or known.bound or LONGEST
        """The plies after which a game is broken off."""
        self.takes_turns = known.take_turns or (rules.chance and seems_to_take_turns(rules))
        self.one_by_one = self.takes_turns or rules.hidden
        """Whether one player acts at a time."""
        worth = rules.vocabulary.payoffs
        self.utilities = {n: float(worth.get(n, n) if worth else n / 50 - 1) for n in range(101)}
        """The utility of each goal value."""
        total = None
        if known.total is not None and players > 1:
            goals = known.total
            total = constant_sum(worth, goals, players) if worth else goals / 50 - players
        self.broken_off = [(total or 0.0) / players] * players
        """The utilities of a game that is broken off."""
        utilities = [
            self.utilities[goal]
            for goal in worth or range(101)
            if known.lowest <= goal <= known.highest
        ] + self.broken_off
        if min(utilities) == max(utilities):  # OpenSpiel refuses this
            utilities = [-1.0, 1.0]
        rolls = rules.moves.of(CHANCE) if rules.chance else range(0)
        self.numbers = [n for n in range(len(rules.moves)) if n not in rolls]
        """The number in ``Game.moves`` of each action."""
        self.rolls = rolls
        """The numbers in ``Game.moves`` of the outcomes of chance."""
        self.actions = {number: action for action, number in enumerate(self.numbers)}
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.numbers),
            max_chance_outcomes=len(rolls),
            num_players=players,
            min_utility=min(utilities),
            max_utility=max(utilities),
            utility_sum=total,
            max_game_length=longest if self.takes_turns else longest * players,
        )
        utility = "GENERAL_SUM" if total is None else "CONSTANT_SUM" if total else "ZERO_SUM"
        dynamics = "SEQUENTIAL" if self.one_by_one else "SIMULTANEOUS"
        self.seen = ViewObservation(rules, longest) if rules.hidden else None
        """The array of an information state, with hidden information."""
        fits = self.seen is not None and int(np.prod(self.seen.shape)) <= _MOST_NUMBERS
        kind = type_of(rules.title, dynamics, utility, (players, players), rules, fits)
        given = {k: value for k, value in parameters.items() if value != PARAMETERS[k]}
        super().__init__(kind, info, given)
        self._first = Batch(rules, 1)[0]

    def new_initial_state(self, position: str | State | None = None) -> "SpielState":
        """The initial state, or the state of a position as for ``Batch``.

        Players know the position.
        """
        start = self._first if position is None else Batch(self.rules, start=[position])[0]
        return SpielState(self, start)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> Any:
        """An observer of the position, or of the history for perfect recall.

        With hidden information: of the player's own moves and percepts.
        """
        if self.seen is not None:
            return Observer(self, iig_obs_type is None or iig_obs_type.perfect_recall, params)
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return Observer(self, True, params)
        from open_spiel.python.observation import IIGObserverForPublicInfoGame

        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class Observer:
    """Shows the position, the same for all players, as a tensor and as text.

    With hidden information, it shows the player's own moves and percepts.
    """

    def __init__(self, game: SpielGame, recalls: bool, params: Mapping[str, Any] | None) -> None:
        """With ``recalls``, the player knows all plies, else only the last one."""
        if params:
            raise BadRequest(f"observations have no parameters, so there is no {quote(params)}")
        self._position, self._first = game.rules.observation, 0 if recalls else -1
        self._views = game.seen if recalls or not game.seen else ViewObservation(game.rules, 1)
        shape = self._views.shape if self._views else self._position.shape
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: "SpielState", player: int) -> None:
        """Write what a player sees to the tensor."""
        if self._views:
            self.tensor[:] = self._views.of(state.known(player)[self._first :]).ravel()
        else:
            self.tensor[:] = self._position.of(state.position).ravel()

    def string_from(self, state: "SpielState", player: int) -> str:
        """What a player sees, as text."""
        if not self._views:
            return str(state)
        return f"{state.role_of(player)}: {history_text(state.known(player)[self._first :])}"


class SpielState(pyspiel.State):
    """A mutable state for OpenSpiel; it holds the current ``aspgames.State``."""

    def __init__(self, game: SpielGame, start: State) -> None:
        super().__init__(game)
        self.position = start
        """The ``aspgames.State``. Copies and pickles contain only it and the history."""
        self.histories: dict[str, History] = dict.fromkeys(start.game.players, ())
        """With hidden information, each player's own moves and percepts."""
        self._chosen: dict[str, Move] = {}  # in this ply
        self._plies = 0
        self._player: int | None = None  # OpenSpiel asks several times a ply

    def current_player(self) -> int:
        """The player to act, ``CHANCE``, ``SIMULTANEOUS`` if all players act, or ``TERMINAL``."""
        if self._player is None:
            self._player = self._find_player()
        return self._player

    def _find_player(self) -> int:
        game, state = self.get_game(), self.position
        players = state.game.players
        mover = state.to_move
        alone = mover is not None and state.others_wait
        is_stuck_here = not state.legal_moves if alone else is_stuck(state)
        if state.is_terminal or is_stuck_here or self._plies >= game.longest:
            return _TERMINAL
        asked = _choosers(state)
        if len(self._chosen) >= len(asked) and state.chance:
            return _CHANCE
        if not game.one_by_one:
            return int(pyspiel.PlayerId.SIMULTANEOUS)
        if len(asked) > 1 and not state.game.hidden and state.game.chance:
            raise RulesError(
                f"{state.game.name}: {' and '.join(asked)} choose at once, which no random game "
                "showed: OpenSpiel took the game for one in which players take turns"
            )
        asked = asked or ([mover] if mover in players else [players[0]])
        return players.index(next(role for role in asked if role not in self._chosen))

    def string_to_action(self, player: int | str, text: str | None = None) -> int:
        """The number of a legal move, given as a text or a term; by default of the mover.

        Raises ``IllegalMove``, with the reason, and ``BadMove``.
        """
        if text is None:
            player, text = self._mover(), str(player)
        role = self.role_of(int(player))
        number = self.position.game.moves.index(self.position.legal_move(role, text))
        return self._numbers(role, [number])[0]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of a chance node, each with its probability."""
        chances, moves = self.position.chance, self.position.game.moves
        numbers = self._numbers(CHANCE, moves.numbers_of([move for move, _ in chances]))
        return [(n, float(chance)) for n, (_, chance) in zip(numbers, chances, strict=True)]

    def role_of(self, player: int) -> str:
        """The role of a player, or of chance."""
        return CHANCE if player == _CHANCE else self.position.game.players[player]

    def _numbers(self, role: str, numbers: Iterable[int]) -> list[int]:
        """Numbers in ``Game.moves`` as actions, or as outcomes of chance."""
        game = self.get_game()
        if role == CHANCE:
            return [number - game.rolls.start for number in numbers]
        return [game.actions[number] for number in numbers]

    def _move(self, role: str, action: int) -> Move:
        """The move of an action. Raises ``BadMove``."""
        numbers = self.get_game().rolls if role == CHANCE else self.get_game().numbers
        number = numbers[whole_number(action, "an action", 0, len(numbers) - 1, BadMove)]
        found: Move = self.position.game.moves[number]
        return found

    def is_terminal(self) -> bool:
        """Whether the game is over or broken off."""
        return self.current_player() == _TERMINAL

    def returns(self) -> list[float]:
        """Each player's utility; 0 until the game is over."""
        players = self.position.game.players
        if self.position.is_terminal:
            goals, worth = self.position.goals, self.get_game().utilities
            return [worth[goals[role]] for role in players]
        if self.is_terminal():
            return list(self.get_game().broken_off)
        return [0.0] * len(players)

    def _legal_actions(self, player: int) -> list[int]:
        state, game = self.position, self.position.game
        if player < 0:
            raise BadRequest("all roles act at once here: name the player")
        role = self.role_of(player)
        moves = state.legal_moves if role == state.to_move else state.legal[role]
        return self._numbers(role, game.moves.numbers_of(moves))  # in the order of their terms

    def _apply_action(self, action: int) -> None:
        role = self.role_of(self._mover())
        self._play({role: action})

    def _apply_actions(self, actions: Sequence[int]) -> None:
        players = self.position.game.players
        if len(actions) != len(players):
            raise BadRequest(f"there are {len(actions)} actions for {len(players)} roles")
        self._play(dict(zip(players, actions, strict=True)))

    def _play(self, actions: Mapping[str, int]) -> None:
        state = self.position
        if self.is_terminal():
            raise IllegalMove("the game is over")
        chosen = self._chosen | {
            role: state.legal_move(role, self._move(role, action))
            for role, action in actions.items()
        }
        waits = CHANCE not in chosen and bool(state.chance)
        if waits or any(role not in chosen for role in _choosers(state)):
            self._chosen = chosen
        else:
            after = play(state, chosen)
            if state.game.hidden:
                self._remember(state.joint(chosen))
            self.position, self._chosen, self._plies = after, {}, self._plies + 1
        self._player = None

    def _remember(self, joint: Mapping[str, str]) -> None:
        seen = percept_net(self.get_game()._first).seen(self.position.facts, joint)
        self.histories = {
            role: (*known, (joint[role], seen[role])) for role, known in self.histories.items()
        }

    def known(self, player: int) -> History:
        """A player's own moves and percepts, with hidden information."""
        return self.histories[self.role_of(player)]

    def _mover(self) -> int:
        player = self.current_player()
        if player == pyspiel.PlayerId.SIMULTANEOUS:
            raise IllegalMove("all roles act at once here: apply_actions takes an action of each")
        return player if player == _CHANCE else max(player, 0)

    def _action_to_string(self, player: int, action: int) -> str:
        role = CHANCE if player == _CHANCE else ""
        return self.position.move_text(self._move(role, action).term)

    def _repr_svg_(self) -> str:
        return self.position.svg(theme="auto")

    def __str__(self) -> str:
        """The position as a drawing, and as a line that identifies it."""
        state = self.position
        return f"{state}\n{state.fen or ' '.join(state.facts)}" if state.game.board else str(state)


def _choosers(state: State) -> list[str]:
    """The players with a choice."""
    if state.to_move is not None and state.others_wait:
        return [role for role in state.game.players if role == state.to_move]
    return [role for role, moves in state.legal.items() if len(moves) > 1 and role != CHANCE]


pyspiel.register_game(
    type_of(
        "A game whose rules are an answer-set program", "SIMULTANEOUS", "GENERAL_SUM", (1, 100)
    ),
    SpielGame,
)
