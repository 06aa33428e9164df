"""``openspiel`` and ``pgx``: OpenSpiel, through ``pyspiel``, and Pgx, written in JAX.

They play games from their start only. OpenSpiel's boards are printed rank by
rank. An action names a square as ``b2``, where a rank may be one character (``:`` and ``;`` follow
``9``), or as ``(row, column)`` from the first printed line.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from typing import Any, NamedTuple

from ...game.board import Board, Square, square_name
from ...game.game import Game
from ...game.move_input import short_moves
from ...game.state import State
from ...gdl.predicates import CHANCE
from ...runtime.call_arguments import optional_package
from ...runtime.errors import EngineFailed
from .engine import Answer, Engine, Question, Refusal, Turn
from .peers import Peer, board_of, needed_peer
from .turn_labels import joined, label_of

_CHANCE = -1  # OpenSpiel's player who rolls
_LARGEST_DENOMINATOR = 10**6  # the largest denominator of a probability
_MOST_REACHED = 1000
_SQUARE = re.compile(r"\((\d+), (\d+)\)|(?<![A-Za-z])([a-z])([1-9][0-9]*|[:-@])")


class OpenSpielEngine(Engine):
    """OpenSpiel. A turn is all actions until the other player is to act."""

    name = "openspiel"
    sets_up = False
    plays_on = False

    def __init__(self) -> None:
        """Raises ``BadRequest`` if ``pyspiel`` is missing."""
        self._load, self._error = self._program()
        self._games: dict[Game, tuple[Peer, Any]] = {}
        self._reached: dict[tuple[Game, tuple[Turn, ...]], _Reached] = {}
        """What games are likely to continue from."""

    def _program(self) -> tuple[Callable[[str], Any], type[Exception]]:
        """The function that loads a game by its name, and the program's errors."""
        pyspiel: Any = optional_package("pyspiel", "--against openspiel", "open_spiel")
        return pyspiel.load_game, pyspiel.SpielError

    def check(self, game: Game) -> None:
        """Load the program's game. Raises ``BadRequest`` if it has none."""
        if game not in self._games:
            peer = needed_peer(game, self.name)
            self._games[game] = (peer, self._load(peer.name))

    def answer(self, question: Question) -> Answer | Refusal:
        """Its answer about a position that is reachable from the start."""
        game = question.game
        self.check(game)
        if question.facts != game.initial.facts:
            return Refusal(f"{self.name} can't be given a position")
        try:
            return self._ask(question)
        except self._error as error:
            raise EngineFailed(f"{self.name}: {error}; {question}") from None

    def _ask(self, question: Question) -> Answer | Refusal:
        game, turns = question.game, question.turns
        peer, theirs = self._games[game]
        start = theirs.new_initial_state()
        if (game, ()) not in self._reached:
            self._reach(game, (), start, question.before)
        known = len(turns)
        while (game, turns[:known]) not in self._reached:
            known -= 1
        reached, ours = self._reached[game, turns[:known]], None
        for number in range(known, len(turns)):
            if (actions := reached.turns.get(label_of(game, turns[number]))) is None:
                return Refusal(f"there is no turn {label_of(game, turns[number])}")
            state = reached.state.clone()
            for action in actions:
                state.apply_action(action)
            if number + 1 == len(turns):
                ours = question.state
            elif ours is None:
                ours = question.played(ply for turn in turns[: number + 1] for ply in turn)
            else:
                ours = reduce(State.play, turns[number], ours)
            reached = self._reach(game, turns[: number + 1], state, ours)
        over = reached.state.is_terminal()
        second = start.current_player() == 1  # if the player who begins is its second one
        roles = sorted(game.players, key=lambda role: (role == game.initial.to_move) == second)
        returns, mover = reached.state.returns(), reached.state.current_player()
        worth = {payoff: goal for goal, payoff in game.vocabulary.payoffs.items()}
        goals = {r: worth.get(v, round(50 + 50 * v)) for r, v in zip(roles, returns, strict=True)}
        return Answer(
            placed=_placed(game, peer, str(reached.state)) if peer.glyphs else None,
            to_move=None if over else CHANCE if mover == _CHANCE else roles[mover],
            terminal=over,
            goals=goals | dict.fromkeys({*game.roles} - {*roles}, 0) if over else None,
            chance=_chances(peer, reached.state) if game.chance and not over else None,
            turns=frozenset(reached.turns),
        )

    def _reach(self, game: Game, turns: tuple[Turn, ...], state: Any, ours: State) -> "_Reached":
        if len(self._reached) >= _MOST_REACHED:
            self._reached.clear()
        peer, _ = self._games[game]
        found = self._reached[game, turns] = _Reached(state, _turns(ours, peer, state))
        return found


