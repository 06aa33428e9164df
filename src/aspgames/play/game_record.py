"""Records of games: the moves of a game and its first position, to replay.

``formats`` reads and writes them.
"""

import json
import re
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..asp.terms import shorten
from ..game.game import Game, load
from ..game.move_input import AnyMove
from ..game.notation.joint_moves import format_joint, format_ply
from ..game.notation.notations import state_text
from ..game.state import State, check_state
from ..runtime.arguments import quote
from ..runtime.errors import AspgamesError, BadMove, BadRequest, IllegalMove
from .formats.pgn_text import RESULTS, UNFINISHED

OWN_TAGS = ("Game", "Constants", "FEN", "Facts", "Players", "Result")
"""The tags that a record has fields for."""
_WIDTH = 80
_ROSTER = ("Event", "Site", "Date", "Round", "White", "Black")
_TAG_NAME = re.compile(r"\w+\Z")


@dataclass(frozen=True)
class Record:
    """The moves of one game and its first position; ``str`` is its text.

    >>> import aspgames
    >>> start = aspgames.load("breakthrough", width=4, height=5).initial
    >>> record = aspgames.record.Record.of(start, ["a2-a3", "d4-d3"])
    >>> record.moves, len(record.replay())
    (('a2-a3', 'd4-d3'), 3)
    """

    game: str
    """The game's name or path, for ``load``."""
    moves: tuple[str, ...] = ()
    """The moves, ply by ply, as move texts or terms."""
    constants: Mapping[str, int | str] = field(default_factory=dict)
    position: str = "startpos"
    """The first position: ``startpos``, a FEN or facts."""
    goals: Mapping[str, int] | None = None
    """Each role's goal at the end; None if unknown or unfinished."""
    players: Mapping[str, str] = field(default_factory=dict)
    """The known players, by role."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """Other tags: ``{"Date": "1903.04.01"}``."""
    adjudicated: bool = field(default=False, compare=False)
    """Whether the goals may come before the end of the game, as when a player resigns."""
    first_ply: int | None = field(default=None, compare=False)
    """The number of the first ply, from 0, where two plies have one number, as in chess."""

    @staticmethod
    def of(
        start: State,
        moves: Iterable[AnyMove] = (),
        *,
        players: Mapping[str, str] | None = None,
        tags: Mapping[str, str] | None = None,
    ) -> "Record":
        """Make a record of moves from a state; moves are given as for ``State.play``.

        Raises the same as ``State.play``, with the number of the ply, and ``BadRequest`` for an
        invalid tag.
        """
        game = check_state(start).game
        texts, state = [], start
        for ply, move in enumerate(moves, start=1):
            after = _after(state, move, ply)
            joint = format_ply(state.joint(move), state.consequences.movers)
            texts.append(state.short_text(joint) or state.move_text(joint))
            state = after
        where = "startpos" if start == game.initial else state_text(start)
        record = Record(
            game=game.encoding.reference,
            moves=tuple(texts),
            constants=changed_constants(game),
            position=where,
            goals=state.goals if state.is_terminal else None,
            players=dict(players or {}),
            tags=dict(tags or {}),
            first_ply=None if game.short_moves is None else int(start.to_move != game.roles[0]),
        )
        for name in record.tags:
            if name in OWN_TAGS or not isinstance(name, str) or not _TAG_NAME.match(name):
                raise BadRequest(f"{quote(name)} can't be a tag's name")
        return record

    def load(self) -> Game:
        """Load the game. Raises the same as ``aspgames.load``."""
        return load(self.game, **self.constants)

    def replay(self, game: Game | None = None) -> tuple[State, ...]:
        """Play the moves again; returns all states, from the first to the last.

        Args:
            game: The record's game; by default the record loads it.

        Raises:
            BadRequest: The record is of another game, or its result is wrong.
            BadPosition: The first position is wrong.
            BadMove: A move can't be read; the message names its ply.
            IllegalMove: A move is illegal; the message names its ply.
        """
        if game is None:
            game = self.load()
        elif not self.is_of(game):
            raise BadRequest(
                f"the record is of {self.named}, not of {named(game.name, game.constants)}"
            )
        states = [game.position(self.position)]
        for ply, move in enumerate(self.moves, start=1):
            states.append(_after(states[-1], move, ply))
        last, goals = states[-1], self.goals
        if goals is not None and goals.keys() == {"white", "black"} != {*game.roles}:
            goals = dict(zip(game.roles, goals.values(), strict=False))  # from a result like 1-0
        if goals is not None and (
            last.goals != goals if last.is_terminal else not self.adjudicated
        ):
            end = _goals_text(last.goals) if last.is_terminal else UNFINISHED
            raise BadRequest(f"the record ends with {_goals_text(goals)}, and play with {end}")
        return tuple(states)

    def is_of(self, game: Game) -> bool:
        """Whether the record has this game's name and constants."""
        if Path(self.game).stem != game.name:
            return False
        try:
            return game.encoding.settle_constants(self.constants) == game.constants
        except AspgamesError:
            return False

    @property
    def named(self) -> str:
        """The game with its constants, for messages."""
        return named(self.game, self.constants)

    def __str__(self) -> str:
        """The text of the record as PGN, with a line break at the end."""
        tags = {"Game": self.game}
        if self.constants:
            tags["Constants"] = format_joint({n: str(v) for n, v in self.constants.items()})
        if self.position != "startpos":
            if "(" in self.position:
                tags["Facts"] = self.position
            else:
                tags |= {"FEN": self.position} | ({} if self.first_ply is None else {"SetUp": "1"})
        if self.first_ply is not None:
            named = {name.capitalize(): player for name, player in self.players.items()}
            given = dict.fromkeys(_ROSTER, "?") | {"Date": "????.??.??"} | named
            tags |= given | dict(self.tags)
        else:
            if self.players:
                players = {role: _name_text(name) for role, name in self.players.items()}
                tags["Players"] = format_joint(players)
            tags |= self.tags
        result = tags["Result"] = _result(self.goals)
        end = [] if self.first_ply is None else [result]
        lines = [f'[{name} "{_quoted(value)}"]' for name, value in tags.items()]
        return "\n".join([*lines, "", *_movetext(self, end), ""])


