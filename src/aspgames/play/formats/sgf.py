"""SGF, the Smart Game Format, for Hex and other games: ``(;FF[4]GM[11]SZ[5];B[c3];W[d2])``.

``B`` begins, whichever role that is; Little Golem writes ``W`` for the side that begins in Hex, and
means its player by ``PB`` and ``RE[B]``. Squares are ``c3``, or two letters as in Go, the row from
the top: ``cc``. Moves from square to square are ``e1-e3``. Of variations, the first one is read.

A swap in Hex: ``swap-sides`` leaves the stones as they are. After ``swap-pieces``, or ``swap`` of
Little Golem, the game goes on with files and ranks exchanged, and so do the sides and players.

Source: Arno Hollosi, "Smart Game Format FF[4]", red-bean.com/sgf, with its pages on Hex (GM[11])
and Lines of Action (GM[9]).
"""

from __future__ import annotations

import re

from ...asp.terms import shorten
from ...game.board import Square, parse_square, square_name
from ...game.game import Game
from ...game.notation.move_text import named_squares
from ...runtime.errors import BadRecord
from ..game_record import Record
from .format import Format, Played, by_move, declared, own_record, write_lines
from .property_lists import Node, escaped, tree_reader

NAME = "sgf"
_COLOURS = ("B", "W")
_OWN = (*_COLOURS, "CA", "FF", "GM", "SZ", "RE")
_SETUP = ("AB", "AW", "AE")
_ENDS = ("resign", "forfeit")
_SWAPPED_PIECES = ("swap", "swap-pieces")
_SWAP = "swap"
"""``file_format(swap,…)``: the game is the same with files and ranks, and sides, exchanged."""


def _record(found: Node, game: Game, headers: dict[str, str]) -> Record:
    _check(found, game, headers)
    turns = [(name, text.strip().lower()) for name, text in found if name in _COLOURS]
    first = turns[0][0] if turns else "B"
    if first == "W" and "littlegolem" in headers.get("SO", ""):
        first = "B"  # the letters of players are not those of moves
    moves, mirrored, loser = list[str](), False, ""
    for number, (colour, text) in enumerate(turns):
        if text in _ENDS:
            loser = colour if first == turns[0][0] else _other(colour)
            break
        if text in (*_SWAPPED_PIECES, "swap-sides"):
            if _SWAP not in game.vocabulary.formats or number != 1:
                raise BadRecord(f"{text} as move {number + 1}: {game.name} has no swap there")
            mirrored = text in _SWAPPED_PIECES
        else:
            moves.append(_move(text, game, mirrored))
    roles = by_move(game)[:: -1 if mirrored else 1]
    role_of = dict(zip((first, _other(first)), roles, strict=True))
    result = re.match(r"([BW])(?:\+|\s*\Z)", headers.get("RE", "")) or ""
    winner = result[1] if result else _other(loser) if loser else ""
    goals = None
    if winner:
        goals = {role: 100 * (role == role_of[winner]) for role in game.roles}
    elif headers.get("RE", "").lower() in ("0", "draw"):
        goals = dict.fromkeys(game.roles, 50)
    if role_of["B"] != by_move(game)[0]:
        players = {"PB": headers.get("PW", ""), "PW": headers.get("PB", "")}
        headers = headers | {name: text for name, text in players.items() if text}
    return own_record(game, moves, goals=goals, tags=headers)


def _other(colour: str) -> str:
    return _COLOURS[colour == _COLOURS[0]]


def _check(found: Node, game: Game, headers: dict[str, str]) -> None:
    """Raise ``BadRecord`` for another game, another size of board, or stones that stand there."""
    kind = headers.get("GM", "").strip()
    if kind not in ("", *game.vocabulary.formats[NAME]):
        raise BadRecord(f"GM[{shorten(kind)}] is another game than {game.name}")
    for name, text in found:
        if name in _SETUP:
            raise BadRecord(f"the game doesn't begin at the start: {name}[{shorten(text)}]")
    if size := headers.get("SZ"):
        assert game.board is not None
        sides = [side.strip() for side in size.split(":")]
        if [sides[0], sides[-1]] != [str(game.board.width), str(game.board.height)]:
            raise BadRecord(f"the board is {shorten(size)}, and that of {game.name} {_size(game)}")


def _size(game: Game) -> str:
    assert game.board is not None
    width, height = game.board.width, game.board.height
    return str(width) if width == height else f"{width}:{height}"


def _move(text: str, game: Game, mirrored: bool) -> str:
    """A move as the game writes it."""
    assert game.board is not None
    if re.fullmatch("[a-z]{2}", text) and not text.startswith("pa"):
        row = ord(text[1]) - ord("a") + 1
        rank = row if game.board.first_rank == "top" else game.board.height + 1 - row
        square: Square | None = (ord(text[0]) - ord("a") + 1, rank)
    else:
        square = parse_square(text)
    if square is None:
        return text.rstrip("+!").replace(":", "x") or "pass"
    return square_name((square[1], square[0]) if mirrored else square)


def _text(played: Played) -> str:
    game, goals = played.states[0].game, played.goals
    roles, forms = by_move(game), game.vocabulary.notation
    headers = {"FF": "4", "CA": "UTF-8", "GM": game.vocabulary.formats[NAME][0], "SZ": _size(game)}
    headers |= {name: text for name, text in played.entry.headers.items() if name not in _OWN}
    if goals:
        one, other = (goals[role] for role in roles)
        headers["RE"] = "Draw" if one == other else "B+" if one > other else "W+"
    root = "".join(
        f"{name}[{escaped(text)}]"
        for name, text in headers.items()
        if re.fullmatch("[A-Z]{1,2}", name)
    )
    moves = []
    for state, ply in zip(played.states, played.plies, strict=False):
        names = map(square_name, named_squares(forms, ply))
        colour = _COLOURS[roles.index(str(state.to_move))]
        moves.append(f";{colour}[{'-'.join(names) or 'pass'}]")
    return f"(;{root}{''.join(moves)})\n"


SGF = Format(
    NAME,
    (".sgf", ".hsgf"),
    "Smart Game Format",
    tree_reader(_record, *_COLOURS),
    write_lines(_text),
    declared(NAME),
    "Hex, Gomoku, Othello and Lines of Action",
    names_game=False,
    from_start=True,
)
