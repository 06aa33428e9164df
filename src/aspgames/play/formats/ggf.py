"""GGF, the Generic Game Format of the Generic Game Server: ``(;GM[Othello] … B[F5]W[D6];)``.

``BO`` is the first board, rank 1 first, with ``*`` for the stones of Black, who begins, ``O`` for
those of White, and the side on move. ``B`` and ``W`` are moves, with an evaluation and a time after
slashes. ``RE`` is the lead of Black. A pass is ``PA``.

Source: Michael Buro and Igor Durdanovic, "Generic Game Format", skatgame.net/mburo/ggsa/ggf.
"""

from __future__ import annotations

import re

from ...asp.terms import shorten
from ...game.game import Game
from ...game.state import State
from ...runtime.errors import BadRecord
from ..game_record import Record
from .format import Format, Played, by_move, declared, own_record, stones_and_mover, write_lines
from .property_lists import Node, properties_text, tree_reader

NAME = "ggf"
_COLOURS = ("B", "W")
_STONES = "*O"


def _record(found: Node, game: Game, headers: dict[str, str]) -> Record:
    named = headers.get("GM", "")
    if named.lower() not in ("", *map(str.lower, game.vocabulary.formats[NAME])):
        raise BadRecord(f"GM[{shorten(named)}] is another game than {game.name}")
    moves, position = list[str](), "startpos"
    for name, text in found:
        if name == "BO":
            position = _position(text, game)
        if name in _COLOURS:
            moves.append(text.partition("/")[0].strip().lower())
    lead = re.match(r"[+-]?[0-9]+(?:\.[0-9]+)?", headers.get("RE", ""))
    final = float(lead[0]) if lead else None
    return own_record(game, moves, position, tags=headers, lead=final)


def _position(text: str, game: Game) -> str:
    """The facts of a board."""
    board, roles = game.board, by_move(game)
    size, *rows = text.split() or [""]
    cells, mover = "".join(rows)[:-1], "".join(rows)[-1:]
    if board is None or size != str(board.width) or mover not in _STONES:
        raise BadRecord(f"BO is no board of {game.name}: {shorten(text)!r}")
    if len(cells) != board.width * board.height or set(cells) - {*_STONES, "-"}:
        raise BadRecord(f"BO needs {board.height} rows of {board.width} of the marks * O -")
    stones = (
        ((place % board.width + 1, place // board.width + 1), roles[_STONES.index(c)])
        for place, c in enumerate(cells)
        if c != "-"
    )
    return stones_and_mover(game, stones, roles[_STONES.index(mover)])


def _board(state: State) -> str:
    """The board of a state."""
    board, roles = state.game.board, by_move(state.game)
    assert board is not None
    pieces = dict(found for fact in state.facts if (found := board.piece(fact)))
    ranks = range(1, board.height + 1)
    rows = [
        "".join(
            _STONES[roles.index(pieces[x, y])] if (x, y) in pieces else "-"
            for x in range(1, board.width + 1)
        )
        for y in ranks
    ]
    return " ".join([str(board.width), *rows, _STONES[roles.index(str(state.to_move))]])


def _text(played: Played) -> str:
    game, roles = played.states[0].game, by_move(played.states[0].game)
    headers = {"GM": game.vocabulary.formats[NAME][0], **played.entry.headers}
    board = game.board
    headers.setdefault("TY", str(board.width) if board else "")
    if "RE" not in headers and (goals := played.goals):
        lead = (goals[roles[0]] > goals[roles[1]]) - (goals[roles[0]] < goals[roles[1]])
        headers["RE"] = f"{lead:+d}.000" if lead else "0.000"
    kept = {name: text for name, text in headers.items() if name not in (*_COLOURS, "BO")}
    parts = [properties_text(kept)]
    parts.append(f"BO[{_board(played.states[0])}]")
    for state, ply in zip(played.states, played.plies, strict=False):
        colour = _COLOURS[roles.index(str(state.to_move))]
        parts.append(f"{colour}[{state.move_text(ply).upper() if '(' in ply else 'PA'}]")
    return f"(;{''.join(parts)};)\n"


GGF = Format(
    NAME,
    (".ggf",),
    "the Generic Game Format of the Generic Game Server",
    tree_reader(_record, *_COLOURS, "BO"),
    write_lines(_text),
    declared(NAME),
    "Othello",
    names_game=False,
)