def _after(state: State, move: Any, ply: int) -> State:
    try:
        return state.play(move)
    except (BadMove, IllegalMove) as error:
        shown = move if isinstance(move, str) else quote(move)
        told_so = type(error)(f"ply {ply}, {shorten(shown)}: {error}")
        told_so.ply = ply
        raise told_so from None


def changed_constants(game: Game) -> dict[str, Any]:
    """The constants of a game that differ from its encoding's."""
    given = game.encoding.constants
    return {name: value for name, value in game.constants.items() if given.get(name) != value}


def named(game: str, constants: Mapping[str, int | str]) -> str:
    """A game with its constants, for messages."""
    return " ".join([game, *(f"{n}={v}" for n, v in constants.items())])


def _movetext(record: Record, end: list[str]) -> list[str]:
    first, words = record.first_ply, list[str]()
    for ply, move in enumerate(record.moves, start=first or 0):
        number = ply + 1 if first is None else ply // 2 + 1
        dots = "." if first is None or ply % 2 == 0 else "..."
        numbered = first is None or ply % 2 == 0 or ply == first
        words.append(f"{number}{dots} {move}" if numbered else move)
    glued = [word.replace(" ", "\0") for word in (*words, *end)]  # no line break within a move
    lines = textwrap.wrap(" ".join(glued), _WIDTH, break_long_words=False, break_on_hyphens=False)
    return [line.replace("\0", " ") for line in lines]


def _result(goals: Mapping[str, int] | None) -> str:
    if goals is None:
        return UNFINISHED
    if [*goals] == ["white", "black"]:
        for text, values in RESULTS.items():
            if values == tuple(goals.values()):
                return text
    return _goals_text(goals)


def _goals_text(goals: Mapping[str, int]) -> str:
    return format_joint({role: str(value) for role, value in goals.items()})


def _name_text(name: str) -> str:
    """A player's name, in quotation marks if it has special characters."""
    return name if re.fullmatch(r"[\w.-]+(?: [\w.-]+)*", name) else json.dumps(name)


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
