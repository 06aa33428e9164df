"""Plays some of the games of a file, and writes them as a small Parquet file."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from ...game.game import Game, State
from ...game.notation.joint_moves import format_ply
from ...gdl.reasoner import UNSETTLED
from ...play.playout import GameBlock
from ...propnet.net_games import NetGames, play
from ...runtime.budget import Budget
from ...runtime.errors import LimitReached
from .columns import About, arrow, text_of
from .move_columns import NONE, MoveTexts, Numbers
from .players import RANDOM, players_of
from .position_columns import PositionTexts

GROUP = 1 << 17


@dataclass(frozen=True)
class RecordedBlock(GameBlock):
    """A block of games; every state becomes a row of a file."""

    players: tuple[tuple[str, str], ...]
    move_seconds: float
    about: About = field(repr=False)


def play_block(block: RecordedBlock, budget: Budget | None = None) -> bytes:
    """Play the games of a block; returns a Parquet file. Raises the same as ``playouts``."""
    budget = budget or Budget()
    state, tables = block.open(budget)
    if tables is None or {name for _, name in block.players} != {RANDOM}:
        groups = _one_by_one(block, state, budget)
    else:
        start = tables.row(state.facts) or b""
        played = play(tables, start, block.numbers, block.seed, budget, block.max_plies)
        groups = _of_net(block, _Writer(state.game, tables), played, budget)
    return written(block.about, groups)


def written(about: About, groups: Iterator[Any]) -> bytes:
    """A Parquet file of some groups of rows."""
    sink = arrow().BufferOutputStream()
    write_groups(sink, about, groups)
    found: bytes = sink.getvalue().to_pybytes()
    return found


def write_groups(sink: Any, about: About, groups: Iterator[Any]) -> None:
    """Write a Parquet file of some groups of rows."""
    pq = arrow("pyarrow.parquet")
    # Without Arrow's own schema, so that all readers see the same types.
    with pq.ParquetWriter(sink, about.schema, compression="zstd", store_schema=False) as writer:
        for group in groups:
            writer.write_table(group, row_group_size=GROUP)
        writer.add_key_value_metadata(about.metadata)


@lru_cache(maxsize=2)
class _Writer:
    def __init__(self, game: Game, tables: Any) -> None:
        names, pa = tables.names, arrow()
        self.roles = pa.array([*names.roles], pa.string())
        self.positions = PositionTexts(game.board, tables)
        self.moves = MoveTexts(game, tables)
        self.numbers = Numbers(game).of_net(names)


def _of_net(
    block: RecordedBlock, writer: _Writer, plies: NetGames, budget: Budget
) -> Iterator[Any]:
    pa, roles = arrow(), block.about.roles
    states = plies.lengths + 1
    unknown = (plies.goals == UNSETTLED) | ~plies.ended[:, None]
    games = np.repeat(np.array(block.numbers), states)
    ply = np.arange(len(games)) - np.repeat(np.cumsum(states) - states, states)
    for first in range(0, len(games), GROUP):
        budget.check()
        here = slice(first, first + GROUP)
        moves, counts, movers = plies.moves[here], plies.counts[here], plies.movers[here]
        played = np.where(_makes_the_ply(counts, movers), moves, NONE)
        text, term = writer.moves.of(plies.rows[here], played)
        own = games[here] - block.numbers.start
        arrays = [
            pa.array(games[here]),
            pa.array(ply[here].astype(np.int32)),
            writer.positions.of(plies.rows[here]),
            writer.roles.take(pa.array(movers, mask=movers == NONE)),
            text,
            term,
            *_numbers(block.about, writer.numbers, moves, played),
            pa.array(counts.prod(axis=1, dtype=np.int64)),
            pa.array(plies.lengths[own].astype(np.int32)),
            *(pa.array(plies.goals[own, n], mask=unknown[own, n]) for n in range(len(roles))),
        ]
        yield pa.Table.from_arrays(arrays, schema=block.about.schema)


def _makes_the_ply(counts: Any, movers: Any) -> Any:
    """For each state and role, whether the role is one of ``Consequences.movers``."""
    found = counts != 1
    mover = np.flatnonzero(movers != NONE)
    found[mover, movers[mover]] = True
    return found | ~found.any(axis=1, keepdims=True)


def _numbers(about: About, numbers: Any, moves: Any, played: Any) -> Iterator[Any]:
    """The columns of move numbers: of each role, or of the only role with a choice."""
    pa = arrow()
    if about.joint:
        columns = [moves[:, role] for role in range(len(about.roles))]
    else:
        alone = (played != NONE).sum(axis=1) == 1
        columns = [np.where(alone, played.max(axis=1), NONE)]
    for column in columns:
        found = numbers[column]  # NONE selects the last one
        yield pa.array(found, mask=found == NONE)


def _one_by_one(block: RecordedBlock, start: State, budget: Budget) -> Iterator[Any]:
    pa, about = arrow(), block.about
    game = start.game if block.reasoner == "propnet" else start.game.without_nets
    names = dict(block.players)
    players = players_of(game, names, block.move_seconds)
    numbers = Numbers(start.game) if block.reasoner == "propnet" else None
    for number in block.numbers:
        rng = random.Random(f"{block.seed} {number}")  # the same games as ``playouts``
        state = game.state(block.facts)
        played: list[tuple[State, Mapping[str, str] | None]] = []
        while not is_over(state) and len(played) < block.max_plies:
            try:
                budget.spend()
            except LimitReached as error:
                raise type(error)(
                    f"{error}: game {number} goes on after {len(played):,} plies"
                ) from None
            joint = {role: players[role](state, role, rng) for role in game.roles}
            played.append((state, joint))
            state = state.play(joint)
        rows = list(rows_of(about, number, [*played, (state, None)], numbers))
        yield pa.Table.from_pylist(rows, schema=about.schema)


def is_over(state: State) -> bool:
    """Whether play can't go on: the game is over, or a role has no move."""
    return state.is_terminal or not all(state.legal.values())


def rows_of(
    about: About,
    number: int,
    played: Sequence[tuple[State, Mapping[str, str] | None]],
    numbers: Numbers | None,
) -> Iterator[dict[str, Any]]:
    """The rows of one game: each state, with the joint move played there (terms).

    The last state has no joint move. Without an end, the game has no goals.
    """
    last = played[-1][0]
    values = last.consequences.values if is_over(last) else {}
    goals = {f"goal_{role}": None for role in about.roles} | {
        f"goal_{role}": value for role, value in values.items() if value != UNSETTLED
    }
    for ply, (state, joint) in enumerate(played):
        row: dict[str, Any] = {"game": number, "ply": ply, "length": len(played) - 1, **goals}
        counts = [len(moves) for moves in state.legal.values()]
        row |= {"position": text_of(state), "legal": int(np.prod(counts, dtype=np.int64))}
        if not is_over(state):
            row["to_move"] = state.to_move
        if joint is not None:
            movers = state.consequences.movers
            term = format_ply(joint, movers)
            row |= {"move": state.move_text(term), "term": term}
            told = dict(joint) if about.joint else {role: joint[role] for role in movers}
            if numbers and (about.joint or len(told) == 1):
                for role, one in told.items():
                    column = f"number_{role}" if about.joint else "number"
                    found = numbers.of(role, one)
                    row[column] = None if found == NONE else found
        yield row
