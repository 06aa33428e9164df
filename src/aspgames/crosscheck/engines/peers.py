"""The names and notations of a game in other programs: ``peers/NAME.lp`` beside its encoding.

``encodings/README.md`` describes the predicates. The file isn't a part of the rules, so another
peer doesn't change the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import clingo

from ...asp.grounding import Query
from ...asp.parsing import parse
from ...asp.sources import companion, is_file, read_sources
from ...asp.statements import Signature
from ...game.board import Board
from ...game.game import Game
from ...game.phrases import text_of
from ...runtime.errors import BadRequest, RulesError

_PEER: tuple[Signature, ...] = (
    ("peer", 3),
    ("peer_setting", 4),
    ("peer_glyph", 3),
    ("peer_first_rank", 2),
)


@dataclass(frozen=True)
class Peer:
    """A game in another program."""

    name: str
    settings: Mapping[str, str]
    glyphs: Mapping[str, str]
    """Contents of squares, by the characters on the program's board."""
    first_rank: int
    """Our rank for the first line of the program's board."""


def peer(game: Game, program: str) -> Peer | None:
    """A game, with its constants, in a program; None if the program doesn't have it.

    Raises:
        RulesError: The file of peers can't be read or grounded.
    """
    path = companion(game.encoding.sources[-1].path, "peers")
    if not is_file(path):
        return None
    statements = [s for source in read_sources(path) for s in parse(source)]
    atoms = Query(statements, game.constants, _PEER)()

    def rows(name: str, arity: int) -> list[list[clingo.Symbol]]:
        found = sorted(atoms[name, arity])
        return [symbol.arguments[1:] for symbol in found if text_of(symbol.arguments[0]) == program]

    names = [_text(form, arguments) for form, arguments in rows("peer", 3)]
    if not names:
        return None
    ranks = [rank.number for (rank,) in rows("peer_first_rank", 2)]
    return Peer(
        name=names[0],
        settings={text_of(k): _text(form, a) for k, form, a in rows("peer_setting", 4)},
        glyphs={text_of(glyph): str(content) for glyph, content in rows("peer_glyph", 3)},
        first_rank=ranks[0] if ranks else game.board.height if game.board else 1,
    )


def board_of(game: Game) -> Board:
    """A game's board. Raises ``BadRequest`` for a game without board."""
    if game.board is None:
        raise BadRequest(f"{game.name} has no board, so it has no FEN for an engine")
    return game.board


def needed_peer(game: Game, program: str) -> Peer:
    """A game in a program. Raises ``BadRequest`` if the program doesn't have it."""
    found = peer(game, program)
    board_of(game)
    if found is None:
        constants = "".join(f" -c {name}={value}" for name, value in game.constants.items())
        raise BadRequest(f"{program} doesn't have {game.name}{constants}")
    return found


def _text(form: clingo.Symbol, arguments: clingo.Symbol) -> str:
    """A text with its ``{}`` filled in."""
    try:
        return form.string.format(*map(text_of, arguments.arguments))
    except (RuntimeError, LookupError, ValueError):
        raise RulesError(f"{form} in the peers must be a text with a tuple of arguments") from None
