"""SGF, the Smart Game Format, for Hex and other games: ``(;FF[4]GM[11]SZ[5];B[c3];W[d2])``.

``B`` begins, whichever role that is; Little Golem writes ``W`` for the side that begins in Hex, and
means its player by ``PB`` and ``RE[B]``. Squares are ``c3``, or two letters as in Go, the row from
the top: ``cc``. Moves from square to square are ``e1-e3``. Of variations, the first one is read.

``AB`` and ``AW`` before the first move are the stones of another start. On move is the colour of
the first move, else ``PL``, else the colour with fewer stones, or B.

A swap in Hex: ``swap-sides`` leaves the stones as they are. After ``swap-pieces``, or ``swap`` of
Little Golem, the game goes on with files and ranks exchanged, and so do the sides and players.
Where the colour that swapped moves next, as in files of benzene, only the sides were swapped.

Source: Arno Hollosi, "Smart Game Format FF[4]", red-bean.com/sgf, with its pages on Hex (GM[11])
and Lines of Action (GM[9]).
"""

from __future__ import annotations

import re

from ...asp.terms import shorten
from ...game.board import Square, parse_square, square_name
from ...game.game import Game
from ...game.notation.move_text import named_squares
from ...game.state import State
from ...runtime.errors import BadRecord
from ..game_record import Record
from .format import (
    Format,
    Played,
    at_start,
    by_move,
    declared,
    own_record,
    stones_and_mover,
    write_lines,
)
from .property_lists import Node, properties_text, tree_reader

NAME = "sgf"
_COLOURS = ("B", "W")
_STONES = ("AB", "AW")
_OWN = (*_COLOURS, *_STONES, "PL", "CA", "FF", "GM", "SZ", "RE")
_SETUP = (*_STONES, "AE")
_ENDS = ("resign", "forfeit")
_SWAPPED_PIECES = ("swap", "swap-pieces")
_SWAP = "swap"
"""``file_format(swap,…)``: the game is the same with files and ranks, and sides, exchanged."""


def _record(found: Node, game: Game, headers: dict[str, str]) -> Record:
    _check(game, headers)
    turns = [(name, text.strip().lower()) for name, text in found if name in _COLOURS]
    first = turns[0][0] if turns else ""
    position = _position(found, game, first)
    # The letters of players are not those of moves.
    exchanged = first == "W" and "littlegolem" in headers.get("SO", "")
    begins = "W" if first == "W" and not exchanged and position == "startpos" else "B"
    moves, mirrored, loser = list[str](), False, ""
    for number, (colour, text) in enumerate(turns):
        if text in _ENDS:
            loser = _other(colour) if exchanged else colour
            break
        if text in (*_SWAPPED_PIECES, "swap-sides"):
            if _SWAP not in game.vocabulary.formats or (position, number) != ("startpos", 1):
                raise BadRecord(f"{text} as move {number + 1}: {game.name} has no swap there")
            again = [name for name, _ in turns[number + 1 : number + 2]] == [colour]
            mirrored = text in _SWAPPED_PIECES and not again
        else:
            moves.append(_move(text, game, mirrored))
    roles = by_move(game)[:: -1 if mirrored else 1]
    role_of = dict(zip((begins, _other(begins)), roles, strict=True))
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
    return own_record(game, moves, position, goals, headers)


def _position(found: Node, game: Game, first: str) -> str:
    """The facts of the stones that stand before the first move, or ``startpos``."""
    assert game.board is not None
    stones, free = dict[Square, str](), {*game.board.squares}
    mover, moved = first, False
    for name, text in found:
        moved |= name in _COLOURS
        if name in _SETUP:
            square = parse_square(_move(text.strip().lower(), game, mirrored=False))
            if moved or name not in _STONES or square not in free:
                raise BadRecord(f"{name}[{shorten(text)}] is no stone before the first move")
            free.remove(square)
            stones[square] = name[-1]
        elif name == "PL":
            mover = mover or text.strip()[:1].upper()
    if not stones:
        return "startpos"
    counts = [[*stones.values()].count(colour) for colour in _COLOURS]
    role_of = dict(zip(_COLOURS, by_move(game), strict=True))
    mover = mover if mover in role_of else _COLOURS[counts[0] > counts[1]]
    stands = ((square, role_of[colour]) for square, colour in stones.items())
    return stones_and_mover(game, stands, role_of[mover])


def _other(colour: str) -> str:
    return _COLOURS[colour == _COLOURS[0]]


def _check(game: Game, headers: dict[str, str]) -> None:
    """Raise ``BadRecord`` for another game or another size of board."""
    kind = headers.get("GM", "").strip()
    if kind not in ("", *game.vocabulary.formats[NAME]):
        raise BadRecord(f"GM[{shorten(kind)}] is another game than {game.name}")
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


def _stones(state: State) -> list[tuple[Square, str]]:
    """The stones of a state, each with its role."""
    board = state.game.board
    assert board is not None
    return sorted(found for fact in state.facts if (found := board.piece(fact)))


def _can_begin(state: State) -> bool:
    """Whether a state is the start, or has nothing but stones and a role on move."""
    game, mover = state.game, str(state.to_move)
    return at_start(state) or state == game.position(stones_and_mover(game, _stones(state), mover))


def _properties(state: State, roles: list[str]) -> str:
    """The stones of a state, and the colour on move."""
    stones, text = _stones(state), ""
    for name, role in zip(_STONES, roles, strict=True):
        values = [f"[{square_name(square)}]" for square, owner in stones if owner == role]
        text += f"{name}{''.join(values)}" if values else ""
    return f"{text}PL[{_COLOURS[roles.index(str(state.to_move))]}]"


def _text(played: Played) -> str:
    game, goals = played.states[0].game, played.goals
    roles, forms = by_move(game), game.vocabulary.notation
    headers = {"FF": "4", "CA": "UTF-8", "GM": game.vocabulary.formats[NAME][0], "SZ": _size(game)}
    headers |= {name: text for name, text in played.entry.headers.items() if name not in _OWN}
    if goals:
        one, other = (goals[role] for role in roles)
        headers["RE"] = "Draw" if one == other else "B+" if one > other else "W+"
    root = properties_text(headers)
    moves, first = [], played.states[0]
    if not at_start(first):
        root += _properties(first, roles)
    for state, ply in zip(played.states, played.plies, strict=False):
        names = map(square_name, named_squares(forms, ply))
        colour = _COLOURS[roles.index(str(state.to_move))]
        moves.append(f";{colour}[{'-'.join(names) or 'pass'}]")
    return f"(;{root}{''.join(moves)})\n"


SGF = Format(
    NAME,
    (".sgf", ".hsgf"),
    "Smart Game Format",
    tree_reader(_record, *_COLOURS, *_STONES, "PL"),
    write_lines(_text),
    declared(NAME),
    "Hex, Gomoku, Othello and Lines of Action",
    names_game=False,
    begins=_can_begin,
)
