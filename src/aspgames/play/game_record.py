"""Writes, reads and replays records of games.

The format follows PGN: tags, a blank line, the numbered plies in the game's own notation, and the
next game after another blank line. The tags suffice to replay the game.

    [Game "breakthrough"]
    [Constants "width=4,height=5"]
    [Players "white=me,black=solver"]
    [Result "white=100,black=0"]

    1. a2-a3 d4-d3 2. a3-b4 d3xc2 3. b4xa5

``Game`` is the argument of ``load``. ``Constants`` are those that differ from the encoding's.
``FEN`` or ``Facts`` is the first position, unless it is the start. ``Result`` is each role's goal
at the end, or ``*`` for an unfinished game. If several roles choose at once, a ply is
``white=rock,black=paper``. Other tags are kept. Text in braces, or after a semicolon, is a comment.
"""

import json
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from ..asp.terms import shorten
from ..game.game import Game, State, check_state, load
from ..game.move_input import AnyMove
from ..game.notation.joint_moves import format_joint, format_ply, parse_joint
from ..game.notation.notations import state_text
from ..runtime.arguments import check_text, told, utf8_text
from ..runtime.errors import AspgamesError, BadMove, BadRequest, IllegalMove

UNFINISHED = "*"

_OWN = ("Game", "Constants", "FEN", "Facts", "Players", "Result")
_TAG = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*\Z')
_TAG_NAME = re.compile(r"\w+\Z")
_SCAN = re.compile(
    r"""^[ \t]*(?P<tag>\[[^\n]*)
    | \{[^}]*\} | ;[^\n]* | \d+\.+ | \s+
    | (?P<move>(?:"(?:[^"\\\x00-\x1f]|\\[^\x00-\x1f])*"|[^\s{};"])+)
    | (?P<wrong>.)""",
    re.MULTILINE | re.VERBOSE,
)
_WIDTH = 80


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
            texts.append(state.move_text(joint))
            state = after
        given = game.encoding.constants
        where = "startpos" if start == game.initial else state_text(start)
        record = Record(
            game=game.encoding.reference,
            moves=tuple(texts),
            constants={n: v for n, v in game.constants.items() if given.get(n) != v},
            position=where,
            goals=state.goals if state.is_terminal else None,
            players=dict(players or {}),
            tags=dict(tags or {}),
        )
        for name in record.tags:
            if name in _OWN or not isinstance(name, str) or not _TAG_NAME.match(name):
                raise BadRequest(f"{told(name)} can't be a tag's name")
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
        last = states[-1]
        if self.goals is not None and (not last.is_terminal or last.goals != self.goals):
            raise BadRequest(
                f"the record ends with {_result(self.goals)}, and play with "
                f"{_result(last.goals if last.is_terminal else None)}"
            )
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
        """The text of the record, with a line break at the end."""
        tags = {"Game": self.game}
        if self.constants:
            tags["Constants"] = format_joint({n: str(v) for n, v in self.constants.items()})
        if self.position != "startpos":
            tags["Facts" if "(" in self.position else "FEN"] = self.position
        if self.players:
            named = {role: _name_text(name) for role, name in self.players.items()}
            tags["Players"] = format_joint(named)
        tags |= self.tags
        tags["Result"] = _result(self.goals)
        lines = [f'[{name} "{_quoted(value)}"]' for name, value in tags.items()]
        return "\n".join([*lines, "", *_movetext(self.moves), ""])


def read(path: str | PathLike[str]) -> list[Record]:
    """Read the records in a file (see ``parse``). Raises ``BadRequest``, with file and line."""
    name = fspath(path)
    return parse(utf8_text(Path(name)), name)


def write(path: str | PathLike[str], records: Iterable[Record]) -> None:
    """Write records to a file. Raises ``BadRequest`` if it can't be written."""
    try:
        Path(fspath(path)).write_text("\n".join(map(str, records)), encoding="utf-8")
    except (OSError, ValueError) as error:
        raise BadRequest(f"{fspath(path)} can't be written: {error}") from None


def parse(text: str, name: str = "record") -> list[Record]:
    """Read the records in a text, without checking the game or the moves.

    The text may also have a JSON object on each line, with ``game``, ``const``, ``position`` and
    ``moves``: the JSON of ``match``. Raises ``BadRequest`` with ``name`` and the line.
    """
    text = check_text(text, "a record", BadRequest).removeprefix("\ufeff")
    if text.lstrip().startswith("{") and '"moves"' in text:
        lines = enumerate(text.splitlines(), start=1)
        return [_of_json(line, f"{name}:{n}") for n, line in lines if line.strip()]
    return [_of_game(*part, name) for part in _games(text, name)]


