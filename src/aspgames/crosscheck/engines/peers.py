"""The names and notations of a game in other programs: ``peers/NAME.lp`` beside its encoding.

``encodings/README.md`` describes the predicates. The file isn't a part of the rules, so another
peer doesn't change the game.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...asp.sources import companion, encodings_folder, is_file, read_sources
from ...game.board import Board
from ...game.game import Game
from ...runtime import cache as disk
from ...runtime.errors import BadRequest, RulesError

# Modules that import clingo are imported in functions: answers are kept on disk.
if TYPE_CHECKING:
    from ...asp.clingo_api import Symbol
    from ...asp.statements import Signature

_KIND = "peers"  # of entries of the cache
_PEER: tuple[Signature, ...] = (
    ("peer", 3),
    ("peer_setting", 4),
    ("peer_glyph", 3),
    ("peer_turned", 1),
    ("peer_move", 4),
    ("peer_side", 3),
    ("peer_pocket", 2),
    ("peer_alone", 1),
)

_Rows = Callable[[str, int], "list[list[Symbol]]"]


@dataclass(frozen=True)
class PeerRules:
    """The rules of a game in another program."""

    name: str
    settings: Mapping[str, str]
    glyphs: Mapping[str, str]
    """Contents of squares, by the characters on the program's board."""
    alone: bool
    """Whether it is wrong together with other such rules, if there is a condition among them."""


@dataclass(frozen=True)
class Peer(PeerRules):
    """A game in another program."""

    turned: bool
    """Whether the program's board is ours turned around."""
    moves: Mapping[str, Sequence[str]]
    """Moves, by the program's names, where these don't name our squares in our order."""
    sides: Mapping[str, str]
    """The sides on move in FENs: the program's letter for each of ours."""
    letters: Mapping[str, str]
    """Our letters in FENs, by the program's."""
    pocket: str
    """The text after the board in the program's FENs."""


def peer(game: Game, program: str) -> Peer | None:
    """A game, with its constants, in a program; None if the program doesn't have it.

    Raises ``RulesError`` if the file of peers can't be read or grounded.
    """
    path = companion(game.encoding.sources[-1].path, "peers")
    if not is_file(path):
        return None
    texts = [source.text for source in read_sources(path)]
    found = game.rules.remembered(f"peer {program} {texts}", lambda: _fields(path, game, program))
    if found is None:
        return None
    ours = game.board.glyphs if game.board else {}
    glyphs = found["glyphs"].items()
    letters = {glyph: ours[content] for glyph, content in glyphs if content in ours}
    return Peer(**found, letters=letters)


def _fields(path: Path, game: Game, program: str) -> dict[str, Any] | None:
    """The fields of a peer but ``letters``."""
    from ...game.phrases import text_of

    rows = _rows(path, game.constants, program)
    rules = _rules(rows)
    if rules is None:
        return None
    moves: dict[str, list[str]] = {}
    for form, a, move in rows("peer_move", 4):
        moves.setdefault(_text(form, a, game.board), []).append(str(move))
    return {
        **vars(rules),
        "turned": bool(rows("peer_turned", 1)),
        "moves": moves,
        "sides": {text_of(side): text_of(theirs) for theirs, side in rows("peer_side", 3)},
        "pocket": "".join(text_of(text) for (text,) in rows("peer_pocket", 2)),
    }


@cache
def peers_of(program: str) -> Mapping[Path, PeerRules]:
    """The encodings of aspgames that a program has, with its rules for them."""
    home = encodings_folder()
    paths = sorted((home / "peers").rglob("*.lp"))
    texts = [path.read_text(encoding="utf-8") for path in paths]
    key = "\0".join([program, *map(str, paths), *texts])
    kept = disk.get(key, _KIND)
    if kept is None:
        named = (path for path, text in zip(paths, texts, strict=True) if program in text)
        known = {
            str(path.relative_to(home / "peers")): _rules(_rows(path, {}, program))
            for path in named
        }
        rows = {name: vars(rules) for name, rules in known.items() if rules is not None}
        text = json.dumps(rows)
        disk.put(key, _KIND, text.encode())
    else:
        text = bytes(kept).decode()
    return {home / name: PeerRules(**fields) for name, fields in json.loads(text).items()}


def _rules(rows: _Rows) -> PeerRules | None:
    from ...game.phrases import text_of

    names = [_text(form, arguments) for form, arguments in rows("peer", 3)]
    if not names:
        return None
    settings: dict[str, str] = {}
    for key, form, arguments in rows("peer_setting", 4):
        name, text = text_of(key), _text(form, arguments)
        more = [word for word in text.split() if word not in settings.get(name, "").split()]
        settings[name] = " ".join([settings[name], *more]) if name in settings else text
    return PeerRules(
        name=" ".join(filter(None, names)),
        settings=settings,
        alone=bool(rows("peer_alone", 1)),
        glyphs={text_of(glyph): str(content) for glyph, content in rows("peer_glyph", 3)},
    )


def _rows(path: Path, constants: Mapping[str, Any], program: str) -> _Rows:
    """The arguments of a file's facts about a program, by predicates."""
    from ...asp.grounding import Query
    from ...asp.parsing import parse
    from ...game.phrases import text_of

    statements = [s for source in read_sources(path) for s in parse(source)]
    atoms = Query(statements, constants, _PEER)()

    def rows(name: str, arity: int) -> list[list[Symbol]]:
        found = sorted(atoms[name, arity])
        return [symbol.arguments[1:] for symbol in found if text_of(symbol.arguments[0]) == program]

    return rows


def board_of(game: Game) -> Board:
    """A game's board. Raises ``BadRequest`` for a game without board."""
    if game.board is None:
        raise BadRequest(f"{game.name} has no board, so it has no FEN for an engine")
    return game.board


def needed_peer(game: Game, program: str) -> Peer:
    """A game in a program. Raises ``BadRequest`` if the program doesn't have it."""
    found = peer(game, program)
    if found is None:
        constants = "".join(f" -c {name}={value}" for name, value in game.constants.items())
        raise BadRequest(f"{program} doesn't have {game.name}{constants}")
    return found


def _text(form: Symbol, arguments: Symbol, board: Board | None = None) -> str:
    """A text with its arguments. Rows and points are counted from 0, from the upper left."""
    from ...game.phrases import text_of

    def argument(term: Symbol) -> str:
        if board and term.match("row", 1):
            return str(board.rows[term.arguments[0].number])
        if board and term.match("point", 2):
            x, y = (number.number for number in term.arguments)
            return str(board.rows[y] * board.width + x - 1)
        return text_of(term)

    try:
        return form.string.format(*map(argument, arguments.arguments))
    except (RuntimeError, LookupError, ValueError):
        raise RulesError(f"{form} in the peers must be a text with a tuple of arguments") from None
