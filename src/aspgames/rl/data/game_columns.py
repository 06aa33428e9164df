"""The columns of a file of games (docs/data.md): one table for their names, types and values."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ...game.chance import Percepts, percepts_of
from ...game.notation.joint_moves import format_ply
from ...game.state import State
from ...gdl.reasoner import UNSETTLED
from ...play.playout import rolls_of
from ...propnet.gate_tables import Tables
from ...propnet.net_games import NetGames
from .chance_columns import ChanceLists, PerceptLists, chance_type, percepts_type
from .columns import KEY, About, arrow, text_of
from .position_columns import NONE, MoveTexts, Numbers, PositionTexts

JointMove = Mapping[str, str] | None
"""The move of each role, as terms; None in the last state of a game."""


class GameColumn(NamedTuple):
    """A column: an attribute of ``NetRows`` and of ``StateRow``.

    A name that ends in ``ROLE`` stands for a column for each role. With gaps, the attribute is a
    method, which takes the role.
    """

    name: str
    kind: str
    """Its type, as Arrow names it, or one of ``_LISTS``."""
    has_gaps: bool = False
    """Whether whole numbers may be missing; pandas must be told."""


COLUMNS = (
    GameColumn("game", "int64"),
    GameColumn("ply", "int32"),
    GameColumn("position", "string"),
    GameColumn("to_move", "string"),
    GameColumn("move", "string"),
    GameColumn("term", "string"),
    GameColumn("number", "int32", has_gaps=True),
    GameColumn("number_ROLE", "int32", has_gaps=True),
    GameColumn("legal", "int64"),
    GameColumn("chance", "list of term and chance"),
    GameColumn("sees_ROLE", "list of text"),
    GameColumn("length", "int32"),
    GameColumn("goal_ROLE", "int32", has_gaps=True),
)
"""All columns; a file has ``number`` or ``number_ROLE``, and those that fit the game."""
_LISTS = {"list of term and chance": chance_type, "list of text": percepts_type}


def columns_of(about: About) -> Iterator[tuple[str, str, GameColumn]]:
    """The columns of a file: the name, the role in it or an empty text, and the column."""
    roles = {
        "number": () if about.joint else ("",),
        "number_ROLE": about.roles if about.joint else (),
        "chance": ("",) if about.chance else (),
        "sees_ROLE": about.sees,
        "goal_ROLE": about.roles,
    }
    for column in COLUMNS:
        for role in roles.get(column.name, ("",)):
            yield column.name.replace("ROLE", role), role, column


def _reader(about: About) -> Callable[[NetRows | StateRow], dict[str, Any]]:
    """A function that has all columns by their names."""
    found = [
        (name, role, column.name.removesuffix("_ROLE"), column.has_gaps or role)
        for name, role, column in columns_of(about)
    ]
    return lambda rows: {
        name: getattr(rows, attribute)(role) if is_method else getattr(rows, attribute)
        for name, role, attribute, is_method in found
    }


def schema(about: About) -> Any:
    """The columns of a file, as an Arrow schema."""
    kinds = {
        name: _LISTS.get(each.kind) or getattr(arrow(), each.kind)
        for name, _, each in columns_of(about)
    }
    return arrow().schema([(name, kind()) for name, kind in kinds.items()])


def metadata(about: About) -> dict[bytes, bytes]:
    """The metadata of a file. The part for pandas keeps whole numbers with gaps whole."""
    kinds = {"pandas_type": "int32", "numpy_type": "Int32", "metadata": None}
    names = [name for name, _, column in columns_of(about) if column.has_gaps]
    columns = [{"name": name, "field_name": name, **kinds} for name in names]
    index = {"columns": columns, "index_columns": [], "column_indexes": []}
    return {KEY: about.text.encode(), b"pandas": json.dumps(index).encode()}


class NetWriter:
    """Formats rows of a net."""

    def __init__(self, start: State, tables: Tables) -> None:
        """``tables`` are those of the net of all states reachable from ``start``."""
        game, names, pa = start.game, tables.names, arrow()
        self.roles = pa.array([*names.roles], pa.string())
        self.positions = PositionTexts(game.board, tables)
        self.moves = MoveTexts(game, tables)
        self.numbers = Numbers(game).of_net(names)
        self.chances = ChanceLists(tables, rolls_of(start, tables)) if game.chance else None
        self.percepts = PerceptLists(start, tables) if game.hidden else None


class NetRows:
    """The columns of some rows of a block of games, played on a net."""

    def __init__(
        self, about: About, writer: NetWriter, plies: NetGames, numbers: range, here: slice
    ) -> None:
        """``numbers`` are those of the block's games, ``here`` are the rows."""
        pa, states = arrow(), plies.lengths + 1
        moves, counts, movers = plies.moves[here], plies.counts[here], plies.movers[here]
        own = np.repeat(np.arange(len(states)), states)[here]
        self.game = own + numbers.start
        self.ply = np.arange(len(plies.rows))[here] - (np.cumsum(states) - states)[own]
        self.position = writer.positions.of(plies.rows[here])
        self.to_move = writer.roles.take(pa.array(movers, mask=movers == NONE))
        self._played = np.where(_makes_the_ply(counts, movers), moves, NONE)
        self.move, self.term = writer.moves.of(plies.rows[here], self._played)
        self.legal = counts.prod(axis=1, dtype=np.int64)
        self.length = plies.lengths[own]
        self._roles, self._moves, self._numbers = about.roles, moves, writer.numbers
        self._goals, self._ended = plies.goals[own], plies.ended[own]
        self._rows, self._is_last = plies.rows[here], self.ply == self.length
        self._writer = writer

    @cached_property
    def chance(self) -> Any:
        """The moves of ``random`` in each state, with their probabilities."""
        assert self._writer.chances, "chance moves in the game"
        return self._writer.chances.of(self._rows, ~(self._is_last & self._ended))

    def sees(self, role: str) -> Any:
        """What a role perceives of each state's joint move."""
        return self._percepts[role]

    @cached_property
    def _percepts(self) -> Mapping[str, Any]:
        assert self._writer.percepts, "the game has percepts"
        return self._writer.percepts.of(self._rows, self._moves, ~self._is_last)

    def number(self, role: str) -> Any:
        """The number of a role's move, or of the only role with a choice."""
        if role:
            moves = self._moves[:, self._roles.index(role)]
        else:
            alone = (self._played != NONE).sum(axis=1) == 1
            moves = np.where(alone, self._played.max(axis=1), NONE)
        found = self._numbers[moves]  # NONE selects the last one
        return arrow().array(found, mask=found == NONE)

    def goal(self, role: str) -> Any:
        """The role's goal value at the end of each row's game."""
        values = self._goals[:, self._roles.index(role)]
        return arrow().array(values, mask=(values == UNSETTLED) | ~self._ended)