def _games(text: str, name: str) -> Iterator[tuple[dict[str, tuple[int, str]], list[str]]]:
    tags: dict[str, tuple[int, str]] = {}
    moves: list[str] = []
    line = 1
    for token in _SCAN.finditer(text):
        if token["tag"] is not None:
            found = _TAG.match(token["tag"])
            if not found:
                raise BadRequest(f'{name}:{line}: a tag is written as [Name "value"]')
            if moves or (found[1] == "Game" and "Game" in tags):  # a tag of the next game
                yield tags, moves
                tags, moves = {}, []
            if found[1] in tags:
                raise BadRequest(f"{name}:{line}: the tag {found[1]} is there twice")
            tags[found[1]] = line, re.sub(r"\\(.)", r"\1", found[2])
        elif token["wrong"]:
            raise BadRequest(f"{name}:{line}: this has no end, or no beginning: {token[0]}")
        elif token["move"] and not tags:
            raise BadRequest(f'{name}:{line}: moves come after tags, the first being [Game "…"]')
        elif token["move"] and token["move"] != UNFINISHED:
            moves.append(token["move"])
        line += token[0].count("\n")
    if tags:
        yield tags, moves


def _of_game(tags: dict[str, tuple[int, str]], moves: list[str], name: str) -> Record:
    first = min(line for line, _ in tags.values())

    def pairs(tag: str) -> dict[str, str]:
        line, text = tags.get(tag, (0, ""))
        try:
            return parse_joint(text) if text.strip() else {}
        except BadMove:
            raise BadRequest(f"{name}:{line}: {tag} is written as NAME=VALUE,NAME=VALUE") from None

    if "Game" not in tags:
        raise BadRequest(f"{name}:{first}: the tag Game is missing")
    if "FEN" in tags and "Facts" in tags:
        raise BadRequest(f"{name}:{first}: the position is there as FEN and as Facts")
    line, result = tags.get("Result", (0, UNFINISHED))
    goals = None
    if result != UNFINISHED:
        try:
            goals = {role: int(value) for role, value in pairs("Result").items()}
        except ValueError:
            raise BadRequest(f"{name}:{line}: Result has a number for each role, or is *") from None
    _, position = tags.get("FEN", tags.get("Facts", (0, "startpos")))
    return Record(
        game=tags["Game"][1],
        moves=tuple(moves),
        constants={n: _number(value) for n, value in pairs("Constants").items()},
        position=position,
        goals=goals,
        players={role: _name(text) for role, text in pairs("Players").items()},
        tags={tag: text for tag, (_, text) in tags.items() if tag not in _OWN},
    )


def _of_json(line: str, where: str) -> Record:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise BadRequest(f"{where}: this is not JSON") from None
    defaults: dict[str, Any] = {"const": {}, "position": "startpos"}
    found = defaults | found if isinstance(found, dict) else {}
    for key, kind in {"game": str, "const": dict, "position": str, "moves": list}.items():
        if not isinstance(found.get(key), kind):
            raise BadRequest(f"{where}: {key} is missing, or of the wrong kind")
    moves = tuple(format_joint(m) if isinstance(m, dict) else m for m in found["moves"])
    if not all(isinstance(move, str) for move in moves):
        raise BadRequest(f"{where}: moves are texts, or objects with a move for each role")
    return Record(found["game"], moves, found["const"], found["position"])


def _after(state: State, move: Any, ply: int) -> State:
    try:
        return state.play(move)
    except (BadMove, IllegalMove) as error:
        shown = move if isinstance(move, str) else told(move)
        raise type(error)(f"ply {ply}, {shorten(shown)}: {error}") from None


def _movetext(moves: Sequence[str]) -> list[str]:
    words = [f"{number}. {move}" for number, move in enumerate(moves, start=1)]
    glued = [word.replace(" ", "\0") for word in words]  # no line break within a move
    lines = textwrap.wrap(" ".join(glued), _WIDTH, break_long_words=False, break_on_hyphens=False)
    return [line.replace("\0", " ") for line in lines]


def _result(goals: Mapping[str, int] | None) -> str:
    if goals is None:
        return UNFINISHED
    return format_joint({role: str(value) for role, value in goals.items()})


def named(game: str, constants: Mapping[str, int | str]) -> str:
    """A game with its constants, for messages."""
    return " ".join([game, *(f"{n}={v}" for n, v in constants.items())])


def _name_text(name: str) -> str:
    """A player's name, in quotation marks if it has special characters."""
    return name if re.fullmatch(r"[\w.-]+(?: [\w.-]+)*", name) else json.dumps(name)


def _name(text: str) -> str:
    try:
        return str(json.loads(text)) if text.startswith('"') else text
    except ValueError:
        return text


def _number(text: str) -> int | str:
    return int(text) if re.fullmatch(r"-?[0-9]{1,9}", text) else text


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