class _Reached(NamedTuple):
    """A state of the program, and its turns by their labels, as actions."""

    state: Any
    turns: Mapping[str, Sequence[int]]


def _turns(ours: State, peer: Peer, start: Any) -> Mapping[str, Sequence[int]]:
    game, mover, known = ours.game, start.current_player(), frozenset[str]()
    if any(len(moves) > 1 for moves in peer.moves.values()):
        known = frozenset(label_of(game, (move.term,)) for move in ours.legal_moves)

    def moves(text: str) -> Sequence[str]:
        if peer.moves or ours.to_move is None:
            return peer.moves.get(text.rstrip("+#"), ())
        return short_moves(ours, ours.to_move, text)

    whole: dict[str, Sequence[int]] = {}
    begun = [(start, list[int](), list[str]())]
    while begun:
        state, actions, names = begun.pop()
        for action in state.legal_actions():
            now = _with(game, peer, moves, state.action_to_string(action), names, known)
            then = state.child(action)
            if then.current_player() == mover:
                begun.append((then, [*actions, action], now))
            else:
                whole[" ".join(now)] = [*actions, action]
    return whole


def _chances(peer: Peer, state: Any) -> frozenset[str]:
    """The moves of ``random`` with their probabilities, which OpenSpiel has as floats."""
    outcomes = state.chance_outcomes() if state.current_player() == _CHANCE else ()
    texts = {state.action_to_string(action): chance for action, chance in outcomes}
    return frozenset(
        f"{move} {Fraction(chance).limit_denominator(_LARGEST_DENOMINATOR)}"
        for text, chance in texts.items()
        for move in peer.moves.get(text, (text,))
    )


def _with(
    game: Game,
    peer: Peer,
    moves: Callable[[str], Sequence[str]],
    text: str,
    begun: Sequence[str],
    known: Collection[str],
) -> list[str]:
    """The label of a turn's actions, as a list, with one action more.

    If the action may be several of our moves, the one whose label is known is meant.
    """
    if labels := [label_of(game, (move,)) for move in moves(text)]:
        names = next((label for label in labels if label in known), labels[0]).split()
    else:
        names = [square_name(square) for square in _squares(game, peer, text)] or [text]
    return joined(begun, names)


def _squares(game: Game, peer: Peer, action: str) -> list[Square]:
    if not game.board:
        return []
    found = []
    for row, column, file, rank in _SQUARE.findall(action):
        if row:
            square = int(column), game.board.ranks[int(row) - 1]
        else:
            y = int(rank) if rank.isdecimal() else ord(rank) - ord("0")
            square = ord(file) - ord("a") + 1, y
        found.append(_ours(game.board, peer, square))
    return found


def _ours(board: Board, peer: Peer, square: Square) -> Square:
    """Our square for one of the program's."""
    x, y = square
    return (board.width + 1 - x, board.height + 1 - y) if peer.turned else square


def _placed(game: Game, peer: Peer, text: str) -> tuple[str, ...]:
    board = board_of(game)
    facts = []
    for y, row in zip(board.ranks, text.splitlines(), strict=False):
        for x, glyph in enumerate(row[-board.width :], start=1):
            if glyph in peer.glyphs:
                facts.append(board.fluent(_ours(board, peer, (x, y)), peer.glyphs[glyph]))
    return tuple(sorted(facts))


class PgxEngine(OpenSpielEngine):
    """Pgx. Its states are wrapped as OpenSpiel's; a turn is one action.

    Its actions are numbers. Here they are texts: ``0 12`` is action 12 of the player who begins.
    """

    name = "pgx"

    def _program(self) -> tuple[Callable[[str], Any], type[Exception]]:
        pgx: Any = optional_package("pgx", "--against pgx", "aspgames[pgx]")
        jax: Any = optional_package("jax", "--against pgx", "aspgames[pgx]")

        def load(name: str) -> "_PgxState":
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

    def clone(self) -> "_PgxState":
        return replace(self)

    new_initial_state = clone

    def apply_action(self, action: int) -> None:
        self.state = self.step(self.state, action)

    def child(self, action: int) -> "_PgxState":
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