def _makes_the_ply(counts: Any, movers: Any) -> Any:
    """For each state and role, whether the role is one of ``Consequences.movers``."""
    found = counts != 1
    mover = np.flatnonzero(movers != NONE)
    found[mover, movers[mover]] = True
    return found | ~found.any(axis=1, keepdims=True)


def table_of_net(about: About, rows: NetRows) -> Any:
    """Rows of a net as a table of Arrow."""
    pa, kinds = arrow(), schema(about)
    return pa.table(
        {
            name: pa.array(each, kinds.field(name).type) if isinstance(each, np.ndarray) else each
            for name, each in _reader(about)(rows).items()
        },
        schema=kinds,
    )


class StateRow:
    """The columns of one state of a game."""

    def __init__(
        self,
        place: tuple[int, int, int],
        state: State,
        joint: JointMove,
        numbers: Numbers | None,
        values: Mapping[str, int],
    ) -> None:
        """``place``: the numbers of the game, the ply and the last ply; ``values``: the goals."""
        self.game, self.ply, self.length = place
        self.position = text_of(state)
        self.to_move = None if is_over(state) else state.to_move
        self._movers = () if joint is None else state.consequences.movers
        self.term = None if joint is None else format_ply(joint, self._movers)
        self.move = None if self.term is None else state.move_text(self.term)
        counts = [len(moves) for moves in state.legal.values()]
        self.legal = int(np.prod(counts, dtype=np.int64))
        self._state, self._joint, self._numbers = state, joint or {}, numbers
        self._values = values

    @property
    def chance(self) -> list[dict[str, str]]:
        """The moves of ``random``, with their probabilities."""
        chances = () if is_over(self._state) else self._state.chance
        return [{"term": move.term, "chance": str(chance)} for move, chance in chances]

    def sees(self, role: str) -> list[str] | None:
        """What a role perceives of the joint move."""
        return list(self._percepts[role]) if self._joint else None

    @cached_property
    def _percepts(self) -> Percepts:
        return percepts_of(self._state, self._joint)

    def number(self, role: str) -> int | None:
        """The number of a role's move, or of the only role with a choice."""
        movers = [role] if role and self._joint else self._movers
        if self._numbers is None or len(movers) != 1:
            return None
        found = self._numbers.of(movers[0], self._joint[movers[0]])
        return None if found == NONE else found

    def goal(self, role: str) -> int | None:
        """The role's goal value at the end of the game."""
        found = self._values.get(role, UNSETTLED)
        return None if found == UNSETTLED else found


def is_over(state: State) -> bool:
    """Whether play can't go on: the game is over, or a role has no move."""
    return state.is_terminal or not all(state.legal.values())


def rows_of(
    about: About, number: int, played: Sequence[tuple[State, JointMove]], numbers: Numbers | None
) -> Iterator[dict[str, Any]]:
    """The rows of one game: each state, with the joint move played there (terms).

    The last state has no joint move. Without an end, the game has no goals.
    """
    last, read = played[-1][0], _reader(about)
    values = last.consequences.values if is_over(last) else {}
    for ply, (state, joint) in enumerate(played):
        place = number, ply, len(played) - 1
        yield read(StateRow(place, state, joint, numbers, values))
